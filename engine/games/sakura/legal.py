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
from engine.cards import GAJI, MONTH_MASKS, CardSet, members
from engine.games.sakura import gaji

if TYPE_CHECKING:
    from engine.games.sakura.state import SakuraState

Actions = tuple[Action, ...]

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
    """What the seat to act may do; empty when the deal is over."""
    if state.phase == "hand":
        return _hand(state)
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


def _hand(state: SakuraState) -> Actions:
    """Plays month by month from a table keyed by the month's cards in the hand and on the field."""
    hand, field = state.hands[state.turn], state.field
    if not hand:
        return DRAW_ONLY
    if hand >> GAJI & 1 and (state.returned or gaji.is_wild(state)):
        return _hand_with_gaji(state)
    table = plays_by_month(optional=state.rules.triple_optional)
    plays: list[Action] = []
    hikis: list[Action] = []
    month = 0
    while hand:
        held = hand & 15
        if held:
            lying = field & 15
            plays += table[month][held << 4 | lying]
            if held | lying == 15:
                hikis.append(HIKI[month])
        hand >>= 4
        field >>= 4
        month += 1
    if hikis and state.rules.hiki:
        plays += hikis
    return tuple(plays)


def _hand_with_gaji(state: SakuraState) -> Actions:
    """The same with a Gaji that is wild, or that has come back in this turn and may not be played."""
    hand, field = state.hands[state.turn], state.field
    table = plays_by_month(optional=state.rules.triple_optional)
    plays: list[Action] = []
    for month in range(12):
        held = hand >> 4 * month & 15
        if month == GAJI // 4:
            held &= 7
        plays += table[month][held << 4 | field >> 4 * month & 15]
        if month == GAJI // 4 and not state.returned:
            plays += _named(GAJI_TAKE, field)
            if state.rules.may_decline:
                plays.append(GAJI_LEAVE)
    if state.rules.hiki and not state.returned:
        plays += [HIKI[m] for m in range(12) if hand & MONTH_MASKS[m] and not MONTH_MASKS[m] & ~(hand | field)]
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
