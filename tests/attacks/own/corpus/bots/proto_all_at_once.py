"""proto_all_at_once: answers to every question of the match before the first is asked.

Family: protocol.  Contained outcome wanted: forfeit:protocol.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "proto_all_at_once"
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
for q in range(1, 100):
    try: os.write(3, b'{"q":%d,"a":7}' % q)
    except OSError: break
def choose(observation): return 0
