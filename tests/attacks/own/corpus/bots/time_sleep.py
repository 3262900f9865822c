"""time_sleep: sleep without using CPU, by every call that takes a time limit.

Family: clocks.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "time_sleep"
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
    import ctypes, select, threading, time
    libc, number = ctypes.CDLL(None, use_errno=True), numbers()
    def limit(): return (ctypes.c_long * 2)(0, 150_000_000)
    def by(name, *args): return lambda: libc.syscall(ctypes.c_long(number[name]), *args)
    word = ctypes.create_string_buffer(64)
    taken = threading.Lock(); taken.acquire()
    ways = {
        "sleep": lambda: time.sleep(0.15), "usleep": lambda: libc.usleep(150_000),
        "nanosleep": by("nanosleep", limit(), None), "clock_nanosleep": by("clock_nanosleep", ctypes.c_long(1), ctypes.c_long(0), limit(), None),
        "realtime": by("clock_nanosleep", ctypes.c_long(0), ctypes.c_long(0), limit(), None),
        "poll": lambda: select.poll().poll(150), "select": lambda: select.select([], [], [], 0.15),
        "libc poll": lambda: libc.poll(None, 0, 150), "ppoll": by("ppoll", None, ctypes.c_long(0), limit(), None, ctypes.c_long(8)),
        "pselect6": by("pselect6", ctypes.c_long(0), None, None, None, limit(), None),
        "event": lambda: threading.Event().wait(0.15), "lock": lambda: taken.acquire(timeout=0.15),
        "epoll": lambda: select.epoll().poll(0.15), "receive": lambda: libc.recv(1, word, 1, 0),
        "sigtimedwait": lambda: libc.sigtimedwait(word, None, limit()), "alarm": lambda: (libc.alarm(1), libc.pause()),
    }
    for operation in (0, 9, 128, 137, 265, 393):
        ways["futex %d" % operation] = by("futex", word, ctypes.c_long(operation), ctypes.c_long(0), limit(), None, ctypes.c_long(-1))
    for name, way in ways.items():
        waited = []
        for _ in range(3):
            wall, cpu = time.monotonic(), time.process_time()
            try: way()
            except (OSError, TypeError): pass
            waited.append(time.monotonic() - wall - (time.process_time() - cpu))
            if waited[-1] < 0.1: break
        if min(waited) >= 0.1: breach("%s waits" % name)

_done = False

def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
