"""What the page of a bot's versions shows of each: what it earned, how its files changed, and where it is rated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from accounts.models import User
from bots.models import BotVersion
from bots.selectors.published import may_read_source
from tournaments.ratings.history import Earned
from tournaments.ratings.queries import Strength
from tournaments.templatetags.strips import Scale, scale_of

BESIDE: Final = 3
"""Other versions that have a column of their own beside the one whose ratings are drawn."""


@dataclass(frozen=True, slots=True)
class Files:
    """The files of a version. size: bytes of all; before: the version to compare with, None without one that the reader
    may read; differ: how many files differ from it.
    """

    n: int
    size: int
    before: BotVersion | None
    differ: int


@dataclass(frozen=True, slots=True)
class Line:
    """A version with what it earned, None before its first rated result. files: None for who may not read them."""

    version: BotVersion
    earned: Earned | None
    files: Files | None


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard. now: the rating of the version that is drawn; others: those of the others, in their order."""

    now: Strength
    others: tuple[Strength | None, ...]


@dataclass(frozen=True, slots=True)
class Boards:
    """The leaderboards of a version, the best first, beside other versions. n, others: their numbers."""

    n: int
    others: tuple[int, ...]
    rows: Sequence[Board]
    scale: Scale


def lines_of(versions: Sequence[BotVersion], earned: Mapping[int, Earned], viewer: User | None) -> list[Line]:
    """Return a line for each of these versions of one bot, the newest first. No query."""
    readable = [version for version in versions if version.files and may_read_source(version, viewer)]
    before = dict(zip((version.pk for version in readable), readable[1:], strict=False))
    can_be_read = {version.pk for version in readable}
    return [
        Line(
            version,
            earned.get(version.pk),
            _files(version, before.get(version.pk)) if version.pk in can_be_read else None,
        )
        for version in versions
    ]


def _files(version: BotVersion, before: BotVersion | None) -> Files:
    now, then = ({path: sha for path, sha, _size in each.files} if each else {} for each in (version, before))
    differ = sum(now.get(path) != then.get(path) for path in now.keys() | then.keys())
    return Files(len(version.files), sum(size for _path, _sha, size in version.files), before, differ if before else 0)


def boards_of(lines: Sequence[Line], active: int | None) -> Boards | None:
    """Return where the active version is rated, else the newest rated one; None where none is. active: its key."""
    rated = [(line.version, line.earned) for line in lines if line.earned is not None]
    if not rated:
        return None
    version, earned = next((each for each in rated if each[0].pk == active), rated[0])
    others = [each for each in rated if each[0].pk != version.pk][:BESIDE]
    found = [{each.row.pool.pk: each for each in other.everywhere} for _version, other in others]
    rows = [Board(now, tuple(each.get(now.row.pool.pk) for each in found)) for now in earned.everywhere]
    return Boards(version.n, tuple(each.n for each, _earned in others), rows, scale_of(earned.everywhere))
