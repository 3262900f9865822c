"""Every tie-break: a pure function and its words on pages (tournaments.md section 6).

A function takes (entry, tied, ledger): `tied` are the entries that all earlier keys leave level with `entry` (itself
among them). It gives the value and the terms that the value is made of. Names, abbreviations and descriptions are
English msgids.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from core.standings.encounter import head_to_head, meetings_won
from core.standings.errors import StandingsError
from core.standings.figures import Figure
from core.standings.ledger import Account, Ledger
from core.standings.model import AdjustmentKind, Basis
from core.standings.opponents import Meeting, mean, meetings, performance, rivals, score_figure
from core.standings.settle import ZERO, Settled
from core.standings.table import Term, Value

Compute = Callable[[str, Sequence[str], Ledger], Account]


class Direction(StrEnum):
    """Direction in which values rank."""

    HIGHER = "higher"
    LOWER = "lower"


class Combine(StrEnum):
    """Way from the counted terms to the value."""

    SUM = "sum"
    MEAN = "mean"
    LIST = "list"  # the terms are what was looked at


@dataclass(frozen=True, slots=True)
class TieBreak:
    """One tie-break. name, abbreviation, description: English msgids."""

    id: str
    name: str
    abbreviation: str
    description: str
    compute: Compute
    direction: Direction = Direction.HIGHER
    combine: Combine = Combine.SUM


def total_of(figure: Figure) -> Compute:
    """Return a tie-break by the sum of a total over results, byes and adjustments."""

    def compute(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
        return ledger.total(entry, figure)

    return compute


def victory_share(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
    """Divide victories won by those awarded at the entry's tables; each table's term is its part of the share."""
    results = ledger.results(entry)
    awarded = sum((ledger.won(side) for result in results for side in result.sides), ZERO)
    if not awarded:
        return ZERO, ()
    # Divided by all that were awarded, not table by table: then the terms add up to the value that is shown.
    terms = _terms(results, lambda result: ledger.won(result.side_of(entry)) / awarded)
    return _sum(terms), terms


def wins(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
    """Count tables won outright, at the table."""
    won = [result for result in ledger.results(entry) if result.is_played and _is_won(entry, result)]
    terms = _terms(won, lambda result: Fraction(1))
    return _sum(terms), terms


def places(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
    """Count 1sts, 2nds, ... as a vector as long as the largest table."""
    results = ledger.results(entry)
    counts = [Fraction(0)] * ledger.most_sides
    for result in results:
        counts[result.side_of(entry).place - 1] += 1
    return tuple(counts), _terms(results, lambda result: Fraction(result.side_of(entry).place))


def buchholz(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
    """Sum up per table the mean of the opponents' scores."""
    return _cut(entry, ledger, low=0, high=0)


