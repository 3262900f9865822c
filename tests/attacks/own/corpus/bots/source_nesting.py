"""source_nesting: sources that are small and take the compiler for ever or down.

Family: sources.  Contained outcome wanted: forfeit:crash.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "source_nesting"
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
    for source in ("(" * 200_000, "-" * 300_000 + "1", "[" * 90 + "]" * 90, "x" + ".a" * 100_000, "1" + "+1" * 100_000, "lambda:" * 50_000 + "1", "f(" * 100_000, "not " * 100_000 + "1", "if 1:\n " * 1 + "x" * 100_000, "{" * 50_000):
        try: compile(source, "bomb", "exec")
        except (SyntaxError, MemoryError, RecursionError, ValueError, OverflowError): pass

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
