"""mem_advice: advice that hurts others: poison pages, push shared pages out, merge with others' pages.

Family: memory.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "mem_advice"
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
    libc.mmap.restype = ctypes.c_void_p
    place = libc.mmap(None, ctypes.c_size_t(1 << 20), 3, 0x22, -1, 0)
    ctypes.memset(place, 7, 1 << 20)
    text = ctypes.cast(libc.getpid, ctypes.c_void_p).value & ~4095
    for advice in (100, 101, 12, 20, 21, 25, 102, 103):
        for at in (place, text):
            if libc.madvise(ctypes.c_void_p(at), ctypes.c_size_t(4096), advice) == 0: breach("advice %d" % advice)

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
