"""mem_after_answer: answer by hand and run out of memory before the next question.

Family: memory.  Contained outcome wanted: forfeit:memory.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "mem_after_answer"
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
kept = []

def choose(observation):
    try:
        while True: kept.append(bytearray(b"x") * (1 << 20))
    except MemoryError: pass
    os.write(3, b'{"q":1,"a":0}')
    bytearray(64 << 20)
