"""time_phase: end its move at a chosen moment of the clock without computing: a word for whoever reads the clock next.

Family: clocks.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "time_phase"
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
    import select, threading, time
    lock = threading.Lock(); lock.acquire()
    moment = time.time() + 0.25
    cpu = time.process_time()
    while time.time() < moment:
        try: time.sleep(0.01)
        except OSError: pass
        try: select.select([], [], [], 0.01)
        except OSError: pass
        lock.acquire(timeout=0.01)
    late = time.time() - moment
    if late < 0.05 and time.process_time() - cpu < 0.02: breach("waited to a moment of its choice")

_done = False

def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
