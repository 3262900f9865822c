"""Doing an action and telling what it did: for events, replays and records. Source: site.md 3 and 6."""

from __future__ import annotations

from collections.abc import Sequence

from engine.action import Action
from engine.cards import CODES, card_set, codes
from engine.game import Json, Played, step_of
from engine.games.poka import turn
from engine.games.poka.deal import deal_cards
from engine.games.poka.state import PokaState
from engine.games.poka.teyaku import counting

_HAND = ("h0", "h1")


def play(state: PokaState, action: Action) -> Played:
    """Do a legal action; its public event, the cards' ways in order, and the engine events.

    The event is {"by", the action, "flip": the card turned up after two passes, "ev": engine events}. A `stop` has
    none: nobody is told whether a turn ended on its own, since that would say what a hand still holds (rules 11).
    """
    seat, top = state.turn, state.discard[-1]
    reshuffles, gone = state.reshuffles, state.discard[:-1]
    turn.apply(state, action)
    # No event at all, not even an empty one with a number: a gap would tell the opponent as much as the word.
    if action.kind == "stop":
        return Played({}, (), ())
    event: Json = {"by": f"p{seat}", **action.to_json()}
    if action.kind == "discard":
        return Played(event, (step_of(action.card, _HAND[seat], "d"),), ())
    if state.discard[-1] == top:
        return Played(event, (), ())
    return _flipped(state, event, gone if state.reshuffles > reshuffles else [])


def _flipped(state: PokaState, event: Json, gone: Sequence[int]) -> Played:
    """The second pass: the card turned up, and before it the discards that became the pile. gone: those, if any."""
    card = state.discard[-1]
    event["flip"] = CODES[card]
    steps = [*(step_of(old, "d", "p") for old in gone), step_of(card, "p", "d")]
    if not gone:
        return Played(event, tuple(steps), ())
    note: Json = {"code": "reshuffle", "n": state.reshuffles, "cards": codes(card_set(gone))}
    event["ev"] = [note]
    order: Json = {"order": [CODES[card] for card in state.pile]}
    return Played(event, tuple(steps), ({**note, **order},), (state.pile,))


def dealt(state: PokaState, order: Sequence[int]) -> Played:
    """The event and the cards' ways of a deal that was just made from this order, its teyaku included."""
    cards = deal_cards(order, state.dealer)
    seats = (1 - state.dealer, state.dealer)
    steps = [step_of(card, "p", _HAND[seat]) for seat in seats for card in cards.hands[seat]]
    steps.append(step_of(cards.discard, "p", "d"))
    notes = teyaku_notes(state)
    event: Json = {"dealer": f"p{state.dealer}", "discard": [CODES[cards.discard]]}
    if notes:
        event["ev"] = list(notes)
    return Played(event, tuple(steps), notes)


def teyaku_notes(state: PokaState) -> tuple[Json, ...]:
    """Return one engine event per teyaku dealt, in seat order: `teyaku`, or `teyaku_void` if it is void or beaten."""
    counts = counting(state.shown)
    return tuple(
        {
            "code": "teyaku" if seat == counts else "teyaku_void",
            "by": seat,
            "teyaku": shown.kind.id,
            "cards": codes(shown.cards),
        }
        for seat, shown in enumerate(state.shown)
        if shown
    )
