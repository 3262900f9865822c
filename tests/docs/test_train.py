"""The tables of numbers and shapes of the guide for researchers are those of the engine."""

from __future__ import annotations

from engine.actions import space_of, table_of
from engine.environments.setup import seatings
from engine.games import ruleset
from engine.tensors import tensors_of
from tests.docs.tables import rows
from tests.services.processes import ROOT

GUIDE = (ROOT / "docs" / "22-train-on-the-engine.md").read_text(encoding="utf-8")


def test_the_numbers_of_every_game_are_in_the_table() -> None:
    first = {ruleset(preset).game: preset for preset, _ in reversed(seatings())}
    found = {game: ruleset(preset) for game, preset in first.items()}
    expected = [
        [
            f"`{game}`",
            f"{len(table_of(game).actions):,}",
            str(space_of(rules).size),
            str(space_of(rules, stepwise=True).size),
            f"`{table_of(game).hash.removeprefix('sha256:')[:16]}`",
        ]
        for game, rules in found.items()
    ]
    written = [[*row[:2], row[2].partition(":")[0], *row[3:]] for row in rows(GUIDE, "## Numbers of actions")]
    assert sorted(written) == sorted(expected)


def test_the_shapes_of_every_game_are_in_the_table() -> None:
    expected = set()
    for preset, seats in seatings():
        layout = tensors_of(ruleset(preset), seats).layout
        shape = (len(layout.planes), layout.row, len(layout.scalars))
        expected.add((f"`{ruleset(preset).game}`", str(seats), *map(str, shape), f"{layout.size:,}"))
    assert sorted(map(tuple, rows(GUIDE, "Seats and sides are counted"))) == sorted(expected)
