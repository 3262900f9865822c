"""A new author's path, timed: an empty folder, `hanami new`, `test`, `play`, `submit`, on the ladder, a rated match.

    .venv/bin/python -m benchmarks.author [--preset hawaii] [--deals 200] [--bar-s 300]

A whole service of its own: PostgreSQL, Redis, web server, a worker, beat, and an official ladder with the house's bots.
The author types the commands of docs/02 one after another; nobody reads or thinks in between. Exit code 1 if it took
longer than the bar (five minutes), or if a command failed.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.service import a_service
from tests.services.processes import ROOT, Project
from tests.services.waiting import wait_until

DEADLINE_S: Final = 240


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
        self._note("hanami " + " ".join(words), began)
        if done.returncode:
            sys.exit(f"hanami {words[0]} ended with {done.returncode}")

    def wait(self, what: str, condition: Callable[[], bool]) -> None:
        """Wait until something is so."""
        began = time.monotonic()
        wait_until(condition, DEADLINE_S, what)
        self._note(what, began)

    def _note(self, what: str, began: float) -> None:
        self.took[what] = time.monotonic() - began
        print(f"  {self.took[what]:7.1f} s  {what}", flush=True)


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


def rated(name: str) -> bool:
    """Return whether a match of it on the ladder counts."""
    from tournaments.models import Match

    seats = {"seats__bot_version__bot__name": name, "stage__kind": "ladder"}
    return Match.objects.filter(state=Match.State.CONFIRMED, **seats).exists()


def walk(author: Author, options: argparse.Namespace) -> None:
    """Go through every step of the guide."""
    author.type_in("new", "mybot", "--preset", options.preset)
    author.type_in("test", inside="mybot")
    author.type_in("play", ".", "house:greedy", "--deals", str(options.deals), "--duplicate", inside="mybot")
    author.type_in("submit", "-m", "first try", "--wait", inside="mybot")
    author.wait("on the ladder", lambda: entered("mybot"))
    author.wait("a first rated match", lambda: rated("mybot"))


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
    total = sum(author.took.values())
    passed = total < options.bar_s
    print(f"  {total:7.1f} s  in all; bar {options.bar_s:.0f} s: {'holds' if passed else 'MISSED'}")
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
