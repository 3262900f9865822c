"""All matches, newest drawn first: by the key itself, so the thousandth page costs what the first does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import User
from bots.models import Bot
from core.formats import experiments
from tournaments.lifecycle.visibility import named_to
from tournaments.matches.schedule import seats_named
from tournaments.models import Match, Seat, Stage, Tournament

M = Match.State
STATES: Final[dict[str, tuple[str, ...]]] = {
    "over": (M.CONFIRMED,),
    "on": (M.CLAIMED, M.CALLED, M.PLAYING, M.REPORTED, M.DISPUTED),
    "waiting": (M.PENDING, M.READY, M.QUEUED),
    "held": (M.QUARANTINED,),
}
AT_ONCE: Final = 40


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which matches. state: of `STATES`, "" for all; event, bot: addresses; preset: its id."""

    event: str = ""
    preset: str = ""
    bot: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True)
class MatchList:
    """A page. older, newer: the matches to go on from; None where nothing follows."""

    rows: Sequence[Match]
    older: UUID | None = None
    newer: UUID | None = None


def match_list(
    viewer: User | None, wanted: Wanted, *, before: UUID | None = None, after: UUID | None = None
) -> MatchList:
    """The matches a viewer may know of, without those of comparisons, beside a match. Three queries at most."""
    rows = _wanted(viewer, wanted)
    if after is not None and before is None:
        return _newer(rows, after)
    beside = Match.objects.filter(uuid=before).values_list("pk", flat=True).first() if before else None
    if beside is not None:
        rows = rows.filter(pk__lt=beside)
    found = list(rows.order_by("-pk")[: AT_ONCE + 1])
    shown = found[:AT_ONCE]
    older = shown[-1].uuid if len(found) > AT_ONCE else None
    return MatchList(shown, older=older, newer=shown[0].uuid if shown and beside is not None else None)


def _newer(rows: QuerySet[Match], after: UUID) -> MatchList:
    beside = Match.objects.filter(uuid=after).values_list("pk", flat=True).first()
    found = list(rows.filter(pk__gt=beside or 0).order_by("pk")[: AT_ONCE + 1])
    shown = found[:AT_ONCE][::-1]
    newer = shown[0].uuid if len(found) > AT_ONCE else None
    return MatchList(shown, older=shown[-1].uuid if shown else None, newer=newer)


def _wanted(viewer: User | None, wanted: Wanted) -> QuerySet[Match]:
    rows = Match.objects.filter(named_to(viewer, "stage__tournament__")).exclude(stage__kind__in=experiments())
    if wanted.event:
        # Its stages by name: of one event's matches, those of all others are never looked at.
        rows = rows.filter(
            stage__in=list(Stage.objects.filter(tournament__slug=wanted.event).values_list("pk", flat=True))
        )
    if wanted.preset:
        rows = rows.filter(stage__preset=wanted.preset)
    if wanted.bot:
        seats = Seat.objects.filter(match=OuterRef("pk"), bot_version__bot__slug=wanted.bot)
        rows = rows.filter(Exists(seats))
    if wanted.state:
        rows = rows.filter(state__in=STATES[wanted.state])
    return rows.select_related("stage__tournament").prefetch_related(seats_named())


def names_of(viewer: User | None, wanted: Wanted) -> tuple[str, str]:
    """What the event and the bot of a filter are called; "" for what the viewer may not know of, or is not there."""
    event = Tournament.objects.filter(named_to(viewer), slug=wanted.event) if wanted.event else None
    bot = Bot.objects.filter(slug=wanted.bot) if wanted.bot else None
    named = [rows.values_list("name", flat=True).first() if rows is not None else "" for rows in (event, bot)]
    return named[0] or "", named[1] or ""
