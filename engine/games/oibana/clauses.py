"""The rules of Oi-bana in paragraphs, for its rules page. Source: rules.md 5."""

from __future__ import annotations

from typing import Final

from engine.games.sakura.clauses import FULL_MONTH, PLAY, THE_LIGHTNING
from engine.words import COUNTING, PLAYING, STARTING, Clause, Part, gettext_noop

DEAL: Final[tuple[Clause, ...]] = (
    Clause(
        "deal",
        gettext_noop("The deal"),
        gettext_noop("Eight cards for everybody, and no field yet."),
        "000",
    ),
    Clause(
        "auction",
        gettext_noop("The auction"),
        gettext_noop(
            "Everybody bids once and openly, starting with the dealer: a number from %(bid_min)s to %(bid_max)s;"
            " nobody may pass. The two highest bidders play; of equal bids the earlier one is higher. The others only"
            " watch."
        ),
        "000; rules 5",
    ),
    Clause(
        "field",
        gettext_noop("The field"),
        gettext_noop(
            "The others return their cards, which are shuffled into the rest. Eight cards are laid face up on the"
            " field; the other 24 are the pile. Of the two players, the one who comes first from the dealer leads."
        ),
        "rules 5",
    ),
    Clause(
        "full-month",
        gettext_noop("Four of a month"),
        gettext_noop("If all four cards of a month are dealt to the field, the player who leads captures them."),
        "rules 5",
        only={"field_quad": ("dealer_captures",)},
    ),
    *(clause for clause in FULL_MONTH if "dealer_captures" not in clause.only["field_quad"]),
)
SCORE: Final[tuple[Clause, ...]] = (
    Clause(
        "stake",
        gettext_noop("The stake"),
        gettext_noop(
            "The two count as in Sakura: the value of their cards, minus %(yaku_penalty)s for each yaku of the "
            "other. The loser pays the loser's bid to the winner; nobody else pays or receives."
        ),
        "000; rules 5",
        only={"oibana_payment": ("loser_bid",)},
    ),
    Clause(
        "stake",
        gettext_noop("The stake"),
        gettext_noop(
            "The two count as in Sakura: the value of their cards, minus %(yaku_penalty)s for each yaku of the other."
            " The loser pays the winner's bid; nobody else pays or receives."
        ),
        "000; rules 5",
        only={"oibana_payment": ("winner_bid",)},
    ),
    Clause(
        "match",
        gettext_noop("The match"),
        gettext_noop("The winner deals next. After %(rounds)s deals the player with the highest account wins."),
        "000; rules 5",
    ),
)
OIBANA_PARTS: Final = (Part(STARTING, DEAL), Part(PLAYING, PLAY), THE_LIGHTNING, Part(COUNTING, SCORE))
