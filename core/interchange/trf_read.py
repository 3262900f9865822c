"""Reading a TRF that anybody may have sent: bounded, strict about what contradicts itself, patient with the rest.

`reading` says what an event is made of and, line by line, what was left out of it (`trf_check`). What cannot be meant
(two lines that tell of different games, a number that is none) is refused with the line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final

from core.interchange.errors import InterchangeError, refusal
from core.interchange.model import Away, Event, Game, Mark, Player, UnplayedRound
from core.interchange.trf_check import Remark, remarks_of, sound

SWISS: Final = "Individual: Swiss-System"
ROUND_ROBIN: Final = "Individual: Round-Robin"
NAME: Final = 33
"""Columns of a name."""
ROUND: Final = 10
"""Columns of a round."""
FIRST_ROUND: Final = 91
"""Column of the first round's opponent."""
MAX_PLAYERS: Final = 9999
MARKS: Final = {mark.value: mark for mark in Mark} | {"W": Mark.WON, "D": Mark.DREW, "L": Mark.LOST}
AWAY: Final = {kind.value: kind for kind in Away} | {
    "-": Away.ABSENT,
    "+": Away.FULL,
    "=": Away.HALF,
    " ": Away.ABSENT,
}
TIE_BREAKS: Final = {"bh": "BH", "bhc1": "BH/C1", "bhm": "BH/M1", "sb": "SB", "ps": "PS", "aob": "AOB"}
"""Our tie-breaks by the letters that FIDE gives them (record 212)."""
OURS: Final = {code: own for own, code in TIE_BREAKS.items()}

Cell = tuple[str, str, str]
"""Opponent, seat ("w", "b", "-"), letter."""


MAX_LINES: Final = 20_000
MAX_ROUNDS: Final = 64
ENDS: Final = re.compile(r"\r\n|\n|\r")
RECORD: Final = re.compile(r"[0-9A-Z]{3}(?= |$)")
NUMBER: Final = re.compile(r"[0-9]{1,10}")
BOMS: Final = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))


@dataclass(frozen=True, slots=True)
class Reading:
    """The event of a report, and what of the report is not in it."""

    event: Event
    remarks: tuple[Remark, ...]


@dataclass(slots=True)
class Lines:
    """Content of the lines. fields: the first of each record; others: how often further records stand, and where.

    at: line of each player; claimed: points of each player as written; personal: lines with more about a player than is
    kept.
    """

    fields: dict[str, tuple[int, str]] = field(default_factory=dict)
    others: dict[str, tuple[int, int]] = field(default_factory=dict)
    players: list[Player] = field(default_factory=list)
    rows: dict[int, list[tuple[int, Cell]]] = field(default_factory=dict)
    at: dict[int, int] = field(default_factory=dict)
    claimed: dict[int, str] = field(default_factory=dict)
    personal: list[int] = field(default_factory=list)


def reading(data: bytes) -> Reading:
    """The event of a file, ready to be imported: players numbered 1 to n, what contradicts the results taken out.

    Raises InterchangeError (extra: line, 0 if it is about the whole file): "trf.empty", "trf.text", "trf.no_players",
    "trf.too_many", "trf.line", "trf.number_twice", "trf.opponent", "trf.result", "trf.empty_round".
    """
    lines = _lines(_decoded(data))
    event = _event(lines)
    _refuse_empty_rounds(event)
    found = remarks_of(event, lines.fields, lines.others, lines.at, lines.claimed, lines.personal)
    return Reading(sound(event), tuple(found))


def read(text: str) -> Event:
    """The event of a report as it is written. Records that are not about the event's course are passed over.

    Raises what `reading` raises, but for empty rounds.
    """
    return _event(_lines(text))


def _decoded(data: bytes) -> str:
    """Decode UTF-8 or UTF-16 if it is that, else as Windows and FIDE write it."""
    for mark, name in BOMS:
        if data.startswith(mark):
            return data.decode(name, errors="replace")
    for name in ("utf-8", "cp1252"):
        try:
            return data.decode(name)
        except UnicodeDecodeError:
            continue
    # Never fails: cp1252 leaves five bytes undefined, and one of them must not keep a whole report out.
    return data.decode("latin-1")


def _refuse(code: str, line: int, message: str, **shown: Any) -> InterchangeError:
    return refusal(code, message, line=line, where=f"line {line}" if line else "", **shown)


