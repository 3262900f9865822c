"""A match: the first dealer, the deals one after another, the totals, and who won. Source: rules.md 4, site.md 6.

A deal ends and the next begins by themselves; void deals count. What happens around the rules (a crash, a
timeout) is a `Forfeit`: the caller then plays `legal_actions()[0]` for that seat, so that the cards flow on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from engine.action import Action
from engine.cards import CardSet
from engine.deck import dealer_order, deck_order, further_order
from engine.errors import EngineError
from engine.game import DealStart, Forfeit, Game, Json, Outcome, Played, Ruleset, Shuffle, State, game_of
from engine.places import Settled, settle

MAX_MOVES: Final = 5_000
"""A match of so many moves ends there (`cap`), places by the scores so far (tournaments.md 9)."""


class OrderSource(Protocol):
    """Where the orders of a match come from: a seed, or a record."""

    def drawing(self, number: int) -> Sequence[int]:
        """Order of the deck for drawing 0, 1 .. of the first dealer."""

    def order(self, deal: int, redeal: int) -> Sequence[int]:
        """Order of the deck for a deal (from 1) and how often it was thrown in before."""

    def further(self, label: str, deal: int, number: int, cards: CardSet) -> tuple[int, ...]:
        """Order of some cards that are shuffled inside a deal (`engine.game.Shuffle`)."""


@dataclass(frozen=True, slots=True)
class SeedOrders:
    """Orders derived from the seed of the match."""

    seed: bytes
    cards: int

    def drawing(self, number: int) -> Sequence[int]:
        return dealer_order(self.seed, number, self.cards)

    def order(self, deal: int, redeal: int) -> Sequence[int]:
        return deck_order(self.seed, deal, redeal, self.cards)

    def further(self, label: str, deal: int, number: int, cards: CardSet) -> tuple[int, ...]:
        return further_order(self.seed, label, deal, number, cards)


@dataclass(slots=True)
class DealLog:
    """A deal as it was played. orders: all that were used, thrown-in ones and further shuffles too, in time.

    outcome: None while it is played; mult: `State.mult` at its end. told: how many of the moves all seats know of.
    """

    number: int
    dealer: int
    orders: list[tuple[int, ...]]
    dealt: Played
    moves: list[tuple[int, Action]] = field(default_factory=list)
    played: list[Played] = field(default_factory=list)
    outcome: Outcome | None = None
    totals: tuple[int, ...] = ()
    mult: int = 1
    told: int = 0


@dataclass(frozen=True, slots=True)
class MatchResult:
    """How a match ended. Tuples have one entry per side; score and victories are raw, rank is after forfeits."""

    end: str  # "complete" or "cap"
    score: tuple[int, ...]
    victories: tuple[int, ...]
    rank: tuple[int, ...]
    standing: tuple[Settled, ...]

    def settled(self) -> tuple[Settled, ...]:
        """What counts in standings, per side: a forfeit is last with 0 victories and min(0, score)."""
        return self.standing

    @property
    def winners(self) -> tuple[int, ...]:
        """The sides at the top; more than one if they share it."""
        return tuple(side for side, rank in enumerate(self.rank) if rank == 1)


class Match:
    """One match in play. `apply` plays on and starts the next deal by itself."""

    def __init__(self, ruleset: Ruleset, seats: int, seed: bytes, *, orders: OrderSource | None = None) -> None:
        """Draw the first dealer and deal. orders: instead of the seed's, to play a record again.

        Raises BadSeating if the seats do not fit the ruleset.
        """
        self.ruleset = ruleset
        self.seats = seats
        self.sides = ruleset.sides(seats)
        self.side_count = len(set(self.sides))
        self.seed = seed
        self.forfeits: list[Forfeit] = []
        self.totals = [0] * self.side_count
        self.victories = [0] * self.side_count
        self.moves_total = 0
        self.carry: Mapping[str, int] = {}
        self.last_outcome: Outcome | None = None
        self.end: str | None = None
        self.deals: list[DealLog] = []
        self.events: list[Json] = []
        self._game: Game = game_of(ruleset.game)
        self._orders: OrderSource = orders or SeedOrders(seed, self._game.deck)
        self.dealer, self.draws = self._game.first_dealer(ruleset.options, seats, self._orders.drawing)
        self.state: State = self._deal()
        self._play_on()

    @property
    def deal(self) -> int:
        """Number of the deal, from 1."""
        return len(self.deals)

    @property
    def move(self) -> int:
        """Accepted actions in this deal; the move to be made is one more."""
        return len(self.deals[-1].moves)

    @property
    def is_over(self) -> bool:
        return self.end is not None

    @property
    def seat_to_act(self) -> int:
        """The seat that decides, -1 when the match is over."""
        return -1 if self.is_over else self.state.seat_to_act

    @property
    def event_count(self) -> int:
        """Public events so far: what an observation's `since` counts from."""
        return len(self.events)

    def legal_actions(self) -> tuple[Action, ...]:
        """What the seat to act may do, in canonical order; empty when the match is over."""
        return () if self.is_over else self.state.legal_actions()

    def apply(self, action: Action) -> None:
        """Play an action of the seat to act. Raises IllegalAction and changes nothing then."""
        if self.is_over:
            raise EngineError("The match has ended. Read `result()`.", code="match.over")
        seat = self.state.seat_to_act
        wanted = self.state.resolve(action)
        played = self._game.play(self.state, wanted)
        log = self.deals[-1]
        log.moves.append((seat, wanted))
        log.played.append(played)
        if played.orders:
            log.orders.extend(played.orders)
        if played.event:
            self.events.append(played.event)
            log.told += 1
        self.events += played.also
        self.moves_total += 1
        self._play_on()
        if self.moves_total >= MAX_MOVES:
            self.stop("cap")

    def forfeit(self, seat: int, code: str, *, loading: bool = False) -> None:
        """Note that a seat stopped playing by itself, once; the caller plays `legal_actions()[0]` for it from now on.

        Recorded with the deal and the number of the move it was asked for; while loading with deal and move 0.
        After the end of the match nothing can be forfeited any more.
        """
        if self.is_over or any(forfeit.seat == seat for forfeit in self.forfeits):
            return
        deal, move = (0, 0) if loading else (self.deal, self.move + 1)
        self.forfeits.append(Forfeit(seat, deal, move, code))

    def stop(self, end: str) -> None:
        """End the match here with the scores so far; harmless if it has ended. end: "cap"."""
        if self.end is None:
            self.end = end
            self.deals[-1].mult = self.state.mult

    def observation(self, seat: int, *, match_id: str, preset: str, since: int, ms_left: int) -> Json:
        """What `seat` may know, as the JSON of site.md 6, with the public events from index `since` on.

        move: the number of the move to be made; a move that nobody is told of is not counted, no number betrays it.
        total: per side, the figure that decides the match. ms_left: CPU milliseconds that the answer may cost.
        """
        table = self._game.observation(self.state, seat)
        return {
            "v": 1,
            "match": match_id,
            "deal": self.deal,
            "move": self.deals[-1].told + 1,
            "phase": table.pop("phase"),
            "me": f"p{seat}",
            "preset": preset,
            "sides": list(self.sides),
            "dealer": f"p{self.dealer}",
            **table,
            "total": list(self._figures()),
            "ms_left": ms_left,
            "since": self.events[since:],
            "legal": [action.to_json() for action in self.legal_actions()] if seat == self.seat_to_act else [],
        }

    def result(self) -> MatchResult:
        """How the match ended. Raises EngineError `match.running` before that."""
        if self.end is None:
            raise EngineError("The match is still being played.", code="match.running")
        standing = settle(self.totals, self.victories, self.sides, self.forfeits, figures=self._figures())
        rank = tuple(line.rank for line in standing)
        return MatchResult(self.end, tuple(self.totals), tuple(self.victories), rank, standing)

    def _figures(self) -> Sequence[int]:
        """What decides the match so far, per side."""
        return self._game.figures(self.ruleset.options, self.totals, self.victories, self.last_outcome)

    def _deal(self) -> State:
        """Shuffle and deal until a deal stands; note it."""
        number = self.deal + 1
        orders: list[tuple[int, ...]] = []
        state = None
        while state is None:
            orders.append(tuple(self._orders.order(number, len(orders))))
            state = self._game.new_deal(self._start(number, orders))
        dealt = self._game.dealt(state, orders[-1])
        self.deals.append(DealLog(number, self.dealer, orders, dealt))
        self.events.append({"deal": number, **dealt.event})
        self.events += dealt.also
        return state

    def _start(self, number: int, orders: Sequence[tuple[int, ...]]) -> DealStart:
        return DealStart(
            ruleset=self.ruleset,
            seats=self.seats,
            dealer=self.dealer,
            number=number,
            order=orders[-1],
            redeal=len(orders) - 1,
            shuffle=self._shuffle_in(number),
            carry=self.carry,
            totals=tuple(self.totals),
        )

    def _shuffle_in(self, deal: int) -> Shuffle:
        orders = self._orders

        def shuffle(label: str, number: int, cards: CardSet) -> tuple[int, ...]:
            return orders.further(label, deal, number, cards)

        return shuffle

    def _play_on(self) -> None:
        """Score deals that are over and start the next one, until somebody must decide or the match ends."""
        while self.state.is_over and self.end is None:
            outcome = self.state.outcome()
            self._score(outcome)
            options = self.ruleset.options
            if outcome.ends_match or self._game.is_match_over(options, self.deal, self.totals):
                self.end = "complete"
                return
            self.carry = outcome.carry
            self.dealer = self._game.next_dealer(options, self.seats, self.dealer, outcome.winner)
            self.state = self._deal()

    def _score(self, outcome: Outcome) -> None:
        log = self.deals[-1]
        log.outcome, log.mult = outcome, self.state.mult
        self.last_outcome = outcome
        for side in range(self.side_count):
            self.totals[side] += outcome.score[side]
            self.victories[side] += outcome.victories[side]
        log.totals = tuple(self.totals)
        winner = None if outcome.winner is None else f"p{outcome.winner}"
        self.events.append(
            {
                "deal_end": log.number,
                "reason": outcome.reason,
                "score": list(outcome.score),
                "winner": winner,
                "victories": list(outcome.victories),
                "total": list(self.totals),
            }
        )
