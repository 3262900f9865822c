"""The rehearsal before the first fork plays every game, and nothing of it is there for a bot to find."""

from __future__ import annotations

import sys

from bots.sdk import Session, loop, rehearsal
from engine.games import PRESETS


def test_it_loads_a_bot_for_each_game_and_has_it_answer() -> None:
    answered: list[tuple[str, bytes]] = []

    def answer(choose: object, session: Session, packet: bytes) -> bytes:
        assert callable(choose)
        answered.append((type(session).__name__, loop._answer(choose, session, packet)))
        return answered[-1][1]

    rehearsal.rehearse(lambda rng: None, answer)
    games = {preset.game for preset in PRESETS.values()}
    assert len(answered) == len(games) * rehearsal._TIMES * rehearsal._MOVES
    assert {said for _, said in answered} == {b'{"q":%d,"a":0}' % q for q in range(rehearsal._MOVES)}


def test_it_leaves_no_module_and_no_finder() -> None:
    loop.rehearse()  # which may import numpy here; the fork server has it already
    modules, finders, stdout = set(sys.modules), list(sys.meta_path), sys.stdout
    loop.rehearse()
    assert set(sys.modules) == modules
    assert "bot" not in modules
    assert sys.meta_path == finders
    assert sys.stdout is stdout
