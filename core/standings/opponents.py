"""Parts of `bh` and `sb`: per round, the scores of those an entry met and how it did against them.

At two seats and with `UnplayedRule.FIDE` this is FIDE Handbook C.07 article 16 in the wording of 2026-03-01, checked
against the gacrux library. At n seats a table's opponents count with their mean (tournaments.md section 6).
With `UnplayedRule.SKIP` rounds without play add nothing and opponents count with their full score.

Performance is how strong an entry played, by the ratings that its opponents had when they joined the stage: the linear
way that chess knows as the algorithm of 400, on the scale of the pools. A table at which everybody is beaten counts so
much above the opponents' mean as one has to be rated to win nine tables of ten. Exact: ratings come as hundredths, and
nothing is rounded after that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, cast

from core.standings.figures import Figure
from core.standings.ledger import Account, Ledger
from core.standings.model import Basis, UnplayedKind, UnplayedRule
from core.standings.ranking import keys_for
from core.standings.settle import HALF, ZERO, Settled
from core.standings.table import Term

REQUESTED = frozenset({UnplayedKind.HALF.value, UnplayedKind.ABSENT.value})


@dataclass(frozen=True, slots=True)
class Meeting:
    """One round of one entry. score: the opponents' mean; beaten: the same weighted by 1/half/0 per opponent.

    is_voluntary: a round missed by choice or by no-show (FIDE: VUR); cuts take these first.
    """

    round: int
    match: str
    score: Fraction
    beaten: Fraction
    note: str = ""
    is_voluntary: bool = False


def keys_of(ledger: Ledger) -> tuple[str, ...]:
    """Return the scoring's own keys, with points above the mean where the basis asks for it."""
    spec = ledger.spec
    points = "above_mean" if ledger.basis is Basis.ABOVE_MEAN else "points"
    first = () if ledger.placement is None else ("placed",)
    keys = spec.keys or keys_for(spec.scoring)
    return (*first, *(points if key == "points" else key for key in keys))


def score_figure(ledger: Ledger) -> Figure:
    """Return the total by which opponents are weighed: `Spec.score`, else the first key that is a total."""
    chosen = [ledger.spec.score] if ledger.spec.score else list(keys_of(ledger))
    totals = [Figure(key) for key in chosen if key in set(Figure)]
    return totals[0] if totals else Figure.PLACE


def meetings(entry: str, ledger: Ledger) -> tuple[Meeting, ...]:
    """Return the meetings that an entry's `bh` and `sb` add up, by round; worked out once between two changes."""
    known: tuple[Meeting, ...] | None = ledger.memo.get(("meetings", entry))
    if known is None:
        known = ledger.memo["meetings", entry] = _meetings(entry, ledger)
    return known


def _meetings(entry: str, ledger: Ledger) -> tuple[Meeting, ...]:
    fide = ledger.spec.unplayed is UnplayedRule.FIDE
    played = [result for result in ledger.results(entry) if result.is_played_by(entry) or fide]
    found = [
        _met(entry, result, ledger) if result.is_played_by(entry) else _no_show(entry, result, ledger)
        for result in played
    ]
    if fide:
        # Under FIDE's rule each round without play has a dummy opponent; by SKIP it has none and adds nothing.
        found += [_dummy(entry, term, ledger) for term in _byes(entry, ledger)]
    return tuple(sorted(found, key=lambda meeting: (meeting.round, meeting.match)))


def rivals(entry: str, result: Settled) -> list[tuple[str, Fraction]]:
    """Return every entry of the other sides of a table, with 1, 1/2 or 0 for finishing above, level or below it.

    Of a table that was played without those who did not come: nobody met them.
    """
    own = result.side_of(entry)
    return [
        (rival, HALF if side.place == own.place else Fraction(own.place < side.place))
        for side in result.sides
        # A table to which nobody came keeps its opponents: FIDE's dummy of a no-show is measured by them (16.4.1).
        if side is not own and (side.came or not result.is_played)
        for rival in side.entries
    ]


def mean(amounts: Sequence[Fraction]) -> Fraction:
    """Return the exact mean; 0 of nothing."""
    return sum(amounts, ZERO) / len(amounts) if amounts else ZERO


