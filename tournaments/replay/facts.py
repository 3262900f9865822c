"""What the pictures need to know of the cards: kinds as the preset counts them, yaku and how far each side is."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.cards import CARDS, codes
from engine.games.sakura.yaku import YAKU

KINDS = ("bright", "animal", "ribbon", "chaff")
BY_SAKURA_VALUE = {20: "bright", 5: "animal", 10: "ribbon", 0: "chaff"}
VALUES = {card.code: card.sakura for card in CARDS}
PRINTED = {card.code: card.category for card in CARDS}
YAKU_CARDS = {yaku.id: tuple(codes(yaku.cards)) for yaku in YAKU}


def kinds(game: str) -> dict[str, str]:
    """Kind of every card by code. Sakura counts by value: the Rain Man (5) is an animal, the Yellow Paulownia (10)
    a ribbon (rules.md 1.1); other games go by what is printed.
    """
    if game in ("sakura", "oibana"):
        return {code: BY_SAKURA_VALUE[value] for code, value in VALUES.items()}
    return dict(PRINTED)


def overlays(game: str) -> dict[str, str]:
    """Cards whose printed glyph would say the wrong kind in this game, with the right one."""
    return {code: kind for code, kind in kinds(game).items() if kind != PRINTED[code]}


def group(cards: Sequence[str], game: str) -> list[tuple[str, list[str]]]:
    """A tray by kind, brights first, months in order; empty kinds are left out."""
    of = kinds(game)
    groups = [(kind, sorted(card for card in cards if of[card] == kind)) for kind in KINDS]
    return [(kind, own) for kind, own in groups if own]


def points(cards: Sequence[str]) -> int:
    """Sakura points of a tray."""
    return sum(VALUES[card] for card in cards)


@dataclass(frozen=True, slots=True)
class YakuProgress:
    """How far a side is with a yaku. dead: another side holds one of its cards."""

    id: str
    cards: tuple[str, ...]
    held: tuple[str, ...]
    dead: bool

    @property
    def done(self) -> bool:
        """All three cards are in the tray."""
        return len(self.held) == len(self.cards)


def progress(trays: Sequence[Sequence[str]], side: int) -> list[YakuProgress]:
    """All yaku of a side in the fixed order I .. Chi."""
    own = set(trays[side])
    others = {card for number, tray in enumerate(trays) if number != side for card in tray}
    return [
        YakuProgress(name, cards, tuple(card for card in cards if card in own), any(card in others for card in cards))
        for name, cards in YAKU_CARDS.items()
    ]


def made(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """Ids of the yaku that a tray completes between two positions."""
    had, has = set(before), set(after)
    return [name for name, cards in YAKU_CARDS.items() if has.issuperset(cards) and not had.issuperset(cards)]
