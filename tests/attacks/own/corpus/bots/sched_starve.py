"""sched_starve: take the machine: priority, real-time classes, affinity, I/O priority, of itself and of others.

Family: signals.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "sched_starve"
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
    parameter = ctypes.create_string_buffer((50).to_bytes(4, "little"), 64)
    mask = ctypes.create_string_buffer(b"\1", 128)
    for pid in (0, P.get("worker_pid", 0), P.get("peer_pid", 0), os.getppid()):
        for number, args in ((141, (0, pid, -20 if pid == 0 else 19)), (144, (pid, 1, parameter)), (142, (pid, parameter)),
                             (203, (pid, 128, mask)), (314, (pid, parameter, 0)), (251, (1, pid, 1 << 13))):
            if call(number, *args) == 0: breach("call %d on %d" % (number, pid))

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
