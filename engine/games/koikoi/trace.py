"""Doing an action step by step, and telling what it did: for events, replays and records. Source: site.md 3, 6."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.action import Action
from engine.cards import CODES, CardSet, codes, members
from engine.game import Json, Played, Step, step_of
from engine.games.koikoi import turn
from engine.games.koikoi.deal import deal_cards
from engine.games.koikoi.position import Note
from engine.games.koikoi.state import KoiKoiState
from engine.games.koikoi.yaku import BRIGHTS
from engine.games.sakura.deal import full_months

_HAND: Final = ("h0", "h1")
_TRAY: Final = ("c0", "c1")


class _Places(NamedTuple):
    """A snapshot of where the cards lie, to see what has moved."""

    hands: tuple[CardSet, ...]
    field: CardSet
    captured: tuple[CardSet, ...]


def _places(state: KoiKoiState) -> _Places:
    return _Places(tuple(state.hands), state.field, tuple(state.captured))


def _moved(before: _Places, after: _Places) -> list[Step]:
    """The cards that changed their place, those that lay on the field first."""
    came = [(_TRAY[seat], now & ~then) for seat, (now, then) in enumerate(zip(after.captured, before.captured))]
    came.append(("f", after.field & ~before.field))
    steps = [step_of(card, _source(before, card), zone) for zone, cards in came for card in members(cards)]
    # Stable: the sort only brings the cards of the field to the front.
    return sorted(steps, key=lambda step: step.source != "f")


def _source(before: _Places, card: int) -> str:
    """The zone a card was in; what lay nowhere came from the pile."""
    if before.field >> card & 1:
        return "f"
    return next((zone for zone, hand in zip(_HAND, before.hands) if hand >> card & 1), "p")


def play(state: KoiKoiState, action: Action) -> Played:
    """Do a legal action; its public event, the cards' ways in order, and the engine events.

    The event is {"by", the action, "flip": the card turned up, "ev": engine events}.
    """
    seat, position = state.turn, state.position
    state.notes.clear()
    steps = _do(state, action)
    notes = tuple(told for note in state.notes for told in note_json(note, state))
    event: Json = {"by": f"p{seat}", **action.to_json()}
    if state.position > position:
        event["flip"] = CODES[state.pile[position]]
    if notes:
        event["ev"] = list(notes)
    return Played(event, tuple(steps), notes)


def _do(state: KoiKoiState, action: Action) -> list[Step]:
    """The steps of `turn.apply`, looking at the table after each."""
    before = _places(state)
    flips = turn.act(state, action)
    after = _places(state)
    steps = _moved(before, after)
    if flips:
        done = turn.flip(state)
        steps += _moved(after, _places(state))
        if done:
            turn.end_turn(state)
    return steps


def note_json(note: Note, state: KoiKoiState) -> list[Json]:
    """An engine event as data; one for each yaku that is new or has grown since the seat's last call."""
    code, first, second = note
    if code == "triple":
        return [{"code": code, "by": first, "month": second}]
    if code == "yaku":
        held = state.held[first]
        grown = {name: points for name, points in state.yaku(first).items() if points > held.get(name, 0)}
        return [{"code": code, "by": first, "yaku": name, "v": points} for name, points in grown.items()]
    return [{"code": code, "by": first} if first >= 0 else {"code": code}]


def dealt(state: KoiKoiState, order: Sequence[int]) -> Played:
    """The event and the cards' ways of a deal that was just made from this order, its setup included."""
    cards = deal_cards(order, state.dealer, state.rules.options.deal_pattern)
    seats = (1 - state.dealer, state.dealer)
    steps = [step_of(card, "p", _HAND[seat]) for seat in seats for card in cards.hands[seat]]
    steps += [step_of(card, "p", "f") for card in cards.field]
    notes = _dealt_notes(state)
    event: Json = {"dealer": f"p{state.dealer}", "field": codes(state.field)}
    if notes:
        event["ev"] = list(notes)
    return Played(event, tuple(steps), notes)


def _dealt_notes(state: KoiKoiState) -> tuple[Json, ...]:
    """Return what all are told of a fresh deal: winning hands, a field that wins, Brights that multiply."""
    notes: list[Json] = [
        {"code": "teyaku", "by": seat, "name": lucky.name, "cards": codes(lucky.cards)}
        for seat, lucky in enumerate(state.lucky)
        if lucky
    ]
    if state.end == "field_quad":
        notes.append({"code": "field_quad", "side": state.dealer, "cards": codes(full_months(state.field))})
    if state.mult > 1:
        brights = codes(state.field & BRIGHTS)
        notes.append({"code": "field_brights", "cards": brights, "mult": state.mult})
    return tuple(notes)
