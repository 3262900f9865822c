"""Webhooks of a person: made, changed, switched off and on, tried, their secrets rotated, deliveries sent again.

Every caller has made sure that the hook is this person's; somebody else's is not found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from uuid import uuid4

from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.locking import lock_account
from accounts.models import User
from accounts.phrasing import listed
from activity import wake_ups
from activity.domain_events import DomainEvent
from activity.journal import audit
from bots.models import Bot
from core.errors import TournamentError
from core.printable import is_printable
from tournaments.domain_events.programs import (
    WebhookChanged,
    WebhookDeleted,
    WebhookDeliveryRepeated,
    WebhookMade,
    WebhookSecretEnded,
    WebhookSecretRotated,
    WebhookSwitchedOff,
    WebhookSwitchedOn,
    WebhookTested,
)
from tournaments.models import Delivery, Hook, HookSecret, Role, Tournament
from tournaments.webhooks.addresses import read_url
from tournaments.webhooks.consumer import delivery_of
from tournaments.webhooks.deliveries import drop_waiting
from tournaments.webhooks.event_types import PING, WebhookEvent, webhook_kinds
from tournaments.webhooks.signing import new_secret
from web.rate_limits import count

MAX_HOOKS: Final = 10
TESTS_AN_HOUR: Final = 30
KEEP_HOURS: Final = 24
MAX_HOURS: Final = 168
ACTIVE: Final = Hook.State.ACTIVE


@dataclass(frozen=True, slots=True)
class HookPlan:
    """A request for a hook. thing: the event or the bot that it watches alone; None where it watches no single one."""

    name: str
    url: str
    kinds: Sequence[str]
    watch: str = Hook.Watch.MINE
    thing: Tournament | Bot | None = None


def plan_of(hook: Hook) -> HookPlan:
    """Return the settings of a hook as a request."""
    return HookPlan(hook.name, hook.url, tuple(hook.kinds), hook.watch, hook.tournament or hook.bot)


@transaction.atomic
def make_hook(*, user: User, plan: HookPlan) -> tuple[Hook, str]:
    """Make a hook and its secret, which nobody can read again.

    Raises TournamentError "hook.limit", "hook.no_name", "hook.bad_url", "hook.no_kind", "hook.bad_kind",
    "hook.bad_watch", "hook.not_yours"; AccountGone.
    """
    fields = _fields(user, plan)
    # Locks the account, so that two forms sent at once cannot make an eleventh hook together.
    lock_account(user)
    if Hook.objects.filter(user=user).count() >= MAX_HOOKS:
        message = _("You have %(n)s webhooks, which is the limit. Delete one that you do not use.")
        raise TournamentError(message % {"n": MAX_HOOKS}, code="hook.limit")
    hook = Hook.objects.create(user=user, **fields)
    _record(WebhookMade, hook, user, receiver=hook.receiver, kinds=hook.kinds)
    return hook, new_secret(hook)


@transaction.atomic
def change_hook(*, hook: Hook, by: User, plan: HookPlan) -> Hook:
    """Change the name, address, kinds or thing; its secrets stay. Raises as `make_hook`, but for the limit."""
    fields = _fields(by, plan)
    Hook.objects.filter(pk=hook.pk).update(**fields)
    # Another receiver: the failures were the old one's.
    if fields["receiver"] != hook.receiver:
        Hook.objects.filter(pk=hook.pk).update(failing_since=None, failures=0, is_slow=False)
    hook.refresh_from_db()
    _record(WebhookChanged, hook, by, receiver=hook.receiver, kinds=hook.kinds)
    return hook


def _fields(user: User, plan: HookPlan) -> dict[str, Any]:
    name = plan.name.strip()
    if not 1 <= len(name) <= 60 or not is_printable(name):
        raise _wrong(_("Describe in at most 60 characters what the webhook is for."), "no_name", "name")
    if not plan.kinds:
        raise _wrong(_("Choose at least one kind of event."), "no_kind", "kinds")
    if not set(plan.kinds) <= set(webhook_kinds()):
        message = _("There is no such kind. Choose from: %(kinds)s.") % {"kinds": listed(webhook_kinds())}
        raise _wrong(message, "bad_kind", "kinds")
    return {
        "name": name,
        "url": plan.url.strip(),
        "receiver": read_url(plan.url).receiver,
        "kinds": [kind for kind in webhook_kinds() if kind in plan.kinds],
        "watch": plan.watch,
        **_thing(user, plan),
    }


def _thing(user: User, plan: HookPlan) -> dict[str, Tournament | Bot | None]:
    """Return the one thing that is watched, which has to be the person's own."""
    watch, thing = plan.watch, plan.thing
    if watch not in Hook.Watch.values:
        message = _("There is no such thing to watch. Choose from: %(all)s.") % {"all": listed(Hook.Watch.values)}
        raise _wrong(message, "bad_watch", "watch")
    wants_one = {Hook.Watch.EVENT: Tournament, Hook.Watch.BOT: Bot}.get(Hook.Watch(watch))
    if (wants_one is None) != (thing is None) or (wants_one is not None and not isinstance(thing, wants_one)):
        message = _("Choose an event or a bot if the webhook is for only one of them; otherwise leave both empty.")
        raise _wrong(message, "bad_watch", "watch")
    if isinstance(thing, Tournament) and not Role.objects.filter(tournament=thing, user=user).exists():
        raise _wrong(_("You have no role in this event. Choose one that you run."), "not_yours", "watch")
    if isinstance(thing, Bot) and thing.owner_id != user.pk:
        raise _wrong(_("This bot is not yours. Choose one of your own."), "not_yours", "watch")
    return {
        "tournament": thing if isinstance(thing, Tournament) else None,
        "bot": thing if isinstance(thing, Bot) else None,
    }


