"""An attack on the web process: its memory must stay bounded, and its pages must go on answering.

    .venv/bin/python -m benchmarks.hostile [--seconds 120] [--uploads 50] [--bodies 200] [--exports 20] [--matches 2900]

A PostgreSQL, a Redis and a web server (uvicorn, one process) of its own, everything on this machine. A club night whose
slips are in the wrong hands, and a finished league of as many matches as a page makes files of. All at once, until the
time is over: people at tables send pictures that are small as files and huge in memory, and an account sends event
files that unpack to thirty megabytes; strangers begin bodies of nine megabytes and send a letter a second; others ask
for every file of the league, again and again, and read slowly. They come from many addresses of 127.0.0.0/8, each of
which counts as a network of its own. One reader opens ordinary pages.

Shown are the most memory that the web process had (VmRSS, MiB), the same with the processes that it started, how the
hostile requests were answered, and milliseconds of the reader's pages, median and 95th percentile. The bars: 400 MiB
for the web process, 500 ms for 95 of 100 pages. Exit code 1 if one is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import uuid4

import zstandard
from PIL import Image

from benchmarks.ladder import an_address, figures_of
from benchmarks.service import a_service
from benchmarks.site import a_league, session_of

MEMORY_BAR_MIB: Final = 400
PAGE_BAR_MS: Final = 500
CSRF: Final = "a" * 32
BOUNDARY: Final = "hostile"
ANNOUNCED: Final = 8_900_000
PAUSE_S: Final = 0.5
FILES: Final = ("event.json", "matches.csv", "deals.csv", "standings.csv", "pairings.csv", "entries.csv")


@dataclass(slots=True)
class Course:
    """The course of the attack. answers: by kind of request and status; pages: milliseconds; memory: bytes."""

    until: float
    site: str
    answers: Counter[tuple[str, int]] = field(default_factory=Counter)
    pages: list[float] = field(default_factory=list)
    unanswered: int = 0
    web: int = 0
    family: int = 0

    @property
    def goes_on(self) -> bool:
        """Return whether there is time left."""
        return time.monotonic() < self.until


@dataclass(frozen=True, slots=True)
class Prey:
    """The addresses and sessions that the attackers were given. tables: (address of a table's photo, session of a
    side of it); account: a session.
    """

    tables: list[tuple[str, str]]
    account: str
    event: str


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--uploads", type=int, default=50)
    parser.add_argument("--bodies", type=int, default=200)
    parser.add_argument("--exports", type=int, default=20)
    parser.add_argument("--matches", type=int, default=2900, help="of the league that is exported")
    return parser.parse_args()


def bombs() -> list[bytes]:
    """Pictures of a few kilobytes that decode to a hundred megabytes, one too large, one that is none."""
    kinds: list[tuple[str, str, tuple[int, int], dict[str, Any]]] = [
        ("WEBP", "RGB", (5000, 5000), {"lossless": True}),
        ("WEBP", "RGBA", (4032, 3024), {"lossless": True}),
        # 25 million pixels of four bytes in a few kilobytes: a decoder that trusts the file takes a hundred megabytes.
        ("PNG", "RGBA", (5000, 5000), {}),
        # Progressive: all coefficients are held until the last scan, on top of the pixels.
        ("JPEG", "CMYK", (5000, 5000), {"progressive": True, "subsampling": 0}),
        ("JPEG", "RGB", (5000, 5000), {"progressive": True, "subsampling": 0}),
    ]
    found = [b"plum" * 1_000_000]
    for kind, mode, size, how in kinds:
        written = io.BytesIO()
        Image.new(mode, size).save(written, kind, **how)
        found.append(written.getvalue())
    return found


def packed_events() -> list[bytes]:
    """Files that unpack to 32 MB: of backslashes, and of empty lists."""
    head, size = b'{"format":"hanafuda-tournament/1","x":', 30 * 1024 * 1024
    # Backslashes double once more wherever the text is written as JSON; an empty list of three bytes becomes an object
    # of 56.
    bodies = (b'"' + b"\\" * size + b'"}', b"[" + b"[]," * (size // 3) + b"1]}")
    return [zstandard.ZstdCompressor(level=19).compress(head + body) for body in bodies]


def prey(stack: ExitStack, matches: int) -> Prey:
    """A night with tables in play, a league with many matches, and somebody with an account."""
    from django.test import override_settings

    from benchmarks import crowd
    from tests.builders import events as a
    from tests.builders.clubs import a_called_night, tables_of
    from tests.tournaments.pages.floor.test_desk import a_phone

    league = a_league(stack)
    if matches:
        crowd.matches(league, matches, "confirmed", league.finished)
    tables = []
    with override_settings(ALLOWED_HOSTS=["testserver"]):  # the name by which the test client asks
        for _night in range(9):
            for match in tables_of(a_called_night()):
                sessions = (str(a_phone(match, side).cookies["sessionid"].value) for side in range(2))
                tables += [(f"/x/{match.uuid}/photo/", session) for session in sessions]
    return Prey(tables, session_of(a.a_user("stranger")), league.finished.slug)


def multipart(name: str, filename: str, content: bytes) -> bytes:
    """A form with one file and what Django asks of every form."""
    token = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="csrfmiddlewaretoken"\r\n\r\n{CSRF}\r\n'
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"; filename="{filename}"\r\n\r\n'
    return token.encode() + head.encode() + content + f"\r\n--{BOUNDARY}--\r\n".encode()


def head_of(method: str, path: str, session: str, length: int) -> bytes:
    """The head of a request; length: of its body, 0 for none."""
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Cookie: csrftoken={CSRF}; sessionid={session}"]
    lines += ["Connection: close", f"X-Request-Id: {uuid4().hex}"]
    if length:
        lines += [f"Content-Length: {length}", f"Content-Type: multipart/form-data; boundary={BOUNDARY}"]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


_numbers = count()


async def connection(course: Course) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to the site from the next of two hundred addresses."""
    where = urlsplit(course.site)
    # Many addresses: limits for each network must not be what saves the server.
    own = (f"127.0.1.{1 + next(_numbers) % 200}", 0)
    return await asyncio.open_connection(where.hostname, where.port, local_addr=own, limit=2**16)


