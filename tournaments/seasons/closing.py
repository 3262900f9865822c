"""Closing a season, opening it again, and the next one: who goes up, who goes down, who stays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import audit, publish
from core.errors import TournamentError
from core.seasons.table import moves
from tournaments.domain_events.seasons import SeasonClosed, SeasonReopened
from tournaments.models import Season, SeasonDivision, SeasonIdentity, SeasonPerson, SeasonRole
from tournaments.seasons.access import label, require_role, season_locked
from tournaments.seasons.set_up import create_season, plan_of
from tournaments.seasons.updating import refresh


@dataclass(frozen=True, slots=True)
class Move:
    """A person who changes divisions when the season is closed."""

    person: SeasonPerson
    source: SeasonDivision
    target: SeasonDivision

    @property
    def goes_up(self) -> bool:
        """True for a promotion."""
        return self.target.position < self.source.position


def moves_of(season: Season) -> list[Move]:
    """Return who would change divisions now, the highest division first. Two queries."""
    divisions = list(season.divisions.order_by("position"))
    rows = SeasonPerson.objects.filter(season=season, row__gt=0).order_by("row")
    people: dict[int, list[SeasonPerson]] = {}
    for row in rows if len(divisions) > 1 else ():
        people.setdefault(row.division_id, []).append(row)
    found = []
    for at, division in enumerate(divisions):
        own = people.get(division.pk, [])
        steps = moves([(each.key, each.rank) for each in own], up=division.up, down=division.down)
        found += [Move(each, division, divisions[at + steps[each.key]]) for each in own if each.key in steps]
    return found


@transaction.atomic
def close_season(*, season: Season, by: User) -> Season:
    """Close a season: its rules and events stay as they are. Corrections of its events still reach the table.

    Twice changes nothing. Raises TournamentError "season.not_organiser".
    """
    locked = season_locked(season)
    require_role(locked, by, is_owner=True)
    if not locked.is_open:
        return locked
    locked.state, locked.closed_at = Season.State.CLOSED, timezone.now()
    locked.save(update_fields=["state", "closed_at"])
    audit(SeasonClosed, label(locked), actor=by, channel=locked.channel, after={"state": locked.state})
    publish(SeasonClosed(locked.channel))
    return locked


@transaction.atomic
def reopen_season(*, season: Season, by: User) -> Season:
    """Open a closed season again. Twice changes nothing.

    Raises TournamentError "season.not_organiser", and "season.leads_on" once the next one took its divisions over.
    """
    locked = season_locked(season)
    require_role(locked, by, is_owner=True)
    if locked.is_open:
        return locked
    if locked.followed_by.exists():
        message = _("The next season took the divisions over from this one, so it stays closed.")
        raise TournamentError(message, code="season.leads_on")
    locked.state, locked.closed_at = Season.State.OPEN, None
    locked.save(update_fields=["state", "closed_at"])
    audit(SeasonReopened, label(locked), actor=by, channel=locked.channel, after={"state": locked.state})
    publish(SeasonReopened(locked.channel))
    return locked


@transaction.atomic
def make_next_season(*, season: Season, by: User, name: str) -> Season:
    """Make the next season: the same rules, roles and people, each in the division that the moves lead to.

    Who is who is taken over, too. Newcomers begin in the lowest division. Twice with one name makes one.
    Raises TournamentError "season.not_organiser", "season.not_closed", "season.has_already", and what `create_season`
    raises.
    """
    locked = season_locked(season)
    require_role(locked, by, is_owner=True)
    if locked.is_open:
        message = _("Close this season first, so that its divisions are final.")
        raise TournamentError(message, code="season.not_closed")
    following = locked.followed_by.first()
    if following is not None and following.name == " ".join(name.split()):
        return following
    if following is not None:
        message = _("This season has a next one already.")
        raise TournamentError(message, code="season.has_already")
    # A season of this name has an address of its own, and its own rules are checked as those of any other.
    made = create_season(by=by, plan=replace(plan_of(locked), name=name))
    made.previous = locked
    made.save(update_fields=["previous"])
    roles = SeasonRole.objects.filter(season=locked).exclude(user=by)
    SeasonRole.objects.bulk_create(SeasonRole(season=made, user_id=each.user_id, role=each.role) for each in roles)
    _take_over(locked, made)
    refresh(made)
    return made


def _take_over(season: Season, made: Season) -> None:
    words = SeasonIdentity.objects.filter(season=season, undone_at=None, kind=SeasonIdentity.Kind.SAME)
    copied = []
    for each in words.order_by("pk"):
        # The people of the next season are other rows, already in the divisions that this one led to.
        each.pk, each.season, each.source_uuid, each.division = None, made, None, None
        each.uuid = SeasonIdentity._meta.get_field("uuid").get_default()
        each._state.adding = True
        copied.append(each)
    SeasonIdentity.objects.bulk_create(copied)
    targets = {move.person.pk: move.target.position for move in moves_of(season)}
    divisions = {each.position: each for each in made.divisions.all()}
    SeasonPerson.objects.bulk_create(_assigned(season, made, targets, divisions), batch_size=1_000)


def _assigned(
    season: Season, made: Season, targets: Mapping[int, int], divisions: Mapping[int, SeasonDivision]
) -> Sequence[SeasonPerson]:
    """Return the people of the higher divisions; all others begin in the lowest without a row."""
    found = []
    for each in SeasonPerson.objects.filter(season=season, row__gt=0).select_related("division").order_by("pk"):
        position = targets.get(each.pk, each.division.position)
        if position < len(divisions):
            found.append(
                SeasonPerson(
                    season=made,
                    key=each.key,
                    division=divisions[position],
                    is_assigned=True,
                    name=each.name,
                    club=each.club,
                    user_id=each.user_id,
                    bot_id=each.bot_id,
                )
            )
    return found
