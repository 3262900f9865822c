"""An organiser's word on who is who in a season, and in which division; each can be taken back."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.alphabet import name_key
from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from core.errors import TournamentError
from tournaments.domain_events.seasons import (
    SeasonDivisionChosen,
    SeasonIdentityUndone,
    SeasonPeopleMerged,
    SeasonPersonSeparated,
)
from tournaments.models import Season, SeasonDivision, SeasonIdentity, SeasonPerson, SeasonResult
from tournaments.seasons.access import label, require_open, require_role, season_locked
from tournaments.seasons.identity import key_of_entry
from tournaments.seasons.tables import lowest_of
from tournaments.seasons.updating import refresh


@transaction.atomic
def merge_people(*, season: Season, by: User, source: str, target: str) -> SeasonIdentity:
    """Make two names one person: the results of `source` count for `target` (UUIDs of people of the season).

    Twice changes nothing. Raises TournamentError "season.not_organiser", "season.no_such_person", "season.same_person",
    "season.two_accounts", "season.met": they sat in one event, so they are two people.
    """
    locked = season_locked(season)
    require_role(locked, by)
    if (known := _merged_before(locked, source, target)) is not None:
        return known
    one, other = _person(locked, source), _person(locked, target)
    if one.pk == other.pk:
        raise TournamentError(_("Choose two different people."), code="season.same_person")
    if one.user_id is not None and other.user_id is None:
        one, other = other, one  # an account stays, and a name becomes part of it
    if "b:" in (one.key[:2], other.key[:2]) or (one.user_id and other.user_id):
        message = _("Two accounts, or a bot, cannot be made one person.")
        raise TournamentError(message, code="season.two_accounts")
    met = SeasonResult.objects.filter(person=one, event__in=other.results.values("event"))
    if found := met.select_related("event__tournament").first():
        message = _("Both sat in “%(event)s”, so they are two people.") % {"event": found.event.tournament.name}
        raise TournamentError(message, code="season.met")
    row = SeasonIdentity.objects.create(
        season=locked,
        kind=SeasonIdentity.Kind.SAME,
        source=one.key,
        target=other.key,
        source_name=one.name,
        target_name=other.name,
        source_uuid=one.uuid,
        division=one.division if one.is_assigned else None,
        made_by=by,
    )
    refresh(locked)
    _record(locked, SeasonPeopleMerged, by, [one.name, other.name])
    return row


def _merged_before(season: Season, *uuids: str) -> SeasonIdentity | None:
    """Return what was said of these two already, in either order: a second click finds one of them gone."""
    one, other = map(_uuid, uuids)
    said = SeasonIdentity.objects.filter(season=season, undone_at=None, source_uuid__in=(one, other))
    stays = SeasonPerson.objects.filter(season=season, uuid__in=(one, other)).values("key")
    return said.filter(target__in=stays).first()


@transaction.atomic
def separate_person(*, season: Season, by: User, entry: str) -> SeasonIdentity:
    """Say that an entry (its UUID) is another person than others of that name. Twice changes nothing.

    Raises TournamentError "season.not_organiser", "season.no_such_person", "season.has_account".
    """
    locked = season_locked(season)
    require_role(locked, by)
    results = SeasonResult.objects.filter(event__season=locked, entry__uuid=_uuid(entry))
    found = results.select_related("entry__player", "person").first()
    if found is None or found.person is None:
        raise _no_such_person()
    if found.entry.player.user_id is not None or found.entry.player.bot_id is not None:
        message = _("This entry belongs to an account, which says who it is.")
        raise TournamentError(message, code="season.has_account")
    key = key_of_entry(found.entry.uuid)
    known = SeasonIdentity.objects.filter(season=locked, source=key, undone_at=None, kind=SeasonIdentity.Kind.APART)
    if (said := known.first()) is not None:
        return said
    row = SeasonIdentity.objects.create(
        season=locked, kind=SeasonIdentity.Kind.APART, source=key, source_name=found.entry.player.name, made_by=by
    )
    refresh(locked)
    _record(locked, SeasonPersonSeparated, by, [found.entry.player.name])
    return row


@transaction.atomic
def undo_identity(*, row: SeasonIdentity, by: User) -> SeasonIdentity:
    """Take a merge or a separation back; the row stays in the history. Twice changes nothing.

    Raises TournamentError "season.not_organiser", and "season.undone_in_order" while something later stands on it.
    """
    locked = season_locked(row.season)
    require_role(locked, by)
    found = SeasonIdentity.objects.select_related("season", "division").get(pk=row.pk)
    if found.undone_at is not None:
        return found
    leans = SeasonIdentity.objects.filter(season=locked, source=found.source, kind=SeasonIdentity.Kind.SAME)
    if found.kind == SeasonIdentity.Kind.APART and leans.filter(undone_at=None).exists():
        message = _("This entry was merged with somebody later. Take that back first.")
        raise TournamentError(message, code="season.undone_in_order")
    found.undone_at, found.undone_by = timezone.now(), by
    found.save(update_fields=["undone_at", "undone_by"])
    _restore_source(found)
    refresh(locked)
    _record(locked, SeasonIdentityUndone, by, [found.source_name, *filter(None, [found.target_name])])
    return found


def _restore_source(row: SeasonIdentity) -> None:
    """Write the row of the person who was merged as it was: the same address, the same division."""
    if row.source_uuid is None:  # told apart, or said in the season before this one
        return
    SeasonPerson.objects.create(
        season=row.season,
        uuid=row.source_uuid,
        key=row.source,
        name=row.source_name,
        division=row.division or lowest_of(row.season),
        is_assigned=row.division is not None,
    )


@transaction.atomic
def assign_division(*, season: Season, by: User, person: str, division: int) -> SeasonPerson:
    """Put somebody into a division (its position, from 1).

    Raises TournamentError "season.not_organiser", "season.wrong_state", "season.no_such_person",
    "season.no_such_division".
    """
    locked = season_locked(season)
    require_role(locked, by)
    require_open(locked)
    found = _person(locked, person)
    wanted = SeasonDivision.objects.filter(season=locked, position=division).first()
    if wanted is None:
        message = _("There is no such division. Choose one from the list.")
        raise TournamentError(message, code="season.no_such_division")
    before = found.division.position
    if before == division and found.is_assigned:
        return found
    found.division, found.is_assigned = wanted, True
    found.save(update_fields=["division", "is_assigned"])
    refresh(locked)
    after = {"names": [found.name], "division": division}
    audit(
        SeasonDivisionChosen, label(locked), actor=by, channel=locked.channel, before={"division": before}, after=after
    )
    publish(SeasonDivisionChosen.of(locked.channel, after))
    return found


def _person(season: Season, uuid: str) -> SeasonPerson:
    found = SeasonPerson.objects.select_related("division").filter(season=season, uuid=_uuid(uuid)).first()
    if found is None:
        raise _no_such_person()
    return found


def _uuid(text: str) -> str:
    """Return the text if it can be a UUID. Raises TournamentError "season.no_such_person"."""
    try:
        return str(UUID(text))
    except ValueError as refused:
        raise _no_such_person() from refused


def _no_such_person() -> TournamentError:
    message = _("There is no such person in the season any more. Reload the page.")
    return TournamentError(message, code="season.no_such_person")


def _record(season: Season, verb: type[DomainEvent], by: User, names: list[str]) -> None:
    after = {"names": names}
    audit(verb, label(season), actor=by, channel=season.channel, after=after)
    publish(verb.of(season.channel, after))


@dataclass(frozen=True, slots=True)
class Alike:
    """Two people of a season whose names differ by accents alone, or of whom one has an account."""

    one: SeasonPerson
    other: SeasonPerson


def alike(season: Season, *, limit: int = 20) -> list[Alike]:
    """Return people who may be one: to be looked at by an organiser. Two queries."""
    rows = SeasonPerson.objects.filter(season=season, bot=None, events_n__gt=0).order_by("name", "pk")
    groups: dict[str, list[SeasonPerson]] = {}
    for row in rows:
        groups.setdefault(name_key(row.name).partition("\x01")[0], []).append(row)
    pairs = [Alike(group[0], each) for group in groups.values() for each in group[1:]]
    met = _who_met([pair.one.pk for pair in pairs] + [pair.other.pk for pair in pairs])
    apart = [pair for pair in pairs if not met.get(pair.one.pk, set()) & met.get(pair.other.pk, set())]
    return [pair for pair in apart if not (pair.one.user_id and pair.other.user_id)][:limit]


def _who_met(people: list[int]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {}
    for person, event in SeasonResult.objects.filter(person__in=people).values_list("person", "event"):
        if person is not None:
            found.setdefault(person, set()).add(event)
    return found


def identities(season: Season) -> list[SeasonIdentity]:
    """Return what organisers said of who is who, the newest first. One query."""
    rows = SeasonIdentity.objects.filter(season=season).select_related("made_by", "undone_by")
    return list(rows.order_by("-pk")[:200])