def buchholz_cut(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
    """Return Buchholz without the lowest table (a round missed by choice goes first)."""
    return _cut(entry, ledger, low=1, high=0)


def buchholz_median(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
    """Return Buchholz without the lowest and the highest table."""
    return _cut(entry, ledger, low=1, high=1)


def sonneborn_berger(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
    """Sum up per table the mean of (1/half/0 against an opponent x its score)."""
    terms = tuple(_meeting_term(item, item.beaten) for item in meetings(entry, ledger))
    return _sum(terms), terms


def progressive(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
    """Sum up the running scores after each round; adjustments do not run."""
    terms = ledger.total(entry, score_figure(ledger))[1]
    own = dict.fromkeys(range(1, ledger.rounds + 1), ZERO)
    for term in terms:
        if term.note not in set(AdjustmentKind) and term.round in own:
            own[term.round] += term.amount
    running, score = [], ZERO
    for number, amount in own.items():
        score += amount
        running.append(Term(round=number, match="", amount=score))
    return _sum(running), tuple(running)


def opponents_buchholz(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
    """Average the Buchholz of all opponents met at a table."""
    terms = tuple(
        Term(round=result.round, match=result.match, amount=_sum(_known_buchholz(rival, ledger)[1]))
        for result in ledger.results(entry)
        if result.is_played_by(entry)
        for rival, _ in rivals(entry, result)
    )
    return mean([term.amount for term in terms]), terms


def best_match(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
    """Return the points (above the mean, on that basis) of the best result."""
    figure = Figure.ABOVE_MEAN if ledger.basis is Basis.ABOVE_MEAN else Figure.POINTS
    terms = [ledger.result_term(result, entry, figure) for result in ledger.results(entry)]
    if not terms:
        return None, ()
    # Of equal ones the earliest, so that the explanation does not depend on the order of arrival.
    best = max(terms, key=lambda term: (term.amount, -term.round))
    return best.amount, (best,)


def penalties(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
    """Count penalties."""
    terms = tuple(
        Term(round=item.round or 0, match="", amount=Fraction(1), note=item.kind.value)
        for item in ledger.adjustments(entry)
        if item.kind is AdjustmentKind.PENALTY
    )
    return _sum(terms), terms


def decider(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
    """Return what an extra deal or match gave, as the organiser wrote it down."""
    terms = tuple(
        Term(round=item.round or 0, match="", amount=Fraction(item.decider), note=item.kind.value)
        for item in ledger.adjustments(entry)
        if item.kind is AdjustmentKind.DECIDER
    )
    return _sum(terms), terms


def seat_balance(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
    """Return how often the entry dealt first."""
    dealt = [result for result in ledger.results(entry) if result.side_of(entry).first_dealer]
    terms = _terms(dealt, lambda result: Fraction(result.side_of(entry).first_dealer))
    return _sum(terms), terms


def placed(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
    """Return the best place still possible; anyone who is not in the bracket comes last."""
    known = ledger.placement or {}
    # One place behind everybody in the bracket, however large the bracket is.
    last = max(known.values(), default=0) + 1
    return Fraction(known.get(entry, last)), ()


def initial_seed(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
    """Return the seed at the start."""
    return Fraction(ledger.seed(entry)), ()


def lots(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
    """Return SHA-256(published seed, a space, the entry's id) as a number; everybody can work it out again."""
    digest = hashlib.sha256(f"{ledger.spec.lots_seed} {entry}".encode()).digest()
    return Fraction(int.from_bytes(digest, "big")), ()


def _terms(results: Sequence[Settled], amount: Callable[[Settled], Fraction]) -> tuple[Term, ...]:
    return tuple(
        Term(result.round, result.match, amount(result), "" if result.is_played else "unplayed") for result in results
    )


def _sum(terms: Sequence[Term]) -> Fraction:
    return sum((term.amount for term in terms if term.counted), ZERO)


def _is_won(entry: str, result: Settled) -> bool:
    own = result.side_of(entry)
    return own.place == 1 and sum(side.place == 1 for side in result.sides) == 1


def _meeting_term(item: Meeting, amount: Fraction) -> Term:
    return Term(item.round, item.match, amount, item.note)


def _cut(entry: str, ledger: Ledger, *, low: int, high: int) -> Account:
    """Return Buchholz with the lowest and highest tables cut; cut terms stay in sight, not counted.

    FIDE 16.5: while there is a round missed by choice, the lowest cut is the lowest of those.
    """
    found = list(meetings(entry, ledger))
    # False sorts before True: a round missed by choice is cut before any other.
    worst = sorted(found, key=lambda item: (not item.is_voluntary, item.score, item.round, item.match))[:low]
    left = [item for item in found if item not in worst]
    best = sorted(left, key=lambda item: (-item.score, item.round, item.match))[:high]
    terms = tuple(
        Term(
            item.round,
            item.match,
            item.score,
            "cut" if item in [*worst, *best] else item.note,
            item not in [*worst, *best],
        )
        for item in found
    )
    return _sum(terms), terms


def _known_buchholz(entry: str, ledger: Ledger) -> Account:
    key = ("bh", entry)
    if key not in ledger.memo:
        ledger.memo[key] = buchholz(entry, (), ledger)
    account: Account = ledger.memo[key]
    return account


_ALL = (
    TieBreak(
        "placed",
        "Place in the bracket",
        "Out",
        "Entries that went out later rank higher; entries that went out in the same round share the place",
        placed,
        Direction.LOWER,
        Combine.LIST,
    ),
    TieBreak("points", "Points", "Pts", "Sum of the points of all deals", total_of(Figure.POINTS)),
    TieBreak(
        "victories",
        "Victories",
        "Vic",
        "Sum of the deals won; of the results won, while the deals of a result are not known",
        total_of(Figure.VICTORIES),
    ),
    TieBreak(
        "place",
        "Place score",
        "Plc",
        "For each table: the sides beaten plus half of the ties, divided by the number of other sides",
        total_of(Figure.PLACE),
    ),
    TieBreak(
        "meetings",
        "Meetings won",
        "Mtg",
        "For teams on several boards: 1 for each meeting won on board points, half for a tied one",
        meetings_won,
    ),
    TieBreak(
        "above_mean",
        "Points above the table's mean",
        "±Mean",
        "Sum of the points minus the mean of those who played at each table, so that tables of different size or "
        "length compare",
        total_of(Figure.ABOVE_MEAN),
    ),
    TieBreak(
        "vshare",
        "Share of victories",
        "V%",
        "Victories won, divided by all victories awarded at the entry's tables",
        victory_share,
    ),
    TieBreak("wins", "Tables won", "Won", "Tables won outright", wins),
    TieBreak(
        "places",
        "Places",
        "1-2-3",
        "Most first places, then most second places, and so on",
        places,
        combine=Combine.LIST,
    ),
    TieBreak(
        "h2h",
        "Head to head",
        "H2H",
        "Place score among the tied entries only, and again among those still tied; if not all of them have met:"
        " how many of them an entry stays ahead of, however the missing tables end",
        head_to_head,
        combine=Combine.LIST,
    ),
    TieBreak("bh", "Buchholz", "BH", "Sum over all tables of the mean of the opponents' scores", buchholz),
    TieBreak("bhc1", "Buchholz cut 1", "BH-1", "Buchholz without the lowest table", buchholz_cut),
    TieBreak("bhm", "Buchholz median", "BH-M", "Buchholz without the lowest and the highest table", buchholz_median),
    TieBreak(
        "sb",
        "Sonneborn-Berger",
        "SB",
        "Sum over all tables of the mean of the scores of opponents beaten, half for those tied",
        sonneborn_berger,
    ),
    TieBreak(
        "ps", "Progressive score", "PS", "Sum of the scores after each round: early points count more", progressive
    ),
    TieBreak(
        "aob", "Opponents' Buchholz", "AOB", "Mean of the opponents' Buchholz", opponents_buchholz, combine=Combine.MEAN
    ),
    TieBreak("best_match", "Best match", "Best", "Most points in one match", best_match),
    TieBreak("penalties", "Penalties", "Pen", "Fewer penalties rank higher", penalties, Direction.LOWER),
    TieBreak(
        "seat_balance",
        "First dealer",
        "1st D",
        "The player who dealt first less often ranks higher",
        seat_balance,
        Direction.LOWER,
    ),
    TieBreak(
        "perf",
        "Performance",
        "Perf",
        "Mean over the tables of the opponents' mean rating when they joined, plus 12 if all were beaten, minus"
        " 12 if none was",
        performance,
        combine=Combine.MEAN,
    ),
    TieBreak(
        "decider",
        "Decider",
        "Dec",
        "An extra deal or match among tied entries; the organiser enters the points",
        decider,
    ),
    TieBreak(
        "seed", "Seed", "Seed", "The better initial seed ranks higher", initial_seed, Direction.LOWER, Combine.LIST
    ),
    TieBreak("lots", "Lots", "Lot", "Drawn with a seed published beforehand", lots, Direction.LOWER, Combine.LIST),
)

TIE_BREAKS: dict[str, TieBreak] = {item.id: item for item in _ALL}
"""The registry: id -> tie-break, in the order in which forms offer them."""


def register(item: TieBreak) -> None:
    """Add a tie-break. Raises ValueError if its id is taken."""
    if item.id in TIE_BREAKS:
        raise ValueError(f"{item.id}: registered already")
    TIE_BREAKS[item.id] = item


def withdraw(item: TieBreak) -> None:
    """Remove a tie-break again, as a test does with its own."""
    del TIE_BREAKS[item.id]


def offered() -> tuple[str, ...]:
    """Return the tie-breaks an organiser may choose: the place in a bracket comes on its own."""
    return tuple(item for item in TIE_BREAKS if item != "placed")


def tie_break(tie_break_id: str) -> TieBreak:
    """The tie-break of that id. Raises StandingsError "spec.tie_break" naming those that exist."""
    if tie_break_id not in TIE_BREAKS:
        known = ", ".join(TIE_BREAKS)
        raise StandingsError(f"there is no tie-break {tie_break_id!r}; choose from {known}", code="spec.tie_break")
    return TIE_BREAKS[tie_break_id]


def show(tie_break_id: str, value: Value) -> str:
    """Write a value as people read it: "28 1/3", "3-1-0", "–"; lots as the first eight hex digits."""
    if value is None:
        return "–"
    if isinstance(value, tuple):
        return (", " if tie_break_id == "h2h" else "-").join(show("", amount) for amount in value)
    if tie_break_id == "lots":
        # 64 hex digits with leading zeros: the first eight are then the beginning of the digest.
        return f"{int(value):064x}"[:8]
    whole, rest = divmod(abs(value), 1)
    sign = "-" if value < 0 else ""
    if not rest:
        return f"{sign}{whole}"
    return f"{sign}{whole} {rest}" if whole else f"{sign}{rest}"
