"""source_many_tokens: a source of a quarter of a million tokens in lines of ordinary length.

Upload fixture: build() returns the bytes of the upload.  Wanted: refused_upload.  Never extract it outside a scratch directory.
"""
def build():
    return b"def choose(obs): return 0\n" + (b"a;" * 2_000 + b"\n") * 120
