"""Whom words mean: looked up first, so that a long list is not read for a word that few of its rows have."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bots.models import Bot, BotVersion

MAXIMUM: Final = 1_000
"""That many are named by their keys; of words that more have, the first rows of any list are found soon."""
OF_ENTRY: Final = (
    "uuid",
    "tournament",
    "seed",
    "state",
    "nonce",
    "bot_version__n",
    "player__uuid",
    "player__name",
    "player__club",
    "player__bot__slug",
    "player__bot__owner__username",
    "player__bot__owner__display_name",
)
"""What a row of a list shows of an entry: half the time of a page of fifty went into columns that nobody looks at."""
OF_VERSION: Final = ("uuid", "n", "bot__slug", "bot__name", "bot__owner__username", "bot__owner__display_name")
"""The same of a version of a bot."""


def prefixed(prefix: str, columns: Iterable[str]) -> tuple[str, ...]:
    """These columns of what a row points at, as `only` names them. prefix: "entry"."""
    return tuple(f"{prefix}__{column}" for column in columns)


def bots_named(words: str) -> list[int] | None:
    """Keys of the bots with these words in their name or their owner's; None if they are many. Two queries."""
    found: set[int] = set()
    for rows in (Bot.objects.filter(name__holds=words), Bot.objects.filter(owner__username__holds=words)):
        found.update(rows.values_list("pk", flat=True)[: MAXIMUM + 1])
    return sorted(found) if len(found) <= MAXIMUM else None


def versions_named(words: str) -> list[int] | None:
    """Keys of the versions of bots with these words in their name; None if they are many. One query."""
    rows = BotVersion.objects.filter(bot__name__holds=words).order_by().values_list("pk", flat=True)
    found = list(rows[: MAXIMUM + 1])
    return found if len(found) <= MAXIMUM else None
