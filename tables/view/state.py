"""A table as JSON for one reader (README.md describes it field by field): made per seat, never hidden in a browser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from typing import Any, Final

from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from core.replay import facts
from core.replay.document import Replay
from core.replay.score import result_line
from tables.actions.dealing import wants_announcement
from tables.actions.folding import fold_until, keep_fold, own_clock, rules_of, take_fold
from tables.actions.greeting import greeting_of
from tables.actions.leaving import AWAY_AFTER, may_be_claimed
from tables.models import LiveSeat, LiveTable
from tables.play.fold import Fold, Question
from tables.view.board import cards_of, deals_of, moves_of, yaku_of
from tables.view.choices import choice_of
from tables.view.masks import NOBODY
from tables.view.seen import Seen, seen_by
from tournaments.pages.matches.matches import phrasebook_of

VERSION: Final = 1
WATCHED_LATE: Final = 3
"""Those who watch a rated match see it as it was this number of answers ago."""
S = LiveTable.State


def etag_of(table: LiveTable, seats: list[LiveSeat], seat: int, now: datetime) -> str:
    """Return what changes whenever the view of a reader does, from the rows of table and seats alone.

    It is the same for every `?after=`: a reader who has it need not fetch the view again.
    """
    away = [is_away(each, now) for each in seats]
    names = [(each.index, each.name, bool(each.nonce), each.greeting, each.greeted_after) for each in seats]
    parts = (table.state, table.answered, table.events, table.match_id, seat, away, names, get_language())
    # Keyed: the number of answers itself may betray a decision that the reader is not told of.
    return f'"{salted_hmac("hanami.table", repr((table.uuid, parts, _may_claim(table, seats, now)))).hexdigest()[:24]}"'


@contextmanager
def seen_at(table: LiveTable, seats: list[LiveSeat], seat: int) -> Iterator[Seen | None]:
    """Give what a seat (NOBODY: those who watch) sees of the match at a table; None before anything is dealt.

    It is good until the block ends: then the fold is anybody's again.
    """
    if table.dealt_at is None:
        yield None
    elif seat == NOBODY and table.is_watched_late and table.state == S.PLAYING:
        yield _seen(table, seats, seat, fold_until(table, seats, max(0, table.answered - WATCHED_LATE)))
    else:
        fold = take_fold(table, seats)
        try:
            yield _seen(table, seats, seat, fold)
        finally:
            keep_fold(table, fold)


def _seen(table: LiveTable, seats: list[LiveSeat], seat: int, fold: Fold) -> Seen:
    book = phrasebook_of(get_language() or "en", fold.match.ruleset.game)
    return seen_by(fold, seat, [each.called for each in seats], book, match_id=str(table.uuid), preset=table.preset)


def view_of(
    table: LiveTable,
    seats: list[LiveSeat],
    seat: int,
    seen: Seen | None,
    *,
    after: int | None = None,
    has_part: bool = False,
) -> dict[str, Any]:
    """Return everything that a seat (NOBODY: those who watch) may see of a table. seen: its `seen_at`.

    after: how many moves the reader knows already (`told` of an earlier view); None: none. has_part: the page's HTML
    goes with it, which shows the board already.
    """
    found = _frame(table, seats, seat)
    return found if seen is None else {**found, **_play(table, seen, after, has_part)}


def _frame(table: LiveTable, seats: list[LiveSeat], seat: int) -> dict[str, Any]:
    """Return what there is to say before any card is dealt."""
    now, rules = timezone.now(), rules_of(table)
    own = next((each for each in seats if each.index == seat), None)
    clock, hashes = own_clock(table), {each.index: each.nonce_hash for each in seats}
    return {
        "v": VERSION,
        "table": str(table.uuid),
        "channel": table.channel,
        "state": table.state,
        "state_text": table.get_state_display(),
        "reason": table.reason,
        "paused_at": _epoch_ms(table.paused_at) if table.paused_at is not None else None,
        "preset": table.preset,
        "game": rules.game,
        "options": rules.resolved(),
        "clock": {"id": clock.id, "bank_ms": clock.bank_ms, "increment_ms": clock.increment_ms},
        "rated": table.rated,
        "commitment": table.commitment,
        "me": None if seat == NOBODY else seat,
        "hashes": [hashes.get(number) for number in range(table.seats_n)],
        "hash_wanted": own is not None and wants_announcement(table, own),
        "nonce_wanted": table.state == S.DEALING and own is not None and not own.nonce,
        "may_claim": _may_claim(table, seats, now),
        "seats": [
            _seat(table, seats, number, list(rules.sides(table.seats_n)), now) for number in range(table.seats_n)
        ],
        "version": table.events,
        "told": 0,
        "resync": False,
        "turn": None,
        "times": [],
        "left": {},
        "deals": [],
        "moves": [],
        "board": None,
        "result": None,
    }


def _seat(table: LiveTable, seats: list[LiveSeat], number: int, sides: list[int], now: datetime) -> dict[str, Any]:
    seat = next((each for each in seats if each.index == number), None)
    if seat is None:
        empty = {"name": "", "kind": "", "is_guest": False, "is_away": False, "greeting": None}
        return {"seat": number, "side": sides[number], **empty}
    return {
        "seat": number,
        "side": sides[number],
        "name": seat.called,
        "kind": seat.kind,
        "is_guest": seat.kind == LiveSeat.Kind.PERSON and seat.user_id is None,
        "is_away": not table.is_over and is_away(seat, now),
        "greeting": _greeting(table, seat),
    }


def _greeting(table: LiveTable, seat: LiveSeat) -> dict[str, Any] | None:
    """Return what a seat says. `after`: at which answer it was said, so that the same words said later are news."""
    text = greeting_of(table, seat)
    return {"text": text, "after": seat.greeted_after} if text else None


def is_away(seat: LiveSeat, now: datetime) -> bool:
    """Return whether a person has not asked for their table for some time."""
    is_person = seat.kind == LiveSeat.Kind.PERSON
    return is_person and (seat.seen_at is None or seat.seen_at < now - AWAY_AFTER)


def _may_claim(table: LiveTable, seats: list[LiveSeat], now: datetime) -> bool:
    """Return whether somebody is away for so long that they may be taken for gone, if it is their turn."""
    if table.state != S.PLAYING:
        return False
    return any(may_be_claimed(table, seat, now) for seat in seats)


def _play(table: LiveTable, seen: Seen, after: int | None, has_part: bool = False) -> dict[str, Any]:
    match = seen.match
    moves, resync = moves_of(seen, after)
    board = _made_by(seen, moves) if has_part else cards_of(seen)
    return {
        # One more since it was dealt, and for everybody who has left.
        "version": table.events + 1 + sum(seen.told) + len(match.forfeits),
        "told": sum(seen.told),
        "resync": resync,
        "turn": _turn(seen, seen.fold.question, is_paused=table.paused_at is not None),
        "times": _times(seen.fold),
        "left": {str(one.seat): one.code for one in match.forfeits},
        "deals": deals_of(seen),
        "moves": moves,
        "board": board,
        "result": _result(table, seen.replay) if table.state == S.FINISHED else None,
    }


def _made_by(seen: Seen, moves: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return of the board the yaku, if the moves have made one: what the page lets rise when it happens."""
    has_made = any(event.get("code") == "yaku" for move in moves for event in move["ev"])
    return {"yaku": yaku_of(seen) if has_made else []}


