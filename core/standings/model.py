"""Input of standings: plain values, no database, no clock.

Words (tournaments.md section 1): an *entry* is what is ranked, a *side* is the seats that share a
pile and a score, a *leg* is one of several matches that replay the same *deal set*.
Identifiers are text: the public UUID of the row (tests use names). Every amount that is compared is
an exact `Fraction`; a plain `int` is accepted wherever a `Fraction` is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Final

Amount = Fraction | int
QUIET: Mapping[str, object] = {"quiet": True}
"""Mark of a field that is no part of the input hash while it has its default (`table.plain`)."""
QUIET_IN_FIRST: Mapping[str, object] = {"quiet": True, "at": 1}
"""Of a field that is no part of it while it is 1: it was added to tables that had their hash without it."""
EDITION: Final = 3
"""Of the scoring rules, as stages that begin now count: `Spec.edition`."""
NO_SHOW: Final = "no_show"
"""The forfeit of a seat whose player never came."""


class Scoring(StrEnum):
    """Totals that rank first (tournaments.md section 5), compared left to right."""

    CUMULATIVE = "cumulative"  # points, victories
    ROUND_VICTORY = "round_victory"  # victories, points, share of the victories awarded
    PLACE = "place"  # sum of place shares: 1, 1/2, 0 at two seats


class Basis(StrEnum):
    """Form in which the points of a table enter the standings."""

    AUTO = "auto"  # above_mean as soon as table sizes or deal counts differ, else raw
    RAW = "raw"
    ABOVE_MEAN = "above_mean"  # points minus the mean of the table's sides


class PlaceBy(StrEnum):
    """Figure that decides the places at one table. Equal amounts share a place: the texts know no tie-break."""

    AUTO = "auto"  # victories under ROUND_VICTORY scoring, else points
    POINTS = "points"
    VICTORIES = "victories"


class VictoryOnTie(StrEnum):
    """Owner of the one victory of a result entered as totals when several sides lead on points."""

    SHARE = "share"  # 1/k each
    ALL = "all"  # 1 each
    NONE = "none"  # nobody


class UnplayedRule(StrEnum):
    """Rule by which `bh` and `sb` count rounds that were not played at a table."""

    FIDE = "fide"  # FIDE Handbook C.07 article 16 (from 2026-03-01): dummy opponents, adjusted scores
    SKIP = "skip"  # they add nothing; opponents count with their full score


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A seat lost the match by a fault at this deal and move (deal 0: it never showed up)."""

    code: str
    deal: int = 0
    move: int = 0


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat of one match, raw as in the record: the fold itself applies forfeits.

    seat: index 0..n-1. side: its side's number; seats of one side carry the same points and victories.
    victories: None when only totals were entered; they then count as one deal (`Spec.victory_on_tie`), and so does
    every other result of the stage, unless it goes by victories first (`Ledger.counts_results`).
    place: 1 = best, equal places share a number; None = the fold works it out (`Spec.place_by`).
    A given place is used for a single leg only; places of a deal set come from the sums over its legs.
    first_dealer: this seat dealt the first deal of the match. deciders: of a knock-out match that ended level, the
    place in each extra deal or decision; in no total.
    """

    entry: str
    seat: int
    side: int
    points: Amount
    victories: Amount | None = None
    place: int | None = None
    forfeit: Forfeit | None = None
    first_dealer: bool = False
    deciders: tuple[int, ...] = field(default=(), metadata=QUIET)


@dataclass(frozen=True, slots=True)
class MatchResult:
    """One confirmed match.

    deal_set: legs with the same non-empty deal set are ONE result; it counts once `legs` of them are
    here (until then its matches are listed in `Table.waiting`). legs: how many the set has, void ones
    left out. round: tournament round, 1-based. table: table number, 1-based. deals: deals counted.
    is_played: False when nobody sat down (a no-show decided it): an unplayed round in `bh`, `sb`. extra: which extra
    deal of its table it is, from 1: it decides who goes on in a bracket and is in no total.
    """

    match: str
    round: int
    table: int
    seats: tuple[SeatResult, ...]
    deal_set: str = ""
    leg: int = 0
    legs: int = 1
    deals: int = 1
    is_played: bool = True
    extra: int = field(default=0, metadata=QUIET)


class UnplayedKind(StrEnum):
    """Reason why an entry has no table in a round."""

    BYE = "bye"  # given by the draw: worth `Spec.bye`
    HALF = "half"  # asked for: half a place share, and the round's mean of points and victories
    FULL = "full"  # given by the arbiter: a whole place share, and what the round's winners made on average
    ABSENT = "absent"  # excused or withdrawn: nothing


@dataclass(frozen=True, slots=True)
class Unplayed:
    """A round in which an entry sits at no table. board: of a team that sits apart the board that does; else 0."""

    entry: str
    round: int
    kind: UnplayedKind = UnplayedKind.BYE
    board: int = field(default=0, metadata=QUIET)


class AdjustmentKind(StrEnum):
    """Kind of an adjustment: only penalties count for the tie-break `penalties`, only deciders for `decider`."""

    PENALTY = "penalty"
    AWARD = "award"
    DECIDER = "decider"  # of an extra deal or match among those who were level: in no total
    CARRY = "carry"  # from an earlier stage, already reduced by its carry rule


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Added to the totals as a separate visible line; a penalty is negative. Revoked ones are not passed in.

    adjustment: its identifier. round: after which round, None = the whole stage.
    """

    adjustment: str
    entry: str
    points: Amount = 0
    victories: Amount = 0
    place: Amount = 0
    round: int | None = None
    reason: str = ""
    kind: AdjustmentKind = AdjustmentKind.PENALTY
    decider: Amount = field(default=0, metadata=QUIET)


