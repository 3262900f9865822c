"""Bots and versions by words of their names, looked up first, so that a long list is not read for a rare word."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bots.models import Bot, BotVersion

# Up to this number rows are named by their keys. Of words that more rows have, the first rows of any list are found
# soon without keys.
MAXIMUM: Final = 1_000
# Columns of an entry that a row of a list shows: half the time of a page of fifty went into other columns.
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
    "player__bot__name",
    "player__bot__emblem_card",
    "player__bot__emblem_colour",
    "player__bot__owner__username",
    "player__bot__owner__display_name",
)
# The same of a version of a bot.
OF_VERSION: Final = (
    "uuid",
    "n",
    "bot__slug",
    "bot__name",
    "bot__house",
    "bot__emblem_card",
    "bot__emblem_colour",
    "bot__owner__username",
    "bot__owner__display_name",
)


def prefixed(prefix: str, columns: Iterable[str]) -> tuple[str, ...]:
    """Return the columns as `only` names them on the row that points at them. prefix: "entry"."""
    return tuple(f"{prefix}__{column}" for column in columns)


def bots_named(words: str) -> list[int] | None:
    """Return the keys of the bots with these words in their name or their owner's; None if they are many.

    Two queries.
    """
    found: set[int] = set()
    for rows in (Bot.objects.filter(name__holds=words), Bot.objects.filter(owner__username__holds=words)):
        # One more than MAXIMUM: enough to know that there are too many, without counting them.
        found.update(rows.values_list("pk", flat=True)[: MAXIMUM + 1])
    return sorted(found) if len(found) <= MAXIMUM else None


def versions_named(words: str) -> list[int] | None:
    """Return the keys of the versions of bots with these words in their name; None if they are many. One query."""
    rows = BotVersion.objects.filter(bot__name__holds=words).order_by().values_list("pk", flat=True)
    found = list(rows[: MAXIMUM + 1])
    return found if len(found) <= MAXIMUM else None
