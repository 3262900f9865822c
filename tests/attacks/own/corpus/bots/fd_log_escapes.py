"""fd_log_escapes: terminal escapes, markup, NULs and broken UTF-8 in the log.

Family: descriptors.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "fd_log_escapes"
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
    import os
    for piece in (b"\x1b[2J\x1b]0;owned\x07", b"<script>alert(1)</script>", bytes(100), b"\xff\xfe\xed\xa0\x80", "\u202e\u2066".encode(), b"\r\n" * 50, b"@@PROBE"):
        os.write(1, piece)
        os.write(2, piece)
    print("\ud800", "\x00", "\x85")

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
