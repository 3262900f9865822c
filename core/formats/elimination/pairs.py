"""Brackets at two seats. Slot order: recursive standard seeding; the lower bracket's drop-ins come in alternated order.

The drop orders are those of the public library brackets-manager (its defaults), so that its users find their bracket.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from core.formats.elimination.model import BracketMatch, BracketSeat, Feed, Source
from core.formats.model import Reason
from engine.words import gettext_noop

SEEDED = gettext_noop("Seed %(one)d v seed %(other)d.")
BYE = gettext_noop("Seed %(one)d has a bye in this round.")
UPPER = gettext_noop("The winners of %(one)s and %(other)s meet.")
DROPPED = gettext_noop("The loser of %(one)s meets the winner of %(other)s.")
LOSERS = gettext_noop("The losers of %(one)s and %(other)s meet: the one who loses again is out.")
BEATEN = gettext_noop("The losers of %(one)s and %(other)s meet in the consolation bracket.")
FINAL = gettext_noop("The unbeaten winner of the winners' bracket meets the winner of the losers' bracket.")
RESET = gettext_noop("Played only if the unbeaten side lost the first final: then both have lost once.")
THIRD = gettext_noop("The losers of both semifinals play for third place.")

Matches = list[BracketMatch]


def slots(size: int) -> list[int]:
    """Seeds in slot order; size is a power of two.

    >>> slots(8)
    [1, 8, 4, 5, 2, 7, 3, 6]
    """
    order = [1]
    while len(order) < size:
        # Each seed gets the opponent with which it sums up to one more than the slots: 1 and 2 meet in the final at the
        # earliest.
        order = [seed for top in order for seed in (top, 2 * len(order) + 1 - top)]
    return order


def padded(entries: int) -> int:
    """The next power of two."""
    return 1 << max(0, entries - 1).bit_length()


def single(order: Sequence[str], *, third_place: bool, consolation: bool = False) -> Matches:
    """Single elimination of entries in the order of the draw (at least two).

    consolation: who loses in the first round plays on in a knock-out of their own, below everybody else.
    """
    matches = _upper(order)
    first, *after = _rounds(matches)
    if consolation and len(first) > 2:
        # Before the second round, though it is played beside it: who goes out earlier in this order ranks lower.
        matches = [*first, *_consolation(first), *(match for turn in after for match in turn)]
    if third_place and len(order) > 2:
        *before, final = matches
        semifinals = [match for match in before if match.round == before[-1].round]
        third = [Feed(match.id, 2) for match in semifinals]
        matches = [*before, _match("C1", 1, third, Reason("bracket.third", THIRD)), final]
    return matches


def _consolation(first: Matches) -> Matches:
    """L1 to the last, of those who lose in the first round."""
    sources, level, matches = [Feed(match.id, 2) for match in first], 0, list[BracketMatch]()
    while len(sources) > 1:
        level += 1
        text = (BEATEN, "bracket.consolation") if level == 1 else (UPPER, "bracket.winners")
        turn = _pair_off(f"L{level}", sources, *text)
        matches += turn
        sources = [Feed(match.id, 1) for match in turn]
    return matches


def double(order: Sequence[str]) -> Matches:
    """Double elimination: upper and lower bracket, final, second final; in the order of play."""
    upper = _rounds(_upper(order))
    first, last = upper[0], upper[-1][0]
    matches = list(first)
    survivors: Sequence[Source] = [Feed(match.id, 2) for match in first]
    for level, turn in enumerate(upper[1:]):
        name = f"L{2 * level + 1}"
        text = (LOSERS, "bracket.losers") if level == 0 else (UPPER, "bracket.winners")
        majors = _pair_off(name, survivors, *text)
        # In the order of play: losers of W1 meet while W2 is played, whose losers then drop in.
        matches += [*majors, *turn]
        # Losers drop far from those they have met: the orders put off rematches in the lower bracket.
        drops = _drop_order(len(first) * 2, level + 1)([Feed(match.id, 2) for match in turn])
        facing = zip(drops, majors, strict=True)
        minors = [
            _match(f"L{2 * level + 2}", number, (drop, Feed(major.id, 1)), _between(DROPPED, drop.match, major.id))
            for number, (drop, major) in enumerate(facing, start=1)
        ]
        matches += minors
        survivors = [Feed(match.id, 1) for match in minors]
    final = (Feed(last.id, 1), survivors[0])
    again = (Feed(last.id, 1), Feed("F1:1", 1))
    matches.append(_match("F1", 1, final, Reason("bracket.final", FINAL)))
    return [*matches, _match("F2", 1, again, Reason("bracket.reset", RESET), after="F1:1", unbeaten=1)]


def _upper(order: Sequence[str]) -> Matches:
    """W1 to the last, round by round."""
    size = padded(len(order))
    seeds = slots(size)
    sources = [order[seed - 1] if seed <= len(order) else None for seed in seeds]
    turn = [
        _match(
            "W1", number, (sources[2 * number - 2], sources[2 * number - 1]), _opening(seeds, number - 1, len(order))
        )
        for number in range(1, size // 2 + 1)
    ]
    matches, label = list(turn), 1
    while len(turn) > 1:
        label += 1
        turn = _pair_off(f"W{label}", [Feed(match.id, 1) for match in turn], UPPER, "bracket.winners")
        matches += turn
    return matches


def _pair_off(name: str, sources: Sequence[Source], text: str, code: str) -> Matches:
    """Pair neighbours into a round."""
    matches = []
    for number in range(1, len(sources) // 2 + 1):
        one, other = sources[2 * number - 2 : 2 * number]
        assert isinstance(one, Feed)
        assert isinstance(other, Feed)
        matches.append(_match(name, number, (one, other), _between(text, one.match, other.match, code)))
    return matches


def _opening(seeds: Sequence[int], index: int, entries: int) -> Reason:
    one, other = seeds[2 * index], seeds[2 * index + 1]
    if other > entries:
        return Reason("bracket.bye", BYE, (("one", one),))
    return Reason("bracket.seeded", SEEDED, (("one", one), ("other", other)))


def _between(text: str, one: str, other: str, code: str = "bracket.dropped") -> Reason:
    return Reason(code, text, (("one", one), ("other", other)))


def _match(
    name: str, number: int, sources: Sequence[Source], why: Reason, *, after: str = "", unbeaten: int = 0
) -> BracketMatch:
    seats = tuple(BracketSeat(source) for source in sources)
    return BracketMatch(name, number, seats, after=after, unbeaten=unbeaten, why=why)


def _rounds(matches: Matches) -> list[Matches]:
    labels = dict.fromkeys(match.round for match in matches)
    return [[match for match in matches if match.round == label] for label in labels]


# -- in which order the losers of an upper round drop into the lower bracket -----------------------------------------

Drops = Sequence[Feed]


def _natural(drops: Drops) -> Drops:
    return drops


def _reverse(drops: Drops) -> Drops:
    return drops[::-1]


def _half_shift(drops: Drops) -> Drops:
    half = len(drops) // 2
    return [*drops[half:], *drops[:half]]


def _reverse_half_shift(drops: Drops) -> Drops:
    half = len(drops) // 2
    return [*reversed(drops[:half]), *reversed(drops[half:])]


def _pair_flip(drops: Drops) -> Drops:
    return [drops[index ^ 1] for index in range(len(drops))]


Order = Callable[[Drops], Drops]
DROPS: Mapping[int, tuple[Order, ...]] = {
    2: (),
    4: (_reverse,),
    8: (_reverse, _natural),
    16: (_reverse_half_shift, _reverse, _natural),
    32: (_reverse, _half_shift, _natural, _natural),
    64: (_reverse, _half_shift, _reverse, _natural, _natural),
    128: (_reverse, _half_shift, _pair_flip, _pair_flip, _pair_flip, _natural),
}
"""Slots of the bracket -> orders of the losers of W2, W3, .."""


def _drop_order(size: int, level: int) -> Order:
    """The order for the losers of W(level + 1). Beyond the table: reversed and half shifted by turns."""
    if size in DROPS:
        return DROPS[size][level - 1]
    # From this round on a single loser drops, so there is no order to choose.
    last = padded(size).bit_length() - 2
    if level >= last:
        return _natural
    return (_reverse, _half_shift)[(level - 1) % 2]
