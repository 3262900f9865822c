"""Tables as CSV, both ways: lists of people that spreadsheets write, and tables that spreadsheets may open safely.

Reading is tolerant of what spreadsheets do (separators `,` `;` tab, byte order marks, CRLF, Latin-1, quotes, blank
lines) and strict about content: the first cell that cannot be taken is named with its line and column. Writing is
RFC 4180: UTF-8, CRLF, quotes where needed. A text that a spreadsheet would take for a formula is preceded by `'`.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from core.interchange.errors import InterchangeError, refusal
from core.printable import is_printable

MAX_BYTES: Final = 256 * 1024
MAX_ROWS: Final = 2_000
MAX_CELLS: Final = 40
NAME_LENGTH: Final = 60
HIGHEST_SEED: Final = 32_767
BOM: Final = "\ufeff"
SEPARATORS: Final = ("\t", ";", ",")
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
PARTS: Final = re.compile(r"[;,\t\r\n|\"“”]")
"""Characters that part cells in the spreadsheet of some country, or in one that ignores the quotes around a cell."""
BLANK: Final = " \n\u00a0\u3000\ufeff\u200b"
"""Characters that a spreadsheet may leave out at the beginning of a cell."""
DECIMALS: Final = 6
WESTERN: Final = frozenset("ŠŒŽ‘’“”–šœžŸ".encode("cp1252"))
"""Bytes that Windows adds to Latin-1 and that names or their quotes use."""
HEADINGS: Final[dict[str, frozenset[str]]] = {
    "name": frozenset({"name", "player", "participant", "nom", "joueur", "名前", "氏名", "選手"}),
    "club": frozenset({"club", "team", "city", "ville", "所属", "クラブ"}),
    "seed": frozenset({"seed", "no", "no.", "n°", "nº", "#", "rang", "シード", "番号"}),
    "born": frozenset(
        {"born", "year of birth", "birth year", "né en", "née en", "année de naissance", "生年", "生まれ年"}
    ),
}
ORDER: Final = ("name", "club", "seed")
TEAM_HEADINGS: Final = {
    **HEADINGS,
    "club": HEADINGS["club"] - {"team"},
    "team": frozenset({"team", "side", "équipe", "equipe", "チーム", "組"}),
    "partner": frozenset({"partner", "partner 1", "partenaire", "partenaire 1", "相方", "パートナー"}),
    "partner 2": frozenset({"partner 2", "partenaire 2", "パートナー2"}),
}
"""The headings of a list of teams."""
OF_TEAMS: Final = ("team", "partner", "partner 2")
YEAR: Final = re.compile(r"(19|20)[0-9]{2}")
YEARS: Final = re.compile(rf"{YEAR.pattern}(\s*[&+/]\s*{YEAR.pattern})*")
"""Years of birth in one cell, of partners who stand in one line."""
MAX_CELL_LENGTH: Final = 200

Cell = str | int | Fraction | None


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One person of a list. line: where it stands in the file, from 1. seed: None = not given.

    team, partners: of a list of teams; name may then be several names (`team_lists`). years: of birth, of those in
    this line; empty = not given.
    """

    line: int
    name: str
    club: str = ""
    seed: int | None = None
    team: str = ""
    partners: tuple[str, ...] = ()
    years: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    cells: list[str]


def read_entries(data: bytes, *, teams: bool = False) -> list[EntryRow]:
    """The people of a list, in its order. teams: whether its lines may hold partners (`team_lists.read_teams`).

    A first line of known headings (name, club, seed, born, in English, French or Japanese) says which column is which,
    and other columns are passed over (`columns_left_out`); without headings they are name, club, seed. Raises
    InterchangeError: "csv.too_large", "csv.encoding", "csv.quotes", "csv.empty", "csv.too_many", "csv.heading",
    "csv.columns" (a cell that no heading names), "csv.name", "csv.club", "csv.seed", "csv.born", "csv.name_twice",
    "csv.seed_twice"; extra: line and column (both from 1), as far as they are known.
    """
    rows = list(_rows(_text(data)))
    if not rows:
        raise refusal("csv.empty", "The list is empty. Write one name per line.", line=1, column=1)
    places = _places(rows[0], TEAM_HEADINGS if teams else HEADINGS)
    where = places or {name: at for at, name in enumerate(ORDER)}
    for row in rows[bool(places) :]:
        _refuse_beyond(row, rows[0].cells if places else ORDER, is_headed=bool(places))
    found = [_entry(row, where, teams=teams) for row in rows[bool(places) :]]
    if not found:
        raise refusal(
            "csv.empty", "There is no name below the headings. Write one name per line.", line=rows[0].line, column=1
        )
    _refuse_doubles(found, places)
    return found


