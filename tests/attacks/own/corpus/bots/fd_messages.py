"""fd_messages: messages that could carry descriptors, with and without any.

Family: descriptors.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "fd_messages"
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
    import array, ctypes, socket
    libc, number = ctypes.CDLL(None, use_errno=True), numbers()
    channel = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, 0, 3)
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [1, 3]))]
    for extra in ([], rights):
        try:
            channel.sendmsg([b'{"q":1,"a":0}'], extra, socket.MSG_DONTWAIT)
            breach("sendmsg")
        except OSError: pass
        try:
            channel.recvmsg(512, 512, socket.MSG_DONTWAIT)
            breach("recvmsg")
        except BlockingIOError: breach("recvmsg")
        except OSError: pass
    for call in ("sendmmsg", "recvmmsg"):
        ctypes.set_errno(0)
        libc.syscall(ctypes.c_long(number[call]), ctypes.c_long(3), ctypes.create_string_buffer(64), ctypes.c_long(0), ctypes.c_long(64), None)
        if ctypes.get_errno() not in (1, 38): breach(call)
    channel.detach()

_done = False

def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
