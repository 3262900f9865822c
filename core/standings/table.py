"""Result of a fold: a standings table whose every number says what it is made of.

JSON form: exact amounts are text ("7/2", "-40"), a vector is a list of such texts, None is null.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import Field, dataclass, fields
from enum import Enum
from fractions import Fraction
from typing import Any

from core.standings.errors import StandingsError
from core.standings.model import Basis

Value = Fraction | tuple[Fraction, ...] | None
"""A tie-break's value. None = it does not apply to this entry (shown as a dash, decides nothing)."""


@dataclass(frozen=True, slots=True)
class Term:
    """One amount that a value is made of.

    round: 0 for the whole stage. match: match id (of the first leg for a deal set), "" for a bye or an
    adjustment. note: "" or a stable word: "bye", "half", "full", "absent", "penalty", "award", "carry",
    "unplayed", "cut", "as_one_deal". counted: False for an amount that the tie-break leaves out (a cut in `bhc1`,
    `bhm`).
    """

    round: int
    match: str
    amount: Fraction
    note: str = ""
    counted: bool = True

    def to_json(self) -> dict[str, object]:
        """{"round", "match", "amount"} and, where they say something, "note" and "counted"."""
        document: dict[str, object] = {"round": self.round, "match": self.match, "amount": str(self.amount)}
        if self.note:
            # Left out where it says nothing: a table has a term for every result of every entry.
            document["note"] = self.note
        if not self.counted:
            document["counted"] = False
        return document

    @staticmethod
    def from_json(document: Mapping[str, Any]) -> Term:
        """Read a term back."""
        return Term(
            round=int(document["round"]),
            match=str(document["match"]),
            amount=Fraction(document["amount"]),
            note=str(document.get("note", "")),
            counted=bool(document.get("counted", True)),
        )


@dataclass(frozen=True, slots=True)
class Line:
    """One tie-break of one row: its value, what it is made of, and whom it put this entry above or below.

    decided_against: the neighbours in the final order (one above, one below at most) from whom this
    tie-break, and no earlier one, separates the entry.
    """

    tie_break: str
    value: Value
    terms: tuple[Term, ...] = ()
    decided_against: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """{"tie_break", "value", "terms", "decided_against"}."""
        return {
            "tie_break": self.tie_break,
            "value": value_to_json(self.value),
            "terms": [term.to_json() for term in self.terms],
            "decided_against": list(self.decided_against),
        }

    @staticmethod
    def from_json(document: Mapping[str, Any]) -> Line:
        """Read a line back."""
        return Line(
            tie_break=str(document["tie_break"]),
            value=value_from_json(document["value"]),
            terms=tuple(Term.from_json(term) for term in document["terms"]),
            decided_against=tuple(document["decided_against"]),
        )


@dataclass(frozen=True, slots=True)
class Row:
    """One entry. rank: 1-based, shared by equal keys (1, 1, 3). played, byes: results at tables, draw byes."""

    rank: int
    entry: str
    explanation: tuple[Line, ...]
    played: int
    byes: int = 0

    @property
    def key(self) -> tuple[Value, ...]:
        """The values in order of comparison."""
        return tuple(line.value for line in self.explanation)

    def value(self, tie_break: str) -> Value:
        """The value of one of the table's columns; KeyError if it is not one."""
        for line in self.explanation:
            if line.tie_break == tie_break:
                return line.value
        raise KeyError(tie_break)

    def to_json(self) -> dict[str, object]:
        """{"rank", "entry", "played", "byes", "key", "explanation"}; `key` repeats the explanation's values."""
        return {
            "rank": self.rank,
            "entry": self.entry,
            "played": self.played,
            "byes": self.byes,
            "key": [value_to_json(value) for value in self.key],
            "explanation": [line.to_json() for line in self.explanation],
        }

    @staticmethod
    def from_json(document: Mapping[str, Any]) -> Row:
        """Read a row back."""
        return Row(
            rank=int(document["rank"]),
            entry=str(document["entry"]),
            explanation=tuple(Line.from_json(line) for line in document["explanation"]),
            played=int(document["played"]),
            byes=int(document["byes"]),
        )


