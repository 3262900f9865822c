"""Rounds at tables: call one, draw the next from the results, take it back, sign the end. Organisers do it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.phrasing import listed
from activity import wake_ups
from activity.domain_events import DomainEvent
from activity.journal import publish
from bots.selectors.workers import idle_processes
from core.errors import TournamentError
from core.formats.model import Plan
from engine.record import canonical
from tournaments.lifecycle import locks
from tournaments.lifecycle.transitions import ORGANISERS, act, may
from tournaments.matches.report_bodies import Claim
from tournaments.models import DealSet, Entry, Match, Round, Seat, Stage, Tournament
from tournaments.pairing import constraints
from tournaments.pairing.table_numbers import numbered
from tournaments.progress import derive, stations
from tournaments.progress.derive import fold_event
from tournaments.progress.draws import draw, next_round
from tournaments.progress.round_clock import begin_clock
from tournaments.scores.actions import Actor, take_result
from tournaments.standings import level_matches
from tournaments.undo.recorder import undoable

M, R = Match.State, Round.State
# Maximum number of tables in the last round of a bracket: the final, and the match for the third place.
FINAL_TABLES: Final = 2


@dataclass(frozen=True, slots=True)
class NextRound:
    """The draw as it would be now. hash: names this very draw. plan: None when the stage has no further round."""

    stage: Stage
    number: int
    plan: Plan | None
    hash: str
    names: dict[str, str]


@undoable("call")
def call_round(*, round_row: Round, by: User) -> int:
    """Call every table of a round that waits, and whose people sit nowhere else. Returns how many were called.

    Of a bracket that flows, where tables are counted, as many as there are free tables. Raises TournamentError
    "tournament.not_organiser", "round.not_running", "round.nothing_to_call", "round.people_busy", "hall.full".
    """
    event = round_row.stage.tournament
    events: list[DomainEvent] = []
    with transaction.atomic():
        may(event, by, ORGANISERS, "call")
        _require_running(event)
        if round_row.stage.flows and event.hall_tables is not None:
            return _call_to_tables(round_row, by)
        # Before the tables are locked: the event's row comes first everywhere.
        begin_clock(round_row)
        rows = Match.objects.select_for_update(of=("self",)).select_related("stage__tournament")
        waiting = list(rows.filter(round=round_row, state=M.READY).order_by("table_no"))
        if not waiting:
            message = _("No table of this round is waiting to be called. Reload the page to see where they are.")
            raise TournamentError(message, code="round.nothing_to_call")
        free = stations.free_matches(event, waiting)
        if not free:
            message = _("Everybody in this round is still playing at another table. Enter those results first.")
            raise TournamentError(message, code="round.people_busy")
        for match in free:
            act(match, "call", by, later=events)
        _enter_empty(free, by, events)
        publish(*events)
    # Last, because a no-show of empty boards may have completed the round.
    fold_event(event)
    return len(free)


def _call_to_tables(round_row: Round, by: User) -> int:
    """Call matches of a round of a bracket that flows to the tables of the hall that are free."""
    event = round_row.stage.tournament
    events: list[DomainEvent] = []
    locks.lock_standings(event)
    called = stations.fill(event, events, by, round_row)
    if not called:
        stations.refuse_call(event)
    publish(*events)
    return len(called)


def _enter_empty(called: Sequence[Match], by: User, events: list[DomainEvent]) -> None:
    """Enter a no-show of the others where, of teams that sit apart, at most one board has somebody."""
    empty: dict[int, list[int]] = {}
    rows = Seat.objects.filter(match__in=called, board__isnull=False, player=None)
    for pk, side in rows.order_by("index").values_list("match", "side"):
        empty.setdefault(pk, []).append(side)
    for match in called:
        if match.seats_n - len(empty.get(match.pk, ())) < 2:
            take_result(match, Actor(user=by), Claim(absent=tuple(empty[match.pk])), "", events)


def _require_running(event: Tournament) -> None:
    event.refresh_from_db()
    if event.state != Tournament.State.RUNNING:
        message = _("The event is not running. Start or resume it first.")
        raise TournamentError(message, code="round.not_running", extra={"state": event.state})


def waits_for_draw(stage: Stage) -> bool:
    """Return whether every round drawn so far is complete and the next follows from the results."""
    return next_round.ready_to_go_on().filter(pk=stage.pk).exists()


def may_follow(stage: Stage, drawn: int, tables: int) -> bool:
    """Return whether a round may follow where a stage waits for its draw.

    drawn: rounds so far; tables: of the last one.

    A Swiss ends with its last round. A bracket is asked once it may be down to its final, which takes some queries.
    """
    if stage.format.is_round_by_round:
        return drawn < stage.rounds_planned
    if not stage.format.ranks_by_bracket or tables > FINAL_TABLES or level_matches.undecided(stage):
        return True
    return drawn_next(stage).plan is not None


def require_decided(stage: Stage) -> None:
    """Raise TournamentError "round.level" while a match that ended level waits for a decision."""
    waiting = level_matches.undecided(stage)
    if waiting:
        tables = listed(
            _("round %(round)s, table %(n)s") % {"round": each.round, "n": each.pod.table} for each in waiting
        )
        message = _("Tied, so nobody advances yet: %(tables)s. Enter an extra deal there, or say who won.")
        raise TournamentError(message % {"tables": tables}, code="round.level")


def preview_next(*, stage: Stage, by: User) -> NextRound:
    """Draw the next round and write nothing: the same results give the same draw.

    Raises TournamentError "tournament.not_organiser", "round.not_complete", "round.level" (a knock-out match ended
    level and nobody has decided it), and the planner's own.
    """
    may(stage.tournament, by, ORGANISERS, "draw")
    require_decided(stage)
    if not waits_for_draw(stage):
        message = _("You can draw the next round once every table of this one is confirmed and the event is running.")
        raise TournamentError(message, code="round.not_complete")
    following = drawn_next(stage)
    plan = following.plan
    document = plan.to_json() if plan is not None else {}
    # `after` is in the hash: the same pairings after another round would be another draw.
    digest = hashlib.sha256(canonical({"after": following.after, "plan": str(document)})).hexdigest()
    names = Entry.objects.filter(stage_entries__stage=stage).values_list("uuid", "player__name")
    named = {str(uuid): name for uuid, name in names}
    return NextRound(stage, following.after + 1, plan, digest[:32], named)


@undoable("draw", never_of_bots=True)
def publish_next(*, stage: Stage, by: User, seen: str) -> Round:
    """Write the draw that was previewed. seen: its hash; another one (somebody left, a result changed) is refused.

    Raises what `preview_next` raises, "round.draw_changed", "round.no_more".
    """
    drawn = preview_next(stage=stage, by=by)
    if drawn.plan is None:
        message = _("No further round is possible. Close the event instead.")
        raise TournamentError(message, code="round.no_more")
    events: list[DomainEvent] = []
    with transaction.atomic():
        locks.lock_standings(stage.tournament)
        # Asked again under the lock: a second click, or a result that was disputed meanwhile, finds another round here.
        if drawn.hash != seen or not waits_for_draw(stage) or stage.rounds.count() != drawn.number - 1:
            message = _("Something changed in the meantime: check the new draw, then publish it.")
            raise TournamentError(message, code="round.draw_changed")
        row = publish_drawn(stage, drawn.plan, by, events)
        publish(*events)
    fold_event(stage.tournament)
    return row


def publish_drawn(stage: Stage, plan: Plan, by: User | None, events: list[DomainEvent]) -> Round:
    """Write a round and publish it. Needs the event's lock and a transaction."""
    row, _matches = draw.write_round(stage, plan)
    act(row, "publish", by, later=events)
    before = stage.rounds.filter(number=row.number - 1, state=R.COMPLETE).first()
    if before is not None:
        act(before, "lock", None, later=events)
    # Counted before the commit, sent after it.
    wake_ups.notify_on_commit("play", times=min(draw.queue_ready(row.matches.all()), idle_processes()))
    return row