@dataclass(frozen=True, slots=True)
class ByePolicy:
    """Worth of a bye. points, victories: None = the mean of that round's sides (points: 0 above the mean).

    as_won: the mean of the sides that won their tables instead.
    """

    points: Amount | None = None
    victories: Amount | None = None
    place: Amount = Fraction(1, 2)
    as_won: bool = field(default=False, metadata=QUIET)


@dataclass(frozen=True, slots=True)
class Spec:
    """The scoring rules of a stage; frozen once the stage is active.

    keys: what is compared, in order (`tiebreaks.TIE_BREAKS`; "points" as the basis has them); () = what the scoring
    ranks by first and what is proposed after it (`ranking.keys_for`).
    tie_breaks: ids after those.
    score: the tie-break id whose totals weigh opponents in `bh`, `sb`, `ps`, `aob`; "" = the first key.
    nominal_deals: deals a match should have; `above_mean` then scales a shortened match to it.
    lots_seed: the published seed of the draw of lots.
    best: of teams that sit apart, how many results of a round count, the best ones (0: all).
    strengths: ratings that entries had when they joined, for the tie-break `perf`; by entry, in any order.
    walkover: what a table to which the others did not come is worth, as a share of what the round's winners made on
    average; None: a win at the table, and the round's mean of points and victories.
    edition: which edition of the rules counts. A stage keeps the one it began with, so that its tables stay what they
    were. 1: the mean of a table includes who forfeited, a walk-over is worth no points and no victories. 1 and 2: deals
    won are added to results entered as totals, which count as one deal.
    """

    scoring: Scoring = Scoring.CUMULATIVE
    basis: Basis = Basis.AUTO
    tie_breaks: tuple[str, ...] = ()
    bye: ByePolicy = field(default_factory=ByePolicy)
    victory_on_tie: VictoryOnTie = VictoryOnTie.SHARE
    unplayed: UnplayedRule = UnplayedRule.SKIP
    place_by: PlaceBy = PlaceBy.AUTO
    score: str = ""
    keys: tuple[str, ...] = ()
    nominal_deals: int | None = None
    lots_seed: str = ""
    best: int = field(default=0, metadata=QUIET)
    strengths: tuple[tuple[str, Amount], ...] = field(default=(), metadata=QUIET)
    walkover: Amount | None = field(default=None, metadata=QUIET)
    edition: int = field(default=EDITION, metadata=QUIET_IN_FIRST)


BYE_POLICIES: Mapping[str, ByePolicy] = {
    "half": ByePolicy(place=Fraction(1, 2)),
    "full": ByePolicy(place=1, as_won=True),
    "zero": ByePolicy(points=0, victories=0, place=0),
}
"""The policies a stage may name: a level result on average, a win on average, nothing."""
BYE_POLICIES_OF_FIRST: Mapping[str, ByePolicy] = {
    "half": ByePolicy(victories=0, place=Fraction(1, 2)),
    "full": ByePolicy(victories=1, place=1),
    "zero": ByePolicy(points=0, victories=0, place=0),
}
"""The same names in the first edition: a number of victories no matter what a match brings."""


def bye_policy(name: str, edition: int = EDITION) -> ByePolicy:
    """Return the policy of that name in an edition of the rules; KeyError if there is none."""
    return (BYE_POLICIES if edition > 1 else BYE_POLICIES_OF_FIRST)[name]
