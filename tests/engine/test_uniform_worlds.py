"""Sampled worlds are uniform over those that fit: chi-square tests with fixed seeds. Source: rules.md 11.

Where the worlds that fit can be listed, another way than the sampler's lists them and each must come up as often as
any other; where they are too many, every hidden card must lie as often in one hidden place as in any other. The
seeds are fixed: a test that passes passes for ever.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import combinations
from math import sqrt
from random import Random
from typing import Final

import pytest

from engine.cards import ALL, CardSet, card_set, members, parse_cards
from engine.game import OptionValue
from engine.games import ruleset
from engine.games.poka import observation as poka
from engine.games.poka.state import PokaState
from engine.games.sakura import observation as sakura
from engine.games.sakura.state import SakuraState
from tests.engine.poka.tables import a_table, dealing, dealt, full, run
from tests.engine.worlds import a_world, choice, fresh_deal, play, seed_of

LIMIT: Final = 4.75
"""Standard deviations; chance alone goes beyond them about twice in a million."""
PER_OUTCOME: Final = 12
"""Samples per listed world; chi-square wants five or more."""


def deviation(statistic: float, freedom: int) -> float:
    """A chi-square statistic as standard deviations from what chance gives (Wilson and Hilferty)."""
    share = 2 / (9 * freedom)
    return float(((statistic / freedom) ** (1 / 3) - (1 - share)) / sqrt(share))


def check_equal(counts: Mapping[int, int], outcomes: Iterable[int]) -> None:
    """Each outcome came up as often as chance gives, and nothing else did."""
    listed = set(outcomes)
    assert set(counts) <= listed, "a world that does not fit was sampled"
    expected = sum(counts.values()) / len(listed)
    assert expected >= 5
    statistic = sum((counts.get(outcome, 0) - expected) ** 2 / expected for outcome in listed)
    assert abs(deviation(statistic, len(listed) - 1)) < LIMIT


def check_places(orders: Iterable[list[int]]) -> None:
    """Each card lay in each place equally often. orders: the hidden cards by place, one list per world.

    In a table of permutations the statistic times (m - 1) / m has (m - 1) squared degrees of freedom.
    """
    counts: Counter[tuple[int, int]] = Counter()
    worlds, cards = 0, set[int]()
    for order in orders:
        counts.update(enumerate(order))
        worlds, cards = worlds + 1, cards | set(order)
    size = len(cards)
    expected = worlds / size
    assert expected >= 5
    cells = ((place, card) for place in range(size) for card in cards)
    statistic = sum((counts[cell] - expected) ** 2 / expected for cell in cells) * (size - 1) / size
    assert abs(deviation(statistic, (size - 1) ** 2)) < LIMIT


def hands_of(cards: CardSet, size: int, fits: Callable[[CardSet], bool], known: CardSet = 0) -> list[CardSet]:
    """Every hand of `size` cards out of `cards` beside the known ones that fits."""
    hands = (known | card_set(hand) for hand in combinations(members(cards & ~known), size - known.bit_count()))
    return [hand for hand in hands if fits(hand)]


def in_some_order(hand: CardSet, dice: Random) -> list[int]:
    """The cards of a hand, which has no order, in one."""
    cards = list(members(hand))
    dice.shuffle(cards)
    return cards


def has_pairs(hand: CardSet, wanted: int) -> bool:
    counts = [sum(hand >> card & 1 for card in range(first, first + 4)) for first in range(0, 48, 4)]
    return sorted(counts, reverse=True)[: wanted + 1] == [2] * wanted + [0]


def has_month(hand: CardSet) -> bool:
    return any((hand >> first & 15) == 15 for first in range(0, 48, 4))


# Sakura
@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("preset", "seats", "options"),
    [("hawaii", 2, {}), ("hawaii", 4, {"teams": "2x2"}), ("paradise", 3, {}), ("enwiki2020", 7, {})],
)
def test_sakura_every_hidden_card_lies_anywhere(preset: str, seats: int, options: dict[str, OptionValue]) -> None:
    state = fresh_deal(ruleset(preset, **options), seats, seed_of("places", preset, seats))
    dice, seen = Random(1), sakura.observe(state, 0)

    def order() -> list[int]:
        world = sakura.determinize(seen, dice)
        hands = [in_some_order(world.hands[seat], dice) for seat in range(1, seats)]
        return [card for hand in hands for card in hand] + world.hidden()

    check_places(order() for _ in range(6_000))


def sakura_table(preset: str, p0: str, p1: str, field: str, pile: str) -> SakuraState:
    """The position with all cards that it does not name at the bottom of the pile."""
    state = a_world(preset=preset, p0=p0, p1=p1, field=field, pile=pile)
    named = sum(state.hands) | state.field | card_set(state.pile)
    state.pile = (*state.pile, *members(ALL & ~named))
    return state


def check_sakura(state: SakuraState, fits: Callable[[CardSet], bool], known: CardSet = 0) -> None:
    """The other hand is any that fits, each equally often. fits: of the hand and what it has played."""
    dice, seen = Random(2), sakura.observe(state, 0)
    hidden = state.hands[1] | card_set(state.hidden())
    played = state.played[1]
    hands = hands_of(hidden, state.hands[1].bit_count(), lambda hand: fits(hand | played), known)
    counts = Counter(sakura.determinize(seen, dice).hands[1] for _ in range(PER_OUTCOME * len(hands)))
    check_equal(counts, hands)


def test_sakura_what_an_unblocked_gaji_has_shown() -> None:
    """owner_captures: p1 did not hold both cards of June that were missing on the field."""
    state = sakura_table("hawaii", "11.4 02.1 03.1", "05.1 07.1", "06.1 06.2 08.1", "07.4 06.4")
    state.apply(play("11.4", "06.1"))
    missing = parse_cards("06.3 06.4")
    check_sakura(state, lambda hand: hand & missing != missing)


def test_sakura_what_a_forbidden_capture_has_shown() -> None:
    state = sakura_table("french", "11.4 02.1", "06.4 05.1 09.1", "06.1 06.2 06.3 08.4", "07.4 12.1")
    state.apply(play("11.4", "06.2"))
    state.apply(choice("08.4"))
    check_sakura(state, lambda hand: not has_month(hand), parse_cards("06.4"))


def test_sakura_no_french_hand_was_a_deal_hand() -> None:
    state = sakura_table("french", "11.4 02.1", "05.1 09.1", "08.4", "07.4 12.1")
    gone = parse_cards("03.1 03.2 04.1 04.2 05.2 06.1")
    state.dealt[1] |= gone
    state.pile = tuple(card for card in state.pile if not gone >> card & 1)
    state.captured[1] |= gone
    check_sakura(state, lambda hand: not has_month(hand) and not has_pairs(hand, 4))


# Poka
def has_teyaku(hand: CardSet) -> bool:
    ghosts, januaries = parse_cards("01.1 01.2 02.1"), (hand & 15).bit_count()
    return has_month(hand) or hand & ghosts == ghosts or januaries == 3 or has_pairs(hand, 3)


def check_poka(state: PokaState, fits: Callable[[CardSet], bool], known: CardSet = 0) -> None:
    """The other hand is any that fits, each equally often; a card of the pile lies anywhere in it."""
    dice, seen = Random(3), poka.observe(state, 0)
    hidden = state.hands[1] | card_set(state.hidden())
    hands = hands_of(hidden, state.hands[1].bit_count(), fits, known)
    worlds = [poka.determinize(seen, dice) for _ in range(PER_OUTCOME * len(hands))]
    check_equal(Counter(world.hands[1] for world in worlds), hands)
    tops = Counter(world.hidden().index(state.pile[-1]) for world in worlds if state.pile[-1] in world.hidden())
    check_equal(tops, range(state.pile_left))


def poka_table(p1: str, played: str = "", *, top: str = "06.3", turn: int = 0) -> PokaState:
    """p0 holds a few cards, p1 these, and p1 has discarded others."""
    state = full(a_table(top=f"{played} {top}", p0="10.1 11.1 12.1", p1=p1, turn=turn))
    state.played[1] = parse_cards(played)
    return state


def test_poka_no_hidden_hand_had_a_teyaku() -> None:
    played = "03.1 03.2 04.1 01.4"
    check_poka(poka_table("05.1 07.2", played), lambda hand: not has_teyaku(hand | parse_cards(played)))


def test_poka_what_a_pass_has_shown() -> None:
    state = run(poka_table("05.1 08.2", turn=1), "pass")
    assert state.turn == 0
    check_poka(state, lambda hand: not hand & parse_cards("07.1 07.2 07.3 07.4"))


@pytest.mark.slow
def test_poka_what_void_teyaku_have_shown() -> None:
    """p1 has exactly the three Januaries that it has shown, and any three other cards."""
    sticky = "03.1 03.2 08.1 08.2 09.1 09.4"
    state = dealt(ruleset("poka5"), dealing(sticky, "01.1 01.3 01.4 05.1 06.2 07.3", "10.1"))
    known = parse_cards("01.1 01.3 01.4")
    check_poka(state, lambda hand: not has_month(hand) and not hand & parse_cards("01.2"), known)


def test_poka_a_turn_that_goes_on_can_go_on() -> None:
    state = run(poka_table("07.1 08.2 04.1", turn=1), "07.1")
    assert state.turn == 1
    following = parse_cards("08.1 08.2 08.3 08.4 01.1 01.2 02.1")
    check_poka(state, lambda hand: bool(hand & following) and not has_teyaku(hand | parse_cards("07.1")))


@pytest.mark.thorough
def test_poka_after_a_reshuffle_only_the_order_is_hidden() -> None:
    state = poka_table("08.1 09.1", turn=1)
    state.discard, state.position = [*state.pile, *state.discard], len(state.pile)
    run(state, "pass pass")
    dice, seen = Random(4), poka.observe(state, 0)
    worlds = [poka.determinize(seen, dice) for _ in range(6_000)]
    assert {world.hands[1] for world in worlds} == {state.hands[1]}
    check_places([*world.hidden()] for world in worlds)


# the measure itself
def test_the_measure_sees_what_is_not_uniform() -> None:
    dice = Random(5)
    fair = Counter(dice.randrange(100) for _ in range(5_000))
    check_equal(fair, range(100))
    with pytest.raises(AssertionError):
        check_equal(Counter(min(dice.randrange(100), dice.randrange(110)) for _ in range(5_000)), range(100))
    with pytest.raises(AssertionError, match="does not fit"):
        check_equal(fair, range(99))
    with pytest.raises(AssertionError):
        check_places(swapped_by_ones(dice) for _ in range(5_000))


def swapped_by_ones(dice: Random) -> list[int]:
    """A well known wrong shuffle: each place swapped with any place."""
    order = list(range(12))
    for place in range(12):
        other = dice.randrange(12)
        order[place], order[other] = order[other], order[place]
    return order
