"""Domain events of entries: bots and people, private links, teams, line-ups and partners."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.phrasing import listed
from activity.domain_events import ABSENT, DomainEvent, Notification, Readers, domain_event


@dataclass(frozen=True, kw_only=True)
class PersonChanged(DomainEvent):
    """A person is noted as here, as not here, or leaves. entry: its uuid."""

    entry: str = ABSENT
    name: str = ABSENT
    state: str = ABSENT


@dataclass(frozen=True, kw_only=True)
class LinkUsed(DomainEvent):
    """A person did something by their own private link."""

    entry: str
    name: str


@dataclass(frozen=True, kw_only=True)
class TeamChanged(DomainEvent):
    """Something was done to a team. entry: its uuid."""

    entry: str
    name: str

    @classmethod
    def details(cls, subject: str, after: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[str]:
        """Return its name, also once it is gone."""
        return [] if names.get(subject) else [after["name"]]


@dataclass(frozen=True, kw_only=True)
class PartnersChanged(DomainEvent):
    """Partners were drawn, or a draw was taken back. left: names of those without a partner; seed: hexadecimal."""

    number: int
    teams: int
    left: Sequence[str]
    seed: str
    reason: str

    @classmethod
    def details(cls, subject: str, after: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[str]:
        lines = [gettext("draw %(number)s, %(teams)s teams") % after]
        left = listed(after["left"])
        return [*lines, gettext("without a partner: %(names)s") % {"names": left}] if left else lines


@domain_event
class BotEntered(DomainEvent):
    topic = "entry.enter"
    words = _("entered")
    notification = Notification(Readers.ENTERED, "entered")

    entry: str = ABSENT
    state: str = ABSENT
    promoted: Sequence[str] = ABSENT
    entries: int = ABSENT


@domain_event
class BotWithdrawn(DomainEvent):
    topic = "entry.withdraw"
    words = _("withdrew an entry")
    entry: str = ABSENT
    state: str = ABSENT
    promoted: Sequence[str] = ABSENT


@domain_event
class EntryPromoted(DomainEvent):
    topic = "entry.promote"
    words = _("moved an entry up from the waiting list:")
    notification = Notification(
        Readers.PERSON, "promoted", _("%(event)s: you have a place now, you moved up from the waiting list.")
    )

    entry: str = ABSENT
    name: str = ABSENT


@domain_event
class PeopleAdded(DomainEvent):
    topic = "entry.add"
    words = _("added people")
    names: Sequence[str]
    n: int


@domain_event
class EntryCorrected(DomainEvent):
    """The name, club, seed or rating was corrected. changed: which of them; what they were is for organisers."""

    topic = "entry.correct"
    words = _("corrected an entry:")
    entry: str
    changed: Sequence[str]


@domain_event
class EntryCheckedIn(PersonChanged):
    topic = "entry.check_in"
    words = _("checked somebody in")

    n: int = ABSENT


@domain_event
class EntryCheckedOut(PersonChanged):
    topic = "entry.check_out"
    words = _("undid a check-in")


@domain_event
class EntryLeft(PersonChanged):
    topic = "entry.leave"
    words = _("left the event")
    notification = Notification(Readers.PERSON, "left", _("%(event)s: the organiser noted that you leave."))


@domain_event
class EntryReturned(PersonChanged):
    topic = "entry.return"
    words = _("brought back")
    notification = Notification(Readers.PERSON, "returned", _("%(event)s: you take part again."))


@domain_event
class ByeRequested(PersonChanged):
    """Somebody sits out rounds. worths: by round, what each is worth ("0", "1/2", "1")."""

    topic = "entry.sit_out"
    words = _("noted who sits out:")
    notification = Notification(Readers.PERSON, "sits_out")

    worths: Mapping[str, str]

    @classmethod
    def details(cls, subject: str, after: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[str]:
        return [rounds_named(after["worths"])]


@domain_event
class ByeCancelled(PersonChanged):
    topic = "entry.play_on"
    words = _("noted who plays after all:")
    notification = Notification(Readers.PERSON, "plays_on")

    rounds: Sequence[int]

    @classmethod
    def details(cls, subject: str, after: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[str]:
        return [rounds_named(after["rounds"])]


@domain_event
class NoShowWithdrawn(PersonChanged):
    """Somebody did not come for the last time that the event allows. n: how often."""

    topic = "entry.no_show"
    words = _("withdrawn after no-shows:")
    notification = Notification(
        Readers.PERSON, "no_show", _("%(event)s: you are withdrawn, because you did not come. Ask the organiser.")
    )

    n: int

    @classmethod
    def details(cls, subject: str, after: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[str]:
        return [ngettext("%(n)d no-show", "%(n)d no-shows", after["n"]) % {"n": after["n"]}]


@domain_event
class PlayerReplaced(PersonChanged):
    """Somebody plays on in place of somebody else. substitute: their name; keeps: whether with the points; left: the
    entry of the person who leaves, from now on.
    """

    topic = "entry.replace"
    words = _("named a substitute for")
    notification = Notification(Readers.PERSON, "replaced")

    substitute: str
    keeps: bool
    left: str = ABSENT

    @classmethod
    def details(cls, subject: str, after: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[str]:
        shown = {"name": after["name"], "substitute": after["substitute"]}
        return [gettext("%(substitute)s plays in place of %(name)s") % shown]


def rounds_named(rounds: Iterable[object]) -> str:
    """Return "rounds 2, 3"."""
    numbers = [str(number) for number in rounds]
    return ngettext("round %(rounds)s", "rounds %(rounds)s", len(numbers)) % {"rounds": listed(numbers)}


@domain_event
class PlayerClaimed(DomainEvent):
    topic = "entry.claim"


@domain_event
class PlayerReleased(DomainEvent):
    topic = "entry.release"


@domain_event
class LinksMade(DomainEvent):
    topic = "link.make"
    words = _("made private links")
    n: int


@domain_event
class LinkRenewed(DomainEvent):
    topic = "link.renew"
    words = _("renewed the private link of")
    name: str


@domain_event
class LinkRevoked(DomainEvent):
    topic = "link.revoke"
    words = _("removed the private link of")
    name: str


@domain_event
class CheckedInByLink(LinkUsed):
    topic = "link.check_in"
    words = _("checked in through their own link:")


@domain_event
class LeftByLink(LinkUsed):
    topic = "link.leave"
    words = _("left through their own link:")
    notification = Notification(Readers.ORGANISERS, "dropped_out")


@domain_event
class AskedToLeaveByLink(LinkUsed):
    topic = "link.ask"
    words = _("asked to leave through their own link:")
    notification = Notification(Readers.ORGANISERS, "asks_to_leave")


@domain_event
class StayedByLink(LinkUsed):
    topic = "link.stay"
    words = _("decided to stay through their own link:")


@domain_event
class CaptainRenewed(DomainEvent):
    topic = "captain.renew"
    words = _("renewed the captain's address of")
    name: str


@domain_event
class TeamMade(TeamChanged):
    topic = "team.make"
    words = _("made a team:")
    names: Sequence[str]


@domain_event
class TeamBroken(TeamChanged):
    topic = "team.break"
    words = _("took a team apart:")


@domain_event
class TeamRenamed(TeamChanged):
    topic = "team.rename"
    words = _("renamed a team:")
    before: str


@domain_event
class SubstituteNamed(TeamChanged):
    topic = "team.substitute"
    words = _("named a substitute for")

    member: str
    substitute: str
    round: int
    stage: int

    @classmethod
    def details(cls, subject: str, after: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[str]:
        return [gettext("%(substitute)s plays for %(member)s from round %(round)s on") % after]


@domain_event
class LineupGiven(TeamChanged):
    topic = "team.lineup"
    words = _("set the line-up of")

    round: int
    stage: int

    @classmethod
    def details(cls, subject: str, after: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[str]:
        return [gettext("from round %(round)s on") % after]


@domain_event
class MemberLeft(TeamChanged):
    topic = "team.part"
    words = _("recorded that a member left")

    member: str
    round: int
    stage: int

    @classmethod
    def details(cls, subject: str, after: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[str]:
        return [gettext("%(member)s, from round %(round)s on") % after]


@domain_event
class PartnersDrawn(PartnersChanged):
    topic = "partners.draw"
    words = _("drew partners; the committed seed is public")


@domain_event
class PartnersUndone(PartnersChanged):
    topic = "partners.undo"
    words = _("undid a draw of partners")
