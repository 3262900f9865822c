"""Doing an action step by step, and telling what it did: for events, replays and records. Source: site.md 3, 6."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.action import Action
from engine.cards import CODES, MONTH_MASKS, CardSet, card_set, codes, members
from engine.game import Json, Played, Step, step_of
from engine.games.sakura import turn
from engine.games.sakura.deal import deal_cards, turn_order
from engine.games.sakura.position import NOBODY, Note
from engine.games.sakura.state import SakuraState

# Made once: a step of every dealt card needs one of them.
_HAND: Final = tuple(f"h{seat}" for seat in range(7))
_TRAY: Final = tuple(f"c{side}" for side in range(7))


class _Places(NamedTuple):
    """A snapshot of where the cards lie, to see what has moved. A blocked Gaji still counts as in its hand."""

    hands: tuple[CardSet, ...]
    field: CardSet
    captured: tuple[CardSet, ...]
    removed: CardSet


def _places(state: SakuraState) -> _Places:
    hands = list(state.hands)
    if state.pending >= 0 and not state.pending_flip:
        hands[state.turn] |= 1 << state.pending
    return _Places(tuple(hands), state.field, tuple(state.captured), state.removed)


def _moved(before: _Places, after: _Places) -> list[Step]:
    """The cards that changed their place, those that lay on the field first."""
    came = [(_TRAY[side], now & ~then) for side, (now, then) in enumerate(zip(after.captured, before.captured))]
    came += [("f", after.field & ~before.field), ("x", after.removed & ~before.removed)]
    steps = [step_of(card, _source(before, card), zone) for zone, cards in came for card in members(cards)]
    # Stable: the sort only brings the cards of the field to the front.
    return sorted(steps, key=lambda step: step.source != "f")


def _source(before: _Places, card: int) -> str:
    """The zone a card was in; what lay nowhere came from the pile."""
    if before.field >> card & 1:
        return "f"
    for zones, piles in ((_HAND, before.hands), (_TRAY, before.captured)):
        for zone, cards in zip(zones, piles):
            if cards >> card & 1:
                return zone
    return "p"


def play(state: SakuraState, action: Action) -> Played:
    """Do a legal action; its public event, the cards' ways in order, and the engine events.

    The event is {"by", the action, "flip": the card turned up, "ev": engine events}; further keys say what all have
    seen: "from_hand" the hand cards of a hiki, "missing" the cards that a wild Gaji's month lacked on the field.
    """
    seat, hand, position, clear = state.turn, state.hands[state.turn], state.position, state.clear
    # Hands as they were dealt: a block shows cards that have left the hand by the time it is told.
    shown = list(state.dealt)
    state.notes.clear()
    steps = _do(state, action)
    notes = tuple(note_json(note, state, shown) for note in state.notes)
    event: Json = {"by": f"p{seat}", **action.to_json()}
    if action.kind == "hiki":
        event["from_hand"] = codes(hand & MONTH_MASKS[action.month - 1])
    # Only a wild Gaji changes it: what its month lacked on the field is now known to all.
    if state.clear != clear:
        event["missing"] = codes(state.clear)
    if state.position > position:
        event["flip"] = CODES[state.pile[position]]
    if notes:
        event["ev"] = list(notes)
    return Played(event, tuple(steps), notes)


def _do(state: SakuraState, action: Action) -> list[Step]:
    """The steps of `turn.apply`, looking at the table after each."""
    before = _places(state)
    done = turn.act(state, action)
    after = _places(state)
    steps = _moved(before, after)
    if done and not state.pending_flip:
        before, done = after, turn.flip(state)
        after = _places(state)
        steps += _moved(before, after)
    if done:
        turn.end_turn(state)
        steps += _moved(after, _places(state))
    return steps


def note_json(note: Note, state: SakuraState, shown: Sequence[CardSet]) -> Json:
    """An engine event as data. shown: what each seat held or had played before, to tell what a block shows."""
    code, first, second = note
    if code == "triple":
        return {"code": code, "by": first, "month": second}
    if code == "forbidden":
        card = next(members(state.known[first] & MONTH_MASKS[second - 1]))
        return {"code": code, "by": first, "month": second, "card": CODES[card]}
    if code == "hiki_block":
        own = shown[first] & MONTH_MASKS[second - 1]
        return {"code": code, "by": first, "month": second, "from_hand": codes(own)}
    if code in ("transfer", "flip_transfer"):
        return {"code": code, "card": CODES[first], "side": second}
    return {"code": code, "side": None if first == NOBODY else first, "cards": codes(second)}


def dealt(state: SakuraState, order: Sequence[int]) -> Played:
    """The event and the cards' ways of a deal that was just made from this order, its setup included."""
    rules = state.rules
    cards = deal_cards(order, rules.seats, state.dealer, rules.options.deal_pattern)
    # The seat after the dealer first, the dealer last.
    seats = [*turn_order(state.dealer, rules.seats)[1:], state.dealer]
    steps = [step_of(card, "p", _HAND[seat]) for seat in seats for card in cards.hands[seat]]
    steps += [step_of(card, "p", "f") for card in cards.field]
    field = card_set(cards.field)
    before = _Places(tuple(state.hands), field, (0,) * rules.side_count, 0)
    steps += _moved(before, _places(state))
    notes = tuple(note_json(note, state, ()) for note in state.notes)
    event: Json = {"dealer": f"p{state.dealer}", "field": codes(field)}
    if state.removed:
        event["removed"] = codes(state.removed)
    if notes:
        event["ev"] = list(notes)
    return Played(event, tuple(steps), notes)
