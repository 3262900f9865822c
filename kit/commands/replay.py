"""`hanami replay`: a match in the terminal, in the words of the site; `--browser` shows it in the site's own viewer."""

from __future__ import annotations

import webbrowser
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import Any, Final

import click

from core.replay.reducer import Place, neighbours
from kit.account import account
from kit.browsing import serving, shelf
from kit.command import with_output
from kit.documents import complete, load_record
from kit.errors import BadCall
from kit.home import Home
from kit.output import Output
from kit.service import Service
from kit.viewing import Viewer, Wanted, wanted

KEYS: Final = "left and right: moves; up and down: deals; Home, End; q: leave"
LEFT, RIGHT, UP, DOWN = "\x1b[D", "\x1b[C", "\x1b[A", "\x1b[B"
HOME, END = ("\x1b[H", "\x1b[1~", "\x1bOH"), ("\x1b[F", "\x1b[4~", "\x1bOF")


@click.command(short_help="Look at a match, in the terminal or the browser.")
@click.argument("match", metavar="MATCH[#d3m17]")
@click.option(
    "--browser", is_flag=True, help="In the browser: a file offline, from here; else the page on the service."
)
@click.option("--server", help="Address of the service.")
@click.option("--step/--all", "steps", default=None, help="Move by move; so on a terminal where a #place is given.")
@with_output
def replay(out: Output, match: str, *, browser: bool, server: str | None, steps: bool | None) -> int:
    """Look at MATCH: a file, L3 (a failure kept here), a match's id on the service, or its address.

    #d3m17 is deal 3 after move 17, #d3m17s2 what seat 2 saw of it.
    """
    name, _, behind = match.partition("#")
    asked = wanted(behind)
    # A match of the service has its page there; only what lies on this machine is served from here.
    if browser and not _is_file(name) and _saved(name) is None:
        return _open(out, name, behind, server)
    document = _document(name, server)
    viewer = Viewer(document)
    place = viewer.place(asked)
    if browser:
        return _show(out, viewer, document, place, asked)
    summary = {
        "deal": place.deal,
        "move": place.move,
        "said": viewer.texts_of(viewer.replay.deals[place.deal - 1])[place.move],
    }
    out.finish({"ok": True, "match": viewer.replay.match, **summary, "document": document})
    if out.is_json:
        return 0
    is_terminal = out.console.is_terminal
    # Not into a pipe: nobody there can press a key.
    if steps or (steps is None and asked.is_a_place and is_terminal):
        _walk(out, viewer, asked, place)
    elif asked.is_a_place:
        out.print("\n".join(viewer.table(place, asked.seat)))
    else:
        out.print("\n".join([*viewer.heading(), *viewer.moves()]))
    return 0


def _document(name: str, server: str | None) -> dict[str, Any]:
    if _is_file(name):
        return load_record(Path(name))
    saved = _saved(name)
    if saved is not None:
        return complete(saved)
    # A name with a suffix is a mistyped file rather than an id; the service need not be asked.
    if Path(name).suffix:
        raise BadCall(f"There is no file {name} here.")
    where, found = _address(name, server)
    return dict(Service(account(where)).record(found))


def _is_file(name: str) -> bool:
    return name == "-" or Path(name).is_file()


def _saved(name: str) -> dict[str, Any] | None:
    """A failure of the bot in this folder."""
    return Home(Path()).failure(name)


def _address(name: str, server: str | None) -> tuple[str | None, str]:
    """Service and id from an id or from a match's address."""
    head, mark, tail = name.partition("/m/")
    return (head, tail.strip("/").partition("/")[0]) if mark else (server, name)


def _open(out: Output, name: str, behind: str, server: str | None) -> int:
    """The page of a match on the service."""
    if Path(name).suffix and "/m/" not in name:
        raise BadCall(f"There is no file {name} here.")
    where, found = _address(name, server)
    address = f"{account(where).server}/m/{found}/" + (f"#{behind}" if behind else "")
    opened = webbrowser.open(address)
    out.print(address if opened else f"No browser could be started. The address is {address}")
    out.finish({"ok": opened, "address": address})
    return 0 if opened else 3


def _show(out: Output, viewer: Viewer, document: dict[str, Any], place: Place, asked: Wanted) -> int:
    """A file in the browser, served to this machine alone until Ctrl-C. Without a browser its address is typed."""
    with serving(shelf(viewer, document, place, asked)) as address:
        opened = webbrowser.open(address)
        out.print(f"{address} shows it on this machine, without a network. Ctrl-C ends this.")
        if not opened:
            out.print("No browser could be started: open that address in one.", style="yellow")
        # Before the wait: a program that called this reads the address while it is served.
        out.finish({"ok": True, "address": address, "opened": opened})
        with suppress(KeyboardInterrupt):
            Event().wait()
    return 0


def _walk(out: Output, viewer: Viewer, asked: Wanted, place: Place) -> None:
    """Move by move, by keys, until q."""
    while True:
        out.console.clear()
        out.print("\n".join([*viewer.table(place, asked.seat), "", KEYS]))
        moved = step(viewer, place, click.getchar())
        if moved is None:
            return
        place = moved


def step(viewer: Viewer, place: Place, key: str) -> Place | None:
    """Return where a key leads; None: away."""
    replay = viewer.replay
    before, after = neighbours(replay, place)
    if key in ("q", "Q", "\x1b", "\x03", "\x04"):
        return None
    if key in (RIGHT, " ", "l"):
        return after or place
    if key in (LEFT, "h"):
        return before or place
    if key in (DOWN, "j"):
        return Place(min(place.deal + 1, len(replay.deals)), 0)
    if key in (UP, "k"):
        # In a deal, its own beginning comes before the deal before: one key press less to see it again.
        return Place(place.deal if place.move else max(1, place.deal - 1), 0)
    if key in HOME:
        return Place(1, 0)
    if key in END:
        return Place(len(replay.deals), len(replay.deals[-1].moves))
    return place
