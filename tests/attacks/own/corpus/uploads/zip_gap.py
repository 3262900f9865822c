"""zip_gap: bytes between the entries and the directory.

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
    data = zipped([("bot.py", BOT)])
    at = data.index(b"PK\1\2")
    end = bytearray(data[at:])
    struct.pack_into("<I", end, len(end) - 6, at + 64)
    return data[:at] + b"hidden".ljust(64) + bytes(end)
