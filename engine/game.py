"""The contract between a game and everything that plays it: rulesets, states, outcomes.

A game is one object (`Game`) in the registry of `engine.games`. Its options, presets and tables are data.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any, Final, NamedTuple, Protocol, Self, TypeAlias

from engine.action import Action as Action  # named here too: it is part of the contract
from engine.action import Form
from engine.cards import CardSet
from engine.errors import BadOption, EngineError
from engine.options import MAX_DEALS as MAX_DEALS
from engine.options import OptionInfo as OptionInfo
from engine.options import Options as Options
from engine.options import OptionValue as OptionValue
from engine.options import Preset as Preset
from engine.scoresheet import Scoresheet
from engine.words import Words

Json: TypeAlias = dict[str, object]
Draw: TypeAlias = Callable[[int], Sequence[int]]
"""How cards are drawn for the first dealer: number of the drawing (from 0) -> an order of the deck."""
Shuffle: TypeAlias = Callable[[str, int, CardSet], tuple[int, ...]]
"""How cards are shuffled inside a deal: (label, number, cards) -> their order, first card first.

The labels are those of `engine.deck`: `deck` (number: how often the deal was thrown in), `return` (the same),
`reshuffle` (0, 1 ..). Pure: the same three give the same order, in a copy of the world as well.
"""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A game and every option resolved: no preset name, no number of seats."""

    game: str
    options: Options

    @staticmethod
    def from_json(value: object) -> Ruleset:
        """Read {"game", "options"} (a `hash` beside them must be right). Options left out have their default.

        Raises BadOption naming the unknown id or value and what is allowed.
        """
        if not isinstance(value, dict) or not isinstance(value.get("options"), dict):
            raise BadOption('A ruleset is an object {"game": .., "options": {..}}.')
        unknown = set(value) - {"game", "options", "hash"}
        if unknown:
            raise BadOption(f"A ruleset has no {sorted(map(str, unknown))}. It has game and options.")
        game = game_of(value.get("game"))
        found = Ruleset(game.id, game.read_options(value["options"]))
        # A hash beside the options is a claim, and one that is wrong shows that the sender means other rules.
        if "hash" in value and value["hash"] != found.hash:
            raise BadOption("The hash is not the one of these options.", extra={"hash": found.hash})
        return found

    def resolved(self) -> dict[str, str | int]:
        """The value of every option by id, flags as 0 and 1, for people and forms."""
        return {info.id: _plain(getattr(self.options, info.id)) for info in game_of(self.game).options}

    def to_json(self) -> Json:
        """{"game", "options"}, flags as 0 and 1, since a record holds no other booleans (site.md 3).

        Left out are options that were added later (`OptionInfo.since`) and have their default.
        """
        # Equal rules must have equal JSON no matter what engine wrote it, so this looks at the value alone, not at a
        # version.
        added = {info.id: _plain(info.default) for info in game_of(self.game).options if info.since is not None}
        values = self.resolved().items()
        return {"game": self.game, "options": {key: value for key, value in values if added.get(key) != value}}

    def canonical(self) -> str:
        """The canonical JSON text: keys sorted, no spaces."""
        return json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    def one_deal(self) -> Ruleset:
        """The same rules for a match of one deal; where a match goes to a target, to the first points that are made."""
        options = {info.id: _plain(getattr(self.options, info.id)) for info in game_of(self.game).options}
        # Poka has no number of deals but a target; every other game has `rounds`, and Koi-Koi may have a target too.
        options["rounds" if "rounds" in options else "target"] = 1
        return Ruleset.from_json({"game": self.game, "options": options})

    @property
    def hash(self) -> str:
        """`sha256:` and the hex digest of the canonical JSON."""
        return "sha256:" + hashlib.sha256(self.canonical().encode()).hexdigest()

    def sides(self, seats: int) -> tuple[int, ...]:
        """Side number of every seat. Raises BadSeating if players and teams do not fit."""
        return game_of(self.game).sides(self.options, seats)


def _plain(value: OptionValue) -> str | int:
    return int(value) if isinstance(value, bool) else value


