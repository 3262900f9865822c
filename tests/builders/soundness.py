"""Invariants of an event of people after any acts in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from bots.models import AuditEvent
from core.formats import kinds
from tournaments.lifecycle.transitions import TRANSITIONS, label
from tournaments.matches.byes import requested_byes_in
from tournaments.models import Match, ResultReport, Round, Seat, Stage, StageEntry, Standing, Tournament
from tournaments.standings import level_matches, store

M, R, S, T = Match.State, Round.State, Stage.State, Tournament.State
AT_TABLE = (M.CALLED, M.PLAYING, M.REPORTED, M.DISPUTED)
SETTLED = (M.CONFIRMED, M.VOID)
DRAWN_ANEW = kinds(lambda each: each.is_round_by_round)
EVERYBODY = (*DRAWN_ANEW, "round_robin", "tables")
"""Kinds whose rounds have a table or a bye for everybody who is in the stage."""


def faults_of(event: Tournament) -> list[str]:
    """Return everything that is not as it must be; empty when all is well."""
    event.refresh_from_db()
    stages = list(event.stages.select_related("tournament", "ruleset").order_by("order"))
    found = [*_of_event(event, stages), *_at_two_tables(event)]
    for match in Match.objects.filter(stage__tournament=event).prefetch_related("reports", "seats"):
        found += _of_match(match)
    for stage in stages:
        found += _of_stage(stage)
    return found


def _of_event(event: Tournament, stages: list[Stage]) -> Iterator[str]:
    is_closed = all(stage.state == S.CLOSED for stage in stages)
    if event.state in (T.FINISHED, T.ARCHIVED) and not is_closed:
        yield "finished, with a stage that is not closed"
    if event.state in (T.DRAFT, T.PUBLISHED, T.REGISTRATION) and any(stage.state != S.PLANNED for stage in stages):
        yield "not started, with a stage that is drawn"
    if not event.roles.filter(role="owner").exists():
        yield "nobody owns it"


def _at_two_tables(event: Tournament) -> Iterator[str]:
    """Yield people at two tables: between the call and the first figures they sit somewhere; what is disputed they may
    leave.
    """
    seats = Seat.objects.filter(match__stage__tournament=event, match__state__in=(M.CALLED, M.PLAYING))
    matches = Counter(name for name, _match in set(seats.values_list("entry__player__name", "match")))
    yield from (f"{name} sits at {n} tables" for name, n in matches.items() if n > 1)


def _of_match(match: Match) -> Iterator[str]:
    reports = list(match.reports.all())
    counted = [report for report in reports if report.state == ResultReport.State.CONFIRMED]
    if len(counted) != (match.state == M.CONFIRMED):
        yield f"{match.state} with {len(counted)} results that count"
    if sorted(report.version for report in reports) != list(range(1, len(reports) + 1)):
        yield "versions of results are missing"
    waiting = sum(report.state == ResultReport.State.SUBMITTED for report in reports)
    if waiting != (match.state == M.REPORTED):
        yield f"{match.state} with {waiting} results that wait"
    seats = list(match.seats.all())
    if match.state == M.CONFIRMED:
        places = {seat.side: seat.place or 0 for seat in seats}
        if sum(_shares(list(places.values()))) != Fraction(len(places), 2):
            yield f"places {places} share more or less than the table has"
    elif match.state != M.VOID and any(seat.points is not None for seat in seats):
        yield f"{match.state}, yet its seats show points"


def _shares(places: list[int]) -> Iterator[Fraction]:
    """Yield of each side those it beat and half of those it ties with, of all others."""
    for own in places:
        beaten, tied = sum(own < each for each in places), sum(own == each for each in places) - 1
        yield Fraction(2 * beaten + tied, 2 * (len(places) - 1))


def _of_stage(stage: Stage) -> Iterator[str]:
    rounds = list(stage.rounds.order_by("number"))
    listed = stage.stage_entries.count()
    shown = Standing.objects.filter(stage=stage, after_round=store.NOW).count()
    if stage.state == S.PLANNED:
        if rounds or listed or stage.standings.exists():
            yield f"{stage}: planned, with rounds, entries or standings"
        return
    yield from store.differences(stage)
    if shown not in (0, listed):
        yield f"{stage}: {shown} rows for {listed} entries"
    if [row.number for row in rounds] != list(range(1, len(rounds) + 1)):
        yield f"{stage}: rounds are missing"
    is_after_open = False
    for row in rounds:
        yield from _of_round(stage, row, may_get_more=stage.flows and is_after_open)
        is_after_open |= row.state not in (R.COMPLETE, R.LOCKED)


def _of_round(stage: Stage, row: Round, *, may_get_more: bool) -> Iterator[str]:
    """Look at one round. may_get_more: of a bracket that flows, it stays open while the round before is played."""
    matches = list(row.matches.prefetch_related("seats__entry"))
    states = {match.state for match in matches}
    is_settled = states <= set(SETTLED)
    waits = is_settled and any(each.round == row.number for each in level_matches.undecided(stage))
    is_over = is_settled and not may_get_more
    if (row.state in (R.COMPLETE, R.LOCKED)) != is_over and not (waits and row.state == R.PLAYING):
        yield f"{row} is {row.state}, its tables are {sorted(states)}"
    if row.state == R.PUBLISHED and states & {M.PLAYING, M.REPORTED, M.DISPUTED, M.CONFIRMED}:
        yield f"{row} is published, its tables are {sorted(states)}"
    seated = [entry for match in matches if not _is_taken_out(match) for entry in _entries(match)]
    resting = [str(entry) for entry in row.plan.get("byes", ())]
    if len(set(seated + resting)) != len(seated) + len(resting):
        yield f"{row}: somebody has two places"
    if sorted(seated) != sorted(entry for pod in row.plan["pods"] for entry in pod["seats"]):
        yield f"{row}: tables are not as they were drawn"
    if stage.kind in EVERYBODY and set(seated + resting) != _present(stage, row.number):
        yield f"{row}: somebody who is there has neither a table nor a bye, or has left and has one"


def _is_taken_out(match: Match) -> bool:
    """Return whether a correction cancelled it, so that it is out of the plan, too (decision 0040): the audit has
    it.
    """
    taken = AuditEvent.objects.filter(subject=label(match), verb="match.take_out")
    return match.state == M.VOID and taken.exists()


def _entries(match: Match) -> list[str]:
    """Return who sits there, each once: teams have several seats, and where partners change a side has several
    entries.
    """
    return list(dict.fromkeys(str(seat.entry.uuid) for seat in match.seats.all() if seat.entry))


def _sides(match: Match) -> list[Seat]:
    """Return one seat of each side."""
    return list({seat.side: seat for seat in match.seats.all()}.values())


def _present(stage: Stage, number: int) -> set[str]:
    rows = StageEntry.objects.filter(stage=stage, joined_round__lte=number).exclude(left_round__lte=number)
    excused = {entry for entry, rounds in requested_byes_in(stage).items() if number in rounds}
    return {str(uuid) for uuid in rows.values_list("entry__uuid", flat=True)} - excused


def illegal_since(audit_id: int, event: Tournament) -> list[str]:
    """Return changes of state in the audit after this event that no transition has."""
    models = {model.__name__.lower(): model for model in TRANSITIONS}
    found = []
    for line in AuditEvent.objects.filter(pk__gt=audit_id, channel=event.channel):
        kind, _dot, verb = line.verb.partition(".")
        if kind not in models or set(line.before) != {"state"} or "state" not in line.after:
            continue
        known = [each for each in TRANSITIONS[models[kind]] if each.verb == verb]
        if not any(line.before["state"] in each.sources and line.after["state"] == each.target for each in known):
            found.append(f"{line.verb}: {line.before['state']} to {line.after['state']}")
    return found
