"""cpu_kernel_storm: burn the kernel's time and not its own: maps, faults, failing calls.

Family: clocks.  Contained outcome wanted: forfeit:timeout.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "cpu_kernel_storm"
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
    while True:
        place = libc.mmap(None, ctypes.c_size_t(16 << 20), 3, 0x8022, -1, 0)
        libc.munmap(ctypes.c_void_p(place), ctypes.c_size_t(16 << 20))
        for number in (39, 257, 41, 62, 24): call(number, 0, 0, 0)

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
