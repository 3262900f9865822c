"""Selection of those who go on, with their seeds: a pure function of the source's final standings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from random import Random

from core.formats.errors import FormatError
from core.formats.model import Constraint, ConstraintKind, Entrant, Reason
from core.formats.progression.model import Finisher, Progression, SeedBy, Seeded, Selection
from engine.words import gettext_noop

LOTS = gettext_noop("Several entries were tied for the last places that advance; lots from the published draw decided.")
SHORT = gettext_noop("A group has fewer entries than places that advance: %(have)d advance instead of %(want)d.")


def select(
    rows: Sequence[Finisher],
    rule: Progression,
    *,
    lots: str,
    from_seed: int = 1,
    ratings: Mapping[str, float] | None = None,
    hand: Sequence[str] = (),
) -> Selection:
    """Give seeds from_seed.. to the places of the way. The same for the same lots, for any order of rows.

    lots: the published seed of the draw; tells shared ranks apart and draws. Withdrawn entries must be left out by
    the caller: who is behind them moves up. ratings: for SeedBy.RATING; hand: all that go on, for SeedBy.HAND.
    Raises FormatError "entries.twice", "draw.rating" or "draw.hand".
    """
    if len({row.entry for row in rows}) < len(rows):
        raise FormatError("an entry finished twice; list each once", code="entries.twice")
    groups: dict[str, list[Finisher]] = defaultdict(list)
    for row in rows:
        groups[row.group].append(row)
    chosen: list[tuple[int, Finisher]] = []
    tied: list[str] = []
    for name in sorted(groups):
        finished = sorted(groups[name], key=lambda row: (row.rank, _lot(lots, row.entry)))
        chosen += list(enumerate(finished, start=1))[rule.first - 1 : rule.last]
        tied += _tied(finished, rule)
    ranked = sorted(chosen, key=lambda item: (*_worth(item), _lot(lots, item[1].entry)))
    tied += _tied_over(ranked, rule.most)
    order = _order([row.entry for _, row in ranked[: rule.most]], rule, lots, ratings or {}, hand)
    at = {row.entry: (place, row) for place, row in chosen}
    seeded = tuple(
        Seeded(entry, seed, at[entry][1].group, at[entry][0], rule.carry)
        for seed, entry in enumerate(order, start=from_seed)
    )
    places = len(groups) * rule.size
    want = places if rule.most is None else min(places, rule.most)
    return Selection(seeded, tuple(sorted(set(tied))), _reasons(tied, len(seeded), want))


def _worth(item: tuple[int, Finisher]) -> tuple[int, list[Fraction]]:
    """Return the key of comparison, smaller is better: place in the group, then what was won."""
    return item[0], [-part for part in item[1].value]


def _tied_over(ranked: Sequence[tuple[int, Finisher]], most: int | None) -> list[str]:
    """Return entries of different groups that only lots tell apart at the limit."""
    if most is None or most >= len(ranked) or _worth(ranked[most - 1]) != _worth(ranked[most]):
        return []
    return [item[1].entry for item in ranked if _worth(item) == _worth(ranked[most])]


def _order(
    names: list[str], rule: Progression, lots: str, ratings: Mapping[str, float], hand: Sequence[str]
) -> list[str]:
    """Order entries by seed; they come by rank."""
    if rule.by is SeedBy.RATING:
        if missing := [name for name in names if name not in ratings]:
            raise FormatError(f"no rating of {', '.join(missing)}; seed by rank or give one", code="draw.rating")
        names.sort(key=lambda name: -ratings[name])
    elif rule.by is SeedBy.DRAW:
        names.sort()
        # With the way in the seed: two ways of one event are drawn independently from the one published seed.
        Random(f"{lots}/{rule.source}/{rule.target}").shuffle(names)
    elif rule.by is SeedBy.HAND:
        if sorted(hand) != sorted(names):
            raise FormatError("the order set by hand must name everybody who goes on once", code="draw.hand")
        names = list(hand)
    return names


def _tied(order: Sequence[Finisher], rule: Progression) -> list[str]:
    """Return entries of a shared rank that lies across an end of the range."""
    out: set[str] = set()
    for edge in (rule.first - 1, rule.last):
        if 0 < edge < len(order) and order[edge - 1].rank == order[edge].rank:
            out |= {row.entry for row in order if row.rank == order[edge].rank}
    return sorted(out)


def _reasons(tied: Sequence[str], have: int, want: int) -> tuple[Reason, ...]:
    lots = (Reason("progression.lots", LOTS),) if tied else ()
    short = (Reason("progression.short", SHORT, (("have", have), ("want", want))),) if have < want else ()
    return (*lots, *short)


def _lot(lots: str, entry: str) -> str:
    return sha256(f"{lots}{entry}".encode()).hexdigest()


def constraints_apart(seeded: Sequence[Seeded], *, weight: int = 4) -> tuple[Constraint, ...]:
    """Return wishes that those of one group of the source meet late in the target: pass them to its planner."""
    groups: dict[str, list[str]] = defaultdict(list)
    for item in seeded:
        groups[item.group].append(item.entry)
    return tuple(
        Constraint(ConstraintKind.SEPARATE, tuple(sorted(own)), weight)
        for _, own in sorted(groups.items())
        if len(own) > 1
    )


def apart(seeded: Sequence[Seeded], groups: int) -> list[list[Entrant]]:
    """Form groups for the target by snake, with those of one source group spread over several where they fit.

    Each tier of `groups` seeds gives one entry to every group; within a tier an entry goes to the group with fewest
    of its own, of equals the one the snake says. Raises FormatError "groups.count".
    """
    if not 1 <= groups <= len(seeded):
        message = f"{groups} groups of {len(seeded)} entries: choose between 1 and {len(seeded)}"
        raise FormatError(message, code="groups.count")
    order = sorted(seeded, key=lambda item: (item.seed, item.entry))
    out: list[list[Seeded]] = [[] for _ in range(groups)]
    for start in range(0, len(order), groups):
        free = list(range(groups)) if start // groups % 2 == 0 else list(reversed(range(groups)))
        for item in order[start : start + groups]:
            chosen = min(free, key=lambda group: (_mates(item, out[group]), free.index(group)))
            free.remove(chosen)
            out[chosen].append(item)
    return [[Entrant(item.entry, item.seed) for item in own] for own in out]


def _mates(item: Seeded, group: Sequence[Seeded]) -> int:
    return sum(other.group == item.group for other in group)
