"""mem_executable: make memory executable: mmap, mprotect, pkeys, remap, shared memory, callbacks.

Family: memory.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "mem_executable"
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
    libc.mmap.restype = libc.mremap.restype = ctypes.c_void_p
    bad = (None, 2**64 - 1)
    place = libc.mmap(None, ctypes.c_size_t(8192), 3, 0x22, -1, 0)
    for protection in (4, 5, 6, 7):
        if libc.mmap(None, ctypes.c_size_t(4096), protection, 0x22, -1, 0) not in bad: breach("mmap %d" % protection)
        if libc.mmap(None, ctypes.c_size_t(4096), protection, 1, 1, 0) not in bad: breach("the log as code")
        if libc.mprotect(ctypes.c_void_p(place), ctypes.c_size_t(4096), protection) == 0: breach("mprotect %d" % protection)
        if call(329, place, 4096, protection, -1) == 0: breach("pkey_mprotect")
    if call(216, place, 4096, 0, 0, 0) == 0: breach("remap_file_pages")

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
