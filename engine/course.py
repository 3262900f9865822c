"""The course of a match by the rules alone: first dealer, deal after deal, totals, who won. Nobody is told anything.

`engine.match` adds what bots and people are told; playing records again and playing matches out needs no more than
this. A deal ends and the next begins on their own; void deals count. Source: rules.md 4, tournaments.md 9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import add
from typing import Final, Protocol

from engine.action import Action
from engine.cards import CardSet
from engine.deck import dealer_order, deck_order, further_order
from engine.errors import EngineError
from engine.game import DealStart, Forfeit, Game, Outcome, Played, Ruleset, Shuffle, State, game_of
from engine.places import Settled, settle

MAX_MOVES: Final = 5_000
"""The number of moves at which a match ends (`cap`), with places by the scores so far (tournaments.md 9)."""

FORFEIT: Final = "forfeit"
"""The end of a match in which all but one side have forfeited, where those who stay do not play on."""

NOTHING_PLAYED: Final = Played({}, (), ())


class OrderSource(Protocol):
    """The source of the orders of a match: a seed, or a record."""

    def drawing(self, number: int) -> Sequence[int]:
        """Order of the deck for drawing 0, 1 .. of the first dealer."""

    def order(self, deal: int, redeal: int) -> tuple[int, ...]:
        """Order of the deck for a deal (from 1) and how often it was thrown in before."""

    def further(self, label: str, deal: int, number: int, cards: CardSet) -> tuple[int, ...]:
        """Order of some cards that are shuffled inside a deal (`engine.game.Shuffle`)."""


@dataclass(frozen=True, slots=True)
class SeedOrders:
    """Orders derived from the seed of the match."""

    seed: bytes
    cards: CardSet

    def drawing(self, number: int) -> Sequence[int]:
        return dealer_order(self.seed, number, self.cards)

    def order(self, deal: int, redeal: int) -> tuple[int, ...]:
        return deck_order(self.seed, deal, redeal, self.cards)

    def further(self, label: str, deal: int, number: int, cards: CardSet) -> tuple[int, ...]:
        return further_order(self.seed, label, deal, number, cards)


@dataclass(slots=True)
class DealLog:
    """A deal as it was played. orders: all that were used, thrown-in ones and further shuffles too, in time.

    seats, actions: of every move. outcome: None while it is played; mult: `State.mult` at its end.
    dealt, played, moves_seen: in a `Match` what was shown of the deal and of each move, and how moves all know.
    """

    number: int
    dealer: int
    orders: list[tuple[int, ...]]
    seats: list[int] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)
    outcome: Outcome | None = None
    totals: tuple[int, ...] = ()
    mult: int = 1
    dealt: Played = NOTHING_PLAYED
    played: list[Played] = field(default_factory=list)
    moves_seen: int = 0

    @property
    def moves(self) -> list[tuple[int, Action]]:
        """Seat and action of every move."""
        return list(zip(self.seats, self.actions, strict=True))


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The end of a match. Tuples have one entry per side; score and victories are raw, rank is after forfeits."""

    end: str  # "complete", "cap" or FORFEIT
    score: tuple[int, ...]
    victories: tuple[int, ...]
    rank: tuple[int, ...]
    standing: tuple[Settled, ...]

    def settled(self) -> tuple[Settled, ...]:
        """Return what counts in standings, per side: a forfeit is last with 0 victories and min(0, score)."""
        return self.standing

    @property
    def winners(self) -> tuple[int, ...]:
        """The sides at the top; more than one if they share it."""
        return tuple(side for side, rank in enumerate(self.rank) if rank == 1)