async def asked(course: Course, kind: str, request: bytes, *, slowly: float = 0.0) -> None:
    """Send it and read the answer to its end, a piece every that many seconds."""
    reader, writer = await connection(course)
    try:
        writer.write(request)
        await writer.drain()
        line = await reader.readline()
        course.answers[kind, int(line.split()[1]) if line else 0] += 1
        while course.goes_on and await reader.read(2**16):
            await asyncio.sleep(slowly)
    finally:
        writer.close()


async def upload_photos(course: Course, number: int, tables: list[tuple[str, str]], files: list[bytes]) -> None:
    """Upload one picture, from the next table that is left to the attackers."""
    path, session = tables[number % len(tables)]
    body = multipart("photo", "slip.jpg", files[next(_numbers) % len(files)])
    await asked(course, "photo", head_of("POST", path, session, len(body)) + body)


async def upload_events(course: Course, account: str, files: list[bytes]) -> None:
    """An event that unpacks to thirty megabytes."""
    body = multipart("file", "event.json.zst", files[next(_numbers) % len(files)])
    await asked(course, "import", head_of("POST", "/t/import/", account, len(body)) + body)


async def begin_body(course: Course, number: int, tables: list[tuple[str, str]]) -> None:
    """Nine megabytes, of which one comes at once and the rest a letter a second."""
    path, session = tables[number % len(tables)] if number % 2 else ("/login/", "")
    reader, writer = await connection(course)
    length = ANNOUNCED if session else 3_000_000
    answer = asyncio.create_task(reader.readline())
    try:
        writer.write(head_of("POST", path, session, length) + b"#" * 1_000_000)
        while course.goes_on and not answer.done():
            await asyncio.sleep(1)
            # Slow enough to hold its place, quick enough not to be idle.
            writer.write(b"#")
        with suppress(OSError, asyncio.CancelledError):
            line = await answer if answer.done() else b""
            course.answers["slow body", int(line.split()[1]) if line else 0] += 1
    finally:
        answer.cancel()
        writer.close()


async def take_files(course: Course, number: int, event: str) -> None:
    """A file of the league, read slowly; the number of a round makes it another one each time."""
    turn = next(_numbers)
    name = FILES[turn % len(FILES)]
    query = f"?round={1 + turn % 3}" if name in ("pairings.csv", "standings.csv") else f"?bom={turn % 2}"
    path = f"/t/{event}/files/{name}{query}" if number % 4 else f"/api/v1/tournaments/{event}/records/records.jsonl.zst"
    await asked(course, "file", head_of("GET", path, "", 0), slowly=0.2 if number % 2 else 0.0)


