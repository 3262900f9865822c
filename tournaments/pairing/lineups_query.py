"""Teams and single people of an event, and the players of a team in a round."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _

from engine.game import Ruleset as Rules
from tournaments.models import Entry, Match, Member, Seat, Stage, Tournament

# Tables that were not called.
WAITING: Final = (Match.State.PENDING, Match.State.READY, Match.State.VOID)
# Members of a team that sits apart besides those on its boards, at most.
RESERVES: Final = 4
# Rounds that a stage that is not drawn yet may have at most.
MAX_ROUNDS: Final = 64


def team_size(event: Tournament) -> int:
    """Return how many play for a team at once: its boards if it sits apart, else the people of a side (1 if alone)."""
    if event.boards:
        return event.boards
    stage = event.stages.select_related("ruleset").order_by("order")[0]
    sides = Rules.from_json(json.loads(stage.ruleset.canonical)).sides(stage.seats_pref)
    return max(Counter(sides).values())


def team_sizes(event: Tournament) -> range:
    """Return how many members a team may have; if it sits apart, boards may be empty, and some members are reserves."""
    size = team_size(event)
    return range(2, size + RESERVES + 1) if event.boards else range(size, size + 1)


def teams_of(event: Tournament) -> QuerySet[Entry]:
    """Return the event's entries that have members."""
    return Entry.objects.filter(Exists(Member.objects.filter(team=OuterRef("pk"))), tournament=event)


def singles_of(event: Tournament, states: Sequence[str] = (Entry.State.ENTERED, Entry.State.ACTIVE)) -> QuerySet[Entry]:
    """Return people who are in no team now, in these states."""
    alone = ~Exists(Member.objects.filter(team=OuterRef("pk")))
    return Entry.objects.filter(alone, tournament=event, state__in=states)


def playing_in(stage_order: int, number: int) -> Q:
    """Select members who play in a round of a stage: they came by then, and had not gone."""
    came = Q(from_stage__lt=stage_order) | Q(from_stage=stage_order, from_round__lte=number)
    gone = Q(until_stage__lt=stage_order) | Q(until_stage=stage_order, until_round__lte=number)
    return came & (Q(until_round=None) | ~gone)


def lineup_of(entries: Iterable[int], stage_order: int, number: int) -> dict[int, list[int]]:
    """Return, per team (key of its entry), the players of its members in a round, by number. One query."""
    rows = Member.objects.filter(playing_in(stage_order, number), team__in=list(entries)).order_by("team", "number")
    found: dict[int, list[int]] = {}
    for team, player in rows.values_list("team_id", "person__player_id"):
        found.setdefault(team, []).append(player)
    return found


def boards_of(entries: Iterable[int], stage_order: int, number: int) -> dict[int, dict[int, int]]:
    """Return, per team that sits apart (key of its entry), the player by board in a round. One query."""
    rows = Member.objects.filter(playing_in(stage_order, number), team__in=list(entries)).order_by("team", "number")
    found: dict[int, dict[int, int]] = {}
    for team, board, player in rows.values_list("team_id", "number", "person__player_id"):
        found.setdefault(team, {})[board] = player
    return found


@dataclass(frozen=True, slots=True)
class Slot:
    """A round for which a line-up may be given. last: the last round that its stage can have."""

    stage: Stage
    number: int
    last: int

    @property
    def is_blind(self) -> bool:
        """True if nobody sees a line-up before the draw: where all rounds are drawn at once its tables are out."""
        return self.stage.format.needs_results or self.stage.state == Stage.State.PLANNED


def slot_of(event: Tournament) -> Slot | None:
    """Return the first round whose line-ups are open: not drawn yet, or (where all are drawn at once) not called yet.

    Of the stage that is on, or of the next one. Two queries a stage.
    """
    for stage in event.stages.exclude(state=Stage.State.CLOSED).order_by("order"):
        drawn = stage.rounds.count()
        if stage.format.needs_results:
            number, last = drawn + 1, stage.rounds_planned
        else:
            begun = Match.objects.filter(stage=stage).exclude(state__in=WAITING)
            number = 1 + (begun.aggregate(last=Max("round__number"))["last"] or 0)
            last = drawn or MAX_ROUNDS
        if number <= last:
            return Slot(stage, number, last)
    return None


def empty_sides(match: Match) -> list[int]:
    """Return sides of a table at which nobody sits: boards without a member. One query."""
    return sorted(match.seats.filter(player=None, board__isnull=False).values_list("side", flat=True))


def who_sat(stage: Stage, entries: Iterable[int]) -> dict[tuple[int, str], str]:
    """Return, per team (key of its entry) and match (id), the board and its player, in words. One query."""
    seats = Seat.objects.filter(match__stage=stage, entry__in=list(entries), board__isnull=False)
    found = {}
    for entry, match, board, name in seats.values_list("entry_id", "match__uuid", "board", "player__name"):
        shown = {"n": board, "name": name or _("nobody")}
        found[entry or 0, str(match)] = _("board %(n)s, %(name)s") % shown
    return found
