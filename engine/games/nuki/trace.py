"""Doing an action step by step, and telling what it did: for events, replays and records. Source: site.md 3, 6."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.action import Action
from engine.cards import CODES, CardSet, card_set, codes, members
from engine.game import Json, Played, Step, step_of
from engine.games.nuki import turn
from engine.games.nuki.deal import deal_cards, turn_order
from engine.games.nuki.dekiyaku import KAN_OF, ids_in
from engine.games.nuki.position import Note
from engine.games.nuki.scoring import forced_out
from engine.games.nuki.state import NukiState
from engine.games.nuki.teyaku import Claim, Claims

_HAND: Final = tuple(f"h{seat}" for seat in range(4))
_TRAY: Final = tuple(f"c{seat}" for seat in range(4))


class _Places(NamedTuple):
    """A snapshot of where the cards lie, to see what has moved."""

    hands: tuple[CardSet, ...]
    field: CardSet
    captured: tuple[CardSet, ...]


def _places(state: NukiState) -> _Places:
    return _Places(tuple(state.hands), state.field, tuple(state.captured))


def _moved(before: _Places, after: _Places) -> list[Step]:
    """The cards that came to a tray or the field, those that lay on the field first; then those gone to the pile."""
    came = [(_TRAY[seat], now & ~then) for seat, (now, then) in enumerate(zip(after.captured, before.captured))]
    came.append(("f", after.field & ~before.field))
    steps = [step_of(card, _source(before, card), zone) for zone, cards in came for card in members(cards)]
    moved = card_set(step.card for step in steps)
    back = [(zone, own & ~now & ~moved) for zone, own, now in zip(_HAND, before.hands, after.hands)]
    # Stable: cards from the field first, the rest as they were.
    steps.sort(key=lambda step: step.source != "f")
    return steps + [step_of(card, zone, "p") for zone, cards in back for card in members(cards)]


def _source(before: _Places, card: int) -> str:
    """The zone a card was in; what lay nowhere came from the pile."""
    if before.field >> card & 1:
        return "f"
    for zones, piles in ((_HAND, before.hands), (_TRAY, before.captured)):
        for zone, cards in zip(zones, piles):
            if cards >> card & 1:
                return zone
    return "p"


def play(state: NukiState, action: Action) -> Played:
    """Do a legal action; its public event, the cards' ways in order, and the engine events.

    The event is {"by", the action, "flip": the card turned up, "ev": engine events}. Naming a triplet has none: the
    others see the claim, not that there was a choice. Claims and a fresh deal are events of their own (`also`).
    """
    seat, position, redeal, pile = state.turn, state.position, state.redeal, state.pile
    made, claimed, was_open = ids_in(state.captured[seat]), list(state.claims), not state.active
    state.notes.clear()
    state.orders.clear()
    steps = _do(state, action)
    if state.redeal != redeal:
        return _dealt_again(state, seat, action, steps)
    notes = [note_json(note) for note in state.notes]
    if was_open and state.active and state.rules.seats > 2:
        notes.insert(0, _begin(state))
    notes += [_made(seat, name) for name in ids_in(state.captured[seat]) if name not in made and not was_open]
    event: Json = {} if action.kind == "triplet" else {"by": f"p{seat}", **action.to_json()}
    # A new pile (hands came back) begins at 0, too: only in the old one a higher position is a flip.
    if state.position > position and state.pile is pile:
        event["flip"] = CODES[pile[position]]
    if notes:
        event["ev"] = notes
    also = _claims_made(claimed, state)
    return Played(event, tuple(steps), (*notes, *_notes_of(also)), tuple(state.orders), also)


def _do(state: NukiState, action: Action) -> list[Step]:
    """The steps of `turn.apply`, looking at the table after each; nothing of a deal that was thrown in."""
    before = _places(state)
    flips = turn.act(state, action)
    after = _places(state)
    # The table has been dealt again by now; its new cards are told by `_dealt_again`.
    if any(note[0] == "misdeal" for note in state.notes):
        return _gathered(before)
    steps = _moved(before, after)
    if flips:
        before, done = after, turn.flip(state)
        steps += _moved(before, _places(state))
        if done:
            turn.end_turn(state)
    return steps


def _gathered(before: _Places) -> list[Step]:
    """Return the steps that bring all cards back to the pile."""
    zones = [*zip(_HAND, before.hands), *zip(_TRAY, before.captured), ("f", before.field)]
    return [step_of(card, zone, "p") for zone, cards in zones for card in members(cards)]


def _dealt_again(state: NukiState, seat: int, action: Action, steps: list[Step]) -> Played:
    """Tell that nobody plays: the answer, and the same dealer's next deal."""
    orders = tuple(state.orders)
    misdeal: Json = {"code": "misdeal", "by": state.dealer}
    redealt = dealt(state, orders[-1])
    also: tuple[Json, ...] = ({"redeal": state.redeal, **redealt.event}, *redealt.also)
    event: Json = {"by": f"p{seat}", **action.to_json(), "ev": [misdeal]}
    return Played(event, (*steps, *redealt.steps), (misdeal, *redealt.notes), orders, also)


