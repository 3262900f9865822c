"""Write the playthroughs of tests/data/engine/playthroughs again: one random game of each, by OpenSpiel's own program.

usage: python -m tests.engine.environments.playthroughs
"""

from __future__ import annotations

from typing import Final

from open_spiel.python.algorithms import generate_playthrough

from engine.environments import spiel, spiel_tiny
from tests.services.processes import ROOT

FOLDER: Final = ROOT / "tests" / "data" / "engine" / "playthroughs"
SEED: Final = 7


def main() -> None:
    spiel.register()
    spiel_tiny.register()
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in (spiel.NAME, spiel_tiny.NAME):
        text = generate_playthrough.playthrough(name, action_sequence=[], seed=SEED)
        (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
