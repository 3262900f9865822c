"""Rulesets: options as data, presets, canonical form, refusals."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.cards import ALL
from engine.errors import BadOption, BadSeating
from engine.game import OptionValue, Ruleset, game_of
from engine.games import GAMES, PRESETS, option_table, ruleset

HASHES = {
    "hawaii": "sha256:ab92200d794d8ca358bdbc3ed2a6aec11249062dcc9aa1a1accd9d68165cd365",
}
RULES_2: dict[str, dict[str, OptionValue]] = {
    "hawaii": {"rounds": 12, "hiki": "any_split", "round_end": "hands_and_pile", "scoring": "cumulative"},
    "paradise": {"scoring": "victories", "hiki": "any_split", "gaji_claim": "round_end_same_month"},
    "french": {
        "first_dealer_tie": "value_then_redraw", "field_quad": "void_round", "deal_hands": "teshi_kuttsuki",
        "hiki": "off", "hiki_block": "forbid_triple", "gaji_wild": "until_willow_captured", "gaji_on_triple": "all",
        "round_end": "hands_empty", "dealer_succession": "rotate", "gaji_claim": "round_end_same_month",
    },
    "enwiki2020": {
        "deal_pattern": "halves", "hiki": "off", "hiki_block": "off", "gaji_from_pile": "wild",
        "gaji_claim": "next_point_card", "gaji_wild": "from_hand", "round_end": "pile_or_hands",
        "dealer_succession": "winner",
    },
    "oibana": {
        "oibana_payment": "loser_bid", "bid_min": 1, "bid_max": 100, "basa": False, "chu": False, "rounds": 12,
        "hiki": "any_split", "field_quad": "dealer_captures", "dealer_succession": "winner",
    },
    "nuki88": {
        "first_dealer_tie": "rank_then_redraw", "mizuten": False, "require_two_players": False,
        "dropout_penalty": "off", "forced_out_compensation": "off", "diving_scope": "contains_triplet", "rounds": 12,
    },
    "poka5": {"target": 5, "one_two": True, "same_month_dump": False, "first_dealer_tie": "redraw"},
    "poka3": {"target": 3, "one_two": True, "same_month_dump": False, "first_dealer_tie": "redraw"},
    "koikoi_nintendo": {
        "deal_pattern": "twos", "koikoi_limit": "once", "seven_double": True, "koikoi_bonus": "opponent_double",
        "exhausted": "nothing", "after_draw": "other", "zero_sum": False, "rounds": 12, "stake": 0, "target": 0,
    },
    "koikoi_fuda": {
        "deal_pattern": "fours", "brights": "fuda", "month_cards": True, "koikoi_limit": "many", "after_draw": "same",
        "first_dealer_tie": "rank_then_redraw", "sets": "grow", "viewing": "five",
    },
    "koikoi_zoo": {
        "deal_pattern": "packets", "field_pairs": "play", "teshi": "redeal", "kuttsuki": "play", "sets": "stack_bonus",
        "viewing": "one_three", "koikoi_bonus": "ladder", "exhausted": "dealer_1", "zero_sum": True, "rounds": 8,
        "stake": 30,
    },
}  # fmt: skip
CHANGED: dict[str, dict[str, OptionValue]] = {
    "sakura": {"teams": "2x2", "basa": True},
    "oibana": {"oibana_payment": "winner_bid", "bid_max": 50, "basa": True, "hiki_block": "off"},
    "nuki": {"mizuten": True, "dropout_penalty": "hachi", "diving_scope": "triplet_only"},
    "poka": {"target": 7, "one_two": False},
    "koikoi": {"viewing": "with_other", "zero_sum": False, "target": 50, "teyaku_stack": True},
}


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_has_the_values_of_the_table(preset: str) -> None:
    options = ruleset(preset).options
    for option, value in RULES_2[preset].items():
        assert getattr(options, option) == value, option


@pytest.mark.parametrize(("preset", "expected"), HASHES.items())
def test_a_hash_never_changes(preset: str, expected: str) -> None:
    assert ruleset(preset).hash == expected


@pytest.mark.parametrize("preset", PRESETS)
def test_a_ruleset_survives_its_json(preset: str) -> None:
    game = PRESETS[preset].game
    rules = ruleset(preset, **CHANGED.get(game, {}))
    again = Ruleset.from_json(json.loads(rules.canonical()))
    assert again == rules
    assert again.hash == rules.hash
    assert set(json.loads(rules.canonical())["options"]) == {info.id for info in option_table(game)}


def test_the_number_of_seats_and_the_preset_are_not_in_it() -> None:
    assert set(ruleset("hawaii").to_json()) == {"game", "options"}
    assert ruleset("paradise") == ruleset("hawaii", scoring="victories")


def test_every_option_value_is_explained() -> None:
    for info in option_table("sakura"):
        assert info.meaning
        assert info.source
        assert len(info.meanings) == len(info.allowed)
        assert info.kind == "number" or info.default in info.allowed


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"hikki": "off"}, "hikki"),
        ({"hiki": "on"}, "any_split, off"),
        ({"hiki": True}, "hiki"),
        ({"hiki": None}, "hiki"),
        ({"rounds": 0}, "from 1"),
        ({"rounds": "12"}, "rounds"),
        ({"rounds": True}, "rounds"),
        ({"rounds": 1.0}, "rounds"),
        ({"yaku_penalty": -1}, "from 0"),
        ({"basa": "yes"}, "true or false"),
        ({"basa": 2}, "true or false"),
        ({3: 4}, "no option 3"),
    ],
)
def test_an_unknown_option_or_value_is_named(options: dict[Any, Any], named: str) -> None:
    with pytest.raises(BadOption, match=named) as caught:
        Ruleset.from_json({"game": "sakura", "options": options})
    assert caught.value.code == "BAD_OPTION"


@pytest.mark.parametrize(
    "value",
    [None, 3, "hawaii", [], {}, {"game": "sakura"}, {"game": "chess", "options": {}}, {"game": None, "options": {}},
     {"game": "sakura", "options": []}, {"game": "sakura", "options": {}, "preset": "hawaii"},
     {"game": "sakura", "options": {}, "hash": "sha256:00"}],
)  # fmt: skip
def test_what_is_no_ruleset_is_refused(value: object) -> None:
    with pytest.raises(BadOption):
        Ruleset.from_json(value)


def test_an_unknown_preset_is_refused() -> None:
    with pytest.raises(BadOption, match="hawaii, paradise, french, enwiki2020"):
        ruleset("havaii")


@pytest.mark.parametrize(
    ("teams", "seats", "sides"),
    [
        ("2x2", 4, (0, 1, 0, 1)),
        ("3x2", 6, (0, 1, 2, 0, 1, 2)),
        ("2x3", 6, (0, 1, 0, 1, 0, 1)),
        ("solo", 7, (0, 1, 2, 3, 4, 5, 6)),
    ],
)
def test_seatings(teams: str, seats: int, sides: tuple[int, ...]) -> None:
    assert ruleset("hawaii", teams=teams).sides(seats) == sides


@pytest.mark.parametrize(
    ("teams", "seats"),
    [("solo", 1), ("solo", 8), ("solo", 0), ("2x2", 2), ("2x2", 6), ("3x2", 4), ("2x3", 4), ("2x2", 5), ("2x3", 7)],
)
def test_other_seatings_are_refused(teams: str, seats: int) -> None:
    with pytest.raises(BadSeating) as caught:
        ruleset("hawaii", teams=teams).sides(seats)
    assert caught.value.code == "BAD_SEATING"


@pytest.mark.parametrize("name", GAMES)
def test_every_game_keeps_the_contract(name: str) -> None:
    game = game_of(name)
    assert game.id == name
    assert game.deck & ~ALL == 0
    assert {preset.id for preset in game.presets} <= set(PRESETS)
    low, high = game.seat_range
    for preset in game.presets:
        assert ruleset(preset.id).sides(low)
        assert ruleset(preset.id).sides(high)
