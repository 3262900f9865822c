"""Types of events that webhooks may subscribe to, besides failures of bots (`bots.domain_events`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext_lazy as _

from activity.domain_events import Subject, WebhookMessage, WebhookType

MATCH_FINISHED: Final = WebhookType("match.finished", _("a match or a table is finished"), Subject.MATCH, 10)
REPORT_CONFIRMED: Final = WebhookType(
    "report.confirmed", _("a result of a table counts from now on"), Subject.REPORT, 20
)
REPORT_UNDONE: Final = WebhookType(
    "report.undone", _("a result of a table that counted was withdrawn or corrected"), Subject.REPORT, 30
)
ROUND_PUBLISHED: Final = WebhookType(
    "round.published", _("a round is drawn, or its tables are called"), Subject.ROUND, 40
)
LADDER_ENDED: Final = WebhookType(
    "ladder.ended", _("a season of an official ladder has ended, with its medals"), Subject.EVENT, 58
)
CHALLENGE_DECIDED: Final = WebhookType(
    "challenge.decided", _("a comparison of two versions is decided"), Subject.CHALLENGE, 60
)


def rounds_published(stage: str, numbers: Sequence[int], *, called: bool = False, source: str = "") -> WebhookMessage:
    """Build the message of rounds.

    stage: its uuid; called: their tables are called, not only drawn; source: as there.
    """
    about = {"stage": stage, "rounds": list(numbers), "called": called}
    return WebhookMessage(ROUND_PUBLISHED, about, source=source)


def result_counts(match: str, version: int | None) -> WebhookMessage:
    """Build the message that a version of a match's report (its uuid) counts from now on."""
    return WebhookMessage(REPORT_CONFIRMED, {"match": match, "report": version})
