"""flags_undo: undo the flags of the lock with prctl and arch_prctl.

Family: signals.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "flags_undo"
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
    name = ctypes.create_string_buffer(b"hanabreach")
    tries = {"dumpable": (4, 1), "ptracer": (0x59616D61, -1), "parent death": (1, 0), "subreaper": (36, 1), "slack": (29, 1),
             "name": (15, name), "keep caps": (8, 1), "bounding": (24, 0), "ambient": (47, 2, 1, 0, 0), "securebits": (28, 0),
             "map": (35, 8, 0, 0, 0), "speculation": (53, 0, 2, 0, 0), "no new privs": (38, 0, 0, 0, 0), "tsc": (26, 1), "io flusher": (57, 1)}
    for what, args in tries.items():
        if call(157, *args) >= 0: breach("prctl: " + what)
    if call(158, 0x1003, ctypes.byref(ctypes.c_ulong())) == 0: breach("arch_prctl")

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
