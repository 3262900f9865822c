"""Consequences of a corrected result (tournaments.md section 8), all in the transaction of the correction.

All that nobody has started follows on its own: fed matches are reseated, a next stage is drawn again. What people have
begun stays as it was drawn unless the arbiter asks for it to be done again: then fed matches and all that was fed by
them are cancelled and come back with the next draw, and a round that nobody was called for is drawn again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.utils import timezone

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from core.formats.model import Plan
from tournaments.domain_events.matches import MatchReseated
from tournaments.domain_events.stages import StageUnchanged
from tournaments.domain_events.tournaments import StandingsSignedAgain
from tournaments.lifecycle.transitions import act, label
from tournaments.models import Entry, Match, ResultReport, Round, Seat, Stage, Standing, Tournament
from tournaments.pairing import lineups
from tournaments.progress import derive, stages
from tournaments.progress.rounds import redraw_round
from tournaments.progress.stage_actions import redraw_stage
from tournaments.standings import store
from tournaments.standings.brackets import Place, places_of, without

KEEP: Final = "keep"
REDO: Final = "redo"
# Choices for what people have begun already: keep it as it is, or do it again.
CHOICES: Final = (KEEP, REDO)
FIGURES: Final = ("points", "victories", "raw_points", "raw_victories", "place", "fault")
M, R = Match.State, ResultReport.State


def follow(match: Match, by: User, then: str, events: list[DomainEvent]) -> None:
    """Do everything that follows from the result of a match as it is now.

    Needs the event's lock, and a fold before it.
    """
    stage = match.stage
    number = match.round.number if match.round else 1
    if stage.format.is_bracket:
        _in_bracket(stage, number, by, then, events)
    elif then == REDO:
        _in_rounds(stage, number, events)
    if stage.state == Stage.State.CLOSED:
        _in_next_stages(stage, by, events)


def follow_standings(stage: Stage, by: User, then: str, events: list[DomainEvent]) -> None:
    """Do everything that follows from a table that changed without a result.

    Needs the event's lock and a fold before.
    """
    if then == REDO and stage.tournament.is_of_people:
        # Round 1, which is before every other: an adjustment may count from any round, so the last one may follow from
        # it.
        _in_rounds(stage, 1, events)
    if stage.state == Stage.State.CLOSED:
        _in_next_stages(stage, by, events)


def sign_again(event: Tournament, by: User, reason: str) -> None:
    """Write into the log which standings count now, in an event that is over and whose final ones changed."""
    final = Standing.objects.filter(stage__tournament=event, after_round=store.NOW).order_by("-stage__order")
    signed = {"standings": final.values_list("input_hash", flat=True).first() or "", "reason": reason}
    audit(StandingsSignedAgain, label(event), actor=by, channel=event.channel, after=signed)


def _in_bracket(stage: Stage, number: int, by: User, then: str, events: list[DomainEvent]) -> None:
    """Put matches right in the order of the rounds: each change may free or fill those after it."""
    left = [place.pod.label for place in places_of(stage) if place.round > number]
    for name in left:
        # Read again for each: putting one right changes who belongs in those after it.
        place = next(place for place in places_of(stage) if place.pod.label == name)
        if not place.is_right:
            _put_right(stage, place, by, then, events)


def play_again_from(match: Match, place: Place, by: User, events: list[DomainEvent]) -> None:
    """Cancel a match that others belong in, and all that it fed. Needs the event's lock."""
    _take_out(match, place, by, events)
    # Published before the fold: the ledger reads from the channel which matches have changed.
    publish(*events)
    events.clear()
    refold(match.stage)
    _in_bracket(match.stage, place.round, by, REDO, events)


def _put_right(stage: Stage, place: Place, by: User, then: str, events: list[DomainEvent]) -> None:
    match = Match.objects.select_for_update(of=("self",)).get(
        stage=stage, round__number=place.round, table_no=place.pod.table, extra=0
    )
    # A cancelled match stays cancelled, no matter who belongs in it now.
    if match.state == M.VOID:
        return
    # Nobody was called and no worker has it: changing it needs nobody's choice.
    waits = match.state in (M.READY, M.QUEUED)
    if match.state == M.READY and place.is_playable and not _have_bots(place):
        _reseat(match, place, events)
    elif waits or (then == REDO and stage.state == Stage.State.ACTIVE):
        _take_out(match, place, by, events)


