"""The life of a tournament: announce, open, start, pause, resume, cancel, archive."""

from __future__ import annotations

import secrets
from typing import Final

from django.db import transaction
from django.db.models import Case, F, Value, When
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from activity import wake_ups
from activity.domain_events import DomainEvent
from activity.journal import publish, publish_queue_change
from bots.selectors.workers import idle_processes
from core.errors import TournamentError
from engine.deck import commitment
from tournaments.domain_events.matches import MatchVoided
from tournaments.lifecycle import locks
from tournaments.lifecycle.signals import event_paused, event_resumed
from tournaments.lifecycle.transitions import OWNER, act, possible_verbs, require_possible, transition
from tournaments.lifecycle.values import written_reason
from tournaments.matches import priorities
from tournaments.models import Match, Stage, Tournament
from tournaments.progress import stations
from tournaments.progress.derive import fold_event
from tournaments.progress.draws import draw as drawing
from tournaments.progress.round_clock import go_on_with_event, stop_with_event
from tournaments.scores.reports import reject_open
from tournaments.undo.recorder import undoable

__all__ = [
    "archive_tournament",
    "cancel_tournament",
    "open_registration",
    "pause_tournament",
    "possible_verbs",
    "publish_tournament",
    "resume_tournament",
    "start_tournament",
]

# Somebody enters or withdraws during a draw of seconds; three times in a row is an event that is not ready to start.
DRAWS_TRIED = 3
# Bounds the channels of matches that one transaction locks; the event's own page hears of all.
MAX_EVENTS: Final = 5_000


@undoable("publish")
def publish_tournament(*, tournament: Tournament, by: User, expected_version: int | None = None) -> Tournament:
    """Announce a draft: its page is public from now on. Raises TournamentError "tournament.already_published" .."""
    act(tournament, "publish", by, expected_version=expected_version)
    return tournament


@undoable("open")
def open_registration(*, tournament: Tournament, by: User, expected_version: int | None = None) -> Tournament:
    """Take entries. The stage's secret is made and committed to in the same transaction.

    Raises TournamentError "tournament.already_open", "tournament.wrong_state", "tournament.not_organiser".
    """
    with transaction.atomic():
        act(tournament, "open_registration", by, expected_version=expected_version)
        make_secrets(tournament)
    return tournament


def make_secrets(tournament: Tournament) -> None:
    """Make a secret for every stage that has none, and the commitment to it. Needs a transaction."""
    # Only stages without one: who opens the entries, undoes it and opens them again has the same commitment.
    for stage in tournament.stages.filter(commitment=""):
        secret = secrets.token_bytes(32)
        Stage.objects.filter(pk=stage.pk).update(secret=secret, commitment=commitment(secret))


@undoable("start", never_of_bots=True)
def start_tournament(*, tournament: Tournament, by: User, expected_version: int | None = None) -> Tournament:
    """Close entries, pin versions, draw every round, queue every match and send wake-ups.

    The draw is computed before the transaction; if somebody entered or withdrew meanwhile it is drawn again.
    Raises TournamentError "tournament.already_running" (a double click: nothing is doubled),
    "tournament.too_few_entries", "tournament.too_many_matches", "entries.*" and "seats.*" of the planner,
    "tournament.not_organiser", "tournament.wrong_state".
    """
    require_possible(tournament, "start", by, expected_version=expected_version)
    for _attempt in range(DRAWS_TRIED):
        try:
            draw = drawing.draw_stage(tournament)
        except TournamentError:
            # Another click has started the event since: then its entries play, and none is left to draw.
            require_possible(tournament, "start", by, expected_version=expected_version)
            raise
        with transaction.atomic():
            act(tournament, "start", by, expected_version=expected_version, changes={"started_at": timezone.now()})
            # `act` holds the event's row from here on, and entries take it, too: what is compared cannot change any
            # more.
            if drawing.is_current(draw):
                matches = drawing.write_draw(draw, by)
                wake_ups.notify_on_commit("play", times=min(matches, idle_processes()))
                if tournament.is_of_people:
                    fold_event(tournament)
                return tournament
            # The start is undone with the draw that was out of date; the event is open again for the next attempt.
            transaction.set_rollback(True)
    message = _("Entries kept changing while we drew the rounds. Try again in a moment.")
    raise TournamentError(message, code="tournament.changed")


