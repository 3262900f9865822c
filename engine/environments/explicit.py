"""One deal in which every card that is drawn is a decision of chance, one card after another.

Where the rules shuffle, the deal waits for an order: `left` are the cards that may come next. The same goes for
shuffles in the middle of a deal: what was played is played again once their order is known.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, NamedTuple

from engine.action import Action
from engine.actions import Space, space_of
from engine.cards import CardSet, members
from engine.game import DealStart, Game, Json, Ruleset, State, game_of
from engine.rewards import rewards_of
from engine.tensors import History, Tensors, features_of, tensors_of

CHANCE: Final = -1
OVER: Final = -2


class Request(NamedTuple):
    """A shuffle that is waited for, as `engine.game.Shuffle` names it."""

    label: str
    number: int
    cards: CardSet


class Undrawn(Exception):
    """The rules ask for an order that chance has not drawn yet. Never leaves this module."""

    def __init__(self, request: Request) -> None:
        super().__init__(request)
        self.request = request


class Table:
    """What the deals of a ruleset have in common. The dealer is always seat 0: the seats are alike."""

    def __init__(self, rules: Ruleset, seats: int, *, stepwise: bool) -> None:
        """Raises BadSeating, and EngineError `tensor.none` for a game without tensors."""
        self.rules = rules
        self.seats = seats
        self.sides = rules.sides(seats)
        self.game: Game = game_of(rules.game)
        self.features = features_of(rules.game)
        self.space: Space = space_of(rules, stepwise=stepwise)
        self.tensors: Tensors = tensors_of(rules, seats)
        self.deck = tuple(members(self.game.deck))
        self.totals = (0,) * len(set(self.sides))
        self._made_from = (rules, seats, stepwise)

    def __reduce__(self) -> tuple[object, ...]:
        return _table, self._made_from


@lru_cache(maxsize=64)
def _table(rules: Ruleset, seats: int, stepwise: bool) -> Table:
    return Table(rules, seats, stepwise=stepwise)


class ExplicitDeal:
    """A deal in play. left: the cards that may be drawn next, in code order, while it waits for an order.

    seat: the one that decides, CHANCE or OVER; choices, chosen: as in `engine.episode.Episode`. actions:
    what was decided so far; orders: what chance has drawn.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.orders: dict[Request, tuple[int, ...]] = {}
        self.actions: list[Action] = []
        self.state: State | None = None
        self.history = History()
        self.choices: dict[int, tuple[Action, ...]] = {}
        self.chosen = CHANCE
        self.seat = CHANCE
        self.drawn: list[int] = []
        self.left: list[int] = []
        self.request: Request | None = None
        self._wait(Request("deck", 0, table.game.deck))

    def __reduce__(self) -> tuple[object, ...]:
        # What was drawn and decided, not the world: it is played again.
        return _restored, (self.table, self.orders, self.actions, self.request, self.drawn, self.chosen)

    def __deepcopy__(self, _memo: object) -> ExplicitDeal:
        return self.copy()

    def copy(self) -> ExplicitDeal:
        """An independent deal."""
        twin: ExplicitDeal = object.__new__(type(self))
        twin.table, twin.request, twin.chosen, twin.choices = self.table, self.request, self.chosen, self.choices
        twin.orders, twin.actions = dict(self.orders), self.actions[:]
        twin.seat = self.seat
        twin.drawn, twin.left = self.drawn[:], self.left[:]
        twin.history = self.history.copy()
        twin.state = None if self.state is None else self.state.copy()
        if hasattr(twin.state, "shuffle"):
            # The copy of a world draws from the copy's own orders.
            twin.state.shuffle = twin._shuffle  # type: ignore[union-attr]
        return twin

    def _wait(self, request: Request) -> None:
        self.request, self.drawn = request, []
        self.left = list(members(request.cards))

    def _shuffle(self, label: str, number: int, cards: CardSet) -> tuple[int, ...]:
        request = Request(label, number, cards)
        if request not in self.orders:
            raise Undrawn(request)
        return self.orders[request]

    def draw(self, card: int) -> None:
        """Let chance draw one of the cards that are left."""
        assert self.request is not None, "chance decides"
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
        redeal = 0
        try:
            while True:
                order = self._shuffle("deck", redeal, self.table.game.deck)
                self.state = self.table.game.new_deal(self._start(order, redeal))
                if self.state is not None:
                    break
                redeal += 1
            self.history = History()
            for action in self.actions:
                self._apply(action)
        except Undrawn as undrawn:
            self._wait(undrawn.request)
        self._ask()

    def _start(self, order: tuple[int, ...], redeal: int) -> DealStart:
        table = self.table
        return DealStart(table.rules, table.seats, 0, 1, order, redeal, self._shuffle, {}, table.totals)

    def _ask(self) -> None:
        state = self.state
        self.chosen, self.choices, self.seat = CHANCE, {}, CHANCE
        if self.request is None and state is not None:
            self.seat = OVER if state.is_over else state.seat_to_act
            self.choices = self.table.space.choices(state.legal_actions())

    def play(self, number: int) -> None:
        """Answer with a legal number. Raises KeyError for another."""
        actions = self.choices[number]
        if len(actions) > 1:
            self.chosen, self.choices = number, self.table.space.targets(actions)
            return
        self.actions.append(actions[0])
        try:
            self._apply(actions[0])
        except Undrawn as undrawn:
            self._wait(undrawn.request)
        self._ask()

    def _apply(self, action: Action) -> None:
        state, features = self.state, self.table.features
        assert state is not None, "the cards are dealt"
        seat, turned = state.seat_to_act, features.turned(state)
        state.apply_unchecked(action)
        if self.table.tensors.public(action):
            self.history.note(seat, action, features.last_turned(state) if features.turned(state) > turned else -1)

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
        known = self.table.game.observe(self.state, seat)
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


def _restored(
    table: Table, orders: dict[Request, tuple[int, ...]], actions: list[Action], request: Request | None,
    drawn: list[int], chosen: int,
) -> ExplicitDeal:  # fmt: skip
    """The deal in which chance has drawn this and the seats have decided that."""
    deal = ExplicitDeal(table)
    deal.orders, deal.actions = dict(orders), list(actions)
    if orders:
        deal.request = None
        deal._resume()
    if request is not None:
        deal.drawn = list(drawn)
        deal.left = [card for card in members(request.cards) if card not in drawn]
    elif chosen >= 0:
        deal.play(chosen)
    return deal
