"""toml_dotted: a hanami.toml of keys that are looked up again and again.

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
    lines = b"".join(b".".join([b"a"] * n) + b".x%d = 1\n" % n for n in range(1, 120))
    return zipped([("bot.py", BOT), ("hanami.toml", lines[:16_000].rsplit(b"\n", 1)[0])])
