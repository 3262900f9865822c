"""Domain events of stages, rounds and their clocks, and of what is added to standings by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.phrasing import listed
from activity.domain_events import (
    ABSENT,
    DomainEvent,
    Effect,
    Notification,
    Readers,
    WebhookMessage,
    domain_event,
    uuid_or_nothing,
)
from tournaments.domain_events.transitions import Transitioned
from tournaments.domain_events.webhook_types import ROUND_PUBLISHED, rounds_published
from tournaments.models import Round
from tournaments.models.stage_names import in_readers_words


@dataclass(frozen=True, kw_only=True)
class RoundClockChanged(DomainEvent):
    """Something was done to the clock of a round. minutes: how long the round is from now on."""

    round: int
    stage: int
    minutes: int


@dataclass(frozen=True, kw_only=True)
class AdjustmentWritten(DomainEvent):
    """Points were given or taken by hand, or that was revoked. units: exact, as text."""

    entry: str
    adjustment: int
    stage: int
    units: str
    round: int | None
    counts_in: Any = ABSENT


def stage_named(after: Mapping[str, Any]) -> Sequence[str]:
    """Return the name of a stage, or its number."""
    return [in_readers_words(after["name"]) or gettext("stage %(n)s") % {"n": after["stage"]}]


@domain_event
class StageClockChosen(DomainEvent):
    topic = "stage.clock"
    words = _("changed the clock")

    clock: str
    load_ms: int
    move_ms: int
    bank_ms: int
    match_ms: int
    memory_mib: int


@domain_event
class StageSeeded(Transitioned):
    topic = "stage.seed"
    words = _("drew the rounds")
    entries: int = ABSENT
    stage: int = ABSENT
    by_lots: Sequence[str] = ABSENT

    @classmethod
    def details(cls, subject: str, after: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[str]:
        if "stage" not in after:
            return ()
        shown = {"n": after["stage"], "entries": after["entries"]}
        lots = [names.get(f"entry:{uuid}", "?") for uuid in after["by_lots"]]
        lines = [gettext("stage %(n)s, %(entries)s advance") % shown]
        return [*lines, gettext("lots decided for %(names)s") % {"names": listed(lots)}] if lots else lines


@domain_event
class StageActivated(Transitioned):
    topic = "stage.activate"
    words = _("opened the stage")
    notification = Notification(Readers.STAGE)
    webhook_types = (ROUND_PUBLISHED,)

    rounds: int = ABSENT
    matches: int = ABSENT
    entries: int = ABSENT

    def webhooks(self) -> Iterable[WebhookMessage]:
        stage = uuid_or_nothing(self.subject.removeprefix("stage:"))
        if not stage or not self.rounds:
            return []
        numbers = Round.objects.filter(stage__uuid=stage).order_by("number").values_list("number", flat=True)
        return [rounds_published(stage, list(numbers))] if numbers else []


@domain_event
class StageSettled(Transitioned):
    topic = "stage.settle"
    words = _("all matches are played")
    is_sentence = True
    effect = Effect.NONE


@domain_event
class StageClosed(Transitioned):
    topic = "stage.close"
    words = _("closed the stage; the secret of its decks is public")
    effect = Effect.NONE


@domain_event
class StageDrawTakenBack(Transitioned):
    topic = "stage.take_back"
    words = _("undid the draw of a stage")


@domain_event
class StageVoided(Transitioned):
    topic = "stage.void"
    words = _("cancelled a stage; nothing in it counts, and the secret of its decks is public:")
    stage: int = ABSENT
    name: str = ABSENT
    results: int = ABSENT
    commitment: str = ABSENT

    @classmethod
    def details(cls, subject: str, after: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[str]:
        return stage_named(after)


@domain_event
class StageUnchanged(DomainEvent):
    topic = "stage.keep"
    words = _("kept a table as it was drawn, although a correction would seat others there:")
    stage: int
    name: str

    @classmethod
    def details(cls, subject: str, after: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[str]:
        return stage_named(after)


@domain_event
class StageSecretRenewed(DomainEvent):
    topic = "stage.new_secret"
    words = _("committed to a new secret, as the one before is public:")
    commitment: str
    stage: int

    @classmethod
    def details(cls, subject: str, after: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[str]:
        return [after["commitment"]]


@domain_event
class RoundPublished(Transitioned):
    topic = "round.publish"
    words = _("published a round")
    words_below = _("published the round")
    effect = Effect.NONE
    notification = Notification(Readers.ROUND)
    webhook_types = (ROUND_PUBLISHED,)

    def webhooks(self) -> Iterable[WebhookMessage]:
        """Return the round that `subject` names: "round:<uuid of the stage>/<number>"."""
        stage, _slash, number = self.subject.removeprefix("round:").partition("/")
        return [rounds_published(stage, [int(number)])] if number.isdecimal() else []


@domain_event
class MatchesDrawn(DomainEvent):
    topic = "round.extend"
    words = _("drew further tables, as both sides are known:")
    notification = Notification(Readers.DRAWN)
    webhook_types = (ROUND_PUBLISHED,)

    stage: str
    round: int
    matches: Sequence[str]
    tables: Sequence[int]

    def webhooks(self) -> Iterable[WebhookMessage]:
        """Return the round as it is now; the first of these matches tells one delivery from the others."""
        first = next(iter(self.matches), "")
        return [rounds_published(self.stage, [self.round], source=f"match:{first}/drawn")] if first else []

    @classmethod
    def details(cls, subject: str, after: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[str]:
        shown = {"round": after.get("round", ""), "tables": listed(after.get("tables", ()))}
        return [gettext("round %(round)s, table %(tables)s") % shown]


@domain_event
class RoundBegun(Transitioned):
    topic = "round.play"
    words = _("played the first match of a round")
    effect = Effect.NONE


@domain_event
class RoundCompleted(Transitioned):
    topic = "round.complete"
    words = _("completed a round")
    words_below = _("completed the round")
    effect = Effect.NONE


@domain_event
class RoundLocked(Transitioned):
    topic = "round.lock"
    words = _("locked a round")
    words_below = _("locked the round")
    effect = Effect.NONE


@domain_event
class RoundDrawTakenBack(Transitioned):
    topic = "round.take_back"
    words = _("undid a draw")


@domain_event
class RoundUnlocked(Transitioned):
    topic = "round.unlock"
    words = _("reopened the previous round")


@domain_event
class PlacesSwapped(DomainEvent):
    topic = "round.swap"
    words = _("swapped seats before the call:")
    notification = Notification(Readers.SWAPPED, "reseated")

    round: int


@domain_event
class RoundLengthChosen(DomainEvent):
    topic = "round_clock.choose"
    words = _("set the length of rounds")
    minutes: int | None


@domain_event
class RoundClockStopped(RoundClockChanged):
    topic = "round_clock.stop"
    words = _("stopped the clock of a round")


@domain_event
class RoundClockResumed(RoundClockChanged):
    topic = "round_clock.go_on"
    words = _("resumed the clock of a round")


@domain_event
class RoundLengthened(RoundClockChanged):
    topic = "round_clock.add"
    words = _("extended a round")


@domain_event
class TimeCalled(RoundClockChanged):
    topic = "round_clock.end"
    words = _("called time")


@domain_event
class StandingsChanged(DomainEvent):
    topic = "standings.change"
    effect = Effect.NONE
    notification = Notification(Readers.COMPARISON, "decided")

    stage: str


@domain_event
class AdjustmentGiven(AdjustmentWritten):
    topic = "adjustment.give"
    words = _("gave or deducted points by hand:")


@domain_event
class AdjustmentRevoked(AdjustmentWritten):
    topic = "adjustment.revoke"
    words = _("revoked points given or deducted by hand:")