async def again_and_again(course: Course, act: Callable[[], Awaitable[None]]) -> None:
    """Repeat an act until the time is over, no matter how each of them ends."""
    while course.goes_on:
        with suppress(OSError, ValueError, IndexError):
            await act()
        await asyncio.sleep(PAUSE_S)


def read_pages(course: Course, event: str) -> None:
    """Read ordinary pages, one after the other, as somebody at an address of their own; in a thread."""
    import requests

    paths = ("/", "/t/", f"/t/{event}/", f"/t/{event}/standings/", "/b/", "/login/", "/rules/")
    session = requests.Session()
    for turn in count():
        if not course.goes_on:
            return
        began = time.monotonic()
        try:
            answer = session.get(course.site + paths[turn % len(paths)], timeout=30)
            course.pages.append(1000 * (time.monotonic() - began))
            course.unanswered += answer.status_code != 200
        except requests.RequestException:
            course.unanswered += 1
        time.sleep(0.1)


def resident(pid: int) -> int:
    """VmRSS of a process, bytes; 0 once it is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        return int(status.partition("VmRSS:")[2].split()[0]) * 1024
    except (OSError, IndexError):
        return 0


def children_of(pid: int) -> list[int]:
    """The processes that it started, of all its threads."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            found += map(int, task.read_text(encoding="utf-8").split())
    return found


def watch_memory(course: Course, pid: int) -> None:
    """Note the memory twenty times a second; in a thread."""
    while course.goes_on:
        web = resident(pid)
        course.web = max(course.web, web)
        course.family = max(course.family, web + sum(map(resident, children_of(pid))))
        time.sleep(0.05)


async def run(course: Course, given: Prey, options: argparse.Namespace, pid: int) -> None:
    """Let everybody act at once."""
    pictures, events = bombs(), packed_events()
    course.until = time.monotonic() + options.seconds
    acts: list[Callable[[], Awaitable[None]]] = [
        partial(upload_photos, course, n, given.tables, pictures)
        if n % 5
        else partial(upload_events, course, given.account, events)
        for n in range(options.uploads)
    ]
    acts += [partial(begin_body, course, n, given.tables) for n in range(options.bodies)]
    acts += [partial(take_files, course, n, given.event) for n in range(options.exports)]
    watching = [
        asyncio.to_thread(watch_memory, course, pid),
        asyncio.to_thread(read_pages, course, given.event),
    ]
    await asyncio.gather(*watching, *(again_and_again(course, act) for act in acts))


def report(course: Course, before: int) -> bool:
    """Print it. Returns whether both bars are kept."""
    mib = 1024 * 1024
    low, high = figures_of(course.pages)
    for kind in sorted({kind for kind, _status in course.answers}):
        counts = ", ".join(f"{status}: {n}" for (each, status), n in sorted(course.answers.items()) if each == kind)
        print(f"  {kind:10} {counts}")
    print(f"  memory of the web process: {before / mib:.0f} MiB before, {course.web / mib:.0f} MiB at most")
    print(f"  with the processes that it starts: {course.family / mib:.0f} MiB at most")
    print(
        f"  pages: {len(course.pages)}, p50 {low:.0f} ms, p95 {high:.0f} ms, not answered with 200: {course.unanswered}"
    )
    is_small, is_quick = course.web < MEMORY_BAR_MIB * mib, high < PAGE_BAR_MS and not course.unanswered
    print(f"  memory below {MEMORY_BAR_MIB} MiB: {'pass' if is_small else 'FAIL'}")
    print(f"  p95 below {PAGE_BAR_MS} ms, every page answered: {'pass' if is_quick else 'FAIL'}", flush=True)
    return is_small and is_quick


def main() -> int:
    options = arguments()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hanami-")))
        project = a_service(stack, folder).project
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
        given = prey(stack, options.matches)
        site, pid = an_address(project)
        print(
            f"{options.uploads} uploads, {options.bodies} slow bodies and {options.exports} exports "
            f"for {options.seconds:.0f} s; {options.matches} matches; {os.cpu_count()} cores",
            flush=True,
        )
        course = Course(time.monotonic() + 3600, site)
        before = resident(pid)
        asyncio.run(run(course, given, options, pid))
        return 0 if report(course, before) else 1


if __name__ == "__main__":
    sys.exit(main())
