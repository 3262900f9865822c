"""The events of a season: added by who organises both, else asked for and agreed to by an organiser of the event."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from core.errors import TournamentError
from tournaments.domain_events.seasons import (
    SeasonEventAccepted,
    SeasonEventAdded,
    SeasonEventAsked,
    SeasonEventDeclined,
    SeasonEventRemoved,
    SeasonEventWeighed,
)
from tournaments.lifecycle.transitions import ORGANISERS, roles_of
from tournaments.lifecycle.visibility import visible_to
from tournaments.models import Season, SeasonEvent, Tournament
from tournaments.seasons.access import label, require_open, require_role, season_locked
from tournaments.seasons.updating import refresh

MAX_EVENTS: Final = 500
MAX_WEIGHT: Final = 1000
FULL: Final = 100


@transaction.atomic
def add_event(*, season: Season, by: User, slug: str, weight: int = FULL) -> SeasonEvent:
    """Add an event. Who does not organise it asks its organisers, and it waits for their answer. Twice changes nothing.

    slug: its address, or the whole address of its page. weight: in percent. Raises TournamentError
    "season.not_organiser", "season.wrong_state", "season.no_such_event", "season.has_already", "season.bad_weight",
    "season.too_many_events".
    """
    locked = season_locked(season)
    require_role(locked, by)
    require_open(locked)
    _require_weight(weight)
    event = _event_named(slug, by)
    known = SeasonEvent.objects.select_related("tournament").filter(season=locked, tournament=event).first()
    if known is not None and (known.weight, known.added_by_id) == (weight, by.pk):
        return known
    if known is not None:
        message = _("“%(name)s” is in the season already, or waits for its organiser.") % {"name": event.name}
        raise TournamentError(message, code="season.has_already")
    if locked.events.count() >= MAX_EVENTS:
        message = _("A season has at most %(n)s events.") % {"n": MAX_EVENTS}
        raise TournamentError(message, code="season.too_many_events")
    own = bool(roles_of(event, by) & ORGANISERS)
    state = SeasonEvent.State.IN if own else SeasonEvent.State.ASKED
    row = SeasonEvent.objects.create(season=locked, tournament=event, state=state, weight=weight, added_by=by)
    if own:
        refresh(locked)
    _record(row, SeasonEventAdded if own else SeasonEventAsked, by)
    return row


def _event_named(slug: str, by: User) -> Tournament:
    # People paste the whole address of the event's page.
    last = slug.strip().rstrip("/").rpartition("/")[2]
    # An event that the person may not see looks like one that does not exist.
    found = Tournament.objects.filter(visible_to(by), slug=last, is_challenge=False).first()
    if found is None:
        message = _("There is no event with this address. Copy it from the event's page.")
        raise TournamentError(message, code="season.no_such_event")
    return found


def _require_weight(weight: int) -> None:
    if not 1 <= weight <= MAX_WEIGHT:
        message = _("The weight is 0.01 to 10; 1 is a usual event.")
        raise TournamentError(message, code="season.bad_weight", extra={"field": "weight"})


@transaction.atomic
def accept_event(*, row: SeasonEvent, by: User) -> SeasonEvent:
    """Agree, as an organiser of the event, that a season counts it. Twice changes nothing.

    Raises TournamentError "tournament.not_organiser", "season.wrong_state", "season.event_gone".
    """
    season, found = _locked(row)
    _require_organiser(found.tournament, by)
    if found.state == SeasonEvent.State.IN:
        return found
    require_open(season)
    found.state, found.is_stale = SeasonEvent.State.IN, True
    found.save(update_fields=["state", "is_stale"])
    refresh(season)
    _record(found, SeasonEventAccepted, by)
    return found


@transaction.atomic
def remove_event(*, row: SeasonEvent, by: User) -> None:
    """Take an event out of a season, or say no to a season that asks for it; its results count no more.

    Who runs the season does it while the season is open, an organiser of the event at any time. It can be added again.
    Raises TournamentError "season.not_organiser", "season.wrong_state", "season.event_gone".
    """
    season, found = _locked(row)
    is_own = bool(roles_of(found.tournament, by) & ORGANISERS)
    if not is_own:
        require_role(season, by)
        require_open(season)
    is_answer = is_own and found.state == SeasonEvent.State.ASKED
    _record(found, SeasonEventDeclined if is_answer else SeasonEventRemoved, by)
    found.delete()
    refresh(season)


@transaction.atomic
def weigh_event(*, row: SeasonEvent, by: User, weight: int) -> SeasonEvent:
    """Change how much an event counts. weight: in percent.

    Raises TournamentError "season.not_organiser", "season.wrong_state", "season.bad_weight", "season.event_gone".
    """
    season, found = _locked(row)
    require_role(season, by)
    require_open(season)
    _require_weight(weight)
    if found.weight == weight:
        return found
    before, found.weight = found.weight, weight
    found.save(update_fields=["weight"])
    refresh(season)
    _record(found, SeasonEventWeighed, by, before=before)
    return found


def _locked(row: SeasonEvent) -> tuple[Season, SeasonEvent]:
    """Return the season, held, and the row as it is now. Raises TournamentError "season.event_gone"."""
    season = season_locked(row.season)
    found = still_there(SeasonEvent.objects.select_related("tournament").filter(pk=row.pk).first())
    found.season = season
    return season, found


def still_there(row: SeasonEvent | None) -> SeasonEvent:
    """Return the row of an event that should be in a season. Raises TournamentError "season.event_gone" if it is not.

    So a second click on "Remove" says what is the case.
    """
    if row is None:
        message = _("The event is not in the season any more.")
        raise TournamentError(message, code="season.event_gone")
    return row


def _require_organiser(event: Tournament, by: User) -> None:
    # A copy from a file counts, too: nothing of the event itself is changed.
    if not roles_of(event, by) & ORGANISERS:
        message = _("Only an organiser of the event can do this.")
        raise TournamentError(message, code="tournament.not_organiser")


def _record(row: SeasonEvent, verb: type[DomainEvent], by: User, *, before: int | None = None) -> None:
    after = {"event": row.tournament.slug, **({"weight": row.weight} if before is not None else {})}
    was = {"weight": before} if before is not None else {}
    # Not the slug: it contains the name, and operators can read the audit of every season, also of private events.
    named = {**after, "event": str(row.tournament.uuid)}
    audit(verb, label(row.season), actor=by, channel=row.season.channel, before=was, after=named)
    publish(verb.of(row.season.channel, after))
