"""From a clone to the first page: one command, timed.

    .venv/bin/python -m benchmarks.newcomer [--bar-s 60]

What is committed is cloned into an empty folder and `make run` typed there: it makes the virtual environment, downloads
the libraries as this machine gets them, starts everything and seeds the demo. The clock runs until the page that it
names answers, and once more for a second start. Exit code 1 if the first one took longer than the bar.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Final

from tests.services.processes import ROOT, end
from tests.services.waiting import wait_until

ADDRESS: Final = re.compile(r"http://[\w.]+:\d+/?")
DEADLINE_S: Final = 600


def first_page_s(folder: Path, name: str) -> float:
    """Seconds from `make run` there to its first page. Everything that it started is ended again."""
    log, began = folder.parent / f"{name}.log", time.monotonic()
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("HANAMI_", "VIRTUAL_ENV"))}
    with log.open("wb") as out:
        run = subprocess.Popen(
            ["make", "run"], cwd=folder, env=environment, stdout=out, stderr=subprocess.STDOUT, process_group=0
        )
    try:
        wait_until(lambda: _answers(run, log), DEADLINE_S, "the first page", every_s=0.1)
        return time.monotonic() - began
    finally:
        with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(run.pid, signal.SIGINT)  # as Ctrl-C reaches make and what it runs
            run.wait(60)
        end(run)


def _answers(run: subprocess.Popen[bytes], log: Path) -> bool:
    text = log.read_text(encoding="utf-8", errors="replace")
    assert run.poll() is None, f"make run ended with {run.returncode}:\n{text}"
    address = ADDRESS.search(text)
    if address is None:
        return False
    try:
        with urllib.request.urlopen(address[0], timeout=10) as page:
            return bool(page.status == 200 and b"</html>" in page.read())
    except (urllib.error.URLError, OSError):
        return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bar-s", type=float, default=60.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hanami-newcomer-") as name:
        folder = Path(name) / "hanami"
        # A clone, not a copy: what is not committed, and what is ignored, a newcomer does not have.
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True)
        first = first_page_s(folder, "first")
        print(
            f"first start: a page after {first:.1f} s; bar {options.bar_s:.0f} s: {_verdict(first, options.bar_s)}",
            flush=True,
        )
        print(f"second start: a page after {first_page_s(folder, 'second'):.1f} s")
    return 0 if first <= options.bar_s else 1


def _verdict(seconds: float, most: float) -> str:
    return "pass" if seconds <= most else "FAIL"


if __name__ == "__main__":
    sys.exit(main())
