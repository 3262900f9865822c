"""The presets of the Sakura family: what differs from `hawaii`. Source: rules.md 2.1."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from engine.game import Preset

_FRENCH: Final = MappingProxyType(
    {
        "first_dealer_tie": "value_then_redraw",
        "field_quad": "void_round",
        "deal_hands": "teshi_kuttsuki",
        "hiki": "off",
        "hiki_block": "forbid_triple",
        "gaji_wild": "until_willow_captured",
        "gaji_on_triple": "all",
        "round_end": "hands_empty",
        "dealer_succession": "rotate",
    }
)
_ENWIKI: Final = MappingProxyType(
    {
        "deal_pattern": "halves",
        "hiki": "off",
        "hiki_block": "off",
        "gaji_from_pile": "wild",
        "gaji_claim": "next_point_card",
        "round_end": "pile_or_hands",
    }
)

SAKURA_PRESETS: Final[tuple[Preset, ...]] = (
    Preset("hawaii", "Hawaii", "sakura", MappingProxyType({}), "000", "sakura"),
    Preset("paradise", "Paradise Factors", "sakura", MappingProxyType({"scoring": "victories"}), "000", "sakura"),
    Preset("french", "French", "sakura", _FRENCH, "001", "sakura"),
    Preset("enwiki2020", "English 2020", "sakura", _ENWIKI, "003", "sakura"),
)
