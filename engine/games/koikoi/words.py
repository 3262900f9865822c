"""The words of Koi-Koi: moves, events, lines of a score, yaku with their Japanese names. Source: Fuda Wiki."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from engine.cards import CardSet, parse_cards
from engine.games.koikoi.clauses import KOIKOI_PARTS
from engine.games.koikoi.yaku import BLUE, BOAR_DEER_BUTTERFLIES, BRIGHT_POINTS, BRIGHTS, CUP, CURTAIN, MOON, POETRY
from engine.words import Combination, LocalizedMessage, Mark, Portrait, Value, Words, gettext_noop


def _message(text: str, **values: Value) -> LocalizedMessage:
    return LocalizedMessage(text, MappingProxyType(values))


MOVES: Final[Mapping[str, LocalizedMessage]] = MappingProxyType(
    {
        "play": _message(gettext_noop("%(who)s plays %(play)s"), play="card"),
        "draw_take": _message(gettext_noop("%(who)s names %(draw_take)s"), draw_take="card"),
        "declare koikoi": _message(gettext_noop("%(who)s calls koi-koi: the deal goes on")),
        "declare stop": _message(gettext_noop("%(who)s stops: the deal ends")),
    }
)
EVENTS: Final[Mapping[str, LocalizedMessage]] = MappingProxyType(
    {
        "yaku": _message(gettext_noop("%(who)s has %(yaku)s: %(v)s"), yaku="yaku", v="number"),
        "no_call": _message(gettext_noop("no further call is possible: the deal ends")),
        "exhausted": _message(gettext_noop("the hands are exhausted and nobody has stopped: the deal ends")),
        "teyaku": _message(gettext_noop("%(who)s was dealt %(name)s: %(cards)s"), name="yaku", cards="cards"),
        "field_quad": _message(
            gettext_noop("four cards of a month lie on the field, so %(side)s wins the deal"), side="side"
        ),
        "field_brights": _message(
            gettext_noop("Brights on the field (%(cards)s): the score counts %(mult)s times"),
            cards="cards", mult="number",
        ),
        "triple": _message(gettext_noop("%(who)s takes all four cards of %(month)s"), month="flower"),
    }
)  # fmt: skip
MARKS: Final[Mapping[str, tuple[Mark, ...]]] = MappingProxyType(
    {
        "declare koikoi": (Mark(gettext_noop("koi-koi"), group="call"),),
        "declare stop": (Mark(gettext_noop("has stopped"), group="call"),),
        "teyaku": (Mark("%(name)s", MappingProxyType({"name": "yaku"})),),
        "field_brights": (
            Mark(
                gettext_noop("Brights on the field: ×%(mult)s"), MappingProxyType({"mult": "number"}), "field", seats=()
            ),
        ),
    }
)
LINES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "yaku": gettext_noop("yaku"),
        "calls": gettext_noop("own calls"),
        "seven": gettext_noop("doubled from 7 points"),
        "koikoi": gettext_noop("koi-koi"),
        "field_brights": gettext_noop("Brights on the field"),
        "paid": gettext_noop("to the winner"),
        "privilege": gettext_noop("dealer's privilege"),
        "teshi": gettext_noop("Teshi"),
        "kuttsuki": gettext_noop("Kuttsuki"),
        "field_quad": gettext_noop("four of a month on the field"),
    }
)
PHASES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "hand": gettext_noop("which card of the hand to play"),
        "flip_choice": gettext_noop("what the turned-up card takes"),
        "decision": gettext_noop("stop or koi-koi"),
    }
)

_PLAY: Final = gettext_noop("Made with captured cards (dekiyaku 出来役)")
_DEALT: Final = gettext_noop("Dealt in the hand (teyaku 手役)")
_SOURCE: Final = "Nintendo; Fuda Wiki"
_FIVE: Final = gettext_noop("Five of them; 1 point more for each further one")
_TEN: Final = gettext_noop("Ten of them; 1 point more for each further one")


def _made(name: str, en: str, ja: str, worth: int, cards: CardSet, text: str = "", example: CardSet = 0) -> Combination:
    return Combination(name, en, cards, worth, _SOURCE, ja, text, example, _PLAY)


COMBINATIONS: Final = (
    _made("five_brights", gettext_noop("Five Brights"), "五光", 10, BRIGHTS),
    _made(
        "four_brights", gettext_noop("Four Brights"), "四光", 8, 0, gettext_noop("Four Brights without the Rain Man"),
        parse_cards("01.1 03.1 08.1 12.1"),
    ),
    _made(
        "rainy_four_brights", gettext_noop("Rainy Four Brights"), "雨四光", 7, 0,
        gettext_noop("The Rain Man and three more Brights"), parse_cards("01.1 03.1 08.1 11.1"),
    ),
    _made(
        "three_brights", gettext_noop("Three Brights"), "三光", 5, 0,
        gettext_noop("Three Brights without the Rain Man"), parse_cards("01.1 03.1 08.1"),
    ),
    _made("flower_viewing", gettext_noop("Flower Viewing"), "花見で一杯", 5, CURTAIN | CUP),
    _made("moon_viewing", gettext_noop("Moon Viewing"), "月見で一杯", 5, MOON | CUP),
    _made(
        "boar_deer_butterflies", gettext_noop("Boar, Deer and Butterflies"), "猪鹿蝶", 5, BOAR_DEER_BUTTERFLIES
    ),
    _made("poetry_and_blue", gettext_noop("Poetry and Blue Ribbons"), "赤短・青短の重複", 10, POETRY | BLUE),
    _made("poetry_ribbons", gettext_noop("Poetry Ribbons"), "赤短", 5, POETRY),
    _made("blue_ribbons", gettext_noop("Blue Ribbons"), "青短", 5, BLUE),
    _made(
        "animals", gettext_noop("Animals"), "タネ", 1, 0, _FIVE, parse_cards("02.1 04.1 05.1 08.2 09.1"),
    ),
    _made(
        "ribbons", gettext_noop("Ribbons"), "タン", 1, 0, _FIVE, parse_cards("01.2 02.2 04.2 05.2 11.3"),
    ),
    _made(
        "chaff", gettext_noop("Chaff"), "カス", 1, 0, _TEN,
        parse_cards("01.3 01.4 02.3 02.4 03.3 03.4 04.3 04.4 05.3 05.4"),
    ),
    _made(
        "month_cards", gettext_noop("Cards of the Month"), "月札", 4, 0,
        gettext_noop("The four cards of the month of the deal, where the rules count them"),
        parse_cards("03.1 03.2 03.3 03.4"),
    ),
    Combination(
        "teshi", gettext_noop("Four of a Kind (Teshi)"), 0, 6, _SOURCE, "手四",
        gettext_noop("Four cards of one month"), parse_cards("02.1 02.2 02.3 02.4 05.1 06.2 09.3 10.4"), _DEALT,
    ),
    Combination(
        "kuttsuki", gettext_noop("Four Pairs (Kuttsuki)"), 0, 6, _SOURCE, "くっつき",
        gettext_noop("Eight cards in four pairs"), parse_cards("01.1 01.3 04.2 04.4 07.1 07.3 12.2 12.3"), _DEALT,
    ),
)  # fmt: skip

BY_OPTION: Final[Mapping[str, Mapping[str, Mapping[str | int | bool, int]]]] = MappingProxyType(
    {
        "five_brights": {"brights": {"fuda": BRIGHT_POINTS["fuda"][0]}},
        "three_brights": {"brights": {"fuda": BRIGHT_POINTS["fuda"][3]}},
        "flower_viewing": {"viewing": {"one_three": 1, "off": 0}},
        "moon_viewing": {"viewing": {"one_three": 1, "off": 0}},
        "poetry_and_blue": {"sets": {"stack": 0}},
        "month_cards": {"month_cards": {False: 0}},
        "teshi": {"teshi": {"redeal": 0, "play": 0}},
        "kuttsuki": {"kuttsuki": {"redeal": 0, "play": 0}},
    }
)
"""What options make of a yaku; 0: it does not count."""

KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "four_brights": "bright", "rainy_four_brights": "bright", "three_brights": "bright",
        "animals": "animal", "ribbons": "ribbon", "chaff": "chaff",
    }
)  # fmt: skip
"""Yaku that count cards of a kind."""

KOIKOI_WORDS: Final = Words(
    moves=MOVES,
    events=EVENTS,
    marks=MARKS,
    lines=LINES,
    phases=PHASES,
    combinations=tuple(
        replace(one, by_option=BY_OPTION.get(one.id, {}), kind=KINDS.get(one.id, "")) for one in COMBINATIONS
    ),
    also=MappingProxyType({"09.1": gettext_noop("chaff, too")}),
    account=gettext_noop("Only the player who stops scores; points count the yaku and what multiplies them."),
    title=gettext_noop("Koi-Koi"),
    ja=MappingProxyType(
        {
            "koikoi_nintendo": "こいこい（任天堂）",
            "koikoi_fuda": "こいこい（Fuda Wiki）",
            "koikoi_zoo": "こいこいジャパン",
        }
    ),
    parts=KOIKOI_PARTS,
    portrait=Portrait(
        minute=gettext_noop(
            "Each of the twelve months has four cards. On your turn you play a card from your hand: if a card of its"
            " month lies on the field, you capture both. Then you turn up the top card of the pile and do the same with"
            " it. When your captured cards make a yaku, you choose: stop and score it, or call koi-koi and play on for"
            " more, at the risk that the other player scores first."
        ),
        special=MappingProxyType(
            {
                "koikoi_nintendo": gettext_noop("Stop and score, or risk more"),
                "koikoi_fuda": gettext_noop("Many calls; each month has its yaku"),
                "koikoi_zoo": gettext_noop("The loser pays; eight deals decide"),
            }
        ),
        cards=("09.1", "08.1", "03.1"),
        luck=2,
        lesson="koi-koi",
    ),
)
