"""mem_mremap: grow and double mappings with mremap, also of length zero.

Family: memory.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "mem_mremap"
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
    import mmap
    libc.mremap.restype = libc.mmap.restype = ctypes.c_void_p
    got, place = 0, libc.mmap(None, 1 << 20, 3, 0x22, -1, 0)
    for step in range(40):
        new = libc.mremap(ctypes.c_void_p(place), ctypes.c_size_t(0), ctypes.c_size_t(32 << 20), 1)
        if new in (None, 2**64 - 1): break
        got += 32
    block, size = mmap.mmap(-1, 1 << 20, flags=0x22), 1 << 20
    try:
        while size < 2 << 30:
            size *= 2; block.resize(size); block[size - 1] = 1
    except (OSError, SystemError, ValueError): pass
    if max(got, size >> 20) > 640: breach("%d and %d MiB" % (got, size >> 20))

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
