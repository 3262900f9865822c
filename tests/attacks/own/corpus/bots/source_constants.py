"""source_constants: constants that the compiler would fold to gigabytes.

Family: sources.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "source_constants"
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
    for source in ("(1,) * 10**9", "'a' * 10**10", "1 << 10**9", "b'x' * 2**40", "-1 ** 10**9", "((1,) * 4000) * 4000", "'%0999999999d' % 1", "f'{1:>9999999999}'"):
        try: eval(compile(source, "bomb", "eval"))
        except (MemoryError, OverflowError, ValueError): pass

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
