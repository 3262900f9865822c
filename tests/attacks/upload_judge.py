"""Judges one upload in a process of its own and says what that cost: `upload_judge.py KIND FILE NAME`.

KIND `upload`: FILE has a `build()` that makes the bytes, in yet another process, so that it costs nothing here.
KIND `bot`: FILE itself is sent. Judged is what an upload is before any of it runs: its reading and the static checks.
"""

from __future__ import annotations

import json
import os
import resource
import runpy
import sys
import time
from pathlib import Path
from typing import Any

from bots.errors import BotError
from bots.uploads import check_source, read_upload
from tests.attacks.referee import RAW

STATIC = "upload.static"
"""The code here of an upload that is kept as a failed version, because its source cannot run."""


def peak_kib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def built(fixture: str) -> bytes:
    """Return the result of `build()` of the fixture, called in a child."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(runpy.run_path(fixture)["build"]())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read()
    if os.waitpid(pid, 0)[1] != 0:
        raise SystemExit(f"build() of {fixture} failed")
    return data


def judged(name: str, data: bytes) -> dict[str, Any]:
    """code: of the refusal, empty if there is none; then files: (path, bytes as text)."""
    try:
        upload = read_upload(name, data)
    except BotError as error:
        return {"code": error.code}
    if check_source(upload.files):
        return {"code": STATIC}
    return {"code": "", "files": [(path, content.decode(RAW)) for path, content in upload.files]}


def main(kind: str, file: str, name: str) -> None:
    data = built(file) if kind == "upload" else Path(file).read_bytes()
    before, started = peak_kib(), time.process_time()
    found = judged(name, data)
    spent = {"kib": peak_kib() - before, "cpu_s": time.process_time() - started}
    print(json.dumps({**found, **spent, "kind": ".zip" if data.startswith(b"PK") else ".py"}))


if __name__ == "__main__":
    main(*sys.argv[1:])
