"""The four totals of an entry, and what one result, bye or adjustment adds to each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction

from tournaments.standings.model import Adjustment, Basis, ByePolicy, Scoring, Unplayed, UnplayedKind
from tournaments.standings.settle import HALF, Settled, SideScore
from tournaments.standings.table import Term

ZERO = Fraction(0)


class Figure(StrEnum):
    """A total; the names are tie-break ids too."""

    POINTS = "points"
    ABOVE_MEAN = "above_mean"
    VICTORIES = "victories"
    PLACE = "place"


def side_amount(side: SideScore, figure: Figure) -> Fraction:
    """What a result is worth to a side."""
    return {
        Figure.POINTS: side.points,
        Figure.ABOVE_MEAN: side.above_mean,
        Figure.VICTORIES: side.victories,
        Figure.PLACE: side.share,
    }[figure]


def result_term(result: Settled, side: SideScore, figure: Figure) -> Term:
    """The term of a result."""
    note = "" if result.is_played else "unplayed"
    return Term(round=result.round, match=result.match, amount=side_amount(side, figure), note=note)


def adjustment_term(item: Adjustment, figure: Figure) -> Term:
    """The term of an adjustment: its points count above the mean as well."""
    amount = {
        Figure.POINTS: item.points,
        Figure.ABOVE_MEAN: item.points,
        Figure.VICTORIES: item.victories,
        Figure.PLACE: item.place,
    }[figure]
    return Term(round=item.round or 0, match="", amount=Fraction(amount), note=item.kind.value)


def bye_term(item: Unplayed, figure: Figure, policy: ByePolicy, mean: Fraction) -> Term:
    """The term of a round without a table. mean: points per side in that round."""
    paid = item.kind in (UnplayedKind.BYE, UnplayedKind.FULL)
    places = {UnplayedKind.BYE: Fraction(policy.place), UnplayedKind.FULL: Fraction(1), UnplayedKind.HALF: HALF}
    points = mean if policy.points is None else Fraction(policy.points)
    amount = {
        Figure.PLACE: places.get(item.kind, ZERO),
        Figure.VICTORIES: Fraction(policy.victories) if paid else ZERO,
        Figure.POINTS: points if paid else ZERO,
        Figure.ABOVE_MEAN: points - mean if paid else ZERO,
    }[figure]
    return Term(round=item.round, match="", amount=amount, note=item.kind.value)


def first_figures(scoring: Scoring, basis: Basis) -> tuple[Figure, ...]:
    """By which totals results are compared when only the best of a round count."""
    points = Figure.ABOVE_MEAN if basis is Basis.ABOVE_MEAN else Figure.POINTS
    return {
        Scoring.CUMULATIVE: (points, Figure.VICTORIES),
        Scoring.ROUND_VICTORY: (Figure.VICTORIES, points),
        Scoring.PLACE: (Figure.PLACE, points),
    }[scoring]


def best_of(most: int, terms: Sequence[Term], worth: Sequence[tuple[Fraction, ...]]) -> list[Term]:
    """The terms, of which the best `most` of every round count; the others say that they are cut.

    worth: of each term, by which it is compared. Of level ones the first counts, so all totals cut the same.
    """
    rounds: dict[int, list[int]] = defaultdict(list)
    for at, term in enumerate(terms):
        rounds[term.round].append(at)
    counted = {
        at for own in rounds.values() for at in sorted(own, key=lambda at: [-amount for amount in worth[at]])[:most]
    }
    return [term if at in counted else replace(term, note="cut", counted=False) for at, term in enumerate(terms)]
