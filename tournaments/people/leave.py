"""Deletion of one's account: rows that go, rows that stay under a neutral name (decision 0059)."""

from __future__ import annotations

from typing import Final

from axes.models import AccessAttempt, AccessLog
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import KeptAnswer, User
from accounts.phrasing import labelled
from accounts.signals import AccountAct, account_changed
from activity import wake_ups
from bots.services.erasing import erase_bots
from core.errors import TournamentError
from tournaments.entries.corrections import ERASED
from tournaments.models import Player, Role, Seat, Tournament
from tournaments.people.account_data import obstacles, own_rows
from tournaments.ratings import pools
from tournaments.registration.purge import erase_registered_names
from tournaments.seasons import updating as seasons

OVER: Final = (Tournament.State.FINISHED, Tournament.State.ARCHIVED, Tournament.State.CANCELLED)


@transaction.atomic
def delete_account(*, user: User, password: str) -> None:
    """Delete an account for good. Results and published facts stay, under a name that says nothing.

    Raises TournamentError "account.wrong_password", and the code of the first of `obstacles`.
    """
    row = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if not row.is_active or not row.check_password(password):
        raise TournamentError(_("The password is wrong. Nothing was deleted."), code="account.wrong_password")
    # Before the obstacles are read: what they say is true until the commit.
    _lock_owned(row)
    blocking = obstacles(row)
    if blocking:
        first = blocking[0]
        raise TournamentError(labelled(first.name, first.advice), code=first.code)
    account_changed.send(User, verb=AccountAct.DELETE, user=row, before={}, after={})
    # Before their own rows go: the registration is what ties an entry to the account.
    erase_registered_names(row)
    _erase_names(row)
    _erase_logs_and_sources(row)
    for _name, rows in own_rows(row):
        rows.delete()
    Role.objects.filter(user=row).exclude(role=Role.Kind.OWNER, tournament__state__in=OVER).delete()
    KeptAnswer.objects.filter(who=f"user:{row.pk}").delete()
    for attempts in (AccessAttempt, AccessLog):
        attempts.objects.filter(username=row.username).delete()
    _blank(row)


def _lock_owned(user: User) -> None:
    """Lock the events they own.

    Two owners of one event go one after the other, so that the second sees that nobody is left.
    """
    owned = Tournament.objects.filter(roles__user=user, roles__role=Role.Kind.OWNER).exclude(state__in=OVER)
    list(Tournament.objects.select_for_update(no_key=True).filter(pk__in=owned).order_by("pk").values_list("pk"))


def _erase_names(user: User) -> None:
    """Rename the players of this account to nobody in particular; ratings are folded without the account."""
    players = list(Player.objects.select_for_update().filter(user=user).order_by("pk"))
    for player in players:
        player.user, player.club, player.name = None, "", f"{ERASED}{player.uuid.hex[:8]}"
        player.save(update_fields=["user", "club", "name"])
    events = Tournament.objects.filter(entries__player__in=players).distinct()
    for event in events.order_by("pk"):
        pools.mark(event)
    seasons.erase_person(user, f"{ERASED}{user.uuid.hex[:8]}")
    seasons.mark(events)
    if players:
        wake_ups.notify_on_commit("derive")


def _erase_logs_and_sources(user: User) -> None:
    seats = Seat.objects.filter(bot_version__bot__owner=user).exclude(log=None)
    logs = [log for log in seats.values_list("log", flat=True) if log is not None]
    seats.update(log=None, log_marks=[])
    erase_bots(owner=user, logs=logs)


def _blank(user: User) -> None:
    """Blank the row, which stays because acts name it; nothing of the person does, and nobody can log in."""
    # A new object with the same key: every column that is added later is blanked without a line here.
    empty = User(uuid=user.uuid, username=f"{ERASED}{user.uuid.hex[:8]}", is_active=False, deleted_at=timezone.now())
    empty.set_unusable_password()
    empty.pk, empty.date_joined = user.pk, user.date_joined
    user.groups.clear()
    user.user_permissions.clear()
    empty.save(force_update=True)
