"""self_hidden_cards: search every object of the process for the match, its seed and the others' cards.

Family: sdk.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "self_hidden_cards"
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
    import gc, sys
    for one in gc.get_objects():
        name = type(one).__name__
        if name in ("Match", "MatchSpec", "SandboxedPlayer", "Zygote", "Settings", "Connection"): breach(name)
    for frame in sys._current_frames().values():
        while frame:
            for key in frame.f_locals:
                if key in ("seed", "secret", "spec", "worker", "root"): breach("a frame has " + key)
            frame = frame.f_back

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
