"""left_on_the_heap: look through the whole heap for what the fork server noted of earlier bots.

Family: persistence.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "left_on_the_heap"
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
    import re, sys
    libc.sbrk.restype = ctypes.c_void_p
    end, step = libc.sbrk(ctypes.c_long(0)), 1 << 15
    stack = ctypes.c_void_p.in_dll(libc, "environ").value
    spots = {(id(one) >> 15) + near for module in list(sys.modules.values()) for one in vars(module).values() for near in (-1, 0, 1)}
    spots |= {(end >> 15) - back for back in range(300)} | {(stack >> 15) - back for back in range(16)}
    for spot in sorted(spots):
        os.lseek(1, 0, 0)
        if libc.write(1, ctypes.c_void_p(spot << 15), ctypes.c_size_t(step)) < 64: continue
        os.lseek(1, 0, 0)
        found = re.search(rb'"cpu_ms": ?[0-9.]+[^%]{0,40}"max_rss_kib": ?[0-9]+', os.read(1, step))
        if found: breach(found.group()); break
    os.lseek(1, 0, 0)

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
