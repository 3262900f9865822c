"""The options of Oi-bana: its own, and those of the Sakura deal it plays. Source: rules.md 2.2."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine.errors import BadOption
from engine.game import OptionInfo, OptionValue
from engine.games.sakura.options import OPTIONS as SAKURA_OPTIONS
from engine.games.sakura.options import SakuraOptions

HIGHEST_CEILING: Final = 1_000
"""A ceiling above that would only make the list of bids long; ours, no source has one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OibanaOptions(SakuraOptions):
    """Every option resolved. `scoring` is no option here: the ledger decides."""

    oibana_payment: str
    bid_min: int
    bid_max: int


_MULTIPLIED: Final = {
    "basa": "A deal won by 100 or more doubles the stake",
    "chu": "A deal won by 50 or more doubles the stake (with Basa, 100 triples it)",
}
_OF_THE_DEAL: Final = tuple(
    replace(info, meaning=_MULTIPLIED.get(info.id, info.meaning)) for info in SAKURA_OPTIONS if info.id != "scoring"
)

OPTIONS: Final[tuple[OptionInfo, ...]] = (
    OptionInfo(
        "oibana_payment", "choice", ("loser_bid", "winner_bid"), "loser_bid", "What the loser pays",
        "000 (does not know); older FW: the loser's, then the winner's", ("their own bid", "the winner's bid"),
    ),
    OptionInfo("bid_min", "number", (), 1, "The lowest bid", "000", minimum=1, maximum=HIGHEST_CEILING),
    OptionInfo("bid_max", "number", (), 100, "The highest bid", "ours", minimum=1, maximum=HIGHEST_CEILING),
    *_OF_THE_DEAL,
)  # fmt: skip

_BY_ID: Final = {info.id: info for info in OPTIONS}


def read_options(values: Mapping[object, object]) -> OibanaOptions:
    """Options from JSON values; what is left out has its default. Raises BadOption naming what is allowed."""
    found: dict[str, OptionValue] = {info.id: info.default for info in OPTIONS}
    for option, value in values.items():
        info = _BY_ID.get(option) if isinstance(option, str) else None
        if info is None:
            message = f"Oi-bana has no option {option!r:.60}. Known: {', '.join(_BY_ID)}."
            raise BadOption(message, extra={"option": str(option), "allowed": list(_BY_ID)})
        found[info.id] = info.read(value)
    options = OibanaOptions(**found)  # type: ignore[arg-type]  # each value was just read by its own OptionInfo
    # Each is in its own bounds, but together they leave no bid.
    if options.bid_min > options.bid_max:
        message = f"The lowest bid, {options.bid_min}, is above the highest, {options.bid_max}. Raise bid_max."
        raise BadOption(message, extra={"option": "bid_min", "allowed": [options.bid_max]})
    return options
