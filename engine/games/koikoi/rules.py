"""The options of a deal as the plain flags and tables that a turn asks for, worked out once per ruleset."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from engine.cards import CardSet
from engine.errors import BadSeating
from engine.game import Ruleset
from engine.games.koikoi.options import KoiKoiOptions
from engine.games.koikoi.yaku import ANIMALS, BRIGHTS, CHAFF, CUP, ENOUGH_CHAFF, MONTH_POINTS, RIBBONS, yaku_in

SEATS: Final = 2
PICTURES: Final[CardSet] = BRIGHTS | ANIMALS


@dataclass(frozen=True, eq=False)
class Rules:
    """Compiled options. once, each_once: how calls are limited; neither: not at all.

    is_separate: brights with animals, ribbons, chaff and the month are counted each on its own; else one depends on
    another, or on the field. chaff: what counts as such. pictures, ribbons: points as they were once counted, the
    first for a holder who has not called and for one who has.
    """

    ruleset: Ruleset
    options: KoiKoiOptions
    once: bool
    each_once: bool
    is_separate: bool
    month_cards: bool
    chaff: CardSet
    pictures: tuple[dict[CardSet, int], dict[CardSet, int]] = field(default_factory=lambda: ({}, {}))
    ribbons: dict[CardSet, int] = field(default_factory=dict)


def options_of(ruleset: Ruleset) -> KoiKoiOptions:
    """The options of a Koi-Koi ruleset."""
    if not isinstance(ruleset.options, KoiKoiOptions):
        raise TypeError(f"{ruleset.game} is not Koi-Koi")
    return ruleset.options


def seat_sides(seats: int) -> tuple[int, ...]:
    """Side number of every seat. Raises BadSeating: Koi-Koi is for two players, each for himself."""
    if seats != SEATS:
        message = f"Koi-Koi is played by 2, not by {seats}."
        raise BadSeating(message, extra={"teams": "solo", "seats": seats, "allowed": [SEATS]})
    return (0, 1)


# Compiled rules are compared by identity (eq=False): equal rulesets must give the very same object.
@lru_cache(maxsize=256)
def compile_rules(ruleset: Ruleset) -> Rules:
    """The flags of a ruleset."""
    options = options_of(ruleset)
    depends = options.weather == "field" or options.viewing == "with_other" or options.sake_cup == "one_of"
    return Rules(
        ruleset=ruleset,
        options=options,
        once=options.koikoi_limit == "once",
        each_once=options.koikoi_limit == "each_once",
        is_separate=not depends,
        month_cards=options.month_cards,
        chaff=CHAFF | CUP if options.sake_cup == "both" else CHAFF,
    )


def points_of(rules: Rules, cards: CardSet, *, called: bool, lying: CardSet, month: CardSet) -> int:
    """The sum of `yaku_in` of these cards, quickly: it is asked for after every turn. lying: what is on the field."""
    if not rules.is_separate:
        return sum(yaku_in(rules.options, cards, called=called, field=lying, month=month).values())
    seen = rules.pictures[called]
    pictures, ribbons, spare = cards & PICTURES, cards & RIBBONS, (cards & rules.chaff).bit_count() - ENOUGH_CHAFF + 1
    points = seen.get(pictures, -1)
    if points < 0:
        points = seen[pictures] = sum(yaku_in(rules.options, pictures, called=called).values())
    more = rules.ribbons.get(ribbons, -1)
    if more < 0:
        more = rules.ribbons[ribbons] = sum(yaku_in(rules.options, ribbons).values())
    points += more
    if spare > 0:
        points += spare
    if rules.month_cards and cards & month == month:
        points += MONTH_POINTS
    return points
