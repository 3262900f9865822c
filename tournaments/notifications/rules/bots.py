"""Rules about bots: their versions, checks, entries and comparisons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bots.models import Bot, BotVersion, Check
from tournaments.lifecycle.visibility import IN_PLAY
from tournaments.models import Challenge, Entry, LadderMedal
from tournaments.notifications.rules.facts import KIND, Batch, News, NotifiableEvent, source_of
from tournaments.notifications.tables import By, of_bot


def decided(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield the answer of a comparison, once: to the person who asked and the owner of the other bot."""
    found = Challenge.objects.select_related("candidate__bot", "reference__bot", "stage__tournament").filter(
        stage__tournament=batch.events.get(row.channel)
    )
    challenge = found.exclude(state=Challenge.State.RUNNING).first() if row.channel in batch.events else None
    if challenge is None or challenge.reason == Challenge.Reason.STOPPED:
        return
    readers = {challenge.by_id: By("own"), challenge.reference.bot.owner_id: By("own")}
    yield NotifiableEvent(
        f"challenge:{challenge.uuid}",
        KIND.CHALLENGE,
        "decided",
        row.created_at,
        readers,
        challenge.stage.tournament,
        challenge=challenge.pk,
    )


def entered(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield an entered bot to those who follow it or its owner."""
    event, name = batch.events.get(row.channel), row.payload.get("entry")
    rows = (
        Entry.objects.filter(uuid=name, state__in=IN_PLAY).select_related("player__bot")
        if name
        else Entry.objects.none()
    )
    entry = rows.first() if event is not None else None
    if entry is None or entry.player.bot is None:
        return
    bot = entry.player.bot
    yield NotifiableEvent(source_of(row), KIND.BOT, "entered", row.created_at, of_bot(bot), event, bot=bot.pk)


def _version_of(row: News) -> BotVersion | None:
    rows = BotVersion.objects.select_related("bot").filter(bot__slug=row.channel.removeprefix("b:"))
    return rows.filter(n=row.payload["n"]).first()


def _of_version(row: News, version: BotVersion, kind: str, what: str, readers: Mapping[int, By]) -> NotifiableEvent:
    return NotifiableEvent(source_of(row), kind, what, row.created_at, readers, bot=version.bot_id, version=version.pk)


def activated(row: News, _batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield the version that a bot plays with from now on."""
    version = _version_of(row)
    if version is not None and version.hidden_at is None:
        yield _of_version(row, version, KIND.BOT, "activated", of_bot(version.bot))


def checked(row: News, _batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield a check that is over, or held, to the owner alone."""
    state = row.payload.get("state")
    version = _version_of(row) if state in (Check.State.DONE, Check.State.QUARANTINED) else None
    words = {BotVersion.State.READY: "passed", BotVersion.State.FAILED: "failed"}
    if state == Check.State.QUARANTINED:
        words = {BotVersion.State.CHECKING: "check_held"}
    what = words.get(BotVersion.State(version.state), "") if version is not None else ""
    if version is not None and what:
        yield _of_version(row, version, KIND.VERSION, what, {version.bot.owner_id: By("own")})


def medals(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield each medal of a ladder's season to the owner of the bot and to those who follow it."""
    event = batch.events.get(row.channel)
    rows = (
        LadderMedal.objects.filter(season__stage__tournament=event) if event is not None else LadderMedal.objects.none()
    )
    for medal in rows.select_related("bot").order_by("place", "pk"):
        readers = of_bot(medal.bot) | {medal.bot.owner_id: By("own")}
        source, facts = source_of(row, medal.bot.slug), {"place": medal.place}
        yield NotifiableEvent(
            source, KIND.EVENT, "medal", row.created_at, readers, event, bot=medal.bot_id, facts=facts
        )


def forked(row: News, _batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield a fork of a published version to the owner of its origin, unless they made it themselves."""
    version = _version_of(row)
    fork = Bot.objects.filter(slug=row.payload["fork"]).first() if version is not None else None
    if version is not None and fork is not None and version.bot.owner_id != fork.owner_id and not version.bot.house:
        yield _of_version(row, version, KIND.BOT, "forked", {version.bot.owner_id: By("own")})


def suspended(row: News, _batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield a suspended version to the owner alone."""
    version = _version_of(row)
    if version is not None and version.benched_at is not None:
        yield _of_version(row, version, KIND.FAULT, "benched", {version.bot.owner_id: By("own")})
