"""Rules about one table: its result, and who sits there after a correction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tournaments.models import Match, Notice, ResultReport, Seat, Tournament
from tournaments.notifications.rules.facts import KIND, Batch, News, NotifiableEvent, match_of, source_of
from tournaments.notifications.tables import By


def reseated(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield a table with other players since a correction."""
    event, match = batch.events.get(row.channel), batch.tables.keys.get(match_of(row))
    if event is not None and match is not None:
        yield _about_table(row, batch, event, match, KIND.TABLE, "reseated")


def _about_table(row: News, batch: Batch, event: Tournament, match: int, kind: str, what: str) -> NotifiableEvent:
    readers, guests = batch.tables.readers[match], batch.tables.guests[match]
    source, drawn = source_of(row, match), batch.tables.rounds[match]
    return NotifiableEvent(source, kind, what, row.created_at, readers, event, guests, round=drawn, match=match)


def result(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield a result that counts, or is corrected; and forfeits, to the owners of the bots."""
    event, match = batch.events.get(row.channel), batch.tables.keys.get(match_of(row))
    if event is None or match is None:
        return
    yield _about_table(row, batch, event, match, KIND.RESULT, row.notification.what)
    for bot, version, owner, code in batch.tables.forfeits.get(match, ()):
        # One notice for all failures of a version with the same code in an event, not one for each: readers who have it
        # get no second one. All of them are on the bot's page of failures.
        source = f"forfeit:{event.pk}:{version}:{code}"
        owners = {owner: By("own")}
        yield NotifiableEvent(
            source, KIND.FAULT, "forfeit", row.created_at, owners, event, match=match, bot=bot, version=version
        )


def awaited(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield a reported result to the sides that did not report it; none once it is decided."""
    yield from _own(row, batch, Match.State.REPORTED)


def disputed(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield a disputed result to all who sit there."""
    yield from _own(row, batch, Match.State.DISPUTED)


def _own(row: News, batch: Batch, state: Match.State) -> Iterator[NotifiableEvent]:
    event, match = batch.events.get(row.channel), batch.tables.keys.get(match_of(row))
    if event is None or match is None or batch.tables.states[match] != state:
        return
    found = _about_table(row, batch, event, match, KIND.REPORT, row.notification.what)
    reporters = _reporters(match) if state == Match.State.REPORTED else set()
    readers = {user: by for user, by in found.readers.items() if by.via == "own" and by.player not in reporters}
    guests = {link: by for link, by in found.guests.items() if by.player not in reporters}
    yield replace(found, readers=readers, guests=guests)


def _reporters(match: int) -> set[int | None]:
    """Return the people of the sides whose report waits."""
    reports = ResultReport.objects.filter(match=match, state=ResultReport.State.SUBMITTED)
    sides = {body.get("side") for body in reports.values_list("body", flat=True)}
    seats = Seat.objects.filter(match=match, side__in=[side for side in sides if side is not None])
    return {player for pair in seats.values_list("player", "entry__player") for player in pair}


def undone(row: News, batch: Batch) -> Iterator[NotifiableEvent]:
    """Yield a withdrawn result to everybody who was notified of it."""
    event = batch.events.get(row.channel)
    for name in row.payload.get("matches", ()) if event is not None else ():
        match = batch.tables.keys.get(str(name).removeprefix("m:"))
        if match is None or batch.tables.states[match] == Match.State.CONFIRMED:
            continue
        notices = Notice.objects.filter(match=match, kind=KIND.RESULT)
        told = list(notices.values_list("reader", "link", "via", "player"))
        readers = {reader: By(via, player) for reader, _link, via, player in told if reader is not None}
        guests = {link: By(via, player) for _reader, link, via, player in told if link is not None}
        yield NotifiableEvent(
            source_of(row, match),
            KIND.RESULT,
            "undone",
            row.created_at,
            readers,
            event,
            guests,
            round=batch.tables.rounds[match],
            match=match,
        )
