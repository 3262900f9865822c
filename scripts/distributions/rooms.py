"""What each distribution holds: which folder of the repository goes where in it, and under which import root.

A new pure room that a match at home needs gets a line in `KIT`; the build says so when one is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
RENAMED: Final[Mapping[str, str]] = {
    "engine": "hanafuda",
    "kit": "hanami_kit",
    "bots": "hanami_kit.bots",
    "core": "hanami_kit.core",
}
CODES: Final = frozenset({"kit.service"})
"""Codes of errors that are also names of modules."""
_LEFT_OUT: Final = ("__pycache__", "_compiled")
_NOT_SHIPPED: Final = (".md", ".pyc")


@dataclass(frozen=True, slots=True)
class Room:
    """A folder, or some files of one. source: in the repository; target: in the distribution; files: patterns of names
    in it; is_deep: folders in it, too; as_it_is: its bytes do not change.
    """

    source: str
    target: str
    files: tuple[str, ...] = ("*",)
    is_deep: bool = False
    as_it_is: bool = False


@dataclass(frozen=True, slots=True)
class Distribution:
    """A distribution. name: on an index; tops: its import names; rooms: a file is taken by the first that fits."""

    name: str
    tops: tuple[str, ...]
    rooms: tuple[Room, ...]

    @property
    def folder(self) -> Path:
        """The folder with its pyproject.toml and its front page."""
        return Path(__file__).resolve().parent / self.name


ENGINE: Final = Distribution("hanafuda", ("hanafuda",), (Room("engine", "hanafuda", is_deep=True),))
KIT: Final = Distribution(
    "hanami-kit",
    ("hanami", "hanami_kit"),
    (
        Room("kit/hanami", "hanami"),
        # With import roots of its own: it is a source that `hanami new` writes for an author.
        Room("kit/templates", "hanami_kit/templates", ("*.txt",)),
        Room("kit", "hanami_kit", ("*.py",)),
        Room("kit/commands", "hanami_kit/commands", ("*.py",)),
        Room("bots", "hanami_kit/bots", ("__init__.py", "errors.py", "localization.py")),
        # A version is known by the hash of its bytes: house bots are the same ones here and on a service.
        Room("bots/house", "hanami_kit/bots/house", ("[!_]*.py", "*.npy"), as_it_is=True),
        Room("bots/house", "hanami_kit/bots/house", ("__init__.py",)),
        *(
            Room(f"bots/{room}", f"hanami_kit/bots/{room}", ("*.py",), is_deep=True)
            for room in ("protocol", "runner", "sdk", "trials", "uploads")
        ),
        Room("core", "hanami_kit/core", ("__init__.py", "errors.py", "printable.py")),
        *(
            Room(f"core/{room}", f"hanami_kit/core/{room}", ("*.py",), is_deep=True)
            for room in ("replay", "statistics")
        ),
        # The site's own viewer, for `hanami replay --browser`.
        Room("static/table", "hanami_kit/static/table", ("*.js", "*.css", "*.svg"), as_it_is=True),
        Room("static/site", "hanami_kit/static/site", ("site.css", "icon.svg"), as_it_is=True),
        Room("static/site/fonts", "hanami_kit/static/site/fonts", ("*.woff2",), as_it_is=True),
        Room("static/cards", "hanami_kit/static/cards", ("classic.svg",), as_it_is=True),
    ),
)
DISTRIBUTIONS: Final = (ENGINE, KIT)


@dataclass(frozen=True, slots=True)
class Source:
    """A file of a distribution. path: in the repository; target: in the distribution."""

    path: Path
    target: PurePosixPath
    as_it_is: bool

    @property
    def module(self) -> str:
        """The dotted name in the repository; "" for what is no module."""
        relative = self.path.relative_to(ROOT)
        if relative.suffix != ".py":
            return ""
        return ".".join((relative.parent if relative.name == "__init__.py" else relative.with_suffix("")).parts)


def sources(distribution: Distribution) -> list[Source]:
    """Return the files of a distribution, in the order of their places in it."""
    found: dict[PurePosixPath, Source] = {}
    for room in distribution.rooms:
        for path in _files(room):
            target = PurePosixPath(room.target, path.relative_to(ROOT / room.source).as_posix())
            found.setdefault(target, Source(path, target, room.as_it_is))
    return [found[target] for target in sorted(found)]


def _files(room: Room) -> Iterator[Path]:
    folder = ROOT / room.source
    for path in folder.rglob("*") if room.is_deep else folder.iterdir():
        is_kept = path.is_file() and not path.name.startswith(".") and path.suffix not in _NOT_SHIPPED
        if is_kept and not set(path.parts) & set(_LEFT_OUT) and any(path.match(pattern) for pattern in room.files):
            yield path


def modules() -> frozenset[str]:
    """Return all modules that the distributions hold, by their names in the repository."""
    return frozenset(each.module for one in DISTRIBUTIONS for each in sources(one)) - {""}
