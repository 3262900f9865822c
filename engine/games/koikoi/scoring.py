"""The end of a deal and of a match: scores, victories, who deals next. Source: Fuda Wiki Scoring for Yaku, Multipliers.

Only the player who stops scores: (base + what calls add) times every multiplier that applies.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.game import Json, Outcome
from engine.games.koikoi.hands import LUCKY_POINTS
from engine.games.koikoi.options import KoiKoiOptions
from engine.games.koikoi.outcome import KoiKoiOutcome
from engine.games.koikoi.position import NOBODY, KoiKoiPosition

SEVEN: Final = 7
PRIVILEGE: Final = MappingProxyType({"dealer_1": 1, "dealer_6": 6})
"""What the dealer of an exhausted deal scores, by the option `exhausted`."""
LADDER: Final = 3
"""Calls that add a point each; more of them multiply instead."""


class Counted(NamedTuple):
    """The way from yaku to a score: (base + added) * every factor."""

    base: int
    added: int
    multipliers: tuple[tuple[str, int], ...]

    @property
    def score(self) -> int:
        """The score of the player who stops."""
        return (self.base + self.added) * prod(factor for _, factor in self.multipliers)


def count(options: KoiKoiOptions, base: int, own: int, theirs: int, mult: int) -> Counted:
    """Count what a stop is worth. own, theirs: calls of the player who stops, of the other; mult: of the field.

    >>> from engine.games.koikoi.options import read_options
    >>> count(read_options({}), 8, 0, 1, 1).score
    32
    """
    added = own if options.koikoi_bonus == "ladder" and own <= LADDER else 0
    seven = 2 if options.seven_double and base >= SEVEN else 1
    factors = (("seven", seven), ("koikoi", call_factor(options.koikoi_bonus, own, theirs)), ("field_brights", mult))
    return Counted(base, added, tuple((code, factor) for code, factor in factors if factor > 1))


def call_factor(bonus: str, own: int, theirs: int) -> int:
    """Return how often a score counts because of calls. bonus: the option `koikoi_bonus`."""
    if bonus == "ladder":
        return max(1, own - LADDER + 1)
    if bonus == "own_count":
        return 1 + own
    if bonus == "opponent_count":
        return 1 + theirs
    doubling = {"opponent_double": theirs, "own_double": own, "any_double": own + theirs}
    return 2 if doubling.get(bonus, 0) else 1


def field_factor(option: str, brights: int) -> int:
    """Return how often a score counts because of Brights dealt to the field. option: `field_brights`."""
    if option == "double":
        return 2 if brights else 1
    if option == "count":
        return max(1, brights)
    return 1 + brights if option == "plus_one" else 1


def outcome(state: KoiKoiPosition) -> KoiKoiOutcome:
    """The result of a deal that is over."""
    if state.end is None:
        raise ValueError("the deal is not over")
    if state.end == "shoubu":
        return _stopped(state, state.winner)
    if state.end != "exhausted":
        return _unplayed(state)
    options = state.rules.options
    if options.exhausted == "last_caller" and state.last_caller != NOBODY:
        return _stopped(state, state.last_caller)
    return _outcome(state, state.dealer, PRIVILEGE.get(options.exhausted, 0), None)


def _stopped(state: KoiKoiPosition, seat: int) -> KoiKoiOutcome:
    """The yaku of a seat are scored, and it wins."""
    base = sum(state.yaku(seat).values())
    counted = count(state.rules.options, base, state.calls[seat], state.calls[1 - seat], state.mult)
    return _outcome(state, seat, counted.score, seat, counted)


def _unplayed(state: KoiKoiPosition) -> KoiKoiOutcome:
    """A deal that was over as it was dealt: nothing multiplies its points."""
    if state.winner == NOBODY:
        return _outcome(state, state.dealer, 0, None)
    lucky = state.lucky[state.winner]
    return _outcome(state, state.winner, lucky.points if lucky else LUCKY_POINTS, state.winner)


def _outcome(
    state: KoiKoiPosition, scorer: int, points: int, winner: int | None, counted: Counted | None = None
) -> KoiKoiOutcome:
    """Return what a seat scores, what the other pays for it, and who has won."""
    paid = -points if state.rules.options.zero_sum else 0
    base, added, multipliers = counted or (0, 0, ())
    return KoiKoiOutcome(
        reason=state.end or "",
        score=(points, paid) if scorer == 0 else (paid, points),
        winner=winner,
        winning_side=winner,
        victories=(int(winner == 0), int(winner == 1)),
        yaku=tuple(state.yaku(seat) for seat in range(len(state.hands))),
        base=base,
        added=added,
        multipliers=multipliers,
        calls=tuple(state.calls),
    )


def next_dealer(options: KoiKoiOptions, dealer: int, winner: int | None) -> int:
    """The seat that deals next: the winner; without one as `after_draw` says."""
    if winner is not None:
        return winner
    return 1 - dealer if options.after_draw == "other" else dealer


def is_match_over(options: KoiKoiOptions, deals: int, totals: Sequence[int]) -> bool:
    """Return whether the match ends after this many deals: by their number, a stake that is lost, or the target."""
    if deals >= options.rounds or (options.target and max(totals) >= options.target):
        return True
    return bool(options.stake) and min(totals) <= -options.stake


def lines(found: KoiKoiOutcome) -> list[Json]:
    """Return where the score of each side comes from; `v` of a side sum up to its score.

    One line per yaku, `calls` for what they add, then what each multiplier adds to the sum so far; `paid` for the
    other side. A deal that was not played has its reason, an exhausted one the dealer's `privilege`.
    """
    scorer = 0 if found.score[0] > 0 else 1
    points = found.score[scorer]
    told: list[Json] = []
    if found.base:
        told = _counted_lines(found, scorer)
    elif points > 0:
        code = "privilege" if found.reason == "exhausted" else found.reason
        told = [{"side": scorer, "code": code, "v": points}]
    paid = found.score[1 - scorer]
    return [*told, {"side": 1 - scorer, "code": "paid", "v": paid}] if paid else told


def _counted_lines(found: KoiKoiOutcome, side: int) -> list[Json]:
    told: list[Json] = [{"side": side, "code": "yaku", "yaku": name, "v": v} for name, v in found.yaku[side].items()]
    if found.added:
        told.append({"side": side, "code": "calls", "v": found.added})
    total = found.base + found.added
    for code, factor in found.multipliers:
        told.append({"side": side, "code": code, "v": total * (factor - 1)})
        total *= factor
    return told


def own_outcome(found: Outcome) -> KoiKoiOutcome:
    """The outcome as one of Koi-Koi. Raises TypeError for one of another game."""
    if not isinstance(found, KoiKoiOutcome):
        raise TypeError(f"not an outcome of Koi-Koi: {type(found).__name__}")
    return found
