"""Hanafuda Tiny: sixteen cards, two seats, small enough to be solved; a game of our own for algorithms on whole trees.

The deck has four months of four cards. Their brights lie open and are worth 1, 2, 3 and 4 points; each seat is dealt
two of the twelve other cards, of which only the month counts, and eight stay unseen. In turn a seat plays a card and
takes the bright of its month, if that still lies there. It may then `stop`, which ends the game and brings it its
points, twice if the other seat has called; or `call`, which lets the game go on. If all cards are played and nobody
has stopped, nobody wins anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Final

from engine.environments.explicit import CHANCE, OVER

MONTHS: Final = (1, 3, 8, 12)
"""The months in the deck, their brights worth 1 to 4 points in this order."""
SEATS: Final = 2
HAND: Final = 2
DEALT: Final = SEATS * HAND
EACH: Final = 3
"""Cards of a month that are dealt from."""
STOP: Final = len(MONTHS)
CALL: Final = STOP + 1
ACTIONS: Final = CALL + 1
"""Numbers 0 to 3 play a card of that month, 4 stops, 5 calls."""
MAX_POINTS: Final = 14
"""Two brights, doubled."""


class TinyDeal:
    """A game in play. Cards are places in `MONTHS`. dealt: in the order of the deal, the first seat's two first.

    decisions: (seat, number) so far. lying: the brights that are left, as bits; points: per seat, of captured brights.
    """

    def __init__(self) -> None:
        self.dealt: list[int] = []
        self.decisions: list[tuple[int, int]] = []
        self.hands: list[list[int]] = [[], []]
        self.lying = (1 << len(MONTHS)) - 1
        self.points = [0, 0]
        self.called = [False, False]
        self.turn = 0
        self.decides = False
        self.winner: int | None = None

    def __deepcopy__(self, _memo: object) -> TinyDeal:
        return self.copy()

    def copy(self) -> TinyDeal:
        """An independent game."""
        twin: TinyDeal = object.__new__(type(self))
        twin.dealt, twin.decisions = self.dealt[:], self.decisions[:]
        twin.hands = [hand[:] for hand in self.hands]
        twin.lying, twin.points, twin.called = self.lying, self.points[:], self.called[:]
        twin.turn, twin.decides, twin.winner = self.turn, self.decides, self.winner
        return twin

    @property
    def seat(self) -> int:
        """The seat that decides, CHANCE while cards are dealt, OVER at the end."""
        if len(self.dealt) < DEALT:
            return CHANCE
        is_played = not any(self.hands) and not self.decides
        return OVER if self.winner is not None or is_played else self.turn

    def chances(self) -> list[tuple[int, float]]:
        """The months that may be dealt next, with their probabilities: of a hand the earlier month first.

        In which order a hand came is no part of the game, and without it the tree has a third of the states.
        """
        held = len(self.dealt) % HAND
        before = self.dealt[: len(self.dealt) - held]
        counts = [EACH - before.count(place) for place in range(len(MONTHS))]
        pairs = {
            (low, high): comb(counts[low], 2) if low == high else counts[low] * counts[high]
            for low in range(len(MONTHS))
            for high in range(low, len(MONTHS))
        }
        if held:
            pairs = {pair: ways for pair, ways in pairs.items() if pair[0] == self.dealt[-1]}
        ways = [sum(count for pair, count in pairs.items() if pair[held] == place) for place in range(len(MONTHS))]
        return [(place, count / sum(ways)) for place, count in enumerate(ways) if count]

    def draw(self, place: int) -> None:
        """Deal a card of a month."""
        self.hands[len(self.dealt) // HAND].append(place)
        self.dealt.append(place)

    def legal(self) -> list[int]:
        """The numbers that the seat to decide may answer, ascending; empty when nobody decides."""
        if self.seat < 0:
            return []
        return [STOP, CALL] if self.decides else sorted(set(self.hands[self.turn]))

    def play(self, number: int) -> None:
        """Answer with a legal number."""
        seat = self.turn
        self.decisions.append((seat, number))
        if number == STOP:
            self.winner = seat
        elif number == CALL:
            self.called[seat] = True
            self._pass_on()
        else:
            self._play_card(seat, number)

    def _play_card(self, seat: int, place: int) -> None:
        self.hands[seat].remove(place)
        if not self.lying >> place & 1:
            self._pass_on()
            return
        self.lying ^= 1 << place
        self.points[seat] += place + 1
        self.decides = True

    def _pass_on(self) -> None:
        self.decides = False
        self.turn = 1 - self.turn

    def returns(self) -> list[float]:
        """What the game brought each seat; zeros while it is played, and if nobody stopped."""
        if self.winner is None:
            return [0.0, 0.0]
        won = self.points[self.winner] * (2 if self.called[1 - self.winner] else 1)
        return [float(won), float(-won)] if self.winner == 0 else [float(-won), float(won)]


def action_text(number: int) -> str:
    """Return what a number means.

    >>> action_text(2), action_text(4)
    ('play 08', 'stop')
    """
    if number < len(MONTHS):
        return f"play {MONTHS[number]:02}"
    return "stop" if number == STOP else "call"


def public_text(decisions: Sequence[tuple[int, int]]) -> str:
    """Return what both seats have seen: every decision in time."""
    return ", ".join(f"p{seat} {action_text(number)}" for seat, number in decisions)
