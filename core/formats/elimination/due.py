"""What is due: the entries that belong in a match by the results of those that feed it, even where a correction kept
others; and the matches of a bracket that can be drawn although others are still played.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from core.formats.elimination.model import Bracket, BracketMatch, Feed
from core.formats.elimination.replayed import open_pods
from core.formats.model import Plan


@dataclass(frozen=True, slots=True)
class Due:
    """is_known: every match that feeds it is over. entries: who belongs in it then; fewer than go on: nobody plays."""

    is_known: bool
    entries: tuple[str, ...] = ()


def due_in(bracket: Bracket, name: str) -> Due:
    """Return who belongs in the match of that id. Raises FormatError "bracket.match"."""
    match = bracket.match(name)
    if match.after:
        first = bracket.match(match.after)
        if not first.is_over:
            return Due(is_known=False)
        unbeaten = {seat.entry for seat in first.seats[: match.unbeaten]}
        # The second final is not needed: nobody belongs in it (as in `advance._seated`).
        if first.order[0] is None or first.order[0] in unbeaten:
            return Due(is_known=True)
    found: list[str] = []
    for seat in match.seats:
        is_known, entry = _of(bracket, match, seat.source)
        if not is_known:
            return Due(is_known=False)
        if entry is not None and entry not in found:
            found.append(entry)
    return Due(is_known=True, entries=tuple(found))


def _of(bracket: Bracket, match: BracketMatch, source: str | Feed | None) -> tuple[bool, str | None]:
    if not isinstance(source, Feed):
        return True, source
    feeding = bracket.match(source.match)
    if not feeding.is_over:
        return False, None
    return True, feeding.order[source.place - 1] if source.place <= len(feeding.order) else None


def drawable(
    bracket: Bracket, history: Sequence[Plan], open_tables: Collection[tuple[int, int]], complete: int
) -> list[tuple[int, BracketMatch]]:
    """Return the matches that can be drawn now, each with its round, in the order of play.

    The round is the one in which whole rounds would have it: the next after those of the matches that feed it.
    complete: the first rounds that are closed and take no more matches. An entry that still sits at another table, as
    after a correction that kept a result, is drawn once that table has ended.
    """
    drawn = {pod.label: plan.round for plan in history for pod in plan.pods}
    busy = {entry for pod in open_pods(history, open_tables).values() for entry in pod.seats}
    levels = _levels(bracket, drawn)
    return [
        (max(levels[match.id], complete + 1), match)
        for match in bracket.ready
        if match.id not in drawn and not busy.intersection(match.entries)
    ]


def _levels(bracket: Bracket, drawn: Mapping[str, int]) -> dict[str, int]:
    """Return, by match, its round: of what was not played the round before its own."""
    levels: dict[str, int] = {}
    for match in bracket.matches:
        fed_by = {seat.source.match for seat in match.seats if isinstance(seat.source, Feed)}
        before = max((levels[name] for name in {*fed_by, match.after} - {""}), default=0)
        if match.id in drawn:
            levels[match.id] = drawn[match.id]
        elif match.is_over:
            levels[match.id] = before  # byes and walk-overs take no time
        else:
            # The first draw is of the first round alone, so nothing that follows it is earlier than the second.
            levels[match.id] = max(before, 1) + 1
    return levels


def chains(bracket: Bracket) -> dict[str, int]:
    """Return, by match, how many matches follow one another from it to the end, itself included.

    What is over, and what nobody can play, counts nothing. The longest chain decides when the bracket ends.
    """
    found: dict[str, int] = {}
    following: dict[str, int] = {}
    for match in reversed(bracket.matches):
        possible = sum(not (seat.is_known and seat.entry is None) for seat in match.seats)
        found[match.id] = following.get(match.id, 0) + (not match.is_over and possible > 1)
        for name in {*(seat.source.match for seat in match.seats if isinstance(seat.source, Feed)), match.after} - {""}:
            following[name] = max(following.get(name, 0), found[match.id])
    return found


def sides_at_most(bracket: Bracket) -> dict[str, int]:
    """Return, by match, how many may come to it at most as it was drawn: one where the others are byes.

    Who left since changes nothing, so matches that are counted by it keep their numbers.
    """
    found: dict[str, int] = {}
    for match in bracket.matches:
        sources = [seat.source for seat in match.seats if seat.source is not None]
        found[match.id] = sum(not isinstance(each, Feed) or found[each.match] >= each.place for each in sources)
    return found
