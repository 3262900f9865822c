"""A still of a replay: one position in few words and cards, for pages that show a match beside others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.replay import facts
from core.replay.document import Replay
from core.replay.reducer import Place, position_at
from core.replay.words import number_text, side_name

BEST = 5
"""Captured cards of a side that a still shows, the most valuable; more where a move or the yaku shown need more."""


@dataclass(frozen=True, slots=True)
class StillSide:
    """A side. gain: what the deal brought it where the deal is over, before that the card points it has captured, ""
    where cards have none.

    cards: the best that it has captured, with those of the last move and of the yaku beside the still; hand: how many
    cards its seats still hold; has_moved: it made the last move.
    """

    name: str
    gain: str
    cards: tuple[str, ...]
    captured: int
    hand: int
    has_moved: bool

    @property
    def more(self) -> int:
        """How many captured cards are not among those shown."""
        return self.captured - len(self.cards)


@dataclass(frozen=True, slots=True)
class Still:
    """A position. field: the open cards, of a game without a field the last discards; moved: cards of the last move.

    pile: how many cards are still to be drawn.
    """

    place: Place
    deals: int
    field: tuple[str, ...]
    moved: frozenset[str]
    sides: tuple[StillSide, ...]
    pile: int


def still_at(replay: Replay, place: Place, shown: frozenset[str] = frozenset()) -> Still:
    """Return the still of a place that exists. shown: cards that stay among the captured ones, as those of yaku."""
    deal = replay.deals[place.deal - 1]
    # A deal in which somebody left has no score.
    is_over = bool(deal.score) and place.move == len(deal.moves)
    position = position_at(replay, deal, place.move)
    last = deal.moves[place.move - 1] if place.move else None
    moved = frozenset(effect.card for effect in last.effects) if last else frozenset[str]()
    sides = tuple(
        StillSide(
            side_name(replay, side),
            gain=_signed(deal.score[side]) if is_over else _gain(position.trays[side], replay.game),
            cards=_best(position.trays[side], replay.game, moved | shown),
            captured=len(position.trays[side]),
            hand=sum(len(position.hands[seat]) for seat in replay.seats_of(side)),
            has_moved=last is not None and last.seat in replay.seats_of(side),
        )
        for side in range(replay.side_count)
    )
    field = tuple(position.on_field) or tuple(position.discard[-BEST:])
    return Still(place, len(replay.deals), field, moved, sides, position.pile)


def _signed(score: int) -> str:
    return f"{'+' if score > 0 else ''}{number_text(score)}"


def _gain(cards: Sequence[str], game: str) -> str:
    found = facts.points(cards, game)
    return f"+{found}" if found else ""


def _best(cards: Sequence[str], game: str, first: frozenset[str]) -> tuple[str, ...]:
    """Return all cards that come first and the most valuable of the others, in the order of months."""
    worth = facts.values(game)
    found = sorted(cards, key=lambda card: (card not in first, -worth.get(card, 0), card))
    return tuple(sorted(found[: max(BEST, len(first.intersection(cards)))]))
