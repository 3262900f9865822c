"""Domain events: what can happen, each a frozen dataclass that describes its kind in full.

An instance is one row of the outbox; its class is the verb of the audit log. Consumers of a stored row ask the class of
its topic: whether standings follow, which words the log shows, who is notified, what webhooks receive. The classes of
this service lie in `activity/account_events.py`, `bots/domain_events.py` and `tournaments/domain_events/`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from enum import Enum
from functools import cache
from types import NoneType
from typing import Any, ClassVar, Final, Self, TypeVar, dataclass_transform, get_args, get_origin, get_type_hints
from uuid import UUID

from django.utils.functional import Promise

Words = str | Promise
ABSENT: Final[Any] = object()
"""The default of a field that a writer may leave out: then the payload has no such key."""


class Effect(Enum):
    """Effect of an event on the results of its tournament."""

    NONE = "it leaves every result as it was"
    RESULT = "it gives a match its result"
    CORRECTION = "it gives a match another result"
    UNKNOWN = "anything may be different: standings are computed from everything that is stored"


class Subject(Enum):
    """Subject of a webhook event: it decides who may receive it and what is sent (`tournaments.webhooks`)."""

    EVENT = "a tournament, with the fields of the domain event"
    MATCH = "a match"
    REPORT = "a reported result of a match"
    ROUND = "rounds of a stage"
    VERSION = "a version of a bot"
    CHALLENGE = "a comparison"
    HOOK = "the webhook itself"


class Readers(Enum):
    """Readers of a notification; each kind is a rule of `tournaments.notifications.rules`."""

    EVENT = "followers of the tournament and owners of its bots"
    ORGANISER = "those, and followers of its organiser"
    PLACES = "those; owners of bots hear where they came"
    SAID = "those, with the text of an announcement"
    ROUND = "whom the tables of a drawn round concern, and followers of the tournament"
    STAGE = "the same, of a stage that opens"
    DRAWN = "whom tables concern that are added to a round"
    CALLED = "whom a table that is called concerns"
    RESEATED = "whom a table concerns that has others at it"
    SWAPPED = "who sits elsewhere than they were told"
    RESULT = "whom a table with a result concerns"
    UNDONE = "who was told a result that counts no more"
    MEDALS = "owners and followers of bots with a medal"
    COMPARISON = "who asked for a comparison, and whose bot was asked about"
    ENTERED = "followers of a bot that is entered"
    ACTIVATED = "followers of a bot that plays with another version"
    HELD = "organisers of a tournament with a held match"
    CHECKED = "the owner of a bot whose check is over or held"
    FORKED = "the owner of a bot that somebody forked"
    BENCHED = "the owner of a bot that is benched"
    INVITED = "who is invited"
    AWAITED = "who sits at a table with a reported result and did not report it"
    DISPUTED = "who sits at a table whose sides disagree"
    PERSON = "the person of an entry or a registration whose place changed"
    ORGANISERS = "organisers of a tournament"
    ASKED_BY_SEASON = "organisers of a tournament that a season asks to count"
    SEASON_ANSWERED = "who runs a season that asked for a tournament"
    TURN = "whose turn it is at a table of the site"


@dataclass(frozen=True, slots=True)
class Notification:
    """A notification that an event causes. what: `Notice.what`, where the rule does not find it itself.

    words: a sentence with "%(event)s", where `notifications.lines` has none for `what`.
    """

    readers: Readers
    what: str = ""
    words: Words = ""


@dataclass(frozen=True, slots=True)
class WebhookType:
    """Something that a webhook may be subscribed to. position: its place in the list that people choose from."""

    name: str
    words: Words
    subject: Subject = Subject.EVENT
    position: int = 1_000


@dataclass(frozen=True, slots=True)
class WebhookMessage:
    """One thing that webhooks hear. about: what its subject needs, for JSON; it names rows and is read when sent.

    mark: tells it from others of the same event and type. source: names it whichever row told it; "": its own row.
    """

    type: WebhookType
    about: Mapping[str, Any]
    mark: str = ""
    source: str = ""


@dataclass(frozen=True, kw_only=True)
class DomainEvent:
    """One thing that happened, for the listeners of `channel` ("t:<slug>", "m:<uuid>", "b:<slug>", "q:").

    topic: as it is stored, for ever. words: in the log, after the name of who did it; without them the topic stands for
    itself; words_below: the same below the heading of the round that they are about, where they name it otherwise.
    is_sentence: the words say who or what it was, and the log puts no name before them. updates_standings:
    whether the tournament's standings and rounds are brought up to date. Fields are the payload: JSON values, all
    required of a writer but those that default to `ABSENT`.
    """

    topic: ClassVar[str] = ""
    words: ClassVar[Words] = ""
    words_below: ClassVar[Words] = ""
    is_sentence: ClassVar[bool] = False
    effect: ClassVar[Effect] = Effect.UNKNOWN
    updates_standings: ClassVar[bool] = False
    notification: ClassVar[Notification | None] = None
    webhook_types: ClassVar[tuple[WebhookType, ...]] = ()

    channel: str = field(kw_only=False)

    def payload(self) -> dict[str, Any]:
        """Return what is stored beside channel and topic."""
        values = ((each.name, getattr(self, each.name)) for each in _payload_fields(type(self)))
        return {name: value for name, value in values if value is not ABSENT}

    @classmethod
    def of(cls, channel: str, payload: Mapping[str, Any]) -> Self:
        """Return the event with this payload. Raises TypeError for a key that is no field, and for a field without a
        key.
        """
        # Strict, for writers: a misspelt key fails in the transaction that would store it for ever.
        return cls(channel, **payload)

    @classmethod
    def read(cls, channel: str, payload: Mapping[str, Any]) -> Self:
        """Return the event of a stored row, also of an earlier version of the class.

        A field that the row lacks is empty (0, "", None, ..); a key that is no field any more is passed over.
        """
        kind: Any = cls
        # Lenient, for readers: rows outlive the classes that wrote them, and none may stop a consumer.
        empty = _empty_values(kind)
        return cls(channel, **{name: payload.get(name, value) for name, value in empty.items()})

    def webhooks(self) -> Iterable[WebhookMessage]:
        """Return what webhooks hear of it: the fields of the event, for each of its types."""
        about = {"channel": self.channel, "fields": self.payload()}
        return [WebhookMessage(each, about) for each in self.webhook_types]

    @classmethod
    def details(cls, subject: str, after: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[str]:
        """Return further words of the log. subject, after: of the audit event; names: of its entries, by
        "entry:<uuid>".
        """
        return ()


Event = TypeVar("Event", bound=DomainEvent)
_classes: dict[str, type[DomainEvent]] = {}


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def domain_event(cls: type[Event]) -> type[Event]:
    """Make a class a frozen dataclass and register it: the line above each domain event."""
    made = dataclass(frozen=True, kw_only=True)(cls)
    register(made)
    return made


def register(cls: type[DomainEvent]) -> None:
    """Register a class, so that rows of its topic are written and read. Raises ValueError for a topic without name, or
    taken.
    """
    # Two classes of one topic would read each other's rows.
    if not cls.topic or cls.topic in _classes:
        raise ValueError(f"the topic “{cls.topic}” of {cls.__name__} is registered already, or empty")
    _classes[cls.topic] = cls


def withdraw(cls: type[DomainEvent]) -> None:
    """Undo `register`: for tests with events of their own."""
    del _classes[cls.topic]


def class_of(topic: str) -> type[DomainEvent] | None:
    """Return the class of a stored topic or verb; None for one that this version does not know."""
    return _classes.get(topic)


def required_class(topic: str) -> type[DomainEvent]:
    """Return the class of a topic that code names. Raises LookupError if there is none."""
    if (found := class_of(topic)) is None:
        raise LookupError(f"no domain event has the topic “{topic}”")
    return found


def is_registered(cls: type[DomainEvent]) -> bool:
    """Return whether rows of the class could be read."""
    return _classes.get(cls.topic) is cls


def every_class() -> tuple[type[DomainEvent], ...]:
    """Return all registered classes, in the order of their registration."""
    return tuple(_classes.values())


def topics_that_update_standings() -> list[str]:
    """Return the topics whose rows the standings follow."""
    return [cls.topic for cls in every_class() if cls.updates_standings]


def webhook_types() -> dict[str, WebhookType]:
    """Return by name everything that a webhook may be subscribed to, in the order in which people choose."""
    found = {each.name: each for cls in every_class() for each in cls.webhook_types}
    return dict(sorted(found.items(), key=lambda item: item[1].position))


def uuid_or_nothing(text: object) -> str:
    """Return the uuid that a stored row names, "" if it names none."""
    try:
        return str(UUID(str(text)))
    except ValueError:
        return ""


def _payload_fields(cls: type[DomainEvent]) -> Iterable[Any]:
    return [each for each in fields(cls) if each.name != "channel"]


@cache
def _empty_values(cls: Any) -> dict[str, Any]:
    """Return by field the value that stands for it where a row lacks it."""
    hints = get_type_hints(cls)
    found = {}
    for each in _payload_fields(cls):
        # ABSENT is the writer's "leave it out", not a value: such a field is empty when it is read.
        has_default = each.default is not MISSING and each.default is not ABSENT
        found[each.name] = each.default if has_default else _empty(hints[each.name])
    return found


def _empty(kind: Any) -> Any:
    """Return the empty value of a field's type."""
    if kind is Any or NoneType in get_args(kind):
        return None
    origin = get_origin(kind) or kind
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {}
    return () if origin is Sequence else origin()
