"""The rules of Poka in paragraphs, for its rules pages. Source: rules.md 7; 004."""

from __future__ import annotations

from typing import Final

from engine.cards import parse_cards
from engine.games.poka.follow import GHOSTS
from engine.words import COUNTING, PLAYING, STARTING, Clause, Part, gettext_noop

DEAL: Final[tuple[Clause, ...]] = (
    Clause(
        "aim",
        gettext_noop("The aim"),
        gettext_noop(
            "Be the first without cards. Only the order of the months counts, January to December and then January"
            " again."
        ),
        "004",
    ),
    Clause(
        "deal",
        gettext_noop("The deal"),
        gettext_noop(
            "Everybody gets six cards; one more, face up, begins the discard pile. A combination in a dealt hand wins"
            " the deal before play begins. If both players hold combinations of the same value, neither counts."
        ),
        "004",
    ),
)
PLAY: Final[tuple[Clause, ...]] = (
    Clause(
        "turn",
        gettext_noop("A turn"),
        gettext_noop(
            "Discard a card of the month after the top card's, then one of the month after that, as long as you "
            "can and want to. A player who holds a card that follows must discard one; a player who holds none "
            "passes."
        ),
        "004",
    ),
    Clause(
        "ghosts",
        gettext_noop("Ghosts"),
        gettext_noop(
            "The Crane, the January ribbon and the Bush Warbler follow any card, and any card follows them. Nobody has"
            " to play one."
        ),
        "004",
        "化札",
        GHOSTS,
    ),
    Clause(
        "one-two",
        gettext_noop("One-Two"),
        gettext_noop(
            "If a January card lies on top when your turn begins, you may first lay a January of your own, if a"
            " February follows at once."
        ),
        "004",
        cards=parse_cards("01.3 02.3"),
        only={"one_two": (True,)},
    ),
    Clause(
        "same-month",
        gettext_noop("January and February"),
        gettext_noop(
            "If a January or February card lies on top when your turn begins, any number of cards of that month may go"
            " first."
        ),
        "004; FW",
        only={"same_month_dump": (True,)},
    ),
    Clause(
        "two-passes",
        gettext_noop("Two passes"),
        gettext_noop(
            "When both have passed, the top of the draw pile is turned onto the discards. If there is none left, all"
            " discards but the top one are shuffled into a new pile."
        ),
        "004",
    ),
)
SCORE: Final[tuple[Clause, ...]] = (
    Clause(
        "score",
        gettext_noop("The score"),
        gettext_noop(
            "A player who empties the hand wins the deal with 1 point, with 2 if it was in the first turn (All "
            "Out), and deals next. The first player with %(target)s points wins the match."
        ),
        "004",
    ),
)
POKA_PARTS: Final = (Part(STARTING, DEAL), Part(PLAYING, PLAY), Part(COUNTING, SCORE))
