"""host_names: the machine's name, users, load, memory and uptime.

Family: information.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "host_names"
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
    import platform, socket, time
    buffer = ctypes.create_string_buffer(512)
    if call(63, buffer) == 0 and len(P.get("hostname", "")) > 3 and P["hostname"].encode() in buffer.raw: breach("uname")
    for act in (socket.gethostname, platform.node, lambda: os.uname().nodename, os.getlogin, os.getloadavg, os.getcwd, lambda: os.listdir("."), lambda: os.environ["HOME"], lambda: os.cpu_count()):
        try: said = act()
        except (OSError, KeyError): continue
        if said and str(said) == P.get("hostname"): breach(said)
    if call(99, buffer) == 0: breach("sysinfo")
    if call(103, 3, buffer, 512) > 0: breach("the kernel's log")
    if call(309 + 0, buffer, None, None) < 0: print("no cpu number")

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
