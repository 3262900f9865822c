"""Observation tensors: what a seat may know as float32 numbers, written into a buffer that the caller owns.

A tensor is made of the typed observation and of what is public (`History`, the deal's number, the totals), of nothing
else, so it cannot show more than they do. It is flat: planes of 48 cards, then the history, then scalars; `Layout` says
where each begins. Values are 0 or 1, or scaled to about 1. Each game brings its own planes and scalars as `Features`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from struct import Struct
from typing import Any, Final, Protocol

from engine.action import Action
from engine.cards import BITS, CardSet
from engine.errors import EngineError
from engine.game import Observation, Ruleset, game_of

CARDS: Final = 48
FLOAT: Final = 4
"""Bytes of a float32."""
RECENT: Final = 16
"""Public events in a tensor, the newest first."""
SCALE: Final = 100.0
"""A total of that many points is a 1."""
ONE: Final = Struct("=f").pack(1.0)
_TWELVE: Final[list[bytes]] = [
    b"".join([ONE if bits >> place & 1 else bytes(FLOAT) for place in range(12)]) for bits in range(4096)
]
"""Twelve cards as floats, by their bits: four look-ups make a plane."""


class Features(Protocol):
    """What a game puts into its tensors. Card sets and numbers are in the order of their names, see `Layout`."""

    phases: tuple[str, ...]
    silent: frozenset[str]
    """The kinds of actions that the other seats are not told of."""

    def plane_names(self, seats: int, sides: int) -> tuple[str, ...]: ...

    def scalar_names(self, seats: int, sides: int) -> tuple[str, ...]: ...

    def planes(self, observation: Any, sides: tuple[int, ...], side_count: int) -> list[CardSet]: ...

    def scalars(self, observation: Any, seats: int) -> list[float]: ...

    def turned(self, state: Any) -> int:
        """Return a number that grows with every card that is turned up from the pile for all to see."""

    def last_turned(self, state: Any) -> int:
        """Return the card that was turned up last; asked only where one was."""


class History:
    """The public decisions of a deal: who, which kind, and a plane of the cards that were named or turned up."""

    def __init__(self) -> None:
        self.seats: list[int] = []
        self.kinds: list[str] = []
        self.cards: list[CardSet] = []
        self.planes: list[bytes] = []
        # By the observing seat: its rows in the tensor as they were written last, and of how many decisions they are.
        self.rows: dict[int, bytes] = {}
        self.written: dict[int, int] = {}

    def note(self, seat: int, action: Action, flipped: int) -> None:
        """Add a decision. flipped: the card that it turned up, -1 if none."""
        cards = 0
        if action.card >= 0:
            cards |= BITS[action.card]
        if action.take >= 0:
            cards |= BITS[action.take]
        if flipped >= 0:
            cards |= BITS[flipped]
        self.seats.append(seat)
        self.kinds.append(action.kind)
        self.cards.append(cards)
        self.planes.append(
            _TWELVE[cards & 4095] + _TWELVE[cards >> 12 & 4095] + _TWELVE[cards >> 24 & 4095] + _TWELVE[cards >> 36]
        )

    def copy(self) -> History:
        """An independent history."""
        twin = History()
        twin.seats, twin.kinds = self.seats[:], self.kinds[:]
        twin.cards, twin.planes = self.cards[:], self.planes[:]
        twin.rows, twin.written = self.rows.copy(), self.written.copy()
        return twin


class Layout:
    """Where everything is in the tensor of a ruleset and a number of seats. Offsets and sizes are in floats.

    planes: names; the first `48 * len(planes)` floats. history: 16 rows of `row` floats (cards, seat, kind), the newest
    first. scalars: names. Seats and sides are counted from the observer: seat 0 is itself, side 0 its own.
    """

    def __init__(self, ruleset: Ruleset, seats: int) -> None:
        game = game_of(ruleset.game)
        found = features_of(ruleset.game)
        sides = len(set(ruleset.sides(seats)))
        self.kinds: tuple[str, ...] = tuple(form.kind for form in game.kinds if form.kind not in found.silent)
        self.planes: tuple[str, ...] = (*found.plane_names(seats, sides), "chosen")
        self.row = CARDS + seats + len(self.kinds)
        self.scalars: tuple[str, ...] = (
            *[f"seat is {seat}" for seat in range(seats)],
            *[f"dealer is seat {seat}" for seat in range(seats)],
            *[f"seat {seat} decides" for seat in range(seats)],
            *[f"phase {phase}" for phase in found.phases],
            "deals played",
            *[f"total of side {side}" for side in range(sides)],
            *found.scalar_names(seats, sides),
        )
        self.history_at = CARDS * len(self.planes)
        self.scalars_at = self.history_at + RECENT * self.row
        self.size = self.scalars_at + len(self.scalars)


class Tensors:
    """Writes the tensors of a ruleset at a number of seats."""

    def __init__(self, ruleset: Ruleset, seats: int) -> None:
        """Raises EngineError `tensor.none` for a game that offers none, and BadSeating."""
        self.layout = Layout(ruleset, seats)
        self.seats = seats
        self.sides: tuple[int, ...] = ruleset.sides(seats)
        self.side_count = len(set(self.sides))
        self.rounds = float(ruleset.options.rounds)
        self.features: Features = features_of(ruleset.game)
        self.phases: tuple[str, ...] = self.features.phases
        self._silent: frozenset[str] = self.features.silent
        kinds = self.layout.kinds
        # Who and what of an event as bytes: by the kind, by the seat counted from the observer.
        self._who: dict[str, list[bytes]] = {
            kind: [_one_hot(seat, seats) + _one_hot(number, len(kinds)) for seat in range(seats)]
            for number, kind in enumerate(kinds)
        }
        who = FLOAT * (seats + len(kinds))
        self._no_rows = bytes(RECENT * (FLOAT * CARDS + who))
        self._hot: list[bytes] = [_one_hot(seat, seats) for seat in range(seats)] + [bytes(FLOAT * seats)]
        self._phase: dict[str, bytes] = {
            phase: _one_hot(number, len(self.phases)) for number, phase in enumerate(self.phases)
        }
        plain = len(self.layout.scalars) - 3 * seats - len(self.phases)
        twelve = FLOAT * 12
        self._pack = Struct(
            "="
            + f"{twelve}s" * (4 * len(self.layout.planes))
            + f"{len(self._no_rows)}s"
            + f"{FLOAT * seats}s" * 3
            + f"{FLOAT * len(self.phases)}s"
            + "f" * plain
        ).pack_into

    @property
    def size(self) -> int:
        """Floats of a tensor."""
        return self.layout.size

    def public(self, action: Action) -> bool:
        """Return whether the other seats are told of this action."""
        return action.kind not in self._silent

    def write(
        self, observation: Observation, history: History, deals: int, totals: Sequence[int], chosen: int,
        buffer: Any, offset: int,
    ) -> None:  # fmt: skip
        """Write `4 * size` bytes into a buffer from the byte `offset` on.

        deals: those that were played before this one; totals: per side. chosen: the card whose target is asked for, -1
        if none. buffer: anything writable that lies in one piece, such as a bytearray or a numpy array of float32.
        """
        view: Any = observation
        seat: int = view.seat
        parts: list[object] = []
        twelve = _TWELVE
        planes = self.features.planes(view, self.sides, self.side_count)
        planes.append(BITS[chosen] if chosen >= 0 else 0)
        for cards in planes:
            parts.append(twelve[cards & 4095])
            parts.append(twelve[cards >> 12 & 4095])
            parts.append(twelve[cards >> 24 & 4095])
            parts.append(twelve[cards >> 36])
        parts.append(self._rows_of(history, seat))
        seats = self.seats
        hot = self._hot
        turn: int = view.turn
        dealer: int = view.dealer
        phase: str = view.phase
        parts.append(hot[seat])
        parts.append(hot[(dealer - seat) % seats])
        parts.append(hot[(turn - seat) % seats if turn >= 0 else seats])
        parts.append(self._phase[phase])
        parts.append(deals / self.rounds)
        own = self.sides[seat]
        parts += [totals[(own + step) % self.side_count] / SCALE for step in range(self.side_count)]
        parts.extend(self.features.scalars(view, seats))
        self._pack(buffer, offset, *parts)

    def _rows_of(self, history: History, seat: int) -> bytes:
        """Return the last events as a seat sees them, the newest first: new rows, then those written before."""
        last = len(history.seats)
        rows = history.rows.get(seat, self._no_rows)
        first = max(history.written.get(seat, 0), last - RECENT)
        if first == last:
            return rows
        parts: list[bytes] = []
        index = last - 1
        while index >= first:
            parts.append(history.planes[index])
            parts.append(self._who[history.kinds[index]][(history.seats[index] - seat) % self.seats])
            index -= 1
        parts.append(rows)
        rows = b"".join(parts)[: len(self._no_rows)]
        history.rows[seat] = rows
        history.written[seat] = last
        return rows


def _one_hot(place: int, size: int) -> bytes:
    return b"".join([ONE if index == place else bytes(FLOAT) for index in range(size)])


def features_of(game: str) -> Features:
    """Return what a game puts into its tensors. Raises EngineError `tensor.none` if it offers nothing."""
    found: Features | None = getattr(game_of(game), "features", None)
    if found is None:
        raise EngineError(f"The game {game} offers no tensors.", code="tensor.none")
    return found


@lru_cache(maxsize=256)
def tensors_of(ruleset: Ruleset, seats: int) -> Tensors:
    """The writer of a ruleset at a number of seats. Raises EngineError `tensor.none` and BadSeating."""
    return Tensors(ruleset, seats)


def hot(place: int, size: int) -> list[float]:
    """Return a one in that place among zeros; all zeros for -1."""
    found = [0.0] * size
    if place >= 0:
        found[place] = 1.0
    return found
