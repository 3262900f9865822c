"""Decisions of a match as rows of a table: what the seat was told, what it could do, what it did, how it ended.

A row is a question that somebody was asked: where a single action is legal, and after a forfeit, nobody is. The rows
follow from a record alone, so that anybody can derive them again. `engine.data` reads files of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, TypeAlias

from engine.action import Action
from engine.cards import CardSet, codes, set_of
from engine.game import Json, Ruleset
from engine.match import Match
from engine.notation import format_action, parse_action
from engine.record_read import Reading, entry, read_document
from engine.record_replay import replay

FORMAT: Final = "hanafuda-decisions/1"
Row: TypeAlias = dict[str, Any]


class Column(NamedTuple):
    """A column. kind: `text`, `int8` .. `int64`, or a list of them (`int8[]`); optional: it may be null."""

    name: str
    kind: str
    optional: bool = False


COLUMNS: Final[tuple[Column, ...]] = (
    Column("match", "text"),
    Column("game", "text"),
    Column("preset", "text"),
    Column("ruleset", "text"),
    Column("options", "text"),
    Column("engine", "text"),
    Column("deal", "int16"),
    Column("move", "int16"),
    Column("seat", "int8"),
    Column("side", "int8"),
    Column("sides", "int8[]"),
    Column("bot", "text", optional=True),
    Column("phase", "text"),
    Column("dealer", "int8"),
    Column("total", "int32[]"),
    Column("hand", "int64"),
    Column("hand_n", "int8[]"),
    Column("field", "int64"),
    Column("tray", "int64[]"),
    Column("pile_n", "int8"),
    Column("mult", "int32"),
    Column("more", "text"),
    Column("since", "text"),
    Column("legal", "text[]"),
    Column("choice", "int16"),
    Column("deal_score", "int32[]", optional=True),
    Column("deal_winner", "int8", optional=True),
    Column("match_end", "text"),
    Column("match_score", "int32[]"),
    Column("match_victories", "int32[]"),
    Column("match_rank", "int8[]"),
    Column("forfeits", "int8[]"),
)
"""The columns in order. Sets of cards are 48-bit numbers: bit 0 is 01.1, bit 47 is 12.4."""

# Of an observation: what has a column of its own; everything else the game tells is in `more`.
_SETS: Final = ("hand", "field")
_PLAIN: Final = ("deal", "move", "phase", "hand_n", "pile_n", "mult", "total")
_FRAME: Final = frozenset(
    {*_SETS, *_PLAIN, "tray", "v", "match", "me", "preset", "sides", "dealer", "ms_left", "since", "legal"}
)


@dataclass(slots=True)
class _Course:
    """A match that is being played again. seen: public events that each seat was told of already."""

    reading: Reading
    seen: list[int]
    rows: list[Row] = field(default_factory=list)

    def note(self, match: Match, action: Action) -> None:
        """Add the row of a decision, if somebody was asked."""
        seat, legal, now = match.seat_to_act, match.legal_actions(), (match.deal, match.move + 1)
        gone = any(forfeit.seat == seat and (forfeit.deal, forfeit.move) <= now for forfeit in self.reading.forfeits)
        if gone or len(legal) == 1:
            return
        match_id, preset, since = self.reading.match_id, self.reading.preset, self.seen[seat]
        obs = match.observation(seat, match_id=match_id, preset=preset, since=since, ms_left=0)
        self.seen[seat] = match.event_count
        self.rows.append(
            {
                **_of_observation(obs),
                "seat": seat,
                "side": match.sides[seat],
                "sides": list(match.sides),
                "bot": self.reading.bots[seat],
                "dealer": match.dealer,
                "legal": [format_action(each) for each in legal],
                "choice": legal.index(action),
            }
        )


def rows_of(document: object) -> list[Row]:
    """Return a row for every question of a match, in the order of play, each with the columns of `COLUMNS`.

    document: of a match that is over, as the service gives it. Raises BadRecord if it does not play again.
    """
    reading = read_document(document)
    course = _Course(reading, [0] * len(reading.bots))
    replay(reading, before_each=course.note)
    ruleset = reading.ruleset
    whole = {
        "match": reading.match_id,
        "game": ruleset.game,
        "preset": reading.preset,
        "ruleset": ruleset.hash,
        "options": _text(entry(ruleset.to_json(), "options", dict, "ruleset")),
        "engine": reading.engine,
        **{f"match_{name}": reading.result[name] for name in ("end", "score", "victories", "rank")},
        "forfeits": sorted(forfeit.seat for forfeit in reading.forfeits),
    }
    return [_in_order({**whole, **row, **_of_deal(reading, row["deal"])}) for row in course.rows]


def _in_order(row: Row) -> Row:
    return {column.name: row[column.name] for column in COLUMNS}


def _of_deal(reading: Reading, number: int) -> Row:
    """Return how a deal ended; null if the match was stopped in it."""
    raw = reading.deals[number - 1].raw
    winner = raw["winner"]
    return {"deal_score": raw["score"], "deal_winner": None if winner is None else int(str(winner)[1:])}


def _of_observation(obs: Json) -> Row:
    row: Row = {name: obs[name] for name in _PLAIN}
    row |= {name: _set(obs[name]) for name in _SETS}
    row["tray"] = [_set(cards) for cards in _list(obs["tray"])]
    row["more"] = _text({name: value for name, value in obs.items() if name not in _FRAME})
    row["since"] = _text(obs["since"])
    return row


def _list(value: object) -> list[Any]:
    assert isinstance(value, list)
    return value


def _set(cards: object) -> CardSet:
    return set_of(_list(cards))


def _text(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def observation_of(row: Mapping[str, Any]) -> Json:
    """Return what the seat was told, as a bot gets it. `ms_left` is 0: what a bot had left is not in a record."""
    return {
        "v": 1,
        "match": row["match"],
        "me": f"p{row['seat']}",
        "preset": row["preset"],
        "sides": list(row["sides"]),
        "dealer": f"p{row['dealer']}",
        **{name: row[name] for name in _PLAIN},
        **{name: codes(row[name]) for name in _SETS},
        "tray": [codes(cards) for cards in row["tray"]],
        **json.loads(row["more"]),
        "ms_left": 0,
        "since": json.loads(row["since"]),
        "legal": [action.to_json() for action in actions_of(row)],
    }


def actions_of(row: Mapping[str, Any]) -> list[Action]:
    """Return the legal actions of a decision; the one at `choice` was done."""
    return [parse_action(text) for text in row["legal"]]


def ruleset_of(row: Mapping[str, Any]) -> Ruleset:
    """Return the rules that a decision was made under. Raises BadOption."""
    return Ruleset.from_json({"game": row["game"], "options": json.loads(row["options"]), "hash": row["ruleset"]})


def difference(rows: list[Row], document: object) -> str:
    """Return where the rows of a match and those that follow from its record first differ; "" if they are the same.

    Raises BadRecord if the record does not play again.
    """
    expected = rows_of(document)
    if len(rows) != len(expected):
        return f"{len(rows)} decisions, the record has {len(expected)}"
    for found, wanted in zip(rows, expected, strict=True):
        wrong = [name for name in wanted if found.get(name) != wanted[name]]
        if wrong:
            return f"deal {wanted['deal']}, move {wanted['move']}, seat {wanted['seat']}: {', '.join(wrong)}"
    return ""
