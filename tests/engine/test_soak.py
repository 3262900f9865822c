"""100,000 random deals over every preset, number of seats and seating, each match written down and verified.

Minutes long, so it runs with `make test-slow`. What is looked at closely is in the ten thousand deals of every run.
"""

from __future__ import annotations

from random import Random
from typing import Final

import pytest

from engine.deck import commitment
from engine.errors import EngineError
from engine.games import PRESETS, ruleset
from engine.match import Match
from engine.record import verify, write
from tests.engine.worlds import seed_of

DEALS: Final = 100_000
TEAMS: Final = ("solo", "2x2", "3x2", "2x3")


def seatings(preset: str) -> list[tuple[int, str]]:
    """Every number of seats with every seating that the preset's game allows."""
    allowed = []
    for seats in range(2, 8):
        for teams in TEAMS:
            options = {} if teams == "solo" else {"teams": teams}
            try:
                ruleset(preset, **options).sides(seats)
            except EngineError:
                continue
            allowed.append((seats, teams))
    return allowed


CASES: Final = [(preset, seats, teams) for preset in PRESETS for seats, teams in seatings(preset)]


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("preset", "seats", "teams"), CASES)
def test_random_matches_end_and_verify(preset: str, seats: int, teams: str) -> None:
    rules = ruleset(preset, **({} if teams == "solo" else {"teams": teams}))
    wanted, dealt, number = -(-DEALS // len(CASES)), 0, 0
    while dealt < wanted:
        number += 1
        dealt += soaked(Match(rules, seats, seed_of("soak", preset, seats, teams, number)), preset, number)


def soaked(match: Match, preset: str, number: int) -> int:
    """Play a match at random, write its record and verify it with the seed. Returns the number of its deals."""
    seed = seed_of("soak", preset, match.seats, _teams(match), number)
    rng = Random(seed)
    while not match.is_over:
        legal = match.legal_actions()
        assert legal, "somebody must decide, but nothing is legal"
        match.apply(rng.choice(legal))
    assert not match.legal_actions()
    fair = {"stage": "sha256:00", "commit": commitment(seed), "deal_set": "d", "leg": 1}
    document = write(match, match_id="m", fair=fair, bots=[None] * match.seats, preset=preset)
    found = verify(document, seed=seed)
    assert found.ok, (number, found)
    return len(match.deals)


def _teams(match: Match) -> str:
    return str(getattr(match.ruleset.options, "teams", "solo"))


def test_every_preset_is_soaked() -> None:
    assert {preset for preset, _, _ in CASES} == set(PRESETS)
    assert len(CASES) >= 9 * len([preset for preset in PRESETS.values() if preset.game == "sakura"])
