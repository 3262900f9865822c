"""Form of a result as a page shows it: its boxes with what was typed into them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import get_language

from core.replay.book import yaku_sign
from tournaments.pages.scores.claim_form import ClaimFields, yaku_of


@dataclass(frozen=True, slots=True)
class Input:
    """One box of the form with what was typed into it. side: the side's name; index: its number from 0.

    is_wrong: what it holds was refused.
    """

    name: str
    value: str
    side: str
    index: int
    is_wrong: bool = False


@dataclass(frozen=True, slots=True)
class YakuRow:
    """The yaku of one side in one deal. ticks: (field, id, whether it is ticked); none where they are written."""

    box: Input
    ticks: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True, slots=True)
class DealRow:
    """One deal to fill in: points or bids. winner, loser: the sides that were named where figures do not tell."""

    number: int
    inputs: tuple[Input, ...]
    yaku: tuple[YakuRow, ...]
    winner: Input
    loser: Input | None
    margin: Input | None


@dataclass(frozen=True, slots=True)
class ClaimRows:
    """The form of a result. by: what is filled in deal by deal: "points", "yaku" or "bids". pays: won and paid, 0 in
    all.

    asks_winner: whether a deal's winner is asked for, where the figures do not tell. winner: the same of the match.
    """

    totals: tuple[Input, ...]
    won: tuple[Input, ...]
    absent: tuple[Input, ...]
    deals: tuple[DealRow, ...]
    by: str
    pays: bool
    asks_winner: bool
    winner: Input | None

    @property
    def by_side(self) -> list[tuple[Input, Input]]:
        """Return for each side its box of points, and the tick that it did not come."""
        return list(zip(self.totals, self.absent, strict=True))

    @property
    def has_deals(self) -> bool:
        """Return whether somebody began to fill in deal by deal."""
        return any(box.value for row in self.deals for box in row.inputs)


def rows_of(
    fields: ClaimFields, names: Sequence[str], data: Mapping[str, str], wrong: Collection[str] = ()
) -> ClaimRows:
    """Return the form's boxes. names: of the sides; data: what was sent; wrong: the names of boxes that were
    refused.
    """

    def box(name: str, side: str, index: int) -> Input:
        return Input(name, data.get(name, ""), side, index, name in wrong)

    def row(prefix: str) -> tuple[Input, ...]:
        asked = [(side, name) for side, name in enumerate(names) if side not in fields.empty]
        return tuple(box(f"{prefix}{side}", name, side) for side, name in asked)

    def one(name: str) -> Input:
        return box(name, "", 0)

    deals = tuple(
        DealRow(
            n,
            row(f"b{n}_" if fields.bids else f"d{n}_"),
            tuple(_yaku(fields, box, n, data) for box in row(f"y{n}_")) if fields.yaku else (),
            one(f"w{n}"),
            one(f"l{n}") if fields.bids else None,
            one(f"m{n}") if fields.margin else None,
        )
        for n in fields.numbers
    )
    asks = fields.bids or not fields.as_totals
    by = "bids" if fields.bids else "yaku" if fields.yaku else "points"
    winner = one("w0") if fields.match_winner else None
    return ClaimRows(
        row("total_"), row("won_") if fields.victories else (), row("absent_"), deals, by, fields.pays, asks, winner
    )


def _yaku(fields: ClaimFields, box: Input, number: int, data: Mapping[str, str]) -> YakuRow:
    made = yaku_of(data, fields, number, box.index)
    if not fields.has_ticks:
        return YakuRow(replace(box, value=" ".join(made)), ())
    language = get_language() or "en"
    return YakuRow(box, tuple((box.name + each, yaku_sign(each, language), each in made) for each in fields.yaku))
