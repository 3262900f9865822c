"""The four totals of an entry, and the part of one result, bye or adjustment in each.

A round without a table, and a table to which the others did not come, are worth what the round's tables brought on
average, in the main score of the stage: a fixed number would be much in one kind of event and nothing in another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction

from core.standings.model import (
    BYE_POLICIES,
    Adjustment,
    AdjustmentKind,
    Amount,
    Basis,
    ByePolicy,
    Scoring,
    Unplayed,
    UnplayedKind,
)
from core.standings.settle import HALF, ZERO, Settled, SideScore
from core.standings.table import Term


class Figure(StrEnum):
    """A total; the names are tie-break ids too."""

    POINTS = "points"
    ABOVE_MEAN = "above_mean"
    VICTORIES = "victories"
    PLACE = "place"


Mean = Callable[[Figure, bool], Fraction]
"""The mean of a figure over the sides of a round; True: over those that won their tables."""


def side_amount(side: SideScore, figure: Figure, *, as_one_deal: bool = False) -> Fraction:
    """Return what a result is worth to a side. as_one_deal: victories of the whole result, not of its deals."""
    if as_one_deal and figure is Figure.VICTORIES:
        return side.as_one_deal
    return {
        Figure.POINTS: side.points,
        Figure.ABOVE_MEAN: side.above_mean,
        Figure.VICTORIES: side.victories,
        Figure.PLACE: side.share,
    }[figure]


def result_term(
    result: Settled,
    side: SideScore,
    figure: Figure,
    mean: Mean,
    walkover: Amount | None = None,
    *,
    as_one_deal: bool = False,
) -> Term:
    """Return the term of a result. mean: of its round; walkover: as `Spec.walkover`; as_one_deal: as `side_amount`."""
    amount = side_amount(side, figure, as_one_deal=as_one_deal)
    note = "" if amount == side_amount(side, figure) else "as_one_deal"
    note = note if result.is_played and side.came else "unplayed"
    if result.is_by_round and not side.is_forfeit and walkover is not None:
        won = Fraction(1) if figure is Figure.PLACE else mean(figure, True)
        return Term(round=result.round, match=result.match, amount=walkover * won, note=note)
    # The place share is known at the table; all other figures of a walk-over are those of its round.
    if result.is_by_round and figure is not Figure.PLACE:
        amount = _walked_over(side, figure, mean)
    return Term(round=result.round, match=result.match, amount=amount, note=note)


def _walked_over(side: SideScore, figure: Figure, mean: Mean) -> Fraction:
    """Return the mean of the round for a side that came, nothing for one that did not."""
    if figure is Figure.ABOVE_MEAN:
        return above(ZERO, mean(Figure.POINTS, False)) if side.is_forfeit else ZERO
    return ZERO if side.is_forfeit else mean(figure, False)


def above(points: Fraction, mean: Fraction) -> Fraction:
    """Return points above the mean; nothing at all is never above it, though points may be negative."""
    # In rounds whose mean is below zero nothing at all would otherwise be a good result.
    return points - mean if points else min(ZERO, -mean)


def adjustment_term(item: Adjustment, figure: Figure) -> Term:
    """Return the term of an adjustment: its points count above the mean as well."""
    amount = {
        Figure.POINTS: item.points,
        Figure.ABOVE_MEAN: item.points,
        Figure.VICTORIES: item.victories,
        Figure.PLACE: item.place,
    }[figure]
    return Term(round=item.round or 0, match="", amount=Fraction(amount), note=item.kind.value)


def bye_term(item: Unplayed, figure: Figure, policy: ByePolicy, mean: Mean) -> Term:
    """Return the term of a round without a table. mean: of that round."""
    by_arrangement = {UnplayedKind.HALF: BYE_POLICIES["half"], UnplayedKind.FULL: BYE_POLICIES["full"]}
    nothing = BYE_POLICIES["zero"]
    own = policy if item.kind is UnplayedKind.BYE else by_arrangement.get(item.kind, nothing)
    amount = {
        # Lazily: a mean of the round is only worked out (and remembered) for the figure that is asked for.
        Figure.PLACE: lambda: Fraction(own.place),
        Figure.VICTORIES: lambda: _or_mean(own.victories, Figure.VICTORIES, own, mean),
        Figure.POINTS: lambda: _or_mean(own.points, Figure.POINTS, own, mean),
        Figure.ABOVE_MEAN: lambda: _bye_above(own, mean),
    }[figure]()
    return Term(round=item.round, match="", amount=amount, note=item.kind.value)


def _or_mean(given: Amount | None, figure: Figure, policy: ByePolicy, mean: Mean) -> Fraction:
    return mean(figure, policy.as_won) if given is None else Fraction(given)


def _bye_above(policy: ByePolicy, mean: Mean) -> Fraction:
    if policy.points is None:
        return mean(Figure.ABOVE_MEAN, True) if policy.as_won else ZERO
    return above(Fraction(policy.points), mean(Figure.POINTS, False))


def bye_term_of_first(item: Unplayed, figure: Figure, policy: ByePolicy, mean: Fraction) -> Term:
    """Return that term by the first edition of the rules. mean: points per side in that round."""
    paid = item.kind in (UnplayedKind.BYE, UnplayedKind.FULL)
    places = {UnplayedKind.BYE: Fraction(policy.place), UnplayedKind.FULL: Fraction(1), UnplayedKind.HALF: HALF}
    points = mean if policy.points is None else Fraction(policy.points)
    amount = {
        Figure.PLACE: places.get(item.kind, ZERO),
        Figure.VICTORIES: Fraction(policy.victories or 0) if paid else ZERO,
        Figure.POINTS: points if paid else ZERO,
        Figure.ABOVE_MEAN: points - mean if paid else ZERO,
    }[figure]
    return Term(round=item.round, match="", amount=amount, note=item.kind.value)


def first_figures(scoring: Scoring, basis: Basis) -> tuple[Figure, ...]:
    """Return the totals by which results are compared when only the best of a round count."""
    points = Figure.ABOVE_MEAN if basis is Basis.ABOVE_MEAN else Figure.POINTS
    return {
        Scoring.CUMULATIVE: (points, Figure.VICTORIES),
        Scoring.ROUND_VICTORY: (Figure.VICTORIES, points),
        Scoring.PLACE: (Figure.PLACE, points),
    }[scoring]


def best_of(most: int, terms: Sequence[Term], worth: Sequence[tuple[Fraction, ...]]) -> list[Term]:
    """Mark the terms of which the best `most` of every round count; the others say that they are cut.

    worth: of each term, by which it is compared. Of level ones the first counts, so all totals cut the same.
    """
    rounds: dict[int, list[int]] = defaultdict(list)
    for at, term in enumerate(terms):
        rounds[term.round].append(at)
    counted = {
        at for own in rounds.values() for at in sorted(own, key=lambda at: [-amount for amount in worth[at]])[:most]
    }
    return [term if at in counted else replace(term, note="cut", counted=False) for at, term in enumerate(terms)]


class Carry(StrEnum):
    """Share of the totals of the stage before that counts in this one."""

    NONE = "none"
    HALF = "half"  # exact halves
    FULL = "full"


FACTOR = {Carry.NONE: Fraction(0), Carry.HALF: Fraction(1, 2), Carry.FULL: Fraction(1)}


def carried(
    entry: str, rule: Carry, *, points: Amount = 0, victories: Amount = 0, place: Amount = 0, reason: str = ""
) -> Adjustment:
    """Return the totals of the stage before, reduced by the rule, as an adjustment of the new stage."""
    factor = FACTOR[rule]
    return Adjustment(
        adjustment=f"carry {entry}",
        entry=entry,
        points=points * factor,
        victories=victories * factor,
        place=place * factor,
        reason=reason,
        kind=AdjustmentKind.CARRY,
    )
