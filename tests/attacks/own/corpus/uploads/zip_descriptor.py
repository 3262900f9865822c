"""zip_descriptor: a data descriptor that says something else than the directory.

Upload fixture: build() returns the bytes of the upload.  Wanted: refused_upload.  Never extract it outside a scratch directory.
"""
import io, struct, zipfile, zlib
BOT = b"def choose(observation):\n    return 0\n"

def zipped(entries, method=zipfile.ZIP_DEFLATED):
    b = io.BytesIO()
    with zipfile.ZipFile(b, "w", method) as z:
        for n, d in entries: z.writestr(n, d)
    return b.getvalue()

def build():
    class Pipe(io.RawIOBase):
        def __init__(self): self.parts = []
        def writable(self): return True
        def write(self, data): self.parts.append(bytes(data)); return len(data)
    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as z: z.writestr("bot.py", BOT)
    data = bytearray(b"".join(pipe.parts))
    at = data.index(b"PK\x07\x08")
    data[at + 4] ^= 255
    return bytes(data)
