"""The rules of Nuki Hachi-hachi in paragraphs, for its rules page. Source: rules.md 6; 002."""

from __future__ import annotations

from typing import Final

from engine.cards import parse_cards
from engine.words import COUNTING, PLAYING, STARTING, Clause, Part, gettext_noop

DEAL: Final[tuple[Clause, ...]] = (
    Clause(
        "cards",
        gettext_noop("The cards"),
        gettext_noop(
            "34 cards: all but Wisteria, Iris and Bush Clover, and without two Paulownia chaff. Of two to four players"
            " exactly two play a deal."
        ),
        "002",
    ),
    Clause(
        "deal",
        gettext_noop("The deal"),
        gettext_noop(
            "Seven cards for everybody and six on the field. Four cards of a month on the field are a misdeal. If both"
            " Paulownia lie there, the dealer captures them."
        ),
        "002",
    ),
    Clause(
        "large-field",
        gettext_noop("The large field"),
        gettext_noop(
            "If the Crane, the Curtain or the Full Moon is dealt to the field, every payment of the deal counts twice."
            " Further ones double the deals that follow."
        ),
        "002",
        "大場",
        parse_cards("01.1 03.1 08.1"),
    ),
    Clause(
        "playing-blind",
        gettext_noop("Playing blind"),
        gettext_noop(
            "Before looking at the hand, the dealer may declare to play blind (mizuten): 106 card points or more bring"
            " 1 kan from everybody, less costs 1 kan."
        ),
        "002",
        "不見転",
        only={"mizuten": (True,)},
    ),
    Clause(
        "who-plays",
        gettext_noop("Who plays"),
        gettext_noop(
            "With three or four at the table everybody says in turn, the dealer first, whether they play or drop "
            "out, until two play. A player who was not asked by then is forced out. The other hands go back to "
            "the pile. If only one player plays, that player wins the deal; if nobody plays, it is dealt again."
        ),
        "002",
    ),
    Clause(
        "hand-worth",
        gettext_noop("What a hand is worth"),
        gettext_noop(
            "The two who play claim what they were dealt, at most one combination of each group. The other pays it,"
            " however the deal ends."
        ),
        "002",
        "手役",
    ),
)
PLAY: Final[tuple[Clause, ...]] = (
    Clause(
        "turn",
        gettext_noop("A turn"),
        gettext_noop(
            "Play a card from your hand, then turn up the top of the pile. Each takes a card of its month from the"
            " field; of two you choose one, of three it takes all. No card is wild."
        ),
        "002",
    ),
    Clause(
        "sage-shoubu",
        gettext_noop("Sage and shoubu"),
        gettext_noop(
            "A player who completes a combination with captured cards must call. Shoubu ends the deal, and the "
            "player is paid for all of them. Sage lets it go on; on a later turn the player may cancel, which "
            "ends the deal for half. If the hands run out instead, each is paid half of their own, and the player "
            "who called sage first has won."
        ),
        "002",
        "下げ・勝負",
    ),
)
SCORE: Final[tuple[Clause, ...]] = (
    Clause(
        "sixteen-chaff",
        gettext_noop("Sixteen Chaff"),
        gettext_noop(
            "Without any such combination, 16 captured chaff bring 12 kan, each further one 2 kan more; every Willow"
            " counts as chaff. Otherwise the difference in card points is paid."
        ),
        "002",
        "素十六",
    ),
    Clause(
        "diving-escape",
        gettext_noop("Diving and Escape"),
        gettext_noop(
            "1 kan each: for capturing all four cards of the month of a claimed triplet (Diving), and for 106 card"
            " points or more after a claim of Group B (Escape)."
        ),
        "002",
        "飛び込み・抜け役",
    ),
    Clause(
        "account",
        gettext_noop("The account"),
        gettext_noop(
            "1 kan is 10 points. What one player receives, the others pay. The winner of a deal deals next; after"
            " %(rounds)s deals the player with the highest account wins."
        ),
        "002; FW",
    ),
)
NUKI_PARTS: Final = (Part(STARTING, DEAL), Part(PLAYING, PLAY), Part(COUNTING, SCORE))
