"""Who may see a season, who runs it, and roles in it."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from core.errors import TournamentError
from tournaments.domain_events.seasons import SeasonRoleGiven, SeasonRoleTaken
from tournaments.models import Season, SeasonPerson, SeasonRole, Tournament

OWNER: Final = SeasonRole.Kind.OWNER
ANY: Final = (SeasonRole.Kind.OWNER, SeasonRole.Kind.MANAGER)


def visible_to(viewer: User | None) -> Q:
    """Filter the seasons that a viewer may open: a private one only who runs it or is in its table."""
    return _open_to(viewer, ~Q(visibility=Tournament.Visibility.PRIVATE))


def named_to(viewer: User | None) -> Q:
    """Filter the seasons that a page about something else may name: public ones, and those that they run or play in."""
    return _open_to(viewer, Q(visibility=Tournament.Visibility.PUBLIC))


def _open_to(viewer: User | None, to_all: Q) -> Q:
    if viewer is None:
        return to_all
    runs = Exists(SeasonRole.objects.filter(season=OuterRef("pk"), user=viewer))
    plays = Exists(SeasonPerson.objects.filter(season=OuterRef("pk"), user=viewer))
    return to_all | Q(runs) | Q(plays)


def role_of(season: Season, viewer: User | None) -> str:
    """Return the role of a person; "" for others. One query."""
    if viewer is None:
        return ""
    return SeasonRole.objects.filter(season=season, user=viewer).values_list("role", flat=True).first() or ""


def label(season: Season) -> str:
    """Return the name that audit events use."""
    return f"season:{season.uuid}"


def season_locked(season: Season) -> Season:
    """Return the row as it is now, held until the end of the transaction: acts and updates of one season take turns."""
    return Season.objects.select_for_update(no_key=True).get(pk=season.pk)


def require_role(season: Season, by: User, *, is_owner: bool = False) -> None:
    """Raise TournamentError "season.not_organiser" unless the person runs the season (as its owner)."""
    role = role_of(season, by)
    if role == OWNER or (role and not is_owner):
        return
    message = _("Only the owner of the season can do this.") if is_owner else _("Only who runs the season can do this.")
    raise TournamentError(message, code="season.not_organiser")


def require_open(season: Season) -> None:
    """Raise TournamentError "season.wrong_state" if the season is closed."""
    if not season.is_open:
        message = _("The season is closed. Open it again to change it.")
        raise TournamentError(message, code="season.wrong_state")


@transaction.atomic
def give_season_role(*, season: Season, by: User, username: str, role: str) -> SeasonRole:
    """Give somebody a role, or another one than they have. An owner does it. Twice changes nothing.

    Raises TournamentError "season.not_organiser", "role.unknown", "role.no_such_user", "role.last_owner".
    """
    locked = season_locked(season)
    require_role(locked, by, is_owner=True)
    if role not in SeasonRole.Kind.values:
        raise TournamentError(_("There is no such role. Choose one from the list."), code="role.unknown")
    person = User.objects.filter(username=username.strip(), is_active=True).first()
    if person is None:
        message = _(
            "Nobody has the user name “%(name)s”. People sign up first; their user name is on their account page."
        )
        raise TournamentError(message % {"name": username.strip()[:60]}, code="role.no_such_user")
    known = SeasonRole.objects.filter(season=locked, user=person).first()
    if known is not None and known.role == role:
        return known
    if known is not None:
        _require_another_owner(known)
    given, _new = SeasonRole.objects.update_or_create(season=locked, user=person, defaults={"role": role})
    _record(given, SeasonRoleGiven, by)
    return given


@transaction.atomic
def take_season_role(*, season: Season, by: User, username: str) -> None:
    """Take somebody's role away; people may give up their own. A season keeps an owner. Twice changes nothing.

    Raises TournamentError "season.not_organiser", "role.has_not", "role.last_owner".
    """
    locked = season_locked(season)
    require_role(locked, by, is_owner=username.strip() != by.username)
    found = SeasonRole.objects.filter(season=locked, user__username=username.strip()).first()
    if found is None and User.objects.filter(username=username.strip()).exists():
        return
    if found is None:
        message = _("%(name)s no longer has this role.") % {"name": username.strip()[:60]}
        raise TournamentError(message, code="role.has_not")
    _require_another_owner(found)
    _record(found, SeasonRoleTaken, by)
    found.delete()


def _require_another_owner(role: SeasonRole) -> None:
    owners = SeasonRole.objects.filter(season=role.season_id, role=OWNER)
    if role.role == OWNER and not owners.exclude(pk=role.pk).exists():
        message = _("A season keeps one owner. Give that role to somebody else first.")
        raise TournamentError(message, code="role.last_owner")


def _record(role: SeasonRole, verb: type[DomainEvent], by: User) -> None:
    after = {"user": role.user.username, "role": role.role}
    audit(verb, label(role.season), actor=by, channel=role.season.channel, after=after)
    publish(verb.of(role.season.channel, after))
