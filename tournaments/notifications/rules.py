"""Rules that turn rows of the outbox into notices: facts, and the people whom each concerns.

Nothing here knows a secret: of a round only its published tables are read, of a line-up nothing, of a bot only what
its own page shows; logs and findings are behind the link, whose page asks again who looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from activity.domain_events import Notification, Readers, class_of, uuid_or_nothing
from bots.models import BotVersion, Check, Outbox
from tournaments.lifecycle.transitions import ORGANISERS
from tournaments.lifecycle.visibility import IN_PLAY
from tournaments.models import Challenge, Entry, Invitation, Match, Notice, Role, Round, Standing, Tournament
from tournaments.notifications.tables import By, NotifiableEvent, Tables, followers, of_bot, of_event, tables_of

KIND: Final = Notice.Kind


@dataclass(frozen=True, slots=True)
class News:
    """A row of the outbox that people are notified of. payload: whole, no matter what version wrote it."""

    channel: str
    version: int
    created_at: datetime
    payload: Mapping[str, Any]
    notification: Notification


@dataclass(frozen=True, slots=True)
class Batch:
    """The subjects of rows of the outbox, read at once. events: by channel; tables: by the match's uuid."""

    rows: Sequence[News]
    events: Mapping[str, Tournament]
    tables: Tables


def is_news(row: Outbox) -> bool:
    """Return whether people are notified of such rows."""
    found = class_of(row.topic)
    return found is not None and found.notification is not None


def _news_of(row: Outbox) -> Iterator[News]:
    found = class_of(row.topic)
    if found is not None and found.notification is not None:
        payload = found.read(row.channel, row.payload).payload()
        yield News(row.channel, row.version, row.created_at, payload, found.notification)


def batch_of(rows: Sequence[Outbox]) -> Batch:
    """Read what these rows are about: a few queries, however many they are."""
    wanted = [news for row in rows for news in _news_of(row)]
    slugs = {news.channel.removeprefix("t:") for news in wanted if news.channel.startswith("t:")}
    events = {event.channel: event for event in Tournament.objects.filter(slug__in=slugs)} if slugs else {}
    named = {uuid for news in wanted if news.notification.readers in OF_TABLES and (uuid := _match_of(news))}
    undone = [news for news in wanted if news.notification.readers is Readers.UNDONE]
    named |= {str(each).removeprefix("m:") for news in undone for each in news.payload["matches"]}
    return Batch(wanted, events, tables_of(Match.objects.filter(uuid__in=named)) if named else Tables())


