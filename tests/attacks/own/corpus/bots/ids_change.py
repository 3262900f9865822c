"""ids_change: change user, groups, capabilities, session.

Family: signals.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "ids_change"
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
    import os
    for number, args in ((105, (0,)), (106, (0,)), (113, (0, 0)), (114, (0, 0)), (117, (0, 0, 0)), (119, (0, 0, 0)), (116, (0, None)),
                         (126, (ctypes.create_string_buffer((0x20080522).to_bytes(4, "little") + bytes(4)), ctypes.create_string_buffer(b"\xff" * 24))),
                         (112, ()), (109, (0, 0)), (95, (0,)), (161 + 1, ())):
        if call(number, *args) >= 0 and number != 162: breach("call %d" % number)

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
