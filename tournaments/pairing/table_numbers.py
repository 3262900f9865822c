"""Table numbers of planned matches: nobody else's number, and the number that is fixed for somebody.

Planners number the tables of a round from 1. In a hall several stages may be on at once, and somebody may need a
certain table (by the door, without steps). Numbers are part of the plan that is stored: results name tables by them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Final

from core.formats.model import Plan, Pod, Reason
from engine.words import gettext_noop
from tournaments.models import Match, Stage
from tournaments.pairing.constraints import fixed_tables

FIXED: Final = gettext_noop("Table %(table)d is fixed for somebody who plays here.")
TAKEN: Final = gettext_noop("Table %(table)d is fixed for somebody who plays here, but it is taken in this round.")
SETTLED: Final = (Match.State.CONFIRMED, Match.State.VOID)


def numbered(stage: Stage, plans: tuple[Plan, ...]) -> tuple[Plan, ...]:
    """Return the plans of an event of people with the tables of its hall; of bots as they are."""
    if not stage.tournament.is_of_people:
        return plans
    taken, fixed = taken_beside(stage), fixed_tables(stage.tournament)
    if not taken and not fixed:
        return plans
    return tuple(replace(plan, pods=tuple(placed(plan.pods, taken, fixed))) for plan in plans)


def taken_beside(stage: Stage) -> frozenset[int]:
    """Return tables of other stages of the event whose matches are not over. One query."""
    rows = Match.objects.filter(stage__tournament=stage.tournament_id).exclude(stage=stage)
    open_rows = rows.exclude(state__in=SETTLED).exclude(table_no=None)
    return frozenset(number for number in open_rows.values_list("table_no", flat=True).distinct() if number)


def placed(pods: Collection[Pod], taken: Collection[int], fixed: Mapping[str, int]) -> Iterator[Pod]:
    """Yield the same tables with free numbers, in their order; somebody with a fixed one gets it if it is free."""
    fixed_numbers = [next((fixed[entry] for entry in pod.seats if entry in fixed), None) for pod in pods]
    # All wishes before all others: else a table without a wish could take a number that a later one has a right to.
    granted: dict[int, int] = {}
    for place, wish in enumerate(fixed_numbers):
        if wish is not None and wish not in taken and wish not in granted.values():
            granted[place] = wish
    used = {*taken, *granted.values()}
    free = (number for number in count(1) if number not in used)
    for place, (pod, wish) in enumerate(zip(pods, fixed_numbers, strict=True)):
        number = granted.get(place) or next(free)
        why = pod.why
        if wish is not None:
            why = (*why, Reason("table.fixed", FIXED if number == wish else TAKEN, (("table", wish),)))
        yield replace(pod, table=number, why=why)
