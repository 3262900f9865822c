"""The figures of a fresh bracket (tournaments.md section 4, last column)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from core.formats.elimination.advance import played_out
from core.formats.elimination.model import Bracket, Figures, State
from core.formats.elimination.reach import Paths, first_rematch
from core.formats.model import Constraint


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
