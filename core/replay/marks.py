"""Notes that stay on the table while a deal is played: bids, who plays, sage, passes, the multiplier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.replay import facts
from core.replay.document import Deal, Replay, seat_number
from core.replay.words import Phrasebook, event_key, fill, move_key, typed_value, value_text
from engine.words import Mark

TABLE = -1
"""Where a note stands that belongs to no seat."""


@dataclass(slots=True)
class Board:
    """The notes by place (a seat or TABLE), in the order they came: (group, text)."""

    notes: dict[int, list[tuple[str, str]]] = field(default_factory=dict)

    def put(self, place: int, group: str, text: str) -> None:
        """Write a note; another one of its group goes."""
        others = [note for note in self.notes.get(place, []) if not group or note[0] != group]
        self.notes[place] = [*others, (group, text)] if text else others

    def at(self, place: int) -> tuple[str, ...]:
        """The notes of a place."""
        return tuple(text for _group, text in self.notes.get(place, []))


def places_of(replay: Replay, mark: Mark, fields: Mapping[str, Any]) -> list[int]:
    """Return where a note goes: the seats that the action or event names, or the table."""
    if not mark.seats:
        return [TABLE]
    if "*" in mark.seats:
        return list(range(len(replay.sides)))
    named = [fields[key] for key in mark.seats if key in fields]
    seats = [one for value in named for one in (value if isinstance(value, list) else [value])]
    return [seat if isinstance(seat, int) else seat_number(seat) or 0 for seat in seats]


def write(replay: Replay, book: Phrasebook, board: Board, key: str, fields: Mapping[str, Any]) -> None:
    """Put down what an action or event leaves on the table."""
    marks: Sequence[Mark] = facts.words_of(replay.game).marks.get(key, ())
    for mark, own in zip(marks, book["own"]["marks"].get(key, ()), strict=True):
        if any(name not in fields for name in mark.values):
            continue
        values = {name: typed_value(replay, kind, fields[name]) for name, kind in mark.values.items()}
        text = fill(own["text"], {name: value_text(book, *value) for name, value in values.items()})
        for place in places_of(replay, mark, fields):
            board.put(place, mark.group, text)


def board_at(replay: Replay, book: Phrasebook, deal: Deal, move: int) -> Board:
    """The notes after move `move` of a deal; 0 is the fresh deal."""
    known, board = facts.words_of(replay.game).marks, Board()
    for event in deal.events:
        write(replay, book, board, event_key(known, event), event)
    for one in deal.moves[:move]:
        write(replay, book, board, move_key(known, one), {**one.action, "by": one.seat})
        if one.flip is not None:
            write(replay, book, board, "flip", {"flip": one.flip})
        for event in one.events:
            write(replay, book, board, event_key(known, event), event)
    return board