def _refuse_beyond(row: _Row, columns: Sequence[str], *, is_headed: bool) -> None:
    """Refuse cells that no column takes: nothing is dropped silently. columns: headings, "" for one without."""
    named = {at for at, column in enumerate(columns) if column}
    beyond = next((at for at, cell in enumerate(row.cells) if at not in named and cell), None)
    if beyond is None:
        return
    message = "Line %(line)s, column %(column)s: no heading says what “%(cell)s” is. Head the column, or take it out."
    if not is_headed:
        message = (
            "Line %(line)s, column %(column)s: a line is name, club, seed, and “%(cell)s” is more. Take it out, or say "
            "in the first line what each column is."
        )
    raise refusal("csv.columns", message, line=row.line, column=beyond + 1, cell=row.cells[beyond][:30])


def columns_left_out(data: bytes, *, teams: bool = False) -> list[str]:
    """The headings of a list that `read_entries` took and whose columns it passed over."""
    row = next(iter(_rows(_text(data))))
    headings = TEAM_HEADINGS if teams else HEADINGS
    known = frozenset().union(*headings.values())
    return [cell for cell in row.cells if cell and cell.casefold() not in known] if _places(row, headings) else []


def read_rows(data: bytes) -> list[tuple[int, list[str]]]:
    """The lines of a table that hold something: (line, cells). Texts are as they were before they were guarded.

    Raises InterchangeError "csv.too_large", "csv.encoding", "csv.quotes", "csv.too_many".
    """
    rows = _rows(decoded(data))
    return [(row.line, [unicodedata.normalize("NFC", _unguarded(cell)) for cell in row.cells]) for row in rows]


def decoded(data: bytes) -> str:
    """The text of a file: UTF-8, UTF-16 with a mark, or Latin-1. Raises "csv.too_large", "csv.encoding"."""
    return _text(data)


def _text(data: bytes) -> str:
    if len(data) > MAX_BYTES:
        raise refusal(
            "csv.too_large", "The file has %(size)s bytes; the limit is %(most)s.", size=len(data), most=MAX_BYTES
        )
    try:
        if data.startswith((b"\xff\xfe", b"\xfe\xff")):
            return data.decode("utf-16").removeprefix(BOM)
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _western(data)


def _western(data: bytes) -> str:
    """Read a text that is not UTF-8 as Latin-1, as older spreadsheets write it, unless it has bytes that no name
    uses.
    """
    # Bytes of the C1 range that no name uses hint at another code page, whose names would be stored garbled for good.
    odd = next((at for at, byte in enumerate(data) if 0x80 <= byte < 0xA0 and byte not in WESTERN), None)
    if odd is None:
        return data.decode("cp1252")
    message = "Line %(line)s is neither UTF-8 nor Latin-1. Save the list as “CSV UTF-8” and send it again."
    raise refusal("csv.encoding", message, line=data.count(b"\n", 0, odd) + 1, column=1)


def _rows(text: str) -> Iterator[_Row]:
    """The lines that hold something. Raises InterchangeError "csv.quotes", "csv.too_many"."""
    # strict: a quote that does not close would swallow the rest of the list as one cell.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text), strict=True)
    number, found = 1, 0
    try:
        for cells in reader:
            if len(cells) > MAX_CELLS:
                raise _too_many(number)
            stripped = [" ".join(cell.split()) for cell in cells]
            if any(stripped):
                found += 1
                yield _Row(number, stripped)
            if found > MAX_ROWS + 1:
                raise _too_many(number)
            # The reader's own count: a quoted cell can hold line ends, so rows and lines differ.
            number = reader.line_num + 1
    except csv.Error as error:
        message = "The quotes in line %(line)s do not close. Close them, or remove them."
        raise refusal("csv.quotes", message, line=number, column=1) from error


def _too_many(line: int) -> InterchangeError:
    message = "The list holds more than %(rows)s lines or %(cells)s columns. Send it in parts."
    return refusal("csv.too_many", message, line=line, column=1, rows=MAX_ROWS, cells=MAX_CELLS)


