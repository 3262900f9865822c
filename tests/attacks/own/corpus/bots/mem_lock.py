"""mem_lock: memory that cannot be swapped or that is huge: mlock, mlockall, MAP_LOCKED, MAP_HUGETLB.

Family: memory.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "mem_lock"
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
    page = ctypes.create_string_buffer(8192)
    for number, args in ((149, (page, 4096)), (151, (1,)), (325, (page, 4096, 1))):
        if call(number, *args) == 0: breach("call %d" % number)
    for flags in (0x2022, 0x40022):
        place = libc.mmap(None, ctypes.c_size_t(4 << 20), 3, flags, -1, 0)
        if place not in (None, 2**64 - 1): breach("flags %x" % flags)

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
