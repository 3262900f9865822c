"""The end of a deal: the claim, the score, who won and by how much. Source: rules.md 3.2 (claim), 4."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import MONTH_MASKS, points
from engine.game import Json
from engine.games.sakura.deal import DEAL_HAND_POINTS
from engine.games.sakura.options import SakuraOptions
from engine.games.sakura.outcome import SakuraOutcome
from engine.games.sakura.position import SakuraPosition
from engine.games.sakura.yaku import yaku_in

CHU_MARGIN = 50
BASA_MARGIN = 100


def close(state: SakuraPosition) -> None:
    """End the deal: move what the Gaji claims (before points and yaku are counted), nobody decides any more."""
    state.phase = "over"
    state.end = "played"
    if state.gaji_by < 0 or state.rules.transfers:
        return
    # Before points and yaku are counted: what the Gaji claims counts for its user.
    claimed = state.field
    if state.rules.options.gaji_claim == "round_end_same_month":
        claimed &= MONTH_MASKS[state.gaji_month - 1]
    # The claim belongs to the user's side: partners share a pile.
    side = state.rules.sides[state.gaji_by]
    state.field ^= claimed
    state.captured[side] |= claimed
    state.claimed, state.claimed_side = claimed, side
    if claimed:
        state.notes.append(("end_claim", side, claimed))


def deal_scores(card_points: Sequence[int], yaku_made: Sequence[int], penalty: int) -> tuple[int, ...]:
    """Score per side; may be negative.

    card_points, yaku_made: card points and number of yaku, one per side. Source: rules 4.1, own points minus
    the penalty for every yaku of the others.

    >>> deal_scores([130, 110], [1, 2], 50)
    (30, 60)
    """
    total = sum(yaku_made)
    return tuple([own - penalty * (total - made) for own, made in zip(card_points, yaku_made, strict=True)])


def winner_seat(score: Sequence[int], sides: Sequence[int], dealer: int) -> int:
    """The seat that won: of the sides at the top, the member first in turn order from the dealer (rules 4.1)."""
    # From the dealer on: of partners, and of sides with equal scores, the first in turn order has won.
    best, seat, last = max(score), dealer, len(sides) - 1
    while score[sides[seat]] != best:
        seat = 0 if seat == last else seat + 1
    return seat


def margin_of(score: Sequence[int], winning_side: int) -> int:
    """The winner's score minus the best other side's (rules 4.4, R48)."""
    # A copy: the winner's own score is taken out of it.
    others = list(score)
    return others.pop(winning_side) - max(others)


def victories_for(options: SakuraOptions, margin: int) -> int:
    """Victories that a deal won by this margin is worth (rules 4.4)."""
    if options.chu and options.basa:
        return 1 + (margin >= CHU_MARGIN) + (margin >= BASA_MARGIN)
    return 1 + ((options.chu and margin >= CHU_MARGIN) or (options.basa and margin >= BASA_MARGIN))


def victory_label(options: SakuraOptions, margin: int, yaku_made: int) -> str | None:
    """`shira_basa`: a Basa in a deal in which no side made a yaku."""
    return "shira_basa" if options.basa and margin >= BASA_MARGIN and not yaku_made else None


def outcome(state: SakuraPosition) -> SakuraOutcome:
    """The result of a deal that is over."""
    if state.end is None:
        raise ValueError("the deal is not over")
    if state.end == "played":
        return _played(state)
    count, side = state.rules.side_count, state.winning_side
    score = [0] * count
    if side is not None:
        score[side] = DEAL_HAND_POINTS
    seat = None if side is None else winner_seat(score, state.rules.sides, state.dealer)
    return _outcome(state, tuple(score), seat, (0,) * count, ((),) * count)


def _played(state: SakuraPosition) -> SakuraOutcome:
    """The result of a deal that was played out."""
    # Not `map`: in machine code a comprehension takes about half as long.
    card_points = score = tuple([points(pile) for pile in state.captured])
    yaku = tuple([yaku_in(pile) for pile in state.captured])
    # In most deals nobody makes a yaku: then the card points are the scores.
    if any(yaku):
        score = deal_scores(card_points, list(map(len, yaku)), state.rules.options.yaku_penalty)
    return _outcome(state, score, winner_seat(score, state.rules.sides, state.dealer), card_points, yaku)


def _outcome(
    state: SakuraPosition,
    score: tuple[int, ...],
    winner: int | None,
    points: tuple[int, ...],
    yaku: tuple[tuple[str, ...], ...],
) -> SakuraOutcome:
    """Return who won, by how much, and what for. points, yaku: per side, nothing if no card was played."""
    options, end = state.rules.options, state.end or ""
    victories, margin, label, side = [0] * len(score), 0, None, None
    if winner is not None:
        side = state.rules.sides[winner]
        margin = margin_of(score, side)
        victories[side] = victories_for(options, margin)
        label = victory_label(options, margin, sum(map(len, yaku))) if options.basa and end == "played" else None
    return SakuraOutcome(
        reason=end,
        points=points,
        yaku=yaku,
        score=score,
        winner=winner,
        winning_side=side,
        victories=tuple(victories),
        margin=margin,
        label=label,
        claimed=state.claimed,
        claimed_side=state.claimed_side,
        dead=state.field if end == "played" else 0,
    )


def next_dealer(options: SakuraOptions, seats: int, dealer: int, winner: int | None) -> int:
    """The seat that deals next (rules 4.3). winner: the seat that won, None after a void deal."""
    if options.dealer_succession == "rotate":
        return (dealer + 1) % seats
    return dealer if winner is None else winner


def lines(options: SakuraOptions, outcome: SakuraOutcome) -> list[Json]:
    """Return where the score of each side comes from: `cards`, `opp_yaku` per opposing yaku, or the deal
    hand's name.
    """
    found: list[Json] = []
    for side, own in enumerate(outcome.points):
        if outcome.reason != "played":
            found.append({"side": side, "code": outcome.reason, "v": outcome.score[side]})
            continue
        found.append({"side": side, "code": "cards", "v": own})
        found += [
            {"side": side, "code": "opp_yaku", "yaku": yaku, "by": other, "v": -options.yaku_penalty}
            for other, made in enumerate(outcome.yaku)
            if other != side
            for yaku in made
        ]
    return found
