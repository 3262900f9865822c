"""The lessons: for each the rules, the seed of its one deal, and the words that only its game needs.

What is the same for every game (what matched, what a yaku lacks) is said by `explaining`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from engine.game import OptionValue, Ruleset
from engine.games import ruleset

Texts = Mapping[str, Promise]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """One deal against the house. id: in its address; seed: a word, of which the deal follows.

    about: for the list of lessons; intro: what is explained before the first answer, before the second, and so on.
    asks: by the observation's phase, what is asked; %(points)s: what stopping now would score. kinds: by kind of card,
    why it is worth taking. reasons: by action ("declare stop"), why. made, made_by_house: what follows from a yaku;
    ending: how the deal was counted.
    """

    id: str
    preset: str
    seed: str
    options: Mapping[str, OptionValue]
    title: Promise
    about: Promise
    intro: tuple[tuple[Promise, ...], ...]
    asks: Texts
    kinds: Texts
    reasons: Texts
    made: Promise
    made_by_house: Promise
    ending: Promise
    cards: tuple[str, ...]

    @property
    def rules(self) -> Ruleset:
        """Return the rules of its deal."""
        return ruleset(self.preset, **self.options)

    @property
    def seed_bytes(self) -> bytes:
        """Return the seed of its deal: 32 bytes."""
        return hashlib.sha256(f"hanami lesson {self.id} {self.seed}".encode()).digest()


ONE_DEAL: Final[Mapping[str, OptionValue]] = MappingProxyType({"rounds": 1})
_CARDS: Final = _(
    "The 48 cards show twelve flowers, one for each month of the year. Each flower has four cards, and all that counts"
    " for matching is the flower."
)
_TURN: Final = _(
    "A turn has two halves. You play a card: if a card of its flower lies on the field, you take both. Then the top"
    " card of the pile is turned up, and does the same."
)
_HAND: Final = _("Play one card of your hand.")
_FLIP: Final = _("The turned-up card fits several cards of the field. Choose which one it takes.")

KOIKOI: Final = Lesson(
    id="koi-koi",
    preset="koikoi_nintendo",
    seed="7422",
    options=ONE_DEAL,
    title=_("Your first game of Koi-Koi"),
    about=_("Collect sets of cards, then choose: stop and score, or dare to go on."),
    intro=(
        (_CARDS, _TURN),
        (
            _(
                "You collect yaku, sets of cards that are worth points. The first player who has one may stop and score"
                " it."
            ),
        ),
    ),
    asks=MappingProxyType(
        {
            "hand": _HAND,
            "flip_choice": _FLIP,
            "decision": _(
                "You have a yaku, so you choose. Stop: the deal ends and you score %(points)s points. Koi-koi: you play"
                " on for more, but if the house makes a yaku first and stops, you get nothing and its points count"
                " twice."
            ),
        }
    ),
    kinds=MappingProxyType(
        {
            "bright": _("Brights are the finest cards: three of them make a yaku."),
            "animal": _("Animals belong to several yaku, and any five of them make one."),
            "ribbon": _("Three ribbons of one colour make a yaku, and so do any five."),
            "chaff": _("Chaff is not worthless: ten cards of it make a yaku."),
        }
    ),
    reasons=MappingProxyType(
        {
            "declare stop": _("Points in the hand are worth more than a risk."),
            "declare koikoi": _("You have cards left to play, and more is likely to come."),
        }
    ),
    made=_("It scores only if you stop before the house does."),
    made_by_house=_("Now it may stop and score."),
    ending=_("Only the player who stops scores: the points of the yaku, and what multiplies them."),
    cards=("03.1", "09.1", "08.1"),
)
SAKURA: Final = Lesson(
    id="sakura",
    preset="hawaii",
    seed="305",
    options=ONE_DEAL,
    title=_("Your first game of Sakura"),
    about=_("Take the cards that are worth most, and break up the sets of the others."),
    intro=(
        (_CARDS, _TURN),
        (
            _(
                "Cards are worth 20, 10, 5 or 0 points. Three certain cards make a yaku, which costs the other player"
                " 50."
            ),
        ),
    ),
    asks=MappingProxyType(
        {
            "hand": _HAND,
            "flip_choice": _FLIP,
            "flip_gaji": _FLIP,
            "gaji_blocked": _("The card that you named cannot be taken. Name another one, or leave the Lightning."),
        }
    ),
    kinds=MappingProxyType(
        {
            "bright": _("It is worth 20 points, as much as a card can be."),
            "ribbon": _("It is worth 10 points, and ribbons make three of the yaku."),
            "animal": _("It is worth 5 points, and animals make most of the yaku."),
            "chaff": _("It is worth nothing, but what you take the house cannot use."),
        }
    ),
    reasons=MappingProxyType({}),
    made=_("It takes 50 points from the house when the deal is counted."),
    made_by_house=_("It takes 50 points from you when the deal is counted."),
    ending=_("Everybody adds up the cards they took, less 50 for each yaku of the other player."),
    cards=("03.1", "11.4", "08.1"),
)

LESSONS: Final[Mapping[str, Lesson]] = MappingProxyType({each.id: each for each in (KOIKOI, SAKURA)})


def next_after(lesson: Lesson) -> Lesson | None:
    """Return the lesson after this one, None after the last."""
    row = list(LESSONS.values())
    at = row.index(lesson)
    return row[at + 1] if at + 1 < len(row) else None
