"""A table as the page draws it: the parts of a replay's viewer, through the eyes of one reader."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from core.replay.book import tables
from core.replay.score import result_line, score_rows
from core.replay.table import SeatView, Table, table_at, yaku_lines
from tables.view.forfeits import forfeit_words
from tables.view.masks import NOBODY, Eyes
from tables.view.seen import Seen

LAST_MOVES: Final = 6
"""Moves that the page says in words; the newest first."""


def drawn(seen: Seen) -> dict[str, Any]:
    """Return the context of `felt/table.html` and what stands beside it."""
    replay, eyes, book, place = seen.replay, seen.eyes, seen.book, seen.place
    found = table_at(replay, place, max(eyes.seat, 0) + 1, book, seen.position)
    turn = seen.match.seat_to_act
    seats = [_seen(each, eyes, turn) for each in (*found.others, found.me)]
    table = replace(found, others=tuple(seats[:-1]), me=seats[-1])
    return {
        "replay": replay,
        "book": book,
        "tables": tables(replay.game),
        "table": table,
        "yaku": yaku_lines(replay, table.position, book),
        "last_moves": _last_moves(seen),
        "ending": seen.ending(replay.deals[-1]),
        "result_line": result_line(replay),
        "forfeit_words": forfeit_words(replay, book),
        "score_rows": score_rows(replay),
        "deal_number": seen.match.deal,
        "before": _before(seen),
    }


def _seen(view: SeatView, eyes: Eyes, turn: int) -> SeatView:
    """Return a seat with what the reader sees of its hand, and whether it is its turn."""
    hand = eyes.hand if view.seat == eyes.seat and not eyes.is_blind else None
    # Those who watch sit at nobody's place: nothing that seat 0 alone knows is shown to them.
    shown = () if hand is not None or eyes.seat == NOBODY else view.shown
    return replace(view, hand=hand, shown=shown, has_turn=view.seat == turn)


def _before(seen: Seen) -> dict[str, Any] | None:
    """Return how the deal before this one ended: {"number", "ending"}; None in the first deal."""
    replay = seen.replay
    if len(replay.deals) < 2:
        return None
    deal = replay.deals[-2]
    return {"number": deal.number, "ending": seen.ending(deal)}


def _last_moves(seen: Seen) -> list[str]:
    """Return the last moves in words, the newest first; the end of the deal before when this one has just begun."""
    places = [(deal, move) for deal in seen.replay.deals[-2:] for move in range(len(deal.moves) + 1)]
    return [seen.said(deal, move) for deal, move in places[-LAST_MOVES:][::-1]]


__all__ = ["NOBODY", "Table", "drawn"]
