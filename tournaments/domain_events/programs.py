"""Domain events of what programs use: comparisons, webhooks, calendars and browsers that are told."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext_lazy as _

from activity.domain_events import DomainEvent, WebhookMessage, domain_event, uuid_or_nothing
from tournaments.domain_events.webhook_types import CHALLENGE_DECIDED


@domain_event
class ComparisonStarted(DomainEvent):
    topic = "challenge.start"
    words = _("started a comparison")
    candidate: str
    reference: str
    matches: int


@domain_event
class ComparisonStopped(DomainEvent):
    topic = "challenge.stop"
    words = _("stopped a comparison")


@domain_event
class ComparisonDecided(DomainEvent):
    topic = "challenge.decide"
    words = _("ended a comparison")
    webhook_types = (CHALLENGE_DECIDED,)

    challenge: str

    def webhooks(self) -> Iterable[WebhookMessage]:
        challenge = uuid_or_nothing(self.challenge)
        return [WebhookMessage(CHALLENGE_DECIDED, {"challenge": challenge})] if challenge else []


@domain_event
class WebhookMade(DomainEvent):
    topic = "hook.make"


@domain_event
class WebhookChanged(DomainEvent):
    topic = "hook.change"


@domain_event
class WebhookSwitchedOn(DomainEvent):
    topic = "hook.on"


@domain_event
class WebhookSwitchedOff(DomainEvent):
    topic = "hook.off"


@domain_event
class WebhookStopped(DomainEvent):
    topic = "hook.stop"
    words = _("switched off a webhook")


@domain_event
class WebhookSecretRotated(DomainEvent):
    topic = "hook.rotate"


@domain_event
class WebhookSecretEnded(DomainEvent):
    topic = "hook.end_secret"


@domain_event
class WebhookTested(DomainEvent):
    topic = "hook.test"
    words = _("sent a test to a webhook")


@domain_event
class WebhookDeliveryRepeated(DomainEvent):
    topic = "hook.again"
    words = _("sent a delivery to a webhook again")


@domain_event
class WebhookDeleted(DomainEvent):
    topic = "hook.delete"


@domain_event
class CalendarOpened(DomainEvent):
    topic = "calendar.open"


@domain_event
class CalendarClosed(DomainEvent):
    topic = "calendar.close"


@domain_event
class PushSubscribed(DomainEvent):
    topic = "push.subscribe"


@domain_event
class PushUnsubscribed(DomainEvent):
    topic = "push.unsubscribe"


@domain_event
class PushEnded(DomainEvent):
    """A browser is gone, or nothing reaches it: we removed its subscription."""

    topic = "push.end"
