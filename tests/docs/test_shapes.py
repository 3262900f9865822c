"""The table of types in the bot reference: every field of every observation has the type that stands there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from engine.cards import CODES, INDEX, card_set, set_of
from engine.game import game_of
from engine.games import PRESETS, ruleset
from engine.match import Match
from kit.hanami import read
from tests.docs.tables import rows
from tests.services.processes import ROOT

Obs = dict[str, Any]
GUIDE = (ROOT / "docs" / "06-bot-reference.md").read_text(encoding="utf-8")
NAMES = {"sakura": "Sakura", "oibana": "Oi-bana", "nuki": "Nuki", "poka": "Poka", "koikoi": "Koi-Koi"}


def is_integer(value: object) -> bool:
    return type(value) is int


def is_seat(value: object) -> bool:
    return isinstance(value, str) and re.fullmatch("p[0-6]", value) is not None


def is_code(value: object) -> bool:
    return value in CODES


def is_codes(value: object) -> bool:
    return isinstance(value, list) and all(map(is_code, value)) and value == sorted(value)


def is_gaji(value: object) -> bool:
    return isinstance(value, dict) and [type(value[key]) for key in ("by", "month", "open")] == [str, int, bool]


def is_answer(value: object) -> bool:
    return isinstance(value, list) and is_seat(value[0]) and value[1] in ("play", "drop")


def is_points(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(key, str) and is_integer(value[key]) for key in value)


def each(check: Callable[[object], bool], *counts: int) -> Callable[[object], bool]:
    """Return a check of a list whose entries pass it. counts: how many there may be; any number without."""
    return lambda value: (
        isinstance(value, list) and (not counts or len(value) in counts) and all(check(item) for item in value)
    )


def or_none(check: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: value is None or check(value)


def fits(kind: str, value: object, seats: int, sides: int) -> bool:
    """Return whether a value is of a type as the table writes it."""
    objects = each(lambda item: isinstance(item, dict))
    known: dict[str, Callable[[object], bool]] = {
        "integer": is_integer,
        "integer, the last two 0 or 1": is_integer,
        "text": lambda item: isinstance(item, str),
        "seat": is_seat,
        "seat or null": or_none(is_seat),
        "seats": each(is_seat),
        "seats, none or two": each(is_seat, 0, 2),
        "codes": is_codes,
        "code or null": or_none(is_code),
        "codes or null": or_none(is_codes),
        "codes per seat": each(is_codes, seats),
        "codes per side; in Oi-bana empty for those who do not play, in Poka always empty": each(is_codes, sides),
        "a list of card codes in the order of the pile": each(is_code),
        "integers per seat": each(is_integer, seats),
        "integers per side": each(is_integer, sides),
        "integers or null per seat": each(or_none(is_integer), seats),
        "two integers: doubled deals handed on to this deal, and by it": each(is_integer, 2),
        "true or false per seat": each(lambda item: isinstance(item, bool), seats),
        "objects": objects,
        "null, or objects, per seat": each(or_none(objects), seats),
        "objects per seat, from id to points; `{}` without one": each(is_points, seats),
        "pairs of seat and `\"play\"` or `\"drop\"`": each(is_answer),
        "object or null: `by` seat, `month` integer, `open` true or false": or_none(is_gaji),
    }  # fmt: skip
    return known[kind](value)


def types_of(game: str) -> dict[str, str]:
    """Return the type of each field in the observations of a game."""
    found: dict[str, str] = {}
    for games, fields, kind in rows(GUIDE, "| game | field | type |"):
        if games == "all" or NAMES[game] in games.split(", "):
            found |= dict.fromkeys(re.findall(r"`(\w+)`", fields), kind)
    return found


def observations(preset: str, seats: int) -> Iterator[Obs]:
    """What every seat is told at each decision of a short match."""
    match, dice = Match(ruleset(preset), seats, bytes([seats]) * 32), Random(seats)
    while not match.is_over and match.deal < 5:
        for seat in range(seats):
            yield match.observation(seat, match_id="m1", preset=preset, since=0, ms_left=1100)
        match.apply(dice.choice(match.legal_actions()))


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_field_is_of_its_type(preset: str) -> None:
    game = game_of(PRESETS[preset].game)
    types = types_of(game.id)
    for seats in (game.seat_range[0], game.seat_range[1]):
        sides = len(set(ruleset(preset).sides(seats)))
        for obs in observations(preset, seats):
            assert obs.keys() == types.keys()
            assert {name: obs[name] for name, kind in types.items() if not fits(kind, obs[name], seats, sides)} == {}


@pytest.mark.parametrize(
    ("preset", "seats"), [("hawaii", 3), ("oibana", 4), ("nuki88", 3), ("poka5", 2), ("koikoi_zoo", 2)]
)
def test_trays_and_others_are_as_it_says(preset: str, seats: int) -> None:
    for obs in list(observations(preset, seats))[: 40 * seats]:
        view = read(obs)
        assert view.trays == tuple(map(set_of, obs["tray"]))
        assert view.others == view.trays[: view.side] + view.trays[view.side + 1 :]
        assert view.mine == card_set(INDEX[code] for code in obs["tray"][view.side])