def dealt(state: NukiState, order: Sequence[int]) -> Played:
    """The event and the cards' ways of a deal that was just made from this order, its setup included."""
    seats = state.rules.seats
    cards = deal_cards(order, seats, state.dealer)
    steps = [step_of(card, "p", _HAND[seat]) for seat in (*turn_order(state.dealer, seats)[1:], state.dealer)
             for card in cards.hands[seat]]  # fmt: skip
    steps += [step_of(card, "p", "f") for card in cards.field]
    before = _Places(tuple(state.hands), card_set(cards.field), (0,) * seats)
    steps += _moved(before, _places(state))
    notes = [note_json(note) for note in state.notes if note[0] == "paulownia"]
    if state.multiplier > 1:
        notes.append({"code": "large_field", "mult": state.multiplier})
    event: Json = {"dealer": f"p{state.dealer}", "field": codes(state.field), "mult": state.multiplier}
    if notes:
        event["ev"] = list(notes)
    also = _claims_made([None] * seats, state)
    return Played(event, tuple(steps), (*notes, *_notes_of(also)), (), also)


def _begin(state: NukiState) -> Json:
    """Return who plays, the dealer for the Deal first, and who was forced out."""
    return {"code": "begin", "active": _seats(state.active), "forced_out": _seats(forced_out(state))}


def _seats(seats: Sequence[int]) -> list[str]:
    return [f"p{seat}" for seat in seats]


def _made(seat: int, name: str) -> Json:
    return {"code": "dekiyaku", "by": seat, "name": name, "kan": KAN_OF[name]}


def _claims_made(before: Sequence[Claims | None], state: NukiState) -> tuple[Json, ...]:
    """Return one event for every active seat whose teyaku have just been settled: what all see of them."""
    return tuple(
        {"claims": f"p{seat}", "ev": [claim_json(seat, claim) for claim in claims.both]}
        for seat in state.active
        if (claims := state.claims[seat]) is not None and before[seat] is None
    )


def claim_json(seat: int, claim: Claim) -> Json:
    """A claimed teyaku as an engine event, with the cards that are shown."""
    shown: Json = {"code": "teyaku", "by": seat, "name": claim.id, "kan": claim.kan, "cards": codes(claim.shown)}
    return {**shown, "month": claim.month} if claim.month else shown


def _notes_of(events: Sequence[Json]) -> list[Json]:
    """The engine events inside events."""
    return [note for event in events for note in _listed(event["ev"])]


def _listed(value: object) -> list[Json]:
    return value if isinstance(value, list) else []


def note_json(note: Note) -> Json:
    """An engine event as data."""
    code, first, second = note
    if code == "triple":
        return {"code": code, "by": first, "month": second}
    if code == "paulownia":
        return {"code": code, "side": first, "cards": codes(second)}
    return {"code": code, "by": first}
