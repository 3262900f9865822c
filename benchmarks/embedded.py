"""The time that the processes of `make run` add to a page on its way to the reader, with a bar.

    .venv/bin/python -m benchmarks.embedded [--asks 40] [--bar-ms 10]

A `make run` of its own (SQLite, embedded broker, the demo leagues in their short size), read on one connection that is
kept open, as a browser does. page: milliseconds from the question to the last byte, median; server: what the server
says it spent on it; way: the difference, on which the bar is. Exit code 1 if a page's way is above it.
"""

from __future__ import annotations

import argparse
import http.client
import re
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Final

from tests.demo.running import Running

PATHS: Final = ("/", "/t/", "/b/", "/ladder/", "/rules/hawaii/", "/t/hawaii-tables/", "/healthz")
TIMING: Final = re.compile(r"app;dur=([\d.]+)")


def way_ms(connection: http.client.HTTPConnection, path: str, asks: int) -> float:
    """Ask so often; print the page's line. Returns the median of what is not the server's own time."""
    whole, own = [], []
    for number in range(asks + 1):
        began = time.perf_counter()
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        # An error page is quick; its time would be taken for a good one.
        assert answer.status == 200, (path, answer.status)
        timing = TIMING.search(answer.headers.get("Server-Timing", ""))
        if number:  # the first warms what is kept between requests
            whole.append(1000 * (time.perf_counter() - began))
            own.append(float(timing[1]) if timing else 0.0)
    way = median(one - other for one, other in zip(whole, own, strict=True))
    print(f"{path:24} page {median(whole):6.1f}  server {median(own):6.1f}  way {way:5.1f}", flush=True)
    return way


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--asks", type=int, default=40)
    parser.add_argument("--bar-ms", type=float, default=10.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hanami-") as folder:
        settings = {"HANAMI_DEMO": "short", "HANAMI_WORKERS": "1", "HANAMI_SERVER_TIMING": "1"}
        running = Running(Path(folder), settings)
        try:
            running.start()
            connection = http.client.HTTPConnection(running.address.removeprefix("http://"), timeout=20)
            ways = [way_ms(connection, path, options.asks) for path in PATHS]
        finally:
            running.end()
    is_well = max(ways) <= options.bar_ms
    print(f"make run: way at most {max(ways):.1f} ms; bar {options.bar_ms:.0f} ms: {'pass' if is_well else 'FAIL'}")
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
