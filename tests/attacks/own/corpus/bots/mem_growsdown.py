"""mem_growsdown: memory that grows by itself: MAP_GROWSDOWN, MAP_NORESERVE, MAP_STACK.

Family: memory.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "mem_growsdown"
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
    total = 0
    for flags in (0x0100, 0x4000, 0x20000, 0x4100):
        for _ in range(40):
            place = libc.mmap(None, ctypes.c_size_t(32 << 20), 3, 0x22 | flags, -1, 0)
            if place in (None, 2**64 - 1): break
            ctypes.memset(place, 1, 32 << 20); total += 32
    if total > 640: breach("%d MiB" % total)

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
