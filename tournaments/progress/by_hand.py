"""The next round of a Swiss paired by hand: the organiser moves people between tables, and each change is checked.

What no round can have (somebody missing, a table too small) must be put right; what a draw would avoid (repeats, club
mates, rules about pairs, second byes) is said, and the organiser decides.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.phrasing import listed
from activity.domain_events import DomainEvent
from activity.journal import publish
from core.errors import TournamentError
from core.formats.by_hand import round_by_hand
from core.formats.model import Plan
from core.formats.pools import Course
from engine.record import canonical
from tournaments.lifecycle import locks
from tournaments.lifecycle.transitions import ORGANISERS, may
from tournaments.models import Entry, Round, Stage
from tournaments.pairing import pair_rules
from tournaments.pairing.constraints import separates_clubs
from tournaments.pairing.table_numbers import taken_beside
from tournaments.progress.derive import fold_event
from tournaments.progress.draws.alternatives import Cost, cost_of
from tournaments.progress.draws.next_round import course_now
from tournaments.progress.rounds import preview_next, publish_drawn, waits_for_draw
from tournaments.undo.recorder import undoable

BYE: Final = 0
MAX_TABLE: Final = 999
Seating = Mapping[str, int]
"""Entry (UUID) -> number of its table, 0 for a bye."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandDraw:
    """A round by hand, as it would be. drawn: what the planner would draw; plan: None while `errors` stand.

    errors: what must be put right; warnings: what a draw would avoid; both in words. hash: names exactly this round.
    """

    stage: Stage
    number: int
    seating: Seating
    drawn: Plan
    plan: Plan | None
    errors: tuple[str, ...]
    warnings: tuple[str, ...]
    cost: Cost | None
    cost_drawn: Cost
    hash: str
    names: Mapping[str, str]


def can_pair_by_hand(stage: Stage) -> bool:
    """Return whether rounds of a stage may be paired by hand: a Swiss in which everybody sits for themselves."""
    return stage.format.takes_forbidden_pairs and not stage.tournament.boards and stage.tournament.is_of_people


def no_format(stage: Stage) -> TournamentError:
    """Build the refusal of a stage whose rounds cannot be paired by hand."""
    message = _("Only rounds of a Swiss in which everybody plays for themselves can be paired by hand.")
    return TournamentError(message, code="hand.format", extra={"kind": stage.kind})


def seating_of(plan: Plan) -> dict[str, int]:
    """Return the tables of a round by entry."""
    return {entry: pod.table for pod in plan.pods for entry in pod.seats} | dict.fromkeys(plan.byes, BYE)


def preview_by_hand(*, stage: Stage, by: User, seating: Seating | None = None) -> HandDraw:
    """Check a round by hand; None: the round as it would be drawn. Writes nothing.

    Raises what `preview_next` raises, "hand.format", and "round.no_more" after the last round.
    """
    may(stage.tournament, by, ORGANISERS, "draw")
    if not can_pair_by_hand(stage):
        raise no_format(stage)
    following = preview_next(stage=stage, by=by)
    if following.plan is None:
        message = _("No further round is possible. Close the event instead.")
        raise TournamentError(message, code="round.no_more")
    course = course_now(stage)
    wanted = dict(seating_of(following.plan) if seating is None else seating)
    errors = tuple(errors_in(stage, following.plan, wanted, following.names, course))
    plan = None if errors else plan_by_hand(following.plan, wanted, course)
    warnings = tuple(dict.fromkeys(warnings_in(stage, plan, course))) if plan is not None else ()
    document = plan.to_json() if plan is not None else {}
    digest = hashlib.sha256(canonical({"after": following.number - 1, "plan": str(document)})).hexdigest()
    return HandDraw(
        stage=stage,
        number=following.number,
        seating=wanted,
        drawn=following.plan,
        plan=plan,
        errors=errors,
        warnings=warnings,
        cost=cost_of(plan, course) if plan is not None else None,
        cost_drawn=cost_of(following.plan, course),
        hash=digest[:32],
        names=following.names,
    )


