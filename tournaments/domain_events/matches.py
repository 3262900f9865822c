"""Domain events of matches and tables: how they go on, their results, slips and photos."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

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
from bots.domain_events import BOT_FAILED, failure
from bots.selectors.faults import words_for
from tournaments.domain_events.transitions import Transitioned
from tournaments.domain_events.webhook_types import (
    MATCH_FINISHED,
    REPORT_CONFIRMED,
    REPORT_UNDONE,
    ROUND_PUBLISHED,
    result_counts,
    rounds_published,
)
from tournaments.models import Match, ResultReport, Seat

# Acts (`undo.recorder`) that made a result count; undoing one of them takes it back.
REPORTS: Final = frozenset({"enter", "enter_sheet", "accept", "accept_all", "rule", "correct"})


@dataclass(frozen=True, kw_only=True)
class ResultCounts(Transitioned):
    """A reported result of a table counts from now on. `MatchConfirmed` of the same transaction names the match."""

    effect = Effect.NONE
    webhook_types = (REPORT_CONFIRMED,)

    version: int | None
    score: Sequence[Any]

    def webhooks(self) -> Iterable[WebhookMessage]:
        match = uuid_or_nothing(self.subject.removeprefix("match:"))
        return [result_counts(match, self.version)] if match else []


@domain_event
class MatchMadeReady(Transitioned):
    topic = "match.make_ready"
    words = _("a table can be called, as both sides are known")
    is_sentence = True


@domain_event
class MatchesQueued(Transitioned):
    topic = "match.queue"
    words = _("queued a match")
    effect = Effect.NONE

    matches: int = ABSENT
    state: str = ABSENT


@domain_event
class MatchClaimed(Transitioned):
    topic = "match.claim"
    words = _("a worker took a match")
    is_sentence = True
    effect = Effect.NONE

    match: str = ABSENT


@domain_event
class MatchRequeued(Transitioned):
    topic = "match.requeue"
    words = _("requeued a match")


@domain_event
class MatchChanged(DomainEvent):
    topic = "match.change"
    effect = Effect.NONE
    notification = Notification(Readers.HELD, "match_held")

    match: str
    state: str


@domain_event
class MatchQuarantined(Transitioned):
    topic = "match.quarantine"
    words = _("held a match for review")

    @classmethod
    def details(cls, subject: str, after: Mapping[str, Any], names: Mapping[str, str]) -> Sequence[str]:
        return [words_for(str(after.get("code", "")))]


@domain_event
class MatchRetried(Transitioned):
    topic = "match.retry"
    words = _("requeued a held match")
    updates_standings = True


@domain_event
class MatchCalled(Transitioned):
    topic = "match.call"
    words = _("called a table")
    effect = Effect.NONE
    notification = Notification(Readers.CALLED, "seated")
    webhook_types = (ROUND_PUBLISHED,)

    station: int | None = ABSENT

    def webhooks(self) -> Iterable[WebhookMessage]:
        """Return one message for a round whose tables are called, however many it has; of a bracket that flows one for
        each match.
        """
        match = uuid_or_nothing(self.subject.removeprefix("match:"))
        found = Match.objects.filter(uuid=match, round__isnull=False) if match else Match.objects.none()
        for row, stage, number, alone in found.values_list("round", "stage__uuid", "round__number", "stage__flows"):
            # One source for all tables of the round: the second one is the same delivery and is ignored. Matches of a
            # bracket that flows are called one by one, so each is told.
            source = f"match:{match}/called" if alone else f"round:{row}/called"
            yield rounds_published(str(stage), [number], called=True, source=source)


@domain_event
class MatchBegun(Transitioned):
    topic = "match.begin"
    words = _("a table began")
    is_sentence = True
    effect = Effect.NONE


@domain_event
class ResultReported(Transitioned):
    topic = "match.report"
    words = _("reported a result")
    effect = Effect.NONE
    notification = Notification(Readers.AWAITED, "awaited")

    side: int | None = ABSENT


@domain_event
class ResultDisputed(Transitioned):
    topic = "match.dispute"
    words = _("disputed a result")
    effect = Effect.NONE
    notification = Notification(Readers.DISPUTED, "disputed")

    side: int | None = ABSENT


@domain_event
class ReportReplaced(DomainEvent):
    topic = "match.replace_report"
    words = _("a side corrected its report")
    is_sentence = True
    effect = Effect.NONE

    match: str


@domain_event
class MatchConfirmed(Transitioned):
    topic = "match.confirm"
    words = _("recorded the result")
    effect = Effect.RESULT
    updates_standings = True
    notification = Notification(Readers.RESULT, "confirmed")
    webhook_types = (MATCH_FINISHED, BOT_FAILED)

    match: str = ABSENT
    score: Sequence[Any] = ABSENT
    forfeits: Any = ABSENT
    state: str = ABSENT

    def webhooks(self) -> Iterable[WebhookMessage]:
        """Yield the end of the match, and the forfeits, which a bot's match has in the same row."""
        match = uuid_or_nothing(self.match)
        if not match:
            return
        yield WebhookMessage(MATCH_FINISHED, {"match": match})
        if self.forfeits:
            seats = Seat.objects.filter(match__uuid=match, outcome=Seat.Outcome.FORFEIT, bot_version__isnull=False)
            for uuid, fault in seats.values_list("bot_version__uuid", "fault"):
                yield failure(str(uuid), match, "forfeit", str((fault or {}).get("code", "")))


