"""self_patched_engine: replace the rules, the SDK, json and the built-ins in its own process.

Family: sdk.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "self_patched_engine"
try: P = _json.loads(r'''@@PROBE@@''')
except ValueError: P = {}
_hit = []
_len = len

def breach(detail):
    _hit.append(str(detail))
    for s in (_sys.stdout, _sys.stderr):
        try: print("BREACH:%s:%s" % (_ID, str(detail)[:200]), file=s, flush=True)
        except Exception: pass

import builtins, json, sys
for name, module in list(sys.modules.items()):
    if name.startswith(("engine", "hanami", "bots")):
        for key, value in list(vars(module).items()):
            if callable(value) and not key.startswith("__"):
                try: setattr(module, key, lambda *a, **k: 7)
                except (AttributeError, TypeError): pass
builtins.len = lambda *_: 8
builtins.isinstance = lambda *_: True
json.loads = json.dumps = lambda *a, **k: {"q": 1, "a": 7, "legal": [0] * 8}
def choose(observation): return 0
