"""source_old_lines: brackets nested by the thousand, in lines that end as on the oldest machines.

Upload fixture: build() returns the bytes of the upload.  Wanted: refused_upload.  Never extract it outside a scratch directory.
"""
def build():
    return b"def choose(obs): return 0\r" + b"(\r" * 5_000 + b")\r" * 5_000
