"""Rounds that somebody sits out by arrangement, and what each is worth: known before the draw, so not the draw's byes.

Kept in the event's policies: "excused" ({number of a stage: {entry UUID: {round: "0", "1/2" or "1"}}}).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from tournaments.models import Stage

KEY: Final = "excused"
Excused = Mapping[str, Mapping[int, Fraction]]


def excused_in(stage: Stage) -> Excused:
    """By entry and round: what a round sat out by arrangement is worth."""
    found = stage.tournament.policies.get(KEY, {}).get(str(stage.order), {})
    return {
        entry: {int(number): Fraction(worth) for number, worth in rounds.items()} for entry, rounds in found.items()
    }


def to_json(order: int, excused: Excused) -> dict[str, Any]:
    """As the policies keep it; nothing where nobody is excused."""
    rows = {
        entry: {str(number): str(worth) for number, worth in rounds.items()}
        for entry, rounds in excused.items()
        if rounds
    }
    return {KEY: {str(order): rows}} if rows else {}