def _turn(seen: Seen, question: Question | None, *, is_paused: bool) -> dict[str, Any] | None:
    """Return whose turn it is; with what they may choose where it is the reader's, and no pause."""
    if question is None:
        return None
    eyes = seen.eyes
    phase = facts.words_of(seen.match.ruleset.game).phases.get(eyes.phase, "")
    found: dict[str, Any] = {
        "seat": question.seat,
        "asked_at": _epoch_ms(question.at),
        "text": _(phase) if phase else "",
    }
    if question.seat != eyes.seat or is_paused:
        return found
    legal = [choice_of(action, index, eyes.field, seen.book) for index, action in enumerate(question.legal)]
    return {**found, "n": question.n, "legal": legal}


def _times(fold: Fold) -> list[int | None]:
    """Return what each seat's clock has for its decision, in ms from when it is asked; None without a clock."""
    return [left if fold.clock.is_counting else None for left in fold.left_ms]


def _epoch_ms(at: datetime) -> int:
    return round(at.timestamp() * 1000)


def _result(table: LiveTable, replay: Replay) -> dict[str, Any]:
    places: list[Mapping[str, Any]] = [asdict(one) for one in result_line(replay)]
    recorded = table.match_id is not None
    return {
        "end": replay.end,
        "rank": list(replay.rank),
        "places": places,
        "match": reverse("match", args=[table.uuid]) if recorded else None,
        "record": reverse("match-record", args=[table.uuid]) if recorded else None,
        "verify": reverse("match-verify", args=[table.uuid]) if recorded else None,
    }


__all__ = ["NOBODY", "etag_of", "is_away", "seen_at", "view_of"]
