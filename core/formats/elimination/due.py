"""The entries that belong in a match by the results of those that feed it, even where a correction kept others."""

from __future__ import annotations

from dataclasses import dataclass

from core.formats.elimination.model import Bracket, BracketMatch, Feed


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
