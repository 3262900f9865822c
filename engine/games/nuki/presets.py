"""The presets of Nuki Hachi-hachi. Source: rules.md 2.3."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from engine.game import Preset

NUKI_PRESETS: Final[tuple[Preset, ...]] = (
    Preset("nuki88", "Nuki Hachi-hachi", "nuki", MappingProxyType({}), "002", "nuki"),
)
