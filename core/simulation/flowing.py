"""Hours of brackets whose matches start one by one: a table that gets free takes the next match that can be played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from random import Random

from core.formats.elimination.model import Bracket, Feed
from core.simulation.model import Pace

Waits = Mapping[str, frozenset[str]]
"""Matches in the order of the bracket, each with those that must be over before it."""


def waits_of(bracket: Bracket, played: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return what every match that is played waits for: the matches that feed it, through byes and walk-overs."""
    real = set(played)
    before: dict[str, frozenset[str]] = {}
    found: dict[str, frozenset[str]] = {}
    for match in bracket.matches:
        names = {seat.source.match for seat in match.seats if isinstance(seat.source, Feed)} | {match.after} - {""}
        needed = frozenset[str]().union(*(frozenset({name}) if name in real else before[name] for name in names))
        before[match.id] = needed
        if match.id in real:
            found[match.id] = needed
    return found


def match_minutes(pace: Pace, rng: Random) -> float:
    """Return how long one match takes; the normal distribution also gives short and negative times."""
    return max(pace.match / 2, rng.gauss(pace.match, pace.spread))


def flowing_ends(groups: Sequence[Waits], pace: Pace, rng: Random) -> dict[tuple[int, str], float]:
    """Return, by group and match, the minute at which its table is free again.

    Each match takes a table for its own time and the turnover after it. A match that waits for nobody takes the first
    table that is free, in the order of the bracket; what ends is known at once.
    """
    order = {(group, name): place for group, waits in enumerate(groups) for place, name in enumerate(waits)}
    left = {(group, name): set(needed) for group, waits in enumerate(groups) for name, needed in waits.items()}
    queue: list[tuple[int, int, str]] = []
    playing: list[tuple[float, int, str]] = []
    ends: dict[tuple[int, str], float] = {}
    free, now = pace.tables or len(order), 0.0
    for (group, name), needed in left.items():
        if not needed:
            heappush(queue, (order[group, name], group, name))
    while queue or playing:
        while queue and free:
            _place, group, name = heappop(queue)
            heappush(playing, (now + match_minutes(pace, rng) + pace.turnover, group, name))
            free -= 1
        now, group, ended = heappop(playing)
        ends[group, ended] = now
        free += 1
        for other, name in [key for key, needed in left.items() if key[0] == group and ended in needed]:
            left[other, name].discard(ended)
            if not left[other, name]:
                heappush(queue, (order[other, name], other, name))
    return ends


def minutes_by_round(rounds: Sequence[Iterable[tuple[int, str]]], ends: Mapping[tuple[int, str], float]) -> list[float]:
    """Return by how much each round, the matches of all groups, ends after those before it; 0 if it does not."""
    found: list[float] = []
    for matches in rounds:
        last = max((ends[each] for each in matches), default=0.0)
        found.append(max(0.0, last - sum(found)))
    return found
