"""zip_many: five hundred empty files.

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
    return zipped([("bot.py", BOT)] + [("f%03d.txt" % i, b"") for i in range(500)])