class Course:
    """One match in play: `state` is the present deal, `deals` are all of them so far."""

    def __init__(self, ruleset: Ruleset, seats: int, orders: OrderSource) -> None:
        """Draw the first dealer and deal. Raises BadSeating if the seats do not fit the ruleset."""
        self.ruleset = ruleset
        self.seats = seats
        self.sides = ruleset.sides(seats)
        self.side_count = len(set(self.sides))
        self.forfeits: list[Forfeit] = []
        self.totals = [0] * self.side_count
        self.victories = [0] * self.side_count
        self._moves_before = 0
        self.carry: Mapping[str, int] = {}
        self.last_outcome: Outcome | None = None
        self.end: str | None = None
        self.deals: list[DealLog] = []
        self._game: Game = game_of(ruleset.game)
        self._orders = orders
        # Shuffles that stand in a log already, by deal.
        self._given: set[tuple[int, str, int, CardSet]] = set()
        # Last of all: the first deal may be over as it is dealt, and scoring it needs everything above.
        self.dealer, self.draws = self._game.first_dealer(ruleset.options, seats, orders.drawing)
        self.state: State = self._deal()
        self._play_on()

    @property
    def deal(self) -> int:
        """Number of the deal, from 1."""
        return len(self.deals)

    @property
    def move(self) -> int:
        """Accepted actions in this deal; the move to be made is one more."""
        return len(self.deals[-1].actions)

    @property
    def moves_total(self) -> int:
        """Accepted actions in all deals so far."""
        return self._moves_before + len(self.deals[-1].actions)

    @property
    def is_over(self) -> bool:
        return self.end is not None

    @property
    def seat_to_act(self) -> int:
        """The seat that decides, -1 when the match is over."""
        return -1 if self.is_over else self.state.seat_to_act

    def legal_actions(self) -> tuple[Action, ...]:
        """Return what the seat to act may do, in canonical order; empty when the match is over."""
        return () if self.is_over else self.state.legal_actions()

    def play_deal(self, actions: Sequence[Action]) -> None:
        """Play these actions in the present deal, each as the engine lists it; if they end it the match goes on.

        Raises EngineError `match.over`, and IllegalAction at the first that is not legal: the course is then at that
        action, but no log of it is kept.
        """
        # Refused before anything is played: a record may not go on beyond the cap.
        if self.end is not None or self.moves_total + len(actions) > MAX_MOVES:
            raise EngineError("The match has ended, or ends before that. Read `result()`.", code="match.over")
        log = self.deals[-1]
        log.seats += self.state.play_all(actions)
        log.actions += actions
        self.settle()

    def play_listed(self, action: Action) -> None:
        """Play an element of `legal_actions()` as `play_deal` does, without looking at it.

        Anything else breaks the course.
        """
        log, state = self.deals[-1], self.state
        log.seats.append(state.seat_to_act)
        log.actions.append(action)
        state.apply_unchecked(action)
        self.settle()

    def forfeit(self, seat: int, code: str, *, loading: bool = False) -> None:
        """Note that a seat stopped playing on its own, once; the caller plays `legal_actions()[0]` for it from now on.

        Recorded with the deal and the number of the move it was asked for; while loading with deal and move 0.
        After the end of the match nothing can be forfeited any more.
        """
        # The first fault counts: the place of a side that forfeited depends on when it did (`places.settle`).
        if self.is_over or any(forfeit.seat == seat for forfeit in self.forfeits):
            return
        deal, move = (0, 0) if loading else (self.deal, self.move + 1)
        self.forfeits.append(Forfeit(seat, deal, move, code))

    @property
    def is_decided(self) -> bool:
        """Return whether no more than one side is left that has not forfeited."""
        gone = {self.sides[forfeit.seat] for forfeit in self.forfeits}
        return len(gone) >= self.side_count - 1

    def stop(self, end: str) -> None:
        """End the match here with the scores so far; harmless if it has ended. end: "cap" or FORFEIT."""
        if self.end is None:
            self.end = end
            self.deals[-1].mult = self.state.mult

    def result(self) -> MatchResult:
        """Return how the match ended. Raises EngineError `match.running` before that."""
        if self.end is None:
            raise EngineError("The match is still being played.", code="match.running")
        standing = settle(self.totals, self.victories, self.sides, self.forfeits, figures=self._figures())
        rank = tuple(line.rank for line in standing)
        return MatchResult(self.end, tuple(self.totals), tuple(self.victories), rank, standing)

    def _figures(self) -> Sequence[int]:
        """Return what decides the match so far, per side."""
        return self._game.figures(self.ruleset.options, self.totals, self.victories, self.last_outcome)

    def settle(self) -> None:
        """Score a deal that is over and go on to the next one, or stop a match that has grown too long.

        Call it after moves were played in the present deal's state and written into its log.
        """
        self._play_on()
        # After scoring: a match that ends with the very move of the cap is complete.
        if self.moves_total >= MAX_MOVES:
            self.stop("cap")

    def _deal(self) -> State:
        """Shuffle and deal until a deal stands; note it."""
        number = len(self.deals) + 1
        orders: list[tuple[int, ...]] = []
        state = None
        while state is None:
            orders.append(self._orders.order(number, len(orders)))
            state = self._game.new_deal(self._start(number, orders))
        if self.deals:
            self._moves_before += len(self.deals[-1].actions)
        self.deals.append(DealLog(number, self.dealer, orders))
        return state

    def _start(self, number: int, orders: list[tuple[int, ...]]) -> DealStart:
        shuffle, redeal = self._shuffle_in(number, orders), len(orders) - 1
        totals = tuple(self.totals)
        return DealStart(self.ruleset, self.seats, self.dealer, number, orders[-1], redeal, shuffle, self.carry, totals)

    def _shuffle_in(self, deal: int, orders: list[tuple[int, ...]]) -> Shuffle:
        """The shuffles inside a deal, each noted when it is first asked for: no copy of the world is played on here."""
        return partial(self._noted, deal, orders)

    def _noted(
        self, deal: int, orders: list[tuple[int, ...]], label: str, number: int, cards: CardSet
    ) -> tuple[int, ...]:
        order = self._orders.further(label, deal, number, cards)
        # Asked again by a copy of the world it is the same order and must not be written into the record twice.
        if (deal, label, number, cards) not in self._given:
            self._given.add((deal, label, number, cards))
            orders.append(order)
        return order

    def _play_on(self) -> None:
        """Score deals that are over and start the next one, until somebody must decide or the match ends."""
        options = self.ruleset.options
        # A loop: a deal can be over as it is dealt (a void field, a dealt combination), and so can the next one.
        while self.state.is_over and self.end is None:
            outcome = self.state.outcome()
            self._score(outcome)
            # The outcome's own word first: a dealt hand of Poka may win the whole match.
            if outcome.ends_match or self._game.is_match_over(options, len(self.deals), self.totals):
                self.end = "complete"
                return
            self.carry = outcome.carry
            self.dealer = self._game.next_dealer(options, self.seats, self.dealer, outcome.winner)
            self.state = self._deal()

    def _score(self, outcome: Outcome) -> None:
        """Add what a deal brought to the totals."""
        log = self.deals[-1]
        log.outcome, log.mult = outcome, self.state.mult
        self.last_outcome = outcome
        self.totals = list(map(add, self.totals, outcome.score))
        self.victories = list(map(add, self.victories, outcome.victories))
        log.totals = tuple(self.totals)
