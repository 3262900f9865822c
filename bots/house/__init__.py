"""The house bots: five strategies, one readable file each, packed like anybody's upload. See README.md."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from bots.protocol.files import BotFiles
from bots.protocol.messages import ENTRY, VERSION
from bots.uploads.version import version_hash
from engine.games import PRESETS

_FOLDER: Final = Path(__file__).parent
PARAMS_FILE: Final = "params.json"
PLAYS: Final = tuple(PRESETS)
"""The presets that every house bot declares: all there are."""

HOUSE: Final[Mapping[str, Path]] = MappingProxyType(
    {name: _FOLDER / f"{name}.py" for name in ("random", "greedy", "yaku", "student", "sampler")}
)
"""The source file of each house bot, from the weakest to the strongest."""

BESIDE: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"sampler": ("greedy.py",), "student": ("yaku.py", "student_rows.py", "student.npy")}
)
"""Files that are packed with a house bot: other ones, which it asks, and what it has learnt."""

VARIANTS: Final[Mapping[str, tuple[str, Mapping[str, float]]]] = MappingProxyType(
    {
        "yaku-guard": ("yaku", {"deny": 1.2, "threat": 0.8}),
        "yaku-bold": ("yaku", {"deny": 0.3, "step1": 20.0, "threat": 0.3}),
        "sampler-light": ("sampler", {"worlds": 16, "candidates": 3}),
        "sampler-guard": ("sampler", {"deny": 1.0, "threat": 0.9}),
    }
)
"""House bots with other numbers, as separate versions: (house bot, what its params.json says)."""


def house_files(name: str, **params: float) -> BotFiles:
    """The files and version hash of a house bot, a variant, or a house bot with other numbers.

    name: of HOUSE or VARIANTS. params: numbers for its params.json (`yaku` and `sampler` read one).
    Raises KeyError for an unknown name.
    """
    base, preset = VARIANTS.get(name, (name, {}))
    numbers = {**preset, **params}
    files = [(ENTRY, HOUSE[base].read_bytes())]
    files += [(other, (_FOLDER / other).read_bytes()) for other in BESIDE.get(base, ())]
    if numbers:
        files.append((PARAMS_FILE, json.dumps(numbers, sort_keys=True, indent=1).encode("ascii") + b"\n"))
    return BotFiles(tuple(files), version_hash(files, VERSION, PLAYS))
