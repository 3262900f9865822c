"""fd_makers: every call that makes a descriptor.

Family: descriptors.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "fd_makers"
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
    import ctypes, os
    libc = ctypes.CDLL(None, use_errno=True)
    def call(number, *args):
        return libc.syscall(ctypes.c_long(number), *(ctypes.c_long(a) if isinstance(a, int) else a for a in args))
    makers = {"pipe": (22, ctypes.create_string_buffer(8)), "pipe2": (293, ctypes.create_string_buffer(8), 0), "eventfd": (284, 0), "eventfd2": (290, 0, 0), "epoll": (213, 1),
              "epoll1": (291, 0), "inotify": (253,), "inotify1": (294, 0), "fanotify": (300, 0, 0), "signalfd": (282, -1, ctypes.create_string_buffer(8), 8),
              "timerfd": (283, 0, 0), "memfd": (319, b"hana_breach", 0), "socketpair": (53, 1, 1, 0, ctypes.create_string_buffer(8)), "pidfd": (434, os.getpid(), 0),
              "dup2 high": (33, 1, 900), "fcntl dup": (72, 1, 0, 100), "accept": (43, 3, None, None), "open_tree": None}
    for family in (1, 2, 10, 16, 17, 31, 38, 40, 44): makers["socket %d" % family] = (41, family, 2, 0)
    for what, args in makers.items():
        if args and call(*args) >= 0: breach(what)

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
