"""A result as a form sends it.

Totals (`total_0`, `won_0`: of side 0), or deal by deal (`d1_0`; `w1`: who won a level deal); `absent_0`: did not come.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from engine.game import Ruleset
from tournaments.errors import TournamentError
from tournaments.jobs.reports import Claim, deals_of

MINUS: Final = str.maketrans({"−": "-", "–": "-", "－": "-", "‒": "-"})
DIGITS: Final = 7


@dataclass(frozen=True, slots=True)
class ClaimFields:
    """What a form asks for: how many sides; deals to fill in (0: totals only); whether deals won are asked for.

    empty: sides at which nobody sits, so that there is nothing to ask.
    """

    sides: int
    deals: int
    victories: bool
    empty: tuple[int, ...] = ()

    @property
    def numbers(self) -> range:
        """The numbers of the deals."""
        return range(1, self.deals + 1)


def fields_for(rules: Ruleset, sides: int, empty: Iterable[int] = ()) -> ClaimFields:
    """What the form of a match under these rules asks for. empty: sides at which nobody sits."""
    deals, by_deals = deals_of(rules), rules.options.scoring == "victories"
    return ClaimFields(sides, deals if deals > 1 or by_deals else 0, by_deals and deals > 1, tuple(empty))


@dataclass(frozen=True, slots=True)
class Input:
    """One box of the form with what was typed into it. side: the side's name; index: its number from 0."""

    name: str
    value: str
    side: str
    index: int


@dataclass(frozen=True, slots=True)
class DealRow:
    """One deal to fill in. winner: the side that was named for a level deal, as text."""

    number: int
    inputs: tuple[Input, ...]
    winner_name: str
    winner: str


@dataclass(frozen=True, slots=True)
class ClaimRows:
    """The form as a page shows it."""

    totals: tuple[Input, ...]
    won: tuple[Input, ...]
    absent: tuple[Input, ...]
    deals: tuple[DealRow, ...]

    @property
    def has_deals(self) -> bool:
        """Whether somebody began to fill in deal by deal."""
        return any(box.value for row in self.deals for box in row.inputs)


def rows_of(fields: ClaimFields, names: Sequence[str], data: Mapping[str, str]) -> ClaimRows:
    """The form's boxes. names: of the sides; data: what was sent."""

    def row(prefix: str) -> tuple[Input, ...]:
        asked = [(side, name) for side, name in enumerate(names) if side not in fields.empty]
        return tuple(Input(f"{prefix}{side}", data.get(f"{prefix}{side}", ""), name, side) for side, name in asked)

    deals = tuple(DealRow(n, row(f"d{n}_"), f"w{n}", data.get(f"w{n}", "")) for n in fields.numbers)
    return ClaimRows(row("total_"), row("won_") if fields.victories else (), row("absent_"), deals)


def read_claim(data: Mapping[str, str], fields: ClaimFields, *, complete: bool = True) -> Claim:
    """The claim of a form. Deals count as soon as one of them is filled in.

    Raises TournamentError "report.not_a_number" (extra: field), "report.empty".
    """
    absent = tuple(side for side in range(fields.sides) if data.get(f"absent_{side}") or side in fields.empty)
    numbers = [number for number in fields.numbers if any(_given(data, f"d{number}_{s}") for s in range(fields.sides))]
    if numbers:
        deals = tuple(_row(data, f"d{number}_", fields, absent) for number in numbers)
        winners = tuple(_winner(data, f"w{number}", fields) for number in numbers)
        return Claim(deals=deals, winners=winners, absent=absent, complete=complete)
    if fields.sides - len(absent) < 2:
        return Claim(absent=absent, complete=complete)
    victories = _row(data, "won_", fields, absent) if fields.victories else None
    return Claim(totals=_row(data, "total_", fields, absent), victories=victories, absent=absent, complete=complete)


def _given(data: Mapping[str, str], name: str) -> bool:
    return bool(data.get(name, "").strip())


def _row(data: Mapping[str, str], prefix: str, fields: ClaimFields, absent: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(0 if side in absent else _number(data, f"{prefix}{side}") for side in range(fields.sides))


def _number(data: Mapping[str, str], name: str) -> int:
    text = data.get(name, "").strip().translate(MINUS).replace(" ", "")
    if not text:
        raise TournamentError(_("A figure is missing. Fill in every side."), code="report.empty", extra={"field": name})
    if not text.removeprefix("-").isdecimal() or len(text) > DIGITS:
        message = _("“%(text)s” is no whole number. Write figures like 120 or -50.") % {"text": text[:20]}
        raise TournamentError(message, code="report.not_a_number", extra={"field": name})
    return int(text)


def _winner(data: Mapping[str, str], name: str, fields: ClaimFields) -> int | None:
    text = data.get(name, "")
    return int(text) if text in {str(side) for side in range(fields.sides)} else None
