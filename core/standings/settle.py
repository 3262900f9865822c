"""From matches to results: legs of one deal set become one result, forfeits are applied, places are given.

Rule source: tournaments.md sections 5 and 9. A side that forfeits a leg gets 0 victories and min(0, points) for it.
A side that forfeited every leg is last; of several such sides the one that held out longer ranks higher. Otherwise
the places come from the sums. Who never came has no place share.

The mean of a table is that of the sides that played the leg to its end: what a forfeit leaves of a score (nothing, of a
no-show) is no measure of the table, and would be given to those who sat there. Who forfeited is never above the mean.
What a walk-over is worth besides its place share is known only with the other tables of the round: `figures`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby

from core.standings.errors import StandingsError
from core.standings.model import NO_SHOW, MatchResult, PlaceBy, Scoring, SeatResult, Spec, VictoryOnTie

HALF = Fraction(1, 2)
ZERO = Fraction(0)


@dataclass(frozen=True, slots=True)
class SideScore:
    """Score of one side in a result. entries: its members, sorted. share: (sides beaten + half of ties)/(t-1).

    victories: deals won. as_one_deal: victories if every leg counted as one deal. came: somebody of it sat at the
    table. is_measure: its figures tell what a table brings, so means count it.
    """

    entries: tuple[str, ...]
    points: Fraction
    above_mean: Fraction
    victories: Fraction
    as_one_deal: Fraction
    place: int
    share: Fraction
    is_forfeit: bool
    first_dealer: int
    came: bool = True
    is_measure: bool = True
    deciders: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Settled:
    """One result: a match, or all legs of a deal set. match: id of the first leg. deals: over all legs.

    shape: (seats, sides, deals) of those who came; None where nobody played. is_by_round: nobody played, and what it is
    worth follows from the tables of its round. is_totals: of a leg that was played only totals are known.
    """

    match: str
    matches: tuple[str, ...]
    round: int
    table: int
    deals: int
    seats: int
    is_played: bool
    sides: tuple[SideScore, ...]
    shape: tuple[int, int, int] | None
    is_by_round: bool
    is_totals: bool

    def side_of(self, entry: str) -> SideScore:
        """The side an entry played on; KeyError if it was not at the table."""
        for side in self.sides:
            if entry in side.entries:
                return side
        raise KeyError(entry)

    def is_played_by(self, entry: str) -> bool:
        """Return whether an entry sat at this table and played; KeyError if it was not to sit there."""
        return self.is_played and self.side_of(entry).came


@dataclass(slots=True)
class _Sum:
    """A side while its legs are added up. survived: (deals, moves) survived, per forfeited leg.

    over: points above the mean of each leg. missed: legs to which nobody of it came.
    """

    points: Fraction = Fraction(0)
    over: Fraction = Fraction(0)
    victories: Fraction = Fraction(0)
    as_one_deal: Fraction = Fraction(0)
    place: int | None = None
    survived: tuple[tuple[int, int], ...] = ()
    first_dealer: int = 0
    missed: int = 0
    seats: int = 0
    deciders: tuple[int, ...] = ()


def settle(legs: Sequence[MatchResult], spec: Spec) -> Settled:
    """Make one result from all legs of a deal set (or from one match), legs in any order.

    Raises StandingsError: "result.sides" (legs seat other sides), "result.sides_differ" (seats of one side
    disagree), "result.seats" (fewer than two sides, or an entry twice at the table).
    """
    # The order of arrival must not matter: the id and the table of the result are those of the first leg.
    ordered = sorted(legs, key=lambda leg: (leg.leg, leg.match))
    first = ordered[0]
    sums: dict[tuple[str, ...], _Sum] = {side: _Sum() for side in sorted(_sides(first))}
    for leg in ordered:
        _add_leg(sums, leg, spec)
    places = _places(sums, ordered, spec)
    deals, is_played = sum(leg.deals for leg in ordered), any(leg.is_played for leg in ordered)
    sides = _scores(sums, places, ordered, spec)
    return Settled(
        match=first.match,
        matches=tuple(leg.match for leg in ordered),
        round=first.round,
        table=first.table,
        deals=deals,
        seats=len(first.seats),
        is_played=is_played,
        sides=sides,
        shape=_shape(sums, sides, deals) if is_played or spec.edition == 1 else None,
        is_by_round=not is_played and spec.edition > 1,
        is_totals=any(leg.is_played and _is_totals(leg.seats) for leg in ordered),
    )


def shares(places: Sequence[int]) -> tuple[Fraction, ...]:
    """Return the place share of each side: (sides beaten + half of ties)/(t-1); they add up to t/2.

    >>> shares((1, 2, 2))
    (Fraction(1, 1), Fraction(1, 4), Fraction(1, 4))
    """
    # In halves and doubled at the end: no fraction of a fraction is made for every table of an event. "- 1" takes the
    # side's tie with itself away.
    others = len(places) - 1
    return tuple(
        Fraction(2 * sum(other > place for other in places) + sum(other == place for other in places) - 1, 2 * others)
        for place in places
    )


def _sides(match: MatchResult) -> dict[tuple[str, ...], list[SeatResult]]:
    """Group the seats of each side, keyed by the side's entries in order."""
    by_side = sorted(match.seats, key=lambda seat: (seat.side, seat.seat))
    grouped = [list(seats) for _, seats in groupby(by_side, key=lambda seat: seat.side)]
    sides = {tuple(sorted({seat.entry for seat in seats})): seats for seats in grouped}
    present = [entry for side in sides for entry in side]
    if len(sides) < 2 or len(sides) != len(grouped) or len(present) != len(set(present)):
        message = f"match {match.match}: two sides or more, each entry on one of them; check who sat where"
        raise StandingsError(message, code="result.seats")
    return sides


