"""Before the first card: playing blind, join or drop, the pile rebuilt, teyaku. Source: rules.md 6.1-6.3."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import NUKI_DECK, card_set
from engine.games.nuki.deal import deal_cards, field_multiplier, is_misdeal, paulownia_on
from engine.games.nuki.join import Answer, Table, drop_penalty, join_or_drop
from engine.games.nuki.position import NukiPosition
from engine.games.nuki.teyaku import claims_of, triplet_choice


def deal(state: NukiPosition, order: Sequence[int]) -> bool:
    """Deal an order of the deck afresh and set it up (rules.md 6.1); False if the cards must be thrown in.

    What follows on its own (with two players the showdown) is done too. What was paid into the pot stays there.
    """
    seats = state.rules.seats
    cards = deal_cards(order, seats, state.dealer)
    state.hands = [card_set(hand) for hand in cards.hands]
    state.field, state.laid = card_set(cards.field), list(cards.field)
    state.pile, state.position, state.turned = cards.pile, 0, 0
    state.captured, state.played, state.returned = [0] * seats, [0] * seats, [0] * seats
    state.claims, state.answers = [None] * seats, []
    state.active, state.leader, state.mizuten = (), -1, False
    return set_up(state)


def set_up(state: NukiPosition) -> bool:
    """Look at a freshly dealt position, in the order of rules.md 6.1; False if the cards must be thrown in."""
    if is_misdeal(state.field):
        return False
    paulownia = paulownia_on(state.field)
    if paulownia:
        state.field ^= paulownia
        # Kept beside the set: the order in which cards were laid.
        state.laid = [card for card in state.laid if state.field >> card & 1]
        state.captured[state.dealer] |= paulownia
        state.notes.append(("paulownia", state.dealer, paulownia))
    state.multiplier, state.carry_out = field_multiplier(state.carry, state.field)
    state.turn = state.dealer
    if state.rules.mizuten:
        state.phase = "mizuten"
    else:
        open_join(state)
    return True


def throw_in(state: NukiPosition) -> None:
    """Deal again with the same dealer until a deal stands, as nobody plays; the carry is untouched (R92)."""
    state.notes.append(("misdeal", state.dealer, 0))
    stands = False
    while not stands:
        # Each throw-in has an order of its own: the number is part of what the order is derived from.
        state.redeal += 1
        order = state.shuffle("deck", state.redeal, NUKI_DECK)
        state.orders.append(order)
        stands = deal(state, order)


def declare(state: NukiPosition, *, blind: bool) -> None:
    """Note that the dealer plays blind, or looks at his hand."""
    state.mizuten = blind
    open_join(state)


def open_join(state: NukiPosition) -> None:
    """Ask who plays; with two players nobody is asked."""
    if state.rules.seats > 2:
        state.phase, state.turn = "join", state.dealer
        return
    state.active = (state.dealer, 1 - state.dealer)
    begin(state)


def answer(state: NukiPosition, answer: Answer) -> None:
    """Note that the seat on turn plays or drops out."""
    rules = state.rules
    # Before the answer is noted: the penalty depends on how many dropped out earlier.
    if answer == "drop" and rules.penalties:
        already = sum(1 for _, other in state.answers if other == "drop")
        state.paid[state.turn] += drop_penalty(already, state.multiplier)
    state.answers.append((state.turn, answer))
    table = joined(state)
    if table.next is not None:
        state.turn = table.next
    elif table.result == "play":
        state.active = table.volunteers
        begin(state)
    elif table.result == "no_game":
        state.phase, state.end, state.ended_by = "over", "no_game", table.volunteers[0]
    else:
        throw_in(state)


def joined(state: NukiPosition) -> Table:
    """Return who takes part, as far as the answers tell."""
    return join_or_drop(state.rules.seats, state.dealer, state.answers, require_two=state.rules.require_two)


def begin(state: NukiPosition) -> None:
    """Begin, now that both active players are known: assign the Paulownia, take hands back, show the teyaku."""
    state.leader = state.active[0]
    # The dealer dropped out: what the field gave him goes to the one who deals for the Deal.
    if state.leader != state.dealer:
        state.captured[state.leader], state.captured[state.dealer] = state.captured[state.dealer], 0
    if state.rules.seats > 2:
        _take_back(state)
    show(state)


def _take_back(state: NukiPosition) -> None:
    """Shuffle the inactive hands into the pile."""
    cards = card_set(state.hidden())
    for seat in range(state.rules.seats):
        if seat not in state.active:
            state.returned[seat], state.hands[seat] = state.hands[seat], 0
            cards |= state.returned[seat]
    state.pile, state.position = state.shuffle("return", state.redeal, cards), 0
    # The record keeps every order that was used, so that it can be played again without the seed.
    state.orders.append(state.pile)
    state.notes.append(("return", state.leader, 0))


def show(state: NukiPosition) -> None:
    """Claim the teyaku, the dealer for the Deal first; stop at a seat that must name one of two triplets."""
    for seat in state.active:
        if state.claims[seat] is None:
            if triplet_choice(state.hands[seat]):
                state.phase, state.turn = "showdown", seat
                return
            state.claims[seat] = claims_of(state.hands[seat])
    state.phase, state.turn = "hand", state.leader


def name_triplet(state: NukiPosition, month: int) -> None:
    """Claim one of the two triplets of the seat on turn."""
    state.claims[state.turn] = claims_of(state.hands[state.turn], month)
    show(state)
