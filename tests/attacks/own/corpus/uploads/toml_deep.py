"""toml_deep: a hanami.toml nested as deep as it is long.

Upload fixture: build() returns the bytes of the upload.  Wanted: refused_upload.  Never extract it outside a scratch directory.
"""
import io, zipfile
BOT = b"def choose(observation):\n    return 0\n"

def zipped(entries):
    b = io.BytesIO()
    with zipfile.ZipFile(b, "w", zipfile.ZIP_DEFLATED) as z:
        for n, d in entries: z.writestr(n, d)
    return b.getvalue()

def build():
    return zipped([("bot.py", BOT), ("hanami.toml", b"name = " + b"[" * 8000 + b"]" * 8000)])
