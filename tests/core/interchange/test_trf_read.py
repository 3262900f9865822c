"""Reports of other programs: read with a list of what is left out, or refused with the line and a stable code."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.interchange import trf
from core.interchange.errors import InterchangeError
from core.interchange.model import Away, Event, Game, Mark, Player, UnplayedRound
from core.interchange.trf_read import MAX_LINES, MAX_ROUNDS, Reading, reading

PLAYED = Event(
    "Spring open",
    (Player(1, "Ibarra, José"), Player(2, "Kimo", rating=1800), Player(3, "Lani"), Player(4, "Plum")),
    (
        Game(1, 1, 3, (Mark.WON, Mark.LOST)),
        Game(1, 4, 2, (Mark.DREW, Mark.DREW)),
        Game(2, 2, 1, (Mark.NO_SHOW, Mark.WALKOVER)),
    ),
    (UnplayedRound(2, 3, Away.BYE), UnplayedRound(2, 4, Away.HALF)),
    rounds=3,
    top_first=True,
    tie_breaks=("bh", "bhc1", "sb"),
)
TEXT = trf.write(PLAYED)


def codes(found: Reading) -> dict[str, int]:
    """Each remark's code and its line."""
    return {remark.code: remark.line for remark in found.remarks}


def refused(data: bytes) -> InterchangeError:
    with pytest.raises(InterchangeError) as wrong:
        reading(data)
    return wrong.value


def line_of(start: str) -> int:
    return next(at for at, line in enumerate(TEXT.splitlines(), 1) if line.startswith(start))


def test_what_was_written_is_read_without_a_remark() -> None:
    found = reading(trf.encode(TEXT))
    assert found.remarks == ()
    assert found.event.rounds == 3
    assert found.event.tie_breaks == ("bh", "bhc1", "sb")
    assert set(found.event.games) == set(PLAYED.games)
    assert set(found.event.unplayed) == set(PLAYED.unplayed)
    assert trf.write(found.event) == TEXT


@pytest.mark.parametrize(
    "data",
    [
        TEXT.replace("\n", "\r\n").encode("latin-1"),
        TEXT.replace("\n", "\r").encode("latin-1"),
        b"\xef\xbb\xbf" + TEXT.encode("utf-8"),
        TEXT.encode("utf-16"),
        TEXT.encode("cp1252"),
        ("\n\n" + TEXT.replace("\n", "   \n")).encode("latin-1"),
    ],
)
def test_line_ends_and_letters_of_every_kind(data: bytes) -> None:
    assert trf.write(reading(data).event) == TEXT


def test_open_tables_are_told_and_read_as_open() -> None:
    event = Event("x y z", PLAYED.players, (*PLAYED.games, Game(3, 1, 4, (Mark.OPEN, Mark.OPEN))), PLAYED.unplayed, 3)
    text = trf.write(event)
    assert "     4 w  " in text
    assert trf.write(reading(trf.encode(text)).event) == text


def test_what_hanami_has_no_place_for_is_listed() -> None:
    more = TEXT.replace("062 4", "022 Hilo\n032 USA\n062 9\n102 Kimo\nXXA    1  1.0\n013 Team A   1 2")
    found = codes(reading(more.encode("latin-1")))
    assert found == {
        "trf.left_out.022": 2,
        "trf.left_out.032": 3,
        "trf.count": 4,
        "trf.left_out.102": 5,
        "trf.left_out.XXA": 6,
        "trf.left_out.013": 7,
    }
    for remark in reading(more.encode("latin-1")).remarks:
        assert str(remark)
        assert "%(" not in str(remark)


def test_personal_columns_are_left_out_and_told_once() -> None:
    lines = TEXT.splitlines()
    at = line_of("001    2") - 1
    lines[at] = lines[at][:10] + " gm" + lines[at][13:53] + "USA 12345678901 1980/01/02" + lines[at][79:]
    found = reading("\n".join(lines).encode("latin-1"))
    assert codes(found) == {"trf.personal": at + 1}


def test_wrong_points_and_ranks_are_told_and_counted_anew() -> None:
    lines = TEXT.splitlines()
    at = line_of("001    1") - 1
    lines[at] = lines[at][:80] + " 0.5    4" + lines[at][89:]
    found = reading("\n".join(lines).encode("latin-1"))
    assert codes(found) == {"trf.points": at + 1, "trf.ranks": at + 1}
    assert {player.rank for player in found.event.players} == {0}