def notifiable_events(news: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield the facts of a row."""
    return RULES[news.notification.readers](news, batch)


def source_of(row: News, *about: object) -> str:
    """Name the fact of a row, or the part of it about something."""
    return "/".join([f"{row.channel}@{row.version}", *map(str, about)])


def _event(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield something that happened to an event as a whole."""
    event, what = batch.events.get(row.channel), row.notification.what
    if event is not None:
        yield NotifiableEvent(source_of(row), KIND.EVENT, what, row.created_at, of_event(event), event)


def _announced(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield an announced event, to those who follow its organiser, too."""
    event = batch.events.get(row.channel)
    if event is not None:
        # Later ones win: somebody who follows the organiser and is entered is notified because of the entry.
        readers = {user: By("person") for user in followers(person=event.created_by_id)} | of_event(event)
        yield NotifiableEvent(source_of(row), KIND.EVENT, "announced", row.created_at, readers, event)


def _finished(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield the end of an event; a person with bots in it hears the place of the best one."""
    event = batch.events.get(row.channel)
    if event is None:
        return
    readers, best = of_event(event), _places(event)
    for user, (rank, bot) in best.items():
        if user in readers:
            one = {user: readers.pop(user)}
            yield NotifiableEvent(
                source_of(row), KIND.EVENT, "finished", row.created_at, one, event, bot=bot, facts={"rank": rank}
            )
    yield NotifiableEvent(source_of(row), KIND.EVENT, "finished", row.created_at, readers, event)


def _places(event: Tournament) -> dict[int, tuple[int, int]]:
    """Return, by owner, the best place of their bots in the last stage, and that bot."""
    last = event.stages.order_by("-order").first()
    # From the last place to the first, so that the best one is put in last and stays.
    rows = Standing.objects.filter(stage=last, after_round=0, entry__player__bot__house=False).order_by("-rank", "-row")
    listed = rows.values_list("entry__player__bot__owner", "rank", "entry__player__bot")
    return {owner: (rank, bot) for owner, rank, bot in listed}


def _announcement(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    event = batch.events.get(row.channel)
    if event is not None:
        data = {"n": row.payload["n"], "text": row.payload["text"]}
        yield NotifiableEvent(source_of(row), KIND.SAID, "said", row.created_at, of_event(event), event, facts=data)


def _published(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield a round that is drawn while the stage goes on."""
    event, drawn = batch.events.get(row.channel), _round_of(str(row.payload.get("subject", "")))
    if event is not None and drawn is not None:
        yield from _rounds(row, event, drawn, 1)


def _activated_stage(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield the opening of a stage: the tables of its first round; those of later rounds are notified when called."""
    event = batch.events.get(row.channel)
    stage = uuid_or_nothing(str(row.payload["subject"]).removeprefix("stage:"))
    rounds = Round.objects.filter(stage__uuid=stage) if stage else Round.objects.none()
    drawn = rounds.exclude(state=Round.State.DRAFT).order_by("number").first()
    if event is not None and drawn is not None:
        yield from _rounds(row, event, drawn, int(row.payload["rounds"] or 1))


def _rounds(row: News, event: Tournament, drawn: Round, several: int) -> Iterator[NotifiableEvent]:
    """Yield its tables for those whom they concern, and its publication for other followers of the event."""
    notified: set[int] = set()
    for each in _tables_of(row, event, drawn):
        notified |= set(each.readers)
        yield each
    others = {user: By("event") for user in followers(tournament=event) - notified}
    details = {"rounds": several}
    yield NotifiableEvent(
        source_of(row), KIND.ROUND, "published", row.created_at, others, event, round=drawn.pk, facts=details
    )


def _drawn(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield the tables that were added to a round of a bracket, for those whom they concern."""
    event = batch.events.get(row.channel)
    names = [uuid for each in row.payload.get("matches", ()) if (uuid := uuid_or_nothing(str(each)))]
    # Where tables of the hall are counted people hear of theirs when they are called to it.
    if event is not None and event.hall_tables is None:
        tables = tables_of(Match.objects.filter(uuid__in=names).exclude(state=Match.State.VOID))
        for match, readers in tables.readers.items():
            yield _seated(row, event, match, tables.rounds[match], readers)


def _round_of(subject: str) -> Round | None:
    """Return the round that an act names ("round:<uuid of the stage>/<number>"); None for one that is taken back."""
    stage, _slash, number = subject.removeprefix("round:").partition("/")
    rows = Round.objects.filter(stage__uuid=stage, number=int(number)) if number.isdecimal() else Round.objects.none()
    return rows.exclude(state=Round.State.DRAFT).first()


def _tables_of(row: News, event: Tournament, drawn: Round) -> Iterator[NotifiableEvent]:
    """Yield the tables of a round for those whom they concern. A table with several legs is one.

    Not of a bracket whose matches are called to tables of the hall one by one: the call tells which.
    """
    if event.hall_tables is not None and drawn.stage.flows:
        return
    tables = tables_of(Match.objects.filter(round=drawn, leg=1).exclude(state=Match.State.VOID))
    for match, readers in tables.readers.items():
        yield _seated(row, event, match, drawn.pk, readers)


def _seated(row: News, event: Tournament, match: int, drawn: int | None, readers: Mapping[int, By]) -> NotifiableEvent:
    """Build the seating of a table: once per reader and table, when it is drawn or called, whichever is first."""
    return NotifiableEvent(
        # Not named by the row: the draw and the call are two rows, and their readers hear of one table once.
        f"table:{match}",
        KIND.TABLE,
        "seated",
        row.created_at,
        readers,
        event,
        round=drawn,
        match=match,
    )


def _called(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield a called table that was drawn long before."""
    event, match = batch.events.get(row.channel), batch.tables.keys.get(_match_of(row))
    if event is not None and match is not None:
        yield _seated(row, event, match, batch.tables.rounds[match], batch.tables.readers[match])


def _match_of(row: News) -> str:
    """Return the uuid of the match that a row is about, "" of none."""
    subject = str(row.payload.get("subject", ""))
    return subject.removeprefix("match:") if subject.startswith("match:") else str(row.payload.get("match", ""))


def _reseated(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield a table with other players since a correction."""
    event, match = batch.events.get(row.channel), batch.tables.keys.get(_match_of(row))
    if event is not None and match is not None:
        yield _about_table(row, batch, event, match, KIND.TABLE, "reseated")


def _swapped(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield a swap for those who sit elsewhere than they were notified of last."""
    event = batch.events.get(row.channel)
    rounds = Round.objects.filter(stage__tournament=event, number=row.payload["round"]).order_by("-stage__order")
    drawn = rounds.exclude(state=Round.State.DRAFT).first() if event is not None else None
    if event is None or drawn is None:
        return
    last: dict[tuple[int, int | None], int | None] = {}
    notices = Notice.objects.filter(round=drawn, kind=KIND.TABLE).order_by("id")
    for reader, player, match in notices.values_list("reader", "player", "match"):
        last[reader, player] = match
    for each in _tables_of(row, event, drawn):
        moved = {user: by for user, by in each.readers.items() if last.get((user, by.player)) != each.match}
        source = source_of(row, each.match)
        yield NotifiableEvent(source, each.kind, "reseated", each.at, moved, event, round=each.round, match=each.match)


def _about_table(row: News, batch: Batch, event: Tournament, match: int, kind: str, what: str) -> NotifiableEvent:
    readers, drawn = batch.tables.readers[match], batch.tables.rounds[match]
    return NotifiableEvent(source_of(row, match), kind, what, row.created_at, readers, event, round=drawn, match=match)


def _result(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield a result that counts, or is corrected; and forfeits, to the owners of the bots."""
    event, match = batch.events.get(row.channel), batch.tables.keys.get(_match_of(row))
    if event is None or match is None:
        return
    yield _about_table(row, batch, event, match, KIND.RESULT, row.notification.what)
    for bot, version, owner in batch.tables.forfeits.get(match, ()):
        source = source_of(row, match, "forfeit", version)
        owners = {owner: By("own")}
        yield NotifiableEvent(
            source, KIND.FAULT, "forfeit", row.created_at, owners, event, match=match, bot=bot, version=version
        )


def _undone(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield a withdrawn result to everybody who was notified of it."""
    event = batch.events.get(row.channel)
    for name in row.payload.get("matches", ()) if event is not None else ():
        match = batch.tables.keys.get(str(name).removeprefix("m:"))
        if match is None or batch.tables.states[match] == Match.State.CONFIRMED:
            continue
        notices = Notice.objects.filter(match=match, kind=KIND.RESULT).values_list("reader", "via", "player")
        readers = {reader: By(via, player) for reader, via, player in notices}
        yield NotifiableEvent(
            source_of(row, match),
            KIND.RESULT,
            "undone",
            row.created_at,
            readers,
            event,
            round=batch.tables.rounds[match],
            match=match,
        )


def _decided(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
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


def _entered(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
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


def _activated(row: News, _batch: Batch) -> Iterator[NotifiableEvent]:
    version = _version_of(row)
    if version is not None and version.hidden_at is None:
        yield _of_version(row, version, KIND.BOT, "activated", of_bot(version.bot))


def _quarantined(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield held matches to those who run the event, once an hour; its page lists all of them."""
    event = batch.events.get(row.channel)
    if event is not None and row.payload.get("state") == Match.State.QUARANTINED:
        roles = Role.objects.filter(tournament=event, role__in=ORGANISERS)
        readers = {user: By("own") for user in roles.values_list("user", flat=True)}
        source = f"{row.channel}/held/{row.created_at:%Y-%m-%dT%H}"
        yield NotifiableEvent(source, KIND.HELD, "match_held", row.created_at, readers, event)


def _checked(row: News, _batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield a check that is over, or held, to the owner alone."""
    state = row.payload.get("state")
    version = _version_of(row) if state in (Check.State.DONE, Check.State.QUARANTINED) else None
    words = {BotVersion.State.READY: "passed", BotVersion.State.FAILED: "failed"}
    if state == Check.State.QUARANTINED:
        words = {BotVersion.State.CHECKING: "check_held"}
    what = words.get(BotVersion.State(version.state), "") if version is not None else ""
    if version is not None and what:
        yield _of_version(row, version, KIND.VERSION, what, {version.bot.owner_id: By("own")})


def _suspended(row: News, _batch: Batch) -> Iterator[NotifiableEvent]:
    version = _version_of(row)
    if version is not None and version.benched_at is not None:
        yield _of_version(row, version, KIND.FAULT, "benched", {version.bot.owner_id: By("own")})


def _invited(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield an invitation to the account that it is for; one to an address goes by a mail of its own."""
    event, name = batch.events.get(row.channel), uuid_or_nothing(row.payload["invitation"])
    rows = Invitation.objects.filter(state=Invitation.State.OPEN)
    user = rows.filter(uuid=name).values_list("user", flat=True).first() if event is not None and name else None
    if user is not None:
        readers = {user: By("own")}
        yield NotifiableEvent(source_of(row), KIND.INVITED, "invited", row.created_at, readers, event)


# How the readers of a notification are found. Only rows of events ("t:") and bots ("b:") are read.
RULES: Final[Mapping[Readers, Callable[[News, Batch], Iterator[NotifiableEvent]]]] = {
    Readers.EVENT: _event,
    Readers.ORGANISER: _announced,
    Readers.PLACES: _finished,
    Readers.SAID: _announcement,
    Readers.ROUND: _published,
    Readers.STAGE: _activated_stage,
    Readers.DRAWN: _drawn,
    Readers.CALLED: _called,
    Readers.RESEATED: _reseated,
    Readers.SWAPPED: _swapped,
    Readers.RESULT: _result,
    Readers.UNDONE: _undone,
    Readers.COMPARISON: _decided,
    Readers.ENTERED: _entered,
    Readers.ACTIVATED: _activated,
    Readers.HELD: _quarantined,
    Readers.CHECKED: _checked,
    Readers.BENCHED: _suspended,
    Readers.INVITED: _invited,
}
OF_TABLES: Final = (Readers.CALLED, Readers.RESULT, Readers.RESEATED)
