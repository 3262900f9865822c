"""other_clocks: read the CPU clocks of the worker and of the opponent: how long do they think.

Family: signals.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "other_clocks"
try: P = _json.loads(r'''@@PROBE@@''')
except ValueError: P = {}
_hit = []
_len = len

def breach(detail):
    _hit.append(str(detail))
    for s in (_sys.stdout, _sys.stderr):
        try: print("BREACH:%s:%s" % (_ID, str(detail)[:200]), file=s, flush=True)
        except Exception: pass

def attack(observation):
    import ctypes, os
    libc = ctypes.CDLL(None, use_errno=True)
    def call(number, *args):
        return libc.syscall(ctypes.c_long(number), *(ctypes.c_long(a) if isinstance(a, int) else a for a in args))
    import time
    for pid in (P.get("worker_pid", 1), P.get("peer_pid", 1), os.getppid()):
        for kind in (0, 1, 2, 4, 6):
            try: time.clock_gettime((~pid << 3) | kind); breach("clock of %d" % pid)
            except OSError: pass
            if call(228, (~pid << 3) | kind, ctypes.create_string_buffer(16)) == 0: breach("raw clock of %d" % pid)

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
