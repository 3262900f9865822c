"""The options of Poka as data. Source: rules.md 2.4."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.errors import BadOption
from engine.game import MAX_DEALS, OptionInfo, Options, OptionValue


@dataclass(frozen=True, slots=True, kw_only=True)
class PokaOptions(Options):
    """Every option resolved. The meaning of each value is in `OPTIONS`.

    rounds is no option here: the most deals a match can have, since every deal scores a point.
    """

    target: int
    one_two: bool
    same_month_dump: bool
    first_dealer_tie: str


_TIES: Final = {
    "redraw": "only the tied players draw again",
    "value_then_redraw": "the card of higher value deals, equal values draw again",
    "rank_then_redraw": "the card of higher printed rank deals, chaff of one month draws again",
}
_YES_NO: Final = ("no", "yes")

OPTIONS: Final[tuple[OptionInfo, ...]] = (
    OptionInfo("target", "number", (), 5, "Points that win the match", "004", minimum=1, maximum=MAX_DEALS),
    OptionInfo(
        "one_two", "flag", (False, True), True,
        "On a January, a January may be laid if a February follows it at once", "004", _YES_NO,
    ),
    OptionInfo(
        "same_month_dump", "flag", (False, True), False,
        "On a January or a February, any number of cards of that month may be laid first", "004; FW (optional)",
        _YES_NO,
    ),
    OptionInfo(
        "first_dealer_tie", "choice", tuple(_TIES), "redraw",
        "Who deals first when the earliest month was drawn twice", "004 names no method; 000 Setup",
        tuple(_TIES.values()),
    ),
)  # fmt: skip

DEFAULTS: Final[dict[str, OptionValue]] = {info.id: info.default for info in OPTIONS}
_BY_ID: Final = {info.id: info for info in OPTIONS}


def read_options(values: Mapping[object, object]) -> PokaOptions:
    """Options from JSON values; what is left out has the value of `poka5`.

    Raises BadOption naming the unknown id, or the unknown value and what is allowed.
    """
    found = dict(DEFAULTS)
    for option, value in values.items():
        info = _BY_ID.get(option) if isinstance(option, str) else None
        if info is None:
            message = f"Poka has no option {option!r:.60}. Known: {', '.join(_BY_ID)}."
            raise BadOption(message, extra={"option": str(option), "allowed": list(_BY_ID)})
        found[info.id] = info.read(value)
    # Each deal scores at least a point for one of two sides: after this many one of them has the target.
    rounds = 2 * int(found["target"]) - 1
    return PokaOptions(rounds=rounds, **found)  # type: ignore[arg-type]  # each value was just read by its own OptionInfo