@undoable("pause")
def pause_tournament(*, tournament: Tournament, by: User, expected_version: int | None = None) -> Tournament:
    """Pause: no match is claimed from now on; those of workers end and count.

    The clocks of rounds at tables stop, and so do the tables on this site.
    """
    events: list[DomainEvent] = []
    with transaction.atomic():
        act(tournament, "pause", by, expected_version=expected_version, later=events)
        stop_with_event(tournament)
        event_paused.send(sender=Tournament, event=tournament, later=events)
        publish(*events)
    return tournament


@undoable("resume")
def resume_tournament(*, tournament: Tournament, by: User, expected_version: int | None = None) -> Tournament:
    """Go on after a pause; its matches stand where the queue is now, not where it was.

    Raises TournamentError "tournament.already_running" ..
    """
    events: list[DomainEvent] = []
    with transaction.atomic():
        # Before the event's row, as where results are taken up: two of them must not wait crosswise.
        locks.lock_standings(tournament)
        act(tournament, "resume", by, expected_version=expected_version, later=events)
        # In this transaction: a claim right after the commit must not take all of its matches first.
        priorities.catch_up(tournament)
        go_on_with_event(tournament)
        event_resumed.send(sender=Tournament, event=tournament)
        if tournament.calls_alone:
            stations.fill(tournament, events)
        publish(*events)
        wake_ups.notify_on_commit("play", times=idle_processes())
        wake_ups.notify_on_commit("derive")
    return tournament


@undoable("cancel", OWNER, never_of_bots=True)
def cancel_tournament(
    *, tournament: Tournament, by: User, reason: str, expected_version: int | None = None
) -> Tournament:
    """Call it off: its matches that are not finished become void, the decks of those that are get revealed.

    A draft that nobody has seen stays its organisers' own: it becomes private. Raises TournamentError
    "tournament.reason_needed", "tournament.reason_invalid", "tournament.reason_too_long", "tournament.not_organiser",
    "tournament.already_cancelled", "tournament.wrong_state".
    """
    reason = written_reason(reason, kind="tournament")
    changes = {"reason": reason, "finished_at": timezone.now(), "visibility": _unseen_stays_unseen()}
    events: list[DomainEvent] = []
    with transaction.atomic():
        act(tournament, "cancel", by, expected_version=expected_version, reason=reason, changes=changes, later=events)
        events += _void_open_matches(tournament, by)
        publish(*events)  # last: workers that record results hold their match and wait for the channel
        if tournament.is_of_people:
            fold_event(tournament)
        wake_ups.notify_on_commit("derive")
    return tournament


def _unseen_stays_unseen() -> Case:
    # In the same UPDATE as the state: no reader sees a cancelled draft that is public.
    private = When(state=Tournament.State.DRAFT, then=Value(Tournament.Visibility.PRIVATE.value))
    return Case(private, default=F("visibility"))


def _void_open_matches(tournament: Tournament, by: User) -> list[DomainEvent]:
    """Make void what is not finished. Returns the events for the pages of those matches, the oldest 5,000 of them."""
    void = transition(Match, "void")
    open_matches = Match.objects.filter(stage__tournament=tournament, state__in=void.sources)
    # By key, as everybody locks matches; a worker that is recording one of them is waited for, and its result counts.
    rows = list(open_matches.select_for_update(of=("self",)).order_by("pk").only("uuid"))
    keys = [row.pk for row in rows]
    Match.objects.filter(pk__in=keys).update(state=void.target, lease=None, finished_at=timezone.now())
    reject_open(keys, by)
    publish_queue_change()
    return [MatchVoided(row.channel, state=void.target) for row in rows[:MAX_EVENTS]]


@undoable("archive", OWNER)
def archive_tournament(*, tournament: Tournament, by: User) -> Tournament:
    """Archive a finished tournament; it stays readable."""
    act(tournament, "archive", by)
    return tournament
