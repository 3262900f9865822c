"""A FIDE report as an event of people: entries, rounds as they were paired, results, withdrawals.

What a report does not say is not made up: a win is 1 : 0 and a draw 0 : 0, by how much is not known. The event is one
like any other from then on: its open tables are played, its next round is drawn by the same rules, results may be
corrected. Everything is written in one transaction, in the state "running".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from accounts.transactions import allow_long_pauses
from core.formats.model import Plan, Pod, Reason
from core.formats.swiss.stage import planned
from core.interchange.model import Away, Event, Game, Mark, UnplayedRound
from engine.deck import nonce_mix
from engine.words import gettext_noop
from tournaments.interchange.reports import TIE_BREAKS
from tournaments.lifecycle import locks
from tournaments.lifecycle.transitions import act
from tournaments.matches.records.results import WALKOVER, fill_seats, spec_for
from tournaments.matches.report_bodies import hash_of
from tournaments.models import (
    Entry,
    Match,
    Player,
    RequestedBye,
    ResultReport,
    Seat,
    Stage,
    StageEntry,
    Standing,
    Tournament,
)
from tournaments.pairing import plans as planning
from tournaments.progress import derive
from tournaments.progress.draws import draw as drawing

CHUNK: Final = 500
READ_FROM: Final = Reason("report.read", gettext_noop("As paired in the imported report."))
REPORTED_BY: Final = "FIDE report (TRF)"
SCORE: Final = {Mark.WON: 1, Mark.DREW: 0, Mark.LOST: 0}


@dataclass(frozen=True, slots=True)
class Course:
    """An event as rows need it: entries by the number of the player, those who have left, the first rounds."""

    event: Event
    entries: Mapping[int, Entry]
    left: Collection[int]

    def name(self, number: int) -> str:
        """Return an entry's name among planners."""
        return str(self.entries[number].uuid)

    def joined(self, number: int) -> int:
        """Return the first round that has something for a player."""
        return min(self._rounds(number), default=1)

    def left_before(self, number: int) -> int | None:
        """Return the round from which on somebody is gone."""
        return max(self._rounds(number), default=0) + 1 if number in self.left else None

    def _rounds(self, number: int) -> Iterator[int]:
        yield from (game.round for game in self.event.games if number in (game.first, game.second))
        yield from (
            rest.round for rest in self.event.unplayed if rest.player == number and rest.kind is not Away.ABSENT
        )


def enter(tournament: Tournament, event: Event, by: User) -> dict[int, Entry]:
    """Make an entry for each player, by number, seeded in the order of the report."""
    players = Player.objects.bulk_create(
        [Player(name=each.name[:60], kind=Player.Kind.HUMAN) for each in event.players], batch_size=CHUNK
    )
    entries = [
        Entry(tournament=tournament, player=player, seed=each.number, state=Entry.State.ACTIVE, entered_by=by)
        for player, each in zip(players, event.players, strict=True)
    ]
    made = Entry.objects.bulk_create(entries, batch_size=CHUNK)
    return {each.number: entry for each, entry in zip(event.players, made, strict=True)}


def store_settings(tournament: Tournament, course: Course) -> None:
    """Write what else the report says: ratings, rounds sat out by arrangement, and whether it names tie-breaks."""
    event, stage = course.event, tournament.stages.get()
    stage.seeding_ratings = {course.name(each.number): float(each.rating) for each in event.players if each.rating}
    stage.save(update_fields=["seeding_ratings"])
    byes = {
        (rest.player, rest.round): event.worth(rest.kind)
        for rest in event.unplayed
        if rest.kind is not Away.BYE and _counts(rest, course)
    }
    RequestedBye.objects.bulk_create(
        RequestedBye(stage=stage, entry=course.entries[player], round_number=number, worth=str(worth))
        for (player, number), worth in byes.items()
    )
    if not event.tie_breaks:
        tournament.fide_report = {"silent": [TIE_BREAKS]}
        tournament.save(update_fields=["fide_report"])


def _counts(rest: UnplayedRound, course: Course) -> bool:
    """Return whether an absence counts; one before somebody came, or after they left, needs no arrangement."""
    gone = course.left_before(rest.player)
    return rest.kind is not Away.ABSENT or (course.joined(rest.player) <= rest.round and (gone or 999) > rest.round)


def absent_at_the_end(event: Event) -> list[int]:
    """Return players who were not there in the last round of the report: rather gone than late."""
    last = event.last_round
    here = {number for game in event.games if game.round == last for number in (game.first, game.second)}
    here |= {rest.player for rest in event.unplayed if rest.round == last and rest.kind is not Away.ABSENT}
    return [player.number for player in event.players if player.number not in here] if last else []


def plans_of(course: Course) -> tuple[Plan, ...]:
    """Return the rounds of the report."""
    event = course.event
    byes: dict[int, list[str]] = {}
    for rest in event.unplayed:
        if rest.kind is Away.BYE:
            byes.setdefault(rest.round, []).append(course.name(rest.player))
    plans: list[Plan] = []
    for turn in range(1, event.last_round + 1):
        games = [game for game in event.games if game.round == turn]
        pods = tuple(Pod(at, (course.name(g.first), course.name(g.second))) for at, g in enumerate(games, start=1))
        plans.append(planned(turn, pods, tuple(byes.get(turn, ())), plans, (), (READ_FROM,), "read"))
    return tuple(plans)