@undoable("take_back", never_of_bots=True)
def take_back_round(*, round_row: Round, by: User) -> None:
    """Undo the last draw while none of its tables is called: the round is gone, the one before is open again.

    Raises TournamentError "tournament.not_organiser", "round.started", "round.not_last", "round.wrong_state".
    """
    stage = round_row.stage
    may(stage.tournament, by, ORGANISERS, "take_back")
    events: list[DomainEvent] = []
    with transaction.atomic():
        locks.lock_standings(stage.tournament)
        last = stage.rounds.order_by("-number").first()
        # Of a bracket that flows the same matches would be drawn again at once.
        takes_back = stage.format.needs_results and not stage.flows
        if last is None or last.pk != round_row.pk or last.number == 1 or not takes_back:
            message = _("You can only undo the draw of the last round that was drawn from results.")
            raise TournamentError(message, code="round.not_last")
        # Locked while they are looked at: a scorer cannot call one of them before they are deleted.
        matches = list(Match.objects.select_for_update().filter(round=last))
        if not all(_is_untouched(match) for match in matches):
            message = _(
                "Tables of this round are already called, so you cannot undo the draw. Correct the result instead."
            )
            raise TournamentError(message, code="round.started")
        _take_back(last, by, events)
        publish(*events)
    fold_event(stage.tournament)


