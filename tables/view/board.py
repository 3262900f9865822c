"""The cards and sums of a table as one seat sees them, for a renderer that knows no rules."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from accounts.directions import isolated_text
from core.replay.document import LETTERS, Deal, Move, Replay
from core.replay.knowledge import known_at
from core.replay.marks import TABLE, Board, board_at
from core.replay.reducer import Place, Position, has_discards, is_out, is_team
from core.replay.score import score_rows, total_word
from core.replay.table import places, trays_at, yaku_lines
from core.replay.words import Phrasebook
from tables.view.masks import HIDDEN, NOBODY, Eyes
from tables.view.seen import Seen
from tables.view.telling import RECENT

FRESH = 50
"""A reader who has missed more moves than these gets the present deal whole."""


def cards_of(seen: Seen) -> dict[str, Any]:
    """Return `field`, `pile`, `up`, `discard`, `out`, `hands`, `sides`, `marks`, `yaku` and `score`."""
    replay, eyes, book, place = seen.replay, seen.eyes, seen.book, seen.place
    deal = replay.deals[-1]
    position = seen.position
    board = board_at(replay, book, deal, place.move)
    return {
        "field": list(places(position)),
        "pile": eyes.pile,
        "up": position.up,
        "discard": list(position.discard) if has_discards(replay) else None,
        "out": list(position.out),
        "hands": [_hand(seen, position, board, seat) for seat in range(len(replay.sides))],
        "sides": _sides(replay, place, position, book),
        "marks": list(board.at(TABLE)),
        "yaku": _yaku(replay, position, book),
        "score": {"word": total_word(replay, book), "rows": [asdict(row) for row in score_rows(replay)]},
    }


def yaku_of(seen: Seen) -> list[dict[str, Any]]:
    """Return `yaku` alone."""
    return _yaku(seen.replay, seen.position, seen.book)


def _yaku(replay: Replay, position: Position, book: Phrasebook) -> list[dict[str, Any]]:
    return [
        {"id": line.id, "name": line.name, "state": line.state, "cards": [list(one) for one in line.cards]}
        for line in yaku_lines(replay, position, book)
    ]


def _hand(seen: Seen, position: Position, board: Board, seat: int) -> dict[str, Any]:
    """Return what is seen of a hand: {"n", "cards": None for others, "shown": those all have seen, "marks", ..}."""
    replay, eyes, place = seen.replay, seen.eyes, seen.place
    deal = replay.deals[-1]
    is_own = seat == eyes.seat and not eyes.is_blind
    known = () if is_own else known_at(replay, deal, place.move, max(eyes.seat, 0)).hands[seat]
    return {
        "n": eyes.hand_sizes[seat],
        "cards": list(eyes.hand) if is_own else None,
        # What a seat remembers of its own hand before it may look at it is nothing.
        "shown": [] if seat == eyes.seat else list(known),
        "marks": list(board.at(seat)),
        "is_dealer": seat == deal.dealer,
        "is_out": is_out(replay, place, position, seat),
    }


def _sides(replay: Replay, place: Place, position: Position, book: Phrasebook) -> list[dict[str, Any]]:
    return [
        {
            "side": tray.side,
            "seats": list(replay.seats_of(tray.side)),
            "letter": LETTERS[tray.side] if is_team(replay) else "",
            "name": tray.name,
            "tray": [[kind, list(cards)] for kind, cards in tray.kinds],
            "points": tray.points,
            "number": tray.number,
            "figure": tray.figure,
        }
        for tray in trays_at(replay, place, position, book)
    ]


def deals_of(seen: Seen) -> list[dict[str, Any]]:
    """Return the recent deals: who dealt, the cards' ways of dealing, and how it ended if it is over."""
    return [_deal(seen, deal) for deal in seen.replay.deals[-RECENT:]]


def _deal(seen: Seen, deal: Deal) -> dict[str, Any]:
    replay, eyes, ending = seen.replay, seen.eyes, seen.ending(deal)
    # An earlier deal is over: its owner has seen the hand, whether or not the present one is played blind.
    own = Eyes(eyes.seat, False, (), (), 0, "") if deal is not replay.deals[-1] else eyes
    return {
        "number": deal.number,
        "dealer": deal.dealer,
        "fx0": own.effects(deal.start),
        "text": isolated_text(seen.said(deal, 0)),
        "ending": asdict(ending) if ending is not None else None,
    }


def moves_of(seen: Seen, after: int | None) -> tuple[list[dict[str, Any]], bool]:
    """Return the moves after the first `after` of which the reader knows, and whether some between are left out.

    Without `after`, or where more are missing than FRESH, all moves of the present deal are returned.
    """
    told = seen.told
    earlier, total = sum(told[:-1]), sum(told)
    misses_some = after is None or not 0 <= after <= total or total - after > FRESH
    first = earlier if misses_some or after is None else after
    rows: list[dict[str, Any]] = []
    for deal in seen.replay.deals[-RECENT:]:
        before = sum(told[: deal.number - 1])
        if before + len(deal.moves) > first:
            news = (move for move in deal.moves if before + move.number > first)
            rows.extend(
                _move(move, deal, before, seen.eyes, isolated_text(seen.said(deal, move.number))) for move in news
            )
    # A reader may have missed the end of a deal before the last one that is told.
    reached = sum(told[: max(0, len(told) - RECENT)])
    return rows, misses_some or first < reached


def _move(move: Move, deal: Deal, before: int, eyes: Eyes, text: str) -> dict[str, Any]:
    return {
        "deal": deal.number,
        "m": move.number,
        "told": before + move.number,
        "seat": move.seat,
        "a": dict(move.action),
        "flip": move.flip,
        "fx": eyes.effects(move.effects),
        "ev": [dict(event) for event in move.events],
        "text": text,
    }


__all__ = ["FRESH", "HIDDEN", "NOBODY", "cards_of", "deals_of", "moves_of", "yaku_of"]
