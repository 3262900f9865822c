"""TRF, the tournament report file of FIDE, both ways: columns of TRF16, the event's data also as TRF26 records.

Source: FIDE Handbook C.04 Annex 2 (TRF16) and its draft of 2026: records 142 (rounds), 152 (first seat of the top
board), 162 (what a bye is worth, written only where it is not the usual 1) and 212 (tie-breaks). XXR and XXC say the
same to older programs. Lines are Latin-1: `encode` turns the text into bytes. Reading: `trf_read`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from fractions import Fraction

from core.interchange.errors import InterchangeError
from core.interchange.model import Event, Player
from core.interchange.trf_read import MAX_PLAYERS, NAME, ROUND_ROBIN, SWISS, TIE_BREAKS, Cell, read
from core.printable import JOINERS

__all__ = ["encode", "plain", "read", "write"]


def write(event: Event) -> str:
    """Write the event as TRF: all rounds up to the last one with a game.

    A round in which a player has neither game nor rest is written as an absence. Raises InterchangeError "trf.number"
    unless the players are numbered 1 to n, and "trf.twice" if one plays twice in a round.
    """
    players = sorted(event.players, key=lambda player: player.number)
    if not players or [player.number for player in players] != list(range(1, len(players) + 1)):
        message = "a report needs players numbered 1, 2, 3 ... in their starting order; number them again"
        raise InterchangeError(message, code="trf.number")
    if len(players) > MAX_PLAYERS:
        raise InterchangeError(f"a report holds {MAX_PLAYERS} players; split the event", code="trf.number")
    cells = _cells(event)
    points = event.points()
    ranks = _ranks(players, points)
    lines = [*_head(event, players)]
    for player in players:
        row = [cells.get((player.number, turn), ("0000", "-", "Z")) for turn in range(1, event.last_round + 1)]
        lines.append(_player(player, points[player.number], ranks[player.number], row))
    return "\n".join(lines) + "\n"


def encode(text: str) -> bytes:
    """Return the bytes of a report."""
    return text.encode("latin-1", errors="replace")


def plain(name: str) -> str:
    """Write a name in the letters that a report can hold, on one line, with "?" for all others."""
    # Composed: Latin-1 has é as one letter, but not as e with an accent behind it.
    composed = unicodedata.normalize("NFC", " ".join(name.split()).translate(dict.fromkeys(map(ord, JOINERS))))
    printable = "".join(letter if letter.isprintable() else "?" for letter in composed)
    return printable.encode("latin-1", errors="replace").decode("latin-1")[:NAME].rstrip()


def _head(event: Event, players: Sequence[Player]) -> list[str]:
    rounds = max(event.rounds, event.last_round)
    lines = [f"012 {' '.join(plain(event.name).split())}"]
    lines += [f"{code} {day:%Y/%m/%d}" for code, day in (("042", event.starts), ("052", event.ends)) if day]
    lines += [f"062 {len(players)}", f"092 {ROUND_ROBIN if event.is_round_robin else SWISS}", f"142 {rounds}"]
    if event.top_first is not None:
        lines.append(f"152 {'W' if event.top_first else 'B'}")
    if event.bye != 1:
        bye = float(event.bye)
        lines.append(f"162  W 1.0    D 0.5    L 0.0    A 0.0    P{bye:4.1f}    X 0.5")
    if event.tie_breaks:
        lines.append(f"212 {','.join(['PTS', *(TIE_BREAKS[each] for each in event.tie_breaks)])}")
    lines.append(f"XXR {rounds}")
    if event.top_first is not None:
        lines.append(f"XXC {'white1' if event.top_first else 'black1'}")
    return lines


def _cells(event: Event) -> dict[tuple[int, int], Cell]:
    """Map (player, round) to opponent, seat and letter."""
    cells: dict[tuple[int, int], Cell] = {}
    entries: list[tuple[int, int, Cell]] = []
    for game in event.games:
        entries.append((game.first, game.round, (str(game.second), "w", game.marks[0].value)))
        entries.append((game.second, game.round, (str(game.first), "b", game.marks[1].value)))
    entries += [(rest.player, rest.round, ("0000", "-", rest.kind.value)) for rest in event.unplayed]
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
    """Write a record 001."""
    rating = str(player.rating) if player.rating else ""
    who = f"001 {player.number:>4} {'':1}{'':>3} {plain(player.name):<{NAME}} {rating:>4} {'':<3} {'':>11} {'':>10}"
    return f"{who} {float(points):>4.1f} {rank:>4}" + "".join(
        f"  {rival:>4} {seat} {mark}" for rival, seat, mark in row
    )
