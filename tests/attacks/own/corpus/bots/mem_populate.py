"""mem_populate: make the kernel fill memory beyond the cap in one call.

Family: memory.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "mem_populate"
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
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    populate = 0x8000 | 0x20 | 2
    for size in (300 << 20, 1 << 29, 1 << 30):
        at = libc.mmap(None, ctypes.c_size_t(size), 3, populate, -1, ctypes.c_long(0))
        if at not in (None, ctypes.c_void_p(-1).value): breach("%d bytes at once" % size)

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
