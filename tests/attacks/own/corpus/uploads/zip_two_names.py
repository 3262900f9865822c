"""zip_two_names: another name in the local header than in the directory.

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
    data = bytearray(zipped([("bot.py", BOT)]))
    data[data.index(b"bot.py"):][:6]
    at = data.index(b"bot.py")
    data[at:at + 6] = b"bat.py"
    return bytes(data)
