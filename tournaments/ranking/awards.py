"""Who wins which prize: a pure function of places, categories and rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from itertools import groupby

Pool = int | None
"""A category by its key; None: everybody."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A prize for every place from first to last of a pool. amount: None for a thing."""

    key: int
    pool: Pool
    first: int
    last: int
    amount: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """Somebody who may win, and their place in the event; equal places are shared."""

    entry: int
    rank: int


class NotGiven(StrEnum):
    """Why nobody wins a prize: its category is empty, too few are left in it, or a shared place above takes it."""

    EMPTY = "empty"
    NOBODY = "nobody"
    SHARED = "shared"


@dataclass(frozen=True, slots=True)
class Award:
    """A prize for one place, and those who win it: several where they share the place.

    place: the one the prize is for. shares: into how many parts it is divided; 1: each winner gets all of it. passed:
    those who stand before the winners in the pool, or beside them, and have a prize of more worth. not_given: why there
    are no winners.
    """

    offer: Offer
    place: int
    winners: tuple[int, ...] = ()
    shares: int = 1
    passed: tuple[int, ...] = ()
    not_given: NotGiven | None = None


def by_worth(offers: Sequence[Offer]) -> list[Offer]:
    """Return prizes, those of more worth first: by amount where all have one, else as the organiser lists them."""
    if any(offer.amount is None for offer in offers):
        return list(offers)
    return sorted(offers, key=lambda offer: -(offer.amount or 0))


def give(
    offers: Sequence[Offer],
    candidates: Sequence[Candidate],
    members: Mapping[int, AbstractSet[int]],
    *,
    one_each: bool,
    divided: bool,
) -> list[Award]:
    """Give every prize to its place, those of more worth first.

    candidates: best first. members: by category. one_each: who has won in another pool is passed over, and those behind
    move up. divided: those who share a place divide the prizes of all places that they take; else each of them gets the
    one of the place, and those of the places that it takes away are not given.
    """
    pools_of: dict[int, set[Pool]] = {}
    found = []
    for offer in by_worth(offers):
        own = [each for each in candidates if offer.pool is None or each.entry in members.get(offer.pool, ())]
        taken = {each.entry for each in own if one_each and pools_of.get(each.entry, set()) - {offer.pool}}
        left = [each for each in own if each.entry not in taken]
        for place in range(offer.first, offer.last + 1):
            award = _award(offer, place, left, divided=divided)
            ahead = max((each.rank for each in left if each.entry in award.winners), default=0)
            passed = tuple(each.entry for each in own if each.entry in taken and each.rank <= ahead)
            not_given = award.not_given if own or offer.pool is None else NotGiven.EMPTY
            found.append(Award(offer, place, award.winners, award.shares, passed, not_given))
        for award in found:
            for entry in award.winners:
                pools_of.setdefault(entry, set()).add(award.offer.pool)
    return found


def _award(offer: Offer, place: int, left: Sequence[Candidate], *, divided: bool) -> Award:
    """Give the prize of one place among those who are left."""
    for start, group in _places(left):
        if start <= place < start + len(group):
            if divided:
                return Award(offer, place, group, len(group))
            if start == place:
                return Award(offer, place, group)
            return Award(offer, place, not_given=NotGiven.SHARED)
    return Award(offer, place, not_given=NotGiven.NOBODY)


def _places(left: Sequence[Candidate]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the first place that each group of equals takes, with the group."""
    start = 1
    for _rank, equals in groupby(left, key=lambda each: each.rank):
        group = tuple(each.entry for each in equals)
        yield start, group
        start += len(group)