@undoable("draw", never_of_bots=True)
def publish_by_hand(*, stage: Stage, by: User, seating: Seating, seen: str) -> Round:
    """Publish a round by hand that was checked. seen: its hash; another one (somebody left meanwhile) is refused.

    Raises what `preview_by_hand` raises, "hand.not_possible", "round.draw_changed".
    """
    found = preview_by_hand(stage=stage, by=by, seating=seating)
    if found.plan is None:
        raise TournamentError(" ".join(found.errors), code="hand.not_possible")
    events: list[DomainEvent] = []
    with transaction.atomic():
        locks.lock_standings(stage.tournament)
        # Asked again under the lock, as for a draw: a second click finds another round here.
        if found.hash != seen or not waits_for_draw(stage) or stage.rounds.count() != found.number - 1:
            message = _("Something changed in the meantime: check the round again, then publish it.")
            raise TournamentError(message, code="round.draw_changed")
        row = publish_drawn(stage, found.plan, by, events)
        publish(*events)
    fold_event(stage.tournament)
    return row


def _tables(seating: Seating) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for entry, table in sorted(seating.items()):
        if table != BYE:
            found.setdefault(table, []).append(entry)
    return found


def plan_by_hand(drawn: Plan, seating: Seating, course: Course) -> Plan:
    """Return the plan of a seating that has no errors. drawn: the round that it comes from."""
    byes = [entry for entry, table in seating.items() if table == BYE]
    plan = round_by_hand(_tables(seating), byes, drawn, course.history, course.constraints)
    # The very draw, left as it is, is the draw: with its reasons and its figures.
    return drawn if seating_of(plan) == seating_of(drawn) else plan


def errors_in(stage: Stage, drawn: Plan, seating: Seating, names: Mapping[str, str], course: Course) -> Iterator[str]:
    """Yield what no round can have."""
    missing = sorted(names[entry] for entry in seating_of(drawn).keys() - seating.keys())
    if missing:
        yield _("These have no table and no bye: %(names)s.") % {"names": listed(missing)}
    if seating.keys() - seating_of(drawn).keys():
        yield _("Somebody in this list does not play in this round any more. Reload the page.")
    taken = taken_beside(stage)
    group = {entry: number for number, members in enumerate(course.pools) for entry in members}
    for table, seats in _tables(seating).items():
        shown = {"table": table, "have": len(seats), "low": stage.seats_min, "high": stage.seats_max}
        if not 1 <= table <= MAX_TABLE:
            yield _("Enter tables from 1 to %(most)s.") % {"most": MAX_TABLE}
        elif table in taken:
            yield _("Table %(table)s is in use by another stage.") % shown
        if not stage.seats_min <= len(seats) <= stage.seats_max:
            yield _("Table %(table)s has %(have)s people; tables here have %(low)s to %(high)s.") % shown
        if len({group.get(entry) for entry in seats}) > 1:
            yield _("Table %(table)s has people from different groups.") % shown


def warnings_in(stage: Stage, plan: Plan, course: Course) -> Iterator[str]:
    """Yield what a draw would avoid."""
    rows = Entry.objects.filter(stage_entries__stage=stage).select_related("player")
    people = {str(row.uuid): row.player for row in rows}
    clubs_count = separates_clubs(stage.tournament)
    for pod in plan.pods:
        for one, other in combinations(pod.seats, 2):
            shown = {"one": people[one].name, "other": people[other].name, "table": pod.table}
            again = [each.round for each in course.history if any({one, other} <= set(old.seats) for old in each.pods)]
            if again:
                rounds = {**shown, "rounds": listed(again)}
                yield _("Table %(table)s: %(one)s and %(other)s also meet in round %(rounds)s.") % rounds
            clubs = {" ".join(people[each].club.split()).casefold() for each in (one, other)}
            if clubs_count and len(clubs) == 1 and clubs != {""}:
                club = {**shown, "club": people[one].club}
                yield _("Table %(table)s: %(one)s and %(other)s are both of %(club)s.") % club
    for entry in plan.byes:
        if any(entry in each.byes for each in course.history):
            yield _("%(name)s has a second bye.") % {"name": people[entry].name}
    yield from pair_rules.problems_in(stage, plan)
