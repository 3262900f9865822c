"""`hanami.read` opens the observations of every registered game."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from bots.sdk import Session, View, customary
from engine.cards import card_index, parse_cards
from engine.game import game_of
from engine.games import PRESETS, ruleset
from engine.match import Match

SEATINGS = [(name, seats) for name, preset in PRESETS.items() for seats in game_of(preset.game).seat_range]


def decisions(preset: str, seats: int) -> Iterator[tuple[Match, View]]:
    """The decisions of the first two deals of a random match, as the seat to act reads them."""
    rng, match = random.Random(seats), Match(ruleset(preset), seats, bytes(16))
    sessions, seen = [Session() for _ in range(seats)], [0] * seats
    for session in sessions:
        session.begin({"rng": "00", "ruleset": match.ruleset.to_json(), "seats": seats}, {})
    while not match.is_over and match.deal < 3:
        seat = match.seat_to_act
        obs = match.observation(seat, match_id="m1", preset=preset, since=seen[seat], ms_left=100)
        seen[seat] = match.event_count
        yield match, sessions[seat].read(obs)
        match.apply(rng.choice(match.legal_actions()))


@pytest.mark.parametrize(("preset", "seats"), dict.fromkeys(SEATINGS))
def test_the_view_is_what_the_engine_lets_the_seat_know(preset: str, seats: int) -> None:
    rng = random.Random(1)
    for match, view in decisions(preset, seats):
        game = game_of(match.ruleset.game)
        assert view.known == game.observe(match.state, view.seat)
        assert view.legal == match.legal_actions()
        assert view.history[0]["deal"] == match.deal
        world = view.determinize(rng)
        assert game.observe(world, view.seat) == view.known
        for action in view.legal[:3]:
            assert not view.takes(action) & ~(view.field | view.hand | (1 << max(view.pending, 0)))
            outcome = view.playout(world, action, lambda _world, legal: rng.choice(legal))
            assert len(outcome.score) == len(set(view.sides))


@pytest.mark.parametrize(("preset", "seats"), dict.fromkeys(SEATINGS))
def test_a_stored_observation_is_read_without_a_hello(preset: str, seats: int) -> None:
    match = Match(ruleset(preset), seats, bytes(16))
    obs = match.observation(match.seat_to_act, match_id="m1", preset=preset, since=0, ms_left=100)
    assert Session().read(obs).ruleset == match.ruleset


def test_values_and_yaku_are_those_of_the_game() -> None:
    views = {preset: next(decisions(preset, seats))[1] for preset, seats in SEATINGS}
    crane = card_index("01.1")
    assert {name: view.values[crane] for name, view in views.items() if name in ("hawaii", "nuki88", "poka5")} == {
        "hawaii": 20, "nuki88": 20, "poka5": 0,
    }  # fmt: skip
    assert views["nuki88"].yaku["blue_ribbons"] == parse_cards("06.2 09.2 10.2")
    assert "triplet" not in views["nuki88"].yaku
    assert views["nuki88"].points(parse_cards("11.4 12.1")) == 21


def test_whole_deals_can_be_played_as_usual() -> None:
    match, _ = next(decisions("poka5", 2))
    world = match.state.copy()
    while not world.is_over:
        world.apply(customary(world, world.legal_actions()))
    assert max(world.outcome().score) >= 1
