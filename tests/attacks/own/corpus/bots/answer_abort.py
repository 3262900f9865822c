"""answer_abort: aborts itself through libc, with SIGABRT, SIGSEGV and a broken stack.

Family: protocol.  Contained outcome wanted: forfeit:crash.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "answer_abort"
try: P = _json.loads(r'''@@PROBE@@''')
except ValueError: P = {}
_hit = []
_len = len

def breach(detail):
    _hit.append(str(detail))
    for s in (_sys.stdout, _sys.stderr):
        try: print("BREACH:%s:%s" % (_ID, str(detail)[:200]), file=s, flush=True)
        except Exception: pass

import ctypes
def choose(observation):
    ctypes.CDLL(None).abort()
    ctypes.memset(0, 0, 1)
