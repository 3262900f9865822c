"""A table as the page draws it: the parts of a replay's viewer, through the eyes of one reader."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from core.replay.book import tables
from core.replay.document import Replay
from core.replay.reducer import Place, position_at
from core.replay.score import chart, ending_at, result_line, score_rows, total_word
from core.replay.table import SeatView, Table, table_at, yaku_lines
from core.replay.words import Phrasebook, deal_text
from tables.play.fold import Fold
from tables.view.board import place_of
from tables.view.masks import NOBODY, Eyes, eyes_of
from tables.view.telling import replay_of

LAST_MOVES: Final = 6
"""Moves that the page says in words; the newest first."""


def drawn(
    fold: Fold, seat: int, names: Sequence[str], book: Phrasebook, *, match_id: str, preset: str
) -> dict[str, Any]:
    """Return the context of `matches/_table.html` and what stands beside it."""
    match = fold.match
    replay = replay_of(match, seat, names, match_id=match_id, preset=preset)
    eyes, place = eyes_of(match, seat), place_of(replay)
    found = table_at(replay, place, max(seat, 0) + 1, book)
    turn = match.seat_to_act
    seats = [_seen(each, eyes, turn) for each in (*found.others, found.me)]
    table = replace(found, others=tuple(seats[:-1]), me=seats[-1])
    return {
        "replay": replay,
        "book": book,
        "tables": tables(replay.game),
        "table": table,
        "yaku": yaku_lines(replay, table.position, book),
        "last_moves": _last_moves(replay, book),
        "ending": ending_at(replay, place, position_at(replay, replay.deals[-1], place.move), book),
        "result_line": result_line(replay),
        "score_rows": score_rows(replay),
        "strip": [(deal, "") for deal in replay.deals],
        "chart": chart(replay),
        "total_word": total_word(replay, book),
        "deal_number": match.deal,
        "before": _before(replay, book),
    }


def _seen(view: SeatView, eyes: Eyes, turn: int) -> SeatView:
    """Return a seat with what the reader sees of its hand, and whether it is its turn."""
    hand = eyes.hand if view.seat == eyes.seat and not eyes.is_blind else None
    # Those who watch sit at nobody's place: nothing that seat 0 alone knows is shown to them.
    shown = () if hand is not None or eyes.seat == NOBODY else view.shown
    return replace(view, hand=hand, shown=shown, has_turn=view.seat == turn)


def _before(replay: Replay, book: Phrasebook) -> dict[str, Any] | None:
    """Return how the deal before this one ended: {"number", "ending"}; None in the first deal."""
    if len(replay.deals) < 2:
        return None
    deal = replay.deals[-2]
    ending = ending_at(replay, Place(deal.number, len(deal.moves)), position_at(replay, deal, len(deal.moves)), book)
    return {"number": deal.number, "ending": ending}


def _last_moves(replay: Replay, book: Phrasebook) -> list[str]:
    """Return the last moves in words, the newest first; the end of the deal before when this one has just begun."""
    said: list[str] = []
    for deal in replay.deals[-2:]:
        said += deal_text(replay, book, deal)
    return said[-LAST_MOVES:][::-1]


__all__ = ["NOBODY", "Table", "drawn"]
