"""Emblems: a hanafuda card on a coloured ground, by which a bot or a person is recognised in tables."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from django.db import models
from django.utils.translation import gettext_lazy as _

from engine.cards import CODES


class Colour(models.TextChoices):
    """Colours of an emblem, in the order of the hash: a new one stands at the end, or defaults would change."""

    PINE = "pine", _("pine green")
    VERMILION = "vermilion", _("vermilion")
    CHERRY = "cherry", _("cherry pink")
    WISTERIA = "wisteria", _("wisteria violet")
    INDIGO = "indigo", _("indigo")
    SKY = "sky", _("sky blue")
    TEAL = "teal", _("teal")
    MOON = "moon", _("moon gold")
    MAPLE = "maple", _("maple orange")
    WILLOW = "willow", _("willow green")
    EARTH = "earth", _("earth brown")
    ASH = "ash", _("ash grey")


INKS: Final = MappingProxyType(
    {
        Colour.PINE: "#2a7a4b",
        Colour.VERMILION: "#c8321f",
        Colour.CHERRY: "#e2668f",
        Colour.WISTERIA: "#7b52b0",
        Colour.INDIGO: "#2d4c91",
        Colour.SKY: "#2b8fc7",
        Colour.TEAL: "#0f7f7c",
        Colour.MOON: "#d29a05",
        Colour.MAPLE: "#dd6617",
        Colour.WILLOW: "#7f9c1c",
        Colour.EARTH: "#875632",
        Colour.ASH: "#6f6a64",
    }
)
"""What each colour is on a page, light or dark: the ground of an emblem is a tint of it, the edge is the colour."""
COLOURS: Final = MappingProxyType({str(each.value): each for each in Colour})
"""By their values. `Colour.values` translates all labels each time: a quarter of a page that lists matches."""


@dataclass(frozen=True, slots=True)
class Emblem:
    """A card by its code ("01.1") and a colour."""

    card: str
    colour: Colour

    @property
    def symbol(self) -> str:
        """Return the id of its drawing in static/cards/emblems.svg."""
        return f"e{self.card.replace('.', '0')}"

    @property
    def ink(self) -> str:
        """Return its colour as CSS writes it."""
        return INKS[self.colour]


@lru_cache(maxsize=4096)
def emblem_of(name: str, card: str = "", colour: str = "") -> Emblem:
    """Return the emblem of a name. card, colour: as chosen; "" follows from the name, the same wherever it is shown."""
    # NFKC and without case: a name that people read as the same has the same face.
    read = unicodedata.normalize("NFKC", name).casefold().strip()
    number = int.from_bytes(hashlib.sha256(read.encode()).digest()[:8], "big")
    by_name = number % len(CODES), number // len(CODES) % len(COLOURS)
    return Emblem(
        card if card in CODES else CODES[by_name[0]],
        COLOURS.get(colour) or tuple(COLOURS.values())[by_name[1]],
    )
