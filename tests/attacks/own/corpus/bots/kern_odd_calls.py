"""kern_odd_calls: rare and new calls: I/O ports, tables of segments, accounting, quotas, pages, shadow stacks.

Family: kernel.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "kern_odd_calls"
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
    buffer = ctypes.create_string_buffer(256)
    for number in (172, 154, 163, 179, 170 + 1, 153, 27, 221, 237, 238, 239, 324, 334 + 1, 451, 453, 457, 458, 459, 462, 463, 464, 465, 466, 467, 468, 469, 175 + 2, 212, 168 + 4, 180, 181, 183, 184, 185, 236, 1000, 5000, -1):
        if call(number, 3, buffer, 256, 0, 0, 0) >= 0: breach("call %d" % number)

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
