"""Poka for two: the game object that the registry holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from engine.action import Action, Form
from engine.cards import ALL
from engine.game import DealStart, Draw, Json, Observation, Options, Outcome, Played, Ruleset, State
from engine.games.poka import deal, scoring, trace
from engine.games.poka.features import PokaFeatures
from engine.games.poka.history import Reader
from engine.games.poka.observation import PokaObservation, determinize, observe, to_json
from engine.games.poka.options import OPTIONS, PokaOptions, read_options
from engine.games.poka.presets import POKA_PRESETS
from engine.games.poka.rules import SEATS, seat_sides
from engine.games.poka.scoresheet import PokaScoresheet
from engine.games.poka.state import PokaState
from engine.games.poka.words import WORDS
from engine.games.sakura.deal import first_dealer


def _own(options: Options) -> PokaOptions:
    if not isinstance(options, PokaOptions):
        raise TypeError(f"not options of Poka: {type(options).__name__}")
    return options


def _state(state: State) -> PokaState:
    if not isinstance(state, PokaState):
        raise TypeError(f"not a world of Poka: {type(state).__name__}")
    return state


class Poka:
    """Go-mon Shobu and San-mon Shobu (rules.md 7). Implements `engine.game.Game`."""

    id = "poka"
    name = "Poka"
    seat_range = (SEATS, SEATS)
    deck = ALL
    options = OPTIONS
    presets = POKA_PRESETS
    kinds: tuple[Form, ...] = (Form("discard", "card"), Form("stop", "flag"), Form("pass", "flag"))
    words = WORDS
    scoresheet = PokaScoresheet()
    features = PokaFeatures()

    def read_options(self, values: Mapping[object, object]) -> PokaOptions:
        return read_options(values)

    def sides(self, options: Options, seats: int) -> tuple[int, ...]:
        return seat_sides(seats)

    def first_dealer(self, options: Options, seats: int, draw: Draw) -> tuple[int, tuple[tuple[int, ...], ...]]:
        return first_dealer(_own(options).first_dealer_tie, seats, draw)

    def new_deal(self, start: DealStart) -> PokaState:
        return deal.new_deal(start)

    def dealt(self, state: State, order: Sequence[int]) -> Played:
        return trace.dealt(_state(state), order)

    def play(self, state: State, action: Action) -> Played:
        return trace.play(_state(state), action)

    def next_dealer(self, options: Options, seats: int, dealer: int, winner: int | None) -> int:
        return scoring.next_dealer(dealer, winner)

    def is_match_over(self, options: Options, deals: int, totals: Sequence[int]) -> bool:
        return scoring.is_match_over(_own(options), totals)

    def figures(
        self, options: Options, totals: Sequence[int], victories: Sequence[int], last: Outcome | None
    ) -> Sequence[int]:
        return scoring.figures(totals, last)

    def lines(self, options: Options, outcome: Outcome) -> list[Json]:
        return scoring.lines(outcome)

    def observation(self, state: State, seat: int) -> Json:
        return to_json(_state(state), seat)

    def observe(self, state: State, seat: int, legal: tuple[Action, ...] | None = None) -> PokaObservation:
        return observe(_state(state), seat, legal)

    def reader(self, ruleset: Ruleset, seats: int) -> Reader:
        return Reader(ruleset)

    def determinize(self, observation: Observation, rng: Random) -> PokaState:
        if not isinstance(observation, PokaObservation):
            raise TypeError(f"not an observation of Poka: {type(observation).__name__}")
        return determinize(observation, rng)


POKA: Final = Poka()
