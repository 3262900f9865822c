"""Scores and margins of Sakura on a sheet, against all that cards and yaku can give. Source: rules.md 1.1, 4.1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

from engine.cards import CARDS, members
from engine.games import ruleset
from engine.games.sakura import scoresheet as sakura
from engine.games.sakura.yaku import YAKU

ALL_POINTS, STEP, MAX_YAKU = 240, 5, 8
PENALTIES = (0, 7, 25, 50, 51)


def options_of(**changes: Any) -> Any:
    return ruleset("hawaii", **changes).options


def cheapest(yaku: int) -> int:
    """Points of the cheapest cards that make that many yaku."""
    return min(
        sum(CARDS[card].sakura for card in {card for one in made for card in members(one.cards)})
        for made in combinations(YAKU, yaku)
    )


NEEDED = [cheapest(yaku) for yaku in range(MAX_YAKU + 1)]


def shares(sides: int, most: int, step: int) -> Iterator[tuple[int, ...]]:
    """Every way to give sides multiples of a step that sum up to no more than `most`."""
    if not sides:
        yield ()
        return
    for own in range(0, most + 1, step):
        for rest in shares(sides - 1, most - own, step):
            yield (own, *rest)


def scores_of(cards: Sequence[int], yaku: Sequence[int], penalty: int) -> tuple[int, ...]:
    """Each side has its cards, less the penalty for each yaku of the others."""
    return tuple(own - penalty * (sum(yaku) - made) for own, made in zip(cards, yaku, strict=True))


@cache
def possible(penalty: int) -> frozenset[tuple[int, ...]]:
    """Every pair of scores of a deal for two, where some of the cards may lie with nobody."""
    found = set()
    for yaku in shares(2, MAX_YAKU, 1):
        least = [NEEDED[made] for made in yaku]
        for more in shares(2, ALL_POINTS - sum(least), STEP):
            found.add(scores_of([own + rest for own, rest in zip(least, more, strict=True)], yaku, penalty))
    return frozenset(found)


def near(penalty: int, dice: Random) -> tuple[int, ...]:
    """A pair of scores that is possible, or nearly: cards that make no such yaku, one yaku or one card too many."""
    yaku = dice.choice(list(shares(2, MAX_YAKU + 1, 1)))
    least = [max(0, NEEDED[min(made, MAX_YAKU)] + dice.choice((-5, 0, 0, 1))) for made in yaku]
    rest = max(0, ALL_POINTS - sum(least) + dice.choice((0, 0, 5)))
    more = dice.choice((0, 0, rest // STEP * STEP, dice.randrange(0, rest + 1, STEP)))
    cards = [least[0] + more, least[1] + dice.choice((0, (rest - more) // STEP * STEP))]
    return scores_of(cards, yaku, penalty)


@pytest.mark.parametrize("penalty", PENALTIES)
def test_the_scores_of_a_deal_for_two_are_exactly_those_that_cards_and_yaku_give(penalty: int) -> None:
    options, able, dice = options_of(yaku_penalty=penalty), possible(penalty), Random(penalty)
    tried = [*dice.sample(sorted(able), 150), *(near(penalty, dice) for _ in range(350))]
    for scores in tried:
        assert sakura.allows(scores, options) is (scores in able), scores
    assert sum(scores in able for scores in tried) < len(tried) - 50, "else nothing was refused"


@pytest.mark.parametrize("penalty", [7, 50, 51])
def test_nine_yaku_in_a_deal_are_too_many(penalty: int) -> None:
    able = possible(penalty)
    for one in range(1, MAX_YAKU + 1):
        nine = (one, MAX_YAKU + 1 - one)
        scores = scores_of([NEEDED[made] for made in nine], nine, penalty)
        assert sakura.allows(scores, options_of(yaku_penalty=penalty)) is (scores in able)
    assert scores_of((190, 15), (8, 1), 51) not in possible(51)


@pytest.mark.parametrize("sides", [3, 4])
@pytest.mark.parametrize("penalty", [7, 50])
def test_one_side_with_all_cards_and_yaku_costs_every_other(sides: int, penalty: int) -> None:
    options, none = options_of(yaku_penalty=penalty), [0] * (sides - 1)
    for yaku in range(MAX_YAKU + 1):
        scores = scores_of((ALL_POINTS, *none), (yaku, *none), penalty)
        assert sakura.allows(scores, options)
        assert not sakura.allows((scores[0] + STEP, *scores[1:]), options)
    assert not sakura.allows((*scores[:-1], scores[-1] - STEP), options)


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("deals", [2, 3])
def test_deals_that_are_possible_are_possible_together(penalty: int, deals: int) -> None:
    options, able, dice = options_of(yaku_penalty=penalty), sorted(possible(penalty)), Random(penalty)
    for _ in range(60):
        together = [sum(scores) for scores in zip(*dice.choices(able, k=deals), strict=True)]
        assert sakura.allows(together, options, deals)
    beyond = (ALL_POINTS * deals + STEP, -penalty * MAX_YAKU * deals)
    assert not sakura.allows(beyond, options, deals)


def test_without_a_number_of_deals_one_is_meant() -> None:
    options = options_of()
    assert sakura.allows((240, 0), options)
    assert not sakura.allows((245, 0), options)
    sheet = sakura.SakuraScoresheet()
    assert sheet.wrong((480, 0), options, 2, is_deal=False) is None
    assert sheet.wrong((480, 0), options, 1, is_deal=True) is not None


@pytest.mark.parametrize(("penalty", "won", "played"), [(50, 6, 245), (7, 6, 281)])
def test_only_where_hands_win_as_dealt_a_deal_brings_six(penalty: int, won: int, played: int) -> None:
    """A yaku of the other side costs 7, so that 6 can be played for as well where that is the penalty."""
    without, dealt = (options_of(deal_hands=rule, yaku_penalty=penalty) for rule in ("off", "teshi_kuttsuki"))
    assert sakura.allows((won, 0), dealt)
    assert sakura.allows((won, 0), without) is ((won, 0) in possible(penalty))
    assert not sakura.allows((played, 0), dealt)
    assert not sakura.allows((won, won), dealt) or (won, won) in possible(penalty)


def margins(penalty: int) -> set[int]:
    """What the cards of one side can exceed those of the other by, and what yaku add to or take from that."""
    found = set()
    for first, second in product(range(MAX_YAKU + 1), repeat=2):
        lead = first - second
        needed = NEEDED[abs(lead)]
        for more in range(0, ALL_POINTS - needed + STEP, STEP):
            apart = range(needed + more - (ALL_POINTS - needed - more), needed + more + STEP, STEP)
            found |= {(cards if lead >= 0 else -cards) + penalty * lead for cards in apart}
    return {margin for margin in found if margin >= 0}


@pytest.mark.parametrize("penalty", [*PENALTIES, 101, 239])
def test_a_deal_can_be_won_by_exactly_what_cards_and_yaku_give(penalty: int) -> None:
    options, able = options_of(yaku_penalty=penalty), margins(penalty)
    tried = range(-10, 260 + MAX_YAKU * penalty) if penalty < 100 else range(-10, 600)
    assert {margin for margin in tried if sakura.can_win_by(margin, options)} == {m for m in tried if m in able}
