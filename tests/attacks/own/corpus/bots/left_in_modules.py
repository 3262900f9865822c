"""left_in_modules: leave something in modules, C libraries and settings of the process and find it.

Family: persistence.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "left_in_modules"
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
    import ctypes, decimal, gc, locale, os, random, re, signal, sys, types
    import numpy as np
    libc = ctypes.CDLL(None)
    found = [where for where, there in {
        "numpy": hasattr(np, "hana"), "environment": "HANA" in os.environ or libc.getenv(b"HANA"), "recursion": sys.getrecursionlimit() == 4321,
        "precision": decimal.getcontext().prec == 77, "switch": sys.getswitchinterval() == 0.077, "handler": callable(signal.getsignal(signal.SIGUSR1)),
        "threshold": gc.get_threshold()[0] == 777, "numpy error": np.geterr()["divide"] == "raise",
        "cache": getattr(re, "_hana", 0), "interned": hasattr(types, "hana"), "module": "hana" in sys.modules, "audit": getattr(sys, "hana", 0)}.items() if there]
    if found: breach("found " + ", ".join(found))
    for act in (lambda: setattr(np, "hana", 1), lambda: os.putenv("HANA", "1"), lambda: os.environ.update(HANA="1"), lambda: sys.setrecursionlimit(4321), lambda: decimal.setcontext(decimal.Context(prec=77)),
                lambda: sys.setswitchinterval(0.077), lambda: signal.signal(signal.SIGUSR1, lambda *_: 0), lambda: os.umask(0o077), lambda: gc.set_threshold(777), lambda: np.seterr(divide="raise"),
                lambda: setattr(re, "_hana", 1), lambda: setattr(types, "hana", 1), lambda: sys.modules.update(hana=sys), lambda: setattr(sys, "hana", 1)):
        try: act()
        except OSError: pass

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
