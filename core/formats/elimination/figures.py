"""The figures of a fresh bracket (tournaments.md section 4, last column); its tables, counted without building it.

Tables are those of each draw in lock-step, as `stage` has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from core.formats.elimination.advance import played_out
from core.formats.elimination.model import Bracket, Figures, State
from core.formats.elimination.pairs import padded
from core.formats.elimination.reach import Paths, first_rematch
from core.formats.model import Constraint, Seats
from core.formats.sizes import split


def figures(bracket: Bracket, constraints: Sequence[Constraint] = ()) -> Figures:
    """Count figures from the graph and from one run in which the better of the draw always wins."""
    whole = played_out(bracket)
    played = sum(match.state is State.FINISHED for match in whole.matches)
    # If the better always wins, the unbeaten side wins the first final: the second one is then what may come on top.
    second = sum(bool(match.after) for match in whole.matches if match.state is State.UNNEEDED)
    paths = Paths(bracket.matches)
    by_id = {match.id: match for match in bracket.matches}
    return Figures(
        least=played,
        most=played + second,
        byes=sum(paths.has_bye(entry, by_id) for entry in bracket.entries),
        clashes=len(clashes(bracket, paths, constraints)),
        rematch=first_rematch(bracket.matches),
    )


def clashes(bracket: Bracket, paths: Paths, constraints: Sequence[Constraint]) -> list[tuple[str, str]]:
    """Pairs wished apart that may meet in the first match of either."""
    here = set(bracket.entries)
    by_id = {match.id: match for match in bracket.matches}
    separated = {pair for item in constraints for pair in combinations(sorted(set(item.entries) & here), 2)}
    return [
        pair
        for pair in sorted(separated)
        if paths.meet(*pair) <= 1 + any(paths.has_bye(entry, by_id) for entry in pair)
    ]


def single_by_draw(entries: int, seats: Seats, advance: int) -> tuple[int, ...]:
    """Return the tables of each draw of a single elimination, the final last; none of fewer than two entries."""
    if entries < 2:
        return ()
    if seats.max == 2:
        size = padded(entries)
        later = [size >> turn for turn in range(2, size.bit_length())]
        return (entries - size // 2, *later)
    return tuple(tables for tables, _out in _wide(entries, seats, advance))


def double_by_draw(entries: int, seats: Seats, advance: int) -> tuple[int, ...]:
    """Return the tables of each draw of a double elimination, both finals last.

    At two seats the counts are those of the bracket; of larger tables they are close to them.
    """
    if entries < 2:
        return ()
    if entries == 2 and seats.max == 2:
        return (1, 1, 1)
    upper = single_by_draw(entries, seats, advance)
    lower = _lower_pairs(entries) if seats.max == 2 else _lower_wide(entries, seats, advance)
    # The lower bracket begins one draw after the upper one, whose losers it takes.
    both = [0] * max(len(upper), len(lower) + 1)
    for turn, tables in enumerate(upper):
        both[turn] += tables
    for turn, tables in enumerate(lower, start=1):
        both[turn] += tables
    return (*(tables for tables in both if tables), 1, 1)


def _lower_pairs(entries: int) -> tuple[int, ...]:
    """Return the tables of the lower bracket at two seats: everybody but the two finalists goes out in it."""
    size = padded(entries)
    first = max(0, entries - 3 * size // 4)
    second = min(size // 4, entries - size // 2)
    later = [size >> level for level in range(3, size.bit_length()) for _ in range(2)]
    return (first, second, *later)


def _wide(entries: int, seats: Seats, advance: int, last: int = 1) -> list[tuple[int, int]]:
    """Return (tables, entries that go out) of each draw of larger tables. last: how many stay of the last table."""
    found = []
    remaining = entries
    while remaining > seats.max:
        tables = len(split(remaining, seats)[0])
        on = min(tables * advance, remaining - 1)
        found.append((tables, remaining - on))
        remaining = on
    return [*found, (1, max(0, remaining - last))]


def _lower_wide(entries: int, seats: Seats, advance: int) -> tuple[int, ...]:
    """Return the tables of the lower bracket of larger tables: survivors meet those who come down, draw after draw."""
    unbeaten = max(1, min(advance, seats.max - seats.min + 1))
    room = seats.max - unbeaten
    upper = _wide(entries, seats, advance, unbeaten)
    drops = [out for _tables, out in upper]
    counted = []
    below = 0
    for number, out in enumerate(drops):
        below += out
        # Until they fit beside those who come down next; in the end into the final.
        target = max(room, drops[number + 1]) if number + 1 < len(drops) else room
        while below > target and (sizes := split(below, seats)[0]):
            counted.append(len(sizes))
            below = min(len(sizes) * advance, below - 1) if len(sizes) > 1 else min(room, below - 1)
    return tuple(counted)
