"""cpu_between: answer by hand and burn CPU while the others think.

Family: clocks.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "cpu_between"
try: P = _json.loads(r'''@@PROBE@@''')
except ValueError: P = {}
_hit = []
_len = len

def breach(detail):
    _hit.append(str(detail))
    for s in (_sys.stdout, _sys.stderr):
        try: print("BREACH:%s:%s" % (_ID, str(detail)[:200]), file=s, flush=True)
        except Exception: pass

import os, time
def choose(observation):
    q = 1
    while True:
        os.write(3, b'{"q":%d,"a":0}' % q)
        end = time.monotonic() + 0.05
        while time.monotonic() < end: pass
        q = _json.loads(os.read(3, 70_000))["q"]
