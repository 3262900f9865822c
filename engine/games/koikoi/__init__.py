"""Koi-Koi for two: the game object that the registry holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from engine.action import Action, Form
from engine.cards import ALL
from engine.game import DealStart, Draw, Json, Observation, Options, Outcome, Played, Ruleset, State
from engine.games.koikoi import deal, scoring, trace
from engine.games.koikoi.features import KoiKoiFeatures
from engine.games.koikoi.history import Reader
from engine.games.koikoi.observation import KoiKoiObservation, determinize, observe, to_json
from engine.games.koikoi.options import OPTIONS, KoiKoiOptions, read_options
from engine.games.koikoi.presets import KOIKOI_PRESETS
from engine.games.koikoi.rules import SEATS, seat_sides
from engine.games.koikoi.scoresheet import KoiKoiScoresheet
from engine.games.koikoi.state import KoiKoiState
from engine.games.koikoi.words import KOIKOI_WORDS
from engine.games.sakura.deal import first_dealer


def _own(options: Options) -> KoiKoiOptions:
    if not isinstance(options, KoiKoiOptions):
        raise TypeError(f"not options of Koi-Koi: {type(options).__name__}")
    return options


def _state(state: State) -> KoiKoiState:
    if not isinstance(state, KoiKoiState):
        raise TypeError(f"not a world of Koi-Koi: {type(state).__name__}")
    return state


class KoiKoi:
    """Koi-Koi. Implements `engine.game.Game`."""

    id = "koikoi"
    name = "Koi-Koi"
    seat_range = (SEATS, SEATS)
    deck = ALL
    options = OPTIONS
    presets = KOIKOI_PRESETS
    kinds: tuple[Form, ...] = (
        Form("play", "capture"),
        Form("draw_take", "target"),
        Form("declare", "word", ("stop", "koikoi")),
    )
    words = KOIKOI_WORDS
    scoresheet = KoiKoiScoresheet()
    features = KoiKoiFeatures()

    def read_options(self, values: Mapping[object, object]) -> KoiKoiOptions:
        return read_options(values)

    def sides(self, options: Options, seats: int) -> tuple[int, ...]:
        return seat_sides(seats)

    def first_dealer(self, options: Options, seats: int, draw: Draw) -> tuple[int, tuple[tuple[int, ...], ...]]:
        return first_dealer(_own(options).first_dealer_tie, seats, draw)

    def new_deal(self, start: DealStart) -> KoiKoiState | None:
        return deal.new_deal(start)

    def dealt(self, state: State, order: Sequence[int]) -> Played:
        return trace.dealt(_state(state), order)

    def play(self, state: State, action: Action) -> Played:
        return trace.play(_state(state), action)

    def next_dealer(self, options: Options, seats: int, dealer: int, winner: int | None) -> int:
        return scoring.next_dealer(_own(options), dealer, winner)

    def is_match_over(self, options: Options, deals: int, totals: Sequence[int]) -> bool:
        return scoring.is_match_over(_own(options), deals, totals)

    def figures(
        self, options: Options, totals: Sequence[int], victories: Sequence[int], last: Outcome | None
    ) -> Sequence[int]:
        return victories if options.scoring == "victories" else totals

    def lines(self, options: Options, outcome: Outcome) -> list[Json]:
        return scoring.lines(scoring.own_outcome(outcome))

    def observation(self, state: State, seat: int) -> Json:
        return to_json(_state(state), seat)

    def observe(self, state: State, seat: int, legal: tuple[Action, ...] | None = None) -> KoiKoiObservation:
        return observe(_state(state), seat, legal)

    def reader(self, ruleset: Ruleset, seats: int) -> Reader:
        return Reader(ruleset)

    def determinize(self, observation: Observation, rng: Random) -> KoiKoiState:
        if not isinstance(observation, KoiKoiObservation):
            raise TypeError(f"not an observation of Koi-Koi: {type(observation).__name__}")
        return determinize(observation, rng)


KOIKOI: Final = KoiKoi()
"""The game of the registry."""
