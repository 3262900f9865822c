"""Legal plays, by table and by the book; deals played out by chance. rules.md 3.2."""

from __future__ import annotations

from random import Random

import pytest

from engine.cards import CODES, codes, members
from engine.game import OptionValue, State
from engine.games import PRESETS, ruleset
from engine.games.sakura import plays, turn
from engine.games.sakura.state import SakuraState
from engine.match import Match
from tests.engine.worlds import VARIANTS, a_world, fresh_deal, listed, seed_of

SEATS = {"oibana": 3, "nuki88": 3}
HANDFULS = range(1, 16)


def by_the_book(hand: int, field: int, *, optional: bool) -> list[dict[str, str]]:
    """The plays of the cards of one month: one line for each card, or for each of the cards it may choose."""
    targets, found = codes(field), []
    for card in members(hand):
        one, chosen = {"play": CODES[card]}, [{"play": CODES[card], "take": target} for target in targets]
        found += {2: chosen, 3: [one, *chosen] if optional else [one]}.get(len(targets), [one])
    return found


@pytest.mark.parametrize("optional", [False, True])
@pytest.mark.parametrize("month", range(12))
def test_the_table_says_what_the_book_says(month: int, *, optional: bool) -> None:
    table = plays.OPTIONAL_PLAYS if optional else plays.PLAYS
    for held in HANDFULS:
        for lying in range(16):
            hand, field = held << 4 * month, lying << 4 * month
            found = [action.to_json() for action in table[month << 8 | held << 4 | lying]]
            assert found == by_the_book(hand, field, optional=optional)
            assert plays.SHIFTS[hand.bit_length()] == 4 * month
    assert len(table) == 12 << 8


def lines(text: str) -> list[dict[str, object]]:
    """`11.4*01.1` plays and takes, `11.4` plays, `h5` is a hiki."""
    found: list[dict[str, object]] = []
    for word in text.split():
        card, _, take = word.partition("*")
        found.append(
            {"hiki": int(card[1:])} if card[0] == "h" else {"play": card, "take": take} if take else {"play": card}
        )
    return found


@pytest.mark.parametrize(
    ("p0", "field", "options", "expected"),
    [
        ("11.4 05.1 05.2 05.3 12.1", "05.4 01.1", {}, "05.1 05.2 05.3 11.4*01.1 11.4*05.4 12.1 h5"),
        ("11.4 05.1 05.2 05.3 12.1", "05.4 01.1", {"hiki": "off"}, "05.1 05.2 05.3 11.4*01.1 11.4*05.4 12.1"),
        ("11.1 11.4 01.1", "11.2 11.3", {}, "01.1 11.1*11.2 11.1*11.3 11.4*11.2 11.4*11.3 h11"),
        ("11.4 01.1", "11.1 11.2 11.3", {}, "01.1 11.4*11.1 11.4*11.2 11.4*11.3 h11"),
        ("11.4 01.1", "06.1 06.2 06.3 06.4", {}, "01.1 11.4*06.1 11.4*06.2 11.4*06.3 11.4*06.4"),
        ("11.4 12.2 12.3", "12.1", {"gaji_decline": "anytime"}, "11.4*12.1 11.4*leave 12.2 12.3"),
    ],
)
def test_a_hand_with_a_wild_gaji(p0: str, field: str, options: dict[str, OptionValue], expected: str) -> None:
    """In code order, the Gaji's targets in its place, hikis last; all four on the field are nobody's hiki."""
    assert listed(a_world(p0=p0, p1="02.1", field=field, pile="07.4", options=options)) == lines(expected)


def test_a_returned_gaji_may_not_be_played_in_the_same_turn() -> None:
    state = a_world(p0="11.4 05.1 12.1 11.1", p1="02.1", field="05.4 05.2 05.3", pile="07.4")
    state.returned = True
    assert listed(state) == lines("05.1 11.1 12.1")


@pytest.mark.parametrize(("decline", "last"), [("anytime", "leave"), ("after_block_only", "08.1")])
def test_a_wild_gaji_from_the_pile_may_stay_where_it_may_be_declined(decline: str, last: str) -> None:
    options: dict[str, OptionValue] = {"gaji_from_pile": "wild", "gaji_decline": decline}
    state = a_world(p0="01.1 02.1", p1="05.1", field="06.1 08.1", pile="11.4 12.1", options=options)
    state.apply(state.legal_actions()[0])
    assert state.phase == "flip_gaji"
    assert listed(state)[:2] == [{"draw_take": "01.1"}, {"draw_take": "06.1"}]
    assert listed(state)[-1] == {"draw_take": last}


class Drawn:
    """Numbers from 0 to 1 as `Random.random` gives them, counted."""

    def __init__(self, seed: int) -> None:
        self.dice, self.count = Random(seed), 0

    def __call__(self) -> float:
        self.count += 1
        return self.dice.random()


def step_by_step(state: State, draw: Drawn) -> int:
    while not state.is_over:
        legal = state.legal_actions()
        state.apply(legal[int(draw() * len(legal))])
    return draw.count


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("number", range(5))
def test_a_deal_played_out_is_the_deal_that_was_drawn(preset: str, number: int) -> None:
    """Every legal action is as likely as any other, one draw for each; the number of plies comes back."""
    match = Match(ruleset(preset), SEATS.get(preset, 2), seed_of("playing out", number))
    one, other, first, second = match.state.copy(), match.state.copy(), Drawn(number), Drawn(number)
    plies = one.play_out(first)
    assert plies == first.count == step_by_step(other, second)
    assert one.is_over
    assert one.outcome() == other.outcome()
    assert one.play_out(first) == 0


@pytest.mark.parametrize("options", VARIANTS)
def test_plies_that_are_not_ordinary_are_played_out_too(options: dict[str, OptionValue]) -> None:
    for number in range(4):
        state = fresh_deal(ruleset("hawaii", **options), 3, seed_of("variants", number))
        slow, draw = state.copy(), Drawn(number)
        assert state.play_out(Drawn(number)) == apply_steps(slow, draw)
        assert state.outcome() == slow.outcome()


def apply_steps(state: SakuraState, draw: Drawn) -> int:
    while not state.is_over:
        legal = state.legal_actions()
        turn.apply(state, legal[int(draw() * len(legal))])
    return draw.count
