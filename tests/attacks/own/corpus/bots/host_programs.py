"""host_programs: start programs by every door of the standard library.

Family: processes.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "host_programs"
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
    import os, subprocess, multiprocessing.shared_memory, threading, _thread, concurrent.futures
    for act in (lambda: subprocess.run(["/bin/true"]), lambda: os.system("true"), lambda: os.popen("true").read(), lambda: os.posix_spawn("/bin/true", ["true"], {}), lambda: os.forkpty(),
                lambda: _thread.start_new_thread(print, ("BREACH:host_programs:thread",)), lambda: concurrent.futures.ThreadPoolExecutor(1).submit(int), lambda: os.fork()):
        try: said = act()
        except Exception: continue
        if said not in (None, "", 32512, -1): breach(repr(said))

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
