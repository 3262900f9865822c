"""A record document (site.md section 3) as frozen values. Unknown fields are ignored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.cards import CODES

LETTERS = "ABCDEFG"
"""Names of the sides."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One card going from a zone to a zone: `hN` hand, `cN` tray of side N, `f`, `p`, `d` discard, `x` out."""

    card: str
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Move:
    """One accepted action, numbered from 1 in its deal. `action`: site.md section 6, without `by` and `flip`.

    flip: the card turned up after it, if any. events: what the engine noted, {"code": .., ..} each. ms: CPU time.
    """

    number: int
    seat: int
    action: Mapping[str, Any]
    flip: str | None
    effects: tuple[Effect, ...]
    events: tuple[Mapping[str, Any], ...]
    ms: int | None


@dataclass(frozen=True, slots=True)
class Line:
    """A part of a side's deal score. code: its source, `cards`, `opp_yaku`, .. ; `by`: the side that made it."""

    side: int
    code: str
    value: int
    yaku: str | None = None
    by: int | None = None


@dataclass(frozen=True, slots=True)
class Deal:
    """One shuffle. dealer: seat. start: the effects of dealing. score, total, victories: per side, after
    the deal; empty if the match was stopped inside it.
    """

    number: int
    dealer: int
    start: tuple[Effect, ...]
    events: tuple[Mapping[str, Any], ...]
    moves: tuple[Move, ...]
    lines: tuple[Line, ...]
    score: tuple[int, ...]
    total: tuple[int, ...]
    victories: tuple[int, ...]
    winner: int | None
    mult: int = 1


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole match. sides: side number per seat. rank, score, victories: per side. forfeits: as in the record.

    deck: how many cards; cards: which, in code order.
    """

    match: str
    preset: str
    game: str
    options: Mapping[str, Any]
    sides: tuple[int, ...]
    names: tuple[str, ...]
    deals: tuple[Deal, ...]
    forfeits: tuple[Mapping[str, Any], ...]
    score: tuple[int, ...]
    victories: tuple[int, ...]
    rank: tuple[int, ...]
    end: str
    deck: int = field(default=48)
    cards: tuple[str, ...] = field(default=())

    @property
    def side_count(self) -> int:
        """Number of sides."""
        return max(self.sides) + 1

    def seats_of(self, side: int) -> tuple[int, ...]:
        """The seats of a side, in order of play."""
        return tuple(seat for seat, own in enumerate(self.sides) if own == side)

    def label_of(self, seat: int) -> str:
        """Tell team mates apart, who often have one name: "A2" is the second seat of the first team, "" no team's."""
        if self.side_count == len(self.sides):
            return ""
        side = self.sides[seat]
        return f"{LETTERS[side]}{self.seats_of(side).index(seat) + 1}"

    def called(self, seat: int) -> str:
        """The name of a seat in a sentence: behind its label, if it has one."""
        return f"{self.label_of(seat)} {self.names[seat]}".lstrip()

    def labelled_names(self) -> tuple[str, ...]:
        """The names of all seats, each behind its label."""
        return tuple(self.called(seat) for seat in range(len(self.names)))


def seat_number(text: object) -> int | None:
    """`p3` -> 3; anything else (null, for a void deal) -> None."""
    # Anything else without an error: a void deal has no winner, and its record says null.
    return int(text[1:]) if isinstance(text, str) and text[1:].isdecimal() else None


def read_effects(rows: Sequence[Sequence[str]]) -> tuple[Effect, ...]:
    """[[card, from, to], ..] as effects."""
    return tuple(Effect(card, source, target) for card, source, target in rows)


def read_events(rows: Sequence[Any]) -> tuple[Mapping[str, Any], ...]:
    """Events as mappings; a bare code becomes {"code": code}."""
    return tuple({"code": row} if isinstance(row, str) else row for row in rows)


def read_move(data: Mapping[str, Any]) -> Move:
    """Read one entry of `view.deals[].moves`."""
    action = dict(data["a"])
    seat, flip = seat_number(action.pop("by", None)), action.pop("flip", None)
    effects, events = read_effects(data["fx"]), read_events(data.get("ev", ()))
    return Move(data["m"], seat or 0, action, flip, effects, events, data.get("ms"))


def read_deal(record: Mapping[str, Any], view: Mapping[str, Any]) -> Deal:
    """Read one deal from its half in `record` and its half in `view`."""
    lines = tuple(
        Line(line["side"], line["code"], line["v"], line.get("yaku"), line.get("by")) for line in view.get("lines", ())
    )
    return Deal(
        number=record["n"],
        dealer=seat_number(record.get("dealer")) or 0,
        start=read_effects(view.get("fx0", ())),
        events=read_events(view.get("ev0", ())),
        moves=tuple(read_move(move) for move in view.get("moves", ())),
        lines=lines,
        score=tuple(record.get("score") or ()),
        total=tuple(view.get("total") or ()),
        victories=tuple(record.get("victories") or ()),
        winner=seat_number(record.get("winner")),
        mult=view.get("mult", 1),
    )


def deck_of(deals: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The game's deck in code order: the first order of a deal is all of it. Every card where nobody noted orders."""
    return tuple(sorted(next((deal["orders"][0] for deal in deals if deal.get("orders")), CODES)))


def told_apart(names: Sequence[str], sides: Sequence[int]) -> tuple[str, ...]:
    """Return the names of the seats; a name of several sides has side and seat before it: `A1 Plum`, `B2 Plum`."""
    called: dict[str, set[int]] = {}
    for name, side in zip(names, sides, strict=True):
        called.setdefault(name, set()).add(side)
    marked = enumerate(zip(names, sides, strict=True), start=1)
    return tuple(
        f"{LETTERS[side]}{seat} {name}" if name and len(called[name]) > 1 else name for seat, (name, side) in marked
    )


def read(document: Mapping[str, Any]) -> Replay:
    """The replay of a document that `engine.record` wrote."""
    record, view = document["record"], document["view"]
    seats, deck = record["seats"], deck_of(record["deals"])
    given = view.get("names") or [None] * len(seats)
    sides = tuple(seat["side"] for seat in seats)
    names = told_apart([name or f"p{seat}" for seat, name in enumerate(given)], sides)
    result = record["result"]
    return Replay(
        match=record["match"],
        preset=view.get("preset", ""),
        game=record["ruleset"]["game"],
        options=record["ruleset"]["options"],
        sides=sides,
        names=names,
        deals=tuple(read_deal(one, two) for one, two in zip(record["deals"], view["deals"], strict=True)),
        forfeits=tuple(record.get("forfeits", ())),
        score=tuple(result["score"]),
        victories=tuple(result["victories"]),
        rank=tuple(result["rank"]),
        end=result["end"] or "",
        # From the record itself: the decks of the games differ.
        deck=len(deck),
        cards=deck,
    )