@dataclass(slots=True, kw_only=True)
class Outcome:
    """The result of a deal by the rules. Each game derives its own dataclass with its own facts; nobody changes one.

    Not frozen: to make a frozen one takes three times as long, which is felt where thousands of deals are played out.

    reason: why it ended, a word of the game's (`played`, `void`, `shoubu` ..). score, victories: per side, in the
    order of their first seat; what is added to the totals (a ledger's change may be negative, and sums to 0).
    winner: the seat that won, None if nobody (rules.md 4.1); winning_side: its side. carry: what the next deal of the
    match starts from (`DealStart.carry`). ends_match: the match is decided, regardless of its rounds or target.
    """

    reason: str
    score: tuple[int, ...]
    winner: int | None
    winning_side: int | None
    victories: tuple[int, ...]
    carry: Mapping[str, int] = field(default_factory=dict)
    ends_match: bool = False


class DealStart(NamedTuple):
    """The start of a deal. order: of the whole deck; redeal: how often this deal was thrown in before.

    number: of the deal, from 1. shuffle: further orders while it is played. carry: what the last deal's outcome left,
    empty in the first deal. totals: score per side so far.
    """

    ruleset: Ruleset
    seats: int
    dealer: int
    number: int
    order: tuple[int, ...]
    redeal: int
    shuffle: Shuffle
    carry: Mapping[str, int]
    totals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A seat that stopped playing on its own. deal, move: what it was asked for, as numbered in its observation."""

    seat: int
    deal: int
    move: int
    code: str

    def to_json(self) -> Json:
        """Return the forfeit as a record holds it."""
        return {"seat": self.seat, "deal": self.deal, "move": self.move, "code": self.code}


@dataclass(frozen=True, slots=True)
class Step:
    """One card going from a zone to a zone: `hN` hand, `cN` tray of side N, `f`, `p`, `d` discard, `x` out (site.md 3).

    N of a tray is a side, which is the seat where nobody has a partner. Steps of one action are told in order.
    """

    card: int
    source: str
    target: str


# Equal steps are one: a process that holds thousands of matches holds them once, and finding one is faster than making.
step_of: Final = cache(Step)


@dataclass(frozen=True, slots=True)
class Played:
    """The public effect of one accepted action.

    event: what every seat is told (`since` of an observation): {"by", the action, "flip", "ev": notes ..}; steps and
    notes, engine events like {"code": "reshuffle", ..}, are for the replay. orders: those of `DealStart.shuffle` that
    it used, in time; the record keeps them. also: further public events after it, each of its own. An empty event:
    the others are not told that there was a decision, and the observation's `move` does not count it.
    """

    event: Json
    steps: tuple[Step, ...]
    notes: tuple[Json, ...]
    orders: tuple[tuple[int, ...], ...] = ()
    also: tuple[Json, ...] = ()


class State(Protocol):
    """The full world of one deal. Mutable; copy it before you try something."""

    @property
    def seat_to_act(self) -> int:
        """The seat that decides, -1 when the deal is over."""

    @property
    def is_over(self) -> bool: ...

    @property
    def mult(self) -> int:
        """Return what this deal's points count, 1 where no rule multiplies; for the replay (`view.mult`)."""

    def legal_actions(self) -> tuple[Action, ...]:
        """Return what the seat to act may do, in canonical order; empty when over."""

    def resolve(self, action: Action, *, seat: int | None = None) -> Action:
        """The listed action that is meant; shorthands are understood. Raises IllegalAction, changes nothing."""

    def apply(self, action: Action, *, seat: int | None = None) -> None:
        """Do an action of `seat` (default: the seat to act). Raises IllegalAction and changes nothing then."""

    def apply_unchecked(self, action: Action) -> None:
        """Do an element of `legal_actions()` without any check: for playouts only."""

    def play_all(self, actions: Sequence[Action]) -> list[int]:
        """Do actions one after another, each as the engine lists it; the seat that did each.

        Raises IllegalAction at the first that is not listed; those before it are done. `play_each` is a plain one.
        """

    def play_out(self, draw: Callable[[], float]) -> int:
        """Play to the end, every legal action equally often; the number of plies. draw: `Random.random`."""

    def outcome(self) -> Outcome:
        """The result of a deal that is over."""

    def copy(self) -> Self: ...


def play_each(state: State, actions: Sequence[Action]) -> list[int]:
    """`State.play_all` for a game that has no quicker way."""
    seats: list[int] = []
    for action in actions:
        # A shorthand is understood but not written: records of equal matches must be equal text.
        if state.resolve(action) is not action:
            message = f"The engine does not write {action} here, though it is understood. See `legal_actions()`."
            raise EngineError(message, code="action.unlisted")
        seats.append(state.seat_to_act)
        state.apply_unchecked(action)
    return seats