def _wrong(message: str, code: str, field: str) -> TournamentError:
    return TournamentError(message, code=f"hook.{code}", extra={"field": field})


def _record(verb: type[DomainEvent], hook: Hook, by: User, **after: object) -> None:
    """Write what operators read of it. Never the address: it may hold a key of the receiver's."""
    audit(verb, f"hook:{hook.uuid}", actor=by, after=after)


@transaction.atomic
def switch_hook(*, hook: Hook, by: User, on: bool) -> Hook:
    """Switch it off, and what waits is not sent; or on again, whether we or its owner switched it off.

    Twice is once.
    """
    target = ACTIVE if on else Hook.State.PAUSED
    others = Hook.objects.filter(pk=hook.pk).exclude(state=target)
    healed = {"failing_since": None, "failures": 0, "is_slow": False} if on else {}
    if others.update(state=target, reason="", stopped_at=None if on else timezone.now(), **healed):
        if not on:
            drop_waiting(hook)
        _record(WebhookSwitchedOn if on else WebhookSwitchedOff, hook, by)
    hook.refresh_from_db()
    return hook


@transaction.atomic
def rotate_secret(*, hook: Hook, by: User, keep_hours: int = KEEP_HOURS) -> str:
    """Make one more secret, shown this once; the one before signs on for that many hours. At most two are live.

    Raises TournamentError "hook.bad_hours".
    """
    if not 0 <= keep_hours <= MAX_HOURS:
        message = _("You can keep the old secret for up to %(n)s hours.") % {"n": MAX_HOURS}
        raise _wrong(message, "bad_hours", "keep_hours")
    # Locked: of two rotations at once the second ends the first one's secret instead of making a third.
    Hook.objects.select_for_update().get(pk=hook.pk)
    secrets = HookSecret.objects.filter(hook=hook)
    # Before the newest gets an end, or it would be deleted with the ones that have one.
    secrets.filter(ends_at__isnull=False).delete()
    if keep_hours:
        secrets.update(ends_at=timezone.now() + timedelta(hours=keep_hours))
    else:
        secrets.all().delete()
    secret = new_secret(hook)
    if hook.state == Hook.State.STOPPED and hook.reason == Hook.Reason.SECRET:
        switch_hook(hook=hook, by=by, on=True)
    _record(WebhookSecretRotated, hook, by, keep_hours=keep_hours)
    return secret


@transaction.atomic
def end_old_secret(*, hook: Hook, by: User) -> int:
    """End the secret before the newest one now. Returns how many ended."""
    ended, _by_model = HookSecret.objects.filter(hook=hook, ends_at__isnull=False).delete()
    if ended:
        _record(WebhookSecretEnded, hook, by)
    return ended


@transaction.atomic
def send_test(*, hook: Hook, by: User) -> Delivery:
    """Send it a "ping", once. Raises TournamentError "hook.off", "hook.too_often"."""
    _require_on(hook)
    _require_rarely(by)
    # A source of its own each time: a delivery is made once for each source, and every test is to be sent.
    event = WebhookEvent(PING, f"ping:{uuid4()}", timezone.now(), {"hook": str(hook.uuid)})
    delivery = delivery_of(hook, event)
    delivery.save()
    _record(WebhookTested, hook, by)
    wake_ups.notify_once("send")
    return Delivery.objects.get(pk=delivery.pk)


@transaction.atomic
def send_again(*, delivery: Delivery, by: User) -> Delivery:
    """Send a delivery once more, with the same id, and as many tries as the first time. One that waits is sent now.

    One that is under way is sent besides: the receiver knows the id.

    Raises TournamentError "hook.off", "hook.too_often".
    """
    _require_on(delivery.hook)
    _require_rarely(by)
    Delivery.objects.filter(pk=delivery.pk).update(state=Delivery.State.OPEN, tries=0, due_at=Now(), error="")
    _record(WebhookDeliveryRepeated, delivery.hook, by, delivery=str(delivery.uuid))
    wake_ups.notify_once("send")
    delivery.refresh_from_db()
    return delivery


def _require_on(hook: Hook) -> None:
    if hook.state != ACTIVE:
        message = _("The webhook is switched off, so we send nothing to it. Switch it on first.")
        raise TournamentError(message, code="hook.off")


def _require_rarely(by: User) -> None:
    wait = count(f"hook.test:{by.pk}", most=TESTS_AN_HOUR, within=timedelta(hours=1))
    if wait is not None:
        message = _("You asked for too many deliveries within an hour. Wait a little.")
        raise TournamentError(message, code="hook.too_often", extra={"retry_after": wait})


@transaction.atomic
def delete_hook(*, hook: Hook, by: User) -> None:
    """Delete the hook, its secrets and deliveries. Nothing is sent any more."""
    _record(WebhookDeleted, hook, by, receiver=hook.receiver)
    Hook.objects.filter(pk=hook.pk).delete()
