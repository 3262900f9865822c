"""A small net that learnt from the house bot `sampler` what each action is worth, and plays the one that is worth most.

Its weights lie in `weights.npy`, one flat array of float16, layer by layer: see examples/train of the project.
"""

import io
from itertools import pairwise
from typing import Any

import hanami
import numpy as np
from features import BYTES, SCALARS, SIZE, packed, unpacked  # type: ignore[import-not-found]  # packed beside this file

WIDTHS = (SIZE, 128, 64, 1)
LAYERS: list[tuple[Any, Any]] = []


def start(hello: dict[str, Any]) -> None:
    """Unpack the weights, and calculate once: the first time costs more, and loading has a budget of its own."""
    flat = np.load(io.BytesIO(hanami.asset("weights.npy"))).astype(np.float32)
    for before, after in pairwise(WIDTHS):
        weights, bias, flat = np.split(flat, [before * after, before * after + after])
        LAYERS.append((weights.reshape(before, after), bias))
    values(unpacked(np.zeros((8, BYTES), np.uint8), np.zeros(SCALARS, np.float32)))


def choose(obs: dict[str, Any]) -> object:
    """The index of the action that is worth most."""
    view = hanami.read(obs)
    spoken = view.spoken()
    return int(values(unpacked(*packed(view))).argmax()) if spoken is None else spoken


def values(rows: Any) -> Any:
    """The value of each row, in twenty card points."""
    for weights, bias in LAYERS[:-1]:
        rows = np.maximum(rows @ weights + bias, 0)
    weights, bias = LAYERS[-1]
    return (rows @ weights + bias)[:, 0]
