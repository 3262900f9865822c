"""A bracket taken up from its rounds: what was drawn and played stands, no matter what has changed around it since.

A match that was drawn, is not open any more and has no end was struck out: who is still there goes on, among several
lots decide. And a match that was never drawn although one above it was, was walked over then, even if anyone who was
missing is back. Where rounds are drawn as a whole those before are complete, so nothing is open.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from core.formats.elimination.advance import advance
from core.formats.elimination.model import Bracket, BracketMatch, Ended, Feed
from core.formats.model import Finished, Plan, Pod

Drawn = Mapping[str, Pod]
"""Pods of all rounds so far, by label."""


def drawn_of(history: Sequence[Plan]) -> Drawn:
    """Every pod that was drawn."""
    return {pod.label: pod for plan in history for pod in plan.pods}


def taken_up(
    bracket: Bracket,
    history: Sequence[Plan],
    finished: Sequence[Finished],
    gone: Sequence[str] = (),
    open_tables: Collection[tuple[int, int]] = (),
) -> Bracket:
    """Return the bracket after these rounds. open_tables: the (round, table) of matches that are still to end."""
    drawn, still = drawn_of(history), open_pods(history, open_tables)
    above = _above(bracket)
    by_match = {ended.match: ended for ended in ended_matches(history, finished)}
    # Who left in the middle of a match is out once it has ended: its opponent does not go on before that.
    sitting = {entry for pod in still.values() for entry in pod.seats}
    away = [entry for entry in gone if entry not in sitting]
    now = advance(bracket, by_match.values(), away)
    # Again and again: a match that is settled can make the next one ready, which was also drawn or passed over.
    while settled := [
        match for match in now.ready if match.id not in still and (match.id in drawn or _listed(match, above, drawn))
    ]:
        by_match |= {match.id: _as_it_went(match, above, drawn) for match in settled}
        now = advance(bracket, by_match.values(), away)
    return now


def open_pods(history: Sequence[Plan], open_tables: Collection[tuple[int, int]]) -> Drawn:
    """Return the drawn matches that are still to end."""
    return {pod.label: pod for plan in history for pod in plan.pods if (plan.round, pod.table) in open_tables}


def ended_matches(history: Sequence[Plan], finished: Sequence[Finished]) -> list[Ended]:
    """The ends of drawn matches, which stay with those who played them."""
    pods = {(plan.round, pod.table): pod for plan in history for pod in plan.pods}
    return [
        Ended(pod.label, pod.seats, item.places, item.scores, item.absent, True, item.ties, item.by_lots)
        for item in finished
        if (pod := pods.get((item.round, item.table)))
    ]


def _above(bracket: Bracket) -> dict[Feed, str]:
    """Map each place to the match that it leads to; of the two finals the first."""
    above: dict[Feed, str] = {}
    for match in bracket.matches:
        for seat in match.seats:
            if isinstance(seat.source, Feed):
                above.setdefault(seat.source, match.id)
    return above


def _listed(match: BracketMatch, above: Mapping[Feed, str], drawn: Drawn) -> bool:
    """Return whether a match that this one leads to was drawn with somebody of this one."""
    return any(_at(match, place, above, drawn) for place in range(1, len(match.seats) + 1))


def _at(match: BracketMatch, place: int, above: Mapping[Feed, str], drawn: Drawn) -> str | None:
    """Return who was drawn where that place leads to."""
    pod = drawn.get(above.get(Feed(match.id, place), ""))
    return next((entry for entry in match.entries if pod and entry in pod.seats), None)


def _as_it_went(match: BracketMatch, above: Mapping[Feed, str], drawn: Drawn) -> Ended:
    """Return the end of a match from who was drawn where; the others share what is left, for lots to decide."""
    took: dict[str, int] = {}
    for place in range(1, len(match.seats) + 1):
        entry = _at(match, place, above, drawn)
        if entry and entry not in took:
            took[entry] = place
    free = [place for place in range(1, len(match.entries) + 1) if place not in took.values()]
    shared = min(free, default=len(match.entries))
    return Ended(match.id, match.entries, tuple(took.get(entry, shared) for entry in match.entries), by_lots=True)
