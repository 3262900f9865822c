"""The preset of Oi-bana. Source: rules.md 2.2."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from engine.game import Preset

OIBANA_PRESETS: Final[tuple[Preset, ...]] = (
    Preset("oibana", "Oi-bana", "oibana", MappingProxyType({}), "000", "oibana"),
)
