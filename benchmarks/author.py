"""A new author's path, timed: an empty folder, `hanami new`, `test`, `play`, `submit`, on the ladder, a rated match;
a second version; and the same in a browser, from signing up to the first match of a pasted bot.

    .venv/bin/python -m benchmarks.author [--preset hawaii] [--deals 200] [--bar-s 300]

A whole service of its own: PostgreSQL, Redis, web server, a worker, beat, and an official ladder with the house's bots.
The author types the commands of docs/02 one after another; nobody reads or thinks in between. Exit code 1 if one of
the paths took longer than its bar (all of it: five minutes), or if a command failed.
"""

from __future__ import annotations

import argparse
import html
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Final

from benchmarks.service import a_service
from tests.services.processes import ROOT, Project
from tests.services.waiting import wait_until

DEADLINE_S: Final = 240
READY, FIRST_MATCH, SECOND_VERSION = "empty folder to ready", "sign-up to first ladder match", "version 2 to its first"
BARS: Final = {READY: 8.0, FIRST_MATCH: 6.0, SECOND_VERSION: 15.0}
"""Seconds on an idle machine."""


@dataclass
class Author:
    """Somebody with an empty folder. environment: of the commands; took: seconds by step."""

    folder: Path
    environment: Mapping[str, str]
    took: dict[str, float] = field(default_factory=dict)

    def type_in(self, *words: str, inside: str = "") -> None:
        """Run a command of `hanami` and show its output. Ends the benchmark if it fails."""
        began = time.monotonic()
        command = [sys.executable, "-m", "kit", *words]
        done = subprocess.run(command, cwd=self.folder / inside, env=dict(self.environment), check=False)
        self.note("hanami " + " ".join(words), began)
        if done.returncode:
            sys.exit(f"hanami {words[0]} ended with {done.returncode}")

    def wait(self, what: str, condition: Callable[[], bool]) -> None:
        """Wait until something is so."""
        began = time.monotonic()
        wait_until(condition, DEADLINE_S, what)
        self.note(what, began)

    def note(self, what: str, began: float) -> None:
        """Keep and print what a step took."""
        self.took[what] = time.monotonic() - began
        print(f"  {self.took[what]:7.1f} s  {what}", flush=True)


