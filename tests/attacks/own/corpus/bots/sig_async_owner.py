"""sig_async_owner: have the kernel send SIGIO for the channel to the worker (F_SETOWN, F_SETSIG, O_ASYNC, FIOASYNC).

Family: signals.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "sig_async_owner"
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
    worker = P.get("worker_pid", os.getppid())
    for fd in (1, 3):
        for command, value in ((8, worker), (10, 9), (4, 0o20000 | 2), (1024, 1), (1026, 64)):
            if libc.fcntl(fd, command, ctypes.c_long(value)) >= 0: breach("fcntl %d on %d" % (command, fd))
        for request in (0x5452, 0x8901, 0x8902, 0x5421):
            if libc.ioctl(fd, ctypes.c_ulong(request), ctypes.byref(ctypes.c_int(worker))) >= 0: breach("ioctl %x" % request)

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
