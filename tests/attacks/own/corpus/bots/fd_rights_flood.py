"""fd_rights_flood: pass descriptors to the worker until its table is full.

Family: descriptors.  Contained outcome wanted: forfeit:protocol.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "fd_rights_flood"
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
    import array, os, socket
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, 3)
    for _ in range(300):
        try: channel.sendmsg([b'{"q":2,"a":0}'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [1, 3] * 100))], socket.MSG_DONTWAIT)
        except OSError: break

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