@dataclass(frozen=True, slots=True)
class Table:
    """A standings table, best first; entries of equal rank in the order of seed, then id.

    columns: tie-break ids in order of comparison. basis: RAW or ABOVE_MEAN, as used.
    input_hash: "sha256:..." of everything the table was folded from, and of the rules.
    waiting: confirmed matches that do not count yet because legs of their deal set are missing.
    """

    columns: tuple[str, ...]
    basis: Basis
    rows: tuple[Row, ...]
    input_hash: str
    waiting: tuple[str, ...] = ()

    def row(self, entry: str) -> Row:
        """The row of one entry; KeyError if it has none."""
        for row in self.rows:
            if row.entry == entry:
                return row
        raise KeyError(entry)

    def to_json(self) -> dict[str, object]:
        """{"columns", "basis", "rows", "input_hash", "waiting"}."""
        return {
            "columns": list(self.columns),
            "basis": self.basis.value,
            "rows": [row.to_json() for row in self.rows],
            "input_hash": self.input_hash,
            "waiting": list(self.waiting),
        }

    @staticmethod
    def from_json(document: Mapping[str, Any]) -> Table:
        """Read a table back, equal to the one written. Raises StandingsError "table.format"."""
        try:
            return Table(
                columns=tuple(document["columns"]),
                basis=Basis(document["basis"]),
                rows=tuple(Row.from_json(row) for row in document["rows"]),
                input_hash=str(document["input_hash"]),
                waiting=tuple(document["waiting"]),
            )
        except (KeyError, TypeError, ValueError) as error:
            message = f"not a standings table ({error}): fold it again from the confirmed results"
            raise StandingsError(message, code="table.format") from error


def value_to_json(value: Value) -> str | list[str] | None:
    """Fraction -> "7/2", vector -> ["2", "0"], None -> None."""
    if isinstance(value, tuple):
        return [str(amount) for amount in value]
    return None if value is None else str(value)


def value_from_json(document: str | list[str] | None) -> Value:
    """Read a value back; ValueError if the text is not an exact amount."""
    if isinstance(document, list):
        return tuple(Fraction(amount) for amount in document)
    return None if document is None else Fraction(document)


def line(kind: str, value: object) -> str:
    """Write one input as text: its kind, a space, its JSON with sorted keys and exact amounts as text."""
    return f"{kind} {json.dumps(plain(value), sort_keys=True, separators=(',', ':'), ensure_ascii=True)}"


def digest(lines: Iterable[str]) -> str:
    """'sha256:' + hex of the sorted lines, each ended by a line feed, after the version line."""
    # Sorted: the hash is one of the inputs as a set. The version line lets a later form never collide with this one.
    text = "standings/1\n" + "".join(f"{item}\n" for item in sorted(lines))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def is_default(value: Any, part: Field[Any]) -> bool:
    """Return whether a field of a dataclass has the value that is not told: its default, or what it is marked with."""
    return bool(getattr(value, part.name) == part.metadata.get("at", part.default))


def plain(value: Any) -> object:
    """JSON form of a frozen value: dataclasses as objects, fractions and integers as exact text.

    A field of a dataclass that is marked (`model.QUIET`) is left out where it has its default: tables in which it means
    nothing keep their hash.
    """
    if hasattr(value, "__dataclass_fields__"):
        parts = [part for part in fields(value) if not (part.metadata and is_default(value, part))]
        return {part.name: plain(getattr(value, part.name)) for part in parts}
    if isinstance(value, Enum):
        return value.value
    # Before the numbers: True is an int.
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, Fraction | int):
        # An int and the Fraction of the same value must hash alike, since both are accepted.
        return str(Fraction(value))
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return str(value)
