"""Observation tensors: what a seat may know as float32 numbers, written into a buffer that the caller owns.

A tensor is made of the typed observation and of what is public (`History`, the deal's number, the totals), of nothing
else, so it cannot show more than they do. It is flat: planes of 48 cards, then the history, then scalars; `Layout` says
where each begins. Values are 0 or 1, or scaled to about 1. Each game brings its own planes and scalars as `Features`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from struct import Struct
from typing import Any, Final, Protocol, TypeAlias

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
Decision: TypeAlias = tuple[int, Action, int]
ONE: Final = Struct("=f").pack(1.0)
_TWELVE: Final[list[bytes]] = [
    b"".join([ONE if bits >> place & 1 else bytes(FLOAT) for place in range(12)]) for bits in range(4096)
]
"""Twelve cards as floats, by their bits: four look-ups make a plane."""
NO_PLANE: Final = bytes(FLOAT * CARDS)


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


class Sight:
    """What was written for a seat last: its planes as card sets and as floats, its rows of the history."""

    def __init__(self, planes: int, row: bytes) -> None:
        self.sets: list[CardSet] = [0] * planes
        self.planes: list[bytes] = [NO_PLANE] * planes
        self.rows: list[bytes] = [row] * RECENT
        # How many decisions the rows are of.
        self.written = 0


class History:
    """The public decisions of a deal, each as (seat, action, the card that it turned up or -1).

    planes: the cards that each named or turned up, of as many as anybody has looked at. sights: by the observing seat.
    """

    def __init__(self) -> None:
        self.decisions: list[Decision] = []
        self.planes: list[bytes] = []
        self.sights: dict[int, Sight] = {}

    def note(self, seat: int, action: Action, flipped: int) -> None:
        """Add a decision. flipped: the card that it turned up, -1 if none."""
        self.decisions.append((seat, action, flipped))

    def copy(self) -> History:
        """An independent history."""
        twin = History()
        twin.decisions, twin.planes = self.decisions[:], self.planes[:]
        return twin


def cards_of(decision: Decision) -> CardSet:
    """Return the cards that a decision named or turned up."""
    _seat, action, flipped = decision
    cards = 0
    card = action.card
    if card >= 0:
        cards |= BITS[card]
    take = action.take
    if take >= 0:
        cards |= BITS[take]
    if flipped >= 0:
        cards |= BITS[flipped]
    return cards


def plane_of(cards: CardSet) -> bytes:
    """Return 48 floats, 1 for each card of a set."""
    twelve = _TWELVE
    return twelve[cards & 4095] + twelve[cards >> 12 & 4095] + twelve[cards >> 24 & 4095] + twelve[cards >> 36]


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
        self.silent: frozenset[str] = self.features.silent
        kinds = self.layout.kinds
        # Who and what of an event as bytes: by the kind, by the seat counted from the observer.
        self._who: dict[str, list[bytes]] = {
            kind: [_one_hot(seat, seats) + _one_hot(number, len(kinds)) for seat in range(seats)]
            for number, kind in enumerate(kinds)
        }
        self._no_row = bytes(FLOAT * self.layout.row)
        self._hot: list[bytes] = [_one_hot(seat, seats) for seat in range(seats)] + [bytes(FLOAT * seats)]
        self._phase: dict[str, bytes] = {
            phase: _one_hot(number, len(self.phases)) for number, phase in enumerate(self.phases)
        }
        plain = len(self.layout.scalars) - 3 * seats - len(self.phases)
        self._plain = Struct("=" + "f" * plain).pack
        self.put = Struct(f"{FLOAT * self.layout.size}s").pack_into

    @property
    def size(self) -> int:
        """Floats of a tensor."""
        return self.layout.size

    def public(self, action: Action) -> bool:
        """Return whether the other seats are told of this action."""
        return action.kind not in self.silent

    def write(
        self, observation: Observation, history: History, deals: int, totals: Sequence[int], chosen: int,
        buffer: Any, offset: int,
    ) -> None:  # fmt: skip
        """Write `4 * size` bytes into a buffer from the byte `offset` on.

        deals: those that were played before this one; totals: per side. chosen: the card whose target is asked for, -1
        if none. buffer: anything writable that lies in one piece, such as a bytearray or a numpy array of float32.
        """
        self.put(buffer, offset, b"".join(self.parts(observation, history, deals, totals, chosen)))

    def parts(
        self, observation: Observation, history: History, deals: int, totals: Sequence[int], chosen: int
    ) -> list[bytes]:
        """Return the same as pieces to be joined: most of them were made when this seat was written for last."""
        view: Any = observation
        seat: int = view.seat
        sight = history.sights.get(seat)
        if sight is None:
            sight = history.sights[seat] = Sight(len(self.layout.planes), self._no_row)
        self._add_rows(sight, history, seat)
        sets, planes = sight.sets, sight.planes
        shown = self.features.planes(view, self.sides, self.side_count)
        shown.append(BITS[chosen] if chosen >= 0 else 0)
        for index, cards in enumerate(shown):
            if cards != sets[index]:
                sets[index] = cards
                planes[index] = plane_of(cards)
        seats, hot = self.seats, self._hot
        turn: int = view.turn
        dealer: int = view.dealer
        phase: str = view.phase
        side, count = self.sides[seat], self.side_count
        plain = [deals / self.rounds]
        for _ in range(count):
            plain.append(totals[side] / SCALE)
            side = side + 1 if side + 1 < count else 0
        plain += self.features.scalars(view, seats)
        parts = planes + sight.rows
        parts.append(hot[seat])
        parts.append(hot[(dealer - seat) % seats])
        parts.append(hot[(turn - seat) % seats if turn >= 0 else seats])
        parts.append(self._phase[phase])
        parts.append(self._plain(*plain))
        return parts

    def _add_rows(self, sight: Sight, history: History, seat: int) -> None:
        """Put the decisions that a seat has not been shown yet before its rows, the newest first."""
        decisions, planes = history.decisions, history.planes
        last, first = len(decisions), sight.written
        if first == last:
            return
        while len(planes) < last:
            planes.append(plane_of(cards_of(decisions[len(planes)])))
        new: list[bytes] = []
        index = last - 1
        while index >= first:
            actor, action, _flipped = decisions[index]
            new.append(planes[index] + self._who[action.kind][(actor - seat) % self.seats])
            index -= 1
        sight.rows = (new + sight.rows)[:RECENT]
        sight.written = last


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
