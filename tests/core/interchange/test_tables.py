"""CSV both ways: lists as spreadsheets write them, and tables that no spreadsheet runs as formulas."""

from __future__ import annotations

import csv
import io
from contextlib import suppress
from fractions import Fraction
from functools import partial
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.interchange import tables
from core.interchange.errors import InterchangeError
from core.interchange.tables import (
    MAX_BYTES,
    MAX_ROWS,
    EntryRow,
    decimal,
    read_entries,
    write_table,
)

PEOPLE = [EntryRow(1, "Éloïse", "Paris", 2), EntryRow(2, "Kiri", "", None)]


@pytest.mark.parametrize(
    "data",
    [
        "Éloïse,Paris,2\nKiri\n".encode(),
        "Éloïse;Paris;2\r\nKiri;;\r\n".encode(),
        "Éloïse\tParis\t2\rKiri\t\t".encode(),
        "\ufeffÉloïse,Paris,2\r\nKiri,,".encode(),
        "Éloïse,Paris,2\nKiri,,".encode("latin-1"),
        "Éloïse\tParis\t2\r\nKiri\t\t\r\n".encode("utf-16"),
        '"Éloïse","Paris","2"\n"Kiri"\n'.encode(),
        "  Éloïse , Paris ,2\nKiri  ,\n\n \n".encode(),
        "E\u0301loi\u0308se,Paris,2\nKiri,,".encode(),
    ],
)
def test_a_list_is_read_however_a_spreadsheet_wrote_it(data: bytes) -> None:
    assert read_entries(data) == PEOPLE


def test_headings_say_which_column_is_which_and_others_are_passed_over() -> None:
    data = b"\n\nSeed;Paid;Name;Club\n7;yes;Plum;Kyoto\n;no;Kiri;\n"
    assert read_entries(data) == [EntryRow(4, "Plum", "Kyoto", 7), EntryRow(5, "Kiri")]
    assert read_entries("名前,所属\n梅,京都\n".encode()) == [EntryRow(2, "梅", "京都")]


def test_quotes_hold_separators_quotes_and_lines() -> None:
    data = b'"Plum, the ""Elder""","Two\nlines"\nKiri\n'
    assert read_entries(data) == [EntryRow(1, 'Plum, the "Elder"', "Two lines"), EntryRow(3, "Kiri")]


@pytest.mark.parametrize(
    ("data", "code", "line", "column"),
    [
        (b"", "csv.empty", 1, 1),
        (b"\n \n;;\n", "csv.empty", 1, 1),
        (b"\nname,club\n\n", "csv.empty", 2, 1),
        (b"Plum\n" + b"x" * 61, "csv.name", 2, 1),
        (b"club,name\nKyoto,\n", "csv.name", 2, 2),
        (b"Plum\nKi\x00ri", "csv.name", 2, 1),
        (b"Plum," + b"x" * 61, "csv.club", 1, 2),
        (b"Plum,,first", "csv.seed", 1, 3),
        (b"Plum,,0", "csv.seed", 1, 3),
        (b"Plum,,99999999999", "csv.seed", 1, 3),
        ("Plum,,٣".encode(), "csv.seed", 1, 3),
        (b"Plum,,1\nKiri,,1", "csv.seed_twice", 2, 3),
        (b"Plum,Kyoto\n\nPLUM,kyoto", "csv.name_twice", 3, 1),
        (b"name,player\nPlum,Kiri", "csv.heading", 1, 2),
        (b"club,seed\nKyoto,1", "csv.heading", 1, 1),
        (b'Plum\nKiri\n"Momo', "csv.quotes", 3, 1),
        (b'Plum\n"Ki"ri\n', "csv.quotes", 2, 1),
        ("Plum\n桐,梅\n".encode("shift-jis"), "csv.encoding", 2, 1),
        (b"a,b\n" + b"," * 50, "csv.too_many", 2, 1),
    ],
)
def test_what_cannot_be_taken_is_named_with_its_place(data: bytes, code: str, line: int, column: int) -> None:
    with pytest.raises(InterchangeError) as refused:
        read_entries(data)
    assert (refused.value.code, refused.value.extra["line"], refused.value.extra["column"]) == (code, line, column)


def test_a_list_has_an_end() -> None:
    for data, code in ((b"a" * (MAX_BYTES + 1), "csv.too_large"), (b"a\nb\n" * MAX_ROWS, "csv.too_many")):
        with pytest.raises(InterchangeError) as refused:
            read_entries(data)
        assert refused.value.code == code


@given(st.binary(max_size=200))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    with suppress(InterchangeError):
        assert all(row.name.isprintable() for row in read_entries(data))


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "＝1", "\r=1"])
def test_no_text_is_a_formula(text: str) -> None:
    assert write_table(["name"], [[text]]).decode().splitlines()[1].strip('"').startswith("'")


FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "＝1", "=HYPERLINK(A1)")


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize(
    "before", ["Plum;", 'Plum, "the";', "Plum\t", "a,;", ";", ";;", "Plum; ", "Plum;\u00a0", "x\n", 'x";"']
)
def test_no_text_is_a_formula_where_semicolons_or_tabs_part_cells(before: str, formula: str) -> None:
    written = write_table(["name", "club"], [[before + formula, "Kona"], ["Kona", before + formula]]).decode()
    for separator in ";\t,":
        for quotes in (csv.QUOTE_NONE, csv.QUOTE_MINIMAL):
            rows = csv.reader(io.StringIO(written, newline=""), delimiter=separator, quoting=quotes)
            cells = [cell.strip(' "\u00a0') for row in rows for cell in row]
            assert not [cell for cell in cells if cell.startswith(tuple("=+-@＝"))]


@given(st.text(st.sampled_from("a'=+-@;,\"| ＝"), max_size=12))
def test_what_was_guarded_comes_back(text: str) -> None:
    assert tables._unguarded(tables._guarded(text)) == text


def test_a_table_is_what_a_spreadsheet_reads() -> None:
    data = write_table(["名前", "points"], [['Plum, "the" Elder', Fraction(-7, 2)], [None, -40]], bom=True)
    assert data.startswith(b"\xef\xbb\xbf")
    assert list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))) == [
        ["名前", "points"],
        ['Plum, "the" Elder', "-3.5"],
        ["", "-40"],
    ]
    assert data.endswith(b"\r\n")


@pytest.mark.parametrize(
    ("value", "text"),
    [(Fraction(7, 3), "2.333333"), (Fraction(-1, 8), "-0.125"), (Fraction(-1, 10**9), "0"), (Fraction(12), "12")],
)
def test_numbers_are_numbers(value: Fraction, text: str) -> None:
    assert decimal(value) == text


NAMES = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=20).map(partial(normalize, "NFC"))


@given(st.lists(NAMES, min_size=1, max_size=5, unique_by=str.casefold))
def test_names_come_back_as_they_were_written(names: list[str]) -> None:
    data = write_table(["name", "club"], [[name, "=club"] for name in names], bom=True)
    assert [(row.name, row.club) for row in read_entries(data)] == [(name, "=club") for name in names]
