"""zip_lying_size: a stream that goes on after its declared length.

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
    raw = BOT + b"#" * (8 << 20)
    z = zlib.compressobj(9, 8, -15); packed = z.compress(raw) + z.flush()
    name, crc = b"bot.py", zlib.crc32(BOT)
    head = struct.pack("<4sHHHHHIIIHH", b"PK\3\4", 20, 0, 8, 0, 33, crc, len(packed), len(BOT), len(name), 0) + name + packed
    directory = struct.pack("<4sHHHHHHIIIHHHHHII", b"PK\1\2", 20, 20, 0, 8, 0, 33, crc, len(packed), len(BOT), len(name), 0, 0, 0, 0, 0, 0) + name
    return head + directory + struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 1, 1, len(directory), len(head), 0)
