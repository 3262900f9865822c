"""The words and figures of Nuki Hachi-hachi, in English with the Japanese names. Source: rules.md 1.1, 6; 002."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.cards import CARDS, parse_cards
from engine.games.nuki.clauses import NUKI_PARTS
from engine.games.nuki.dekiyaku import DEKIYAKU
from engine.games.nuki.teyaku import TEYAKU
from engine.games.nuki.values import KAN
from engine.words import Combination, LocalizedMessage, Mark, Portrait, Value, Words, gettext_noop

JAPANESE: Final = MappingProxyType(
    {
        "mizuten": "不見転",
        "join": "出",
        "forced_out": "追い込み",
        "sage": "下げ",
        "shoubu": "勝負",
        "sixteen_chaff": "素十六",
        "diving": "飛び込み",
        "escape": "抜け役",
        "large_field": "大場",
        "small_field": "小場",
        "teyaku": "手役",
        "dekiyaku": "出来役",
    }
)
"""What 002 calls things that are no cards and no combinations."""


def _message(text: str, **values: Value) -> LocalizedMessage:
    return LocalizedMessage(text, MappingProxyType(values))


MOVES: Final[Mapping[str, LocalizedMessage]] = MappingProxyType(
    {
        "see": _message(gettext_noop("%(who)s looks at the hand")),
        "mizuten": _message(gettext_noop("%(who)s plays blind (mizuten)")),
        "join play": _message(gettext_noop("%(who)s stays in")),
        "join drop": _message(gettext_noop("%(who)s drops out")),
        "triplet": _message(gettext_noop("%(who)s names the triplet of %(triplet)s"), triplet="flower"),
        "play": _message(gettext_noop("%(who)s plays %(play)s"), play="card"),
        "draw_take": _message(gettext_noop("%(who)s names %(draw_take)s"), draw_take="card"),
        "call sage": _message(gettext_noop("%(who)s calls sage: the deal continues")),
        "call shoubu": _message(gettext_noop("%(who)s calls shoubu: the deal ends")),
        "call cancel": _message(gettext_noop("%(who)s cancels: the deal ends for half")),
    }
)
EVENTS: Final[Mapping[str, LocalizedMessage]] = MappingProxyType(
    {
        "paulownia": _message(gettext_noop("both Paulownia lie on the field and go to %(side)s"), side="side"),
        "large_field": _message(gettext_noop("a large field: every payment counts %(mult)s times"), mult="number"),
        "misdeal": _message(gettext_noop("nobody plays: the cards are thrown in and dealt again")),
        "begin": _message(gettext_noop("%(active)s play this deal"), active="seats"),
        "begin forced_out": _message(
            gettext_noop("%(active)s play this deal; forced out: %(forced_out)s"), active="seats", forced_out="seats"
        ),
        "return": _message(gettext_noop("the other hands go back to the pile, which is shuffled")),
        "teyaku": _message(
            gettext_noop("%(who)s claims %(name)s for %(kan)s kan and shows %(cards)s"),
            name="yaku", kan="number", cards="cards",
        ),
        "triple": _message(gettext_noop("%(who)s takes all four cards of %(month)s"), month="flower"),
        "dekiyaku": _message(gettext_noop("%(who)s has %(name)s: %(kan)s kan"), name="yaku", kan="number"),
    }
)  # fmt: skip
ROLE: Final = "role"
MARKS: Final[Mapping[str, tuple[Mark, ...]]] = MappingProxyType(
    {
        "mizuten": (Mark(gettext_noop("plays blind")),),
        "join play": (Mark(gettext_noop("plays"), group=ROLE),),
        "join drop": (Mark(gettext_noop("dropped out"), group=ROLE),),
        "begin": (Mark(gettext_noop("forced out"), group=ROLE, seats=("forced_out",)),),
        "misdeal": (Mark(group=ROLE, seats=("*",)), Mark(group="field", seats=())),
        "large_field": (Mark(gettext_noop("Large field: ×%(mult)s"), {"mult": "number"}, group="field", seats=()),),
        "teyaku": (Mark(gettext_noop("%(name)s, %(kan)s kan"), {"name": "yaku", "kan": "number"}),),
        "call sage": (Mark(gettext_noop("sage"), group="call"),),
        "call shoubu": (Mark(gettext_noop("shoubu"), group="call"),),
        "call cancel": (Mark(gettext_noop("has cancelled"), group="call"),),
    }
)
LINES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "teyaku": gettext_noop("hand yaku"),
        "dekiyaku": gettext_noop("yaku"),
        "half_dekiyaku": gettext_noop("half yaku"),
        "sixteen_chaff": gettext_noop("Sixteen Chaff"),
        "card_points": gettext_noop("card points"),
        "diving": gettext_noop("Diving"),
        "escape": gettext_noop("Escape"),
        "mizuten": gettext_noop("Mizuten"),
        "forced_out": gettext_noop("forced out"),
        "dropout": gettext_noop("dropped out"),
        "pot": gettext_noop("the pot"),
    }
)
PHASES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "mizuten": gettext_noop("whether to play blind"),
        "join": gettext_noop("whether to play this deal"),
        "showdown": gettext_noop("which triplet to claim"),
        "hand": gettext_noop("which card of the hand to play"),
        "flip_choice": gettext_noop("what the turned-up card takes"),
        "decision": gettext_noop("sage or shoubu"),
    }
)

GROUPS: Final = MappingProxyType(
    {
        "": gettext_noop("Made with captured cards (dekiyaku 出来役)"),
        "A": gettext_noop("Dealt in the hand, Group A (teyaku 手役)"),
        "B": gettext_noop("Dealt in the hand, Group B (teyaku 手役)"),
    }
)
EXAMPLES: Final = MappingProxyType(
    {
        "triplet": "01.1 01.2 01.3 02.1 03.1 06.1 08.1",
        "three_pairs": "01.1 01.2 02.1 02.2 03.1 03.2 06.1",
        "four_of_a_kind": "08.1 08.2 08.3 08.4 02.1 03.1 06.1",
        "haneken": "01.1 01.2 01.3 06.1 06.2 08.1 08.2",
        "one_two_four": "03.1 03.2 03.3 03.4 02.1 02.2 06.1",
        "four_three": "09.1 09.2 09.3 09.4 10.1 10.2 10.3",
        "red": "01.2 02.2 03.3 06.3 08.3 09.3 10.3",
        "one_ribbon": "01.2 02.3 03.3 06.3 08.3 09.3 10.3",
        "one_animal": "08.2 01.3 02.3 03.3 06.3 09.3 10.3",
        "one_bright": "01.1 02.3 03.3 06.3 08.3 09.3 10.3",
        "empty_hand": "01.3 02.3 03.3 06.3 08.3 09.3 11.1",
    }
)
"""A hand for each teyaku."""

COMBINATIONS: Final = (
    *(
        Combination(made.id, made.en, made.cards, made.kan, "rules 6.4", ja=made.ja, group=GROUPS[""])
        for made in DEKIYAKU
    ),
    *(
        Combination(
            hand.id, hand.en, 0, hand.kan, "rules 6.2", hand.ja, hand.condition,
            parse_cards(EXAMPLES[hand.id]), GROUPS[hand.group],
        )
        for hand in TEYAKU
    ),
)  # fmt: skip

NUKI_WORDS: Final = Words(
    moves=MOVES,
    events=EVENTS,
    marks=MARKS,
    lines=LINES,
    phases=PHASES,
    unit=gettext_noop("kan"),
    unit_points=KAN,
    combinations=COMBINATIONS,
    values=MappingProxyType({card.code: card.nuki for card in CARDS if card.nuki is not None}),
    account=gettext_noop("10 points are 1 kan. What one player receives, the others pay."),
    title=gettext_noop("Nuki Hachi-hachi"),
    ja=MappingProxyType({"nuki88": "抜き八八"}),
    parts=NUKI_PARTS,
    portrait=Portrait(
        minute=gettext_noop(
            "34 cards are used, and two players at the table play each deal; the others drop out. On your turn you play"
            " a card and turn one up, and each captures a card of its month. The others pay you for a good hand as it"
            " was dealt and for the sets that you capture. When you complete a set, you end the deal or go on for"
            " more. After %(rounds)s deals the player with the highest account wins."
        ),
        special=MappingProxyType({"nuki88": gettext_noop("34 cards; two play, others pay")}),
        cards=("01.1", "08.1", "03.1"),
        luck=2,
    ),
)
