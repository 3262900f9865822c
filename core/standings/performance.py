"""Performance: how strong an entry played, by the ratings that its opponents had when they joined the stage.

The linear way that chess knows as the algorithm of 400, on the scale of the pools: a table at which everybody is
beaten counts so much above the opponents' mean as one has to be rated to win nine tables of ten. Exact: ratings come
as hundredths, and nothing is rounded after that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final, cast

from core.standings.ledger import Account, Ledger
from core.standings.opponents import mean, rivals
from core.standings.table import Term

SPREAD: Final = Fraction(12)
"""At two seats 2 * sqrt(2) * beta = 11.8 of the pools' Plackett-Luce model (beta = 25/6)."""
UNRATED: Final = Fraction(25)
"""Where ratings begin."""


def performance(entry: str, tied: Sequence[str], ledger: Ledger) -> Account:
    """The mean over the tables of the opponents' mean rating, with up to `SPREAD` more or less by the place share."""
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
