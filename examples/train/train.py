"""Train the net on what `generate` wrote, and say how often it would choose as well as the teacher.

    python -m examples.train.train var/train --epochs 12

Goes on where it stopped: `net.npz` in the folder is written after every epoch. On `held-out.npz` is measured how much
worth the net's choices lose against the best by the teacher, who has looked longer there.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from examples.train.features import unpacked
from examples.train.net import UNIT, Floats, Ints, Net

BATCH: Final = 256
"""Decisions of a step."""
RATE: Final = 1e-3


@dataclass(frozen=True)
class Data:
    """Decisions: see `generate.of_deals`. starts: where the actions of each begin."""

    rows: np.ndarray
    shared: Floats
    counts: Ints
    worths: Floats
    starts: Ints

    @staticmethod
    def read(paths: list[Path]) -> Data:
        """Read files of `generate`."""
        parts = [dict(np.load(path)) for path in paths]
        rows, shared, counts, worths = (
            np.concatenate([part[name] for part in parts]) for name in ("rows", "shared", "counts", "worths")
        )
        counts = counts.astype(np.intp)
        return Data(rows, shared, counts, worths, np.concatenate([np.zeros(1, np.intp), np.cumsum(counts)]))

    def batch(self, chosen: Ints) -> tuple[Floats, Floats, Ints]:
        """Return (features, worths in units, actions of each) of some decisions."""
        actions = np.concatenate([np.arange(self.starts[one], self.starts[one + 1]) for one in chosen])
        counts = self.counts[chosen]
        rows = unpacked(self.rows[actions], np.repeat(self.shared[chosen], counts, axis=0))
        return rows, self.worths[actions] / np.float32(UNIT), counts


def train(folder: Path, epochs: int, say: Callable[[str], object]) -> Net:
    """Train until that many epochs are done in all, and save after each."""
    files, path = sorted(folder.glob("[0-9]*.npz")), folder / "net.npz"
    data, held_out = Data.read(files), Data.read([folder / "held-out.npz"])
    steps_of_one = -(-len(data.counts) // BATCH)
    net = Net.load(path) if path.exists() else Net.fresh(1)
    say(f"{len(data.counts)} decisions, {len(data.worths)} actions; {len(held_out.counts)} decisions held out")
    for epoch in range(net.steps // steps_of_one, epochs):
        began = time.process_time()
        # Large steps first, small ones at the end.
        rate = RATE * 0.5 * (1 + np.cos(np.pi * epoch / epochs))
        error = np.mean([net.learn(*data.batch(chosen), rate) for chosen in _shuffled(len(data.counts), epoch)])
        net.save(path)
        lost, same = judge(net, held_out)
        took = time.process_time() - began
        say(f"epoch {epoch + 1}: error {error:.4f}; loses {lost:.2f} points, same choice {same:.3f}; {took:.0f} CPU s")
    return net


def _shuffled(count: int, seed: int) -> Iterator[Ints]:
    order = np.random.default_rng(seed).permutation(count)
    for start in range(0, count, BATCH):
        yield order[start : start + BATCH]


def judge(net: Net, data: Data) -> tuple[float, float]:
    """Return (points that the net's choice is worth less than the teacher's, share of equal choices)."""
    rows, worths, counts = data.batch(np.arange(len(data.counts)))
    values, lost, same, start = net.values(rows), 0.0, 0, 0
    for count in counts:
        mine, best = values[start : start + count].argmax(), worths[start : start + count].argmax()
        lost += float(worths[start + best] - worths[start + mine]) * UNIT
        same += int(mine == best)
        start += count
    return lost / len(counts), same / len(counts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--epochs", type=int, default=12)
    options = parser.parse_args()
    train(options.folder, options.epochs, lambda line: print(line, flush=True))


if __name__ == "__main__":
    main()
