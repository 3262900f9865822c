"""Which single listed actions the quick way does, and that it does them as the steps do. Source: rules.md 3.2."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from engine.action import UNNAMED, Action
from engine.cards import GAJI, MONTH_MASKS, CardSet, members
from engine.errors import IllegalAction
from engine.game import OptionValue
from engine.games import ruleset
from engine.games.sakura import plies, turn
from engine.games.sakura.rules import Rules, compile_rules
from engine.games.sakura.state import SakuraState
from tests.engine.worlds import (
    SAKURA_PRESETS,
    SEATINGS,
    VARIANTS,
    a_world,
    contents,
    draw_take,
    fresh_deal,
    play,
    random_play,
    seed_of,
)

CHOICES_OF_RULES = [
    {}, {"triple_capture": "optional"}, {"gaji_from_pile": "wild", "round_end": "pile_or_hands"},
]  # fmt: skip


def is_ordinary(state: SakuraState, action: Action) -> bool:
    """What `plies` calls so: a hand card but the Gaji, unless something waits or all of three are chosen."""
    if state.phase != "hand" or state.transfer_open or state.returned or not state.pile_left:
        return False
    if action.kind != "play" or action.card == GAJI:
        return False
    matches = state.field & MONTH_MASKS[action.card // 4]
    return not (matches.bit_count() == 3 and action.take == UNNAMED and state.rules.triple_optional)


def check_one(state: SakuraState, action: Action) -> None:
    """An ordinary action is done as the steps do it, any other is left alone."""
    quick, slow = state.copy(), state.copy()
    assert plies.one(quick, action) is is_ordinary(state, action), action
    if is_ordinary(state, action):
        turn.apply(slow, action)
    assert contents(quick) == contents(slow), action


def dealt(rules: Rules, card: int, lying: CardSet, flipped: int) -> SakuraState:
    """Two seats, the first with a card, one more where the pile ends with the flip."""
    rest = [other for other in range(48) if other not in (card, flipped) and not lying >> other & 1]
    hands, more = [1 << card | 1 << rest[0], 1 << rest[1]], rest[2:3] if card % 2 else []
    return SakuraState(
        rules, dealer=0, hands=hands, field=tuple(members(lying)), pile=(flipped, *more), captured=(0, 0), turn=0
    )


def small_tables(rules: Rules, month: int) -> Iterator[SakuraState]:
    """Every card of a month with any others on the field: once played from the hand, once turned up."""
    first = 4 * month
    for card in range(first, first + 4):
        elsewhere = (card + 12) % 48
        for lying in (some << first for some in range(16)):
            if not lying >> card & 1:
                yield dealt(rules, card, lying, elsewhere)
                yield dealt(rules, elsewhere, lying, card)


@pytest.mark.parametrize("options", CHOICES_OF_RULES)
@pytest.mark.parametrize("month", range(12))
def test_any_card_of_the_hand_and_any_flip(month: int, options: dict[str, OptionValue]) -> None:
    rules = compile_rules(ruleset("hawaii", **options), 2)
    for state in small_tables(rules, month):
        for action in state.legal_actions():
            check_one(state, action)


@pytest.mark.parametrize("options", [{}, *VARIANTS])
def test_listed_actions_of_random_deals(options: dict[str, OptionValue]) -> None:
    dice = Random(str(options))
    for number, (seats, teams) in enumerate(SEATINGS):
        preset = SAKURA_PRESETS[number % len(SAKURA_PRESETS)]
        state = fresh_deal(ruleset(preset, **{**options, "teams": teams}), seats, seed_of("one", number))
        for _ in random_play(state, dice):
            for action in state.legal_actions():
                check_one(state, action)


def test_without_a_pile_or_while_something_waits_nothing_is_ordinary() -> None:
    empty = a_world(p0="01.1 02.1", p1="05.1", field="08.1")
    claimed, returned, choosing, over = (
        a_world(p0="01.1 02.1", p1="05.1", field="08.1", pile="07.4 12.1") for _ in range(4)
    )
    claimed.transfer_open = returned.returned = True
    choosing.phase, over.phase = "flip_choice", "over"
    for state in (empty, claimed, returned, choosing, over):
        before = contents(state)
        assert not plies.one(state, play("01.1"))
        assert contents(state) == before


def test_the_first_card_of_all_is_not_taken_by_another_action() -> None:
    """01.1 and 01.2 wait for the choice of a flip; only `draw_take` is one."""
    state = a_world(p0="02.1 06.1", p1="05.1", field="01.1 01.2", pile="01.3 12.1")
    state.apply(play("02.1"))
    for other in (play("06.1"), play("01.1"), Action.of("draw_only"), draw_take("02.1"), draw_take("01.4")):
        assert not plies.choose(state, other)
        before = contents(state)
        with pytest.raises(IllegalAction):
            state.apply(other)
        assert contents(state) == before
    assert plies.choose(state, draw_take("01.1"))
