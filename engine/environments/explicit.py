"""One deal in which every card that is drawn is a decision of chance, one card after another.

Where the rules shuffle, the deal waits for an order: `left` are the cards that may come next. The same goes for
shuffles in the middle of a deal: what was played is played again once their order is known. With numbered deals
chance decides once, which of them it is; all orders follow from its number.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

from engine.action import Action
from engine.actions import ActionSpace, Space, space_of
from engine.cards import CardSet, members
from engine.game import DealStart, Game, Json, Ruleset, State, game_of
from engine.rewards import rewards_of
from engine.shuffling import shuffled
from engine.tensors import History, Tensors, features_of, tensors_of

CHANCE: Final = -1
OVER: Final = -4
"""Both as OpenSpiel numbers them."""
_CHANCES: Final = [[(card, 1 / left) for card in range(48)] for left in range(1, 49)]
"""A card and its probability, by how many are left: made once, since a deal asks for a thousand of them."""


class Request(NamedTuple):
    """A shuffle that is waited for, as `engine.game.Shuffle` names it."""

    label: str
    number: int
    cards: CardSet


Orders: TypeAlias = dict[Request, tuple[int, ...]]
Dealt: TypeAlias = tuple[State, Orders]
NUMBER: Final = Request("deal", 0, 0)
"""What a numbered deal waits for instead."""


@lru_cache(maxsize=4096)
def _numbered_order(deal: int, request: Request) -> tuple[int, ...]:
    """The order of a shuffle in the deal of this number, the same in every process."""
    draw = Random(f"{deal}/{request.label}/{request.number}/{request.cards}").randbytes
    return shuffled(list(members(request.cards)), draw)


_DEALT_KEPT: Final = 4096
"""Numbered deals whose world is kept as it was dealt, for each table."""


class Undrawn(Exception):
    """The rules ask for an order that chance has not drawn yet. Never leaves this module."""

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.request = request


class Table:
    """What the deals of a ruleset have in common. The dealer is always seat 0: the seats are alike.

    deals: how many numbered ones there are; 0: chance draws every card. numbers: how likely each of them is.
    """

    def __init__(self, rules: Ruleset, seats: int, *, stepwise: bool, deals: int = 0) -> None:
        """Raises BadSeating, ValueError for less than no deals, EngineError `tensor.none` without tensors."""
        if deals < 0:
            raise ValueError(f"There cannot be {deals} deals.")
        self.rules = rules
        self.seats = seats
        self.sides = rules.sides(seats)
        self.game: Game = game_of(rules.game)
        self.features = features_of(rules.game)
        self.space: Space = space_of(rules, stepwise=stepwise)
        self.tensors: Tensors = tensors_of(rules, seats)
        self.deck = tuple(members(self.game.deck))
        self.totals = (0,) * len(set(self.sides))
        self.deals = deals
        self.numbers = [(number, 1 / deals) for number in range(deals)]
        # In one step a number is an action, and nothing has to be grouped.
        self.ids = self.space.ids if isinstance(self.space, ActionSpace) else None
        self.by_number = {number: action for action, number in (self.ids or {}).items()}
        self.silent = self.tensors.silent
        # Numbered deals as they were dealt, with their orders: a copy costs a fifth of dealing again.
        self.dealt: dict[int, Dealt] = {}
        self._made_from = (rules, seats, stepwise, deals)

    def __reduce__(self) -> tuple[object, ...]:
        return _table, self._made_from

    def keep(self, number: int, state: State, orders: Orders) -> None:
        """Keep a numbered deal as it was dealt."""
        if len(self.dealt) < _DEALT_KEPT:
            self.dealt[number] = state.copy(), dict(orders)


@lru_cache(maxsize=64)
def _table(rules: Ruleset, seats: int, stepwise: bool, deals: int) -> Table:
    return Table(rules, seats, stepwise=stepwise, deals=deals)


class ExplicitDeal:
    """A deal in play. left: the cards that may be drawn next, in code order, while it waits for an order.

    seat: the one that decides, CHANCE or OVER; legal: what it may do; chosen: as in `engine.episode.Episode`. actions:
    what was decided so far; orders: what chance has drawn, of a numbered deal what follows from its `number`.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.orders: Orders = {}
        self.actions: list[Action] = []
        self.state: State | None = None
        self.legal: tuple[Action, ...] = ()
        self.chosen = CHANCE
        self.seat = CHANCE
        self.number = CHANCE
        self.drawn: list[int] = []
        self.left: list[int] = []
        self.request: Request | None = None
        self._choices: dict[int, tuple[Action, ...]] | None = {}
        # Most playouts never ask for a tensor: when somebody does, a world that follows this one makes the history.
        self._history = History()
        self._follower: State | None = None
        self._followed = 0
        self._wait(NUMBER if table.deals else Request("deck", 0, table.game.deck))

    def __reduce__(self) -> tuple[object, ...]:
        # What was drawn and decided, not the world: it is played again.
        chance = (self.number, self.orders, self.request, self.drawn)
        return _restored, (self.table, chance, self.actions, self.chosen)

    def __deepcopy__(self, _memo: object) -> ExplicitDeal:
        return self.copy()

    def copy(self) -> ExplicitDeal:
        """An independent deal."""
        twin = ExplicitDeal(self.table)
        twin.request, twin.chosen, twin.number = self.request, self.chosen, self.number
        twin.legal, twin._choices = self.legal, self._choices
        twin.orders, twin.actions = dict(self.orders), self.actions[:]
        twin.seat = self.seat
        twin.drawn, twin.left = self.drawn[:], self.left[:]
        if self.state is not None:
            twin._take(twin._own(self.state))
        if self._follower is not None:
            twin._follower, twin._history = twin._own(self._follower), self._history.copy()
            twin._followed = self._followed
        return twin

    def _own(self, world: State) -> State:
        """Return a copy of a world that draws from this deal's orders."""
        state = world.copy()
        if hasattr(state, "shuffle"):
            state.shuffle = self._shuffle
        return state

    def _take(self, state: State) -> None:
        """Take up a world. What every ply asks of it is looked up once."""
        self.state = state
        self._does: Callable[[Action], None] = state.apply_unchecked
        self._lists: Callable[[], tuple[Action, ...]] = state.legal_actions

    def _wait(self, request: Request) -> None:
        self.request, self.drawn = request, []
        self.left = list(range(self.table.deals)) if request is NUMBER else list(members(request.cards))

    def _shuffle(self, label: str, number: int, cards: CardSet) -> tuple[int, ...]:
        request = Request(label, number, cards)
        order = self.orders.get(request)
        if order is None:
            if self.number == CHANCE:
                raise Undrawn(request)
            order = self.orders[request] = _numbered_order(self.number, request)
        return order

    def outcomes(self) -> list[tuple[int, float]]:
        """Return what chance may decide now, each with its probability."""
        if self.request is NUMBER:
            return self.table.numbers[:]
        chances = _CHANCES[len(self.left) - 1]
        return [chances[card] for card in self.left]

    def draw(self, card: int) -> None:
        """Let chance draw one of the cards that are left, or the number of the deal."""
        assert self.request is not None, "chance decides"
        if self.request is NUMBER:
            self.number, self.request, self.left = card, None, []
            self._resume()
            return
        self.left.remove(card)
        self.drawn.append(card)
        # The last card needs no draw.
        if len(self.left) == 1:
            self.drawn += self.left
            self.orders[self.request] = tuple(self.drawn)
            self.request = None
            self._resume()

    def _resume(self) -> None:
        """Deal with the orders that are known, and play again what was decided."""
        self.state = self._follower = None
        try:
            self._take(self._dealt())
            for action in self.actions:
                self._does(action)
        except Undrawn as undrawn:
            self._wait(undrawn.request)
        self._ask()

    def _dealt(self) -> State:
        """Return the world as it was dealt, again and again where the rules throw a deal in. Raises Undrawn."""
        kept = self.table.dealt.get(self.number)
        if kept is not None:
            self.orders.update(kept[1])
            return self._own(kept[0])
        state, redeal = None, 0
        while state is None:
            order = self._shuffle("deck", redeal, self.table.game.deck)
            state = self.table.game.new_deal(self._start(order, redeal))
            redeal += 1
        if self.number != CHANCE:
            self.table.keep(self.number, state, self.orders)
        return state

    def _start(self, order: tuple[int, ...], redeal: int) -> DealStart:
        table = self.table
        return DealStart(table.rules, table.seats, 0, 1, order, redeal, self._shuffle, {}, table.totals)

    def _ask(self) -> None:
        state = self.state
        self.chosen, self.legal, self.seat, self._choices = CHANCE, (), CHANCE, None
        if self.request is None and state is not None:
            self.legal = self._lists()
            # A seat that decides can always do something.
            self.seat = state.seat_to_act if self.legal else OVER

    @property
    def choices(self) -> dict[int, tuple[Action, ...]]:
        """What may be answered now, as in `engine.episode.Episode`."""
        if self._choices is None:
            self._choices = self.table.space.choices(self.legal)
        return self._choices

    def numbers(self) -> list[int]:
        """Return the legal numbers, ascending."""
        ids = self.table.ids
        if ids is None:
            return sorted(self.choices)
        return sorted([ids[action] for action in self.legal])

    def listed(self) -> list[int]:
        """Return what may be decided now, by a seat or by chance, ascending."""
        return self.left[:] if self.seat == CHANCE else self.numbers()

    def decide(self, number: int) -> None:
        """Do a decision of chance, or of the seat that is asked."""
        if self.seat == CHANCE:
            self.draw(number)
        else:
            self.play(number)

    def play(self, number: int) -> None:
        """Answer with a legal number. Raises KeyError for another."""
        if self.table.ids is not None:
            action = self.table.by_number[number]
            if action not in self.legal:
                raise KeyError(number)
        else:
            actions = self.choices[number]
            if len(actions) > 1:
                self.chosen, self._choices = number, self.table.space.targets(actions)
                return
            action = actions[0]
        self.actions.append(action)
        try:
            self._does(action)
        except Undrawn as undrawn:
            self._wait(undrawn.request)
        self._ask()

    @property
    def history(self) -> History:
        """The public decisions so far."""
        features, state = self.table.features, self._follower
        if state is None:
            state = self._follower = self._dealt()
            self._history, self._followed = History(), 0
        for action in self.actions[self._followed :]:
            seat, turned = state.seat_to_act, features.turned(state)
            state.apply_unchecked(action)
            if action.kind not in self.table.silent:
                flipped = features.last_turned(state) if features.turned(state) > turned else -1
                self._history.note(seat, action, flipped)
        self._followed = len(self.actions)
        return self._history

    def rewards(self) -> list[float]:
        """Return the rewards of all seats; zeros while it is played."""
        if self.seat != OVER or self.state is None:
            return [0.0] * self.table.seats
        return rewards_of(self.state.outcome(), self.table.rules, self.table.sides)

    def write_tensor(self, seat: int, buffer: Any) -> None:
        """Write what a seat knows; zeros before the cards are dealt and while the world waits for an order."""
        tensors = self.table.tensors
        if self.request is not None or self.state is None:
            memoryview(buffer).cast("B")[:] = bytes(memoryview(buffer).nbytes)
            return
        known = self.table.game.observe(self.state, seat, self.legal)
        chosen = self.chosen if seat == self.seat else -1
        tensors.write(known, self.history, 0, self.table.totals, chosen, buffer, 0)

    def told(self, seat: int) -> list[Json]:
        """Return all that a seat was told and saw of its own since the deal began, in time: its perfect recall.

        Played again with the engine's own account, so it says what a bot at the table would have been told.
        """
        game, redeal = self.table.game, 0
        if self.state is None:
            return []
        world: State | None = None
        while world is None:
            order = self._shuffle("deck", redeal, game.deck)
            world = game.new_deal(self._start(order, redeal))
            redeal += 1
        played = game.dealt(world, order)
        found = [played.event, *played.also, {"hand": game.observation(world, seat)["hand"]}]
        for action in self.actions:
            actor = world.seat_to_act
            try:
                played = game.play(world, action)
            except Undrawn:
                return [*found, {"by": f"p{actor}", **action.to_json()}]
            own: list[Json] = [{"mine": str(action)}] if actor == seat and not played.event else []
            events = [event for event in (played.event, *played.also) if event]
            found += [*events, *own, {"hand": game.observation(world, seat)["hand"]}]
        return found


_Chance: TypeAlias = tuple[int, Orders, "Request | None", list[int]]


def _restored(table: Table, chance: _Chance, actions: list[Action], chosen: int) -> ExplicitDeal:
    """The deal in which chance has drawn this and the seats have decided that."""
    number, orders, request, drawn = chance
    deal = ExplicitDeal(table)
    deal.number, deal.orders, deal.actions = number, dict(orders), list(actions)
    if orders:
        deal.request = None
        deal._resume()
    if request is not None and request != NUMBER:
        deal.drawn = list(drawn)
        deal.left = [card for card in members(request.cards) if card not in drawn]
    elif chosen >= 0:
        deal.play(chosen)
    return deal
