"""zip_unicode_path: a second name in the unicode path extra field.

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
    info = zipfile.ZipInfo("bot.py")
    name = "../evil.py".encode()
    info.extra = struct.pack("<HHBI", 0x7075, 5 + len(name), 1, zlib.crc32(b"bot.py")) + name
    return zipped([(info, BOT)])
