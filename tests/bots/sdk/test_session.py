"""One bot's own state: random numbers, files, and the history it is handed piece by piece."""

from __future__ import annotations

from typing import Any

import pytest

import bots.sdk
from bots.sdk import Session, module_for
from engine.errors import BadSeating
from engine.games import ruleset
from engine.match import Match

HELLO = {"rng": "00" * 15 + "07", "ruleset": ruleset("hawaii").to_json(), "seats": 2}


def observed(match: Match, since: int = 0) -> dict[str, Any]:
    return match.observation(match.seat_to_act, match_id="m1", preset="hawaii", since=since, ms_left=100)


def begun(**changes: object) -> Session:
    session = Session()
    session.begin(HELLO | changes, {"bot.py": b"", "tables/a.json": b"[1]"})
    return session


def test_rng_depends_on_hello_alone() -> None:
    assert begun().rng.random() == begun().rng.random()
    assert begun().rng.random() != begun(rng="ff" * 16).rng.random()


def test_assets_are_the_uploaded_files() -> None:
    assert begun().asset("tables/a.json") == b"[1]"
    with pytest.raises(FileNotFoundError, match=r"bot\.py, tables/a\.json"):
        begun().asset("/etc/passwd")


def test_each_bot_has_a_hanami_of_its_own() -> None:
    one, other = begun(), begun()
    modules = module_for(one), module_for(other)
    assert modules[0].rng is one.rng is not modules[1].rng
    assert modules[0].YAKU is bots.sdk.YAKU
    assert all(hasattr(modules[0], name) for name in bots.sdk.__all__)


def test_the_history_is_kept_even_when_the_bot_does_not_read_it() -> None:
    match = Match(ruleset("hawaii"), 2, bytes(16))
    seat, seen, session = match.seat_to_act, 0, begun()
    while match.deal == 1:
        if match.seat_to_act == seat:
            obs = observed(match, seen)
            seen = match.event_count
            session.note(obs)
            session.note(obs)
            last = obs
        match.apply(match.legal_actions()[0])
    view = session.read(last)
    assert list(view.history) == match.events[: len(view.history)]
    assert len(view.history) == last["move"]


def test_a_stored_observation_is_read_without_a_hello() -> None:
    for teams, seats in (("solo", 5), ("2x2", 4), ("3x2", 6), ("2x3", 6)):
        match = Match(ruleset("hawaii", teams=teams), seats, bytes(16))
        assert Session().read(observed(match)).ruleset == match.ruleset
    odd = observed(Match(ruleset("hawaii"), 3, bytes(16))) | {"sides": [0, 0, 1]}
    with pytest.raises(BadSeating):
        Session().read(odd)
