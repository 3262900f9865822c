"""An action told step by step: the Sakura deal's own telling with the seats of the auction, and what a bid does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.action import Action
from engine.cards import CardSet, codes, members
from engine.game import Json, Played, Step, step_of
from engine.games.oibana.auction import deal_hands, participants
from engine.games.oibana.rules import FIELD
from engine.games.oibana.state import OibanaState
from engine.games.sakura import trace as sakura_trace
from engine.games.sakura.deal import turn_order


def dealt(state: OibanaState, order: Sequence[int]) -> Played:
    """The event and the steps of eight cards for everybody."""
    return Played({"dealer": f"p{state.dealer}"}, tuple(_hands_out(state, order)), ())


def _hands_out(state: OibanaState, order: Sequence[int]) -> list[Step]:
    hands = deal_hands(order, state.rules.seats, state.dealer, state.rules.options.deal_pattern)
    seats = (*turn_order(state.dealer, state.rules.seats)[1:], state.dealer)
    return [step_of(card, "p", f"h{seat}") for seat in seats for card in hands[seat]]


def play(state: OibanaState, action: Action) -> Played:
    """Do a legal action; its public event, the cards' ways in order, and the engine events.

    An event is Sakura's with the seats of the auction. The last bid has `ev`: `auction` (first, second: who play;
    field), what the setup did, and `settled` where a deal is over.
    """
    state.used.clear()
    if state.table is None:
        return _bid(state, action)
    played = at_auction(sakura_trace.play(state.table, action), state.players)
    return _with_notes(played, _settlement(state))


def _bid(state: OibanaState, action: Action) -> Played:
    seat, hands, bids = state.bidder, state.hands[:], state.bids[:]
    bids[seat] = action.amount
    state.bid(action.amount)
    event: Json = {"by": f"p{seat}", **action.to_json()}
    if not state.used:
        return Played(event, (), ())
    if state.table is None:
        return _thrown_in(state, event, hands, participants(bids, state.dealer))
    opened = Played(event, tuple(_opening(state, hands)), tuple(_opening_notes(state)), tuple(state.used))
    return _with_notes(opened, _settlement(state))


def _with_notes(played: Played, more: Sequence[Json]) -> Played:
    """The same with more engine events, which everybody sees."""
    notes = (*played.notes, *more)
    event = {**played.event, "ev": list(notes)} if notes else played.event
    return Played(event, played.steps, notes, played.orders)


def _returns(hands: Sequence[CardSet], seats: Iterable[int]) -> list[Step]:
    return [step_of(card, f"h{seat}", "p") for seat in seats for card in members(hands[seat])]


def _opening(state: OibanaState, hands: Sequence[CardSet]) -> list[Step]:
    """Hands go back, the field is laid, the leader takes full months."""
    assert state.table is not None
    table, leader = state.table, state.players[0]
    steps = _returns(hands, (seat for seat in range(state.rules.seats) if seat not in state.players))
    steps += [step_of(card, "p", "f") for card in state.used[0][:FIELD]]
    steps += [step_of(card, "f", f"c{leader}") for card in members(table.captured[0])]
    return steps + [step_of(card, "f", "x") for card in members(table.removed)]


def _opening_notes(state: OibanaState) -> list[Json]:
    assert state.table is not None
    first, second = state.players
    field = sum(1 << card for card in state.used[0][:FIELD])
    sold: Json = {"code": "auction", "first": f"p{first}", "second": f"p{second}", "field": codes(field)}
    if state.table.removed:
        sold["removed"] = codes(state.table.removed)
    notes = [sakura_trace.note_json(note, state.table, ()) for note in state.table.notes]
    return [sold, *(_renamed(note, state.players) for note in notes)]


def _settlement(state: OibanaState) -> list[Json]:
    """The payment, once the deal is over and somebody pays."""
    if not state.is_over:
        return []
    result = state.outcome()
    if result.winner is None:
        return []
    loser = next(seat for seat in result.players if seat != result.winner)
    score = {"score": list(result.table.score)}
    return [{"code": "settled", "by": f"p{result.winner}", "from": f"p{loser}", "amount": result.paid, **score}]


def _thrown_in(state: OibanaState, event: Json, hands: Sequence[CardSet], players: Sequence[int]) -> Played:
    """The field had a full month: everything goes back and is dealt again."""
    field = state.used[0][:FIELD]
    steps = _returns(hands, (seat for seat in range(state.rules.seats) if seat not in players))
    steps += [step_of(card, "p", "f") for card in field]
    steps += [step_of(card, "f", "p") for card in field]
    steps += _returns(hands, players)
    steps += _hands_out(state, state.used[1])
    note: Json = {"code": "redeal", "field": codes(sum(1 << card for card in field))}
    return Played({**event, "ev": [note]}, tuple(steps), (note,), tuple(state.used))


def at_auction(played: Played, players: Sequence[int]) -> Played:
    """Return what the Sakura deal tells, with the seats of the auction; its engine events go into the event later."""
    event = {**played.event, "by": f"p{players[int(str(played.event['by'])[1:])]}"}
    notes = tuple(_renamed(note, players) for note in played.notes)
    steps = tuple(step_of(step.card, _zone(step.source, players), _zone(step.target, players)) for step in played.steps)
    return Played(event, steps, notes)


def _zone(zone: str, players: Sequence[int]) -> str:
    return f"{zone[0]}{players[int(zone[1:])]}" if zone[0] in "hc" else zone


def _renamed(note: Json, players: Sequence[int]) -> Json:
    """An engine event of the table with the seats of the auction; a side is a seat here."""
    named = {key: value for key, value in note.items() if key in ("by", "side") and isinstance(value, int)}
    return {**note, **{key: players[value] for key, value in named.items()}}
