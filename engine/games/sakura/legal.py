"""What a seat may do, in one canonical order.

A record and a forfeited seat depend on that order; it never changes:

- `hand`: the plays by card code, for each card first without a target (laid, single match, whole triple), then its
  targets by code, then `leave`; after all plays the hiki by month. Empty hand: `draw_only` alone.
- `flip_choice`, `flip_gaji`: `all` first, then the targets by code, then `leave`.
- `gaji_blocked`: the targets by code, `leave`, `return`.

Only what the acting seat may know is looked at: a Gaji target that another hand will block is listed (rules 3.1).
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from engine.action import LEAVE, RETURN, TRIPLE, Action
from engine.cards import BITS, GAJI, MONTH_MASKS, CardSet, members
from engine.games.sakura import gaji

if TYPE_CHECKING:
    from engine.games.sakura.state import SakuraState

Actions = tuple[Action, ...]

GAJI_BIT: Final = BITS[GAJI]
DRAW_ONLY: Final[Actions] = (Action.of("draw_only"),)
HIKI: Final[Actions] = tuple(Action.of("hiki", month=month + 1) for month in range(12))
PLAY: Final[Actions] = tuple(Action.of("play", card) for card in range(48))
DRAW_TAKE: Final[Actions] = tuple(Action.of("draw_take", take=take) for take in range(48))
NAME: Final[Actions] = tuple(Action.of("blocked_choice", take=take) for take in range(48))
GAJI_TAKE: Final[Actions] = tuple(Action.of("play", GAJI, take) for take in range(48))
GAJI_LEAVE: Final = Action.of("play", GAJI, LEAVE)
DRAW_ALL: Final = Action.of("draw_take", take=TRIPLE)
DRAW_LEAVE: Final = Action.of("draw_take", take=LEAVE)
NAME_LEAVE: Final = Action.of("blocked_choice", take=LEAVE)
NAME_RETURN: Final = Action.of("blocked_choice", take=RETURN)


def legal_actions(state: SakuraState) -> Actions:
    """What the seat to act may do; empty when the deal is over. Plays come from a table, the last month first."""
    if state.phase != "hand":
        return _choices(state)
    hand, field, rules = state.hands[state.turn], state.field, state.rules
    if not hand:
        return DRAW_ONLY
    if hand & GAJI_BIT and (state.returned or gaji.is_wild(state)):
        return _hand_with_gaji(state)
    table = OPTIONAL_PLAYS if rules.triple_optional else PLAYS
    plays: Actions = ()
    hikis: Actions = ()
    while hand:
        month = MONTH_BY_LENGTH[hand.bit_length()]
        held = hand & month
        lying = field & month
        plays = table[held][lying] + plays
        if held | lying == month:
            hikis = (HIKI_OF[month], *hikis)
        hand ^= held
    return plays + hikis if hikis and rules.hiki else plays


def _choices(state: SakuraState) -> Actions:
    """What may be done with a card in mid-air."""
    if state.phase == "flip_choice":
        matches = state.field & MONTH_MASKS[state.pending // 4]
        whole = (DRAW_ALL,) if matches.bit_count() == 3 else ()
        return (*whole, *_named(DRAW_TAKE, matches))
    if state.phase == "gaji_blocked":
        back = (NAME_RETURN,) if gaji.may_return(state) else ()
        return (*_named(NAME, gaji.targets(state)), NAME_LEAVE, *back)
    if state.phase == "flip_gaji":
        return _named(DRAW_TAKE, state.field) + ((DRAW_LEAVE,) if state.rules.may_decline else ())
    return ()


def _named(table: Actions, cards: CardSet) -> Actions:
    return tuple(table[card] for card in members(cards))


def _hand_with_gaji(state: SakuraState) -> Actions:
    """The same with a Gaji that is wild, or that has come back in this turn and may not be played."""
    hand, field, rules = state.hands[state.turn] ^ GAJI_BIT, state.field, state.rules
    table = OPTIONAL_PLAYS if rules.triple_optional else PLAYS
    plays = [action for month in MONTH_MASKS[:10] if hand & month for action in table[hand & month][field & month]]
    willows, paulownias = MONTH_MASKS[10:]
    if hand & willows:
        plays += table[hand & willows][field & willows]
    if not state.returned:
        plays += _named(GAJI_TAKE, field)
        if rules.may_decline:
            plays.append(GAJI_LEAVE)
    if hand & paulownias:
        plays += table[hand & paulownias][field & paulownias]
    if rules.hiki and not state.returned:
        hand |= GAJI_BIT
        plays += [HIKI_OF[month] for month in MONTH_MASKS if hand & month and month & (hand | field) == month]
    return tuple(plays)


@cache
def plays_by_month(*, optional: bool) -> tuple[tuple[Actions, ...], ...]:
    """Plays of a month (0..11), by `cards in the hand << 4 | cards on the field`, four bits each."""
    return tuple(
        tuple(_month_plays(month, key >> 4, key & 15, optional=optional) for key in range(256)) for month in range(12)
    )


def _month_plays(month: int, held: int, lying: int, *, optional: bool) -> Actions:
    plays: list[Action] = []
    targets = [4 * month + rank for rank in range(4) if lying >> rank & 1]
    for rank in range(4):
        if not held >> rank & 1:
            continue
        card = 4 * month + rank
        if len(targets) != 2:
            plays.append(PLAY[card])
        if len(targets) == 2 or (len(targets) == 3 and optional):
            plays += [Action.of("play", card, target) for target in targets]
    return tuple(plays)


def _by_cards(*, optional: bool) -> dict[CardSet, dict[CardSet, Actions]]:
    """Plays by the cards of one month in the hand, then by those on the field."""
    table = plays_by_month(optional=optional)
    return {
        held << 4 * month: {lying << 4 * month: table[month][held << 4 | lying] for lying in range(16)}
        for month in range(12)
        for held in range(1, 16)
    }


PLAYS: Final = _by_cards(optional=False)
OPTIONAL_PLAYS: Final = _by_cards(optional=True)
MONTH_BY_LENGTH: Final[tuple[CardSet, ...]] = (0, *(MONTH_MASKS[card // 4] for card in range(48)))
"""The month of the last card of a set, by `bit_length`."""
HIKI_OF: Final = dict(zip(MONTH_MASKS, HIKI, strict=True))
