"""Brackets that flow: a match is drawn as soon as its sides are known, while others of the round before are played.

Its round is the one in which whole rounds would have it, so a stage that is over reads the same either way: a round
that has begun takes further matches until every match that could lead to one of them is over. All of it happens in the
transaction that takes up the results, under the event's lock: two results at once, or a process that dies in the
middle, leave each match drawn once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from django.db.models import Q

from activity import wake_ups
from activity.domain_events import DomainEvent
from activity.journal import audit
from bots.selectors.workers import idle_processes
from core.formats.elimination.due import drawable
from core.formats.model import Certificate, Plan, Pod, Quality
from tournaments.domain_events.stages import MatchesDrawn
from tournaments.lifecycle.transitions import act, label
from tournaments.models import DealSet, Match, Round, Stage, Tournament
from tournaments.pairing import constraints, inputs
from tournaments.pairing import plans as planning
from tournaments.pairing.table_numbers import placed, taken_beside
from tournaments.progress.draws import draw
from tournaments.standings import brackets

T = Tournament.State
# Of a round that is about to be counted with all others.
UNCOUNTED = (Quality(0, 0, 0, 0, 0, 0), Certificate(0, 0, 0, "bracket"))


def draw_ready(stage: Stage, later: list[DomainEvent]) -> int:
    """Draw every match of a bracket that flows whose sides are known. Returns how many. Needs the event's lock.

    While the event is paused they are drawn, too, and wait.
    """
    if not stage.flows or stage.state != Stage.State.ACTIVE:
        return 0
    # Read again: the caller may have read the event before somebody called it off.
    if not Tournament.objects.filter(pk=stage.tournament_id, state__in=(T.RUNNING, T.PAUSED)).exists():
        return 0
    fresh = _fresh(stage)
    for number, pods in sorted(fresh.items()):
        _write(stage, number, pods, later)
    return sum(map(len, fresh.values()))


def _fresh(stage: Stage) -> dict[int, list[Pod]]:
    """Return the matches to be drawn, by round, with free numbers of tables."""
    complete = len(inputs.complete_rounds(stage))
    found: dict[int, list[Pod]] = defaultdict(list)
    for bracket, course in brackets.standing_of(stage):
        for number, match in drawable(bracket, course.history, course.open or (), complete):
            found[number].append(Pod(0, match.entries, (match.why,) if match.why else (), label=match.id))
    return {number: _numbered(stage, number, pods) for number, pods in found.items()}


def _numbered(stage: Stage, number: int, pods: Collection[Pod]) -> list[Pod]:
    """Give tables the numbers that no other of the round has, also none that was cancelled.

    Nor one of another round that is still played: people find their table by its number.
    """
    rows = Match.objects.filter(Q(round__number=number) | ~Q(state__in=planning.SETTLED), stage=stage)
    used = {table for table in rows.values_list("table_no", flat=True) if table}
    of_people = stage.tournament.is_of_people
    taken = used | taken_beside(stage) if of_people else used
    return list(placed(pods, taken, constraints.fixed_tables(stage.tournament) if of_people else {}))


def _write(stage: Stage, number: int, pods: Sequence[Pod], later: list[DomainEvent]) -> None:
    """Write these matches into their round, which is made if they are its first, and queue those of bots."""
    plans = {plan.round: plan for plan in planning.history_of(stage)}
    before = plans.get(number)
    plan = before or Plan(number, (), (), *UNCOUNTED)
    plans[number] = replace(plan, pods=(*plan.pods, *pods))
    counted = {each.round: each for each in planning.counted(stage, [plans[each] for each in sorted(plans)])}
    if before is None:
        row, _matches = draw.write_round(stage, counted.pop(number))
        act(row, "publish", None, later=later)
    else:
        row = Round.objects.select_related("stage__tournament").get(stage=stage, number=number)
        draw.write_tables(row, replace(plan, pods=tuple(pods)))
        _publish(row, pods, later)
    # Figures of rounds go on counting: those after this one have changed with it.
    for other in (each for each in counted.values() if each.round >= number):
        document = other.to_json()
        Round.objects.filter(stage=stage, number=other.round).update(plan=document, quality=document["quality"])
    queued = draw.queue_ready(row.matches.all()) if before is None else 0
    wake_ups.notify_on_commit("play", times=min(max(queued, len(pods)), idle_processes()))


def _publish(row: Round, pods: Sequence[Pod], later: list[DomainEvent]) -> None:
    tables = sorted(pod.table for pod in pods)
    made = Match.objects.filter(round=row, table_no__in=tables, leg=1, extra=0).order_by("table_no")
    matches = [str(uuid) for uuid in made.values_list("uuid", flat=True)]
    channel = row.stage.tournament.channel
    after: dict[str, Any] = {"stage": str(row.stage.uuid), "round": row.number, "matches": matches, "tables": tables}
    audit(MatchesDrawn, label(row), actor=None, channel=channel, after=after)
    later.append(MatchesDrawn(channel, **after))


def drop_misplaced(stage: Stage) -> int:
    """Take matches away that wait for others than those who are drawn, as after a result was undone. Returns how many.

    They are drawn again once their sides are known. A table that was called stays: its page asks what to do.
    Needs the event's lock.
    """
    if not stage.flows or stage.state != Stage.State.ACTIVE:
        return 0
    wrong = [place for place in brackets.places_of(stage) if place.round > 1 and not place.is_right]
    gone = 0
    for place in wrong:
        rows = Match.objects.filter(stage=stage, round__number=place.round, table_no=place.pod.table)
        # attempt 0: a worker that claimed it, and gave it back, has seen its cards. Reports are kept.
        waits = rows.filter(state__in=(Match.State.READY, Match.State.QUEUED), attempt=0, reports=None)
        if waits.count() == rows.count():
            _drop(stage, place)
            gone += 1
    return gone


def _drop(stage: Stage, place: brackets.Place) -> None:
    row = Round.objects.get(stage=stage, number=place.round)
    matches = row.matches.filter(table_no=place.pod.table)
    # The deal sets are noted before the matches go, through which they are found; PROTECT demands that order, too.
    decks = list(matches.exclude(deal_set=None).values_list("deal_set", flat=True))
    matches.delete()
    DealSet.objects.filter(pk__in=decks).delete()
    row.plan = brackets.without(Plan.from_json(row.plan), place.pod.label).to_json()
    row.save(update_fields=["plan"])
