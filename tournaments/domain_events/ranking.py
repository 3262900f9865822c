"""Domain events of prizes. What they carry is read by the public: nobody's category and nobody's answer."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from activity.domain_events import DomainEvent, Effect, domain_event


@domain_event
class PrizesSet(DomainEvent):
    topic = "prizes.set"
    words = _("changed the prizes")
    effect = Effect.NONE

    publish: str


@domain_event
class CategoryMarked(DomainEvent):
    topic = "prizes.mark"
    words = _("changed who is in a category of the prizes")
    effect = Effect.NONE
