"""sig_group: signal the parent, the group, everybody (a harmless signal).

Family: signals.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "sig_group"
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
    import os, signal
    targets = [os.getppid(), 0, -1, -os.getpgrp(), P.get("worker_pid", 0), P.get("peer_pid", 0)]
    for pid in targets:
        try: os.kill(pid, signal.SIGCONT); breach("signalled %d" % pid)
        except OSError: pass
    try: os.killpg(os.getpgrp(), signal.SIGCONT); breach("signalled its group")
    except OSError: pass

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
