"""proto_infra_words: reports a fault that would be the service's own.

Family: protocol.  Contained outcome wanted: forfeit:protocol.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "proto_infra_words"
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
for word in (b'{"e":"sandbox.killed"}', b'{"e":"timeout.wall"}', b'{"e":"sandbox.zygote","message":"again, please"}'):
    os.write(3, word)
def choose(observation): return 0