def play_out_each(state: State, draw: Callable[[], float]) -> int:
    """`State.play_out` for a game that has no quicker way."""
    plies = 0
    while not state.is_over:
        legal = state.legal_actions()
        state.apply_unchecked(legal[int(draw() * len(legal))])
        plies += 1
    return plies


class Observation(Protocol):
    """The knowledge of one seat."""

    @property
    def seat(self) -> int: ...

    @property
    def legal(self) -> tuple[Action, ...]: ...


class Reader(Protocol):
    """Turns the observation dicts that a seat receives, one after another, into typed observations.

    events: all public events of the present deal, in order.
    """

    @property
    def events(self) -> Sequence[Json]: ...

    def take(self, obs: Mapping[str, Any]) -> None:
        """Take in its new events alone, for anyone who wants no typed observation now. Twice does no harm."""
        ...

    def read(self, obs: Mapping[str, Any]) -> Observation: ...


class Game(Protocol):
    """One game. Everything that matches, records, tables and replays need to know of it: see games/README.md."""

    id: str
    name: str
    seat_range: tuple[int, int]
    deck: CardSet
    words: Words

    @property
    def scoresheet(self) -> Scoresheet:
        """Return what people may report of it; a plain `Scoresheet` where any points can be."""

    @property
    def options(self) -> tuple[OptionInfo, ...]: ...

    @property
    def presets(self) -> tuple[Preset, ...]: ...

    @property
    def kinds(self) -> tuple[Form, ...]:
        """The forms of its actions; those of `engine.action.TURN_KINDS` are known already."""

    def read_options(self, values: Mapping[object, object]) -> Options: ...

    def sides(self, options: Options, seats: int) -> tuple[int, ...]:
        """Side of every seat. Raises BadSeating."""

    def first_dealer(self, options: Options, seats: int, draw: Draw) -> tuple[int, tuple[tuple[int, ...], ...]]:
        """The first dealer, and the cards of each drawing in seat order of those who drew."""

    def new_deal(self, start: DealStart) -> State | None:
        """Deal; None if it must be shuffled and dealt again by the same dealer, which is no deal of the match.

        The world may be over at once. A deal that is thrown in later, while it is played, is dealt again by the
        state itself: `start.shuffle("deck", start.redeal + 1, deck)`, told in `Played.orders` and steps.
        """

    def dealt(self, state: State, order: Sequence[int]) -> Played:
        """The event and the steps of a deal that `new_deal` has just made from this order."""

    def play(self, state: State, action: Action) -> Played:
        """Do a legal action and tell what it did."""

    def next_dealer(self, options: Options, seats: int, dealer: int, winner: int | None) -> int: ...

    def is_match_over(self, options: Options, deals: int, totals: Sequence[int]) -> bool:
        """Return whether the match ends after this many deals and these scores per side."""

    def figures(
        self, options: Options, totals: Sequence[int], victories: Sequence[int], last: Outcome | None
    ) -> Sequence[int]:
        """The figure per side that decides the match, higher is better. last: the outcome of the last deal."""

    def lines(self, options: Options, outcome: Outcome) -> list[Json]:
        """Return where the score of each side comes from: {"side", "code", "v", ..}; `v` of a side sum up to
        its score.
        """

    def observation(self, state: State, seat: int) -> Json:
        """The game's part of the observation JSON (site.md 6).

        Always phase, hand, hand_n (per seat), field, tray (per side), pile_n, mult; then what is its own.
        """

    def observe(self, state: State, seat: int, legal: tuple[Action, ...] | None = None) -> Observation:
        """The typed observation of a seat. legal: what is listed for the seat to act, if the caller has it already."""

    def reader(self, ruleset: Ruleset, seats: int) -> Reader: ...

    def determinize(self, observation: Observation, rng: Random) -> State:
        """A world that fits what a seat knows: uniform over those that do. Raises NoWorld."""


GAMES: Final[dict[str, Game]] = {}
"""The registry; `engine.games` fills it, one line per game."""


def game_of(name: object) -> Game:
    """The registered game. Raises BadOption."""
    if not isinstance(name, str) or name not in GAMES:
        known = ", ".join(GAMES)
        raise BadOption(f"There is no game {name!r:.40}. Known: {known}.", extra={"allowed": list(GAMES)})
    return GAMES[name]
