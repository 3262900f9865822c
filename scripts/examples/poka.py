"""Proofs for Poka: scenes that the examples of its clauses and options must show."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.cards import MONTH_MASKS
from engine.games.poka.follow import GHOSTS
from scripts.examples import sakura
from scripts.examples.scene import Proof, Scene


def goes_on(scene: Scene) -> bool:
    """A second card of the same turn, no ghost among the last three."""
    if scene.kind != "discard" or scene.action is None or scene.before.laid != 1:
        return False
    near = [*scene.before.discard[-2:], scene.action.card]
    return not any(GHOSTS >> card & 1 for card in near) and not scene.ends_deal


def ghost(scene: Scene) -> bool:
    """A ghost on a card that it would not follow by its month."""
    if scene.kind != "discard" or scene.action is None or not GHOSTS >> scene.action.card & 1:
        return False
    top = scene.before.discard[-1]
    # On a ghost any card may follow, and on the month before any card of this month: neither would show the rule.
    return not GHOSTS >> top & 1 and (top // 4 + 1) % 12 != scene.action.card // 4


def one_two(scene: Scene) -> bool:
    """The February after a January that lies on a January."""
    return scene.kind == "discard" and bool(scene.before.owes)


def no_dump(scene: Scene) -> bool:
    """A January or February lies on top, another of its month is in the hand, and the seat has to pass."""
    if scene.kind != "pass":
        return False
    top = scene.before.discard[-1]
    return top // 4 < 2 and bool(scene.before.hands[scene.seat] & MONTH_MASKS[top // 4] & ~GHOSTS)


def turned_up(scene: Scene) -> bool:
    """Both have passed, a card is turned up."""
    return scene.kind == "pass" and bool(scene.flip)


def wins_unplayed(scene: Scene) -> bool:
    """A dealt hand has won."""
    return scene.dealing and bool(scene.notes("teyaku")) and scene.before is None


def emptied(scene: Scene) -> bool:
    """The last card of a hand."""
    return scene.ends_deal and not scene.ends_match and scene.kind == "discard"


CLAUSES: Final[Mapping[str, Proof]] = MappingProxyType(
    {
        "aim": emptied,
        "deal": wins_unplayed,
        "turn": goes_on,
        "ghosts": ghost,
        "one-two": one_two,
        "two-passes": turned_up,
        "score": emptied,
    }
)
OPTIONS: Final[Mapping[tuple[str, object], Proof]] = MappingProxyType(
    {
        ("target", 5): sakura.one_winner,
        ("target", 3): sakura.one_winner,
        ("one_two", True): one_two,
        ("same_month_dump", False): no_dump,
        ("first_dealer_tie", "redraw"): sakura.drawn_again,
    }
)
