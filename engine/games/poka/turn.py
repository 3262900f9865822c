"""A turn: discards one by one, a stop or a pass, the flip after two passes, the reshuffle. Source: rules.md 7.2."""

from __future__ import annotations

from engine.action import Action
from engine.cards import CardSet, card_set
from engine.games.poka.follow import (
    FEBRUARY,
    FIRST_OF_FEBRUARY,
    FOLLOWERS,
    FORCING,
    GHOSTS,
    JANUARY,
    SAME_MONTH,
    follows,
    may_dump,
)  # fmt: skip
from engine.games.poka.position import PokaPosition
from engine.games.poka.rules import FORCING_RESHUFFLES


def apply(state: PokaPosition, action: Action) -> None:
    """Do a legal action and everything that follows on its own."""
    seat = state.turn
    state.moves_seen[seat] += 1
    if action.kind == "stop":
        end_turn(state)
        return
    state.moves_seen[1 - seat] += 1
    if action.kind == "pass":
        pass_turn(state)
        return
    lay(state, action.card)
    if not state.hands[seat]:
        go_out(state)
    elif not continuing(state):
        end_turn(state)


def continuing(state: PokaPosition) -> CardSet:
    """The cards that the seat on turn may discard now."""
    hand, top = state.hands[state.turn], state.discard[-1]
    if state.owes:
        return hand & FEBRUARY
    cards = FOLLOWERS[top]
    if state.dumping:
        cards |= SAME_MONTH[top]
    # Cards 0 to 3 are January: only on one of these, and only with a February to lay at once (R81).
    elif not state.laid and top < FIRST_OF_FEBRUARY and hand & FEBRUARY and state.rules.one_two:
        cards |= JANUARY
    return hand & cards


def forcing(state: PokaPosition) -> CardSet:
    """The cards for which the seat on turn may not pass."""
    return state.hands[state.turn] & forced_by(state.discard[-1], state.reshuffles)


def forced_by(top: int, reshuffles: int) -> CardSet:
    """Every card that forces on this top card: natural ones that follow (R83), at last ghosts too (R93)."""
    return FORCING[top] | (GHOSTS if reshuffles >= FORCING_RESHUFFLES else 0)


def lay(state: PokaPosition, card: int) -> None:
    """Put a hand card on the discard pile. Laying a January that does not follow begins a One-Two."""
    bit, seat, top = 1 << card, state.turn, state.discard[-1]
    if state.dumping:
        state.dumping = bool(SAME_MONTH[top] & bit)
    else:
        state.owes = not FOLLOWERS[top] & bit
    state.hands[seat] ^= bit
    state.played[seat] |= bit
    state.discard.append(card)
    state.laid += 1
    state.passes = 0


def go_out(state: PokaPosition) -> None:
    """End the deal: the hand is empty, which wins doubly in one's own first turn (R86)."""
    state.phase = "over"
    state.winner = state.turn
    state.reason = "all_out" if state.first_turn[state.turn] else "emptied"


def pass_turn(state: PokaPosition) -> None:
    """Pass; all see what the hand cannot hold. After two in succession a card is flipped for the first passer."""
    # By this everybody knows what the hand does not hold; sampling leaves such worlds out.
    state.lacks[state.turn] |= forced_by(state.discard[-1], state.reshuffles)
    state.passes += 1
    if state.passes == 2:
        flip(state)
    end_turn(state)


def flip(state: PokaPosition) -> None:
    """Turn the top of the pile onto the discard pile; two passes are counted afresh (R84)."""
    state.passes = 0
    if state.position >= len(state.pile):
        reshuffle(state)
    state.discard.append(state.pile[state.position])
    state.position += 1


def reshuffle(state: PokaPosition) -> None:
    """Form the pile again from all discards but the top one, which stays (R85)."""
    cards = card_set(state.discard[:-1])
    state.discard = state.discard[-1:]
    state.pile, state.position = state.shuffle("reshuffle", state.reshuffles, cards), 0
    state.reshuffles += 1
    state.pile_known = True


def end_turn(state: PokaPosition) -> None:
    """Hand over to the other seat."""
    state.first_turn[state.turn] = False
    state.turn = 1 - state.turn
    state.laid = 0
    state.owes = False
    state.dumping = may_dump(state.rules, state.discard[-1])


def resume(state: PokaPosition, laid: int) -> None:
    """Restore the turn in which the last discards were made. laid: how many of them."""
    top, opening = state.discard[-1], state.discard[-1 - laid]
    rest = [card for card in state.discard[len(state.discard) - laid :] if not SAME_MONTH[opening] >> card & 1]
    state.laid = laid
    state.dumping = may_dump(state.rules, opening) and not rest
    state.owes = laid == 1 and not state.dumping and not follows(top, opening)
