"""The presets of Poka: what differs from `poka5`. Source: rules.md 2, 2.4."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from engine.game import Preset

POKA_PRESETS: Final[tuple[Preset, ...]] = (
    Preset("poka5", "Poka: Go-mon Shobu", "poka", MappingProxyType({}), "004", "poka", aliases=("poka_gomon",)),
    Preset(
        "poka3", "Poka: San-mon Shobu", "poka", MappingProxyType({"target": 3}), "004", "poka", aliases=("poka_sanmon",)
    ),
)
