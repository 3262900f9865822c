"""The words and figures of the Sakura family. Source: rules.md 1.1 to 1.3, 3.2, 4.1.

Its moves have sentences of their own in the replay, which tell what was taken; here is what any reader needs.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from engine.cards import CARDS
from engine.games.sakura.clauses import SAKURA_PARTS
from engine.games.sakura.yaku import YAKU
from engine.words import Combination, LocalizedMessage, Portrait, Words, gettext_noop

BY_VALUE: Final = MappingProxyType({20: "bright", 5: "animal", 10: "ribbon", 0: "chaff"})
YAKU_WORTH: Final = 50
IROHA: Final = dict(zip((yaku.id for yaku in YAKU), "いろはにほへとち", strict=True))
"""The yaku are known by the first syllables of the Iroha."""

MOVES: Final = MappingProxyType(
    {
        "play": LocalizedMessage(gettext_noop("%(who)s plays %(play)s"), MappingProxyType({"play": "card"})),
        "hiki": LocalizedMessage(gettext_noop("%(who)s declares hiki: %(hiki)s"), MappingProxyType({"hiki": "flower"})),
        "draw_only": LocalizedMessage(gettext_noop("%(who)s only draws")),
        "draw_take": LocalizedMessage(
            gettext_noop("%(who)s names %(draw_take)s"), MappingProxyType({"draw_take": "card"})
        ),
        "blocked_choice": LocalizedMessage(
            gettext_noop("%(who)s now names %(blocked_choice)s"), MappingProxyType({"blocked_choice": "card"})
        ),
    }
)
PHASES: Final = MappingProxyType(
    {
        "hand": gettext_noop("which card of the hand to play"),
        "flip_choice": gettext_noop("what the turned-up card takes"),
        "flip_gaji": gettext_noop("what the turned-up Lightning takes"),
        "gaji_blocked": gettext_noop("another card for the blocked Lightning"),
    }
)
EVENTS: Final = MappingProxyType(
    {
        "teshi": LocalizedMessage(
            gettext_noop("%(side)s was dealt Teshi, four cards of one month, and shows %(cards)s"),
            MappingProxyType({"side": "side", "cards": "cards"}),
        ),
        "kuttsuki": LocalizedMessage(
            gettext_noop("%(side)s was dealt Kuttsuki, four pairs, and shows %(cards)s"),
            MappingProxyType({"side": "side", "cards": "cards"}),
        ),
        "gaji_removed": LocalizedMessage(gettext_noop("the Lightning on the field is taken out of the deal")),
        "void": LocalizedMessage(
            gettext_noop("a combination on the field, or hands against each other, make the deal void")
        ),
    }
)
LINES: Final = MappingProxyType(
    {
        "cards": gettext_noop("cards"),
        "opp_yaku": gettext_noop("opponents' yaku"),
        "teshi": gettext_noop("Teshi"),
        "kuttsuki": gettext_noop("Kuttsuki"),
        "void": gettext_noop("void deal"),
        # Translators: of several with the same score this one has won, as the first in turn order from the dealer.
        "tie": gettext_noop("first in turn"),
    }
)

SAKURA_MINUTE: Final = gettext_noop(
    "Each of the twelve months has four cards. On your turn you play a card from your hand: if a card of its month lies"
    " on the field, you capture both. Then you turn up the top card of the pile and do the same with it. Captured cards"
    " count their value, and each yaku, a set of certain cards, takes %(yaku_penalty)s points from every opponent."
)
SPECIAL: Final = MappingProxyType(
    {
        "hawaii": gettext_noop("Wild Lightning; yaku cost everybody else"),
        "paradise": gettext_noop("Like Hawaii, but deals won decide"),
        "french": gettext_noop("No hiki; some hands win outright"),
        "enwiki2020": gettext_noop("Lightning is wild even when drawn"),
    }
)

SAKURA_WORDS: Final = Words(
    moves=MOVES,
    events=EVENTS,
    phases=PHASES,
    lines=LINES,
    combinations=tuple(
        Combination(yaku.id, yaku.name, yaku.cards, YAKU_WORTH, "rules 1.3", IROHA[yaku.id], yaku.also) for yaku in YAKU
    ),
    values=MappingProxyType({card.code: card.sakura for card in CARDS}),
    categories=MappingProxyType({card.code: BY_VALUE[card.sakura] for card in CARDS}),
    account=gettext_noop("Points: the value of captured cards minus a penalty for each yaku of an opponent."),
    title=gettext_noop("Sakura"),
    ja=MappingProxyType(
        {
            "hawaii": "さくら・ハワイ",
            "paradise": "さくら・パラダイス",
            "french": "さくら・フランス",
            "enwiki2020": "さくら・英語版2020",
        }
    ),
    parts=SAKURA_PARTS,
    portrait=Portrait(minute=SAKURA_MINUTE, special=SPECIAL, cards=("03.1", "11.4", "08.1"), luck=2, lesson="sakura"),
)
