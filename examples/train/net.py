"""A small net in numpy: a value for each row of features, trained by Adam on differences within a decision."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np

from examples.train.features import SIZE

Floats: TypeAlias = np.ndarray[Any, np.dtype[np.float32]]
Ints: TypeAlias = np.ndarray[Any, np.dtype[np.intp]]
WIDTHS: Final = (SIZE, 128, 64, 1)
UNIT: Final = 20.0
"""Card points that count as one: targets of about the size of 1."""


@dataclass
class Net:
    """Weights and biases, layer by layer; `moments` and `steps` are Adam's."""

    layers: list[Floats]
    moments: list[Floats] = field(default_factory=list)
    steps: int = 0

    @staticmethod
    def fresh(seed: int) -> Net:
        """Return a net that knows nothing."""
        dice = np.random.default_rng(seed)
        layers: list[Floats] = []
        for before, after in pairwise(WIDTHS):
            layers.append((dice.standard_normal((before, after)) * np.sqrt(2 / before)).astype(np.float32))
            layers.append(np.zeros(after, np.float32))
        return Net(layers, [np.zeros_like(each) for each in layers * 2])

    def values(self, rows: Floats) -> Floats:
        """Return the value of each row, in units of `UNIT`."""
        return self._forward(rows)[-1][:, 0]

    def _forward(self, rows: Floats) -> list[Floats]:
        """Return what goes into each layer, and what comes out of the last one."""
        through = [rows]
        for place in range(0, len(self.layers), 2):
            out = through[-1] @ self.layers[place] + self.layers[place + 1]
            through.append(out if place + 2 == len(self.layers) else np.maximum(out, 0, out=out))
        return through

    def learn(self, rows: Floats, wanted: Floats, counts: Ints, rate: float) -> float:
        """Take one step towards the wanted differences; return the mean squared error before it.

        rows: (actions, SIZE) of many decisions; wanted: (actions,); counts: (decisions,), the actions of each.
        """
        through = self._forward(rows)
        wrong = through[-1][:, 0] - wanted
        # Only what an action is better than the others of its decision matters for choosing, and it is what the
        # teacher's playouts, which share their worlds, tell best.
        wrong -= np.repeat(np.add.reduceat(wrong, _starts(counts)) / counts, counts).astype(np.float32)
        slope = (2 / len(wrong) * wrong)[:, None].astype(np.float32)
        gradients: list[Floats] = []
        for place in range(len(self.layers) - 2, -1, -2):
            entered = through[place // 2]
            gradients[:0] = [entered.T @ slope, slope.sum(axis=0)]
            slope = (slope @ self.layers[place].T) * (entered > 0)
        self._step(gradients, rate)
        return float(np.mean(wrong**2))

    def _step(self, gradients: list[Floats], rate: float) -> None:
        """Adam with decoupled decay of the weights."""
        self.steps += 1
        half = len(self.layers)
        for place, gradient in enumerate(gradients):
            mean, square = self.moments[place], self.moments[half + place]
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            bias = np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
            weights = self.layers[place]
            weights -= np.float32(rate) * (np.float32(bias) * mean / (np.sqrt(square) + 1e-8) + 0.01 * weights)

    def save(self, path: Path) -> None:
        """Write everything that training goes on from; the file appears whole or not at all."""
        beside = path.with_suffix(".part")
        with beside.open("wb") as file:
            arrays: dict[str, Any] = {f"a{n:02}": each for n, each in enumerate(self.layers + self.moments)}
            np.savez(file, steps=self.steps, **arrays)
        beside.rename(path)

    @staticmethod
    def load(path: Path) -> Net:
        """Read what `save` wrote."""
        with np.load(path) as found:
            arrays = [found[name] for name in sorted(found.files) if name != "steps"]
            third = len(arrays) // 3
            return Net(arrays[:third], arrays[third:], int(found["steps"]))


def _starts(counts: Ints) -> Ints:
    return np.concatenate([np.zeros(1, np.intp), np.cumsum(counts)[:-1]])
