"""fd_log_seek: leave the log's offset far outside, before its start, and write over old lines.

Family: descriptors.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "fd_log_seek"
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
    print("first line")
    for at in (2**62, 2**63 - 1, -5, 70_000, 65_535):
        try: os.lseek(1, at, 0)
        except (OSError, OverflowError): pass
        try: os.write(1, b"there")
        except OSError: pass
    os.lseek(1, 0, 0)
    libc.mmap.restype = ctypes.c_void_p
    place = libc.mmap(None, ctypes.c_size_t(65536), 3, 1, 1, 0)
    if place not in (None, 2**64 - 1): ctypes.memset(place, 0x41, 65536)
    os.lseek(1, 2**62, 0)

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
