"""The legal actions of a seat, in one canonical order.

A record and a forfeited seat depend on that order; it never changes:

- `hand`: the plays by card code, for each card first without a target (laid, single match, whole triple), then its
  targets by code, then `leave`; after all plays the hiki by month. Empty hand: `draw_only` alone.
- `flip_choice`, `flip_gaji`: `all` first, then the targets by code, then `leave`.
- `gaji_blocked`: the targets by code, `leave`, `return`.

A plain hand is listed by `SakuraState.legal_actions` itself, all else here. Only what the acting seat may know is
looked at: a Gaji target that another hand will block is listed (rules 3.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.action import LEAVE, RETURN, TRIPLE, Action
from engine.cards import BITS, GAJI, MONTH_MASKS, CardSet, members
from engine.games.sakura import gaji
from engine.games.sakura.deal import full_months
from engine.games.sakura.plays import SHIFTS, Actions
from engine.games.sakura.position import SakuraPosition

if TYPE_CHECKING:
    from engine.games.sakura.rules import Rules

GAJI_BIT: Final = BITS[GAJI]
UNTIL_WILLOW: Final[CardSet] = sum(MONTH_MASKS[:11])
DRAW_ONLY: Final[Actions] = (Action.of("draw_only"),)
HIKI: Final[Actions] = tuple(Action.of("hiki", month=month + 1) for month in range(12))
DRAW_TAKE: Final[Actions] = tuple(Action.of("draw_take", take=take) for take in range(48))
NAME: Final[Actions] = tuple(Action.of("blocked_choice", take=take) for take in range(48))
GAJI_TAKE: Final[Actions] = tuple(Action.of("play", GAJI, take) for take in range(48))
GAJI_LEAVE: Final = Action.of("play", GAJI, LEAVE)
DRAW_ALL: Final = Action.of("draw_take", take=TRIPLE)
DRAW_LEAVE: Final = Action.of("draw_take", take=LEAVE)
NAME_LEAVE: Final = Action.of("blocked_choice", take=LEAVE)
NAME_RETURN: Final = Action.of("blocked_choice", take=RETURN)


def choices(state: SakuraPosition) -> Actions:
    """Return the actions for a card in mid-air."""
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


def hand_with_gaji(state: SakuraPosition) -> Actions:
    """Return the actions of a hand with a Gaji that is wild, or that came back in this turn and may not be played."""
    hand, field, rules = state.hands[state.turn] ^ GAJI_BIT, state.field, state.rules
    # Split around the Gaji's own code, so that its plays stand at their place in code order.
    until_willow, after = _plays(rules, hand & UNTIL_WILLOW, field), _plays(rules, hand & ~UNTIL_WILLOW, field)
    if state.returned:
        return until_willow + after
    wild = _named(GAJI_TAKE, field) + ((GAJI_LEAVE,) if rules.may_decline else ())
    full = full_months(hand | GAJI_BIT | field) if rules.hiki else 0
    hikis = [HIKI_OF[month] for month in MONTH_MASKS if full & month and (hand | GAJI_BIT) & month] if full else []
    return (*until_willow, *wild, *after, *hikis)


def _plays(rules: Rules, hand: CardSet, field: CardSet) -> Actions:
    """The plays of ordinary cards."""
    plays: Actions = ()
    while hand:
        # The last month first, each put before the others: `bit_length` finds the highest card at once.
        shift = SHIFTS[hand.bit_length()]
        own = hand >> shift
        plays = rules.plays[shift << 6 | own << 4 | (field >> shift & 15)] + plays
        hand ^= own << shift
    return plays


HIKI_OF: Final = dict(zip(MONTH_MASKS, HIKI, strict=True))
