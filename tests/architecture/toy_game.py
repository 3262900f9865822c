"""A game that nobody plays, whole: what a new game has to bring, and all that it has to bring.

Two or three seats hold two cards each of a deck of twelve. In turn each may `swap` its hand once, which is shuffled
back into the pile, and must `show` a card. The highest card wins a point, two after a deal won by p0. Two
points win the match. A deal whose first card is 01.1 is thrown in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, Self

from engine.action import Action, Form
from engine.cards import CODES, CardSet, card_set, codes, members, set_of
from engine.deck import GuessedShuffles
from engine.errors import BadSeating, IllegalAction, Refusal
from engine.game import (
    DealStart,
    Draw,
    Json,
    Observation,
    OptionInfo,
    Options,
    Outcome,
    Played,
    Preset,
    Ruleset,
    Shuffle,
    State,
    Step,
    play_each,
    play_out_each,
)
from engine.scoresheet import Scoresheet, Wrong
from engine.words import Combination, LocalizedMessage, Words

DECK: Final[CardSet] = (1 << 12) - 1
TARGET: Final = OptionInfo("target", "number", (), 2, "Points that win", "toy", minimum=1, maximum=9)
SWAP: Final = Action.of("swap")
TOO_DEAR: Final = "Toy deals are worth at most %(most)s points in all."


@dataclass(frozen=True, slots=True, kw_only=True)
class ToyOptions(Options):
    """One option."""

    target: int


@dataclass(slots=True, kw_only=True)
class ToyOutcome(Outcome):
    """The cards shown, by seat."""

    shown: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ToyView:
    """The knowledge of a seat."""

    seat: int
    hand: CardSet
    shown: tuple[int, ...]
    swapped: int
    mult: int
    legal: tuple[Action, ...]


class ToyState:
    """hands, shown (-1: not yet), pile; swapped: the seats that did, as bits; used: the orders of the last action."""

    def __init__(self, hands: Sequence[CardSet], shuffle: Shuffle, redeal: int, mult: int) -> None:
        self.hands, self.shuffle, self.redeal, self.mult = list(hands), shuffle, redeal, mult
        self.shown = [-1] * len(hands)
        self.swapped = 0
        self.used: list[tuple[int, ...]] = []

    @property
    def seat_to_act(self) -> int:
        return self.shown.index(-1) if -1 in self.shown else -1

    @property
    def is_over(self) -> bool:
        return -1 not in self.shown

    def legal_actions(self) -> tuple[Action, ...]:
        if self.is_over:
            return ()
        shows = tuple(Action.of("show", card) for card in members(self.hands[self.seat_to_act]))
        return shows if self.swapped >> self.seat_to_act & 1 else (*shows, SWAP)

    def resolve(self, action: Action, *, seat: int | None = None) -> Action:
        if self.is_over or action not in self.legal_actions() or seat not in (None, self.seat_to_act):
            code = Refusal.DEAL_OVER if self.is_over else Refusal.WRONG_PHASE
            raise IllegalAction(code, action, self.legal_actions())
        return action

    def apply(self, action: Action, *, seat: int | None = None) -> None:
        self.apply_unchecked(self.resolve(action, seat=seat))

    def apply_unchecked(self, action: Action) -> None:
        seat = self.seat_to_act
        self.used = []
        if action is not SWAP:
            self.hands[seat] ^= 1 << action.card
            self.shown[seat] = action.card
            return
        order = self.shuffle("return", self.redeal + self.swapped.bit_count(), self._loose() | self.hands[seat])
        self.swapped |= 1 << seat
        self.hands[seat] = card_set(order[:2])
        self.used = [order]

    def _loose(self) -> CardSet:
        held = card_set(card for card in self.shown if card >= 0)
        for hand in self.hands:
            held |= hand
        return DECK & ~held

    def play_all(self, actions: Sequence[Action]) -> list[int]:
        return play_each(self, actions)

    def play_out(self, draw: Callable[[], float]) -> int:
        return play_out_each(self, draw)

    def outcome(self) -> ToyOutcome:
        winner = self.shown.index(max(self.shown))
        score = tuple(self.mult if seat == winner else 0 for seat in range(len(self.shown)))
        carry = {"mult": 2} if winner == 0 else {}
        return ToyOutcome(
            reason="shown",
            score=score,
            winner=winner,
            winning_side=winner,
            victories=tuple(int(points > 0) for points in score),
            carry=carry,
            shown=tuple(self.shown),
        )

    def copy(self) -> Self:
        twin = type(self)(self.hands, self.shuffle, self.redeal, self.mult)
        twin.shown, twin.swapped = self.shown[:], self.swapped
        return twin


class ToyReader:
    """The typed view of a dict; it keeps no events."""

    events: tuple[Json, ...] = ()

    def take(self, obs: Mapping[str, Any]) -> None:
        pass

    def read(self, obs: Mapping[str, Any]) -> ToyView:
        shown = tuple(-1 if card is None else CODES.index(card) for card in obs["shown"])
        legal = tuple(Action.from_json(action) for action in obs["legal"])
        return ToyView(int(obs["me"][1:]), set_of(obs["hand"]), shown, obs["swapped"], obs["mult"], legal)


class ToyScoresheet(Scoresheet):
    """A deal is worth one point, or two, to one side."""

    def wrong(self, scores: Sequence[int], options: Options, deals: int, *, is_deal: bool) -> Wrong | None:
        is_possible = min(scores) >= 0 and (not is_deal or sum(scores) <= 2)
        return None if is_possible else Wrong(TOO_DEAR, {"most": 2})


def _own(state: State) -> ToyState:
    assert isinstance(state, ToyState)
    return state


class Toy:
    """Keeps `engine.game.Game`."""

    id = "toy"
    name = "Toy"
    seat_range = (2, 3)
    deck = DECK
    options: tuple[OptionInfo, ...] = (TARGET,)
    presets: tuple[Preset, ...] = (Preset("toy2", "Toy to two", "toy", {}, "none", "toy", aliases=("toy_two",)),)
    kinds: tuple[Form, ...] = (Form("show", "card"), Form("swap", "flag"))
    scoresheet = ToyScoresheet()
    words = Words(
        moves={
            "show": LocalizedMessage("%(who)s shows %(show)s", {"show": "card"}),
            "swap": LocalizedMessage("%(who)s swaps"),
        },
        events={"shuffled": LocalizedMessage("%(who)s shuffles %(count)s cards", {"count": "number"})},
        lines={"highest": "highest card"},
        combinations=(Combination("pair", "Two Januaries", 0b11, 1, "none"),),
    )

    def read_options(self, values: Mapping[object, object]) -> ToyOptions:
        assert set(values) <= {"target"}
        target = TARGET.read(values.get("target", TARGET.default))
        assert isinstance(target, int)
        return ToyOptions(rounds=9, target=target)

    def sides(self, options: Options, seats: int) -> tuple[int, ...]:
        if seats not in (2, 3):
            raise BadSeating("Two or three play.")
        return tuple(range(seats))

    def first_dealer(self, options: Options, seats: int, draw: Draw) -> tuple[int, tuple[tuple[int, ...], ...]]:
        cards = tuple(draw(0)[:seats])
        return cards.index(min(cards)), (cards,)

    def new_deal(self, start: DealStart) -> ToyState | None:
        if start.order[0] == 0:
            return None
        hands = [card_set(start.order[2 * seat : 2 * seat + 2]) for seat in range(start.seats)]
        return ToyState(hands, start.shuffle, start.redeal, start.carry.get("mult", 1))

    def dealt(self, state: State, order: Sequence[int]) -> Played:
        hands = _own(state).hands
        steps = [Step(card, "p", f"h{seat}") for seat, hand in enumerate(hands) for card in members(hand)]
        return Played({"seats": len(hands)}, tuple(steps), ())

    def play(self, state: State, action: Action) -> Played:
        world = _own(state)
        seat = world.seat_to_act
        before = world.hands[seat]
        world.apply_unchecked(action)
        zone = "p" if action is SWAP else "d"
        steps = [Step(card, f"h{seat}", zone) for card in members(before & ~world.hands[seat])]
        steps += [Step(card, "p", f"h{seat}") for card in members(world.hands[seat] & ~before)]
        notes: tuple[Json, ...] = ()
        if world.used:
            notes = ({"code": "shuffled", "by": f"p{seat}", "count": len(world.used[0])},)
        return Played({"by": f"p{seat}", **action.to_json()}, tuple(steps), notes, tuple(world.used))

    def next_dealer(self, options: Options, seats: int, dealer: int, winner: int | None) -> int:
        return (dealer + 1) % seats

    def is_match_over(self, options: Options, deals: int, totals: Sequence[int]) -> bool:
        assert isinstance(options, ToyOptions)
        return max(totals) >= options.target

    def figures(
        self, options: Options, totals: Sequence[int], victories: Sequence[int], last: Outcome | None
    ) -> Sequence[int]:
        return totals

    def lines(self, options: Options, outcome: Outcome) -> list[Json]:
        return [{"side": side, "code": "highest", "v": points} for side, points in enumerate(outcome.score)]

    def observation(self, state: State, seat: int) -> Json:
        world = _own(state)
        return {
            "phase": "show",
            "hand": codes(world.hands[seat]),
            "hand_n": [hand.bit_count() for hand in world.hands],
            "field": [],
            "tray": [[] for _ in world.hands],
            "pile_n": world._loose().bit_count(),
            "mult": world.mult,
            "shown": [None if card < 0 else CODES[card] for card in world.shown],
            "swapped": world.swapped,
        }

    def observe(self, state: State, seat: int, legal: tuple[Action, ...] | None = None) -> ToyView:
        world = _own(state)
        listed = world.legal_actions() if legal is None else legal
        return ToyView(
            seat,
            world.hands[seat],
            tuple(world.shown),
            world.swapped,
            world.mult,
            listed if seat == world.seat_to_act else (),
        )

    def reader(self, ruleset: Ruleset, seats: int) -> ToyReader:
        return ToyReader()

    def determinize(self, observation: Observation, rng: Random) -> ToyState:
        assert isinstance(observation, ToyView)
        seen = observation.hand | card_set(card for card in observation.shown if card >= 0)
        rest = list(members(DECK & ~seen))
        rng.shuffle(rest)
        sizes = [2 if card < 0 else 1 for card in observation.shown]
        hands = []
        for seat, size in enumerate(sizes):
            hands.append(observation.hand if seat == observation.seat else card_set(rest.pop() for _ in range(size)))
        world = ToyState(hands, GuessedShuffles(rng.getrandbits(64)), 0, observation.mult)
        world.shown, world.swapped = list(observation.shown), observation.swapped
        return world


TOY: Final = Toy()
