"""Choices of how somebody is notified: made on a page, or ended by the link of a mail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts.models import User
from core.errors import TournamentError
from tournaments.models import Notice, NoticePlan

# Beside the choices: their state before the link of a mail ended them, so that it can be undone.
BEFORE: Final = "before"


@transaction.atomic
def choose_notices(
    *, user: User, choices: Mapping[str, str], push: Mapping[str, bool] | None = None, time_zone: str = ""
) -> NoticePlan:
    """Store how each kind is notified, and what the browser says of its reader's language and time zone.

    choices: a `Notice.How` for kinds; push: whether browsers are told of kinds; others stay. Raises TournamentError
    "notice.bad_choice".
    """
    kinds = {*choices, *(push or {})}
    if not kinds <= set(Notice.Kind.values) or not set(choices.values()) <= set(Notice.How.values):
        message = _("Choose one of the options offered for each kind of news.")
        raise TournamentError(message, code="notice.bad_choice")
    plan = _locked(user)
    plan.choices = {**{name: how for name, how in plan.choices.items() if name != BEFORE}, **choices}
    plan.push = {**plan.push, **(push or {})}
    plan.language, plan.time_zone = get_language() or "", time_zone or plan.time_zone
    plan.save()
    return plan


@transaction.atomic
def stop_mails(*, user: User, kind: str = "") -> None:
    """Send no more mails of a kind (`Notice.Kind`); "" of any. What waits is not sent.

    Doing it twice changes nothing.
    """
    plan = _locked(user)
    kinds = [kind] if kind else Notice.Kind.values
    # A second click must not store the ended choices as those from before.
    if all(plan.choices.get(each) == Notice.How.PAGE for each in kinds):
        return
    before = {name: how for name, how in plan.choices.items() if name != BEFORE}
    plan.choices = {**before, **dict.fromkeys(kinds, Notice.How.PAGE.value), BEFORE: before}
    plan.save()


@transaction.atomic
def take_back_stop(*, user: User) -> None:
    """Restore the choices from before `stop_mails`. Without one nothing changes."""
    plan = _locked(user)
    if BEFORE in plan.choices:
        plan.choices = plan.choices[BEFORE]
        plan.save()


def _locked(user: User) -> NoticePlan:
    plan, _made = NoticePlan.objects.select_for_update().get_or_create(user=user)
    return plan
