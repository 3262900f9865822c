"""host_environment: secrets in the start of its stack: environment, arguments, auxiliary vector.

Family: information.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "host_environment"
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
    import re
    environ = ctypes.c_void_p.in_dll(libc, "environ").value
    name = ctypes.c_char_p.in_dll(libc, "program_invocation_name")
    start = ctypes.cast(name, ctypes.c_void_p).value
    for at in (environ, start):
        for page in range(-64, 64):
            os.lseek(1, 0, 0)
            if libc.write(1, ctypes.c_void_p((at & ~4095) + page * 4096), ctypes.c_size_t(4096)) != 4096: continue
            os.lseek(1, 0, 0)
            if re.search(rb"CANARY-(HIDDEN|PEER|ENV|DB)-[0-9a-f]{6}", os.read(1, 4096)): breach("a canary on the stack")
    os.lseek(1, 0, 0)

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
