"""sig_queue: queue signals with tkill, tgkill, rt_sigqueueinfo and pidfds.

Family: signals.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "sig_queue"
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
    info = ctypes.create_string_buffer(128)
    info[0] = 18
    for pid in (P.get("worker_pid", 0), P.get("peer_pid", 0), os.getppid()):
        for number, args in ((200, (pid, 0)), (234, (pid, pid, 0)), (129, (pid, 18, info)), (297, (pid, pid, 18, info)), (62, (pid, 0))):
            if call(number, *args) == 0: breach("call %d reached %d" % (number, pid))
        descriptor = call(434, pid, 0)
        if descriptor >= 0:
            breach("has a pidfd of %d" % pid)
            if call(424, descriptor, 0, None, 0) == 0: breach("signalled by pidfd")

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
