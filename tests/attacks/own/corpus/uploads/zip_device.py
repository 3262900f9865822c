"""zip_device: a device, a fifo, a set-uid program.

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
    info = zipfile.ZipInfo("data.txt"); info.external_attr = 0o020666 << 16
    other = zipfile.ZipInfo("more.txt"); other.external_attr = 0o104755 << 16
    return zipped([("bot.py", BOT), (info, b""), (other, b"")])
