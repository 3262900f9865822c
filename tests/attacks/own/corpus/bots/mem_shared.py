"""mem_shared: share memory: map the log and the channel, anonymous memory, for children and for others.

Family: memory.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "mem_shared"
try: P = _json.loads(r'''@@PROBE@@''')
except ValueError: P = {}
_hit = []
_len = len

def breach(detail):
    _hit.append(str(detail))
    for s in (_sys.stdout, _sys.stderr):
        try: print("BREACH:%s:%s" % (_ID, str(detail)[:200]), file=s, flush=True)
        except Exception: pass

def numbers():
    import platform
    columns = {"x86_64": 0, "aarch64": 1}
    table = dict(nanosleep=(35, 101), clock_nanosleep=(230, 115), poll=(7, None), ppoll=(271, 73), select=(23, None),
                 pselect6=(270, 72), futex=(202, 98), mremap=(25, 216), munmap=(11, 215), mprotect=(10, 226),
                 sendmsg=(46, 211), recvmsg=(47, 212), sendmmsg=(307, 269), recvmmsg=(299, 243), mmap=(9, 222))
    return {name: row[columns[platform.machine()]] for name, row in table.items()}

def attack(observation):
    import ctypes
    libc, call = ctypes.CDLL(None, use_errno=True), numbers()["mmap"]
    libc.syscall.restype = ctypes.c_long
    for descriptor in (1, 2, 3, -1):
        for flags in (0x1, 0x3, 0x21, 0x23, 0x8001, 0x80003, 0x100001, 0x40021):
            for protection in (0, 1, 3):
                got = libc.syscall(ctypes.c_long(call), None, ctypes.c_long(4096), ctypes.c_long(protection), ctypes.c_long(flags), ctypes.c_long(descriptor), ctypes.c_long(0))
                if got > 0: breach("descriptor %d, flags %x" % (descriptor, flags))

_done = False

def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
