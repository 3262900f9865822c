"""Options of a game as data, and presets, which are named choices of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from engine.errors import BadOption

OptionValue: TypeAlias = str | int | bool
MAX_DEALS: Final = 1_000
"""The most deals, or points that win, of a match. Ours, no source has one: a longer match would never end."""


@dataclass(frozen=True, slots=True)
class OptionInfo:
    """One option of a game, for forms and rule pages. `allowed` is empty for a number, which has a `minimum`.

    since: the engine version that added the option to a game that was published without it; None if the game has always
    had it. At its default such an option plays as the game did before, so it is left out of a ruleset's JSON and hash:
    records, rating pools and house rules of before keep their hash. Its default can therefore never change.
    """

    id: str
    kind: Literal["choice", "flag", "number"]
    allowed: tuple[OptionValue, ...]
    default: OptionValue
    meaning: str
    source: str
    meanings: tuple[str, ...] = ()  # one per allowed value
    minimum: int | None = None
    maximum: int | None = None
    since: str | None = None

    def read(self, value: object) -> OptionValue:
        """The value as the game keeps it. Raises BadOption with the values that are allowed."""
        if self.kind == "number":
            if isinstance(value, int) and not isinstance(value, bool) and self._is_in_range(value):
                return value
            upto = "" if self.maximum is None else f" to {self.maximum}"
            raise self._refuse(value, f"a whole number from {self.minimum}{upto}")
        if self.kind == "flag":
            # Flags are 0 and 1 in records (site.md 3) and true and false in forms: both are read.
            if isinstance(value, int) and value in (0, 1):
                return bool(value)
            raise self._refuse(value, "true or false")
        if isinstance(value, str) and value in self.allowed:
            return value
        raise self._refuse(value, ", ".join(map(str, self.allowed)))

    def _is_in_range(self, value: int) -> bool:
        return value >= (self.minimum or 0) and (self.maximum is None or value <= self.maximum)

    def _refuse(self, value: object, allowed: str) -> BadOption:
        message = f"Option {self.id} cannot be {value!r:.60}. Allowed: {allowed}."
        return BadOption(message, extra={"option": self.id, "allowed": list(self.allowed)})


@dataclass(frozen=True, slots=True)
class Preset:
    """A named ruleset: a line of data. `overrides`: options that differ from the game's defaults."""

    id: str
    name: str
    game: str
    overrides: Mapping[str, OptionValue]
    source: str
    family: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options that every game has. Each game derives its own frozen dataclass.

    Only what is in the game's table of options is an option: part of the ruleset's JSON and hash. A game without
    these two in its table sets them: rounds, the deals to reckon with (Poka has a target); scoring, `cumulative`.
    """

    rounds: int
    scoring: str = "cumulative"
