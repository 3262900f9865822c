"""mem_stack_c: overflow the C stack through the interpreter's own recursion.

Family: memory.  Contained outcome wanted: forfeit:crash.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "mem_stack_c"
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
    import json, sys
    sys.setrecursionlimit(10**9)
    nested = []
    for _ in range(300_000): nested = [nested]
    for act in (lambda: json.dumps(nested), lambda: repr(nested), lambda: json.loads("[" * 500_000), lambda: nested == nested):
        try: act()
        except (RecursionError, ValueError): pass

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
