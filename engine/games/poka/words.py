"""Names of the things of Poka, and the words of a replay. Source of the names: 004."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from engine.cards import codes, parse_cards
from engine.games.poka.clauses import POKA_PARTS
from engine.games.poka.follow import GHOSTS
from engine.games.poka.scoring import POINTS
from engine.words import Combination, LocalizedMessage, Mark, Portrait, Words, gettext_noop

_TABLE: Final = "004 Teyaku table"

DEALT: Final = gettext_noop("Dealt in the hand (teyaku 手役)")
PLAYED: Final = gettext_noop("In play")

COMBINATIONS: Final[tuple[Combination, ...]] = (
    Combination(
        "buttakuri", gettext_noop("Four of a Kind"), 0, POINTS["buttakuri"], _TABLE, "ブッタクリ",
        gettext_noop("Buttakuri: four cards of one month. It wins the match at once"),
        parse_cards("08.1 08.2 08.3 08.4"), DEALT,
    ),
    Combination(
        "ghost_triplet", gettext_noop("Ghost Triplet"), 0, POINTS["ghost_triplet"], _TABLE, "化三枚",
        gettext_noop("Bake-sanmai: the three ghosts, which are the Crane, the January ribbon and the Bush Warbler"),
        parse_cards("01.1 01.2 02.1"), DEALT,
    ),
    Combination(
        "january_triplet", gettext_noop("January Triplet"), 0, POINTS["january_triplet"], _TABLE, "ピン三枚",
        gettext_noop("Pin-sanmai: exactly three January cards"),
        parse_cards("01.2 01.3 01.4"), DEALT,
    ),
    Combination(
        "triple_sticky", gettext_noop("Triple Sticky"), 0, POINTS["triple_sticky"], _TABLE, "三双",
        gettext_noop("Mitsu-kuttsuki: three pairs of three different months"),
        parse_cards("03.1 03.2 06.1 06.2 10.1 10.2"), DEALT,
    ),
    Combination(
        "all_out", gettext_noop("All Out"), 0, POINTS["all_out"], "004 All Out", "総出し",
        gettext_noop("Sou-dashi: all six cards discarded in the player's first turn"),
        parse_cards("03.1 04.1 05.1 06.1 07.1 08.1"), PLAYED,
    ),
)  # fmt: skip
"""The teyaku in the order in which they name a hand (R87), then the double win."""

WORDS: Final = Words(
    moves=MappingProxyType(
        {
            "discard": LocalizedMessage(
                gettext_noop("%(who)s discards %(discard)s"), MappingProxyType({"discard": "card"})
            ),
            "discard again": LocalizedMessage(
                gettext_noop("%(who)s continues with %(discard)s"), MappingProxyType({"discard": "card"})
            ),
            "flip": LocalizedMessage(
                gettext_noop("both have passed: %(flip)s is turned up"), MappingProxyType({"flip": "card"})
            ),
            "stop": LocalizedMessage(gettext_noop("%(who)s stops")),
            "pass": LocalizedMessage(gettext_noop("%(who)s passes")),
        }
    ),
    events=MappingProxyType(
        {
            "reshuffle": LocalizedMessage(
                gettext_noop("the discards but the top one are shuffled into a new draw pile")
            ),
            "teyaku": LocalizedMessage(
                gettext_noop("%(who)s was dealt %(teyaku)s: %(cards)s"),
                MappingProxyType({"teyaku": "yaku", "cards": "cards"}),
            ),
            "teyaku_void": LocalizedMessage(
                gettext_noop("%(who)s was dealt %(teyaku)s, which does not count: %(cards)s"),
                MappingProxyType({"teyaku": "yaku", "cards": "cards"}),
            ),
        }
    ),
    marks=MappingProxyType(
        {
            "pass": (Mark(gettext_noop("has passed"), group="pass"),),
            # Two passes in succession turn a card up; after it, and after any discard, they count from nothing (R84).
            "discard": (Mark(group="pass", seats=("*",)),),
            "flip": (Mark(group="pass", seats=("*",)),),
            "teyaku": (Mark("%(teyaku)s", MappingProxyType({"teyaku": "yaku"})),),
            "teyaku_void": (Mark(gettext_noop("%(teyaku)s, void"), MappingProxyType({"teyaku": "yaku"})),),
            "reshuffle": (
                Mark(gettext_noop("Shuffled again: %(n)s"), MappingProxyType({"n": "number"}), "shuffle", seats=()),
            ),
        }
    ),
    also=MappingProxyType(dict.fromkeys(codes(GHOSTS), gettext_noop("ghost"))),
    lines=MappingProxyType(
        {
            "emptied": gettext_noop("empty hand"),
            "all_out": gettext_noop("All Out"),
            "buttakuri": gettext_noop("Four of a Kind"),
            "ghost_triplet": gettext_noop("Ghost Triplet"),
            "january_triplet": gettext_noop("January Triplet"),
            "triple_sticky": gettext_noop("Triple Sticky"),
        }
    ),
    phases=MappingProxyType({"discard": gettext_noop("a discard, a stop or a pass")}),
    combinations=COMBINATIONS,
    account=gettext_noop("The first player to reach the target wins the match; the standings count matches won."),
    title=gettext_noop("Poka"),
    ja=MappingProxyType({"poka5": "ポカ・五文勝負", "poka3": "ポカ・三文勝負"}),
    parts=POKA_PARTS,
    portrait=Portrait(
        minute=gettext_noop(
            "Be the first without cards. Six cards each; discard them in the order of the months, as many in a row as"
            " you can. If you hold a card that follows the top one, you must discard one; otherwise you pass. Three"
            " ghost cards follow any card. An empty hand is a point, and the first player with %(target)s points wins"
            " the match."
        ),
        special=MappingProxyType(
            {
                "poka5": gettext_noop("Empty your hand, month by month"),
                "poka3": gettext_noop("Shorter Poka: three points win"),
            }
        ),
        cards=("01.1", "01.2", "02.1"),
        deal_minutes=2,
        luck=4,
    ),
)
