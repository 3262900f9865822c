"""The yaku: what captured cards are worth. Source: Fuda Wiki `koi-koi.md`; Nintendo's leaflets; KoiKoi-AI."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from engine.cards import CARDS, MONTH_MASKS, CardSet, card_set, parse_cards
from engine.games.koikoi.options import KoiKoiOptions

BRIGHTS: Final[CardSet] = card_set(card.index for card in CARDS if card.category == "bright")
ANIMALS: Final[CardSet] = card_set(card.index for card in CARDS if card.category == "animal")
RIBBONS: Final[CardSet] = card_set(card.index for card in CARDS if card.category == "ribbon")
CHAFF: Final[CardSet] = card_set(card.index for card in CARDS if card.category == "chaff")

RAIN_MAN: Final = parse_cards("11.1")
CURTAIN: Final = parse_cards("03.1")
MOON: Final = parse_cards("08.1")
CUP: Final = parse_cards("09.1")
BOAR_DEER_BUTTERFLIES: Final = parse_cards("06.1 07.1 10.1")
POETRY: Final = parse_cards("01.2 02.2 03.2")
BLUE: Final = parse_cards("06.2 09.2 10.2")
WILLOWS: Final = MONTH_MASKS[10]
PAULOWNIAS: Final = MONTH_MASKS[11]

IDS: Final = (
    "five_brights", "four_brights", "rainy_four_brights", "three_brights", "flower_viewing", "moon_viewing",
    "boar_deer_butterflies", "poetry_and_blue", "poetry_ribbons", "blue_ribbons", "animals", "ribbons", "chaff",
    "month_cards",
)  # fmt: skip
"""Every yaku, in the order in which they are always listed."""

BRIGHT_POINTS: Final = MappingProxyType({"nintendo": (10, 8, 7, 5), "fuda": (15, 8, 7, 6)})
"""Five, four, rainy four and three Brights, by the option `brights`."""
SET_POINTS: Final = 5
BOTH_SETS_POINTS: Final = 10
MONTH_POINTS: Final = 4
ENOUGH: Final = 5
"""Animals, or ribbons, that are worth 1 point; each further one is worth 1 more."""
ENOUGH_CHAFF: Final = 10
VIEWING_POINTS: Final = MappingProxyType({"five": (5, 5), "one_three": (1, 3), "with_other": (5, 5), "off": (0, 0)})
"""Of a viewing, before and after the holder has called koi-koi, by the option `viewing`."""

Made = dict[str, int]


def month_of(number: int) -> CardSet:
    """The four cards of the month of a deal: deals 1 to 12 are a year, then it begins again."""
    return MONTH_MASKS[(number - 1) % 12]


def yaku_in(
    options: KoiKoiOptions, cards: CardSet, *, called: bool = False, field: CardSet = 0, month: CardSet = 0
) -> Made:
    """Points of every yaku in captured cards, by id in the order of `IDS`.

    called: whether their holder has called koi-koi in this deal; field: what lies there, for the weather; month: the
    cards of the month of the deal, 0 to look for none.

    >>> from engine.games.koikoi.options import read_options
    >>> yaku_in(read_options({}), parse_cards("03.1 08.1 09.1"))
    {'flower_viewing': 5, 'moon_viewing': 5}
    """
    animals, chaff, cup = cards & ANIMALS, cards & CHAFF, cards & CUP
    viewings = _viewings(options, cards, field, called=called)
    if options.sake_cup == "both":
        chaff |= cup
    made = _made(options, cards, animals, chaff, viewings, month)
    if options.sake_cup != "one_of" or not cup:
        return made
    other = _made(options, cards, animals ^ cup, chaff | cup, viewings, month)
    # Equal: an animal.
    return other if sum(other.values()) > sum(made.values()) else made


def _made(
    options: KoiKoiOptions, cards: CardSet, animals: CardSet, chaff: CardSet, viewings: Made, month: CardSet
) -> Made:
    """The yaku of cards of which it is settled what the Sake Cup counts as."""
    found = {
        **_of_brights(options, cards & BRIGHTS),
        **_of_animals(options, animals),
        **_of_ribbons(options, cards & RIBBONS),
    }
    if chaff.bit_count() >= ENOUGH_CHAFF:
        found["chaff"] = chaff.bit_count() - ENOUGH_CHAFF + 1
    if options.month_cards and month and cards & month == month:
        found["month_cards"] = MONTH_POINTS
    if found or options.viewing != "with_other":
        found |= viewings
    return {name: found[name] for name in IDS if name in found}


def _of_brights(options: KoiKoiOptions, brights: CardSet) -> Made:
    """Only the best counts; three are never with the Rain Man."""
    five, four, rainy, three = BRIGHT_POINTS[options.brights]
    count, rain = brights.bit_count(), bool(brights & RAIN_MAN)
    if count == 5:
        return {"five_brights": five}
    if count == 4:
        return {"rainy_four_brights": rainy} if rain else {"four_brights": four}
    return {"three_brights": three} if count == 3 and not rain else {}


def _viewings(options: KoiKoiOptions, cards: CardSet, field: CardSet, *, called: bool) -> Made:
    worth = VIEWING_POINTS[options.viewing][called]
    if not worth or not cards & CUP or (options.weather == "rain_man" and cards & RAIN_MAN):
        return {}
    clouds = field if options.weather == "field" else 0
    found = {}
    if cards & CURTAIN and not clouds & WILLOWS:
        found["flower_viewing"] = worth
    if cards & MOON and not clouds & PAULOWNIAS:
        found["moon_viewing"] = worth
    return found


def _of_animals(options: KoiKoiOptions, animals: CardSet) -> Made:
    has_set, count = animals & BOAR_DEER_BUTTERFLIES == BOAR_DEER_BUTTERFLIES, animals.bit_count()
    if has_set and options.sets == "grow":
        return {"boar_deer_butterflies": SET_POINTS + count - 3}
    found = {"boar_deer_butterflies": SET_POINTS} if has_set else {}
    if count >= ENOUGH:
        found["animals"] = count - ENOUGH + 1
    return found


def _of_ribbons(options: KoiKoiOptions, ribbons: CardSet) -> Made:
    poetry, blue, count = ribbons & POETRY == POETRY, ribbons & BLUE == BLUE, ribbons.bit_count()
    if options.sets == "grow":
        if poetry and blue:
            return {"poetry_and_blue": BOTH_SETS_POINTS + count - 6}
        if poetry or blue:
            return {"poetry_ribbons" if poetry else "blue_ribbons": SET_POINTS + count - 3}
    found = {}
    if poetry and blue and options.sets == "stack_bonus":
        found["poetry_and_blue"] = BOTH_SETS_POINTS
    if poetry:
        found["poetry_ribbons"] = SET_POINTS
    if blue:
        found["blue_ribbons"] = SET_POINTS
    if count >= ENOUGH:
        found["ribbons"] = count - ENOUGH + 1
    return found
