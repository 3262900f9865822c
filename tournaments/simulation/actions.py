"""Rehearsals of an event before it starts: requested by an organiser, played by a worker."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import redis
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from activity import wake_ups
from activity.journal import publish
from core.errors import TournamentError
from core.formats import kinds
from tournaments.domain_events.tournaments import RehearsalChanged
from tournaments.lifecycle.transitions import ORGANISERS, may
from tournaments.models import Tournament
from tournaments.simulation import inputs as rehearsing
from tournaments.simulation import jobs as rehearsals
from tournaments.simulation.inputs import deals_of, entries_so_far, plan_hash
from tournaments.simulation.jobs import Asked, Job
from web.rate_limits import count

__all__ = ["Asked", "Question", "entries_so_far", "plan_hash", "read_question", "rehearsal_of", "rehearse_event"]

T = Tournament.State
PLANNED: Final = (T.DRAFT, T.PUBLISHED, T.REGISTRATION)
MIN_ENTRIES, MAX_ENTRIES = 2, 512
PER_HOUR: Final = 30
HOUR: Final = timedelta(hours=1)
MAX_MINUTES: Final = 600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A request of the form (or the command). None: the entries so far; of the minutes the match's count, if given."""

    entries: int | None = None
    deal_minutes: float = 5.0
    match_minutes: float | None = None
    change_minutes: float = 10.0
    tables: int | None = None
    tables_an_arbiter: int = 8


def read_question(event: Tournament, question: Question) -> Asked:
    """Read the question, with its defaults filled in.

    Raises TournamentError "rehearsal.ladder" (it has no rounds), "rehearsal.too_few", "rehearsal.too_many",
    "rehearsal.minutes".
    """
    if event.stages.filter(kind__in=kinds(lambda each: each.is_open_ended)).exists():
        message = _("A ladder has no rounds and ends by its own rule, so there is nothing to rehearse.")
        raise TournamentError(message, code="rehearsal.ladder")
    entries = entries_so_far(event) if question.entries is None else question.entries
    if entries < MIN_ENTRIES:
        message = _("Entries so far: %(n)s. That is too few to rehearse: enter how many you expect.") % {"n": entries}
        raise TournamentError(message, code="rehearsal.too_few", extra={"field": "entries"})
    if entries > MAX_ENTRIES:
        message = _("Rehearse with at most %(n)s entries.") % {"n": MAX_ENTRIES}
        raise TournamentError(message, code="rehearsal.too_many", extra={"field": "entries"})
    minutes = question.match_minutes
    if minutes is None:
        minutes = question.deal_minutes * max(map(deals_of, rehearsing.stages_of(event)))
    if not 0 < minutes <= MAX_MINUTES or not 0 <= question.change_minutes <= MAX_MINUTES:
        message = _("A match must last more than 0 and at most %(n)s minutes.") % {"n": int(MAX_MINUTES)}
        raise TournamentError(message, code="rehearsal.minutes", extra={"field": "match_minutes"})
    arbiters, tables = max(1, question.tables_an_arbiter), question.tables
    return Asked(entries, minutes, question.change_minutes, max(1, tables) if tables else None, arbiters)


def rehearse_event(*, tournament: Tournament, by: User, question: Question) -> Job:
    """Request a rehearsal, which a worker plays. The same request while it is open is one; another one replaces it.

    Raises TournamentError "tournament.not_organiser", "rehearsal.started", "rehearsal.rate" (extra: retry_after),
    "rehearsal.unavailable", and what `read_question` raises.
    """
    may(tournament, by, ORGANISERS, "rehearse")
    if tournament.state not in PLANNED:
        message = _("The event has begun, so there is nothing left to rehearse. Look at the standings.")
        raise TournamentError(message, code="rehearsal.started")
    if tournament.stages.filter(kind__in=kinds(lambda each: each.is_open_ended)).exists():
        message = _("A ladder has no rounds to rehearse: every pairing follows from the results so far. Start it.")
        raise TournamentError(message, code="rehearsal.ladder")
    asked = read_question(tournament, question)
    # Counted only after every refusal: a form with a mistake costs nothing of the hour's number.
    wait = count(f"rehearsal:{by.pk}", most=PER_HOUR, within=HOUR)
    if wait is not None:
        message = _("You have reached the limit of %(n)s rehearsals an hour. Try again in %(minutes)s minutes.")
        shown = {"n": PER_HOUR, "minutes": -(-wait // 60)}
        raise TournamentError(message % shown, code="rehearsal.rate", extra={"retry_after": wait})
    job, is_new = rehearsals.ask(tournament, asked, plan_hash(tournament))
    if is_new:
        with transaction.atomic():
            publish(RehearsalChanged(tournament.channel))
            wake_ups.notify_on_commit("rehearse")
    return job


def rehearsal_of(tournament: Tournament) -> Job | None:
    """Return the last rehearsal of an event; None if there is none, or none can be read now."""
    try:
        return rehearsals.find(str(tournament.uuid))
    except redis.RedisError:
        return None
