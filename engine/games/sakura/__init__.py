"""Sakura for 2 to 7 players: the game object that the registry holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from engine.action import TURN_KINDS, Action
from engine.cards import ALL
from engine.game import DealStart, Draw, Json, Observation, Options, Outcome, Played, Ruleset, State
from engine.games.sakura import deal, scoring, trace
from engine.games.sakura.features import SakuraFeatures
from engine.games.sakura.history import Reader
from engine.games.sakura.observation import SakuraObservation, determinize, observe, to_json
from engine.games.sakura.options import OPTIONS, SakuraOptions, read_options
from engine.games.sakura.outcome import SakuraOutcome
from engine.games.sakura.presets import SAKURA_PRESETS
from engine.games.sakura.rules import Rules, compile_rules
from engine.games.sakura.scoresheet import SakuraScoresheet
from engine.games.sakura.start import new_deal
from engine.games.sakura.state import SakuraState
from engine.games.sakura.words import SAKURA_WORDS


def _own(options: Options) -> SakuraOptions:
    if not isinstance(options, SakuraOptions):
        raise TypeError(f"not options of Sakura: {type(options).__name__}")
    return options


def _state(state: State) -> SakuraState:
    if not isinstance(state, SakuraState):
        raise TypeError(f"not a world of Sakura: {type(state).__name__}")
    return state


class Sakura:
    """The Sakura family (rules.md 1-4). Implements `engine.game.Game`."""

    id = "sakura"
    name = "Sakura"
    seat_range = (2, 7)
    deck = ALL
    options = OPTIONS
    presets = SAKURA_PRESETS
    kinds = TURN_KINDS
    words = SAKURA_WORDS
    scoresheet = SakuraScoresheet()
    features = SakuraFeatures()
    _last: tuple[Ruleset | None, int, Rules | None] = (None, 0, None)  # what the next deal mostly has too

    def read_options(self, values: Mapping[object, object]) -> SakuraOptions:
        return read_options(values)

    def sides(self, options: Options, seats: int) -> tuple[int, ...]:
        return deal.seat_sides(_own(options).teams, seats)

    def first_dealer(self, options: Options, seats: int, draw: Draw) -> tuple[int, tuple[tuple[int, ...], ...]]:
        return deal.first_dealer(_own(options).first_dealer_tie, seats, draw)

    def new_deal(self, start: DealStart) -> SakuraState | None:
        ruleset, seats, rules = self._last
        if ruleset is not start.ruleset or seats != start.seats or rules is None:
            rules = compile_rules(start.ruleset, start.seats)
            self._last = start.ruleset, start.seats, rules
        return new_deal(rules, start.dealer, start.order)

    def dealt(self, state: State, order: Sequence[int]) -> Played:
        return trace.dealt(_state(state), order)

    def play(self, state: State, action: Action) -> Played:
        return trace.play(_state(state), action)

    def next_dealer(self, options: Options, seats: int, dealer: int, winner: int | None) -> int:
        return scoring.next_dealer(_own(options), seats, dealer, winner)

    def is_match_over(self, options: Options, deals: int, totals: Sequence[int]) -> bool:
        return deals >= options.rounds

    def figures(
        self, options: Options, totals: Sequence[int], victories: Sequence[int], last: Outcome | None
    ) -> Sequence[int]:
        return victories if options.scoring == "victories" else totals

    def lines(self, options: Options, outcome: Outcome) -> list[Json]:
        if not isinstance(outcome, SakuraOutcome):
            raise TypeError(f"not an outcome of Sakura: {type(outcome).__name__}")
        return scoring.lines(_own(options), outcome)

    def observation(self, state: State, seat: int) -> Json:
        return to_json(_state(state), seat)

    def observe(self, state: State, seat: int, legal: tuple[Action, ...] | None = None) -> SakuraObservation:
        return observe(_state(state), seat, legal)

    def reader(self, ruleset: Ruleset, seats: int) -> Reader:
        return Reader(ruleset, seats)

    def determinize(self, observation: Observation, rng: Random) -> SakuraState:
        if not isinstance(observation, SakuraObservation):
            raise TypeError(f"not an observation of Sakura: {type(observation).__name__}")
        return determinize(observation, rng)


SAKURA: Final = Sakura()
