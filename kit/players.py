"""Players as one types them: `.`, `bot.py`, `old.zip`, `house:greedy`, `v7`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bots.house import HOUSE, PLAYS, VARIANTS, house_files
from bots.protocol.files import BotFiles
from bots.runner.spec import STANDARD, Clock
from kit.account import account
from kit.errors import BadCall
from kit.home import Home, LocalBot, read_bot
from kit.service import Service

HOUSE_MARK: Final = "house:"
VERSION: Final = re.compile(r"v([1-9][0-9]*)")


@dataclass(frozen=True, slots=True)
class Player:
    """One who can be seated. name: as it stands in tables; local: its folder or file, None for the house."""

    name: str
    files: BotFiles
    plays: tuple[str, ...]
    local: LocalBot | None = None

    @property
    def clock(self) -> Clock:
        """The clock that it declares; the house's bots do with any."""
        return self.local.clock if self.local is not None else STANDARD


def player(word: str, *, home: Path | None = None) -> Player:
    """Return who is meant by `word`. home: where `v7` is looked for, the present folder by default.

    Raises BadCall, and what `read_bot` raises.
    """
    if word.startswith(HOUSE_MARK):
        return _of_the_house(word)
    found = VERSION.fullmatch(word)
    # A file or folder of that name comes first: `v7` may be somebody's folder.
    if found and not Path(word).exists():
        path = _version(int(found[1]), home or Path())
        return _named(word, path)
    if not Path(word).exists():
        raise BadCall(f"There is no {word} here. Give a folder with a bot.py, a .py, a .zip, or one of {_known()}.")
    return _named(None, Path(word))


def _named(name: str | None, path: Path) -> Player:
    local = read_bot(path)
    return Player(name or local.name, local.files, local.plays, local)


def _of_the_house(word: str) -> Player:
    name = word.removeprefix(HOUSE_MARK)
    if name not in HOUSE and name not in VARIANTS:
        raise BadCall(f"There is no {word}. Known are {_known()}.")
    return Player(word, house_files(name), PLAYS)


def _known() -> str:
    """The house bots by the names they are called by."""
    return ", ".join(f"{HOUSE_MARK}{each}" for each in (*HOUSE, *VARIANTS))


def _version(number: int, home: Path) -> Path:
    store = Home(home)
    path = store.version(number) or _fetched(number, store)
    if path is None:
        known = ", ".join(f"v{each}" for each in store.versions()) or "none"
        raise BadCall(
            f"v{number} was not sent from this folder (kept are: {known}). Versions are kept by `hanami submit`; "
            "download another one from its page and give the .zip."
        )
    return path


def _fetched(number: int, home: Home) -> Path | None:
    """A version that was sent from elsewhere, from the service where this bot is known; None if it is not."""
    try:
        where = account()
    # Nobody is signed in; the caller says which versions are kept here.
    except BadCall:
        return None
    slug = home.slug(where.server)
    if slug is None:
        return None
    return home.save_version(number, Service(where).source(slug, number))


def named_apart(players: list[Player]) -> list[str]:
    """Return the players' names, each with a number behind it where two are alike."""
    names = [one.name for one in players]
    return [f"{name}#{names[: at + 1].count(name)}" if names.count(name) > 1 else name for at, name in enumerate(names)]
