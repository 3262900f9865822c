"""The rules of a deal of Sakura in paragraphs, for its rules pages and those of Oi-bana. Source: rules.md 3, 4."""

from __future__ import annotations

from typing import Final

from engine.cards import parse_cards
from engine.words import COUNTING, PLAYING, STARTING, Clause, Part, gettext_noop

LIGHTNING: Final = parse_cards("11.4")
WILD: Final = ("from_hand", "until_willow_captured")
"""Where the Lightning is ever wild."""

FULL_MONTH: Final[tuple[Clause, ...]] = (
    Clause(
        "full-month",
        gettext_noop("Four of a month"),
        gettext_noop(
            "If all four cards of a month are dealt to the field, the dealer captures them. The field is not filled up"
            " again, and the dealer plays first as usual."
        ),
        "000 Setup",
        only={"field_quad": ("dealer_captures",)},
    ),
    Clause(
        "full-month",
        gettext_noop("Four of a month"),
        gettext_noop("If all four cards of a month are dealt to the field, the deal is void: nobody scores."),
        "001 Préparation",
        only={"field_quad": ("void_round",)},
    ),
    Clause(
        "full-month",
        gettext_noop("Four of a month"),
        gettext_noop(
            "If all four cards of a month are dealt to the field, the cards are shuffled and the same dealer deals"
            " again. The first deal does not count."
        ),
        "rules 2.1",
        only={"field_quad": ("redeal",)},
    ),
)
DEAL: Final[tuple[Clause, ...]] = (
    Clause(
        "deal",
        gettext_noop("The deal"),
        gettext_noop(
            "Hands are dealt starting at the dealer's right; the dealer comes last. The field lies face up; the rest"
            " is the pile."
        ),
        "000 Setup; 003",
    ),
    *FULL_MONTH,
    Clause(
        "deal-hands",
        gettext_noop("Hands that win"),
        gettext_noop(
            "Four cards of one month (Teshi) or four pairs of different months (Kuttsuki) in a dealt hand win the deal"
            " at once with 6 points. On the field they make it void."
        ),
        "001 Préparation",
        "手四・くっつき",
        only={"deal_hands": ("teshi_kuttsuki",)},
    ),
)
PLAY: Final[tuple[Clause, ...]] = (
    Clause(
        "turn",
        gettext_noop("A turn"),
        gettext_noop(
            "Play a card from your hand. It takes a card of its month from the field; of two you choose one, of three"
            " it takes all. Without such a card it stays on the field. Then the top of the pile is turned up and played"
            " by the same rules."
        ),
        "000; 001; 003",
    ),
    Clause(
        "empty-hand",
        gettext_noop("Empty hand"),
        gettext_noop("A player with an empty hand only draws, as long as the pile lasts."),
        "000",
        only={"round_end": ("hands_and_pile",)},
    ),
    Clause(
        "declaring-hiki",
        gettext_noop("Hiki"),
        gettext_noop(
            "A player who sees all four cards of a month in their own hand and on the field together may capture "
            "them on their turn, instead of playing a card."
        ),
        "000 Hiki",
        "引き",
        only={"hiki": ("any_split",)},
    ),
)
GAJI: Final[tuple[Clause, ...]] = (
    Clause(
        "gaji",
        gettext_noop("The Lightning"),
        gettext_noop("Played from the hand, the Lightning (Gaji) is wild: it takes any one card of the field."),
        "000 Gaji; 003",
        cards=LIGHTNING,
        only={"gaji_wild": ("from_hand",)},
    ),
    Clause(
        "gaji",
        gettext_noop("The Lightning"),
        gettext_noop(
            "As long as nobody has captured a Willow, the Lightning (Gaji) is wild when it is played from the hand: it"
            " takes any card of the field. After that it is an ordinary Willow."
        ),
        "001 Gaji",
        cards=LIGHTNING,
        only={"gaji_wild": ("until_willow_captured",)},
    ),
    Clause(
        "gaji-triple",
        gettext_noop("The Lightning and three of a month"),
        gettext_noop(
            "If three cards of a month lie on the field and the Lightning names one of them, it takes all three."
        ),
        "001 Exception",
        only={"gaji_wild": WILD, "gaji_on_triple": ("all",)},
    ),
    Clause(
        "gaji-triple",
        gettext_noop("The Lightning and three of a month"),
        gettext_noop(
            "If three cards of a month lie on the field and the Lightning names one of them, it takes that one and"
            " leaves two. Three Willows it takes together, as their fourth card."
        ),
        "000 Gaji",
        only={"gaji_wild": WILD, "gaji_on_triple": ("one",)},
    ),
    Clause(
        "gaji-from-pile",
        gettext_noop("The Lightning from the pile"),
        gettext_noop("Turned up from the pile, the Lightning is as wild as from the hand."),
        "003",
        only={"gaji_from_pile": ("wild",)},
    ),
    Clause(
        "gaji-block",
        gettext_noop("The block"),
        gettext_noop(
            "If another player holds all the rest of the month that the Lightning names, that player captures the "
            "four cards at once, out of turn. The Lightning then names another card or stays on the field."
        ),
        "000 Gaji",
        only={"hiki_block": ("owner_captures",)},
    ),
    Clause(
        "gaji-block",
        gettext_noop("The block"),
        gettext_noop(
            "Three cards of a month on the field are forbidden to the Lightning if another player holds the fourth. It"
            " then names another card or stays on the field."
        ),
        "001 Exception",
        only={"hiki_block": ("forbid_triple",)},
    ),
    Clause(
        "gaji-claim",
        gettext_noop("The claim"),
        gettext_noop(
            "When the deal ends, cards of the month that the Lightning was paired with go from the field to the "
            "player who used it. All other cards left there are dead."
        ),
        "000 End of Round; 001 Gaji",
        only={"gaji_claim": ("round_end_same_month",)},
    ),
    Clause(
        "gaji-claim",
        gettext_noop("The claim"),
        gettext_noop(
            "The next point card of the month that the Lightning was paired with goes to the player who used it: "
            "once, when an opponent captures it or when it is turned up. Chaff never does."
        ),
        "003 note",
        only={"gaji_claim": ("next_point_card",)},
    ),
)
SCORE: Final[tuple[Clause, ...]] = (
    Clause(
        "score",
        gettext_noop("The score"),
        gettext_noop(
            "The value of the captured cards, minus %(yaku_penalty)s for each yaku of every other side. Own yaku add"
            " nothing. The highest score wins the deal; if several are equal, the player who comes first in turn order"
            " from the dealer wins."
        ),
        "000; 001; 003",
    ),
    Clause(
        "next-dealer",
        gettext_noop("Who deals next"),
        gettext_noop("The winner of a deal deals the next one and plays first in it."),
        "000 End of Round",
        only={"dealer_succession": ("winner",)},
    ),
    Clause(
        "next-dealer",
        gettext_noop("Who deals next"),
        gettext_noop("The player to the dealer's right deals next and plays first, regardless of who won the deal."),
        "001",
        only={"dealer_succession": ("rotate",)},
    ),
    Clause(
        "match",
        gettext_noop("The match"),
        gettext_noop("The scores of %(rounds)s deals are added. The highest sum wins."),
        "000; 001",
        only={"scoring": ("cumulative",)},
    ),
    Clause(
        "match",
        gettext_noop("The match"),
        gettext_noop("The side that wins most of the %(rounds)s deals wins the match, regardless of points."),
        "000 Victory Scoring",
        only={"scoring": ("victories",)},
    ),
)
THE_LIGHTNING: Final = Part(gettext_noop("What the Lightning does"), GAJI)
SAKURA_PARTS: Final = (Part(STARTING, DEAL), Part(PLAYING, PLAY), THE_LIGHTNING, Part(COUNTING, SCORE))
