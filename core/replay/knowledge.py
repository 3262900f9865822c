"""Knowledge of one seat at a place: its hand, the open cards, those that all saw in a hand or go back to the pile.

The twin of `static/table/knowledge.js`. No rules: shown cards are those that effects and events of the record name.
Source: rules.md 11 (Sampling a world, step 2), site.md 3 (Visibility).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.replay.document import Deal, Effect, Replay
from core.replay.reducer import Position, position_at
from core.replay.words import GAJI


@dataclass(frozen=True, slots=True)
class Known:
    """Known cards. hands: of every seat, those that the others know of; own hands are left to the hands themselves.

    pile: cards known to lie in the draw pile; unseen: all others that lie in a hand or in the pile. is_blind: the seat
    has not looked at its own hand yet.
    """

    hands: tuple[tuple[str, ...], ...]
    pile: tuple[str, ...]
    unseen: tuple[str, ...]
    is_blind: bool


@dataclass(slots=True)
class _Seen:
    """Memory of a seat in a deal. shown: cards seen in hands; piled: in the pile."""

    seat: int
    shown: set[str] = field(default_factory=set)
    piled: set[str] = field(default_factory=set)

    def follow(self, effects: Iterable[Effect]) -> None:
        """Follow cards on their way."""
        for card, source, target in ((effect.card, effect.source, effect.target) for effect in effects):
            if source == "p":
                self._leave(card, to_hand=target[0] == "h")
            elif target == "p":
                is_seen = source[0] != "h" or source == f"h{self.seat}" or card in self.shown
                self.piled |= {card} if is_seen else set()
            elif target[0] == "h":
                self.shown.add(card)

    def _leave(self, card: str, *, to_hand: bool) -> None:
        """Note that a card left the pile. Dealt to a hand again, it and all others may be anywhere."""
        self.piled.discard(card)
        if to_hand:
            self.piled.clear()
            self.shown.clear()

    def hear(self, events: Iterable[Mapping[str, Any]]) -> None:
        """Note the cards that an event has shown by naming them with a seat: a teyaku, the fourth card of a month."""
        for event in events:
            if "by" in event:
                self.shown.update(event.get("cards", ()), [event["card"]] if "card" in event else ())


def is_blind(replay: Replay, deal: Deal, move: int, seat: int) -> bool:
    """Return whether a seat has not looked at its hand yet: the dealer of Nuki may declare first (rules.md 6.1,
    Mizuten).
    """
    if not replay.options.get("mizuten") or seat != deal.dealer:
        return False
    for one in reversed(deal.moves[:move]):
        if any(event.get("code") == "misdeal" for event in one.events):
            return True
        if "see" in one.action or "mizuten" in one.action:
            return False
    return True


def known_at(replay: Replay, deal: Deal, move: int, seat: int) -> Known:
    """Return what a seat could know after move `move` of a deal; 0 is the fresh deal."""
    seen = _Seen(seat)
    seen.follow(deal.start)
    seen.hear(deal.events)
    for one in deal.moves[:move]:
        seen.follow(one.effects)
        seen.hear(one.events)
        if one.action.get("blocked_choice") == "return":
            seen.shown.add(GAJI)
    position, blind = position_at(replay, deal, move), is_blind(replay, deal, move, seat)
    hands = tuple(tuple(card for card in hand if card in seen.shown) for hand in position.hands)
    seen.piled.discard(position.up or "")
    own = [] if blind else position.hands[seat]
    visible = {*lying_open(position), *own, *seen.piled, *(card for hand in hands for card in hand)}
    return Known(hands, tuple(sorted(seen.piled)), tuple(card for card in replay.cards if card not in visible), blind)


def lying_open(position: Position) -> list[str]:
    """Return the cards that everybody sees."""
    trays = [card for tray in position.trays for card in tray]
    return [*trays, *position.on_field, *position.discard, *position.out, *([position.up] if position.up else [])]
