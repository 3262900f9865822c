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


def chains_of(waits: Waits) -> dict[str, int]:
    """Return, by match, how many matches follow one another from it to the end, itself included."""
    found: dict[str, int] = {}
    following: dict[str, int] = {}
    for name, needed in reversed(list(waits.items())):
        found[name] = 1 + following.get(name, 0)
        for before in needed:
            following[before] = max(following.get(before, 0), found[name])
    return found


def flowing_ends(groups: Sequence[Waits], pace: Pace, rng: Random) -> dict[tuple[int, str], float]:
    """Return, by group and match, the minute at which its table is free again.

    Each match takes a table for its own time and the change after it. Of the matches that wait for nobody the one that
    most matches hang on takes the first table that is free; what ends is known at once.
    """
    order = _order(groups)
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
            heappush(playing, (now + match_minutes(pace, rng) + pace.change, group, name))
            free -= 1
        now, group, ended = heappop(playing)
        ends[group, ended] = now
        free += 1
        for other, name in [key for key, needed in left.items() if key[0] == group and ended in needed]:
            left[other, name].discard(ended)
            if not left[other, name]:
                heappush(queue, (order[other, name], other, name))
    return ends


def _order(groups: Sequence[Waits]) -> dict[tuple[int, str], int]:
    """Return the place of each match in the order of calls: the longest chain first, then as the bracket has them."""
    chains = {(group, name): n for group, waits in enumerate(groups) for name, n in chains_of(waits).items()}
    listed = [(group, name) for group, waits in enumerate(groups) for name in waits]
    return {key: place for place, key in enumerate(sorted(listed, key=lambda key: -chains[key]))}


def minutes_by_round(rounds: Sequence[Iterable[tuple[int, str]]], ends: Mapping[tuple[int, str], float]) -> list[float]:
    """Return by how much each round, the matches of all groups, ends after those before it; 0 if it does not."""
    found: list[float] = []
    for matches in rounds:
        last = max((ends[each] for each in matches), default=0.0)
        found.append(max(0.0, last - sum(found)))
    return found
