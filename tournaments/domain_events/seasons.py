"""Domain events of seasons, on their own channel ("s:<slug>"); what they carry is read by those who run it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from activity.domain_events import DomainEvent, Notification, Readers, domain_event


@domain_event
class SeasonCreated(DomainEvent):
    topic = "season.create"
    words = _("created the season")


@domain_event
class SeasonChanged(DomainEvent):
    """The rules or words were changed. changed: names of fields, as the API calls them."""

    topic = "season.edit"
    words = _("changed the season:")

    changed: Sequence[str]

    @classmethod
    def details(cls, subject: str, after: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[str]:
        """Return the names of the fields."""
        return [str(each) for each in after.get("changed", ())]


@domain_event
class SeasonTableChanged(DomainEvent):
    topic = "season.table"
    words = _("the table changed")
    is_sentence = True


@dataclass(frozen=True, kw_only=True)
class AboutEvent(DomainEvent):
    """Something was done about one event of the season. event: its address."""

    event: str

    @classmethod
    def details(cls, subject: str, after: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[str]:
        """Return the address of the event."""
        return [after["event"]] if after.get("event") else []


@domain_event
class SeasonEventAdded(AboutEvent):
    topic = "season.add_event"
    words = _("added an event:")


@domain_event
class SeasonEventAsked(AboutEvent):
    topic = "season.ask_event"
    words = _("asked for an event:")
    notification = Notification(Readers.ASKED_BY_SEASON, "season_asks")


@domain_event
class SeasonEventAccepted(AboutEvent):
    topic = "season.accept_event"
    words = _("agreed to an event:")
    notification = Notification(Readers.SEASON_ANSWERED, "season_agreed")


@domain_event
class SeasonEventDeclined(AboutEvent):
    topic = "season.decline_event"
    words = _("declined to count an event:")
    notification = Notification(Readers.SEASON_ANSWERED, "season_declined")


@domain_event
class SeasonEventRemoved(AboutEvent):
    topic = "season.remove_event"
    words = _("removed an event:")


@domain_event
class SeasonEventWeighed(AboutEvent):
    topic = "season.weigh_event"
    words = _("changed the weight of an event:")

    weight: int


@dataclass(frozen=True, kw_only=True)
class AboutPerson(DomainEvent):
    """Something was done about people of the season. names: as they are shown."""

    names: Sequence[str]

    @classmethod
    def details(cls, subject: str, after: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[str]:
        """Return the names."""
        return [str(each) for each in after.get("names", ())]


@domain_event
class SeasonPeopleMerged(AboutPerson):
    topic = "season.merge"
    words = _("merged two names into one person:")


@domain_event
class SeasonPersonSeparated(AboutPerson):
    topic = "season.separate"
    words = _("told two people of one name apart:")


@domain_event
class SeasonIdentityUndone(AboutPerson):
    topic = "season.undo_identity"
    words = _("took back who is who:")


@domain_event
class SeasonDivisionChosen(AboutPerson):
    topic = "season.assign"
    words = _("put somebody into a division:")

    division: int


@dataclass(frozen=True, kw_only=True)
class AboutRole(DomainEvent):
    """A role in the season. user: a user name."""

    user: str
    role: str

    @classmethod
    def details(cls, subject: str, after: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[str]:
        """Return the user name."""
        return [after["user"]] if after.get("user") else []


@domain_event
class SeasonRoleGiven(AboutRole):
    topic = "season.give_role"
    words = _("gave a role in the season to")


@domain_event
class SeasonRoleTaken(AboutRole):
    topic = "season.take_role"
    words = _("took a role in the season from")


@domain_event
class SeasonClosed(DomainEvent):
    topic = "season.close"
    words = _("closed the season")


@domain_event
class SeasonReopened(DomainEvent):
    topic = "season.reopen"
    words = _("opened the season again")
