"""kern_peer_limits: lower the limits of the worker and of the opponent with prlimit.

Family: kernel.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "kern_peer_limits"
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
    import resource
    for pid in (P.get("worker_pid", 0), P.get("peer_pid", 0), os.getppid()):
        for what in (resource.RLIMIT_NOFILE, resource.RLIMIT_AS, resource.RLIMIT_CPU):
            try: resource.prlimit(pid, what); breach("read %d" % pid)
            except OSError: pass
            try: resource.prlimit(pid, what, (1, 1)); breach("set %d" % pid)
            except OSError: pass

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
