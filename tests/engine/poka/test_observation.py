"""Observations of a seat, and what it can make of them. rules.md 3.6 and 11, site.md 6."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.cards import codes, parse_cards
from engine.errors import NoWorld
from engine.game import OptionValue
from engine.games import ruleset
from engine.games.poka import POKA
from engine.games.poka.history import Reader
from engine.games.poka.observation import determinize, observe
from engine.games.poka.state import PokaState
from engine.games.poka.teyaku import teyaku_of
from engine.match import Match
from tests.engine.poka.tables import PASS, VARIANTS, a_table, dealing, fresh_deal, full, is_partition, run
from tests.engine.poka.test_match import a_match
from tests.engine.worlds import seed_of

KEYS = [
    "v", "match", "deal", "move", "phase", "me", "preset", "sides", "dealer", "hand", "hand_n", "field", "tray",
    "discard", "pile_n", "pile", "reshuffles", "passes", "first_turn", "laid", "mult", "total", "ms_left", "since",
    "legal",
]  # fmt: skip


def ask(match: Match, since: int = 0, seat: int | None = None) -> dict[str, Any]:
    """The observation as a bot receives it."""
    seat = match.seat_to_act if seat is None else seat
    obs = match.observation(seat, match_id="m1", preset="poka5", since=since, ms_left=1100)
    found: dict[str, Any] = json.loads(json.dumps(obs))
    return found


def worlds(state: PokaState, seat: int, count: int = 100) -> list[PokaState]:
    dice = Random(7)
    return [determinize(observe(state, seat), dice) for _ in range(count)]


def test_the_keys_and_what_they_hold() -> None:
    match = a_match(dealing("04.1 05.1 08.1 08.3 10.1 10.3", "02.3 05.2 07.1 09.2 11.1 12.1", "03.1"))
    obs = ask(match)
    assert list(obs) == KEYS
    assert (obs["v"], obs["deal"], obs["move"], obs["phase"], obs["me"], obs["dealer"]) == (
        1,
        1,
        1,
        "discard",
        "p0",
        "p0",
    )
    assert (obs["sides"], obs["total"], obs["hand_n"], obs["pile_n"]) == ([0, 1], [0, 0], [6, 6], 35)
    assert (obs["hand"], obs["discard"]) == (["04.1", "05.1", "08.1", "08.3", "10.1", "10.3"], ["03.1"])
    assert (obs["field"], obs["tray"], obs["mult"]) == ([], [[], []], 1)
    assert (obs["pile"], obs["reshuffles"], obs["passes"], obs["laid"]) == (None, 0, 0, 0)
    assert obs["first_turn"] == [True, True]
    assert obs["legal"] == [{"discard": "04.1"}]
    assert ask(match, seat=1)["legal"] == []


def test_the_discard_pile_is_public_bottom_to_top() -> None:
    match = a_match(dealing("04.1 05.1 08.1 08.3 10.1 10.3", "02.3 05.2 07.1 09.2 11.1 12.1", "03.1"))
    match.apply(match.legal_actions()[0])
    match.apply(match.legal_actions()[0])
    obs = ask(match)
    assert obs["discard"] == ["03.1", "04.1", "05.1"]
    assert obs["since"][1:] == [{"by": "p0", "discard": "04.1"}, {"by": "p0", "discard": "05.1"}]
    assert (obs["me"], obs["move"], obs["first_turn"]) == ("p1", 3, [False, True])


def test_whether_a_turn_ended_by_itself_is_not_told() -> None:
    """Rules 11: neither by an event nor by the number of the move. p0 stops, or has nothing that follows."""
    p1, top = "02.3 05.2 07.1 09.2 11.1 12.1", "03.1"
    stopped = a_match(dealing("04.1 05.1 08.1 08.3 10.1 10.3", p1, top))
    by_itself = a_match(dealing("04.1 06.1 08.1 08.3 10.1 10.3", p1, top))
    for match in (stopped, by_itself):
        match.apply(match.legal_actions()[0])
    stopped.apply(stopped.legal_actions()[-1])
    assert (stopped.move, by_itself.move) == (2, 1)
    assert stopped.seat_to_act == by_itself.seat_to_act == 1
    assert ask(stopped) == ask(by_itself)
    assert stopped.state.legal_actions() == by_itself.state.legal_actions()
    seen = observe_in(stopped, 1)
    assert seen == observe_in(by_itself, 1)
    assert any(world.hands[0] & parse_cards("05.1") for world in (determinize(seen, Random(n)) for n in range(60)))


def observe_in(match: Match, seat: int) -> Any:
    assert isinstance(match.state, PokaState)
    return observe(match.state, seat)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("preset", "options"), VARIANTS)
@pytest.mark.parametrize("idle", [0.0, 0.9])
def test_a_reader_knows_all_that_its_seat_may_know(preset: str, options: dict[str, OptionValue], idle: float) -> None:
    """The typed observation built from dicts alone is the one built from the world."""
    rules = ruleset(preset, **options)
    for number in range(6):
        match = Match(rules, 2, seed_of("reader", preset, sorted(options), idle, number))
        readers, since, dice = [Reader(rules), POKA.reader(rules, 2)], [0, 0], Random(number)
        while not match.is_over:
            seat, state = match.seat_to_act, match.state
            assert isinstance(state, PokaState)
            obs = ask(match, since[seat])
            since[seat] = match.event_count
            typed = readers[seat].read(obs)
            assert typed == observe(state, seat)
            assert readers[seat].read(obs) == typed, "reading the same dict twice changes nothing"
            legal = match.legal_actions()
            match.apply(legal[-1] if dice.random() < idle else dice.choice(legal))
        assert len(readers[0].deal_ends) < match.deal


def test_a_reader_keeps_the_history_of_the_deal() -> None:
    sticky = dealing("04.1 04.2 06.1 06.2 08.1 08.2", "02.3 05.2 07.1 09.2 11.1 12.1", "03.1")
    match = a_match(sticky, dealing("04.1 05.1 08.1 08.3 10.1 10.3", "02.3 05.2 07.1 09.2 11.1 12.1", "03.1"))
    reader = Reader(match.ruleset)
    reader.read(ask(match))
    assert [event["deal_end"] for event in reader.deal_ends] == [1]
    assert reader.deal_ends[0]["reason"] == "triple_sticky"
    assert [event.get("deal") for event in reader.events] == [2]
    assert reader.shown == [None, None]


def test_a_reader_takes_in_void_teyaku_passes_and_reshuffles() -> None:
    match = a_match(dealing("01.1 01.3 01.4 05.1 06.2 07.3", "03.1 03.2 08.1 08.2 10.2 10.4", "11.1"))
    state, since = match.state, 0
    assert isinstance(state, PokaState)
    readers = [Reader(match.ruleset) for _ in range(2)]
    state.position = len(state.pile)
    state.discard = [*state.pile, *state.discard]
    for text in ("pass", "pass", ""):
        seat = match.seat_to_act
        typed = readers[seat].read(ask(match, since if seat == 0 else 0))
        since = match.event_count if seat == 0 else since
        assert typed == observe(state, seat)
        assert [shown and shown.kind.id for shown in typed.shown] == ["january_triplet", "triple_sticky"]
        if text:
            match.apply(PASS)
    assert (readers[0].reshuffles, typed.reshuffles) == (1, 1)
    december = parse_cards("12.1 12.2 12.3 12.4")
    assert typed.lacks == (december, december)


# sampling
# sampling
def test_a_pass_shows_what_a_hand_does_not_hold() -> None:
    state = full(a_table(top="06.3", p0="10.1 11.1 03.1", p1="09.1 08.1 05.1", pile="03.2 04.1"))
    run(state, "pass")
    for world in worlds(state, 1):
        assert not world.hands[0] & parse_cards("07.1 07.2 07.3 07.4")
    held = 0
    for world in worlds(state, 1, 400):
        held |= world.hands[0]
    assert held & parse_cards("01.1 01.2 02.1") == parse_cards("01.1 01.2 02.1"), "a ghost does not force"
    run(state, "pass pass")
    for world in worlds(state, 1):
        assert not world.hands[0] & parse_cards("07.1 07.2 07.3 07.4 04.1 04.2 04.3 04.4")


def test_late_passes_show_that_a_hand_has_no_ghost() -> None:
    state = full(a_table(top="06.3", p0="10.1 11.1 03.1", p1="09.1 08.1 05.1", pile="02.2 04.1"))
    state.reshuffles = 3
    run(state, "pass")
    assert state.lacks == [parse_cards("07.1 07.2 07.3 07.4 01.1 01.2 02.1"), 0]
    state.reshuffles = 2
    state.lacks = [0, 0]
    run(state, "pass")
    assert state.lacks == [0, parse_cards("07.1 07.2 07.3 07.4")]


def test_after_a_reshuffle_the_pile_is_known_and_so_is_the_hand() -> None:
    state = full(a_table(top="06.3", p0="10.1 11.1 03.1", p1="10.2 08.1 05.1"))
    state.discard = [*state.pile, *state.discard]
    state.position = len(state.pile)
    run(state, "pass pass")
    obs = observe(state, 1)
    assert obs.pile is not None
    assert codes(obs.pile) == sorted(codes(sum(1 << card for card in state.hidden())))
    assert obs.pile.bit_count() == state.pile_left == 40
    assert POKA.observation(state, 1)["pile"] == codes(obs.pile)
    assert all(world.hands[0] == state.hands[0] for world in worlds(state, 1))
    orders = {world.hidden() for world in worlds(state, 1)}
    assert len(orders) == 100, "its order is not"


def test_void_teyaku_stay_known_until_played() -> None:
    match = a_match(dealing("01.1 01.3 01.4 05.1 06.2 07.3", "03.1 03.2 08.1 08.2 09.1 09.4", "10.1"))
    state = match.state
    assert isinstance(state, PokaState)
    for world in worlds(state, 1, 300):
        assert world.hands[0] & parse_cards("01.1 01.3 01.4") == parse_cards("01.1 01.3 01.4")
        assert not world.hands[0] & parse_cards("01.2"), "exactly three Januaries"
        found = teyaku_of(world.hands[0])
        assert found is not None
        assert found.kind.id == "january_triplet"
    assert all(world.hands[1] == state.hands[1] for world in worlds(state, 0)), "a Triple Sticky shows all six"
    run(state, "01.1 stop")
    for world in worlds(state, 1):
        assert world.hands[0] & parse_cards("01.1 01.3 01.4") == parse_cards("01.3 01.4")


def test_no_world_had_a_teyaku_that_nobody_saw() -> None:
    """Also with what was discarded since: p1 has laid three of a month, so it held no fourth."""
    state = full(a_table(top="03.3 04.1", p0="12.1 12.2", p1="11.1 10.1 09.1"))
    state.played = [0, parse_cards("01.3 01.4")]
    state.discard = [*(card for card in range(48) if state.played[1] >> card & 1), *state.discard]
    state.pile = tuple(card for card in state.pile if not state.played[1] >> card & 1)
    assert is_partition(state)
    for world in worlds(state, 0, 500):
        assert teyaku_of(world.hands[1] | world.played[1]) is None
        assert (world.hands[1] & parse_cards("01.1 01.2")).bit_count() == 0


def test_while_the_other_seat_is_in_its_turn_it_can_go_on() -> None:
    state = full(a_table(top="06.3", p0="07.1 08.2 12.1 12.2", p1="09.1 08.1 05.1"))
    run(state, "07.1")
    for world in worlds(state, 1, 60):
        assert world.hands[0] & parse_cards("08.1 08.2 08.3 08.4 01.1 01.2 02.1")
        assert observe(world, 1) == observe(state, 1)
    state = full(a_table(top="01.3", p0="01.4 02.2 12.1 12.2", p1="09.1 08.1 05.1"))
    run(state, "01.4")
    for world in worlds(state, 1, 60):
        assert world.owes
        assert world.hands[0] & parse_cards("02.1 02.2 02.3 02.4")
    assert all(world.hands[0].bit_count() == 3 for world in worlds(state, 1, 10))


@pytest.mark.parametrize("text", ["01.4", "02.2", "01.2", "01.2 01.4"])
@pytest.mark.parametrize("dump", [False, True])
def test_a_world_goes_on_from_the_middle_of_a_turn(text: str, dump: bool) -> None:
    state = full(a_table(top="05.1 06.1 01.3", p0="01.4 02.2 01.2 02.3 03.1", p1="09.1", same_month_dump=dump))
    run(state, text)
    for world in worlds(state, 0, 5):
        assert world.legal_actions() == state.legal_actions()
        assert (world.owes, world.dumping, world.laid) == (state.owes, state.dumping, state.laid)


def test_a_world_is_no_copy_of_the_real_one() -> None:
    state = full(a_table(top="06.3", p0="10.1 11.1 03.1", p1="10.2 08.1 05.1"))
    assert len({world.hidden() for world in worlds(state, 0)} - {state.hidden()}) == 100
    orders = [world.copy().shuffle("reshuffle", 0, 2**40 - 1) for world in worlds(state, 0, 10) for _ in range(2)]
    assert orders[::2] == orders[1::2], "copies of a world shuffle alike"
    assert len(set(orders)) == 10


@pytest.mark.parametrize("change", [{"pile_size": 3}, {"hand": 0}, {"hand_sizes": (3, 9)}, {"lacks": (0, 2**48 - 1)}])
def test_an_impossible_observation_is_refused(change: dict[str, Any]) -> None:
    state = full(a_table(top="06.3", p0="10.1 11.1 03.1", p1="10.2 08.1 05.1"))
    with pytest.raises(NoWorld, match="do not add up"):
        determinize(replace(observe(state, 0), **change), Random(1))


@pytest.mark.thorough
def test_an_observation_that_no_world_fits_is_refused() -> None:
    state = full(a_table(top="06.3", p0="10.1 11.1 03.1", p1="10.2 08.1 05.1"))
    played = (0, parse_cards("12.1 12.2 12.3 12.4"))
    with pytest.raises(NoWorld, match="No world fits"):
        determinize(replace(observe(state, 0), played=played), Random(1))


def test_a_sampled_world_counts_the_moves_told_for_both_seats() -> None:
    state = fresh_deal(ruleset("poka5"), seed_of("told"))
    assert (state.reason, state.winner, state.moves_seen) == ("", -1, [0, 0])
    state.apply(state.legal_actions()[0])
    seat = state.turn
    world = determinize(observe(state, seat), Random(2))
    assert world.moves_seen == [state.moves_seen[seat]] * 2