def _add_leg(sums: dict[tuple[str, ...], _Sum], leg: MatchResult, spec: Spec) -> None:
    """Add one leg to the sides' sums, forfeits applied."""
    sides = _sides(leg)
    if sides.keys() != sums.keys():
        message = f"match {leg.match}: the legs of a deal set are played by the same sides; it seats others"
        raise StandingsError(message, code="result.sides")
    for side, seats in sides.items():
        if len({(seat.points, seat.victories, seat.place) for seat in seats}) > 1:
            message = f"match {leg.match}: seats of one side share points, victories and place; {side} do not"
            raise StandingsError(message, code="result.sides_differ")
    one, counted, mean = _as_one_deal(sides, spec), _counted(sides), _mean(sides, spec)
    has_totals = _is_totals(leg.seats)
    for side, seats in sides.items():
        total, seat = sums[side], seats[0]
        faults = [(seat.forfeit.deal, seat.forfeit.move) for seat in seats if seat.forfeit]
        total.points += counted[side]
        over = counted[side] - mean
        # Against a mean below zero a forfeit's 0 would count as points above it.
        total.over += min(ZERO, over) if faults and spec.edition > 1 else over
        total.missed += all(seat.forfeit is not None and seat.forfeit.code == NO_SHOW for seat in seats)
        total.seats = len(seats)
        total.as_one_deal += one[side]
        won = one[side] if has_totals else Fraction(seat.victories or 0)
        total.victories += Fraction(0) if faults else won
        total.place = seat.place
        # Of a side with several seats the first forfeit: from then on it no longer played as a whole.
        total.survived += (min(faults),) if faults else ()
        total.first_dealer += sum(seat.first_dealer for seat in seats)
        total.deciders += seat.deciders


def _counted(sides: dict[tuple[str, ...], list[SeatResult]]) -> dict[tuple[str, ...], Fraction]:
    """Return points per side; a side that forfeited has no more than 0."""
    points = {side: Fraction(seats[0].points) for side, seats in sides.items()}
    return {side: min(ZERO, own) if _is_forfeit(sides[side]) else own for side, own in points.items()}


def _mean(sides: dict[tuple[str, ...], list[SeatResult]], spec: Spec) -> Fraction:
    """Return the mean points per side of one leg: of those who played it; in the first edition of all."""
    counted = _counted(sides)
    playing = [points for side, points in counted.items() if not _is_forfeit(sides[side])]
    of = list(counted.values()) if spec.edition == 1 else playing
    return sum(of, ZERO) / len(of) if of else ZERO


def _is_forfeit(seats: Sequence[SeatResult]) -> bool:
    return any(seat.forfeit is not None for seat in seats)


def _shape(sums: dict[tuple[str, ...], _Sum], sides: Sequence[SideScore], deals: int) -> tuple[int, int, int]:
    """Return what must be the same at all tables for raw points to be comparable."""
    here = [side for side in sides if side.came]
    return (sum(sums[side.entries].seats for side in here), len(here), deals)


def _is_totals(seats: Iterable[SeatResult]) -> bool:
    """Return whether it is not known how many deals were won."""
    return any(seat.victories is None for seat in seats)


