"""A table as the page draws it: the parts of a replay's viewer, through the eyes of one reader."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from core.replay.book import tables
from core.replay.reducer import Place, position_at
from core.replay.score import chart, ending_at, result_line, score_rows, total_word
from core.replay.table import SeatView, Table, table_at, yaku_lines
from tables.view.masks import NOBODY, Eyes
from tables.view.seen import Seen

LAST_MOVES: Final = 6
"""Moves that the page says in words; the newest first."""


def drawn(seen: Seen) -> dict[str, Any]:
    """Return the context of `matches/_table.html` and what stands beside it."""
    replay, eyes, book, place = seen.replay, seen.eyes, seen.book, seen.place
    found = table_at(replay, place, max(eyes.seat, 0) + 1, book)
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
        "ending": ending_at(replay, place, table.position, book),
        "result_line": result_line(replay),
        "score_rows": score_rows(replay),
        "strip": [(deal, "") for deal in replay.deals],
        "chart": chart(replay),
        "total_word": total_word(replay, book),
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
    last = Place(deal.number, len(deal.moves))
    ending = ending_at(replay, last, position_at(replay, deal, last.move), seen.book)
    return {"number": deal.number, "ending": ending}


def _last_moves(seen: Seen) -> list[str]:
    """Return the last moves in words, the newest first; the end of the deal before when this one has just begun."""
    said: list[str] = []
    for deal in seen.replay.deals[-2:]:
        said += seen.said(deal)
    return said[-LAST_MOVES:][::-1]


__all__ = ["NOBODY", "Table", "drawn"]
