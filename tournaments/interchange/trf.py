"""TRF, the tournament report file of FIDE, both ways: columns of TRF16, the event's data also as TRF26 records.

Source: FIDE Handbook C.04 Annex 2 (TRF16) and its draft of 2026: records 142 (rounds), 152 (first seat of the top
board) and 162 (what a bye is worth, written only where it is not the usual 1). XXR and XXC say the same to older
programs. Lines are Latin-1: `encode` turns the text into bytes.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from fractions import Fraction

from tournaments.interchange.errors import InterchangeError
from tournaments.interchange.model import Away, Event, Game, Mark, Player, Rest

SYSTEM = "Individual: Swiss-System"
NAME, ROUND = 33, 10  # columns of a name and of one round
FIRST_ROUND = 91  # column of the first round's opponent
MOST_PLAYERS = 9999
MARKS = {mark.value: mark for mark in Mark} | {"W": Mark.WON, "D": Mark.DREW, "L": Mark.LOST}
AWAY = {kind.value: kind for kind in Away} | {"-": Away.ABSENT, "+": Away.FULL, "=": Away.HALF, " ": Away.ABSENT}
BACK = {Mark.WON: Mark.LOST, Mark.LOST: Mark.WON, Mark.DREW: Mark.DREW, Mark.WALKOVER: Mark.NO_SHOW}

Cell = tuple[str, str, str]  # opponent, seat ("w", "b", "-"), letter


def write(event: Event) -> str:
    """The event as TRF: all rounds up to the last one with a game.

    A round in which a player has neither game nor rest is written as an absence. Raises InterchangeError "trf.number"
    unless the players are numbered 1 to n, and "trf.twice" if one plays twice in a round.
    """
    players = sorted(event.players, key=lambda player: player.number)
    if not players or [player.number for player in players] != list(range(1, len(players) + 1)):
        message = "a report needs players numbered 1, 2, 3 ... in their starting order; number them again"
        raise InterchangeError(message, code="trf.number")
    if len(players) > MOST_PLAYERS:
        raise InterchangeError(f"a report holds {MOST_PLAYERS} players; split the event", code="trf.number")
    cells = _cells(event)
    points = event.points()
    ranks = _ranks(players, points)
    lines = [*_head(event, players)]
    for player in players:
        row = [cells.get((player.number, turn), ("0000", "-", "Z")) for turn in range(1, event.last_round + 1)]
        lines.append(_player(player, points[player.number], ranks[player.number], row))
    return "\n".join(lines) + "\n"


def encode(text: str) -> bytes:
    """The bytes of a report."""
    return text.encode("latin-1", errors="replace")


def plain(name: str) -> str:
    """A name in the letters that a report can hold, on one line; "?" for those that it cannot."""
    composed = unicodedata.normalize("NFC", " ".join(name.split()))
    printable = "".join(letter if letter.isprintable() else "?" for letter in composed)
    return printable.encode("latin-1", errors="replace").decode("latin-1")[:NAME].rstrip()


def _head(event: Event, players: Sequence[Player]) -> list[str]:
    rounds = max(event.rounds, event.last_round)
    lines = [f"012 {' '.join(plain(event.name).split())}"]
    lines += [f"{code} {day:%Y/%m/%d}" for code, day in (("042", event.starts), ("052", event.ends)) if day]
    lines += [f"062 {len(players)}", f"092 {SYSTEM}", f"142 {rounds}"]
    if event.top_first is not None:
        lines.append(f"152 {'W' if event.top_first else 'B'}")
    if event.bye != 1:
        bye = float(event.bye)
        lines.append(f"162  W 1.0    D 0.5    L 0.0    A 0.0    P{bye:4.1f}    X 0.5")
    lines.append(f"XXR {rounds}")
    if event.top_first is not None:
        lines.append(f"XXC {'white1' if event.top_first else 'black1'}")
    return lines


def _cells(event: Event) -> dict[tuple[int, int], Cell]:
    """(player, round) -> opponent, seat and letter."""
    cells: dict[tuple[int, int], Cell] = {}
    entries: list[tuple[int, int, Cell]] = []
    for game in event.games:
        entries.append((game.first, game.round, (str(game.second), "w", game.marks[0].value)))
        entries.append((game.second, game.round, (str(game.first), "b", game.marks[1].value)))
    entries += [(rest.player, rest.round, ("0000", "-", rest.kind.value)) for rest in event.rests]
    for number, turn, cell in entries:
        if (number, turn) in cells:
            message = f"player {number} is paired twice in round {turn}; correct the round"
            raise InterchangeError(message, code="trf.twice")
        cells[number, turn] = cell
    return cells


def _ranks(players: Sequence[Player], points: Mapping[int, Fraction]) -> dict[int, int]:
    order = sorted(players, key=lambda player: (-points[player.number], player.number))
    worked_out = {player.number: place for place, player in enumerate(order, start=1)}
    return {player.number: player.rank or worked_out[player.number] for player in players}


def _player(player: Player, points: Fraction, rank: int, row: Sequence[Cell]) -> str:
    """Record 001."""
    rating = str(player.rating) if player.rating else ""
    who = f"001 {player.number:>4} {'':1}{'':>3} {plain(player.name):<{NAME}} {rating:>4} {'':<3} {'':>11} {'':>10}"
    return f"{who} {float(points):>4.1f} {rank:>4}" + "".join(
        f"  {rival:>4} {seat} {mark}" for rival, seat, mark in row
    )


def read(text: str) -> Event:
    """The event of a report. Records that are not about players, rounds, dates or byes are passed over.

    Raises InterchangeError "trf.line" naming the line, or "trf.opponent" if two lines do not tell of the same game.
    """
    fields: dict[str, str] = {}
    players: list[Player] = []
    rows: dict[int, list[tuple[int, Cell]]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            if line.startswith("001"):
                player = _read_player(line)
                players.append(player)
                rows[player.number] = _read_row(line)
            elif len(line) > 3:
                fields.setdefault(line[:3], line[4:].strip())
        except (ValueError, KeyError) as wrong:
            message = f"line {number} of the report cannot be read ({wrong}): {line[:60]!r}"
            raise InterchangeError(message, code="trf.line", extra={"line": number}) from wrong
    return _event(fields, players, rows)


def _read_player(line: str) -> Player:
    rank, rating = line[85:89].strip(), line[48:52].strip()
    return Player(int(line[4:8]), line[14:47].strip(), int(rank or 0), int(rating or 0))


def _read_row(line: str) -> list[tuple[int, Cell]]:
    """(round, cell) for every round that is not blank."""
    row = []
    for turn, at in enumerate(range(FIRST_ROUND, len(line), ROUND), start=1):
        rival, seat, mark = line[at : at + 4].strip(), line[at + 5 : at + 6].lower(), line[at + 7 : at + 8].upper()
        if rival.strip("0"):
            if seat not in ("w", "b"):
                raise ValueError(f"round {turn}: seat {seat!r} is neither w nor b")
            row.append((turn, (str(int(rival)), seat, MARKS[mark or " "].value)))
        elif (mark or " ") != " " or rival:
            row.append((turn, ("0000", "-", AWAY[mark or " "].value)))
    return row


def _event(fields: Mapping[str, str], players: Sequence[Player], rows: Mapping[int, list[tuple[int, Cell]]]) -> Event:
    cells = {(number, turn): cell for number, row in rows.items() for turn, cell in row}
    games, rests = [], []
    for (number, turn), (rival, seat, letter) in sorted(cells.items(), key=lambda item: (item[0][1], item[0][0])):
        if rival == "0000":
            rests.append(Rest(turn, number, Away(letter)))
            continue
        back = cells.get((int(rival), turn))
        if back is None or back[0] != str(number) or back[1] == seat:
            message = f"round {turn}: player {number} meets {rival}, but the line of {rival} does not say so"
            raise InterchangeError(message, code="trf.opponent", extra={"round": turn, "player": number})
        if seat == "w":
            games.append(Game(turn, number, int(rival), (Mark(letter), Mark(back[2]))))
    rounds = fields.get("142") or fields.get("XXR") or "0"
    return Event(
        name=fields.get("012", ""),
        players=tuple(sorted(players, key=lambda player: player.number)),
        games=tuple(games),
        rests=tuple(rests),
        rounds=int(rounds.split()[0]) if rounds.split()[0].isdigit() else 0,
        bye=_read_bye(fields.get("162", "")),
        top_first=_top(fields),
        starts=_day(fields.get("042", "")),
        ends=_day(fields.get("052", "")),
    )


def _top(fields: Mapping[str, str]) -> bool | None:
    """Whether player 1 got the first seat in round 1."""
    known: tuple[tuple[str, Callable[[str], bool]], ...] = (
        ("152", lambda value: value.upper().startswith("W")),
        ("XXC", lambda value: "white1" in value.split()),
    )
    return next((test(fields[code]) for code, test in known if code in fields), None)


def _read_bye(record: str) -> Fraction:
    """What record 162 says a pairing bye is worth; 1 where it says nothing."""
    words = record.replace("P", " P ").split()
    try:
        return Fraction(words[words.index("P") + 1]) if "P" in words else Fraction(1)
    except (ValueError, IndexError) as wrong:
        message = f"record 162 of the report does not say what a bye is worth: {record[:60]!r}"
        raise InterchangeError(message, code="trf.line") from wrong


def _day(text: str) -> date | None:
    try:
        return date(*map(int, text.replace("-", "/").split("/")[:3]))
    except (TypeError, ValueError):
        return None
