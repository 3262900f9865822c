"""answer_late_flood: answers rightly and floods the channel until it is full.

Family: protocol.  Contained outcome wanted: forfeit:protocol.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "answer_late_flood"
try: P = _json.loads(r'''@@PROBE@@''')
except ValueError: P = {}
_hit = []
_len = len

def breach(detail):
    _hit.append(str(detail))
    for s in (_sys.stdout, _sys.stderr):
        try: print("BREACH:%s:%s" % (_ID, str(detail)[:200]), file=s, flush=True)
        except Exception: pass

import os
def choose(observation):
    os.write(3, b'{"q":1,"a":0}')
    os.set_blocking
    for _ in range(60): os.write(3, b'{"q":2,"a":7}' + b" " * 499)
    return 0
