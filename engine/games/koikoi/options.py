"""The options of Koi-Koi as data; the first value of each is Nintendo's.

Sources: Fuda Wiki is its page `koi-koi.md`, "(DS)" and "(Koi-Koi Japan)" its pages on two video games, of
which the first follows Nintendo's pamphlet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.errors import BadOption
from engine.game import MAX_DEALS, OptionInfo, Options, OptionValue


@dataclass(frozen=True, slots=True, kw_only=True)
class KoiKoiOptions(Options):
    """Every option resolved. The meaning of each value is in `OPTIONS`."""

    first_dealer_tie: str
    deal_pattern: str
    field_quad: str
    field_pairs: str
    teshi: str
    kuttsuki: str
    teyaku_stack: bool
    brights: str
    sets: str
    viewing: str
    weather: str
    sake_cup: str
    month_cards: bool
    koikoi_limit: str
    seven_double: bool
    koikoi_bonus: str
    field_brights: str
    exhausted: str
    zero_sum: bool
    after_draw: str
    stake: int
    target: int


def _choice(option: str, source: str, meaning: str, **values: str) -> OptionInfo:
    """A choice between words; the first one is the default (the value of `koikoi_nintendo`)."""
    allowed = tuple(values)
    return OptionInfo(option, "choice", allowed, allowed[0], meaning, source, tuple(values.values()))


def _flag(option: str, source: str, meaning: str, *, default: bool = False) -> OptionInfo:
    return OptionInfo(option, "flag", (False, True), default, meaning, source, ("no", "yes"))


def _number(option: str, source: str, meaning: str, default: int, minimum: int, maximum: int) -> OptionInfo:
    return OptionInfo(option, "number", (), default, meaning, source, minimum=minimum, maximum=maximum)


_REDEAL: Final = "shuffle and deal again, same dealer"
_PLAY: Final = "is played like any other"
_WIN: Final = "wins the deal with 6 points"

OPTIONS: Final[tuple[OptionInfo, ...]] = (
    _choice(
        "first_dealer_tie",
        "Nintendo; Fuda Wiki Choosing the Dealer",
        "Who deals first when the earliest month was drawn twice",
        redraw="only the tied players draw again",
        rank_then_redraw="the card of higher printed rank deals, chaff of one month draws again",
    ),
    _choice(
        "deal_pattern",
        "Nintendo; Fuda Wiki; KoiKoi-AI",
        "In which packets the cards are dealt",
        twos="two at a time: the opponent, the field, the dealer",
        fours="four at a time: the opponent, the field, the dealer",
        packets="whole hands, then the field",
    ),
    _choice(
        "field_quad",
        "Fuda Wiki Lucky Hands, Setup Variations; open-hanafuda-ai; KoiKoi-AI; Board Game Arena",
        "Four cards of a month dealt to the field",
        redeal=_REDEAL,
        dealer_wins="the dealer wins the deal with 6 points",
    ),
    _choice(
        "field_pairs",
        "Fuda Wiki; open-hanafuda-ai; KoiKoi-AI",
        "Four pairs dealt to the field",
        redeal=_REDEAL,
        play=_PLAY,
    ),
    _choice(
        "teshi",
        "Fuda Wiki (DS); Fuda Wiki; Board Game Arena; KoiKoi-AI",
        "Four cards of a month in a dealt hand (Teshi)",
        win=_WIN,
        redeal=_REDEAL,
        play=_PLAY,
    ),
    _choice(
        "kuttsuki",
        "Fuda Wiki (DS); Fuda Wiki; KoiKoi-AI",
        "Four pairs in a dealt hand (Kuttsuki)",
        win=_WIN,
        redeal=_REDEAL,
        play=_PLAY,
    ),
    _flag("teyaku_stack", "Fuda Wiki Lucky Hands, info box", "A hand that is both Teshi and Kuttsuki wins 12 points"),
    _choice(
        "brights",
        "Nintendo; Fuda Wiki (DS); open-hanafuda-ai; Fuda Wiki",
        "What Five, Four, Rainy Four and Three Brights are worth",
        nintendo="10, 8, 7 and 5",
        fuda="15, 8, 7 and 6",
    ),
    _choice(
        "sets",
        "Nintendo; Fuda Wiki; open-hanafuda-ai; Fuda Wiki Older Yaku; Fuda Wiki (Koi-Koi Japan); KoiKoi-AI",
        "How the sets of animals and of ribbons count",
        grow="the best of each kind, 1 point more for each further card of it",
        stack="5 points each, beside Animals and Ribbons",
        stack_bonus="5 points each, beside Animals and Ribbons; both sets of ribbons together 10 more",
    ),
    _choice(
        "viewing",
        "Nintendo; Fuda Wiki; open-hanafuda-ai; Fuda Wiki (Koi-Koi Japan); KoiKoi-AI; Fuda Wiki Taming the Sake Cup",
        "What Flower Viewing and Moon Viewing are worth",
        five="5 points each",
        one_three="1 point each, 3 once the player has called koi-koi",
        with_other="5 points each, but only beside another yaku",
        off="nothing",
    ),
    _choice(
        "weather",
        "Fuda Wiki Taming the Sake Cup; a local rule",
        "What ruins the viewings",
        off="nothing",
        field="a Willow on the field ruins Flower Viewing, a Paulownia there Moon Viewing",
        rain_man="the Rain Man ruins both for the player who has captured him",
    ),
    _choice(
        "sake_cup",
        "Nintendo; Fuda Wiki; open-hanafuda-ai; KoiKoi-AI; Fuda Wiki Taming the Sake Cup",
        "What the Sake Cup counts as",
        both="as an animal and as chaff",
        one_of="as an animal or as chaff, as it brings more",
        animal="as an animal alone",
    ),
    _flag("month_cards", "Fuda Wiki Other Yaku", "The four cards of the month of the deal are worth 4 points"),
    _choice(
        "koikoi_limit",
        "open-hanafuda-ai; Fuda Wiki (DS); Fuda Wiki; KoiKoi-AI",
        "How often koi-koi may be called in a deal",
        once="once in all",
        each_once="once by each player",
        many="at every improvement",
    ),
    _flag(
        "seven_double",
        "Fuda Wiki (DS); Fuda Wiki; open-hanafuda-ai",
        "Yaku of 7 points or more count twice",
        default=True,
    ),
    _choice(
        "koikoi_bonus",
        "Fuda Wiki (DS, Koi-Koi Japan), Multipliers; open-hanafuda-ai; Board Game Arena; KoiKoi-AI",
        "What calls do to the score",
        opponent_double="it counts twice if the opponent has called",
        opponent_count="each call of the opponent counts it once more",
        own_double="it counts twice if the winner has called",
        any_double="it counts twice if anybody has called",
        own_count="each call of the winner counts it once more",
        ladder="up to three calls of the winner add 1 point each; from four on it counts their number less 2 times",
        off="nothing",
    ),
    _choice(
        "field_brights",
        "Fuda Wiki Field Multipliers; Board Game Arena",
        "What Brights dealt to the field do to the score",
        off="nothing",
        double="with any of them it counts twice",
        count="it counts as many times as there are",
        plus_one="each counts it once more",
    ),
    _choice(
        "exhausted",
        "open-hanafuda-ai; Fuda Wiki Exhaustive Draw, Draws; Fuda Wiki (Koi-Koi Japan); KoiKoi-AI; French Fuda Wiki",
        "What a deal brings in which nobody stops",
        nothing="nothing",
        dealer_1="1 point for the dealer",
        dealer_6="6 points for the dealer",
        last_caller="the yaku of the player who called last count",
    ),
    _flag(
        "zero_sum",
        "Fuda Wiki Zero-Sum; Board Game Arena; KoiKoi-AI",
        "The loser of a deal loses as many points as the winner scores",
    ),
    _choice(
        "after_draw",
        "open-hanafuda-ai; Fuda Wiki; KoiKoi-AI",
        "Who deals after a deal without a winner",
        other="the other player",
        same="the same player",
    ),
    _choice(
        "scoring",
        "Nintendo; rules.md 4.4",
        "How a match is won",
        cumulative="by the sum of the scores",
        victories="by deals won",
    ),
    _number("rounds", "Nintendo; Fuda Wiki Setup; KoiKoi-AI", "Deals of a match", 12, 1, MAX_DEALS),
    _number("stake", "KoiKoi-AI", "Points whose loss ends the match (0: it goes on)", 0, 0, MAX_DEALS),
    _number("target", "Fuda Wiki Setup", "Points that end the match (0: it goes on)", 0, 0, MAX_DEALS),
)

DEFAULTS: Final[dict[str, OptionValue]] = {info.id: info.default for info in OPTIONS}
_BY_ID: Final = {info.id: info for info in OPTIONS}


def read_options(values: Mapping[object, object]) -> KoiKoiOptions:
    """Options from JSON values; what is left out has the value of `koikoi_nintendo`.

    Raises BadOption naming the unknown id, or the unknown value and what is allowed.
    """
    found = dict(DEFAULTS)
    for option, value in values.items():
        info = _BY_ID.get(option) if isinstance(option, str) else None
        if info is None:
            message = f"Koi-Koi has no option {option!r:.60}. Known: {', '.join(_BY_ID)}."
            raise BadOption(message, extra={"option": str(option), "allowed": list(_BY_ID)})
        found[info.id] = info.read(value)
    return KoiKoiOptions(**found)  # type: ignore[arg-type]  # each value was just read by its own OptionInfo
