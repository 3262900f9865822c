"""Domain events of bots, their versions and checks, and of workers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from django.utils.translation import gettext_lazy as _

from activity.domain_events import (
    ABSENT,
    DomainEvent,
    Notification,
    Readers,
    Subject,
    WebhookMessage,
    WebhookType,
    domain_event,
    uuid_or_nothing,
)
from bots.models import BotVersion, Check

BOT_FAILED: Final = WebhookType(
    "bot.failed", _("my bot forfeited a match, did not pass its check, or was suspended"), Subject.VERSION, 50
)

VERSION_READY: Final = WebhookType("version.ready", _("a version of my bot passed its check"), Subject.VERSION, 55)
VERSION_FORKED: Final = WebhookType(
    "version.forked", _("somebody forked a published version of my bot"), Subject.VERSION, 57
)


def failure(version: str, match: str, why: str, code: str = "") -> WebhookMessage:
    """Webhooks hear that a version (its uuid) failed. match: its uuid, "" without one; why: a stable word."""
    about = {"version": version, "match": match, "why": why, "code": code}
    return WebhookMessage(BOT_FAILED, about, mark=version)


def version_numbered(channel: str, number: int) -> str:
    """The uuid of version `number` of a bot's channel; "" if it is gone."""
    rows = BotVersion.objects.filter(bot__slug=channel.removeprefix("b:"), n=number)
    return str(rows.values_list("uuid", flat=True).first() or "")


@domain_event
class BotCreated(DomainEvent):
    topic = "bot.create"
    words = _("created the bot")


@domain_event
class BotRenamed(DomainEvent):
    topic = "bot.rename"
    words = _("renamed the bot")


@domain_event
class BotDeleted(DomainEvent):
    topic = "bot.delete"
    words = _("deleted the bot")


@domain_event
class BotSuspended(DomainEvent):
    topic = "bot.suspend"
    words = _("suspended the bot")


@domain_event
class BotSuspensionLifted(DomainEvent):
    topic = "bot.lift"
    words = _("lifted the suspension of the bot")


@domain_event
class BotPolicyChosen(DomainEvent):
    topic = "bot.policy"
    words = _("chose who may challenge the bot")


@domain_event
class BotEmblemChosen(DomainEvent):
    topic = "bot.emblem"
    words = _("chose the emblem of the bot")


@domain_event
class VersionUploaded(DomainEvent):
    topic = "version.upload"
    words = _("uploaded")
    n: int


@domain_event
class VersionChecked(DomainEvent):
    topic = "version.checked"
    words = _("ran the check")


@domain_event
class VersionActivated(DomainEvent):
    topic = "version.activate"
    words = _("activated")
    notification = Notification(Readers.ACTIVATED)

    n: int


@domain_event
class VersionRetired(DomainEvent):
    topic = "version.retire"
    words = _("retired")
    n: int


@domain_event
class VersionHidden(DomainEvent):
    topic = "version.hide"
    words = _("hid a version")
    n: int


@domain_event
class VersionShownAgain(DomainEvent):
    topic = "version.unhide"
    words = _("showed a version again")
    n: int


@domain_event
class SourcePublished(DomainEvent):
    topic = "source.publish"
    words = _("published the source of")
    n: int
    licence: str


@domain_event
class SourceWithdrawn(DomainEvent):
    topic = "source.withdraw"
    words = _("no longer publishes the source of")
    n: int


@domain_event
class VersionForked(DomainEvent):
    """On the channel of the origin. n: the version that was forked; fork: the address of the new bot."""

    topic = "version.fork"
    words = _("forked the bot")
    notification = Notification(Readers.FORKED)
    webhook_types = (VERSION_FORKED,)

    n: int
    fork: str

    def webhooks(self) -> Iterable[WebhookMessage]:
        version = version_numbered(self.channel, self.n)
        about = {"version": version, "match": "", "why": "forked", "code": ""}
        return [WebhookMessage(VERSION_FORKED, about, mark=self.fork)] if version else []


@domain_event
class VersionReinstated(DomainEvent):
    topic = "version.unbench"
    words = _("lifted the suspension of a version")


@domain_event
class VersionSuspended(DomainEvent):
    topic = "version.bench"
    words = _("suspended a version")
    notification = Notification(Readers.BENCHED)
    webhook_types = (BOT_FAILED,)

    n: int
    match: str = ABSENT
    reason: str = ABSENT
    version: str = ABSENT

    def webhooks(self) -> Iterable[WebhookMessage]:
        version = version_numbered(self.channel, self.n)
        return [failure(version, uuid_or_nothing(self.match), "benched")] if version else []


@domain_event
class CheckChanged(DomainEvent):
    topic = "check.change"
    notification = Notification(Readers.CHECKED)
    webhook_types = (BOT_FAILED, VERSION_READY)

    n: int
    state: str

    def webhooks(self) -> Iterable[WebhookMessage]:
        rows = Check.objects.select_related("version").filter(version__bot__slug=self.channel.removeprefix("b:"))
        check = rows.filter(version__n=self.n).first() if self.state == Check.State.DONE else None
        if check is None:
            return []
        version = str(check.version.uuid)
        if check.version.state == BotVersion.State.FAILED:
            return [failure(version, "", "check", _code_of(check))]
        if check.version.state == BotVersion.State.READY:
            about = {"version": version, "match": "", "why": "ready", "code": ""}
            return [WebhookMessage(VERSION_READY, about, mark=version)]
        return []


def _code_of(check: Check) -> str:
    """Return the code of the step that a version failed; "" where none has one."""
    steps = check.result.get("steps", [])
    return next((str(step.get("code", "")) for step in steps if step["ok"] is False), "")


@domain_event
class CheckRetried(DomainEvent):
    topic = "check.retry"
    words = _("had the check run again")


@domain_event
class CheckQuarantined(DomainEvent):
    topic = "check.quarantine"


@domain_event
class WorkerDrained(DomainEvent):
    topic = "worker.drain"
    words = _("drained the worker")


@domain_event
class WorkerReleased(DomainEvent):
    topic = "worker.go_on"
    words = _("resumed the worker")
