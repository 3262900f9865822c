"""The typed view agrees with the world it was made from, at every decision of whole matches."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import cast

import pytest

from bots.sdk import Session, View, codes
from engine.game import State
from engine.games import ruleset
from engine.games.sakura.observation import observe
from engine.games.sakura.state import SakuraState
from engine.match import Match

SEATINGS = [(seats, "solo") for seats in range(2, 8)] + [(4, "2x2"), (6, "3x2"), (6, "2x3")]


def decisions(preset: str, seats: int, teams: str, number: int) -> Iterator[tuple[Match, View]]:
    """Every decision of a random match with the view of the seat to act, each seat reading its own `since`."""
    rng = random.Random(number)
    rules = ruleset(preset, teams=teams, rounds=3)
    match = Match(rules, seats, rng.randbytes(16))
    sessions, seen = [Session() for _ in range(seats)], [0] * seats
    for session in sessions:
        session.begin({"rng": "00", "ruleset": rules.to_json(), "seats": seats}, {})
    while not match.is_over:
        seat, legal = match.seat_to_act, match.legal_actions()
        if len(legal) > 1:
            obs = match.observation(seat, match_id="m1", preset=preset, since=seen[seat], ms_left=100)
            seen[seat] = match.event_count
            yield match, sessions[seat].read(obs)
        match.apply(rng.choice(legal))


@pytest.mark.parametrize(("seats", "teams"), SEATINGS)
@pytest.mark.parametrize("preset", ["hawaii", "paradise"])
def test_the_view_shows_the_world_of_its_seat(preset: str, seats: int, teams: str) -> None:
    for match, view in decisions(preset, seats, teams, seats):
        state = cast(SakuraState, match.state)
        assert (view.seat, view.side, view.sides) == (state.turn, match.sides[state.turn], match.sides)
        assert (view.hand, view.field, view.pile_size) == (state.hands[view.seat], state.field, state.pile_left)
        assert view.trays == tuple(state.captured)
        assert view.mine == state.captured[view.side]
        assert view.legal == match.legal_actions()
        assert (view.deal, view.move, view.dealer) == (match.deal, match.move + 1, match.dealer)
        assert list(view.history) == match.events[-len(view.history) :]
        assert view.history[0]["deal"] == view.deal
        hidden = [card for other, hand in enumerate(state.hands) if other != view.seat for card in codes(hand)]
        assert sorted(codes(view.unseen)) == sorted(hidden + [codes(1 << card)[0] for card in state.hidden()])


@pytest.mark.parametrize(("seats", "teams"), SEATINGS)
def test_takes_and_lays_say_what_the_engine_does(seats: int, teams: str) -> None:
    for match, view in decisions("hawaii", seats, teams, 10 + seats):
        for action in view.legal:
            twin = cast(SakuraState, match.state.copy())
            twin.notes.clear()
            twin.apply(action)
            if any(note[0] == "hiki_block" for note in twin.notes):
                continue
            taken, laid = view.takes(action), view.lays(action)
            assert not taken & ~twin.captured[view.side]
            assert not taken & view.mine
            assert bool(taken) != bool(laid)
            if laid:
                everywhere = twin.field | twin.captured[view.side]
                assert not laid & ~everywhere


@pytest.mark.parametrize(("seats", "teams"), SEATINGS)
def test_sampled_worlds_look_the_same_to_the_seat(seats: int, teams: str) -> None:
    rng = random.Random(seats)
    for match, view in decisions("hawaii", seats, teams, 20 + seats):
        world = cast(SakuraState, view.determinize(rng))
        assert observe(world, view.seat) == observe(cast(SakuraState, match.state), view.seat)


def test_worlds_differ_and_cover_the_unseen_cards() -> None:
    _, view = next(decisions("hawaii", 2, "solo", 3))
    rng = random.Random(1)
    other = 1 - view.seat
    hands = [cast(SakuraState, view.determinize(rng)).hands[other] for _ in range(300)]
    covered = 0
    for hand in hands:
        covered |= hand
    assert covered == view.unseen
    assert len(set(hands)) > 290


def test_a_playout_ends_the_deal_and_leaves_the_world_alone() -> None:
    _, view = next(decisions("paradise", 3, "solo", 4))
    world = view.determinize(random.Random(1))
    before = observe(cast(SakuraState, world), 0)

    def last(state: State, legal: tuple[object, ...]) -> object:
        assert len(legal) > 1
        return legal[-1]

    outcome = view.playout(world, view.legal[0], last)  # type: ignore[arg-type]  # any element of legal will do
    assert observe(cast(SakuraState, world), 0) == before
    assert len(outcome.score) == 3
    assert view.lead(outcome) == outcome.score[view.side] - max(
        score for side, score in enumerate(outcome.score) if side != view.side
    )
