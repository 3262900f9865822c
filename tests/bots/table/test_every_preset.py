"""Every preset at the real table, at its smallest and largest: bots that only read what they are sent play it out."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from bots.runner.inprocess import InProcessLauncher
from bots.runner.table import play
from engine.game import game_of
from engine.games import PRESETS, option_table, ruleset
from engine.record import verify
from tests.bots.matches import LAST, a_spec

RANDOM = "import hanami\n\ndef choose(obs):\n    return hanami.rng.choice(obs['legal'])\n"
SEATINGS = [(name, seats) for name, preset in PRESETS.items() for seats in game_of(preset.game).seat_range]


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("preset", "seats"), dict.fromkeys(SEATINGS))
def test_a_match_of_bots_proves_itself(preset: str, seats: int) -> None:
    has_rounds = any(info.id == "rounds" for info in option_table(PRESETS[preset].game))
    spec = a_spec(*([RANDOM] * (seats - 1)), LAST, preset=preset)
    if has_rounds:
        spec = replace(spec, ruleset=ruleset(preset, rounds=2))
    played = play(spec, InProcessLauncher())
    assert not played.forfeits
    assert verify(json.loads(json.dumps(played.document)), seed=spec.seed).ok