def _met(entry: str, result: Settled, ledger: Ledger) -> Meeting:
    pairs = [(_score(rival, ledger), against) for rival, against in rivals(entry, result)]
    score = mean([points for points, _ in pairs])
    beaten = mean([points * against for points, against in pairs])
    return Meeting(result.round, result.match, score, beaten)


def _no_show(entry: str, result: Settled, ledger: Ledger) -> Meeting:
    """Return FIDE's dummy opponent (16.4.1): it has the own score, but no more than the opponents have."""
    theirs = mean([_score(rival, ledger) for rival, _ in rivals(entry, result)])
    # The smaller of both: an entry that wins without play gains no more than the game could have given.
    score = min(_own(entry, ledger), theirs)
    side = result.side_of(entry)
    return Meeting(result.round, result.match, score, score * side.share, "unplayed", side.share < 1)


def _dummy(entry: str, bye: Term, ledger: Ledger) -> Meeting:
    """Return FIDE's dummy opponent (16.4.2): it has the own score, but no more than a draw in every round gives."""
    # Over all rounds so far, also those that the entry played.
    level = sum((_level(number, ledger) for number in range(1, ledger.rounds + 1)), ZERO)
    score = min(_own(entry, ledger), level)
    return Meeting(bye.round, "", score, score * bye.amount, bye.note, bye.note in REQUESTED)


def _byes(entry: str, ledger: Ledger) -> list[Term]:
    """Return the rounds without a table, with their place shares."""
    sat_out = {item.round for item in ledger.unplayed(entry)}
    terms = ledger.total(entry, Figure.PLACE)[1]
    return [term for term in terms if not term.match and term.round in sat_out and term.note in set(UnplayedKind)]


def _own(entry: str, ledger: Ledger) -> Fraction:
    return ledger.total(entry, score_figure(ledger))[0]


def _level(round_number: int, ledger: Ledger) -> Fraction:
    """Return what a draw is worth: half a place, otherwise the mean of the round."""
    figure = score_figure(ledger)
    return HALF if figure is Figure.PLACE else ledger.round_mean(round_number, figure)


def _score(entry: str, ledger: Ledger) -> Fraction:
    """Return an entry's score as its opponents count it: rounds missed by choice after its last one are draws."""
    key = ("score", entry)
    # Each score is asked for by every opponent of the entry, and again by their opponents (`aob`).
    if key not in ledger.memo:
        figure = score_figure(ledger)
        total, terms = ledger.total(entry, figure)
        if ledger.spec.unplayed is UnplayedRule.FIDE:
            left = _left_after(entry, ledger)
            for term in terms:
                if term.note in REQUESTED and term.round > left:
                    # FIDE's article 16: a player who leaves must not drag the Buchholz of former opponents down.
                    total += _level(term.round, ledger) - term.amount
        ledger.memo[key] = total
    value: Fraction = ledger.memo[key]
    return value


def _left_after(entry: str, ledger: Ledger) -> int:
    """Return the last round in which an entry was there: played, won by no-show, or had a bye from the draw."""
    results = ledger.results(entry)
    there = [item.round for item in results if item.is_played_by(entry) or item.side_of(entry).share == 1]
    there += [item.round for item in ledger.unplayed(entry) if item.kind.value not in REQUESTED]
    return max(there, default=0)


SPREAD: Final = Fraction(12)
"""At two seats 2 * sqrt(2) * beta = 11.8 of the pools' Plackett-Luce model (beta = 25/6)."""
UNRATED: Final = Fraction(25)
"""The rating with which entries begin."""


def performance(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
    """Average over the tables the opponents' mean rating, with up to `SPREAD` more or less by the place share."""
    known = _strengths(ledger)
    terms = tuple(
        Term(
            result.round,
            result.match,
            mean([known.get(rival, UNRATED) for rival, _ in rivals(entry, result)])
            + SPREAD * (2 * result.side_of(entry).share - 1),
        )
        for result in ledger.results(entry)
        if result.is_played_by(entry)
    )
    return (mean([term.amount for term in terms]), terms) if terms else (None, ())


def _strengths(ledger: Ledger) -> Mapping[str, Fraction]:
    name = ("perf", "")
    if name not in ledger.memo:
        ledger.memo[name] = {entry: Fraction(rating) for entry, rating in ledger.spec.strengths}
    return cast("Mapping[str, Fraction]", ledger.memo[name])
