"""Nuki Hachi-hachi for 2 to 4 players, two of whom play each deal: the game object that the registry holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

from engine.action import Action, Form
from engine.cards import NUKI_DECK
from engine.game import DealStart, Draw, Json, Observation, Options, Outcome, Played, Ruleset, State
from engine.games.nuki import deal, scoring, trace
from engine.games.nuki.features import NukiFeatures
from engine.games.nuki.history import Reader
from engine.games.nuki.observation import NukiObservation, observe, to_json
from engine.games.nuki.options import OPTIONS, NukiOptions, read_options
from engine.games.nuki.presets import NUKI_PRESETS
from engine.games.nuki.sampling import determinize
from engine.games.nuki.scoresheet import NukiScoresheet
from engine.games.nuki.scoring import NukiOutcome
from engine.games.nuki.start import new_deal
from engine.games.nuki.state import NukiState
from engine.games.nuki.words import NUKI_WORDS
from engine.games.sakura.deal import first_dealer


def _own(options: Options) -> NukiOptions:
    if not isinstance(options, NukiOptions):
        raise TypeError(f"not options of Nuki: {type(options).__name__}")
    return options


def _state(state: State) -> NukiState:
    if not isinstance(state, NukiState):
        raise TypeError(f"not a world of Nuki: {type(state).__name__}")
    return state


class Nuki:
    """Nuki Hachi-hachi (rules.md 6). Implements `engine.game.Game`."""

    id = "nuki"
    name = "Nuki Hachi-hachi"
    seat_range = deal.SEATS
    deck = NUKI_DECK
    options = OPTIONS
    presets = NUKI_PRESETS
    kinds: tuple[Form, ...] = (
        Form("play", "capture"),
        Form("draw_take", "target"),
        Form("mizuten", "flag"),
        Form("see", "flag"),
        Form("join", "word", ("play", "drop")),
        Form("triplet", "month"),
        Form("call", "word", ("sage", "shoubu", "cancel")),
    )
    words = NUKI_WORDS
    scoresheet = NukiScoresheet()
    features = NukiFeatures()

    def read_options(self, values: Mapping[object, object]) -> NukiOptions:
        return read_options(values)

    def sides(self, options: Options, seats: int) -> tuple[int, ...]:
        return deal.seat_sides(seats)

    def first_dealer(self, options: Options, seats: int, draw: Draw) -> tuple[int, tuple[tuple[int, ...], ...]]:
        return first_dealer(_own(options).first_dealer_tie, seats, draw)

    def new_deal(self, start: DealStart) -> NukiState | None:
        return new_deal(start)

    def dealt(self, state: State, order: Sequence[int]) -> Played:
        return trace.dealt(_state(state), order)

    def play(self, state: State, action: Action) -> Played:
        return trace.play(_state(state), action)

    def next_dealer(self, options: Options, seats: int, dealer: int, winner: int | None) -> int:
        return scoring.next_dealer(dealer, winner)

    def is_match_over(self, options: Options, deals: int, totals: Sequence[int]) -> bool:
        return deals >= options.rounds

    def figures(
        self, options: Options, totals: Sequence[int], victories: Sequence[int], last: Outcome | None
    ) -> Sequence[int]:
        return totals

    def lines(self, options: Options, outcome: Outcome) -> list[Json]:
        if not isinstance(outcome, NukiOutcome):
            raise TypeError(f"not an outcome of Nuki: {type(outcome).__name__}")
        return scoring.lines(outcome)

    def observation(self, state: State, seat: int) -> Json:
        return to_json(_state(state), seat)

    def observe(self, state: State, seat: int, legal: tuple[Action, ...] | None = None) -> NukiObservation:
        return observe(_state(state), seat, legal)

    def reader(self, ruleset: Ruleset, seats: int) -> Reader:
        return Reader(ruleset, seats)

    def determinize(self, observation: Observation, rng: Random) -> NukiState:
        if not isinstance(observation, NukiObservation):
            raise TypeError(f"not an observation of Nuki: {type(observation).__name__}")
        return determinize(observation, rng)


NUKI: Final = Nuki()
