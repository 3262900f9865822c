"""Observations of a seat, and what it can make of them. rules.md 3.6 and 11, site.md 6."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from engine.action import Action
from engine.cards import ALL, codes, parse_cards, set_of
from engine.errors import NoWorld
from engine.game import OptionValue, game_of
from engine.games import ruleset
from engine.games.sakura.history import Reader
from engine.games.sakura.observation import determinize, observe
from engine.games.sakura.state import SakuraState
from engine.match import Match
from tests.engine.worlds import (
    SAKURA_PRESETS,
    VARIANTS,
    a_world,
    choice,
    contents,
    draw_take,
    is_partition,
    play,
    seed_of,
)

KEYS = [
    "v",
    "match",
    "deal",
    "move",
    "phase",
    "me",
    "preset",
    "sides",
    "dealer",
    "hand",
    "hand_n",
    "field",
    "tray",
    "pile_n",
    "mult",
    "gaji",
    "total",
    "ms_left",
    "since",
    "legal",
]


def ask(match: Match, since: int = 0, seat: int | None = None) -> dict[str, Any]:
    seat = match.seat_to_act if seat is None else seat
    return match.observation(seat, match_id="m1", preset="hawaii", since=since, ms_left=1100)


def test_the_keys_and_what_they_hold() -> None:
    match = Match(ruleset("hawaii", teams="2x2"), 4, seed_of("keys"))
    obs = ask(match)
    state = match.state
    assert isinstance(state, SakuraState)
    assert list(obs) == KEYS
    assert (obs["v"], obs["match"], obs["deal"], obs["move"], obs["phase"]) == (1, "m1", 1, 1, "hand")
    assert obs["me"] == obs["dealer"] == f"p{match.dealer}"
    assert obs["sides"] == [0, 1, 0, 1]
    assert obs["hand"] == codes(state.hands[match.dealer])
    assert obs["hand_n"] == [5, 5, 5, 5]
    assert obs["pile_n"] == 20
    assert obs["total"] == [0, 0]
    assert obs["ms_left"] == 1100
    assert obs["since"] == [{"deal": 1, "dealer": f"p{match.dealer}", "field": obs["field"]}]
    assert obs["legal"] == [action.to_json() for action in match.legal_actions()]
    assert len(json.dumps(obs)) < 64 * 1024


def test_only_the_seat_to_act_has_legal_actions() -> None:
    match = Match(ruleset("hawaii"), 3, seed_of("waiting"))
    assert ask(match, seat=(match.dealer + 1) % 3)["legal"] == []


def test_since_tells_plays_flips_and_deal_ends() -> None:
    match = Match(ruleset("hawaii", rounds=2), 2, seed_of("since"))
    seen = match.event_count
    while match.deal == 1:
        match.apply(match.legal_actions()[0])
    since = ask(match, seen)["since"]
    first = since[0]
    assert list(first)[:2] == ["by", "play"]
    assert first["flip"] in {code for order in match.deals[0].orders for code in codes(1 << order[24])}
    assert [next(iter(event)) for event in since[-2:]] == ["deal_end", "deal"]
    assert since[-2]["score"] == match.totals
    assert sum("flip" in event for event in since) == 24


def test_the_total_is_what_decides_the_match() -> None:
    match = Match(ruleset("paradise", rounds=2), 2, seed_of("victories"))
    while match.deal == 1:
        match.apply(match.legal_actions()[0])
    assert ask(match)["total"] == match.victories != match.totals


def test_the_gaji_use_is_public() -> None:
    state = a_world(preset="enwiki2020", p0="11.4 05.1", p1="02.1", field="03.1", pile="07.4 12.1")
    table = game_of("sakura").observation
    assert table(state, 1)["gaji"] is None
    state.apply(play("11.4", "03.1"))
    assert table(state, 1)["gaji"] == {"by": "p0", "month": 3, "open": True}


CASES: list[tuple[str, Mapping[str, OptionValue]]] = [(preset, {}) for preset in SAKURA_PRESETS]
CASES += [("hawaii", variant) for variant in VARIANTS]


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("preset", "options"), CASES)
@pytest.mark.parametrize(("seats", "teams"), [(2, "solo"), (3, "solo"), (6, "2x3")])
def test_a_reader_knows_all_that_its_seat_may_know(
    preset: str, options: Mapping[str, OptionValue], seats: int, teams: str
) -> None:
    """The typed observation built from dicts alone is the one built from the world."""
    rules = ruleset(preset, **{**options, "teams": teams, "rounds": 8})
    match = Match(rules, seats, seed_of("reader", preset, sorted(options), seats))
    readers, since, dice = [Reader(rules, seats) for _ in range(seats)], [0] * seats, Random(3)
    while not match.is_over:
        seat, state = match.seat_to_act, match.state
        assert isinstance(state, SakuraState)
        obs = json.loads(json.dumps(ask(match, since[seat])))
        since[seat] = match.event_count
        typed = readers[seat].read(obs)
        assert typed == observe(state, seat)
        assert readers[seat].read(obs) == typed, "reading the same dict twice changes nothing"
        match.apply(dice.choice(match.legal_actions()))
    assert len(readers[0].deal_ends) <= 8


def worlds(state: SakuraState, seat: int, count: int = 200) -> list[SakuraState]:
    dice = Random(7)
    return [determinize(observe(state, seat), dice) for _ in range(count)]


def full(state: SakuraState) -> SakuraState:
    """The position with all cards that it does not name at the bottom of the pile."""
    named = state.field | set_of(codes(sum(state.hands) | sum(state.captured)))
    rest = [card for card in range(48) if not named >> card & 1 and card not in state.pile]
    state.pile = (*state.pile, *rest)
    assert is_partition(state)
    return state


def test_an_unblocked_capture_rules_worlds_out() -> None:
    """owner_captures: after the Gaji took 06.1 in peace, nobody else holds 06.4, the rest of the month."""
    state = full(a_world(p0="11.4 02.1 03.1", p1="05.1 07.1 09.1", field="06.1 06.2 06.3 08.1", pile="07.4 06.4"))
    state.apply(play("11.4", "06.1"))
    assert state.clear == parse_cards("06.4")
    assert not any(world.hands[1] & parse_cards("06.4") for world in worlds(state, 0))


def test_what_was_played_since_counts_as_held_then() -> None:
    state = full(a_world(p0="11.4 02.1 03.1", p1="05.3 05.1 09.1", field="05.4 08.1", pile="07.4 12.4 01.4"))
    state.apply(play("11.4", "05.4"))
    state.apply(play("05.3"))
    missing = parse_cards("05.1 05.2 05.3")
    for world in worlds(state, 0):
        assert (world.hands[1] | world.played[1]) & missing != missing


def test_other_worlds_all_occur() -> None:
    state = full(a_world(p0="11.4 02.1 03.1", p1="05.1 07.1 09.1", field="06.1 06.2 08.1", pile="07.4 06.4"))
    state.apply(play("11.4", "06.1"))
    seen = 0
    for world in worlds(state, 0):
        seen |= world.hands[1]
    unseen = ALL & ~(state.hands[0] | state.field | state.captured[0])
    assert seen == unseen
    assert any(world.hands[1] & parse_cards("06.3") for world in worlds(state, 0))


def test_a_forbidden_card_is_known_to_be_in_its_hand() -> None:
    state = full(
        a_world(preset="french", p0="11.4 02.1", p1="06.4 05.1", field="06.1 06.2 06.3 08.4", pile="07.4 12.1")
    )
    state.apply(play("11.4", "06.2"))
    assert all(world.hands[1] & parse_cards("06.4") for world in worlds(state, 0, 30))
    state.apply(choice("08.4"))
    assert all(world.hands[1] & parse_cards("06.4") for world in worlds(state, 0, 30))


def test_a_returned_gaji_is_known_to_be_in_its_hand() -> None:
    options = {"blocked_gaji": "retarget_leave_or_return"}
    state = full(
        a_world(p0="11.4 02.1 04.1", p1="03.3 03.4 05.1", field="03.1 03.2 01.4", pile="07.4 12.1", options=options)
    )
    state.apply(play("11.4", "03.1"))
    state.apply(choice("return"))
    state.apply(play("02.1"))
    assert all(world.hands[0] & parse_cards("11.4") for world in worlds(state, 1, 30))


def test_no_french_world_had_a_deal_hand() -> None:
    state = full(
        a_world(preset="french", p0="01.1 02.1 03.1 04.1", p1="05.1 06.1 07.1 08.1", field="09.1", pile="07.4 12.1")
    )
    for world in worlds(state, 0, 300):
        assert all((world.hands[1] >> 4 * month & 15) != 15 for month in range(12))


def test_a_sample_is_the_games_own_too() -> None:
    state = full(a_world(p0="11.4 02.1", p1="05.1 06.1", field="03.1", pile="07.4"))
    own, found = game_of("sakura"), determinize(observe(state, 0), Random(4))
    sample = own.determinize(own.observe(state, 0), Random(4))
    assert isinstance(sample, SakuraState)
    assert contents(sample) == contents(found)


def test_an_impossible_observation_is_refused() -> None:
    state = full(a_world(p0="11.4 02.1", p1="05.1 06.1", field="03.1", pile="07.4"))
    with pytest.raises(NoWorld, match="do not add up"):
        determinize(observe(state, 0)._replace(pile_size=3), Random(1))


def read_along(state: SakuraState, *actions: Action) -> Reader:
    """Do actions; the events of each turn, read one after another, give what the world knows."""
    reader, game = Reader(state.rules.ruleset, 2), game_of("sakura")
    told: list[Any] = [{"deal": 1, "dealer": "p0", "field": codes(state.field)}]
    for number, action in enumerate(actions, 1):
        told.append(dict(game.play(state, action).event))
        seat = state.seat_to_act
        seen: Any = {"match": "m", "deal": 1, "move": number, "me": f"p{seat}", "dealer": "p0", "since": told}
        seen["legal"] = [listed.to_json() for listed in state.legal_actions()]
        assert reader.read({**game.observation(state, seat), **seen}) == observe(state, seat)
        told = []
    return reader


def test_a_reader_is_told_of_forbidden_months_and_returned_gajis() -> None:
    options: dict[str, OptionValue] = {"hiki_block": "forbid_triple", "blocked_gaji": "retarget_leave_or_return"}
    field = "03.1 03.2 03.3 06.1 06.2 06.3"
    state = full(a_world(p0="11.4 02.1 04.1", p1="03.4 06.4", field=field, pile="07.4", options=options))
    reader = read_along(state, play("11.4", "06.2"), choice("03.1"), choice("return"), play("02.1"))
    assert (codes(reader.known[0]), codes(reader.known[1])) == (["11.4"], ["03.4", "06.4"])


def test_a_reader_knows_whether_a_blocked_gaji_was_turned_up() -> None:
    options: dict[str, OptionValue] = {"hiki_block": "forbid_triple", "gaji_from_pile": "wild"}
    field = "06.1 06.2 06.3 08.4"
    state = full(a_world(p0="02.1 04.1", p1="06.4 05.1", field=field, pile="11.4 07.4", options=options))
    read_along(state, play("02.1"), draw_take("06.1"))
    assert (state.phase, state.pending_flip) == ("gaji_blocked", True)


def test_only_where_deal_hands_count_is_a_hidden_one_ruled_out() -> None:
    """Eight unseen cards of two months, four of them in the other hand: four of a month are common there."""
    january, february = parse_cards("01.1 01.2 01.3 01.4"), parse_cards("02.1 02.2 02.3 02.4")
    for preset, occurs in (("hawaii", True), ("french", False)):
        state = a_world(preset=preset, p1="01.1 01.2 02.1 02.2", p0="12.1", pile="01.3 01.4 02.3 02.4", field="03.1")
        state.captured[0] = ALL & ~(january | february | state.hands[0] | state.field)
        hands = {world.hands[1] for world in worlds(state, 0, 400)}
        assert (not hands.isdisjoint({january, february})) is occurs


def test_sampled_hands_have_their_sizes_with_known_cards_in_them() -> None:
    state = full(
        a_world(preset="french", p0="11.4 02.1", p1="06.4 05.1", field="06.1 06.2 06.3 08.4", pile="07.4 12.1")
    )
    state.apply(play("11.4", "06.2"))
    state.apply(choice("08.4"))
    for world in worlds(state, 0, 30):
        assert [hand.bit_count() for hand in world.hands] == [1, 2]
        assert is_partition(world)


def test_a_reader_adds_the_cards_of_a_block_to_those_played_before() -> None:
    state = full(
        a_world(p0="05.1 11.4 02.1", p1="07.3 03.3 03.4", field="03.1 03.2 08.1", pile="09.4 12.1 10.1", turn=1)
    )
    reader, game = Reader(ruleset("hawaii"), 2), game_of("sakura")
    told: list[Any] = [{"deal": 1, "dealer": "p0", "field": codes(state.field)}]
    told += [dict(game.play(state, action).event) for action in (play("07.3"), play("11.4", "03.1"))]
    seen: Any = {"match": "m", "deal": 1, "move": 3, "me": "p0", "dealer": "p0", "since": told}
    seen["legal"] = [listed.to_json() for listed in state.legal_actions()]
    assert reader.read({**game.observation(state, 0), **seen}) == observe(state, 0)
    assert codes(reader.played[1]) == ["03.3", "03.4", "07.3"]
