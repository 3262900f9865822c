"""The end of a deal: what both players have, settled line by line. Source: rules.md 6.5, 6.3."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.game import Json, Outcome
from engine.games.nuki import settlement
from engine.games.nuki.compensation import compensation
from engine.games.nuki.dekiyaku import dekiyaku_in
from engine.games.nuki.position import NukiPosition
from engine.games.nuki.settlement import POT, Both, End, Ending, Line, Standing
from engine.games.nuki.values import card_points, chaff_count

CARRY: Final = "carry"
"""The name under which doubled Deals are handed on."""


@dataclass(slots=True, kw_only=True)
class NukiOutcome(Outcome):
    """Settlement of a deal. reason: `shoubu`, `cancel`, `exhausted` or `no_game`; score: points that a seat gained.

    lines: every payment; standings: the active players at the end, the dealer for the Deal first, none in `no_game`.
    """

    multiplier: int
    lines: tuple[Line, ...]
    standings: tuple[Standing, ...]


def outcome(state: NukiPosition) -> NukiOutcome:
    """The result of a deal that is over."""
    end = state.end
    if end is None:
        raise ValueError("the deal is not over")
    standings: tuple[Standing, ...] = ()
    # Nobody played against the only volunteer: no teyaku are shown, the pot is all there is.
    if end == "no_game":
        winner, lines = state.ended_by, _pot(state, state.ended_by)
    else:
        both = standings = (standing(state, state.active[0]), standing(state, state.active[1]))
        winner, lines = settle(state, both, end)
    seats = state.rules.seats
    return NukiOutcome(
        reason=end,
        score=settlement.net(lines, seats),
        winner=winner,
        winning_side=winner,
        victories=tuple(int(seat == winner) for seat in range(seats)),
        carry={CARRY: state.carry_out},
        multiplier=state.multiplier,
        lines=tuple(lines),
        standings=standings,
    )


def standing(state: NukiPosition, seat: int) -> Standing:
    """Return the standing of an active player."""
    claims, pile = state.claims[seat], state.captured[seat]
    return Standing(
        seat=seat,
        teyaku=tuple((claim.id, claim.kan) for claim in claims.both) if claims else (),
        dekiyaku=tuple((dekiyaku.id, dekiyaku.kan) for dekiyaku in dekiyaku_in(pile)),
        chaff=chaff_count(pile),
        points=card_points(pile),
    )


def settle(state: NukiPosition, both: Both, how: End) -> tuple[int, list[Line]]:
    """The winner, and all payments in the order of rules.md 6.5. how: the play ended."""
    ending = Ending(how, state.ended_by, state.first_sage)
    winner, brought = settlement.outcome_lines(both, ending, state.multiplier)
    # The order of the lines is the order of rules.md 6.5; records and the page show it.
    lines = settlement.teyaku_lines(both, state.multiplier)
    lines += brought
    lines += achievement_lines(state, both)
    lines += _compensations(state)
    return winner, lines + _pot(state, winner)


def achievement_lines(state: NukiPosition, both: Both) -> list[Line]:
    """Diving, Escape and Mizuten, no matter what the outcome (R69)."""
    lines: list[Line] = []
    mult = state.multiplier
    for own, other in (both, both[::-1]):
        claims = state.claims[own.seat]
        month = claims.a.month if claims and claims.a and claims.a.id in state.rules.diving else 0
        if settlement.diving(state.captured[own.seat], month):
            lines += settlement.achievement("diving", [other.seat], own.seat, mult)
        if claims and claims.b and settlement.escapes(own.points):
            lines += settlement.achievement("escape", [other.seat], own.seat, mult)
    if state.mizuten:
        own, other = both if both[0].seat == state.dealer else both[::-1]
        lines += settlement.mizuten_lines(own.seat, own.points, state.rules.seats, other.seat, mult)
    return lines


def _compensations(state: NukiPosition) -> list[Line]:
    """Every forced-out player is paid by the active player who is not the dealer for the Deal."""
    if not state.rules.compensates:
        return []
    points = {seat: compensation(state.returned[seat]).points for seat in forced_out(state)}
    return settlement.compensation_lines(points, state.active[1], state.multiplier)


def forced_out(state: NukiPosition) -> tuple[int, ...]:
    """The seats that never got to answer, once both active players are known."""
    if not state.active:
        return ()
    asked = {seat for seat, _ in state.answers}
    return tuple(seat for seat in range(state.rules.seats) if seat not in asked and seat not in state.active)


def _pot(state: NukiPosition, winner: int) -> list[Line]:
    return settlement.pot_lines(dict(enumerate(state.paid)), winner)


def next_dealer(dealer: int, winner: int | None) -> int:
    """The seat that deals next: the winner of the Deal (rules.md 6.5)."""
    return dealer if winner is None else winner


def lines(outcome: NukiOutcome) -> list[Json]:
    """The payments as score lines, each for who gets it and, with the side it goes to (`by`), for who pays it."""
    found: list[Json] = []
    for line in outcome.lines:
        entry: Json = {"code": line.code, "yaku": line.name} if line.name else {"code": line.code}
        if line.payee != POT:
            found.append({"side": line.payee, **entry, "v": line.points})
        if line.payer != POT:
            by: Json = {} if line.payee == POT else {"by": line.payee}
            found.append({"side": line.payer, **entry, **by, "v": -line.points})
    return sorted(found, key=lambda entry: int(str(entry["side"])))
