"""Generate training data: deals played by the teacher against itself, with its worth of every action.

    python -m examples.train.generate var/train --deals 20000

Goes on where it stopped: every file of the folder holds a fixed range of deals. `held-out.npz`, of other deals, is
looked at by the teacher in more worlds: it is what the net is judged by.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from examples.train.features import packed
from examples.train.teacher import decisions, worths

DEALS_OF_A_FILE: Final = 250
FIRST_SEED: Final = 1_000_000
"""Deals are numbered from here on, far from those that `measure` plays."""
HELD_OUT: Final = (500_000, 100, 64)
"""First seed, deals and worlds of the file that is not trained on."""
WANDERING: Final = 0.15
"""How often a random action is played instead: the net must also know what follows from a mistake."""


def of_deals(first: int, count: int, worlds: int) -> dict[str, Any]:
    """Return the decisions of these deals.

    rows (actions, BYTES) and shared (decisions, SCALARS): `features.packed`; counts (decisions,): actions of each;
    worths (actions,): by the teacher.
    """
    rows, shared, counts, values = [], [], [], []
    for deal in range(first, first + count):
        dice, latest = Random(deal), [0]
        for view in decisions(deal, lambda _view, latest=latest: latest[0]):
            found = worths(view, worlds, dice)
            packed_rows, scalars = packed(view)
            rows.append(packed_rows)
            shared.append(scalars)
            counts.append(len(found))
            values.append(found)
            is_wandering = dice.random() < WANDERING
            latest[0] = dice.randrange(len(found)) if is_wandering else int(found.argmax())
    return {
        "rows": np.concatenate(rows),
        "shared": np.stack(shared),
        "counts": np.array(counts, np.uint8),
        "worths": np.concatenate(values),
    }


def generate(folder: Path, deals: int, worlds: int, say: Callable[[str], object]) -> None:
    """Write the files that are missing."""
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder / "held-out.npz", *HELD_OUT, say)
    for first in range(FIRST_SEED, FIRST_SEED + deals, DEALS_OF_A_FILE):
        _write(folder / f"{first}.npz", first, min(DEALS_OF_A_FILE, FIRST_SEED + deals - first), worlds, say)


def _write(path: Path, first: int, count: int, worlds: int, say: Callable[[str], object]) -> None:
    if path.exists():
        return
    began, cpu = time.monotonic(), time.process_time()
    found = of_deals(first, count, worlds)
    beside = path.with_suffix(".part")
    with beside.open("wb") as file:
        np.savez_compressed(file, **found)
    # Under its name only once it is whole: a run that is broken off goes on with this file.
    beside.rename(path)
    took = time.process_time() - cpu
    say(f"{path.name}: {len(found['counts'])} decisions, {took:.0f} CPU s, {time.monotonic() - began:.0f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--deals", type=int, default=30_000)
    parser.add_argument("--worlds", type=int, default=4, help="guesses of the hidden cards at each decision")
    options = parser.parse_args()
    generate(options.folder, options.deals, options.worlds, lambda line: print(line, flush=True))


if __name__ == "__main__":
    main()
