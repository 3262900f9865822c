"""fd_log_resize: grow, cut, seal and re-own the log.

Family: descriptors.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "fd_log_resize"
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
    for fd in (1, 2):
        if libc.ftruncate(fd, ctypes.c_long(1 << 30)) == 0: breach("grown")
        if libc.ftruncate(fd, ctypes.c_long(0)) == 0: breach("cut")
        if libc.fallocate(fd, 0, ctypes.c_long(0), ctypes.c_long(1 << 30)) == 0: breach("allocated")
        if libc.fcntl(fd, 1033, 8) == 0: breach("sealed")
        if libc.fchmod(fd, 0o777) == 0 or libc.fchown(fd, 0, 0) == 0: breach("owned")
    try:
        while True: os.write(1, b"z" * 60_000)
    except OSError: pass

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