def _take_back(last: Round, by: User | None, events: list[DomainEvent]) -> None:
    act(last, "take_back", by, later=events)
    before = last.stage.rounds.get(number=last.number - 1)
    if before.state == R.LOCKED:
        act(before, "unlock", by, later=events)
    # The deal sets are noted before the matches go, through which they are found; PROTECT demands that order, too.
    decks = list(last.matches.exclude(deal_set=None).values_list("deal_set", flat=True))
    Match.objects.filter(round=last).delete()
    DealSet.objects.filter(pk__in=decks).delete()
    last.delete()


def _is_untouched(match: Match) -> bool:
    """Return whether it was neither called nor ever claimed, and nobody ever reported it: reports are kept."""
    if match.reports.exists():
        return False
    # attempt 0: a worker that claimed it, and gave it back, has seen its cards.
    return match.state == M.READY or (match.state == M.QUEUED and match.attempt == 0)


def redraw_round(last: Round, events: list[DomainEvent]) -> None:
    """Draw the last round again from the results as they are. Needs the event's lock; nobody was called for it."""
    stage = last.stage
    _take_back(last, None, events)
    # The round before must count as open again before the next one is drawn from it.
    derive.refresh(stage.tournament)
    plan = drawn_next(stage).plan
    if plan is not None:
        publish_drawn(stage, plan, None, events)


def drawn_next(stage: Stage) -> next_round.Next:
    """Return what follows in a stage of people: the next round with its tables and reasons. Writes nothing."""
    following = next_round.next_of(stage)
    if following.plan is None:
        return following
    (plan,) = numbered(stage, constraints.explained((following.plan,), constraints.clubs_in(stage)))
    return replace(following, plan=plan)


@undoable("close")
def close_stage(*, stage: Stage, by: User) -> Stage:
    """Sign the standings of a stage: every round is complete, nothing is open. Its secret is shown from now on.

    After the last stage the event is finished; else the stages it leads to can be drawn once all before them are
    closed. Raises TournamentError "tournament.not_organiser", "round.not_running", "stage.not_complete",
    "round.level", "stage.already_closed" (a double click: nothing is done twice).
    """
    events: list[DomainEvent] = []
    event = stage.tournament
    with transaction.atomic():
        may(event, by, ORGANISERS, "close")
        locks.lock_standings(event)
        # First, so that a result that came a moment ago completes its round, and no wrong table is signed.
        derive.refresh(event)
        stage.refresh_from_db()
        _require_complete(event, stage)
        act(stage, "settle", None, later=events)
        last = stage.rounds.order_by("-number")[0]
        if last.state == R.COMPLETE:
            act(last, "lock", None, later=events)
        act(stage, "close", by, changes={"revealed_at": timezone.now()}, later=events)
        derive.finish(event, events)
        publish(*events)
    return stage


def _require_complete(event: Tournament, stage: Stage) -> None:
    if stage.state == Stage.State.CLOSED:
        message = _("The final standings are already confirmed: somebody else (or a second click) was faster.")
        raise TournamentError(message, code="stage.already_closed")
    _require_running(event)
    require_decided(stage)
    is_open = stage.rounds.exclude(state__in=(R.COMPLETE, R.LOCKED)).exists()
    if is_open or stage.state != Stage.State.ACTIVE or not stage.rounds.exists():
        message = _("Tables are still open. Confirm, rule or cancel each of them, then close the stage.")
        raise TournamentError(message, code="stage.not_complete")
