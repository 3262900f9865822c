"""Stage formats: one registry, pure planners. See README.md.

`schedule` draws all rounds that are left, `plan` the next one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from random import Random

from core.formats.dutch import Dutch
from core.formats.elimination.stage import DoubleElimination, SingleElimination
from core.formats.errors import FormatError
from core.formats.lives import Lives
from core.formats.model import Constraint, Entrant, Finished, Format, Plan, Pod, Seats, Shape
from core.formats.pods import SwissTables
from core.formats.rotation import RotatingPartners
from core.formats.round_robin import RoundRobin
from core.formats.swiss import Swiss
from core.formats.tables import Tables

_ALL: tuple[Format, ...] = (
    RoundRobin(),
    Tables(),
    RotatingPartners(),
    Swiss(),
    Dutch(),
    SwissTables(),
    SingleElimination(),
    DoubleElimination(),
    Lives(),
)

FORMATS: Mapping[str, Format] = {item.id: item for item in _ALL}
"""The registry: stage kind -> format."""


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
) -> list[Plan]:
    """Plans of the rounds after `history` that can be drawn now: all, or the next if the format looks at results.

    finished: how the matches of `history` ended. The same for the same seed, whatever the order of entries.

    rounds: of the whole stage (for a round robin: cycles). seed: of the draw, published with it. bye: place share of
    a bye. locked: pods of the next round that were set by hand (kinds that look at results). advance, third_place,
    sides, leaders: see `Shape`.
    Raises FormatError "format.unknown", "rounds.range", "entries.*", "seats.range" or "constraint.*".
    """
    if kind not in FORMATS:
        raise FormatError(f"there is no format {kind!r}; choose from {', '.join(FORMATS)}", code="format.unknown")
    if rounds < 1:
        raise FormatError(f"{rounds} rounds: a stage has at least one", code="rounds.range")
    names = [item.entry for item in entries]
    if len(set(names)) != len(names):
        raise FormatError("an entry is listed twice; list each once", code="entries.twice")
    shape = Shape(seats, rounds, bye, tuple(locked), advance, third_place, tuple(sides), leaders)
    rng = Random(seed)
    return FORMATS[kind].schedule(entries, shape, history=history, finished=finished, constraints=constraints, rng=rng)


def plan(
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
) -> Plan:
    """The next round. Raises as `schedule`, and FormatError "rounds.over" after the last one."""
    plans = schedule(
        kind,
        entries,
        rounds,
        seats,
        seed,
        history=history,
        finished=finished,
        constraints=constraints,
        bye=bye,
        locked=locked,
        advance=advance,
        third_place=third_place,
        sides=sides,
        leaders=leaders,
    )
    if not plans:
        raise FormatError("all rounds of the stage are drawn; add rounds or close the stage", code="rounds.over")
    return plans[0]
