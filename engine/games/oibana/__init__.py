"""Oi-bana, an auction for the two seats of a Sakura deal: the game object that the registry holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from engine.action import TURN_KINDS, Action, Form
from engine.cards import ALL
from engine.game import DealStart, Draw, Json, Observation, Options, Outcome, Played, Ruleset, State
from engine.games.oibana import auction, scoring, trace
from engine.games.oibana.features import OibanaFeatures
from engine.games.oibana.history import Reader
from engine.games.oibana.observation import OibanaObservation, determinize, observe, to_json
from engine.games.oibana.options import OPTIONS, OibanaOptions, read_options
from engine.games.oibana.presets import OIBANA_PRESETS
from engine.games.oibana.rules import MAX_SEATS, MIN_SEATS, compile_oibana, own_options, seat_sides
from engine.games.oibana.scoresheet import OibanaScoresheet
from engine.games.oibana.scoring import OibanaOutcome
from engine.games.oibana.state import OibanaState
from engine.games.oibana.words import OIBANA_WORDS
from engine.games.sakura.deal import first_dealer
from engine.games.sakura.scoring import next_dealer


def _state(state: State) -> OibanaState:
    if not isinstance(state, OibanaState):
        raise TypeError(f"not a world of Oi-bana: {type(state).__name__}")
    return state


class Oibana:
    """Oi-bana (rules.md 5). Implements `engine.game.Game`."""

    id = "oibana"
    name = "Oi-bana"
    seat_range = (MIN_SEATS, MAX_SEATS)
    deck = ALL
    words = OIBANA_WORDS
    scoresheet = OibanaScoresheet()
    features = OibanaFeatures()
    options = OPTIONS
    presets = OIBANA_PRESETS
    kinds = (*TURN_KINDS, Form("bid", "amount"))

    def read_options(self, values: Mapping[object, object]) -> OibanaOptions:
        return read_options(values)

    def sides(self, options: Options, seats: int) -> tuple[int, ...]:
        return seat_sides(options, seats)

    def first_dealer(self, options: Options, seats: int, draw: Draw) -> tuple[int, tuple[tuple[int, ...], ...]]:
        return first_dealer(own_options(options).first_dealer_tie, seats, draw)

    def new_deal(self, start: DealStart) -> OibanaState:
        rules = compile_oibana(start.ruleset, start.seats)
        hands = auction.deal_hands(start.order, start.seats, start.dealer, rules.options.deal_pattern)
        return OibanaState(
            rules,
            dealer=start.dealer,
            hands=auction.as_sets(hands),
            undealt=auction.undealt(hands),
            shuffle=start.shuffle,
            redeal=start.redeal,
        )

    def dealt(self, state: State, order: Sequence[int]) -> Played:
        return trace.dealt(_state(state), order)

    def play(self, state: State, action: Action) -> Played:
        return trace.play(_state(state), action)

    def next_dealer(self, options: Options, seats: int, dealer: int, winner: int | None) -> int:
        return next_dealer(own_options(options), seats, dealer, winner)

    def is_match_over(self, options: Options, deals: int, totals: Sequence[int]) -> bool:
        return deals >= options.rounds

    def figures(
        self, options: Options, totals: Sequence[int], victories: Sequence[int], last: Outcome | None
    ) -> Sequence[int]:
        return totals

    def lines(self, options: Options, outcome: Outcome) -> list[Json]:
        if not isinstance(outcome, OibanaOutcome):
            raise TypeError(f"not an outcome of Oi-bana: {type(outcome).__name__}")
        return scoring.lines(outcome)

    def observation(self, state: State, seat: int) -> Json:
        return to_json(_state(state), seat)

    def observe(self, state: State, seat: int, legal: tuple[Action, ...] | None = None) -> OibanaObservation:
        return observe(_state(state), seat, legal)

    def reader(self, ruleset: Ruleset, seats: int) -> Reader:
        return Reader(ruleset, seats)

    def determinize(self, observation: Observation, rng: Random) -> OibanaState:
        if not isinstance(observation, OibanaObservation):
            raise TypeError(f"not an observation of Oi-bana: {type(observation).__name__}")
        return determinize(observation, rng)


OIBANA: Final = Oibana()
