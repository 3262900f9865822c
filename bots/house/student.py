"""student: a small net that learnt from `sampler` what each action is worth, and plays the one that is worth most.

It knows Hawaii for two; anywhere else it plays like `yaku`. The net is the one that examples/train makes:
`student_rows` writes the table as each action leaves it, `student.npy` has the weights, layer by layer, float16.
"""

import io
from itertools import pairwise
from typing import Any

import hanami
import numpy as np
import yaku  # type: ignore[import-not-found]  # packed beside this file
from student_rows import BYTES, SCALARS, SIZE, packed, unpacked  # type: ignore[import-not-found]  # packed as well

WIDTHS = (SIZE, 128, 64, 1)
LAYERS: list[tuple[Any, Any]] = []


def start(hello: dict[str, Any]) -> None:
    """Unpack the weights, and calculate once: the first time costs more, and loading has a budget of its own."""
    flat = np.load(io.BytesIO(hanami.asset("student.npy"))).astype(np.float32)
    for before, after in pairwise(WIDTHS):
        weights, bias, flat = np.split(flat, [before * after, before * after + after])
        LAYERS.append((weights.reshape(before, after), bias))
    values(unpacked(np.zeros((8, BYTES), np.uint8), np.zeros(SCALARS, np.float32)))


def choose(obs: dict[str, Any]) -> object:
    """The index of the action that is worth most, by the net where it has learnt the game."""
    if obs["preset"] != "hawaii" or len(obs["sides"]) != 2:
        return yaku.choose(obs)
    return int(values(unpacked(*packed(hanami.read(obs)))).argmax())


def values(rows: Any) -> Any:
    """The value of each row, in twenty card points; to three places, since machines differ in the last ones."""
    for weights, bias in LAYERS[:-1]:
        rows = np.maximum(rows @ weights + bias, 0)
    weights, bias = LAYERS[-1]
    return (rows @ weights + bias)[:, 0].round(3)
