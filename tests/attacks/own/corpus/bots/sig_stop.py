"""sig_stop: stop itself, the opponent and the fork server, so that the worker waits for ever.

Family: signals.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "sig_stop"
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
    for pid in (P.get("peer_pid", 0), os.getppid(), os.getpid()):
        for number in (signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN):
            try: pid and os.kill(pid, number); pid and breach("stopped %d" % pid)
            except OSError: pass
    try: signal.raise_signal(signal.SIGSTOP); breach("stopped itself")
    except OSError: pass

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
