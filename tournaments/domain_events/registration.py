"""Domain events of registrations. What they carry is read by the public: never an address, an answer or a reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from activity.domain_events import ABSENT, DomainEvent, Notification, Readers, domain_event


@dataclass(frozen=True, kw_only=True)
class RegistrationChanged(DomainEvent):
    """Something was done to a registration. entry, name: of the entry, once there is one that everybody may see."""

    state: str
    entry: str = ABSENT
    name: str = ABSENT

    @classmethod
    def details(cls, subject: str, after: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[str]:
        """Return the name, where the entry made it public."""
        return [after["name"]] if after.get("name") else []


@domain_event
class RegistrationSetUp(DomainEvent):
    topic = "registration.set_up"
    words = _("changed the registration form")

    is_on: bool


@domain_event
class PersonRegistered(RegistrationChanged):
    topic = "registration.confirm"
    words = _("registered")


@domain_event
class RegistrationEdited(RegistrationChanged):
    topic = "registration.edit"
    words = _("changed a registration:")


@domain_event
class RegistrationWithdrawn(RegistrationChanged):
    topic = "registration.withdraw"
    words = _("withdrew a registration:")


@domain_event
class RegistrationApproved(RegistrationChanged):
    topic = "registration.approve"
    words = _("approved a registration:")
    notification = Notification(Readers.PERSON, "approved", _("%(event)s: your registration is approved."))


@domain_event
class RegistrationRefused(DomainEvent):
    """registration: its uuid, which opens nothing and names nobody."""

    topic = "registration.refuse"
    words = _("refused a registration")
    notification = Notification(Readers.PERSON, "refused", _("%(event)s: your registration is not accepted."))

    state: str
    registration: str = ABSENT


@domain_event
class RegistrationLinkRenewed(DomainEvent):
    topic = "registration.renew"
    words = _("renewed the link of a registration")


@domain_event
class RegisteredTeamChanged(DomainEvent):
    topic = "registration.team"
    words = _("changed who is in a team that registers")


@domain_event
class PaymentNoted(DomainEvent):
    topic = "registration.pay"
    words = _("changed whether a registration is paid")

    paid: bool
