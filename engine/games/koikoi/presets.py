"""The presets of Koi-Koi: what differs from `koikoi_nintendo`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.game import OptionValue, Preset

_FUDA: Final[Mapping[str, OptionValue]] = MappingProxyType(
    {
        "first_dealer_tie": "rank_then_redraw",
        "deal_pattern": "fours",
        "brights": "fuda",
        "month_cards": True,
        "koikoi_limit": "many",
        "after_draw": "same",
    }
)
_ZOO: Final[Mapping[str, OptionValue]] = MappingProxyType(
    {
        "deal_pattern": "packets",
        "field_pairs": "play",
        "teshi": "redeal",
        "kuttsuki": "play",
        "sets": "stack_bonus",
        "viewing": "one_three",
        "koikoi_limit": "many",
        "seven_double": False,
        "koikoi_bonus": "ladder",
        "exhausted": "dealer_1",
        "zero_sum": True,
        "after_draw": "same",
        "rounds": 8,
        "stake": 30,
    }
)

KOIKOI_PRESETS: Final[tuple[Preset, ...]] = (
    Preset(
        "koikoi_nintendo",
        "Koi-Koi: Nintendo",
        "koikoi",
        MappingProxyType({}),
        "Nintendo; Fuda Wiki (DS); open-hanafuda-ai",
        "koikoi",
    ),
    Preset("koikoi_fuda", "Koi-Koi: Fuda Wiki", "koikoi", _FUDA, "Fuda Wiki", "koikoi"),
    Preset("koikoi_zoo", "Koi-Koi Japan", "koikoi", _ZOO, "Fuda Wiki (Koi-Koi Japan); KoiKoi-AI", "koikoi"),
)
