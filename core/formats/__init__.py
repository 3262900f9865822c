"""Stage formats: one registry, pure planners. See README.md.

`schedule` draws all rounds that are left.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from random import Random
from types import MappingProxyType
from typing import Final

from core.formats.elimination.stage import DoubleElimination, SingleElimination
from core.formats.errors import FormatError
from core.formats.ladder.stage import Comparison, ContinuousLadder, TableOfTheSite
from core.formats.lives import Lives
from core.formats.model import Constraint, DrawRules, Entrant, Finished, Plan, Pod, Seats, Shape, StageSoFar
from core.formats.pods.stage import SwissTables
from core.formats.rotation.stage import RotatingPartners
from core.formats.round_robin import RoundRobin
from core.formats.stage_format import Format
from core.formats.swiss.dutch import Dutch
from core.formats.swiss.stage import Swiss
from core.formats.tables import Tables

_FORMATS: Final[dict[str, Format]] = {}
FORMATS: Final[Mapping[str, Format]] = MappingProxyType(_FORMATS)
"""The registry: stage kind -> format, in the order in which forms offer them."""
DEFAULT_RULES: Final = DrawRules()


def register(found: Format) -> None:
    """Add a format. Raises ValueError if its id is taken."""
    if found.id in _FORMATS:
        raise ValueError(f"{found.id}: registered already")
    _FORMATS[found.id] = found


def withdraw(found: Format) -> None:
    """Remove a format again, as a test does with its own."""
    del _FORMATS[found.id]


register(RoundRobin())
register(Tables())
register(RotatingPartners())
register(Swiss())
register(Dutch())
register(SwissTables())
register(SingleElimination())
register(DoubleElimination())
register(Lives())
register(ContinuousLadder())
register(Comparison())
register(TableOfTheSite())


def format_of(kind: str) -> Format:
    """The format of a stage kind. Raises FormatError "format.unknown"."""
    if kind not in FORMATS:
        known = ", ".join(kinds(lambda each: not each.is_open_ended))
        raise FormatError(f"there is no format {kind!r}; choose from {known}", code="format.unknown")
    return FORMATS[kind]


def kinds(wanted: Callable[[Format], bool]) -> tuple[str, ...]:
    """The ids of the formats of which something holds, to look for stages of theirs."""
    return tuple(each.id for each in FORMATS.values() if wanted(each))


def offered() -> tuple[str, ...]:
    """The ids of the formats that an organiser may choose."""
    return kinds(lambda each: not each.is_experiment)


def experiments() -> tuple[str, ...]:
    """The ids of those that nobody chooses, lists or rates."""
    return kinds(lambda each: each.is_experiment)


def schedule(
    kind: str,
    entries: Sequence[Entrant],
    rounds: int,
    seats: Seats,
    seed: bytes | str | int,
    *,
    history: Sequence[Plan] = (),
    finished: Sequence[Finished] = (),
    constraints: Sequence[Constraint] = (),
    bye: Fraction = Fraction(1),
    locked: Sequence[Pod] = (),
    advance: int = 1,
    third_place: bool = False,
    sides: Sequence[int] = (),
    leaders: int = 0,
    draw: DrawRules = DEFAULT_RULES,
    flows: bool = False,
    consolation: bool = False,
    open_tables: frozenset[tuple[int, int]] | None = None,
) -> list[Plan]:
    """Plans of the rounds after `history` that can be drawn now: all, or the next if the format looks at results.

    finished: how the matches of `history` ended. The same for the same seed, in any order of entries.
    rounds: of the whole stage (for a round robin: cycles). seed: of the draw, published with it. bye: place share of
    a bye. locked: pods of the next round that were set by hand (kinds that look at results). advance, third_place,
    sides, leaders, draw, flows, consolation: see `Shape`; open_tables: `StageSoFar.open`.
    Raises FormatError "format.unknown", "rounds.range", "entries.*", "seats.range" or "constraint.*".
    """
    found = format_of(kind)
    if rounds < 1 and not found.is_open_ended:
        raise FormatError(f"{rounds} rounds: a stage has at least one", code="rounds.range")
    # An open-ended stage (a ladder) may have 0 rounds: its number is one of deal sets, or it ends by its time.
    names = [item.entry for item in entries]
    if len(set(names)) != len(names):
        raise FormatError("an entry is listed twice; list each once", code="entries.twice")
    shape = Shape(
        seats, rounds, bye, tuple(locked), advance, third_place, tuple(sides), leaders, draw, flows, consolation
    )
    return found.schedule(StageSoFar(entries, shape, history, finished, constraints, open_tables), Random(seed))
