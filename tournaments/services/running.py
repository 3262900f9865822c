"""The life of a tournament: announce, open, start, pause, resume, cancel, archive."""

from __future__ import annotations

import secrets

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from bots import bells
from bots.selectors.workers import idle_processes
from engine.deck import commitment
from tournaments.errors import TournamentError
from tournaments.jobs import drawing
from tournaments.jobs.transitions import act, possible_verbs, require_possible, transition
from tournaments.models import Match, Stage, Tournament

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

DRAWS_TRIED = 3


def publish_tournament(*, tournament: Tournament, by: User, expected_version: int | None = None) -> Tournament:
    """Announce a draft: its page is public from now on. Raises TournamentError "tournament.already_published" .."""
    act(tournament, "publish", by, expected_version=expected_version)
    return tournament


def open_registration(*, tournament: Tournament, by: User, expected_version: int | None = None) -> Tournament:
    """Take entries. The stage's secret is made and committed to in the same transaction.

    Raises TournamentError "tournament.already_open", "tournament.wrong_state", "tournament.not_organiser".
    """
    with transaction.atomic():
        act(tournament, "open_registration", by, expected_version=expected_version)
        for stage in tournament.stages.filter(commitment=""):
            secret = secrets.token_bytes(32)
            Stage.objects.filter(pk=stage.pk).update(secret=secret, commitment=commitment(secret))
    return tournament


def start_tournament(*, tournament: Tournament, by: User, expected_version: int | None = None) -> Tournament:
    """Close entries, pin versions, draw every round, queue every match and ring.

    The draw is computed before the transaction; if somebody entered or withdrew meanwhile it is drawn again.
    Raises TournamentError "tournament.already_running" (a double click: nothing is doubled),
    "tournament.too_few_entries", "tournament.too_many_matches", "entries.*" and "seats.*" of the planner,
    "tournament.not_organiser", "tournament.wrong_state".
    """
    require_possible(tournament, "start", by, expected_version=expected_version)
    for _attempt in range(DRAWS_TRIED):
        draw = drawing.draw_stage(tournament)
        with transaction.atomic():
            act(tournament, "start", by, expected_version=expected_version, changes={"started_at": timezone.now()})
            if drawing.is_current(draw):
                matches = drawing.write_draw(draw, by)
                bells.ring_on_commit("play", times=min(matches, idle_processes()))
                return tournament
            transaction.set_rollback(True)
    message = _("Entries kept changing while the rounds were drawn. Start again in a moment.")
    raise TournamentError(message, code="tournament.changed")


def pause_tournament(*, tournament: Tournament, by: User, expected_version: int | None = None) -> Tournament:
    """No match is claimed from now on; those in play end and count. One UPDATE, whatever is queued."""
    act(tournament, "pause", by, expected_version=expected_version)
    return tournament


def resume_tournament(*, tournament: Tournament, by: User, expected_version: int | None = None) -> Tournament:
    """Go on after a pause. Raises TournamentError "tournament.already_running" .."""
    with transaction.atomic():
        act(tournament, "resume", by, expected_version=expected_version)
        bells.ring_on_commit("play", times=idle_processes())
        bells.ring_on_commit("derive")
    return tournament


def cancel_tournament(
    *, tournament: Tournament, by: User, reason: str, expected_version: int | None = None
) -> Tournament:
    """Call it off: its matches that are not finished become void. Raises TournamentError "tournament.reason_needed"."""
    if not reason.strip():
        message = _("Say why: everybody who entered or follows will read it.")
        raise TournamentError(message, code="tournament.reason_needed")
    with transaction.atomic():
        changes = {"reason": reason.strip()[:300], "finished_at": timezone.now()}
        act(tournament, "cancel", by, expected_version=expected_version, reason=reason.strip(), changes=changes)
        void = transition(Match, "void")
        open_matches = Match.objects.filter(stage__tournament=tournament, state__in=void.sources)
        open_matches.update(state=void.target, lease=None, finished_at=timezone.now())
    return tournament


def archive_tournament(*, tournament: Tournament, by: User) -> Tournament:
    """Put a finished tournament away; it stays readable."""
    act(tournament, "archive", by)
    return tournament
