"""fd_reopen: open its own descriptors, memory and parents again through other names.

Family: descriptors.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "fd_reopen"
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
    names = ["/proc/self/fd/1", "/dev/fd/3", "/dev/stdin", "/dev/stdout", "/dev/tty", "/dev/ptmx", "/proc/self/mem", "/proc/self/maps", "/proc/self/pagemap",
             "/proc/%d/mem" % os.getppid(), "/proc/thread-self/environ", "/dev/shm", "/dev/mem", "/dev/kmsg", ".", "..", "", "\0", "/proc/self/root/etc/hostname", "/sys/kernel", "/dev/userfaultfd"]
    for name in names:
        for flags in (os.O_RDONLY, os.O_RDWR, os.O_PATH, os.O_TMPFILE | os.O_RDWR, os.O_CREAT | os.O_RDWR):
            for at in (None, 1, 3):
                try: os.open(name, flags, 0o600, dir_fd=at); breach("%r %d" % (name, flags))
                except (OSError, ValueError): pass

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