def test_numbers_with_gaps_are_given_anew_in_their_order() -> None:
    text = TEXT.replace("001    4", "001   17")
    for old in ("     4 b", "     4 w"):
        text = text.replace(old, old.replace(" 4", "17"))
    found = reading(text.encode("latin-1"))
    assert list(codes(found)) == ["trf.numbers"]
    assert set(found.event.games) == set(PLAYED.games)


def test_a_report_without_sections_is_read() -> None:
    text = "".join(line + "\n" for line in TEXT.splitlines() if line.startswith("001"))
    found = reading(text.encode("latin-1"))
    assert found.event.rounds == 0
    assert found.event.name == ""
    assert set(codes(found)) == {"trf.no_name", "trf.no_rounds"}


def test_both_lose_is_told_as_nobody_came() -> None:
    text = TEXT.replace("     3 w 1", "     3 w 0")
    found = reading(text.encode("latin-1"))
    assert "trf.both_lose" in codes(found)
    assert Game(1, 1, 3, (Mark.NO_SHOW, Mark.NO_SHOW)) in found.event.games


def test_other_points_for_a_win_are_told() -> None:
    text = TEXT.replace("XXR 3", "162  W 3.0    D 1.0    L 0.0    A 0.0    P 3.0    X 1.0\nXXR 3")
    assert "trf.scores" in codes(reading(text.encode("latin-1")))


@pytest.mark.parametrize(
    ("old", "new", "code", "start"),
    [
        ("001    2", "001   no", "trf.line", "001    2"),
        ("001    2", "001    1", "trf.number_twice", "001    2"),
        ("     3 w 1", "     4 w 1", "trf.opponent", "001    1"),
        ("     3 w 1", "     3 b 1", "trf.opponent", "001    1"),
        ("     3 w 1", "     1 w 1", "trf.opponent", "001    1"),
        ("     3 w 1", "     3 x 1", "trf.line", "001    1"),
        ("     3 w 1", "     3 w ?", "trf.line", "001    1"),
        ("     3 w 1", "     3 w =", "trf.result", "001    1"),
        ("     3 w 1", "     3 w  ", "trf.result", "001    1"),
        ("142 3", "142 1000000000", "trf.too_many", "142"),
        ("142 3", "142 three", "trf.line", "142"),
        ("  0000 - H", "  0000 - ?", "trf.line", "001    4"),
        ("  0000 - U", "  00\x001 w U", "trf.text", "001    3"),
    ],
)
def test_what_contradicts_itself_is_refused_with_its_line(old: str, new: str, code: str, start: str) -> None:
    assert old in TEXT
    wrong = refused(TEXT.replace(old, new, 1).encode("latin-1"))
    assert wrong.code == code
    assert wrong.extra["line"] == line_of(start)
    assert str(wrong.extra["line"]) in str(wrong)


def test_a_round_that_nobody_played_between_others_is_refused() -> None:
    games = (*(game for game in PLAYED.games if game.round != 2), Game(3, 1, 4, (Mark.WON, Mark.LOST)))
    wrong = refused(trf.encode(trf.write(Event("x y z", PLAYED.players, games, (), 3))))
    assert wrong.code == "trf.empty_round"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "trf.empty"),
        (b"PNG\x89 nothing of the kind", "trf.no_players"),
        (b"012 A name\n", "trf.no_players"),
        (b"012 x\n" * (MAX_LINES + 1), "trf.too_many"),
        (TEXT.encode() + b"001    5" + b" " * 83 + b"  0000 - Z" * (MAX_ROUNDS + 1), "trf.too_many"),
        (TEXT.encode() + b"001" + b"9" * 1_000_000, "trf.too_many"),
    ],
)
def test_hostile_files_are_bounded(data: bytes, code: str) -> None:
    assert refused(data).code == code


def code_of(data: bytes) -> str:
    """Return why it is refused; "trf." if it is not."""
    try:
        reading(data)
    except InterchangeError as wrong:
        return wrong.code
    return "trf."


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for whole in (data, TEXT.encode("latin-1") + data):
        assert code_of(whole).startswith("trf.")


@given(st.integers(0, len(TEXT) - 1), st.characters(max_codepoint=255))
def test_one_letter_changed_anywhere_is_read_or_refused(at: int, letter: str) -> None:
    assert code_of((TEXT[:at] + letter + TEXT[at + 1 :]).encode("latin-1")).startswith("trf.")


def test_a_half_point_bye_is_worth_half() -> None:
    found = reading(TEXT.encode("latin-1")).event
    assert found.points()[4] == Fraction(1)
