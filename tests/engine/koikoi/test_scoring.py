"""What yaku, calls and multipliers make of a deal of Koi-Koi, and what people may report of one."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import ALL, parse_cards
from engine.errors import IllegalAction
from engine.game import Ruleset
from engine.games import ruleset
from engine.games.koikoi import KOIKOI
from engine.games.koikoi import scoresheet as sheet
from engine.games.koikoi.legal import DECLARATIONS
from engine.games.koikoi.options import KoiKoiOptions
from engine.games.koikoi.rules import options_of, points_of
from engine.games.koikoi.scoring import call_factor, count
from engine.games.koikoi.yaku import IDS, month_of, yaku_in
from engine.match import Match
from engine.scoresheet import UNBALANCED
from tests.engine.koikoi.tables import a_table, play, rulesets
from tests.engine.worlds import seed_of

KOIKOI_CALL = DECLARATIONS[1]


def options(preset: str = "koikoi_nintendo", **changes: Any) -> KoiKoiOptions:
    return options_of(ruleset(preset, **changes))


def made(cards: str, preset: str = "koikoi_nintendo", **changes: Any) -> dict[str, int]:
    return yaku_in(options(preset, **changes), parse_cards(cards))


@pytest.mark.parametrize(
    ("preset", "called", "month", "points"),
    [("koikoi_nintendo", False, 1, 61), ("koikoi_fuda", False, 1, 70), ("koikoi_zoo", True, 1, 68),
     ("koikoi_zoo", False, 1, 64), ("koikoi_fuda", False, None, 66)],
)  # fmt: skip
def test_all_cards(preset: str, called: bool, month: int | None, points: int) -> None:
    found = yaku_in(options(preset), ALL, called=called, month=month_of(month) if month else 0)
    assert sum(found.values()) == points
    assert list(found) == [name for name in IDS if name in found]


def test_the_sake_cup_counts_as_what_brings_more() -> None:
    nine, four = "01.3 01.4 02.3 02.4 03.3 03.4 04.3 04.4 05.3", "02.1 04.1 05.1 08.2"
    assert made(f"{nine} 09.1", sake_cup="one_of") == {"chaff": 1}
    assert made(f"{four} 09.1", sake_cup="one_of") == {"animals": 1}
    assert made(f"{nine} {four} 09.1", sake_cup="one_of") == {"animals": 1}, "equal: an animal"
    assert made(f"{nine} 05.4 {four} 09.1", sake_cup="one_of") == {"animals": 1, "chaff": 1}
    assert made(f"{nine} {four} 09.1") == {"animals": 1, "chaff": 1}
    assert made(f"{nine} {four}", sake_cup="one_of") == {}


def test_what_counts_besides_the_sake_cup_counts_either_way() -> None:
    nine, three = "01.3 01.4 02.3 02.4 03.3 03.4 04.3 04.4 05.3", "06.1 07.1 10.1"
    as_chaff = made(f"{nine} {three} 09.1", sake_cup="one_of", sets="stack")
    assert as_chaff == {"boar_deer_butterflies": 5, "chaff": 1}
    rules, cards = options(sake_cup="one_of", month_cards=True), parse_cards(f"01.1 01.2 {nine} 09.1")
    assert yaku_in(rules, cards, month=month_of(1)) == {"chaff": 1, "month_cards": 4}


def test_a_viewing_may_be_worth_more_after_a_call() -> None:
    assert made("03.1 09.1", "koikoi_zoo") == {"flower_viewing": 1}
    rules, cards = options("koikoi_zoo"), parse_cards("03.1 09.1")
    assert [yaku_in(rules, cards, called=called) for called in (False, True)] == [
        {"flower_viewing": 1}, {"flower_viewing": 3},
    ]  # fmt: skip
    state = a_table(preset="koikoi_zoo", p0="09.1 05.3", p1="06.1 07.1", field="09.3", pile="04.4 02.2", c0="03.1")
    quick = state.copy()
    state.apply(play("09.1"))
    quick.apply_unchecked(play("09.1"))
    for world in (state, quick):
        assert (world.phase, world.notes) == ("decision", [("yaku", 0, 1)])
        world.apply(KOIKOI_CALL)
        assert (world.marks, world.held) == ([3, 0], [{"flower_viewing": 3}, {}])


def test_the_weather_of_the_rain_man_is_in_the_own_pile() -> None:
    assert made("03.1 08.1 09.1", weather="rain_man") == {"flower_viewing": 5, "moon_viewing": 5}
    assert made("03.1 08.1 09.1 11.1", weather="rain_man") == {}


def test_the_weather_of_the_field_is_that_of_the_end() -> None:
    state = a_table(preset="koikoi_fuda", p0="05.3", p1="06.1", c0="03.1 08.1 09.1", field="11.4", weather="field")
    assert state.yaku(0) == {"moon_viewing": 5}
    assert points_of(state.rules, state.captured[0], called=False, lying=state.field, month=0) == 5
    changing = a_table(preset="koikoi_zoo", weather="field", c0="03.1 09.1", field="12.1")
    for called, points in ((False, 1), (True, 3)):
        found = points_of(changing.rules, changing.captured[0], called=called, lying=changing.field, month=0)
        assert found == points


def test_viewings_and_the_weather() -> None:
    cards, fuda = parse_cards("03.1 08.1 09.1"), options("koikoi_fuda", weather="field")
    found = [list(yaku_in(fuda, cards, field=parse_cards(field))) for field in ("", "11.4", "12.1", "11.1 12.4")]
    assert found == [["flower_viewing", "moon_viewing"], ["moon_viewing"], ["flower_viewing"], []]
    assert made("03.1 08.1 09.1", viewing="off") == {}
    assert made("03.1 09.1", viewing="with_other") == {}
    five = "02.1 04.1 05.1 08.2 09.1 03.1"
    assert made(five, viewing="with_other") == {"flower_viewing": 5, "animals": 1}


def test_sets_stack_or_grow() -> None:
    both = "01.2 02.2 03.2 06.2 09.2 10.2 04.2"
    assert made(both) == {"poetry_and_blue": 11}
    assert made(both, sets="stack") == {"poetry_ribbons": 5, "blue_ribbons": 5, "ribbons": 3}
    bonus = {"poetry_and_blue": 10, "poetry_ribbons": 5, "blue_ribbons": 5, "ribbons": 3}
    assert made(both, sets="stack_bonus") == bonus
    assert made("06.2 09.2 10.2 04.2") == {"blue_ribbons": 6}
    assert made("06.2 09.2 10.2", sets="stack_bonus") == {"blue_ribbons": 5}
    assert made("06.1 07.1 10.1 02.1", sets="stack_bonus") == {"boar_deer_butterflies": 5}
    assert made("01.2 02.2 04.2 05.2") == {}


@pytest.mark.parametrize(("deal", "month"), [(1, 1), (12, 12), (13, 1), (24, 12)])
def test_the_months_of_deals_are_a_year(deal: int, month: int) -> None:
    assert month_of(deal) == parse_cards(" ".join(f"{month:02}.{rank}" for rank in range(1, 5)))


@pytest.mark.parametrize(
    ("bonus", "factors"),
    [
        ("opponent_double", (1, 1, 2, 2, 1, 2)), ("opponent_count", (1, 1, 2, 4, 1, 2)),
        ("own_double", (1, 2, 1, 2, 2, 2)), ("any_double", (1, 2, 2, 2, 2, 2)), ("own_count", (1, 2, 1, 3, 6, 2)),
        ("ladder", (1, 1, 1, 1, 3, 1)), ("off", (1, 1, 1, 1, 1, 1)),
    ],
)  # fmt: skip
def test_calls_multiply(bonus: str, factors: tuple[int, ...]) -> None:
    """Calls of the player who stops, of the other."""
    calls = ((0, 0), (1, 0), (0, 1), (2, 3), (5, 0), (1, 1))
    assert tuple(call_factor(bonus, own, theirs) for own, theirs in calls) == factors


@pytest.mark.parametrize(("own", "added", "factor"), [(0, 0, 1), (1, 1, 1), (3, 3, 1), (4, 0, 2), (5, 0, 3), (7, 0, 5)])
def test_the_ladder_adds_and_then_multiplies(own: int, added: int, factor: int) -> None:
    found = count(options("koikoi_zoo"), 5, own, 2, 1)
    assert (found.added, found.multipliers) == (added, (("koikoi", factor),) if factor > 1 else ())
    assert found.score == (5 + added) * factor


def test_seven_looks_at_the_yaku_alone() -> None:
    rules = options(koikoi_bonus="ladder", koikoi_limit="many")
    assert count(rules, 6, 2, 0, 1).score == 8
    assert count(rules, 7, 2, 0, 1).score == 18
    assert count(rules, 7, 0, 0, 3).multipliers == (("seven", 2), ("field_brights", 3))


def test_lines_tell_every_step_to_the_score() -> None:
    state = a_table(p0="10.3 01.4", p1="05.1", field="10.1 08.2", pile="04.4 02.2", c0="06.1 07.1 08.1 09.1",
                    zero_sum=True)  # fmt: skip
    state.calls[1], state.mult = 1, 3
    state.apply(play("10.3"))
    assert state.is_over, "the one call of the deal is used up"
    found = state.outcome()
    assert (found.base, found.multiplier, found.score) == (11, 12, (132, -132))
    assert (found.winner, found.winning_side, found.reason) == (0, 0, "shoubu")
    assert KOIKOI.lines(state.rules.options, found) == [
        {"side": 0, "code": "yaku", "yaku": "moon_viewing", "v": 5},
        {"side": 0, "code": "yaku", "yaku": "boar_deer_butterflies", "v": 6},
        {"side": 0, "code": "seven", "v": 11},
        {"side": 0, "code": "koikoi", "v": 22},
        {"side": 0, "code": "field_brights", "v": 88},
        {"side": 1, "code": "paid", "v": -132},
    ]


def exhausted(option: str, **calls: int) -> list[Any]:
    state = a_table(
        preset="koikoi_fuda", exhausted=option, p0="", p1="05.1", field="08.2", pile="04.4 02.2", turn=1, dealer=1,
        c0="06.1 07.1 10.1", zero_sum=True,
    )  # fmt: skip
    state.calls = [calls.get("p0", 0), calls.get("p1", 0)]
    state.marks, state.last_caller = [5, 0], calls.get("last", -1)
    state.apply(play("05.1"))
    found = state.outcome()
    assert found.reason == "exhausted"
    codes = [line["code"] for line in KOIKOI.lines(state.rules.options, found)]
    return [found.score, found.winner, found.victories, codes]


def test_an_exhausted_deal_is_won_by_nobody() -> None:
    state = a_table(preset="koikoi_fuda", p0="", p1="05.1", field="08.2", pile="04.4 02.2", turn=1)
    assert (state.end, state.winner) == (None, -1)
    state.apply(play("05.1"))
    assert (state.end, state.winner, state.notes) == ("exhausted", -1, [("exhausted", -1, 0)])
    found = state.outcome()
    assert (found.base, found.added, found.multipliers, found.winning_side) == (0, 0, (), None)


def test_what_an_exhausted_deal_brings() -> None:
    assert exhausted("nothing", p0=1, last=0) == [(0, 0), None, (0, 0), []]
    assert exhausted("dealer_1") == [(-1, 1), None, (0, 0), ["privilege", "paid"]]
    assert exhausted("dealer_6") == [(-6, 6), None, (0, 0), ["privilege", "paid"]]
    assert exhausted("last_caller") == [(0, 0), None, (0, 0), []]
    assert exhausted("last_caller", p0=1, last=0) == [(5, -5), 0, (1, 0), ["yaku", "paid"]]
    assert exhausted("last_caller", p0=1, p1=1, last=0) == [(10, -10), 0, (1, 0), ["yaku", "koikoi", "paid"]]


# -- what people report ----------------------------------------------------------------------------------------------


def wrong(scores: tuple[int, ...], deals: int = 1, preset: str = "koikoi_nintendo", **changes: Any) -> Any:
    found = KOIKOI.scoresheet.wrong(scores, ruleset(preset, **changes).options, deals, is_deal=deals == 1)
    return found and (found.message, dict(found.shown), found.side)


@pytest.mark.parametrize("scores", [(0, 0), (1, 0), (0, 6), (14, 0), (28, 0), (0, 12), (244, 0)])
def test_a_deal_of_nintendo_can_bring_it(scores: tuple[int, int]) -> None:
    assert wrong(scores) is None


def test_a_deal_of_nintendo_cannot_bring_it() -> None:
    assert wrong((7, 0)) == (sheet.NO_SUCH_SCORE, {"score": 7}, 1), "7 points count twice"
    assert wrong((0, 245)) == (sheet.NO_SUCH_SCORE, {"score": 245}, 2)
    assert wrong((3, 2)) == (sheet.ONE_SCORES, {}, 0)
    assert wrong((-2, 0)) == (sheet.NOTHING_LOST, {}, 1)
    assert wrong((0, -1), 3) == (sheet.NOTHING_LOST, {}, 2)


def test_what_one_wins_the_other_loses() -> None:
    assert wrong((5, -5), preset="koikoi_zoo") is None
    assert wrong((5, 0), preset="koikoi_zoo") == (UNBALANCED, {"n": 5}, 0)
    assert wrong((-31, 31), 4, preset="koikoi_zoo") is None


def test_several_deals_bring_no_more_than_each_of_them() -> None:
    assert wrong((244, 244), 2) is None
    assert wrong((245, 244), 2) == (sheet.TOO_MANY_POINTS, {"score": 489, "most": 244}, 0)
    assert wrong((0, 489), 2) == (sheet.TOO_MANY_POINTS, {"score": 489, "most": 244}, 2)


def test_bounds_know_the_options() -> None:
    assert sheet.most_base(options("koikoi_zoo", weather="rain_man")) == 68
    assert sheet.most_base(options("koikoi_fuda")) == 70
    assert set(sheet.calls_possible(options())) == {(0, 0), (0, 1), (1, 0)}
    assert set(sheet.calls_possible(options(koikoi_limit="each_once"))) == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert max(sheet.calls_possible(options("koikoi_zoo"))) == (7, 7)
    plain: dict[str, Any] = {
        "sets": "stack",
        "viewing": "off",
        "seven_double": False,
        "koikoi_bonus": "off",
        "teshi": "play",
    }
    few = sheet.deal_scores(options(kuttsuki="play", **plain))
    assert set(few) == set(range(1, max(few) + 1))
    assert 6 in sheet.deal_scores(options())
    assert 12 in sheet.deal_scores(options(teyaku_stack=True))


@pytest.mark.thorough
@given(rulesets, st.integers(0, 2**32))
def test_what_the_engine_gives_is_allowed(rules: Ruleset, seed: int) -> None:
    match, dice = Match(rules, 2, seed_of("sheet", seed)), Random(seed)
    while not match.is_over:
        match.apply(dice.choice(match.legal_actions()))
    for log in match.deals:
        assert log.outcome is not None
        assert KOIKOI.scoresheet.wrong(log.outcome.score, rules.options, 1, is_deal=True) is None
    assert KOIKOI.scoresheet.wrong(match.totals, rules.options, match.deal, is_deal=False) is None


def test_only_the_dealers_privilege_can_be_unwon_where_victories_count() -> None:
    """A stop with 1 point looks the same, so somebody has to say who won."""
    wins = ruleset("koikoi_zoo", scoring="victories").options
    points, six = (
        ruleset("koikoi_zoo").options,
        ruleset("koikoi_zoo", scoring="victories", exhausted="dealer_6").options,
    )
    asked = [KOIKOI.scoresheet.may_be_unwon(scores, wins) for scores in ((1, -1), (-1, 1), (2, -2), (0, 0))]
    assert asked == [True, True, False, False]
    assert not KOIKOI.scoresheet.may_be_unwon((1, -1), points)
    assert KOIKOI.scoresheet.may_be_unwon((6, -6), six)
    nothing = ruleset("koikoi_nintendo", scoring="victories").options
    assert not KOIKOI.scoresheet.may_be_unwon((1, 0), nothing)


def test_positions_given_in_part() -> None:
    """Without a pile nothing is turned up; a seat whose opponent has no cards left goes on."""
    state = a_table(p0="01.1 02.1", p1="", field="05.1")
    state.apply(play("01.1"))
    assert (state.turn, state.phase, state.pile_left) == (0, "hand", 0)
    state.apply(play("02.1"))
    assert (state.is_over, state.end) == (True, "exhausted")


def test_points_at_the_very_bound() -> None:
    assert wrong((488, 0), 2) is None
    assert wrong((245, 1), 2) == (sheet.TOO_MANY_POINTS, {"score": 246, "most": 244}, 0)
    assert wrong((1, 1)) == wrong((5, 1)) == (sheet.ONE_SCORES, {}, 0)
    whole = KOIKOI.scoresheet.wrong((7, 0), ruleset("koikoi_nintendo", rounds=1).options, 1, is_deal=False)
    assert whole is not None
    assert whole.message == sheet.NO_SUCH_SCORE


def test_calls_are_added_before_anything_multiplies() -> None:
    state = a_table(p0="10.3", p1="05.1", field="10.1 08.2", pile="04.4 02.2", c0="06.1 07.1 02.1 04.1",
                    koikoi_bonus="ladder", koikoi_limit="many")  # fmt: skip
    state.calls[0] = 2
    state.apply(play("10.3"), seat=0)
    codes = [(line["code"], line["v"]) for line in KOIKOI.lines(state.rules.options, state.outcome())]
    assert codes == [("yaku", 7), ("calls", 2), ("seven", 9)]
    assert state.copy().end == "shoubu"


def test_a_seat_acts_only_in_its_turn() -> None:
    state = a_table(p0="10.3", p1="05.1", field="08.2", pile="04.4 02.2")
    with pytest.raises(IllegalAction) as caught:
        state.apply(play("10.3"), seat=1)
    assert caught.value.code == "NOT_YOUR_TURN"
