"""mem_read_only: fill memory, make it read-only so that it counts no more, and fill more.

Family: memory.  Contained outcome wanted: plays_normally_but_gets_nothing.
Test fixture for a sandbox; bounded by construction.  See README.md beside the manifest.
"""
import json as _json, sys as _sys
_ID = "mem_read_only"
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

MIB = 1 << 20
MOST = 256 + 16  # MiB: the budget, and a little for what is rounded

class Memory:
    """Fills private memory block by block and counts it."""

    def __init__(self):
        import ctypes
        self.ct, self.libc, self.number = ctypes, ctypes.CDLL(None, use_errno=True), numbers()
        self.libc.syscall.restype = ctypes.c_long
        self.filled = 0

    def call(self, name, *args):
        return self.libc.syscall(self.ct.c_long(self.number[name]), *(self.ct.c_long(each) for each in args))

    def fill(self, flags=0x22, after=None):
        while self.filled < 700:
            place = self.call("mmap", 0, MIB, 3, flags, -1, 0)
            if place <= 0: return
            for page in range(0, MIB, 4096): self.ct.memset(place + page, 1, 1)
            self.filled += 1
            if after: after(place)

    def libraries(self):
        """(start, size) of every library that is loaded, from the linker's own list and the headers in memory."""
        import struct
        read = self.ct.string_at
        entry = self.ct.CDLL(None)._handle
        while entry:
            base, name, _, entry = struct.unpack("=4Q", read(entry, 32))
            words = read(name, 200).split(b"\0")[0]
            if any(word in words for word in (b"openblas", b"gfortran", b"quadmath", b"crypto", b"linalg", b"unicodedata")):
                header = read(base, 64)
                (offset,), (size, count) = struct.unpack("=Q", header[32:40]), struct.unpack("=2H", header[54:58])
                rows = [struct.unpack("=IIQQQQQQ", read(base + offset + size * row, 56)) for row in range(count)]
                ends = [row[3] + row[6] for row in rows if row[0] == 1]
                yield base, (max(ends) + 4095) & ~4095

    def judge(self, how):
        if self.filled > MOST: breach("%d MiB %s" % (self.filled, how))

def attack(observation):
    memory = Memory()
    for start, size in list(memory.libraries()): memory.call("munmap", start, size)
    memory.fill(after=lambda place: memory.call("mprotect", place, MIB, 1))
    memory.judge("read-only")

_done = False

def choose(observation):
    global _done
    if not _done:
        _done = True
        try: attack(observation)
        except Exception as e: print("note %s: %s" % (type(e).__name__, str(e)[:100]))
    return _len(observation["legal"]) - 1 if _hit else 0
