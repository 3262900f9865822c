"""Greedy's decisions beat always doing the same, and never doing it; every house bot only does what is legal."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.duplicate.play import Contest, Duel, Verdict, interval, play_duel
from benchmarks.duplicate.players import HABITS, files_of, known
from benchmarks.house import LADDER, POLICIES, Claim, line
from bots.house import HOUSE, VARIANTS, house_files
from bots.runner.inprocess import InProcessLauncher
from bots.runner.player import Player
from bots.sdk import Session
from engine.errors import NoWorld
from engine.game import game_of
from engine.games import PRESETS, ruleset
from engine.match import Match
from tests.bots.matches import a_spec

TABLES = [
    (name, seats)
    for name, preset in PRESETS.items()
    for seats in range(game_of(preset.game).seat_range[0], game_of(preset.game).seat_range[1] + 1)
]
BOTS = [*HOUSE, *VARIANTS]


def launched(name: str, preset: str, seats: int, rng: str) -> Player:
    """A house bot in a match, with this seed; the samplers look at few worlds."""
    params = {"worlds": 2, "candidates": 2} if name.startswith("sampler") else {}
    player = InProcessLauncher().launch(a_spec("").clock)
    hello = {"rng": rng, "ruleset": ruleset(preset).to_json(), "seats": seats, "seat": 0}
    player.load(hello, house_files(name, **params).files)
    return player


@pytest.mark.thorough
@settings(max_examples=60, deadline=None, derandomize=True)
@given(table=st.sampled_from(TABLES), name=st.sampled_from(BOTS), seed=st.integers(0, 2**32), moves=st.integers(0, 60))
def test_a_house_bot_answers_a_legal_index_and_the_same_one_again(
    table: tuple[str, int], name: str, seed: int, moves: int
) -> None:
    """Somewhere in a match that others play at random, each of two twins is asked for every seat's decision."""
    preset, seats = table
    rng, match = random.Random(seed), Match(ruleset(preset), seats, seed.to_bytes(16, "big"))
    twins = [launched(name, preset, seats, f"{seed:032x}") for _ in range(2)]
    asked = 0
    while not match.is_over and asked < 8:
        seat, legal = match.seat_to_act, match.legal_actions()
        if match.moves_total >= moves:
            obs = match.observation(seat, match_id="m", preset=preset, since=0, ms_left=100)
            first, second = (twin.ask(asked, obs, 100) for twin in twins)
            assert first == second
            assert first in range(len(legal))
            asked += 1
        match.apply(rng.choice(legal))


def test_a_sampler_that_finds_no_world_plays_like_greedy() -> None:
    """A seat never gets such an observation; a bot must not fail on it all the same."""
    match = Match(ruleset("hawaii"), 2, bytes(16))
    obs = match.observation(match.seat_to_act, match_id="m", preset="hawaii", since=0, ms_left=100)
    obs = {**obs, "pile_n": 0}  # the cards no longer add up
    sampler, greedy = (launched(name, "hawaii", 2, "00" * 16) for name in ("sampler", "greedy"))
    with pytest.raises(NoWorld):
        Session().read(obs).determinize(random.Random(0))
    assert sampler.ask(0, obs, 100) == greedy.ask(0, obs, 100)


ONE = {"rounds": 1}
CONTESTS = [
    (Contest("oibana", "greedy", "greedy+bid", 3, options=ONE), 100),
    (Contest("oibana", "greedy", "greedy+no-bid", 6, options={**ONE, "bid_min": 10}), 60),
    (Contest("nuki88", "greedy", "greedy+join", 3, options=ONE), 150),
    (Contest("nuki88", "greedy", "greedy+drop", 3, options={**ONE, "dropout_penalty": "hachi"}), 20),
    (Contest("nuki88", "greedy", "greedy+shoubu", options=ONE), 800),
    (Contest("nuki88", "greedy", "greedy+sage", options=ONE), 60),
    (Contest("nuki88", "greedy", "greedy+sage+cancel", options=ONE), 60),
    (Contest("nuki88", "greedy", "greedy+sage+no-cancel", options=ONE), 60),
    (Contest("poka5", "greedy", "greedy+pass"), 100),
    (Contest("poka5", "greedy", "greedy+no-pass"), 60),
    (Contest("poka5", "greedy", "greedy+stop"), 10),
    (Contest("koikoi_fuda", "greedy", "greedy+koi"), 40),
    (Contest("koikoi_zoo", "greedy", "greedy+no-koi"), 80),
]
"""Those that a few seconds can tell apart; the benchmark has them all."""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("contest", "sets"), CONTESTS, ids=[f"{one.preset}-{one.first}-{one.second}-{one.others}" for one, _ in CONTESTS]
)
def test_a_policy_beats_always_and_never(contest: Contest, sets: int) -> None:
    """The same deals and seeds in every run; `benchmarks.house` plays more of them."""
    mean, width = interval([play_duel(Duel(contest, number)).lead for number in range(sets)])
    assert mean > width


def test_a_habit_is_kept_and_an_unknown_player_named() -> None:
    with pytest.raises(ValueError, match="no player 'greedy\\+lies'"):
        known("greedy+lies")
    assert known("sampler-light+pass") == "sampler-light+pass"
    assert len({files_of(f"greedy+{habit}").version_hash for habit in HABITS}) == len(HABITS)


def test_every_game_has_its_lines_in_the_benchmark() -> None:
    games = {game_of(preset.game).id for preset in PRESETS.values()}
    for strong, weak in (("greedy", "random"), ("sampler", "greedy")):
        played = {claim.contest.preset for claim in LADDER if claim.contest.players[:2] == (strong, weak)}
        assert {PRESETS[name].game for name in played} == games
    habits = {habit for claim in POLICIES for habit in claim.contest.second.split("+")[1:]}
    assert habits == set(HABITS)


def test_a_line_tells_the_interval_and_whether_it_holds() -> None:
    claim = Claim(3, Contest("nuki88", "greedy", "greedy+shoubu"), "one deal")
    text, holds = line(claim, [Verdict(0.0, lead, 1.0, 2) for lead in (9.0, 10.0, 11.0)])
    assert holds
    assert "greedy > greedy+shoubu" in text
    assert "+10.0000 ±  1.1316 points" in text
    assert not line(claim, [Verdict(0.0, lead, 1.0, 2) for lead in (-9.0, 10.0, 11.0)])[1]


def test_a_contest_seats_everybody_everywhere() -> None:
    assert Contest("hawaii", "greedy", "random").tables() == [(0, 1), (1, 0)]
    three = Contest("oibana", "greedy", "random", 3).tables()
    assert three == [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    assert Contest("nuki88", "greedy", "random", 3, "yaku").tables()[1::3] == [(2, 0, 2), (2, 1, 2)]