def _have_bots(place: Place) -> bool:
    """Return whether a table changes into one that workers play, or back: then the next draw makes it again."""
    concerned = {*place.pod.seats, *place.due.entries}
    return Entry.objects.filter(uuid__in=concerned, bot_version__isnull=False).exists()


def _reseat(match: Match, place: Place, events: list[DomainEvent]) -> None:
    """Seat those who belong there: who stays keeps their seat, the others take the seats that became free."""
    belong = list(place.due.entries)
    coming = [entry for entry in belong if entry not in place.pod.seats]
    seats = tuple(entry if entry in belong else coming.pop(0) for entry in place.pod.seats)
    rows = {str(row.uuid): row for row in Entry.objects.filter(uuid__in=seats)}
    players = lineups.seated(match.stage, place.round, rows.values())
    changed = list(Seat.objects.filter(match=match).order_by("index"))
    sides = [seat.side for seat in changed]
    for seat in changed:
        seat.entry = rows[seats[seat.side]]
        seat.player_id = lineups.player_on(seat.index, sides, players[seat.entry.pk])
    Seat.objects.bulk_update(changed, ["entry", "player"])
    # The plan goes with the seats: the next rounds of the bracket are drawn from it, not from the rows.
    row = Round.objects.get(matches=match)
    row.plan["pods"] = [
        {**pod, "seats": list(seats)} if pod["label"] == place.pod.label else pod for pod in row.plan["pods"]
    ]
    row.save(update_fields=["plan"])
    after = {"match": str(match.uuid), "entries": list(seats)}
    channels = (match.stage.tournament.channel, match.channel)
    events += [MatchReseated(channel, match=str(match.uuid), entries=list(seats)) for channel in channels]
    audit(MatchReseated, label(match), actor=None, channel=match.stage.tournament.channel, after=after)


def _take_out(match: Match, place: Place, by: User, events: list[DomainEvent]) -> None:
    """Take a match out of the plan and the count: the next draw has it again, if it is to be played."""
    row = Round.objects.get(matches=match)
    row.plan = without(Plan.from_json(row.plan), place.pod.label).to_json()
    row.save(update_fields=["plan"])
    # Superseded, not deleted: reports are append-only, and the page of the table goes on to show what was played.
    ResultReport.objects.filter(match=match, state=R.CONFIRMED).update(state=R.SUPERSEDED)
    ResultReport.objects.filter(match=match, state__in=(R.SUBMITTED, R.DISPUTED)).update(state=R.REJECTED)
    blank: dict[str, Any] = dict.fromkeys(FIGURES)
    Seat.objects.filter(match=match).update(**blank | {"outcome": Seat.Outcome.OPEN})
    act(match, "take_out", by, changes={"finished_at": timezone.now()}, later=events)


def _in_rounds(stage: Stage, number: int, events: list[DomainEvent]) -> None:
    """Draw the last round again, if it was drawn from this result and nobody was called for it."""
    last = stage.rounds.order_by("-number").first()
    if last is None or last.number <= number or not stage.format.needs_results or stage.flows:
        return
    if stage.state != Stage.State.ACTIVE or last.matches.exclude(state=M.READY).exists():
        return
    redraw_round(last, events)


def _in_next_stages(stage: Stage, by: User, events: list[DomainEvent]) -> None:
    """Redraw a stage for which others qualify now if nobody was called in it; log a line for one that began."""
    for target in _drawn_targets(stage):
        going = stages.going_on(target)
        listed = target.stage_entries.order_by("seed").values_list("entry__uuid", "seed")
        if [(item.entry, item.seed) for item in going.comers] == [(str(uuid), seed) for uuid, seed in listed]:
            continue
        if target.matches.exclude(state=M.READY).exists():
            event = target.tournament
            after = {"stage": target.order, "name": target.name}
            audit(StageUnchanged, label(target), actor=by, channel=event.channel, after=after)
            events.append(StageUnchanged(event.channel, stage=target.order, name=target.name))
        else:
            redraw_stage(target)


def _drawn_targets(stage: Stage) -> Sequence[Stage]:
    rows = Stage.objects.filter(ways_in__source=stage).exclude(state=Stage.State.PLANNED).distinct()
    return list(rows.select_related("tournament", "ruleset").order_by("order"))


def refold(stage: Stage) -> None:
    """Update standings and rounds, of a stage that is signed already, too. Needs the event's lock."""
    derive.refresh(stage.tournament)
    # `refresh` leaves closed stages out, since nothing ordinary changes them.
    stage.refresh_from_db()
    if stage.state == Stage.State.CLOSED:
        derive.refold(stage)
