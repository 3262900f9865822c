"""What the house plays in a lesson, and what it would advise the learner: both by what one seat may know alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bots.sdk import Session, View
from engine.action import Action
from engine.cards import CardSet, members
from engine.match import Match

NO_CARD: Final = -1


@dataclass(frozen=True, slots=True)
class Advice:
    """A choice and what speaks for it. index: into the legal actions.

    card: the best card that it takes, NO_CARD if it takes none; lays: the card that it gives away. made: ids of yaku
    that it completes; closer: ids of yaku that it brings closer, with how many cards of them one has then.
    """

    index: int
    action: Action
    card: int
    lays: int
    made: tuple[str, ...]
    closer: Mapping[str, int]


def view_of(match: Match, seat: int, preset: str) -> View:
    """Return what a seat may know, as bots read it."""
    session = Session()
    session.begin({"rng": "0", "ruleset": match.ruleset.to_json(), "seats": match.seats}, {})
    return session.read(match.observation(seat, match_id="", preset=preset, since=0, ms_left=0))


def house_choice(view: View) -> int:
    """Return what the house plays: what its bot `greedy` does, which takes what is worth most now."""
    spoken = view.spoken()
    if spoken is not None:
        return spoken

    def worth(index: int) -> tuple[int, int, int]:
        taken, laid = view.takes(view.legal[index]), view.lays(view.legal[index])
        return view.brings(taken), taken.bit_count(), -view.points(laid)

    return max(view.plays, key=worth)


def advice_of(view: View) -> Advice:
    """Return what we would choose: yaku first, then what leads to one, then the finest cards."""
    spoken = view.spoken()
    if spoken is not None:
        return _advice(view, spoken)
    found = [_advice(view, index) for index in view.plays]
    return max(found, key=lambda each: _worth(view, each))


def _worth(view: View, advice: Advice) -> tuple[int, int, int, int, int]:
    taken = view.takes(advice.action)
    # Two of three cards are worth more than one of three.
    near = sum(have**2 for have in advice.closer.values())
    points = view.brings(taken)
    return len(advice.made), points + near, points, taken.bit_count(), -view.points(view.lays(advice.action))


def _advice(view: View, index: int) -> Advice:
    action = view.legal[index]
    taken, laid = view.takes(action), view.lays(action)
    best = max(members(taken), key=lambda card: view.values[card], default=NO_CARD)
    given = next(iter(members(laid)), NO_CARD)
    return Advice(index, action, best, given, _made(view, taken), _closer(view, taken))


def _made(view: View, taken: CardSet) -> tuple[str, ...]:
    lacking = {name: cards & ~view.mine for name, cards in view.yaku.items()}
    return tuple(name for name, cards in lacking.items() if cards and not cards & ~taken)


def _closer(view: View, taken: CardSet) -> dict[str, int]:
    """Return the yaku of which one has more cards then, two at least, and which nobody else can spoil."""
    lost = 0
    for tray in view.others:
        lost |= tray
    found = {}
    for name, cards in view.yaku.items():
        have = (cards & (view.mine | taken)).bit_count()
        if taken & cards and not lost & cards and 1 < have < cards.bit_count():
            found[name] = have
    return found