class Visitor:
    """Somebody with a browser and no account yet."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.cookies = CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))

    def read(self, path: str) -> str:
        """Return a page."""
        with self.opener.open(f"{self.address}{path}", timeout=30) as reply:
            return str(reply.read().decode())

    def send(self, path: str, **fields: str) -> str:
        """Send the form of a page with these fields, and return the page that it leads to."""
        token = re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', self.read(path))[0]
        data = urllib.parse.urlencode({"csrfmiddlewaretoken": token, **fields}).encode()
        request = urllib.request.Request(f"{self.address}{path}", data, headers={"Referer": f"{self.address}{path}"})
        with self.opener.open(request, timeout=30) as reply:
            page = str(reply.read().decode())
        if 'class="errors' in page or 'aria-invalid="true"' in page:
            sys.exit(f"the form of {path} was refused")
        return page


def a_running_service(stack: ExitStack, folder: Path) -> str:
    """Start a whole service on ports and sockets of its own; returns its address. This process is connected as well."""
    project = a_service(stack, folder).project
    address = _web(project)
    project.worker()
    project.beat()
    return address


def _web(project: Project) -> str:
    listening = socket.create_server(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    descriptor = listening.fileno()
    project.start("web", "-m", "scripts.web", str(descriptor), pass_fds=(descriptor,))
    # The server holds a descriptor of its own by now.
    listening.close()
    wait_until(lambda: _answers(address), 60, "the site answers")
    return address


def _answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=5) as reply:
            return bool(reply.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def a_ladder(preset: str) -> None:
    """An official ladder on which the house plays."""
    from accounts.models import User
    from bots.house import HOUSE, PLAYS, house_files
    from bots.services import install_house_bot
    from tournaments.ratings.ladders.house import open_ladder

    by = User.objects.create(username="house", is_staff=True)
    for name in list(HOUSE)[:3]:
        install_house_bot(owner=by, name=name, files=list(house_files(name).files), plays=list(PLAYS))
    open_ladder(by, preset=preset, seats=2)


def a_token() -> str:
    """Return a token, as the author makes one on the page of tokens after signing up."""
    from accounts.models import User
    from accounts.tokens import make_token

    user = User.objects.create_user(username="kimo")
    return make_token(user=user, name="kit", scopes=["bot:write", "bot:logs"])[1]


def entered(name: str) -> bool:
    """Return whether the bot is on a ladder."""
    from tournaments.models import Entry

    return Entry.objects.filter(player__bot__name=name, tournament__stages__kind="ladder").exists()


def rated(name: str, version: int = 1) -> bool:
    """Return whether a match of this version on the ladder counts."""
    from tournaments.models import Match

    seats = {"seats__bot_version__bot__name": name, "seats__bot_version__n": version, "stage__kind": "ladder"}
    return Match.objects.filter(state=Match.State.CONFIRMED, **seats).exists()


def walk(author: Author, options: argparse.Namespace) -> None:
    """Go through every step of the guide."""
    author.type_in("new", "mybot", "--preset", options.preset)
    author.type_in("test", inside="mybot")
    author.type_in("play", ".", "house:greedy", "--deals", str(options.deals), "--duplicate", inside="mybot")
    author.type_in("submit", "-m", "first try", "--wait", inside="mybot")
    author.wait("on the ladder", lambda: entered("mybot"))
    author.wait("a first rated match", lambda: rated("mybot"))
    source = author.folder / "mybot" / "bot.py"
    source.write_text(f"{source.read_text()}\n# the second try\n")
    author.type_in("submit", "-m", "second try", "--wait", inside="mybot")
    author.type_in("activate", "2", inside="mybot")
    author.wait(SECOND_VERSION, lambda: rated("mybot", 2))


def arrive(author: Author, address: str) -> None:
    """Sign up in a browser, send the bot that the page offers, and wait for its first match on the ladder."""
    began, visitor = time.monotonic(), Visitor(address)
    visitor.send("/signup/", username="nohea", password1="plum-blossom-77", password2="plum-blossom-77")
    offered = re.findall(r"<textarea[^>]*>(.*?)</textarea>", visitor.read("/me/first-bot/"), re.DOTALL)[0]
    visitor.send("/me/first-bot/", name="firstbot", source=html.unescape(offered).lstrip("\n"))
    wait_until(lambda: rated("firstbot"), DEADLINE_S, "its first match")
    author.note(FIRST_MATCH, began)


def print_bars(author: Author) -> bool:
    """Every path with its bar. Returns whether all hold."""
    took = author.took
    commands = ("hanami new", "hanami test", "hanami submit -m first")
    ready = sum(seconds for step, seconds in took.items() if step.startswith(commands))
    found = {READY: ready, FIRST_MATCH: took[FIRST_MATCH], SECOND_VERSION: took[SECOND_VERSION]}
    for name, seconds in found.items():
        verdict = "holds" if seconds < BARS[name] else "MISSED"
        print(f"  {seconds:7.1f} s  {name}; bar {BARS[name]:.0f} s: {verdict}")
    return all(seconds < BARS[name] for name, seconds in found.items())


def main() -> int:
    """Time it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", default="hawaii")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--bar-s", type=float, default=300.0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hanami-author-") as name, ExitStack() as stack:
        folder = Path(name)
        (folder / "author").mkdir()
        address = a_running_service(stack, folder)
        a_ladder(options.preset)
        environment = {"HANAMI_SERVER": address, "HANAMI_TOKEN": a_token(), "HANAMI_CONFIG": str(folder / "config")}
        # Nothing else of our environment: a newcomer has no settings of a developer, and a kept account must not be
        # found.
        plain = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)}
        author = Author(folder / "author", {**plain, **environment})
        walk(author, options)
        arrive(author, address)
    holds = print_bars(author)
    total = sum(author.took.values())
    passed = total < options.bar_s
    print(f"  {total:7.1f} s  in all; bar {options.bar_s:.0f} s: {'holds' if passed else 'MISSED'}")
    return 0 if passed and holds else 1


if __name__ == "__main__":
    sys.exit(main())
