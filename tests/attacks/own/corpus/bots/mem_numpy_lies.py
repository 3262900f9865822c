"""mem_numpy_lies: numpy views of memory that is not its own (as_strided, frombuffer).

Family: memory.  Contained outcome wanted: forfeit:crash.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "mem_numpy_lies"
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
    import numpy as np, re
    from numpy.lib.stride_tricks import as_strided
    cell = np.zeros(1, dtype=np.uint8)
    base = as_strided(cell, shape=(1 << 16,), strides=(1,))
    if re.search(rb"CANARY-(HIDDEN|PEER|ENV|DB)-[0-9a-f]{6}", base.tobytes()): breach("found a canary")
    as_strided(cell, shape=(1 << 40,), strides=(1 << 20,)).sum()

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
