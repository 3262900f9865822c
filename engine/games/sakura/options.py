"""The options of the Sakura family: every one of them, as data. Source: rules.md 2.1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.errors import BadOption
from engine.game import MAX_DEALS, OptionInfo, Options, OptionValue

MAX_PENALTY: Final = 10_000
"""Ours, no source has one: with it no score outgrows a whole number of the database."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SakuraOptions(Options):
    """Every option resolved. The meaning of each value is in `OPTIONS`."""

    first_dealer_tie: str
    deal_pattern: str
    field_quad: str
    deal_hands: str
    hiki: str
    hiki_block: str
    blocked_gaji: str
    gaji_wild: str
    gaji_from_pile: str
    gaji_decline: str
    gaji_on_triple: str
    gaji_claim: str
    gaji_at_deal: str
    triple_capture: str
    round_end: str
    basa: bool
    chu: bool
    yaku_penalty: int
    dealer_succession: str
    team_dealer: str
    teams: str
    final_tie: str


def _choice(option: str, source: str, meaning: str, **values: str) -> OptionInfo:
    """A choice between words; the first one is the default (the value of `hawaii`)."""
    allowed = tuple(values)
    return OptionInfo(option, "choice", allowed, allowed[0], meaning, source, tuple(values.values()))


def _flag(option: str, source: str, meaning: str) -> OptionInfo:
    return OptionInfo(option, "flag", (False, True), False, meaning, source, ("no", "yes"))


def _number(option: str, source: str, meaning: str, default: int, minimum: int, maximum: int) -> OptionInfo:
    return OptionInfo(option, "number", (), default, meaning, source, minimum=minimum, maximum=maximum)


_SEATINGS: Final = {
    "solo": "every player on their own",
    "2x2": "4 players, two pairs sitting opposite",
    "3x2": "6 players, three pairs sitting opposite",
    "2x3": "6 players, two trios sitting alternately",
}

OPTIONS: Final[tuple[OptionInfo, ...]] = (
    _choice(
        "first_dealer_tie", "000 Setup; 001 Préparation", "Who deals first when the earliest month was drawn twice",
        redraw="only the tied players draw again",
        value_then_redraw="the card of higher value deals, equal values draw again",
        rank_then_redraw="the card of higher printed rank deals, chaff of one month draws again",
    ),
    _choice(
        "deal_pattern", "003, note under the dealing table", "In which packets the cards are dealt",
        packets="whole hands, then the field",
        halves="half the field, half of each hand, the rest of the field, the rest of the hands",
    ),
    _choice(
        "field_quad", "000; 001", "Four cards of a month dealt to the field",
        dealer_captures="the dealer captures them",
        void_round="the deal is void",
        redeal="shuffle and deal again, same dealer",
    ),
    _choice(
        "deal_hands", "001 Préparation", "Hands that win as they are dealt",
        off="none",
        teshi_kuttsuki="Teshi or Kuttsuki wins the deal with 6 points",
    ),
    _choice(
        "hiki", "000 Hiki", "Capturing a whole month from hand and field at once",
        any_split="allowed, however the four cards are split",
        off="no such rule",
    ),
    _choice(
        "hiki_block", "000 Gaji; 001 Exception", "What stops the wild Gaji",
        owner_captures="the owner of the rest of the month captures it at once",
        forbid_triple="the owner of the fourth card forbids taking a triple",
        off="nothing",
    ),
    _choice(
        "blocked_gaji", "000; FW (return)", "What a blocked Gaji may do",
        retarget_or_leave="name another card or stay on the field",
        retarget_leave_or_return="name another card, stay, or go back to the hand",
    ),
    _choice(
        "gaji_wild", "000; 001", "When the Gaji takes any card",
        from_hand="always",
        until_willow_captured="while nobody has captured a Willow",
        off="never",
    ),
    _choice(
        "gaji_from_pile", "000 and 001; 003", "The Gaji turned up from the pile",
        plain="is an ordinary Willow",
        wild="is as wild as from the hand",
    ),
    _choice(
        "gaji_decline", "000", "Laying a wild Gaji without a capture",
        after_block_only="only after a block",
        anytime="always allowed",
    ),
    _choice(
        "gaji_on_triple", "000; 001 Exception", "What the Gaji takes of three cards of a month",
        one="the named card",
        all="all three",
    ),
    _choice(
        "gaji_claim", "000 Gaji, End of Round; 001; 003 note", "What the use of the Gaji claims later",
        round_end_same_month="at the end, the cards of the paired month left on the field",
        round_end_all_leftovers="at the end, all cards left on the field",
        next_point_card="the next point card of the paired month that shows up",
    ),
    _choice(
        "gaji_at_deal", "000", "The Gaji dealt to the field",
        stay="stays there as a Willow",
        discard="is taken out of the deal",
    ),
    _choice(
        "triple_capture", "000; 001 (a right)", "The fourth card of a month takes the three",
        mandatory="always",
        optional="or only one of them",
    ),
    _choice(
        "round_end", "000; 001; 003", "When the deal ends",
        hands_and_pile="hands and pile are empty",
        hands_empty="the hands are empty",
        pile_or_hands="the pile or the hands are empty",
    ),
    _choice(
        "scoring", "000 Victory Scoring", "How a match is won",
        cumulative="by the sum of the scores",
        victories="by deals won",
    ),
    _flag("basa", "000 (list lost), FW", "A deal won by 100 or more gives a double victory"),
    _flag("chu", "000 (list lost), FW", "A deal won by 50 or more gives a double victory (with Basa, 100 gives three)"),
    _number("yaku_penalty", "000; 001; 003", "What a yaku costs every opponent", 50, 0, MAX_PENALTY),
    _choice(
        "dealer_succession", "000; 001", "Who deals next",
        winner="the winner of the deal",
        rotate="the seat to the dealer's right",
    ),
    _choice(
        "team_dealer", "000 (left to a house rule)", "Which member of a winning team deals",
        earliest_member="the first in turn order from the last dealer",
    ),
    OptionInfo("teams", "choice", tuple(_SEATINGS), "solo", "Who plays together", "000 Setup; 001",
               tuple(_SEATINGS.values())),
    _number("rounds", "001", "Deals of a match", 12, 1, MAX_DEALS),
    _choice("final_tie", "no source says", "Equal at the end of the match", shared="they win together"),
)  # fmt: skip

DEFAULTS: Final[dict[str, OptionValue]] = {info.id: info.default for info in OPTIONS}
_BY_ID: Final = {info.id: info for info in OPTIONS}


def read_options(values: Mapping[object, object]) -> SakuraOptions:
    """Options from JSON values; what is left out has the value of `hawaii`.

    Raises BadOption naming the unknown id, or the unknown value and what is allowed.
    """
    found = dict(DEFAULTS)
    for option, value in values.items():
        info = _BY_ID.get(option) if isinstance(option, str) else None
        if info is None:
            message = f"Sakura has no option {option!r:.60}. Known: {', '.join(_BY_ID)}."
            raise BadOption(message, extra={"option": str(option), "allowed": list(_BY_ID)})
        found[info.id] = info.read(value)
    return SakuraOptions(**found)  # type: ignore[arg-type]  # each value was just read by its own OptionInfo
