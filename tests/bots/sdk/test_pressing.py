"""Stop or koi-koi: on constructed positions, in points."""

from __future__ import annotations

import pytest

from bots.sdk import custom, customary, values_of
from bots.sdk.pressing import at_least, gained, prospect
from engine.cards import parse_cards
from engine.games import ruleset
from engine.games.koikoi.legal import KOIKOI, STOP
from engine.games.koikoi.observation import observe
from engine.games.koikoi.rules import options_of
from tests.engine.koikoi.tables import a_table, play

OPTIONS = options_of(ruleset("koikoi_nintendo"))


def test_a_stop_is_worth_its_score() -> None:
    state = a_table(p0="10.3 01.4", p1="05.1", field="10.1 08.2", pile="04.4 02.2", c0="06.1 07.1")
    state.apply(play("10.3"))
    seen = observe(state, 0)
    assert custom(STOP, seen, seen.hand) == custom(STOP, state, state.hands[0]) == 5
    state.calls[1] = 1
    assert custom(STOP, state, state.hands[0]) == 10


def test_much_is_taken_and_little_is_pressed() -> None:
    """With one card left nobody risks 20 points; with six left and much to come a single point is little."""
    rich = a_table(
        p0="10.3 02.4", p1="05.1 05.2", field="10.1 08.2", pile="04.4 02.2", c0="06.1 07.1 01.1 03.1 08.1 12.1"
    )
    rich.apply(play("10.3"))
    assert rich.legal_actions() == (STOP, KOIKOI)
    assert customary(rich, rich.legal_actions()) is STOP
    poor = a_table(
        p0="10.3 03.3 09.3 06.3 08.3 01.3 12.3", p1="05.1 05.2 05.3 11.3 11.4 04.3 07.3",
        field="10.1 03.1 09.1 08.1 06.1 01.1 12.1", pile="04.4 02.2", c0="02.1 04.1 05.4 07.1 08.2",
    )  # fmt: skip
    poor.apply(play("10.3"))
    assert poor.legal_actions() == (STOP, KOIKOI)
    assert customary(poor, poor.legal_actions()) is KOIKOI


def test_prospects_follow_from_what_is_missing_and_where() -> None:
    poetry = parse_cards("01.2 02.2")
    near = prospect(OPTIONS, poetry, 0, parse_cards("03.2"), parse_cards("03.3"), 4)
    hidden = prospect(OPTIONS, poetry, 0, 0, 0, 4)
    gone = prospect(OPTIONS, poetry, parse_cards("03.2"), 0, 0, 4)
    assert near.likely > hidden.likely > gone.likely > 0
    assert prospect(OPTIONS, poetry, 0, 0, 0, 0).likely == 0
    assert prospect(OPTIONS, poetry, 0, 0, 0, 7).likely > hidden.likely


@pytest.mark.parametrize(("wanted", "mean", "chance"), [(0, 1.0, 1.0), (1, 1.0, 0.632), (3, 2.0, 0.323), (1, 0.0, 0.0)])
def test_a_poisson_tail(wanted: int, mean: float, chance: float) -> None:
    assert at_least(wanted, mean) == pytest.approx(chance, abs=0.001)


def test_captured_cards_bring_points_of_yaku() -> None:
    state = a_table(c0="06.1 07.1", c1="03.1")
    assert gained(state, 0, parse_cards("10.1 10.3")) == 5
    assert gained(state, 1, parse_cards("09.1 09.3")) == 5
    assert gained(state, 1, parse_cards("10.1")) == 0


def test_a_card_promises_by_its_kind() -> None:
    values = values_of("koikoi")
    assert values[0] > values[4] > values[1] > values[2] > 0
