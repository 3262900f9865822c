"""People of a published round moved to other tables by hand, as long as those tables are not called.

A swap changes two seats; this changes as many as the organiser wants, also to a free seat, a new table, or a bye.
Tables that change are written again, so slips and codes printed for them are dead, as after a swap.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.phrasing import listed
from activity.journal import audit, publish
from core.errors import TournamentError
from core.formats.model import Plan
from engine.record import canonical
from tournaments.domain_events.stages import PlacesSwapped
from tournaments.lifecycle import locks
from tournaments.lifecycle.transitions import ORGANISERS, label, may
from tournaments.models import Entry, Match, Round
from tournaments.progress.by_hand import (
    BYE,
    HandDraw,
    Seating,
    can_pair_by_hand,
    errors_in,
    no_format,
    plan_by_hand,
    seating_of,
    warnings_in,
)
from tournaments.progress.derive import fold_event
from tournaments.progress.draws.alternatives import cost_of
from tournaments.progress.draws.draw import write_tables
from tournaments.progress.draws.next_round import course_now
from tournaments.progress.draws.swaps import require_open
from tournaments.undo.recorder import undoable


@dataclass(frozen=True, slots=True, kw_only=True)
class Reseating(HandDraw):
    """A published round with people at other tables. drawn: the round as it is; fixed: tables that are called or over.

    moved: those who sit elsewhere, by name; touched: the numbers of tables that change.
    """

    fixed: frozenset[int]
    moved: tuple[str, ...]
    touched: tuple[int, ...]


def preview_reseating(*, round_row: Round, by: User, seating: Seating | None = None) -> Reseating:
    """Check a round with these people at other tables; None: as it is. Who is not named stays. Writes nothing.

    Raises TournamentError "tournament.not_organiser", "hand.format", "swap.not_open".
    """
    stage = round_row.stage
    may(stage.tournament, by, ORGANISERS, "swap")
    if not can_pair_by_hand(stage):
        raise no_format(stage)
    require_open(round_row)
    now, course = Plan.from_json(round_row.plan), course_now(stage)
    course = replace(course, history=tuple(each for each in course.history if each.round < round_row.number))
    rows = Entry.objects.filter(stage_entries__stage=stage).values_list("uuid", "player__name")
    names = {str(uuid): name for uuid, name in rows}
    fixed = _fixed(round_row, now)
    before = seating_of(now)
    wanted = before | dict(seating or {})
    moved = sorted(names.get(entry, "") for entry, table in wanted.items() if before.get(entry) != table)
    errors = (*_of_fixed(before, wanted, fixed), *errors_in(stage, now, wanted, names, course))
    plan = None if errors else plan_by_hand(now, wanted, course)
    document = plan.to_json() if plan is not None else {}
    digest = hashlib.sha256(canonical({"now": str(now.to_json()), "plan": str(document)})).hexdigest()
    return Reseating(
        stage=stage,
        number=round_row.number,
        seating=wanted,
        drawn=now,
        plan=plan,
        errors=errors,
        warnings=tuple(dict.fromkeys(warnings_in(stage, plan, course))) if plan is not None else (),
        cost=cost_of(plan, course) if plan is not None else None,
        cost_drawn=cost_of(now, course),
        hash=digest[:32],
        names=names,
        fixed=fixed,
        moved=tuple(moved),
        touched=_touched(now, plan) if plan is not None else (),
    )


def _fixed(round_row: Round, plan: Plan) -> frozenset[int]:
    """Return the tables whose people stay: called or over, or reported before an undo."""
    ready = Match.objects.filter(round=round_row, state=Match.State.READY, reports=None)
    return frozenset(pod.table for pod in plan.pods) - frozenset(ready.values_list("table_no", flat=True))


def _of_fixed(before: Seating, wanted: Seating, fixed: frozenset[int]) -> Iterator[str]:
    """Yield the tables that cannot change and would."""
    changed = {entry for entry in before.keys() | wanted.keys() if before.get(entry) != wanted.get(entry)}
    tables = {table for entry in changed for table in (before.get(entry), wanted.get(entry)) if table in fixed}
    for table in sorted(table for table in tables if table is not None):
        yield _("Table %(table)s is already called, so nobody can leave it or join it.") % {"table": table}


def _touched(before: Plan, after: Plan) -> tuple[int, ...]:
    """Return the numbers of the tables at which others sit, with those that are given up and new ones."""
    old, new = ({pod.table: pod.seats for pod in plan.pods} for plan in (before, after))
    return tuple(sorted(table for table in old.keys() | new.keys() if old.get(table) != new.get(table)))


@undoable("reseat")
def publish_reseating(*, round_row: Round, by: User, seating: Seating, seen: str) -> Reseating:
    """Move the people as it was checked. seen: its hash; another one is refused. Nothing moved changes nothing.

    Raises what `preview_reseating` raises, "hand.not_possible", "swap.changed".
    """
    stage = round_row.stage
    with transaction.atomic():
        locks.lock_standings(stage.tournament)
        row = Round.objects.select_related("stage__tournament", "stage__ruleset").get(pk=round_row.pk)
        # Every table of the round, so that none is called between this check and the write.
        list(Match.objects.select_for_update().filter(round=row).values_list("pk", flat=True))
        found = preview_reseating(round_row=row, by=by, seating=seating)
        if found.plan is None:
            raise TournamentError(" ".join(found.errors), code="hand.not_possible")
        if found.hash != seen:
            message = _("Something changed in the meantime: check it again, then decide.")
            raise TournamentError(message, code="swap.changed")
        if not found.touched:
            return found
        _write(row, found, found.plan)
        names = list(found.moved)[:20]
        after = {"round": row.number, "entries": names, "text": listed(names), "breaks": list(found.warnings)[:20]}
        audit(PlacesSwapped, label(row), actor=by, channel=stage.tournament.channel, after=after)
        publish(PlacesSwapped(stage.tournament.channel, round=row.number))
    fold_event(stage.tournament)
    return found


def _write(row: Round, found: Reseating, plan: Plan) -> None:
    """Write the plan, and the tables that change again."""
    document = plan.to_json()
    Round.objects.filter(pk=row.pk).update(plan=document, quality=document["quality"])
    # Deleted and made again, not reseated: printed slips of a table that changed must not open it any more.
    Match.objects.filter(round=row, table_no__in=found.touched).delete()
    row.refresh_from_db()
    write_tables(row, replace(plan, pods=tuple(pod for pod in plan.pods if pod.table in found.touched)))


def tables_to_print(found: Reseating) -> list[int]:
    """Return the tables that need new slips: those that change and are still there."""
    return [table for table in found.touched if table != BYE and table in found.seating.values()]