@domain_event
class ResultAccepted(ResultCounts):
    topic = "match.accept"
    words = _("confirmed a result")


@domain_event
class DisputeRuled(ResultCounts):
    topic = "match.rule"
    words = _("ruled on a dispute")


@domain_event
class ResultCorrected(DomainEvent):
    topic = "match.correct"
    words = _("corrected a result")
    effect = Effect.CORRECTION
    updates_standings = True
    notification = Notification(Readers.RESULT, "corrected")
    webhook_types = (REPORT_UNDONE, REPORT_CONFIRMED)

    match: str
    version: int | None
    reason: str
    score: Sequence[Any]

    def webhooks(self) -> Iterable[WebhookMessage]:
        match = uuid_or_nothing(self.match)
        if not match:
            return []
        earlier = ResultReport.objects.filter(match__uuid=match, version__lt=self.version or 0)
        superseded = earlier.filter(state=ResultReport.State.SUPERSEDED).order_by("-version")
        undone = superseded.values_list("version", flat=True).first()
        about = {"match": match, "report": undone, "why": "corrected"}
        return [WebhookMessage(REPORT_UNDONE, about), result_counts(match, self.version)]


@domain_event
class LevelMatchDecided(DomainEvent):
    topic = "match.decide"
    words = _("decided who advances from a tied match")
    effect = Effect.CORRECTION
    updates_standings = True
    webhook_types = (REPORT_CONFIRMED,)

    match: str
    version: int | None
    decided: Any = ABSENT
    extra: Any = ABSENT
    reason: str = ABSENT

    def webhooks(self) -> Iterable[WebhookMessage]:
        match = uuid_or_nothing(self.match)
        return [result_counts(match, self.version)] if match else []


@domain_event
class ExtraDealPlayed(DomainEvent):
    topic = "match.extra_deal"
    words = _("an extra deal of a tied match is played")
    is_sentence = True


@domain_event
class ExtraDealReported(DomainEvent):
    topic = "match.extra_report"
    effect = Effect.NONE

    match: str
    extra: int


@domain_event
class ExtraDealDisputed(DomainEvent):
    topic = "match.extra_dispute"
    effect = Effect.NONE

    match: str
    extra: int


@domain_event
class MatchReseated(DomainEvent):
    topic = "match.reseat"
    words = _("a correction changed who sits at a table")
    is_sentence = True
    notification = Notification(Readers.RESEATED, "reseated")

    match: str
    entries: Sequence[str]


@domain_event
class MatchVoided(Transitioned):
    topic = "match.void"
    words = _("cancelled a match")
    updates_standings = True


@domain_event
class MatchTakenOut(Transitioned):
    topic = "match.take_out"
    words = _("cancelled a table to be redrawn after a correction")


@domain_event
class MatchPlayedAgain(DomainEvent):
    topic = "match.play_again"
    words = _("had a table played again:")


@domain_event
class MatchUndone(DomainEvent):
    topic = "match.undo"


@domain_event
class ActUndone(DomainEvent):
    topic = "tournament.undo"
    words = _("undid the last action:")
    notification = Notification(Readers.UNDONE, "undone")
    webhook_types = (REPORT_UNDONE,)

    act: str
    matches: Sequence[str]

    def webhooks(self) -> Iterable[WebhookMessage]:
        """Yield undone results. Undoing may concern many tables; only those with a reported result are news."""
        if self.act not in REPORTS:
            return
        for channel in self.matches:
            match = uuid_or_nothing(str(channel).removeprefix("m:"))
            if match:
                yield WebhookMessage(REPORT_UNDONE, {"match": match, "report": None, "why": "undone"}, mark=match)


@domain_event
class ResultRefused(DomainEvent):
    topic = "result.refused"
    words = _("refused a second, different result")


@domain_event
class PhotoSent(DomainEvent):
    topic = "photo.send"
    words = _("a photo of a slip was sent")
    is_sentence = True
    match: str = ABSENT


@domain_event
class PhotoRemoved(DomainEvent):
    topic = "photo.remove"
    words = _("deleted the photo of a slip")
    match: str = ABSENT


@domain_event
class SlipRenewed(DomainEvent):
    topic = "slip.renew"
    words = _("renewed a slip of")
    match: str = ABSENT
