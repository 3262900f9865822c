"""2,000 random deals of Poka in whole matches, all presets and option values, lively and idle players.

Every few moves the deeper properties are looked at, as in `test_ten_thousand_deals`. Source: rules.md 10.
"""

from __future__ import annotations

import json
from random import Random
from typing import Final

import pytest

from engine.deck import commitment
from engine.game import OptionValue
from engine.games import ruleset
from engine.games.poka import POKA
from engine.games.poka.observation import determinize, observe
from engine.games.poka.options import PokaOptions
from engine.games.poka.state import PokaState
from engine.match import Match
from engine.record import canonical, rederive, verify, write
from tests.engine.poka.tables import VARIANTS, is_partition
from tests.engine.worlds import seed_of

IDLE: Final = (0.0, 0.6, 0.97)
"""How often a seat stops or passes where it may: at 0.97 piles are formed again, and at last ghosts force."""
DEALS: Final = 2_000
SHARE: Final = -(-DEALS // (len(VARIANTS) * len(IDLE)))


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("idle", IDLE)
@pytest.mark.parametrize(("preset", "options"), VARIANTS, ids=lambda value: value if isinstance(value, str) else None)
def test_random_deals(preset: str, options: dict[str, OptionValue], idle: float) -> None:
    rules, deals, number = ruleset(preset, **options), 0, 0
    while deals < SHARE:
        seed = seed_of(preset, sorted(options), idle, number)
        match = Match(rules, 2, seed)
        _play(match, Random(seed), idle)
        _check_totals(match)
        if number % 4 == 0:
            _check_record(match, seed, preset)
        deals, number = deals + match.deal, number + 1


def _play(match: Match, dice: Random, idle: float) -> None:
    while not match.is_over:
        state = match.state
        assert isinstance(state, PokaState)
        assert is_partition(state)
        legal = match.legal_actions()
        assert legal, "somebody must decide, but nothing is legal"
        if dice.random() < 0.03:
            for seat in (0, 1):
                world = determinize(observe(state, seat), dice)
                assert is_partition(world)
                assert observe(world, seat) == observe(state, seat)
        match.apply(legal[-1] if dice.random() < idle else dice.choice(legal))


def _check_totals(match: Match) -> None:
    """Totals are the points of the deals; the match goes on while the target is open, and the best side wins."""
    options = match.ruleset.options
    assert isinstance(options, PokaOptions)
    totals, dealer = [0, 0], match.deals[0].dealer
    for log in match.deals:
        assert max(totals) < options.target
        assert log.dealer == dealer
        assert log.outcome is not None
        assert log.outcome.winner is not None
        totals = [held + won for held, won in zip(totals, log.outcome.score, strict=True)]
        dealer = log.outcome.winner
    assert totals == match.totals
    won = match.deals[-1].outcome
    assert won is not None
    assert won.ends_match or max(totals) >= options.target
    assert match.result().winners == (won.winner,)
    assert match.deal <= options.rounds


def _check_record(match: Match, seed: bytes, preset: str) -> None:
    """The record re-derives to the same bytes, from its own text as well, and verifies with the seed."""
    fair = {"stage": "sha256:00", "commit": commitment(seed), "deal_set": "d", "leg": 1}
    document = json.loads(json.dumps(write(match, match_id="m", fair=fair, bots=[None, None], preset=preset)))
    assert rederive(document) == canonical(document["record"])
    found = verify(document, seed=seed)
    assert found.ok, found


def test_every_option_value_is_played() -> None:
    used: dict[str, set[object]] = {info.id: set() for info in POKA.options}
    for preset, options in VARIANTS:
        played = ruleset(preset, **options).options
        for option, values in used.items():
            values.add(getattr(played, option))
    for info in POKA.options:
        assert set(info.allowed) <= used[info.id], info.id
