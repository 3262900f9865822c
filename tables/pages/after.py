"""What the result of a match leads to: the next opponent, following the others, and sharing the replay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Q, prefetch_related_objects
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from core.replay.score import Placed
from engine.game import OptionValue
from engine.games import ruleset
from tables.actions.folding import rules_of
from tables.house import LEVEL_OF, LEVELS, OWNER, called
from tables.models import LiveSeat, LiveTable
from tables.pages.lobby_form import PEOPLE
from tables.pages.rule_fields import sent_as
from tournaments.models import Follow
from web.page import viewer

OFFERED: Final = (LiveTable.Clock.CASUAL, LiveTable.Clock.LIVE, LiveTable.Clock.DAYS)
"""Clocks of the form of a new table."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """Somebody who may be followed. kind, what: as `notifications.followed` names them."""

    kind: str
    what: str
    name: str
    is_followed: bool


def after_match(
    request: HttpRequest, table: LiveTable, seats: list[LiveSeat], own: LiveSeat | None, placed: Sequence[Placed]
) -> dict[str, Any]:
    """Return what stands below a result: `rematch`, `next_opponent`, `opponents`, `share`. At most seven queries."""
    # Only here: at a table that is played nobody asks whose bots and accounts sit there.
    prefetch_related_objects(seats, "bot_version__bot__owner", "user")
    return {
        "rematch": _wants_rematch(table, seats, own),
        "next_opponent": None if own is None else _next(table, seats, own, placed),
        "opponents": _opponents(request, seats, own),
        "share": request.build_absolute_uri(reverse("match", args=[table.uuid])) if table.match_id else "",
    }


def _wants_rematch(table: LiveTable, seats: Sequence[LiveSeat], own: LiveSeat | None) -> str:
    """Return the name of somebody who waits for the reader at the rematch; "" where nobody does. One query.

    None against the house alone, with which a rematch is dealt at once.
    """
    if own is None or table.stage_id is not None:
        return ""
    if all(seat.kind == LiveSeat.Kind.BOT for seat in seats if seat.pk != own.pk):
        return ""
    there = LiveSeat.objects.filter(table__rematch_of=table, table__state=LiveTable.State.OPEN)
    waiting = list(there.exclude(kind=LiveSeat.Kind.BOT).order_by("index"))
    is_there = any((seat.user_id, seat.guest) == (own.user_id, own.guest) for seat in waiting)
    return waiting[0].called if waiting and not is_there else ""


def _next(
    table: LiveTable, seats: Sequence[LiveSeat], own: LiveSeat, placed: Sequence[Placed]
) -> dict[str, Any] | None:
    """Return {"name", "fields"}: the fields of the form that opens a table against the next opponent.

    After the house: a level up for the first, a level down for all others. After people: anybody who comes.
    """
    others = [seat for seat in seats if seat.pk != own.pk]
    fields = [("preset", table.preset), ("seats", table.seats_n), *_options(table)]
    if table.clock in OFFERED:
        fields.append(("clock", table.clock))
    if any(seat.kind == LiveSeat.Kind.PERSON for seat in others):
        more = [("opponent", PEOPLE), ("listed", "on"), ("rated", "on") if table.rated else ("fill", "on")]
        return {"name": _("anybody who comes"), "fields": [*fields, *more]}
    sides = rules_of(table).sides(table.seats_n)
    has_won = any(one.place == 1 and sides[one.seat] == sides[own.index] for one in placed)
    level = _level(others, step=1 if has_won else -1)
    return {"name": called(LEVELS[level].bot), "fields": [*fields, ("opponent", level)]} if level else None


def _level(others: Sequence[LiveSeat], *, step: int) -> str:
    """Return the level of the house next to that of a seat; "" where there is none, or somebody else sits there."""
    version = others[0].bot_version if others else None
    found = LEVEL_OF.get(version.bot.name) if version is not None and version.bot.owner.username == OWNER else None
    row = list(LEVELS)
    at = row.index(found.id) + step if found is not None else -1
    return row[at] if 0 <= at < len(row) else ""


def _options(table: LiveTable) -> list[tuple[str, object]]:
    """Return the rules that differ from the preset, as the form has them."""
    usual = ruleset(table.preset).resolved()
    found: dict[str, OptionValue] = rules_of(table).resolved()
    return [sent_as(name, value) for name, value in found.items() if value != usual.get(name)]


def _opponents(request: HttpRequest, seats: Sequence[LiveSeat], own: LiveSeat | None) -> list[Opponent]:
    """Return whom a signed-in reader may follow: accounts and bots, each once. One query."""
    reader = viewer(request)
    if reader is None:
        return []
    others = [seat for seat in seats if own is None or seat.pk != own.pk]
    bots = list(dict.fromkeys(seat.bot_version.bot for seat in others if seat.bot_version is not None))
    people = list(dict.fromkeys(seat.user for seat in others if seat.user is not None and seat.user != reader))
    mine = Follow.objects.filter(user=reader).filter(Q(bot__in=bots) | Q(person__in=people))
    followed: set[tuple[int | None, int | None]] = set(mine.values_list("bot", "person"))
    return [
        *(Opponent("bot", bot.slug, called(bot.name), (bot.pk, None) in followed) for bot in bots),
        *(Opponent("person", one.username, one.shown_name, (None, one.pk) in followed) for one in people),
    ]
