"""Knock-out matches that ended level: their entries, extra deals of bots, lots with their proof.

Source: tournaments.md section 5, the deciders of an elimination: points, extra deals, and at last lots. Bots play up to
`MAX_EXTRA` extra deals, each a match of one deal with a deal set of its own, committed to like any other; then their
best single deal decides, then lots. At tables of people only they decide, or anyone who runs the event.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID, uuid5

from django.db.models import Max
from django.utils import timezone

from activity import wake_ups
from activity.domain_events import DomainEvent
from activity.journal import audit, publish_queue_change
from bots.selectors.workers import idle_processes
from core.formats.elimination.model import BracketMatch
from core.formats.model import Pod
from engine.deck import commitment, match_seed
from tournaments.domain_events.matches import ExtraDealPlayed, LevelMatchDecided
from tournaments.lifecycle.transitions import label
from tournaments.matches.deal_sets import seed_of_deals
from tournaments.models import DealSet, Match, ResultReport, Round, Seat, Stage
from tournaments.standings import brackets

# Extra deals of bots: two equal bots are level after all of them about once in a thousand level matches.
MAX_EXTRA: Final = 4
# Names in `decided` of a report's body of that which decided.
BEST_DEAL, LOTS, RULING = "best_deal", "lots", "ruling"


@dataclass(frozen=True, slots=True)
class Level:
    """A match that waits for a decision. entries: the level ones; room: how many of them go on."""

    round: int
    pod: Pod
    entries: tuple[str, ...]
    room: int


def undecided(stage: Stage) -> list[Level]:
    """Return the matches of a bracket stage that ended level and wait for a decision, in the order of its rounds."""
    if not stage.format.is_bracket or stage.tournament.boards:
        return []
    found = [
        Level(plan.round, pod, match.level, match.room)
        for now, course in brackets.standing_of(stage)
        for plan in course.history
        for pod in plan.pods
        if (match := now.match(pod.label)).level
    ]
    return sorted(found, key=lambda each: (each.round, each.pod.table))


def bracket_match(match: Match) -> BracketMatch | None:
    """Return a match as its bracket has it; None if it is in none."""
    if match.round is None or match.extra or not match.stage.format.is_bracket:
        return None
    for now, course in brackets.standing_of(match.stage):
        for plan in course.history:
            for pod in plan.pods:
                if (plan.round, pod.table) == (match.round.number, match.table_no):
                    return now.match(pod.label)
    return None


def level_of(match: Match) -> Level | None:
    """Return what one match waits for; None if it is decided, or was never level."""
    if match.state != Match.State.CONFIRMED or match.round is None or match.extra:
        return None
    spot = (match.round.number, match.table_no)
    return next((each for each in undecided(match.stage) if (each.round, each.pod.table) == spot), None)


def rounds_blocked(stage: Stage, numbers: Collection[int], later: list[DomainEvent]) -> set[int]:
    """Return those of these rounds, whose tables are all done, that wait for matches that ended level.

    Bots play on at once: what is missing is queued, or decided after the last extra deal. Needs the event's lock.
    """
    waiting: set[int] = set()
    for each in undecided(stage) if numbers else ():
        if each.round not in numbers:
            continue
        rows = Match.objects.filter(stage=stage, round__number=each.round, table_no=each.pod.table)
        rows = rows.exclude(state=Match.State.VOID).select_related("deal_set", "stage__tournament")
        # An extra deal of it is still played: the next one, or the decision, follows from its result.
        if rows.exclude(state=Match.State.CONFIRMED).exists():
            waiting.add(each.round)
            continue
        legs = list(rows.filter(extra=0).prefetch_related("seats__entry").order_by("leg"))
        # At a table of people nothing is queued: they play the extra deal themselves.
        if legs[0].deal_set is None:
            waiting.add(each.round)
            continue
        played = rows.aggregate(last=Max("extra"))["last"]
        if played < MAX_EXTRA:
            _play_extra(legs, played + 1)
            waiting.add(each.round)
        else:
            _decide(legs, list(rows.order_by("extra", "leg")), each, later)
    return waiting


def play_on(stage: Stage, later: list[DomainEvent]) -> None:
    """Queue the next extra deal of bots' matches that ended level, or decide them, while their round goes on.

    Needs the event's lock.
    """
    numbers = stage.rounds.exclude(state=Round.State.DRAFT).values_list("number", flat=True)
    rounds_blocked(stage, set(numbers), later)


def _play_extra(legs: Sequence[Match], number: int) -> None:
    """Queue one more deal of a level match, in as many legs. Its seed follows from the deal set of the match: nobody
    can choose it once the match is drawn.
    """
    first, stage = legs[0], legs[0].stage
    assert first.deal_set is not None
    # The same uuid for the same number: a fold that is done again cannot deal other cards, the database refuses a
    # second.
    deal_set = DealSet(stage=stage, uuid=uuid5(first.deal_set.uuid, f"extra/{number}"))
    seed = match_seed(bytes(stage.secret or b""), bytes(stage.mix or b""), deal_set.uuid.bytes)
    deal_set.commit = commitment(seed)
    deal_set.save()
    now = timezone.now()
    for leg in legs:
        match = Match.objects.create(
            stage=stage,
            round_id=leg.round_id,
            deal_set=deal_set,
            leg=leg.leg,
            extra=number,
            table_no=leg.table_no,
            seats_n=leg.seats_n,
            priority=leg.priority,  # others wait for this table: it keeps its place in the queue
            state=Match.State.QUEUED,
            queued_at=now,
        )
        Seat.objects.bulk_create(_same_seat(match, seat) for seat in leg.seats.all())
    after = {"extra": number, "commit": deal_set.commit}
    audit(ExtraDealPlayed, label(first), actor=None, channel=stage.tournament.channel, after=after)
    publish_queue_change()
    wake_ups.notify_on_commit("play", times=min(len(legs), idle_processes()))


def _same_seat(match: Match, seat: Seat) -> Seat:
    return Seat(
        match=match,
        index=seat.index,
        side=seat.side,
        entry_id=seat.entry_id,
        player_id=seat.player_id,
        bot_version_id=seat.bot_version_id,
        version_n=seat.version_n,
    )


def _decide(legs: Sequence[Match], rows: Sequence[Match], level: Level, later: list[DomainEvent]) -> None:
    """Decide after the last extra deal: the best single deal of match and extra deals, then lots."""
    best = _best_deals(rows)
    order = sorted(level.entries, key=lambda entry: -best[entry])
    by = BEST_DEAL
    decided: dict[str, Any] = {"best": best}
    # Level across the line: the last who would go on and the first who would not made the same.
    if best[order[level.room - 1]] == best[order[level.room]]:
        assert legs[0].deal_set is not None
        seed = seed_of_deals(legs[0].stage, legs[0].deal_set).hex()
        by, decided = LOTS, {"best": best, "seed": seed}
        order.sort(key=lambda entry: (-best[entry], lot_of(seed, entry)))
        places = {entry: place for place, entry in enumerate(order, 1)}
    else:
        places = {entry: 1 + sum(best[other] > best[entry] for other in order) for entry in order}
    _write_decision(legs[0], {"by": by, **_by_side(legs[0], {"rank": places, **decided})}, later)


def _by_side(match: Match, figures: Mapping[str, Any]) -> dict[str, Any]:
    """Turn figures by entry into figures by side; an entry that was not level has the last place."""
    sides = entries_by_side(match)
    return {
        name: [value.get(entry, len(sides)) for entry in sides] if isinstance(value, Mapping) else value
        for name, value in figures.items()
    }


def entries_by_side(match: Match) -> list[str]:
    """Return the entry of every side, in their order."""
    found = {seat.side: str(seat.entry.uuid) for seat in match.seats.all() if seat.entry is not None}
    return [found[side] for side in sorted(found)]


def _best_deals(rows: Sequence[Match]) -> dict[str, int]:
    """Return, by entry, the most points that it made in one deal of these matches."""
    reports = ResultReport.objects.filter(match__in=rows, state=ResultReport.State.CONFIRMED, record__isnull=False)
    best: dict[str, int] = {}
    for report in reports.select_related("record", "match").prefetch_related("match__seats__entry"):
        assert report.record is not None
        record: dict[str, Any] = json.loads(report.record.data())["record"]
        entries = entries_by_side(report.match)
        for deal in record["deals"]:
            for entry, points in zip(entries, deal["score"] or (), strict=False):
                best[entry] = max(best.get(entry, points), points)
    return best


def _write_decision(match: Match, decided: dict[str, Any], later: list[DomainEvent]) -> None:
    """Write a new version of the report that counts: the same result and the same record, and what decided."""
    reports = ResultReport.objects.filter(match=match)
    old = reports.get(state=ResultReport.State.CONFIRMED)
    newest = reports.aggregate(newest=Max("version"))["newest"]
    # Before the insert: the database allows one confirmed report of a match.
    reports.filter(pk=old.pk).update(state=ResultReport.State.SUPERSEDED)
    ResultReport.objects.create(
        match=match,
        version=newest + 1,
        source=old.source,
        state=ResultReport.State.CONFIRMED,
        body=old.body | {"decided": decided},
        # The hash is of the record, which is the same; `decided` is no part of it.
        hash=old.hash,
        record_id=old.record_id,
    )
    channel = match.stage.tournament.channel
    audit(LevelMatchDecided, label(match), actor=None, channel=channel, after={"decided": decided})
    later += [
        LevelMatchDecided(each, match=str(match.uuid), version=newest + 1, decided=decided)
        for each in (channel, match.channel)
    ]


# -- lots -------------------------------------------------------------------------------------------------------------


def lots_seed(match: Match) -> str:
    """Return the seed of the lots at a table of people, hex: it follows from the stage's committed secret and from
    the match's id as the seed of a deal set does from its own, so nobody can choose it.
    """
    stage = match.stage
    return match_seed(bytes(stage.secret or b""), bytes(stage.mix or b""), match.uuid.bytes).hex()


def lot_of(seed: str, entry: str | UUID) -> str:
    """Return the lot of an entry, hex; the smallest goes on first. As of the tie-break `lots`: SHA-256 of "seed entry".

    >>> lot_of("00", "a")[:8]
    '584c28d4'
    """
    return hashlib.sha256(f"{seed} {entry}".encode()).hexdigest()