def _lines(text: str) -> Lines:
    found = Lines()
    rows = ENDS.split(text)
    if not text.strip():
        raise _refuse("trf.empty", 0, "The file is empty. Choose the report of an event.")
    # Before any line is read: the file comes from anybody.
    if len(rows) > MAX_LINES:
        raise _refuse("trf.too_many", 0, "The report has more than %(most)s lines.", most=MAX_LINES)
    for number, row in enumerate(rows, start=1):
        if "\0" in row:
            raise _refuse("trf.text", number, "Line %(line)s holds the character 0: this is not a report.")
        try:
            _read_line(found, number, row.rstrip())
        except (ValueError, KeyError) as wrong:
            message = "Line %(line)s of the report cannot be read (%(why)s): “%(text)s”"
            # Cut: the words go back to the page, and a line may be very long.
            raise _refuse("trf.line", number, message, why=str(wrong)[:80], text=row[:60]) from wrong
    if not found.players:
        raise _refuse("trf.no_players", 0, "There is no player in the file (lines that begin with 001).")
    return found


def _read_line(found: Lines, number: int, row: str) -> None:
    if row.startswith("001"):
        _read_player_line(found, number, row)
        return
    if not row.strip():
        return
    record = RECORD.match(row)
    # A line that is no record is counted under "", for the remark.
    code = record.group() if record else ""
    if code in KNOWN and code not in found.fields:
        found.fields[code] = (number, row[4:].strip())
    elif code not in KNOWN:
        count, first = found.others.get(code, (0, number))
        found.others[code] = (count + 1, first)


KNOWN: Final = frozenset({"012", "042", "052", "062", "072", "082", "092", "142", "152", "162", "212", "XXR", "XXC"})


def _read_player_line(found: Lines, number: int, row: str) -> None:
    if len(row) > FIRST_ROUND + ROUND * MAX_ROUNDS:
        message = "Line %(line)s of the report has more than %(most)s rounds."
        raise _refuse("trf.too_many", number, message, most=MAX_ROUNDS)
    player = Player(
        _number(row[4:8], MAX_PLAYERS), row[14:47].strip(), _number(row[85:89], 9999), _number(row[48:52], 9999)
    )
    if not player.number:
        raise ValueError("no number")
    if player.number in found.at:
        message = "Line %(line)s of the report is about player %(player)s, and so is line %(other)s."
        raise _refuse("trf.number_twice", number, message, player=player.number, other=found.at[player.number])
    found.players.append(player)
    found.at[player.number] = number
    found.rows[player.number] = _read_row(row)
    found.claimed[player.number] = row[80:84].strip()
    if row[9:13].strip() or row[53:79].strip():
        found.personal.append(number)


def _number(text: str, most: int) -> int:
    """A whole number; 0 where nothing stands. ValueError if it is none."""
    text = text.strip()
    if not text:
        return 0
    # The pattern first: int() takes signs, underscores and digits of other scripts, and is slow for very many.
    if not NUMBER.fullmatch(text) or int(text) > most:
        raise ValueError(f"{text[:12]!r} is no number up to {most}")
    return int(text)


def _read_row(row: str) -> list[tuple[int, Cell]]:
    """Return (round, cell) for every round that is not blank."""
    cells = []
    for turn, at in enumerate(range(FIRST_ROUND, len(row), ROUND), start=1):
        rival, seat, mark = row[at : at + 4].strip(), row[at + 5 : at + 6].lower(), row[at + 7 : at + 8].upper()
        if number := _number(rival, MAX_PLAYERS):
            if seat not in ("w", "b"):
                raise ValueError(f"round {turn}: seat {seat!r} is neither w nor b")
            cells.append((turn, (str(number), seat, _letter(MARKS, mark, turn))))
        elif (mark or " ") != " " or rival:
            cells.append((turn, ("0000", "-", _letter(AWAY, mark, turn))))
    return cells


def _letter(known: Mapping[str, Mark] | Mapping[str, Away], mark: str, turn: int) -> str:
    if (mark or " ") not in known:
        raise ValueError(f"round {turn}: {mark!r} is no result")
    return str(known[mark or " "].value)


def _event(lines: Lines) -> Event:
    texts = {code: text for code, (_line, text) in lines.fields.items()}
    games, rests = _courses(lines)
    return Event(
        name=texts.get("012", ""),
        players=tuple(sorted(lines.players, key=lambda player: player.number)),
        games=tuple(games),
        unplayed=tuple(rests),
        rounds=_rounds(lines.fields),
        bye=_read_bye(lines.fields),
        top_first=_top(texts),
        starts=_day(texts.get("042", "")),
        ends=_day(texts.get("052", "")),
        tie_breaks=tuple(OURS[code] for code in _split(texts.get("212", "")) if code in OURS),
        is_round_robin=is_round_robin(texts.get("092", "")),
    )


def is_round_robin(kind: str) -> bool:
    """Return whether the type of a tournament says that everybody meets everybody."""
    lowered = kind.casefold()
    return ("round" in lowered and "robin" in lowered) or "berger" in lowered


