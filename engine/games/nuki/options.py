"""The options of Nuki Hachi-hachi, as data. Source: rules.md 2.3."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.errors import BadOption
from engine.game import MAX_DEALS, OptionInfo, Options, OptionValue


@dataclass(frozen=True, slots=True, kw_only=True)
class NukiOptions(Options):
    """Every option resolved. The meaning of each value is in `OPTIONS`. A match is always won by its ledger."""

    scoring: str = "cumulative"
    first_dealer_tie: str
    mizuten: bool
    require_two_players: bool
    dropout_penalty: str
    forced_out_compensation: str
    diving_scope: str


_TIES: Final = {
    "redraw": "only the tied players draw again",
    "value_then_redraw": "the card of higher value deals, equal values draw again",
    "rank_then_redraw": "the card of higher printed rank deals, chaff of one month draws again",
}
_PENALTY: Final = {"off": "nothing", "hachi": "1 kan into the pot, each further one half a kan more"}
_COMPENSATION: Final = {"off": "nothing", "hachi": "half the teyaku and dekiyaku, and 3 points for each card of a yaku"}
_SCOPES: Final = {
    "contains_triplet": "who claimed a Triplet or a Triplet and Two Pairs",
    "triplet_only": "only who claimed a Triplet",
}


def _choice(option: str, source: str, meaning: str, values: Mapping[str, str], default: str) -> OptionInfo:
    return OptionInfo(option, "choice", tuple(values), default, meaning, source, tuple(values.values()))


def _flag(option: str, source: str, meaning: str) -> OptionInfo:
    return OptionInfo(option, "flag", (False, True), False, meaning, source, ("no", "yes"))


OPTIONS: Final[tuple[OptionInfo, ...]] = (
    _choice("first_dealer_tie", "002 Choosing the dealer", "Who deals first when the earliest month was drawn twice",
            _TIES, "rank_then_redraw"),
    _flag("mizuten", "002; FW (optional)", "The dealer may declare to play blind, before looking at the hand"),
    _flag("require_two_players", "002, info box", "Two players must play: the last two may not drop out"),
    _choice("dropout_penalty", "002 leaves it open; FW hachi-hachi.md", "What dropping out costs", _PENALTY, "off"),
    _choice("forced_out_compensation", "002 (optional); FW hachi-hachi.md", "What a player who is forced out is paid",
            _COMPENSATION, "off"),
    _choice("diving_scope", "002; FW widens it", "Who is paid for capturing the month of a triplet (Diving)",
            _SCOPES, "contains_triplet"),
    OptionInfo("rounds", "number", (), 12, "Deals of a match", "FW hachi-hachi.md: a year of twelve",
               minimum=1, maximum=MAX_DEALS),
)  # fmt: skip

DEFAULTS: Final[dict[str, OptionValue]] = {info.id: info.default for info in OPTIONS}
_BY_ID: Final = {info.id: info for info in OPTIONS}


def read_options(values: Mapping[object, object]) -> NukiOptions:
    """Options from JSON values; what is left out has the value of `nuki88`.

    Raises BadOption naming the unknown id, or the unknown value and what is allowed.
    """
    found = dict(DEFAULTS)
    for option, value in values.items():
        info = _BY_ID.get(option) if isinstance(option, str) else None
        if info is None:
            message = f"Nuki has no option {option!r:.60}. Known: {', '.join(_BY_ID)}."
            raise BadOption(message, extra={"option": str(option), "allowed": list(_BY_ID)})
        found[info.id] = info.read(value)
    return NukiOptions(**found)  # type: ignore[arg-type]  # each value was just read by its own OptionInfo
