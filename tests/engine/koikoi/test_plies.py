"""The quick way of an ordinary ply does what the steps do, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.action import Action
from engine.cards import CODES, codes
from engine.errors import EngineError, IllegalAction
from engine.game import OptionValue, Ruleset
from engine.games import ruleset
from engine.games.koikoi import plies, turn
from engine.games.koikoi.legal import DECLARATIONS
from engine.games.koikoi.refusal import check_legality
from engine.games.koikoi.state import KoiKoiState
from tests.engine.koikoi.tables import VARIANTS, a_table, contents, fresh_deal, play, random_play, rulesets
from tests.engine.worlds import seed_of

ANY = [Action.of("play", card, take) for card in range(48) for take in (-1, -3, -5, *range(48))]
ANY += [*DECLARATIONS, *(Action.of("draw_take", take=take) for take in range(48))]


def agrees(state: KoiKoiState, action: Action) -> bool:
    """Return whether the action was ordinary; the quick way and the steps left the same world, or it was left alone."""
    quick, slow = state.copy(), state.copy()
    before = contents(quick)
    done: list[int] = []
    rest = plies.run(quick, (action,), done)
    if rest is not None:
        rest(quick)
    if not done and not plies.choose(quick, action):
        assert contents(quick) == before
        return False
    assert done in ([], [state.turn])
    assert check_legality(state, action, state.turn) is action
    turn.apply(slow, action)
    assert contents(quick) == contents(slow)
    return True


def one_agrees(state: KoiKoiState, action: Action) -> bool:
    """The same of the quick way of a single listed action."""
    quick, slow = state.copy(), state.copy()
    if not plies.one(quick, action):
        assert contents(quick) == contents(state)
        return False
    turn.apply(slow, action)
    assert contents(quick) == contents(slow)
    return True


@pytest.mark.thorough
@given(rulesets, st.integers(0, 2**32))
def test_quick_and_step_by_step_agree(rules: Ruleset, seed: int) -> None:
    state, dice = fresh_deal(rules, seed_of(seed)), Random(seed)
    ordinary = total = 0
    for action in random_play(state, dice):
        ordinary += agrees(state, action)
        total += 1
        for other in (*state.legal_actions(), *dice.sample(ANY, 8)):
            agrees(state, other)
        for listed in state.legal_actions():
            assert one_agrees(state, listed) is (state.phase == "hand" and agrees(state, listed)), listed
    assert ordinary > total / 2  # or it would be no quick way


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize(("preset", "options"), VARIANTS)
def test_a_whole_deal_at_once_is_the_same_deal(preset: str, options: dict[str, OptionValue], number: int) -> None:
    state = fresh_deal(ruleset(preset, **options), seed_of(preset, number), dealer=number % 2)
    slow, quick = state.copy(), state.copy()
    moves = [(slow.turn, action) for action in random_play(slow, Random(number))]
    actions = [action for _, action in moves]
    steps = state.copy()
    for action in actions:
        turn.apply(steps, action)
    assert quick.play_all(actions) == [seat for seat, _ in moves]
    assert contents(quick) == contents(slow) == contents(steps)
    with pytest.raises(IllegalAction) as refused:
        quick.play_all(actions[:1])
    assert refused.value.code == "DEAL_OVER"


def test_what_is_understood_but_not_listed_is_no_part_of_a_deal() -> None:
    state = a_table(p0="03.3 01.1", p1="05.1", field="03.1", pile="07.4 08.4")
    with pytest.raises(EngineError) as refused:
        state.play_all([play("03.3", "03.1")])
    assert refused.value.code == "action.unlisted"
    assert state.play_all([play("03.3")]) == [0]


class Drawn:
    """Random numbers, counted."""

    def __init__(self, seed: int) -> None:
        self.dice, self.count = Random(seed), 0

    def __call__(self) -> float:
        self.count += 1
        return self.dice.random()


@pytest.mark.thorough
@given(rulesets, st.integers(0, 2**32))
def test_a_deal_played_out_is_the_deal_that_was_drawn(rules: Ruleset, seed: int) -> None:
    state, first, second = fresh_deal(rules, seed_of("out", seed)), Drawn(seed), Drawn(seed)
    slow, plies_done = state.copy(), state.play_out(first)
    while not slow.is_over:
        legal = slow.legal_actions()
        turn.apply(slow, legal[int(second() * len(legal))])
    assert plies_done == first.count == second.count
    assert contents(state) == contents(slow)
    assert state.play_out(first) == 0


def small_tables(month: int) -> Iterator[KoiKoiState]:
    """Every card of a month with any others on the field: once played from the hand, once turned up.

    The pile ends with the flip, or one card later.
    """
    first = 4 * month
    for card in range(first, first + 4):
        elsewhere, more = CODES[(card + 12) % 48], CODES[(card + 20) % 48] if card % 2 else ""
        for lying in (some << first for some in range(16)):
            if not lying >> card & 1:
                field, rest = " ".join(codes(lying)), CODES[(card + 24) % 48]
                for hand, flipped in ((CODES[card], elsewhere), (elsewhere, CODES[card])):
                    yield a_table(p0=f"{hand} {rest}", p1="12.4", field=field, pile=f"{flipped} {more}")


@pytest.mark.parametrize("month", range(12))
def test_any_card_of_the_hand_and_any_flip(month: int) -> None:
    for state in small_tables(month):
        for action in state.legal_actions():
            assert one_agrees(state, action), action
            unnamed = Action.of("play", action.card)
            if action is not unnamed:
                # Of two one must be named.
                assert not plies.one(state, unnamed)


@pytest.mark.parametrize("other", [*DECLARATIONS, Action.of("draw_take", take=0), Action.of("hiki", month=1)])
def test_only_hand_cards_are_done_one_by_one(other: Action) -> None:
    """Nor anything where a flip or a decision waits, or without a pile."""
    state, empty = a_table(p0="01.2 05.3", p1="07.1", field="01.1", pile="01.3 08.4"), a_table(p0="01.2", field="01.1")
    choosing, deciding = state.copy(), state.copy()
    choosing.phase, deciding.phase = "flip_choice", "decision"
    for world, action in ((state, other), (empty, play("01.2")), (choosing, play("01.2")), (deciding, play("01.2"))):
        before = contents(world)
        assert not plies.one(world, action)
        assert contents(world) == before


RUNS: list[tuple[str, str, list[Action], list[int]]] = [
    # Hands p0 05.3 06.1 03.1, p1 02.4 07.1 03.3; what lies there, the pile, and who does what at once.
    ("", "08.4 12.1 09.1", [play("05.3"), play("02.4"), play("06.1")], [0, 1, 0]),
    ("01.1 01.2", "01.3 12.1", [play("05.3"), Action.of("draw_take", take=0), play("02.4")], [0, 0, 1]),
    ("01.1 01.2", "01.3 12.1", [play("05.3"), play("02.4")], [0]),
    ("01.1 01.2", "01.3 12.1", [play("05.3"), Action.of("draw_take", take=3)], [0]),
    ("01.1 01.2", "01.3 12.1", [play("05.3"), Action.of("draw_take", take=5)], [0]),
    ("02.1 02.2", "08.4 12.1", [play("05.3"), play("02.4")], [0]),
    ("02.1 02.2", "08.4 12.1", [play("05.3"), play("02.4", "02.3")], [0]),
    ("02.1 02.2", "08.4 12.1", [play("05.3"), play("02.4", "02.1")], [0, 1]),
    ("02.1", "08.4 12.1", [play("05.3"), play("02.4", "02.1")], [0]),
    ("", "08.4 12.1 09.1", [play("05.3"), play("06.1")], [0]),
    ("", "08.4 12.1", [play("05.3"), play("02.4"), play("06.1")], [0, 1]),
]


@pytest.mark.parametrize(("field", "pile", "actions", "seats"), RUNS)
def test_plies_go_on_until_one_is_not_ordinary(field: str, pile: str, actions: list[Action], seats: list[int]) -> None:
    """What was done by then stands, as the steps leave it."""
    state = a_table(p0="05.3 06.1 03.1", p1="02.4 07.1 03.3", field=field, pile=pile)
    slow, done = state.copy(), list[int]()
    rest = plies.run(state, actions, done)
    if rest is not None:
        rest(state)
    assert done == seats
    for action in actions[: len(seats)]:
        turn.apply(slow, action)
    assert contents(state) == contents(slow)


def test_only_the_choice_for_a_flip_is_done_at_once() -> None:
    state = a_table(p0="05.3 06.1", p1="07.1", field="01.1 01.2", pile="01.3 08.4")
    take = Action.of("draw_take", take=0)
    assert not plies.choose(state.copy(), take)
    state.apply(play("05.3"))
    for other in (DECLARATIONS[0], play("06.1"), Action.of("draw_take", take=20)):
        assert not plies.choose(state, other)
    assert plies.choose(state, take)
    assert state.captured[0] == 0b101
