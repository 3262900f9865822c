"""Drawing a bracket: from entries and a shape to the whole graph of matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from random import Random

from core.formats.elimination import pairs, wide
from core.formats.elimination.advance import advance
from core.formats.elimination.figures import figures
from core.formats.elimination.model import Bracket, BracketMatch, Kind
from core.formats.elimination.separate import part
from core.formats.errors import FormatError
from core.formats.model import Constraint, Entrant, Reason, Seats
from core.formats.sizes import check, split
from engine.words import gettext_noop

TOP = gettext_noop("Byes in the first round: %(byes)d, for the top seeds.")


class DrawBy(StrEnum):
    """Rule for the order of the draw."""

    SEED = "seed"
    RATING = "rating"  # higher first, then seed
    LOTS = "lots"  # from the published seed of the draw
    HAND = "hand"  # as the organiser says


@dataclass(frozen=True, slots=True)
class BracketShape:
    """Shape of a bracket. advance: how many go on from a table. third_place: a match of the beaten semifinalists.

    consolation: a knock-out of those who lose in the first round.
    """

    kind: Kind = Kind.SINGLE
    seats: Seats = field(default_factory=lambda: Seats(2, 2, 2))
    advance: int = 1
    third_place: bool = False
    consolation: bool = False


def ordered(
    entries: Sequence[Entrant],
    by: DrawBy = DrawBy.SEED,
    *,
    rng: Random | None = None,
    ratings: Mapping[str, float] | None = None,
    hand: Sequence[str] = (),
) -> tuple[str, ...]:
    """Active entries in the order of the draw, the strongest first, no matter what order they are passed in.

    rng: needed for lots. ratings: of every entry. hand: every active entry once.
    Raises FormatError "draw.rating", "draw.lots" or "draw.hand" when what the way of drawing needs is missing.
    """
    active = sorted((item for item in entries if item.is_active), key=lambda item: (item.seed, item.entry))
    names = [item.entry for item in active]
    if by is DrawBy.RATING:
        known = ratings or {}
        if missing := [name for name in names if name not in known]:
            raise FormatError(f"no rating of {', '.join(missing)}; draw by seed or give one", code="draw.rating")
        # A stable sort after the one by seed: equal ratings stay in seed order.
        names.sort(key=lambda name: -known[name])
    elif by is DrawBy.LOTS:
        if rng is None:
            raise FormatError("lots need the seed of the draw; pass one", code="draw.lots")
        rng.shuffle(names)
    elif by is DrawBy.HAND:
        # Neither one too many nor one twice nor one missing.
        if sorted(hand) != sorted(names):
            raise FormatError("the order set by hand must name every active entry once", code="draw.hand")
        names = list(hand)
    return tuple(names)


def bracket(
    order: Sequence[str], shape: BracketShape, *, constraints: Sequence[Constraint] = (), lots: str = ""
) -> Bracket:
    """The whole bracket of entries in the order of the draw (`ordered`), with byes already walked over.

    constraints: pairs wished apart; entries change places with others of the same band (seeds 3-4, 5-8, ..; a tier of
    tables) so that they meet as late as they can. lots: published; decides between equal places.
    Raises FormatError "seats.range", "entries.too_few", "entries.twice", "bracket.advance", "bracket.third" or
    "bracket.consolation".
    """
    made = unmeasured(order, shape, constraints=constraints, lots=lots)
    made = replace(made, figures=figures(made, constraints))
    byes = (Reason("bracket.byes", TOP, (("byes", made.figures.byes),)),) if made.figures.byes else ()
    return replace(made, reasons=(*byes, *made.reasons))


def unmeasured(
    order: Sequence[str], shape: BracketShape, *, constraints: Sequence[Constraint] = (), lots: str = ""
) -> Bracket:
    """Draw as `bracket` does, but without its figures: for drawing the same bracket again."""
    _check(order, shape)
    drawn = _build(order, shape)
    parted, reasons = part(drawn, order, constraints)
    matches = drawn if tuple(parted) == tuple(order) else _build(parted, shape)
    return advance(Bracket(shape.kind, _widest(matches), tuple(parted), tuple(matches), lots, reasons))


def _check(order: Sequence[str], shape: BracketShape) -> None:
    check(shape.seats)
    if len(set(order)) != len(order):
        raise FormatError("an entry is listed twice; list each once", code="entries.twice")
    if len(order) < 2 or not split(len(order), shape.seats)[0]:
        message = f"{len(order)} entries do not fill a table of {shape.seats.min}; wait for more"
        raise FormatError(message, code="entries.too_few")
    if not 1 <= shape.advance < shape.seats.pref:
        message = f"{shape.advance} go on from a table of {shape.seats.pref}: choose 1 to {shape.seats.pref - 1}"
        raise FormatError(message, code="bracket.advance")
    if shape.third_place and (shape.seats.max > 2 or shape.kind is Kind.DOUBLE):
        message = "a match for third place belongs to single elimination at two seats; leave it out"
        raise FormatError(message, code="bracket.third")
    if shape.consolation and (shape.seats.max > 2 or shape.kind is Kind.DOUBLE):
        message = "a consolation bracket belongs to single elimination at two seats; leave it out"
        raise FormatError(message, code="bracket.consolation")


def _build(order: Sequence[str], shape: BracketShape) -> list[BracketMatch]:
    if shape.seats.max == 2:
        if shape.kind is Kind.SINGLE:
            return pairs.single(order, third_place=shape.third_place, consolation=shape.consolation)
        return pairs.double(order)
    build = wide.single if shape.kind is Kind.SINGLE else wide.double
    return build(order, shape.seats, shape.advance)


def _widest(matches: Sequence[BracketMatch]) -> int:
    return max(len(match.seats) for match in matches)
