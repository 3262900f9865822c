"""Rules about rounds: their publication, and the tables at which people sit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from activity.domain_events import uuid_or_nothing
from tournaments.models import Match, Notice, Round, Tournament
from tournaments.notifications.rules.facts import KIND, Batch, News, NotifiableEvent, match_of, source_of
from tournaments.notifications.tables import By, Tables, followers, guests_of_event, tables_of


def published(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield a round that is drawn while the stage goes on."""
    event, drawn = batch.events.get(row.channel), _round_of(str(row.payload.get("subject", "")))
    if event is not None and drawn is not None:
        yield from _rounds(row, event, drawn, 1)


def stage_opened(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
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
    seated: set[int] = set()
    for each in _tables_of(row, event, drawn):
        notified |= set(each.readers)
        seated |= set(each.guests)
        yield each
    others = {user: By("event") for user in followers(tournament=event) - notified}
    guests = {link: by for link, by in guests_of_event(event).items() if link not in seated}
    source, details = source_of(row), {"rounds": several}
    yield NotifiableEvent(
        source, KIND.ROUND, "published", row.created_at, others, event, guests, round=drawn.pk, facts=details
    )


def drawn(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield the tables that were added to a round of a bracket, for those whom they concern."""
    event = batch.events.get(row.channel)
    names = [uuid for each in row.payload.get("matches", ()) if (uuid := uuid_or_nothing(str(each)))]
    # Where tables of the hall are counted people hear of theirs when they are called to it.
    if event is not None and event.hall_tables is None:
        tables = tables_of(Match.objects.filter(uuid__in=names).exclude(state=Match.State.VOID))
        for match in tables.readers:
            yield _seated(row, event, match, tables)


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
    for match in tables.readers:
        yield _seated(row, event, match, tables)


def _seated(row: News, event: Tournament, match: int, tables: Tables) -> NotifiableEvent:
    """Build the seating of a table: once per reader and table, when it is drawn or called, whichever is first."""
    return NotifiableEvent(
        # Not named by the row: the draw and the call are two rows, and their readers hear of one table once.
        f"table:{match}",
        KIND.TABLE,
        "seated",
        row.created_at,
        tables.readers[match],
        event,
        tables.guests[match],
        round=tables.rounds[match],
        match=match,
    )


def called(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield a table that is called to those who sit there; and its seating, if it was never told."""
    event, match = batch.events.get(row.channel), batch.tables.keys.get(match_of(row))
    if event is None or match is None:
        return
    tables = batch.tables
    yield _seated(row, event, match, tables)
    sitting = {user: by for user, by in tables.readers[match].items() if by.via == "own"}
    yield NotifiableEvent(
        # Named by the row: a call that was undone and is made again is another one.
        source_of(row, "called"),
        KIND.CALLED,
        "called",
        row.created_at,
        sitting,
        event,
        tables.guests[match],
        round=tables.rounds[match],
        match=match,
    )


def swapped(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield a swap for those who sit elsewhere than they were notified of last."""
    event = batch.events.get(row.channel)
    rounds = Round.objects.filter(stage__tournament=event, number=row.payload["round"]).order_by("-stage__order")
    drawn = rounds.exclude(state=Round.State.DRAFT).first() if event is not None else None
    if event is None or drawn is None:
        return
    last: dict[tuple[int | None, int | None], int | None] = {}
    notices = Notice.objects.filter(round=drawn, kind=KIND.TABLE).order_by("id")
    for reader, player, match in notices.values_list("reader", "player", "match"):
        last[reader, player] = match
    for each in _tables_of(row, event, drawn):
        moved = {user: by for user, by in each.readers.items() if last.get((user, by.player)) != each.match}
        guests = {link: by for link, by in each.guests.items() if last.get((None, by.player)) != each.match}
        yield replace(each, source=source_of(row, each.match), what="reseated", readers=moved, guests=guests)
