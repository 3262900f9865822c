"""Judges one upload in a process of its own and says what that cost: `upload_judge.py FIXTURE NAME`."""

from __future__ import annotations

import json
import resource
import runpy
import sys
import time

from bots.errors import BotError
from bots.uploads.reading import read_upload


def peak_kib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main(fixture: str, name: str) -> None:
    data = runpy.run_path(fixture)["build"]()
    before, started = peak_kib(), time.process_time()
    try:
        read_upload(name, data)
        code = ""
    except BotError as error:
        code = error.code
    spent = {"kib": peak_kib() - before, "cpu_s": time.process_time() - started}
    print(json.dumps({"code": code, **spent}))


if __name__ == "__main__":
    main(*sys.argv[1:])