def _as_one_deal(sides: dict[tuple[str, ...], list[SeatResult]], spec: Spec) -> dict[tuple[str, ...], Fraction]:
    """Return what one deal with these points gives to each side (`victory_on_tie`); who forfeits wins nothing."""
    standing = [side for side, seats in sides.items() if not any(seat.forfeit for seat in seats)]
    best = max((sides[side][0].points for side in standing), default=None)
    leaders = [side for side in standing if sides[side][0].points == best]
    worth = {
        VictoryOnTie.SHARE: Fraction(1, max(1, len(leaders))),
        VictoryOnTie.ALL: Fraction(1),
        VictoryOnTie.NONE: Fraction(len(leaders) == 1),
    }[spec.victory_on_tie]
    return {side: worth if side in leaders else Fraction(0) for side in sides}


def _places(sums: dict[tuple[str, ...], _Sum], legs: Sequence[MatchResult], spec: Spec) -> dict[tuple[str, ...], int]:
    """Return the place per side, 1 = best, equal ones share a number."""
    given = {side: total.place for side, total in sums.items() if total.place is not None}
    if len(legs) == 1 and len(given) == len(sums):
        if not all(1 <= place <= len(sums) for place in given.values()):
            message = f"match {legs[0].match}: places run from 1 to {len(sums)}; leave them out to have them worked out"
            raise StandingsError(message, code="result.place")
        return given
    metric = _metric(legs, spec)

    def key(total: _Sum) -> tuple[bool, bool, tuple[tuple[int, int], ...], Fraction]:
        out = len(total.survived) == len(legs)
        # Compared left to right: in play before out, came before never came, then how long it held out, then the
        # figure.
        return (
            not out,
            not _is_missing(total, legs, spec),
            total.survived if out else (),
            ZERO if out else metric(total),
        )

    keys = {side: key(total) for side, total in sums.items()}
    if _nobody_came(sums, legs):
        return dict.fromkeys(sums, len(sums))
    return {side: 1 + sum(other > own for other in keys.values()) for side, own in keys.items()}


def _nobody_came(sums: dict[tuple[str, ...], _Sum], legs: Sequence[MatchResult]) -> bool:
    """Return whether it is a double (or n-fold) no-show: every side is last and gets nothing."""
    return not any(leg.is_played for leg in legs) and all(len(total.survived) == len(legs) for total in sums.values())


def _is_missing(total: _Sum, legs: Sequence[MatchResult], spec: Spec) -> bool:
    """Return whether nobody of a side ever came. The first edition knew no difference between that and another
    forfeit.
    """
    return spec.edition > 1 and total.missed == len(legs)


def _metric(legs: Iterable[MatchResult], spec: Spec) -> Callable[[_Sum], Fraction]:
    """Return what places at a table go by. Totals know no victories of their own, so they go by points."""
    entered_as_totals = any(_is_totals(leg.seats) for leg in legs)
    by_victories = spec.place_by is PlaceBy.VICTORIES or (
        spec.place_by is PlaceBy.AUTO and spec.scoring is Scoring.ROUND_VICTORY and not entered_as_totals
    )
    return (lambda total: total.victories) if by_victories else (lambda total: total.points)


def _scores(
    sums: dict[tuple[str, ...], _Sum], places: dict[tuple[str, ...], int], legs: Sequence[MatchResult], spec: Spec
) -> tuple[SideScore, ...]:
    """Return the sides of the settled result, in the order of their entries."""
    is_played, is_new = any(leg.is_played for leg in legs), spec.edition > 1
    deals = sum(leg.deals for leg in legs)
    # A match of half the deals moves half as far from the mean: scaled, its points weigh as those of a whole one.
    scale = Fraction(spec.nominal_deals * len(legs), deals) if spec.nominal_deals and deals else Fraction(1)
    parts = shares([places[side] for side in sums])
    if _nobody_came(sums, legs):
        parts = (Fraction(0),) * len(sums)
    missing = [_is_missing(total, legs, spec) for total in sums.values()]
    return tuple(
        SideScore(
            entries=side,
            points=total.points,
            above_mean=total.over * scale,
            victories=total.victories,
            as_one_deal=total.as_one_deal,
            place=places[side],
            share=ZERO if gone else share,
            is_forfeit=bool(total.survived),
            first_dealer=total.first_dealer,
            came=not gone,
            is_measure=not is_new or (is_played and not total.survived),
            deciders=total.deciders,
        )
        for (side, total), share, gone in zip(sums.items(), parts, missing, strict=True)
    )
