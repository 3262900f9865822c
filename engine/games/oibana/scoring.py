"""The settlement: who pays whom. Source: rules.md 5 step 7, R74-R76."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Json, Outcome
from engine.games.oibana.auction import stake
from engine.games.oibana.options import OibanaOptions
from engine.games.oibana.position import OibanaPosition
from engine.games.sakura.outcome import SakuraOutcome


@dataclass(slots=True, kw_only=True)
class OibanaOutcome(Outcome):
    """score: the change of the ledger per seat. players: the two who played, the leader first, with their `bids`.

    paid: 0 after a void deal, else stake times multiplier. table: the Sakura deal; its side 0 is the leader.
    """

    players: tuple[int, int]
    bids: tuple[int, int]
    stake: int
    multiplier: int
    table: SakuraOutcome

    @property
    def paid(self) -> int:
        """Return what the loser pays the winner."""
        return self.stake * self.multiplier


def outcome(state: OibanaPosition) -> OibanaOutcome:
    """The result of a deal that is over."""
    if state.table is None:
        raise ValueError("the deal is not over")
    first, second = state.players
    bids = (state.bids[first], state.bids[second])
    return settle(state.rules.options, state.rules.seats, (first, second), bids, state.table.outcome())


def settle(
    options: OibanaOptions, seats: int, players: tuple[int, int], bids: tuple[int, int], table: SakuraOutcome
) -> OibanaOutcome:
    """The ledger's change from the Sakura deal that the two played. A void deal moves nothing."""
    score, victories = [0] * seats, [0] * seats
    side, amount, multiplier, winner = table.winning_side, 0, 1, None
    if side is not None:
        winner, loser = players[side], players[1 - side]
        amount = stake(options.oibana_payment, winner=bids[side], loser=bids[1 - side])
        multiplier = table.victories[side]
        score[winner], score[loser] = amount * multiplier, -amount * multiplier
        victories[winner] = multiplier
    return OibanaOutcome(
        reason=table.reason,
        score=tuple(score),
        winner=winner,
        winning_side=winner,
        victories=tuple(victories),
        players=players,
        bids=bids,
        stake=amount,
        multiplier=multiplier,
        table=table,
    )


def lines(outcome: OibanaOutcome) -> list[Json]:
    """Per side: `stake`, what Basa or Chu add to it as `margin`, and `watched` for those who did not play."""
    found: list[Json] = []
    for seat, change in enumerate(outcome.score):
        if seat not in outcome.players:
            found.append({"side": seat, "code": "watched", "v": 0})
            continue
        sign = (change > 0) - (change < 0)
        other = outcome.players[1 - outcome.players.index(seat)]
        found.append({"side": seat, "code": "stake", "by": other, "v": sign * outcome.stake})
        if outcome.multiplier > 1:
            more = sign * (outcome.paid - outcome.stake)
            found.append({"side": seat, "code": "margin", "by": other, "v": more})
    return found
