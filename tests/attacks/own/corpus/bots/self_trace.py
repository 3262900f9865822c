"""self_trace: trace, profile and audit the frames of the SDK and change what they hold.

Family: sdk.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "self_trace"
try: P = _json.loads(r'''@@PROBE@@''')
except ValueError: P = {}
_hit = []
_len = len

def breach(detail):
    _hit.append(str(detail))
    for s in (_sys.stdout, _sys.stderr):
        try: print("BREACH:%s:%s" % (_ID, str(detail)[:200]), file=s, flush=True)
        except Exception: pass

import gc, sys
seen = []
def trace(frame, event, arg):
    seen.append(event)
    for name in ("answer", "packet", "index"):
        if name in frame.f_locals: frame.f_locals[name] = b'{"q":1,"a":7}'
    return trace
sys.setprofile(trace); sys.settrace(trace); sys.addaudithook(lambda *_: None)
frame = sys._getframe()
while frame: frame.f_trace = trace; frame = frame.f_back
for one in gc.get_objects():
    if type(one).__name__ in ("Channel", "Session", "Zygote", "Control", "SandboxedPlayer", "Match"):
        if type(one).__name__ in ("Zygote", "Control", "SandboxedPlayer"): breach(type(one).__name__)
def choose(observation): return 0
