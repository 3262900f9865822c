"""left_in_kernel: leave names in the kernel: abstract sockets, memory files, semaphores, fifos, locks.

Family: persistence.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "left_in_kernel"
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
    import multiprocessing.shared_memory as shared, socket, tempfile
    for name in ("\0hana_left", "/tmp/hana_breach_socket", "/dev/shm/hana_breach"):
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as one: one.bind(name); breach("bound " + repr(name))
        except OSError: pass
    for act in (lambda: shared.SharedMemory("hana_breach", create=True, size=4096), lambda: tempfile.TemporaryFile(), lambda: tempfile.mkdtemp(prefix="hana_breach"),
                lambda: os.mkfifo("/tmp/hana_breach_fifo"), lambda: os.symlink("/etc", "/tmp/hana_breach_link"), lambda: os.mknod("/tmp/hana_breach_node")):
        try: act(); breach("made something")
        except (OSError, FileNotFoundError): pass
    if libc.flock(1, 2) == 0: breach("locked the log")
    for number in (133, 259, 88, 266, 83, 258, 82, 264, 316, 90, 91, 92, 280, 188):
        if call(number, b"/tmp/hana_breach_call", b"/tmp/hana_breach_to", 0o666, 0) == 0: breach("call %d" % number)

_done = False
def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
