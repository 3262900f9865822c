"""A match in which everybody is told what they may know: events, observations, and what a replay shows.

The course of it is `engine.course`. What happens around the rules (a crash, a timeout) is a `Forfeit`: the caller then
plays `legal_actions()[0]` for that seat, so that the cards flow on. Source: site.md 6.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.action import Action
from engine.cards import CardSet
from engine.course import Course, OrderSource, SeedOrders
from engine.errors import EngineError
from engine.game import Json, Outcome, Played, Ruleset, Shuffle, State, game_of


class Match(Course):
    """One match in play. `apply` plays on and starts the next deal on its own."""

    def __init__(self, ruleset: Ruleset, seats: int, seed: bytes, *, orders: OrderSource | None = None) -> None:
        """Draw the first dealer and deal. orders: instead of the seed's, to play a record again.

        Raises BadSeating if the seats do not fit the ruleset.
        """
        self.seed = seed
        self.events: list[Json] = []
        super().__init__(ruleset, seats, orders or SeedOrders(seed, game_of(ruleset.game).deck))

    @property
    def event_count(self) -> int:
        """Public events so far: what an observation's `since` counts from."""
        return len(self.events)

    def apply(self, action: Action) -> None:
        """Play an action of the seat to act. Raises IllegalAction and changes nothing then."""
        if self.is_over:
            raise EngineError("The match has ended. Read `result()`.", code="match.over")
        seat = self.state.seat_to_act
        wanted = self.state.resolve(action)
        # Before the move is counted: a deal that ends by it scores and deals the next one in `settle`.
        self._record(self._game.play(self.state, wanted))
        log = self.deals[-1]
        log.seats.append(seat)
        log.actions.append(wanted)
        self.settle()

    def play_deal(self, actions: Sequence[Action]) -> None:
        """Play these actions in the present deal, as `apply` does each of them."""
        for action in actions:
            self.apply(action)

    def observation(self, seat: int, *, match_id: str, preset: str, since: int, ms_left: int) -> Json:
        """Return what `seat` may know, as the JSON of site.md 6, with the public events from index `since` on.

        move: the number of the move to be made; a move that nobody is told of is not counted, no number betrays it.
        total: per side, the figure that decides the match. ms_left: CPU milliseconds that the answer may cost.
        """
        table = self._game.observation(self.state, seat)
        return {
            "v": 1,
            "match": match_id,
            "deal": self.deal,
            "move": self.deals[-1].moves_seen + 1,
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

    def _record(self, played: Played) -> None:
        """Note what a move did; the events of it are for everybody."""
        log = self.deals[-1]
        log.played.append(played)
        log.orders += played.orders
        # No event: the others are not told of this move, and its number must not betray it.
        if played.event:
            self.events.append(played.event)
            log.moves_seen += 1
        self.events += played.also

    def _shuffle_in(self, deal: int, orders: list[tuple[int, ...]]) -> Shuffle:
        """Return the shuffles inside a deal. The game tells which were used: copies of the world ask for some, too."""

        def shuffle(label: str, number: int, cards: CardSet) -> tuple[int, ...]:
            return self._orders.further(label, deal, number, cards)

        return shuffle

    def _deal(self) -> State:
        state = super()._deal()
        log = self.deals[-1]
        log.dealt = self._game.dealt(state, log.orders[-1])
        self.events.append({"deal": log.number, **log.dealt.event})
        self.events += log.dealt.also
        return state

    def _score(self, outcome: Outcome) -> None:
        super()._score(outcome)
        self.events.append(
            {
                "deal_end": self.deal,
                "reason": outcome.reason,
                "score": list(outcome.score),
                "winner": None if outcome.winner is None else f"p{outcome.winner}",
                "victories": list(outcome.victories),
                "total": list(self.totals),
            }
        )
