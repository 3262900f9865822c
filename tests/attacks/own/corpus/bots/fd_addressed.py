"""fd_addressed: send packets of the channel to somebody else, out of band, with every flag.

Family: descriptors.  Contained outcome wanted: forfeit:protocol.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "fd_addressed"
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
    import os, socket
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, 3)
    for address in (P.get("unix"), "\0" + P.get("abstract", "nobody"), "\0"):
        for flags in (0, socket.MSG_OOB, socket.MSG_DONTROUTE, 0x4000000, 0x20000000, 0x8000):
            try: channel.sendto(b"hello", flags | socket.MSG_DONTWAIT, address)
            except (OSError, TypeError): pass

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
