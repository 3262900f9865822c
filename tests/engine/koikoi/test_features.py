"""Planes and scalars for learners say what lies on the table; points are the sum of the yaku, quickly or not."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import ALL, CardSet, card_set
from engine.game import OptionValue, Ruleset
from engine.games import ruleset
from engine.games.koikoi.features import KoiKoiFeatures
from engine.games.koikoi.observation import observe
from engine.games.koikoi.rules import compile_rules, points_of
from engine.games.koikoi.state import KoiKoiState
from engine.games.koikoi.yaku import month_of, yaku_in
from tests.engine.koikoi.tables import VARIANTS, a_table, fresh_deal, play, random_play, rulesets
from tests.engine.worlds import seed_of

FEATURES = KoiKoiFeatures()
cards = st.integers(0, ALL)


def positions(rules: Ruleset, seed: int) -> Iterator[KoiKoiState]:
    """Yield the world before each decision of a deal played at random, and its end."""
    state = fresh_deal(rules, seed_of("features", seed), dealer=seed % 2, number=seed % 14 + 1)
    for _ in random_play(state, Random(seed)):
        yield state
    yield state


def planes_on(state: KoiKoiState, seat: int) -> dict[str, CardSet]:
    """Return what the planes must be, from the world itself."""
    other = 1 - seat
    waiting = 1 << state.pending if state.pending >= 0 else 0
    months = [card_set(range(4 * month, 4 * month + 4)) for month in range(12)]
    return {
        "hand": state.hands[seat],
        "field": state.field,
        "waiting": waiting,
        "unseen": state.hands[other] | card_set(state.hidden()),
        "month of the deal": months[(state.number - 1) % 12],
        "tray of side 0": state.captured[seat],
        "tray of side 1": state.captured[other],
        "played by seat 0": state.dealt[seat] & ~state.hands[seat],
        "played by seat 1": state.dealt[other] & ~state.hands[other],
    }


def scalars_on(state: KoiKoiState, seat: int) -> dict[str, float]:
    """Return what the scalars must be, from the world itself; each is named with its unit."""
    told: dict[str, float] = {}
    for number, player in enumerate((seat, 1 - seat)):
        told[f"hand size of seat {number}, of 8"] = state.hands[player].bit_count() / 8
        told[f"calls of seat {number}, of 4"] = state.calls[player] / 4
        told[f"points of seat {number} at its last call, of 20"] = state.marks[player] / 20
        told[f"seat {number} called last"] = float(state.last_caller == player)
    return {**told, "pile size, of 48": len(state.hidden()) / 48, "multiplier, of 4": state.mult / 4}


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize(("preset", "options"), VARIANTS)
def test_planes_and_scalars_are_the_table(preset: str, options: dict[str, OptionValue], number: int) -> None:
    phases = set()
    for state in positions(ruleset(preset, **options), number):
        phases.add(state.phase)
        for seat in (0, 1):
            seen = observe(state, seat)
            planes = zip(FEATURES.plane_names(2, 2), FEATURES.planes(seen, (seat, 1 - seat), 2), strict=True)
            assert dict(planes) == planes_on(state, seat)
            assert dict(zip(FEATURES.scalar_names(2, 2), FEATURES.scalars(seen, 2), strict=True)) == scalars_on(
                state, seat
            )
    assert {"hand", "over"} <= phases <= set(FEATURES.phases)


def test_the_first_card_of_all_can_be_the_one_that_waits() -> None:
    """01.1 is card 0: no other number stands for no card."""
    state = a_table(p0="02.1 06.1", p1="05.1", field="01.2 01.3", pile="01.1 12.1")
    state.apply(play("02.1"))
    assert (state.phase, state.pending) == ("flip_choice", 0)
    planes = dict(zip(FEATURES.plane_names(2, 2), FEATURES.planes(observe(state, 0), (0, 1), 2), strict=True))
    assert planes["waiting"] == 1
    assert not planes["unseen"] & 1


def test_names_and_phases_are_part_of_the_format() -> None:
    assert FEATURES.phases == ("hand", "flip_choice", "decision", "over")
    assert FEATURES.silent == frozenset()
    assert FEATURES.plane_names(2, 2)[:3] == ("hand", "field", "waiting")
    assert FEATURES.scalar_names(2, 2)[0] == "hand size of seat 0, of 8"


def test_the_cards_turned_up_are_counted_from_the_top_of_the_pile() -> None:
    turned = []
    for state in positions(ruleset("koikoi_nintendo"), 5):
        if FEATURES.turned(state):
            turned.append(FEATURES.last_turned(state))
        assert turned[-1:] == list(state.pile[: FEATURES.turned(state)])[-1:]
    assert len(set(turned)) > 4


@pytest.mark.thorough
@given(rulesets, cards, cards, st.booleans(), st.integers(1, 14))
def test_points_are_the_sum_of_the_yaku(rules: Ruleset, held: CardSet, lying: CardSet, called: bool, deal: int) -> None:
    compiled, month = compile_rules(rules), month_of(deal)
    for tray in (held, held | month, held & lying, ALL & ~lying):
        field = lying & ~tray
        told = sum(yaku_in(compiled.options, tray, called=called, field=field, month=month).values())
        # Twice: the second answer comes from what the first one kept.
        for _ in range(2):
            assert points_of(compiled, tray, called=called, lying=field, month=month) == told
