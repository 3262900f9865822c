"""Preview of a correction: every match that would have others in it, another end, or none."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from core.formats.elimination.model import Bracket, BracketMatch, State
from core.formats.errors import FormatError


class Effect(StrEnum):
    """Effect on a match (tournaments.md section 8 says what to do about it)."""

    CORRECTED = "corrected"  # its own result changes
    RESEATED = "reseated"  # others sit in it; nobody has started
    STARTED = "started"  # others would sit in it, but it is being played: finish, then ask
    STALE = "stale"  # others would sit in it, and it is over: keep as played, or void and play again
    CHANGED = "changed"  # it comes to be needed, not needed, or walked over


@dataclass(frozen=True, slots=True)
class Affected:
    """A match of the preview. before, after: who sits in it, in seat order; None = not known or nobody."""

    match: str
    effect: Effect
    before: tuple[str | None, ...]
    after: tuple[str | None, ...]


def preview(before: Bracket, after: Bracket, started: Collection[str] = ()) -> tuple[Affected, ...]:
    """Every match that differs between two states of one bracket, in the order of play.

    after: `advance` with the results as they would be. started: matches being played.
    Raises FormatError "bracket.match" if they are not the same bracket.
    """
    if [match.id for match in before.matches] != [match.id for match in after.matches]:
        raise FormatError("these are two brackets; compare states of one", code="bracket.match")
    stale = frozenset(after.stale)
    out = []
    for one, other in zip(before.matches, after.matches, strict=True):
        seats, now = _seats(one), _seats(other)
        if (seats, one.state, one.order) != (now, other.state, other.order) or one.id in stale:
            out.append(Affected(one.id, _effect(one, other, one.id in stale, started), seats, now))
    return tuple(out)


def _seats(match: BracketMatch) -> tuple[str | None, ...]:
    return tuple(seat.entry for seat in match.seats)


def _effect(one: BracketMatch, other: BracketMatch, is_stale: bool, started: Collection[str]) -> Effect:
    if is_stale:
        return Effect.STALE
    if _seats(one) == _seats(other):
        return Effect.CORRECTED if one.state is other.state is State.FINISHED else Effect.CHANGED
    return Effect.STARTED if one.id in started else Effect.RESEATED