def _split(record: str) -> list[str]:
    """The tie-breaks of a record 212, each once."""
    return list(dict.fromkeys(part.strip().upper() for part in record.replace(":", ",").split(",")))


def _courses(lines: Lines) -> tuple[list[Game], list[UnplayedRound]]:
    """Return games and rests by round and number of the player."""
    cells = {(number, turn): cell for number, row in lines.rows.items() for turn, cell in row}
    games, byes = [], []
    for (number, turn), (rival, seat, letter) in sorted(cells.items(), key=lambda item: (item[0][1], item[0][0])):
        if rival == "0000":
            byes.append(UnplayedRound(turn, number, Away(letter)))
            continue
        back = cells.get((int(rival), turn))
        # Both lines must name each other and different seats; which of them is wrong only the sender knows.
        if back is None or back[0] != str(number) or back[1] == seat:
            message = (
                "Line %(line)s of the report: in round %(round)s player %(player)s meets %(rival)s, but the line of "
                "%(rival)s does not say so."
            )
            shown = {"round": turn, "player": number, "rival": rival}
            raise _refuse("trf.opponent", lines.at[number], message, **shown)
        if (letter, back[2]) not in TOGETHER:
            message = (
                "Line %(line)s of the report: in round %(round)s players %(player)s and %(rival)s cannot both have "
                "these results: “%(one)s” and “%(other)s”."
            )
            shown = {"round": turn, "player": number, "rival": rival, "one": letter, "other": back[2]}
            raise _refuse("trf.result", lines.at[number], message, **shown)
        # Each game stands in two lines: it is taken from the one with the first seat, after both were compared.
        if seat == "w":
            games.append(Game(turn, number, int(rival), (Mark(letter), Mark(back[2]))))
    return games, byes


TOGETHER: Final = frozenset(
    {("1", "0"), ("0", "1"), ("=", "="), ("0", "0"), ("+", "-"), ("-", "+"), ("-", "-"), (" ", " ")}
)
"""Pairs of results that two players of one game may have."""


def _refuse_empty_rounds(event: Event) -> None:
    played = {game.round for game in event.games}
    # Not the last round: it may be drawn and not played yet.
    missing = next((turn for turn in range(1, event.last_round) if turn not in played), None)
    if missing is not None:
        message = "In round %(round)s of the report nobody meets anybody, although rounds follow: fill it in."
        raise _refuse("trf.empty_round", 0, message, round=missing)


def _rounds(fields: Mapping[str, tuple[int, str]]) -> int:
    """Return how many rounds were planned, 0 if nothing says so."""
    line, text = fields.get("142") or fields.get("XXR") or (0, "")
    words = text.split()
    if not words:
        return 0
    if not NUMBER.fullmatch(words[0]):
        message = "Line %(line)s of the report does not say how many rounds there are: “%(text)s”"
        raise _refuse("trf.line", line, message, text=text[:60])
    if int(words[0]) > MAX_ROUNDS:
        message = "Line %(line)s of the report: %(n)s rounds are too many; the limit is %(most)s."
        raise _refuse("trf.too_many", line, message, n=words[0][:10], most=MAX_ROUNDS)
    return int(words[0])


def _top(fields: Mapping[str, str]) -> bool | None:
    """Return whether player 1 got the first seat in round 1."""
    known: tuple[tuple[str, Callable[[str], bool]], ...] = (
        ("152", lambda value: value.upper().startswith("W")),
        ("XXC", lambda value: "white1" in value.split()),
    )
    return next((test(fields[code]) for code, test in known if code in fields), None)


def _read_bye(fields: Mapping[str, tuple[int, str]]) -> Fraction:
    """Return what record 162 says a pairing bye is worth; 1 where it says nothing."""
    line, record = fields.get("162", (0, ""))
    try:
        return next((value for letter, value in scores_of(record) if letter == "P"), Fraction(1))
    except ValueError as wrong:
        message = "Line %(line)s of the report does not say what a bye is worth: “%(text)s”"
        raise _refuse("trf.line", line, message, text=record[:60]) from wrong


def scores_of(record: str) -> Iterator[tuple[str, Fraction]]:
    """Yield (letter, points) of a record 162. Raises ValueError if a number is none."""
    # Letter and number, with or without a space between them.
    words: Sequence[str] = re.findall(r"[A-Z]|[^A-Z\s]+", record)
    for letter, value in pairwise(words):
        if letter.isalpha() and letter.isupper():
            if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,2})?", value):
                raise ValueError(value)
            yield letter, Fraction(value)


def _day(text: str) -> date | None:
    try:
        return date(*map(int, text.replace("-", "/").split("/")[:3]))
    except (TypeError, ValueError, OverflowError):
        return None
