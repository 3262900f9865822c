"""Who is together: teams and single people of an event, and who plays for a team in a round."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from django.db.models import Exists, OuterRef, Q, QuerySet

from engine.game import Ruleset as Rules
from tournaments.models import Entry, Member, Tournament


def team_size(event: Tournament) -> int:
    """How many share a side in the event's first stage; 1 where everybody plays alone."""
    stage = event.stages.select_related("ruleset").order_by("order")[0]
    sides = Rules.from_json(json.loads(stage.ruleset.canonical)).sides(stage.seats_pref)
    return max(Counter(sides).values())


def teams_of(event: Tournament) -> QuerySet[Entry]:
    """The event's entries that have members."""
    return Entry.objects.filter(Exists(Member.objects.filter(team=OuterRef("pk"))), tournament=event)


def singles_of(event: Tournament, states: Sequence[str] = (Entry.State.ENTERED, Entry.State.ACTIVE)) -> QuerySet[Entry]:
    """People who are in no team now, in these states."""
    alone = ~Exists(Member.objects.filter(team=OuterRef("pk")))
    return Entry.objects.filter(alone, tournament=event, state__in=states)


def playing_in(stage_order: int, number: int) -> Q:
    """Members who play in a round of a stage: they came by then, and had not gone."""
    came = Q(from_stage__lt=stage_order) | Q(from_stage=stage_order, from_round__lte=number)
    gone = Q(until_stage__lt=stage_order) | Q(until_stage=stage_order, until_round__lte=number)
    return came & (Q(until_round=None) | ~gone)


def lineup_of(entries: Iterable[int], stage_order: int, number: int) -> dict[int, list[int]]:
    """Per team (key of its entry) the players of its members in a round, by number. One query."""
    rows = Member.objects.filter(playing_in(stage_order, number), team__in=list(entries)).order_by("team", "number")
    found: dict[int, list[int]] = {}
    for team, player in rows.values_list("team_id", "person__player_id"):
        found.setdefault(team, []).append(player)
    return found
