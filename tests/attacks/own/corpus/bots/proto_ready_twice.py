"""proto_ready_twice: is ready before its code is loaded and takes the questions itself.

Family: protocol.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "proto_ready_twice"
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
os.write(3, b'{"ready":1}')
while True:
    packet = os.read(3, 70_000)
    if not packet: break
    os.write(3, b'{"q":%d,"a":0}' % _json.loads(packet)["q"])
