"""The rules of Koi-Koi in paragraphs, for its rules pages. Source: Nintendo's leaflets; Fuda Wiki `koi-koi.md`."""

from __future__ import annotations

from typing import Final

from engine.cards import parse_cards
from engine.options import MAX_DEALS
from engine.words import COUNTING, PLAYING, STARTING, Clause, Part, gettext_noop

ANY: Final = tuple(range(1, MAX_DEALS + 1))
"""Every stake and target but none."""

DEAL: Final[tuple[Clause, ...]] = (
    Clause(
        "deal",
        gettext_noop("The deal"),
        gettext_noop("Both players get eight cards, and eight lie face up on the field. The dealer plays first."),
        "Nintendo; Fuda Wiki Setup",
    ),
    Clause(
        "misdeal",
        gettext_noop("Dealt again"),
        gettext_noop(
            "Four cards of a month on the field, or four pairs there, are shuffled and dealt again by the same dealer."
        ),
        "Fuda Wiki Lucky Hands; open-hanafuda-ai",
        only={"field_quad": ("redeal",), "field_pairs": ("redeal",)},
    ),
    Clause(
        "misdeal",
        gettext_noop("Dealt again"),
        gettext_noop("Four cards of a month on the field are shuffled and dealt again by the same dealer."),
        "KoiKoi-AI",
        only={"field_quad": ("redeal",), "field_pairs": ("play",)},
    ),
    Clause(
        "misdeal",
        gettext_noop("Four of a month on the field"),
        gettext_noop("Four cards of a month on the field win the deal for the dealer, with 6 points."),
        "Fuda Wiki Setup Variations",
        only={"field_quad": ("dealer_wins",)},
    ),
    Clause(
        "lucky-hands",
        gettext_noop("Hands that win"),
        gettext_noop(
            "Four cards of one month (Teshi) or four pairs (Kuttsuki) in a dealt hand win the deal at once with 6"
            " points. If both players hold such a hand, nobody scores."
        ),
        "Fuda Wiki (DS); Fuda Wiki Lucky Hands",
        "手四・くっつき",
        only={"teshi": ("win",), "kuttsuki": ("win",)},
    ),
    Clause(
        "lucky-hands",
        gettext_noop("A full month in a hand"),
        gettext_noop("If a dealt hand holds four cards of one month, the cards are shuffled and dealt again."),
        "KoiKoi-AI",
        "手四",
        only={"teshi": ("redeal",)},
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
        "Nintendo; Fuda Wiki Turns",
    ),
    Clause(
        "decision",
        gettext_noop("Stop or koi-koi"),
        gettext_noop(
            "A player who makes a yaku, or improves one, says at the end of the turn whether the deal ends. After stop"
            " (shōbu) the player scores all their yaku. After koi-koi the deal goes on, and the player can stop again"
            " only with more points than now."
        ),
        "Fuda Wiki Checking for Yaku; open-hanafuda-ai; KoiKoi-AI",
        "勝負・こいこい",
    ),
    Clause(
        "calls",
        gettext_noop("One call"),
        gettext_noop(
            "Koi-koi is called once in a deal, no matter by whom. Then the next new or improved yaku ends it, as it"
            " does for a player without hand cards."
        ),
        "open-hanafuda-ai",
        only={"koikoi_limit": ("once",)},
    ),
    Clause(
        "calls",
        gettext_noop("One call each"),
        gettext_noop(
            "Each player may call koi-koi once in a deal. After that, or without hand cards, a new or improved yaku"
            " ends it."
        ),
        "Fuda Wiki (DS)",
        only={"koikoi_limit": ("each_once",)},
    ),
    Clause(
        "calls",
        gettext_noop("Many calls"),
        gettext_noop(
            "Koi-koi may be called at every improvement. Only a player without hand cards cannot call: the yaku ends"
            " the deal."
        ),
        "Fuda Wiki; KoiKoi-AI",
        only={"koikoi_limit": ("many",)},
    ),
)
YAKU: Final[tuple[Clause, ...]] = (
    Clause(
        "sake-cup",
        gettext_noop("The Sake Cup"),
        gettext_noop("The Sake Cup counts as an animal and as chaff at the same time."),
        "Nintendo; Fuda Wiki Other Yaku",
        "菊に盃",
        parse_cards("09.1"),
        only={"sake_cup": ("both",)},
    ),
    Clause(
        "growing-sets",
        gettext_noop("Sets that grow"),
        gettext_noop(
            "Boar, Deer and Butterflies and the sets of ribbons count 1 point more for each further animal or ribbon;"
            " Animals and Ribbons then do not count as well. Both sets of ribbons are 10 points together."
        ),
        "Nintendo; Fuda Wiki; open-hanafuda-ai",
        only={"sets": ("grow",)},
    ),
    Clause(
        "growing-sets",
        gettext_noop("Sets that add up"),
        gettext_noop("The sets of animals and ribbons count 5 points each, beside Animals and Ribbons."),
        "Fuda Wiki Older Yaku",
        only={"sets": ("stack",)},
    ),
    Clause(
        "growing-sets",
        gettext_noop("Sets that add up"),
        gettext_noop(
            "The sets of animals and ribbons count 5 points each, beside Animals and Ribbons. Both sets of ribbons"
            " together are 10 points more."
        ),
        "Fuda Wiki (Koi-Koi Japan); KoiKoi-AI",
        only={"sets": ("stack_bonus",)},
    ),
    Clause(
        "viewings",
        gettext_noop("The viewings"),
        gettext_noop(
            "Flower Viewing and Moon Viewing count 1 point each, and 3 points once their holder has called koi-koi in"
            " the deal."
        ),
        "Fuda Wiki (Koi-Koi Japan); KoiKoi-AI",
        "花見・月見",
        parse_cards("03.1 08.1 09.1"),
        only={"viewing": ("one_three",)},
    ),
    Clause(
        "month",
        gettext_noop("Cards of the Month"),
        gettext_noop(
            "The four cards of the month of the deal are worth 4 points: January in the first deal, December in the"
            " twelfth."
        ),
        "Fuda Wiki Other Yaku",
        "月札",
        only={"month_cards": (True,)},
    ),
)
SCORE: Final[tuple[Clause, ...]] = (
    Clause(
        "score",
        gettext_noop("The score"),
        gettext_noop(
            "Only the player who stops scores: the sum of their yaku. The yaku of the other player count nothing."
        ),
        "Fuda Wiki Scoring for Yaku",
    ),
    Clause(
        "seven",
        gettext_noop("Seven points"),
        gettext_noop("Yaku of 7 points or more in all count twice."),
        "Fuda Wiki (DS); Fuda Wiki; open-hanafuda-ai",
        only={"seven_double": (True,)},
    ),
    Clause(
        "opponent-called",
        gettext_noop("After the other's koi-koi"),
        gettext_noop("If the other player has called koi-koi in the deal, the score counts twice."),
        "Fuda Wiki (DS); Fuda Wiki; open-hanafuda-ai",
        only={"koikoi_bonus": ("opponent_double",)},
    ),
    Clause(
        "own-calls",
        gettext_noop("Own calls"),
        gettext_noop(
            "Up to three calls of the player who stops add 1 point each. With four calls the score counts twice"
            " instead, with five three times, and so on."
        ),
        "Fuda Wiki (Koi-Koi Japan); KoiKoi-AI",
        only={"koikoi_bonus": ("ladder",)},
    ),
    Clause(
        "nobody-stops",
        gettext_noop("Nobody stops"),
        gettext_noop(
            "When both hands are exhausted and nobody has stopped, nobody scores, not even a player who has called"
            " koi-koi."
        ),
        "Fuda Wiki Exhaustive Draw; open-hanafuda-ai",
        only={"exhausted": ("nothing",)},
    ),
    Clause(
        "nobody-stops",
        gettext_noop("Nobody stops"),
        gettext_noop(
            "When both hands are exhausted and nobody has stopped, the dealer scores 1 point (the dealer's privilege),"
            " which wins no deal."
        ),
        "Fuda Wiki Draws; Fuda Wiki (Koi-Koi Japan); KoiKoi-AI",
        "親権",
        only={"exhausted": ("dealer_1",)},
    ),
    Clause(
        "payment",
        gettext_noop("Who pays"),
        gettext_noop("What one player scores the other loses."),
        "Fuda Wiki Zero-Sum; KoiKoi-AI",
        only={"zero_sum": (True,)},
    ),
    Clause(
        "next-dealer",
        gettext_noop("Who deals next"),
        gettext_noop("The winner of a deal deals the next one. If nobody has won, the other player deals next."),
        "open-hanafuda-ai",
        only={"after_draw": ("other",)},
    ),
    Clause(
        "next-dealer",
        gettext_noop("Who deals next"),
        gettext_noop("The winner of a deal deals the next one. If nobody has won, the same dealer deals next."),
        "Fuda Wiki; KoiKoi-AI",
        only={"after_draw": ("same",)},
    ),
    Clause(
        "match",
        gettext_noop("The match"),
        gettext_noop("The scores of %(rounds)s deals are added. The highest sum wins."),
        "Nintendo; Fuda Wiki Setup",
        only={"scoring": ("cumulative",), "stake": (0,)},
    ),
    Clause(
        "match",
        gettext_noop("The match"),
        gettext_noop(
            "The scores of %(rounds)s deals are added. The highest sum wins. The match ends earlier when a player has"
            " lost %(stake)s points in all."
        ),
        "KoiKoi-AI",
        only={"scoring": ("cumulative",), "stake": ANY},
    ),
    Clause(
        "match",
        gettext_noop("The match"),
        gettext_noop("The side that wins most of the %(rounds)s deals wins the match, regardless of points."),
        "rules.md 4.4",
        only={"scoring": ("victories",)},
    ),
    Clause(
        "target",
        gettext_noop("The target"),
        gettext_noop("The match also ends as soon as a player has %(target)s points."),
        "Fuda Wiki Setup",
        only={"target": ANY},
    ),
)
KOIKOI_PARTS: Final = (
    Part(STARTING, DEAL),
    Part(PLAYING, PLAY),
    Part(gettext_noop("What the yaku are"), YAKU),
    Part(COUNTING, SCORE),
)