@transaction.atomic
def write(tournament: Tournament, course: Course, by: User, plans: Sequence[Plan]) -> None:
    """Start the event with the rounds of the report and its results. The event takes entries, its stage is planned."""
    allow_long_pauses()
    stage = tournament.stages.select_related("ruleset", "tournament").get()
    mix = nonce_mix({})
    lineup = tuple((course.entries[each.number].pk, None) for each in course.event.players)
    uuids = tuple(course.name(each.number) for each in course.event.players)
    draw = drawing.Draw(tournament, stage, lineup, (), uuids, mix, planning.rng_seed(stage, mix), tuple(plans))
    act(tournament, "start", by, changes={"started_at": _noon(course.event.starts)})
    drawing.write_draw(draw, by)
    _come_and_go(stage, course)
    _fill_in(stage, course, by)
    stage.refresh_from_db()
    # After the rows, for the fold alone: a new event, of which nobody else knows yet, has no other writer.
    locks.lock_standings(tournament)
    derive.refresh(tournament)
    _store_ranks(tournament, stage, course)


def _noon(day: date | None) -> datetime:
    return datetime.combine(day, time(12), tzinfo=UTC) if day is not None else timezone.now()


def _come_and_go(stage: Stage, course: Course) -> None:
    rows = {row.seed: row for row in StageEntry.objects.filter(stage=stage)}
    for number, row in rows.items():
        row.joined_round, row.left_round = course.joined(number), course.left_before(number)
    StageEntry.objects.bulk_update(rows.values(), ["joined_round", "left_round"], batch_size=CHUNK)
    gone = [course.entries[number].pk for number in course.left]
    Entry.objects.filter(pk__in=gone).update(state=Entry.State.WITHDRAWN)


def _fill_in(stage: Stage, course: Course, by: User) -> None:
    """Fill in the result of every game that has one."""
    games: dict[tuple[int, int], Game] = {}
    tables: Counter[int] = Counter()
    for game in course.event.games:
        tables[game.round] += 1
        games[game.round, tables[game.round]] = game
    rows = Match.objects.filter(stage=stage).select_related("round", "stage__tournament", "deal_set").order_by("pk")
    spec, now = spec_for(stage), timezone.now()
    matches, seats, reports = [], [], []
    for match in rows.prefetch_related("seats__entry"):
        game = games[match.round.number if match.round else 0, match.table_no or 0]
        if Mark.OPEN in game.marks:
            continue
        body = body_of(game)
        match.state, match.finished_at = Match.State.CONFIRMED, now
        matches.append(match)
        seats += fill_seats(match, match.seats.all(), body, spec)
        reports.append(_report(match, body, by))
    Match.objects.bulk_update(matches, ["state", "finished_at"], batch_size=CHUNK)
    Seat.objects.bulk_update(seats, FILLED, batch_size=CHUNK)
    ResultReport.objects.bulk_create(reports, batch_size=CHUNK)


FILLED: Final = ("points", "victories", "raw_points", "raw_victories", "place", "outcome", "fault")


def body_of(game: Game) -> dict[str, Any]:
    """Build the body of a report of people for a mark."""
    absent = [seat for seat, mark in enumerate(game.marks) if mark is Mark.NO_SHOW]
    if absent:
        rank = [2, 2] if len(absent) == 2 else [1 + (seat in absent) for seat in range(2)]
        forfeits = [{"seat": seat, "code": "no_show", "deal": 1, "move": 0} for seat in absent]
        return _body(WALKOVER, [0, 0], rank) | {"forfeits": forfeits}
    score = [SCORE[mark] for mark in game.marks]
    return _body("complete", score, [1 + (max(score) > own) for own in score]) | {"forfeits": []}


def _body(end: str, score: list[int], rank: list[int]) -> dict[str, Any]:
    return {"end": end, "score": score, "victories": list(score), "rank": rank, "deals": 1}


def _report(match: Match, body: Mapping[str, Any], by: User) -> ResultReport:
    return ResultReport(
        match=match,
        source=ResultReport.Source.PEOPLE,
        state=ResultReport.State.CONFIRMED,
        body=body,
        hash=hash_of(body),
        by=by,
        reason=REPORTED_BY,
    )


def _store_ranks(tournament: Tournament, stage: Stage, course: Course) -> None:
    """Store ranks that our tie-breaks would give otherwise for the next report, as long as the results are these."""
    ranks = {course.name(each.number): each.rank for each in course.event.players if each.rank}
    rows = list(Standing.objects.filter(stage=stage).values_list("after_round", "entry__uuid", "rank", "input_hash"))
    last = [row for row in rows if row[0] in (0, course.event.last_round)]
    if not ranks or all(ranks[str(uuid)] == rank for _after, uuid, rank, _hash in last):
        return
    tournament.refresh_from_db()
    tournament.fide_report |= {"ranks": ranks, "hashes": sorted({row[3] for row in last})}
    tournament.save(update_fields=["fide_report"])
