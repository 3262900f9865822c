"""Columns, letters and words of a TRF that reading and writing share."""

from __future__ import annotations

from typing import Final

from core.interchange.model import Away, Mark

SWISS: Final = "Individual: Swiss-System"
ROUND_ROBIN: Final = "Individual: Round-Robin"
NAME: Final = 33
"""Columns of a name."""
ROUND: Final = 10
"""Columns of a round."""
FIRST_ROUND: Final = 91
"""Column of the first round's opponent."""
MOST_PLAYERS: Final = 9999
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
