"""self_pickle: answers that are objects: they run code where they are read.

Family: sdk.  Contained outcome wanted: forfeit:protocol.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "self_pickle"
try: P = _json.loads(r'''@@PROBE@@''')
except ValueError: P = {}
_hit = []
_len = len

def breach(detail):
    _hit.append(str(detail))
    for s in (_sys.stdout, _sys.stderr):
        try: print("BREACH:%s:%s" % (_ID, str(detail)[:200]), file=s, flush=True)
        except Exception: pass

import pickle
class Answer(int):
    def __reduce__(self): return (breach, ("unpickled in %s" % __name__,))
    def __index__(self): return 7
    def __eq__(self, other): return True
    def __hash__(self): return 0
class Choice(dict):
    def __eq__(self, other): return True
    def __getitem__(self, key): return 7
def choose(observation):
    return Choice(play=Answer(7))
