"""What an organiser does about a held (quarantined) match."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from bots import bells
from tournaments.jobs.transitions import ORGANISERS, act, roles_of
from tournaments.models import Match
from tournaments.services.reasons import written_reason


def may_rule(match: Match, user: User | None) -> bool:
    """Whether this person decides about this match now: an organiser of its event, while it is held."""
    return match.state == Match.State.QUARANTINED and bool(roles_of(match.stage.tournament, user) & ORGANISERS)


def retry_match(*, match: Match, by: User) -> Match:
    """Put a held match back into the queue with a clean slate of infrastructure faults; its history stays.

    Raises TournamentError "tournament.not_organiser", "match.already_queued", "match.wrong_state".
    """
    with transaction.atomic():
        fresh = {"faults": 0, "suspects": [], "suspect_worker": None, "queued_at": timezone.now()}
        act(match, "retry", by, changes=fresh)
        bells.ring_on_commit("play")
    return match


def void_match(*, match: Match, by: User, reason: str) -> Match:
    """Take a match out of the event for good; with its deal set's other legs it no longer counts.

    A worker that is playing it finds its claim gone. Raises TournamentError "match.reason_needed",
    "tournament.not_organiser", "match.already_void", "match.wrong_state" (a finished match stays).
    """
    said = written_reason(reason, kind="match")
    with transaction.atomic():
        act(match, "void", by, reason=said, changes={"lease": None, "finished_at": timezone.now()})
        bells.ring_on_commit("derive")
    return match
