"""kern_peers: calls upon another process: robust lists, memory, pages, comparisons, release.

Family: kernel.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "kern_peers"
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
    buffer = ctypes.create_string_buffer(256)
    for pid in (P.get("worker_pid", 1), P.get("peer_pid", 1), os.getppid()):
        for number, args in ((274, (pid, buffer, buffer)), (312, (pid, pid, 0, 0, 0)), (256, (pid, 8, buffer, buffer)), (279, (pid, 0, None, None, None, 0)), (440, (pid, buffer, 1, 4, 0)), (448, (pid, 0)),
                             (302, (pid, 7, None, buffer)), (97, (7, buffer)), (124, (pid,)), (121, (pid,)), (145, (pid,)), (204, (pid, 128, buffer)), (315, (pid, buffer, 64, 0)), (252, (1, pid))):
            if number == 97: continue
            if call(number, *args) >= 0: breach("call %d on %d" % (number, pid))

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