def _separator(text: str) -> str:
    """Return the separator that parts the first line with content into most cells; a comma where none does."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    # Every second piece lies outside of quotes: a comma inside a name must not count.
    outside = "".join(first.split('"')[::2])
    return max((*SEPARATORS,), key=lambda each: (outside.count(each), each == ","))


def _places(row: _Row, headings: Mapping[str, frozenset[str]]) -> dict[str, int]:
    """Return the column of each heading, nothing if the row is none of headings.

    Raises InterchangeError "csv.heading".
    """
    found: dict[str, int] = {}
    for at, cell in enumerate(row.cells):
        for name, words in headings.items():
            if cell.casefold() in words:
                if name in found:
                    message = "Two columns are called “%(heading)s”. Keep one of them."
                    raise refusal("csv.heading", message, line=row.line, column=at + 1, heading=cell)
                found[name] = at
    if found and "name" not in found:
        message = "No column is called “name”. Give the column of names that heading."
        raise refusal("csv.heading", message, line=row.line, column=1)
    return found


def _entry(row: _Row, places: dict[str, int], *, teams: bool) -> EntryRow:
    def cell(name: str) -> str:
        at = places.get(name, len(row.cells))
        return _unguarded(row.cells[at]) if at < len(row.cells) else ""

    name, club, seed, team, *partners = (unicodedata.normalize("NFC", cell(each)) for each in (*ORDER, *OF_TEAMS))
    longest = MAX_CELL_LENGTH if teams else NAME_LENGTH
    for field, value, least, most in (
        ("name", name, 1, longest),
        ("club", club, 0, NAME_LENGTH),
        ("team", team, 0, NAME_LENGTH),
        *(("partner", partner, 0, NAME_LENGTH) for partner in partners),
    ):
        if not (least <= len(value) <= most and is_printable(value)):
            message = "Line %(line)s, column %(column)s: a %(field)s has %(least)s to %(most)s printable characters."
            where = {"line": row.line, "column": places.get(field, 0) + 1}
            raise refusal(f"csv.{field}", message, field=field, least=least, most=most, **where)
    read = _seed(seed, row.line, places.get("seed", 0) + 1)
    years = _years(cell("born"), row.line, places.get("born", 0) + 1, teams=teams)
    return EntryRow(row.line, name, club, read, team, tuple(partner for partner in partners if partner), years)


def _years(text: str, line: int, column: int, *, teams: bool) -> tuple[int, ...]:
    if not text:
        return ()
    if YEARS.fullmatch(text) and (teams or len(text) == 4):
        return tuple(int(found[0]) for found in YEAR.finditer(text))
    message = "Line %(line)s, column %(column)s: a year of birth has four digits."
    raise refusal("csv.born", message, line=line, column=column)


def _seed(text: str, line: int, column: int) -> int | None:
    if not text:
        return None
    if text.isascii() and text.isdigit() and len(text) < 6 and 1 <= int(text) <= HIGHEST_SEED:
        return int(text)
    message = "Line %(line)s, column %(column)s: a seed is a whole number from 1."
    raise refusal("csv.seed", message, line=line, column=column)


def _refuse_doubles(found: Sequence[EntryRow], places: dict[str, int]) -> None:
    names: dict[tuple[str, str], int] = {}
    seeds: dict[int, int] = {}
    for row in found:
        key = (row.name.casefold(), row.club.casefold())
        if key in names:
            message = (
                "“%(name)s” appears in line %(first)s and in line %(line)s. Remove one, or make the names different."
            )
            where = {"line": row.line, "column": places.get("name", 0) + 1}
            raise refusal("csv.name_twice", message, name=row.name, first=names[key], **where)
        names[key] = row.line
        if row.seed is not None and row.seed in seeds:
            message = "Seed %(seed)s appears in line %(first)s and in line %(line)s. Give each seed once."
            where = {"line": row.line, "column": places.get("seed", 2) + 1}
            raise refusal("csv.seed_twice", message, seed=row.seed, first=seeds[row.seed], **where)
        if row.seed is not None:
            seeds[row.seed] = row.line


def write_table(heading: Sequence[str], rows: Iterable[Sequence[Cell]], *, bom: bool = False) -> bytes:
    """A table as CSV. bom: begin with a byte order mark, which spreadsheets need to read UTF-8.

    Numbers stand as numbers (a fraction that does not end is rounded), texts are guarded against being formulas.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([_written(cell) for cell in heading])
    writer.writerows([_written(cell) for cell in row] for row in rows)
    return ((BOM if bom else "") + out.getvalue()).encode("utf-8")


def _written(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return _guarded(cell)
    return decimal(Fraction(cell))


def _guarded(cell: str) -> str:
    """A text of which no part is a formula, however a spreadsheet parts the line.

    In half of Europe `;` parts cells, and `plum;=1+1` is then two of them, the second one a formula: quotes around the
    cell do not help, as they begin in the first part. So each part of a text that would be one is preceded by `'`.
    """
    return "".join(f"'{part}" if _is_formula(part.lstrip("'")) else part for part in _parts(cell))


def _unguarded(cell: str) -> str:
    """A text as it was before `write_table` guarded it."""
    parts = _parts(cell)
    return "".join(part[1:] if part.startswith("'") and _is_formula(part.lstrip("'")) else part for part in parts)


def _parts(cell: str) -> list[str]:
    """Return what stands between the letters that may part cells, each with the one that ends it."""
    begins = [0, *(found.end() for found in PARTS.finditer(cell))]
    return [cell[begin:end] for begin, end in zip(begins, [*begins[1:], len(cell)], strict=True)]


def _is_formula(text: str) -> bool:
    return text.lstrip(BLANK).startswith(FORMULA)


def decimal(value: Fraction) -> str:
    """A number as spreadsheets read it: "7", "-3.5", "2.333333"."""
    if value.denominator == 1:
        return str(value.numerator)
    scaled = round(abs(value) * 10**DECIMALS)
    whole, part = divmod(scaled, 10**DECIMALS)
    digits = f"{part:0{DECIMALS}d}".rstrip("0")
    sign = "-" if value < 0 and scaled else ""
    return f"{sign}{whole}.{digits}" if digits else f"{sign}{whole}"
