"""Changes of an event's set-up after it was made: everything of a draft, later what is still harmless.

A changed plan is validated as a new one is, and written in one transaction; entries stay. The log tells what changed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.phrasing import listed
from activity import wake_ups
from activity.journal import audit, publish
from core.errors import TournamentError
from engine.game import Ruleset as Rules
from tournaments.domain_events.tournaments import PlanChanged
from tournaments.events.edit import GONE, require_places
from tournaments.events.plan_rows import columns_of, plan_of, write_stages
from tournaments.events.shapes import read_rules
from tournaments.events.validation import Checked, validate_plan
from tournaments.lifecycle.event_plan import EventPlan
from tournaments.lifecycle.plan_words import Difference, differences
from tournaments.lifecycle.signals import room_made
from tournaments.lifecycle.transitions import ORGANISERS, label, may
from tournaments.models import Entry, Stage, StageEntry, Tournament
from tournaments.pairing.lineups import commit_to_draw
from tournaments.pairing.lineups_query import teams_of
from tournaments.progress.derive import fold_event
from tournaments.progress.run import make_secrets
from tournaments.standings import ledger_cache
from tournaments.undo.recorder import undoable

T = Tournament.State
UNSEEN: Final = (T.DRAFT, T.PUBLISHED)
"""States in which everything may change: nobody could enter yet."""
CHANGEABLE: Final = (*UNSEEN, T.REGISTRATION, T.RUNNING, T.PAUSED)
# What those who entered rely on.
FIXED_OPEN: Final = frozenset({"who", "preset", "options", "partners", "boards", "team_score", "team_best"})
# What the first draw was made from, or has no meaning any more.
FIXED_RUNNING: Final = FIXED_OPEN | {"draws", "seeding", "apart", "min_entries", "entries_close_at", "clock", "figures"}


@dataclass(frozen=True, slots=True)
class Bounds:
    """What may change now. fixed: fields of the whole event that may not; begun: stages (numbers) that have begun, of
    which only `rounds` may change, and by how many rounds are drawn, 0 where they are all drawn at once.
    """

    fixed: frozenset[str]
    begun: dict[int, int]


def bounds_of(event: Tournament) -> Bounds:
    """Return what may change of an event in its present state. Raises "tournament.wrong_state" once it is over."""
    if event.state not in CHANGEABLE:
        message = _("The event is over, so its set-up cannot be changed any more.")
        raise TournamentError(message, code="tournament.wrong_state", extra={"state": event.state})
    if event.state in UNSEEN:
        return Bounds(frozenset(), {})
    fixed = FIXED_OPEN if event.state == T.REGISTRATION else FIXED_RUNNING
    begun = event.stages.exclude(state=Stage.State.PLANNED).order_by("order")
    return Bounds(fixed, {stage.order: _rounds_drawn(stage) for stage in begun})


def _rounds_drawn(stage: Stage) -> int:
    """Return how many rounds of a stage are drawn where more may follow, or fewer; else 0."""
    may_vary = stage.state == Stage.State.ACTIVE and stage.format.is_round_by_round
    return stage.rounds.count() if may_vary else 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a changed plan comes to. moved_up: entries that left the waiting list; over: stages (numbers) whose last
    round is drawn now.
    """

    differences: tuple[Difference, ...]
    moved_up: int = 0
    over: tuple[int, ...] = ()


def preview_plan(*, tournament: Tournament, by: User, plan: EventPlan, expected_version: int | None = None) -> Outcome:
    """Change the plan, look, and roll all of it back. Raises what `change_plan` raises."""
    stages = list(tournament.stages.values_list("uuid", flat=True))
    try:
        with transaction.atomic():
            found = change_plan(tournament=tournament, by=by, plan=plan, expected_version=expected_version)
            transaction.set_rollback(True)
    finally:
        ledger_cache.discard(stages)  # what was folded came to nothing
    tournament.refresh_from_db()
    return found


@undoable("plan")
def change_plan(*, tournament: Tournament, by: User, plan: EventPlan, expected_version: int | None = None) -> Outcome:
    """Give an event another set-up; the same one again changes nothing. All of it or nothing.

    expected_version: the `row_version` that the organiser saw. Raises what `validate_plan` raises, TournamentError
    "tournament.not_organiser", "tournament.wrong_state", "tournament.changed", "tournament.fixed_field" (extra: field,
    fields), "tournament.bad_rounds", "tournament.entries_over" (fewer places than entries), "tournament.entries_kept"
    (entries that do not fit), "tournament.bad_visibility".
    """
    with transaction.atomic():
        event = Tournament.objects.select_for_update(no_key=True).get(pk=tournament.pk)
        may(event, by, ORGANISERS, "plan")
        before = plan_of(event)
        found = differences(before, plan)
        # First: a second click finds that all is done, and is not refused for the first one.
        if not found:
            return Outcome(())
        if expected_version not in (None, event.row_version):
            message = _("Somebody changed the event in the meantime. Reload the page, check it and try again.")
            raise TournamentError(message, code="tournament.changed")
        bounds = bounds_of(event)
        _require_open(found, bounds)
        _require_same_ways(before, plan, bounds)
        checked = _validated(event, plan, before)
        _require_fit(event, plan, before, checked.rules)
        _write(event, plan, checked)
        waited = _waiting(event)
        if plan.max_entries > before.max_entries and event.state == T.REGISTRATION:
            room_made.send(sender=Tournament, event=event, by=by)
        _record(event, by, found)
    tournament.refresh_from_db()
    rounds = {each.stage: each.after for each in found if each.field == "rounds"}
    over = tuple(number for number, drawn in bounds.begun.items() if drawn and rounds.get(number) == str(drawn))
    return Outcome(found, waited - _waiting(event), over)


def _waiting(event: Tournament) -> int:
    return event.entries.filter(state=Entry.State.WAITLISTED).count()


def _require_open(found: tuple[Difference, ...], bounds: Bounds) -> None:
    """Refuse changes of what is fixed by now."""
    wrong = [each for each in found if _is_fixed(each, bounds)]
    if wrong:
        message = _("This is fixed by now: %(fields)s. Leave it as it is.")
        names = list(dict.fromkeys(each.label for each in wrong))
        extra: dict[str, object] = {"field": wrong[0].field, "fields": [each.field for each in wrong]}
        raise TournamentError(message % {"fields": listed(names)}, code="tournament.fixed_field", extra=extra)
    for each in found:
        drawn = bounds.begun.get(each.stage, 0) if each.field == "rounds" else 0
        if drawn > int(each.after if drawn else 0):
            message = _("%(drawn)s rounds are drawn already, so there cannot be fewer.")
            shown = {"drawn": drawn}
            extra = {"field": "rounds", **shown}
            raise TournamentError(message % shown, code="tournament.bad_rounds", extra=extra)


def _require_same_ways(before: EventPlan, plan: EventPlan, bounds: Bounds) -> None:
    """Refuse other ways into a stage that has begun: its entries came by them."""
    old, new = ([rule for rule in each.ways if rule.target in bounds.begun] for each in (before, plan))
    if old != new:
        message = _("This is fixed by now: %(fields)s. Leave it as it is.") % {"fields": _("Who advances")}
        raise TournamentError(message, code="tournament.fixed_field", extra={"field": "ways", "fields": ["ways"]})


def _is_fixed(each: Difference, bounds: Bounds) -> bool:
    if each.option:
        return "options" in bounds.fixed
    if each.stage in bounds.begun:
        return each.field != "rounds" or not bounds.begun[each.stage]
    return each.field in bounds.fixed


def _validated(event: Tournament, plan: EventPlan, before: EventPlan) -> Checked:
    if plan.visibility != before.visibility and plan.visibility == Tournament.Visibility.UNLISTED:
        message = _(
            "People can guess its address, so it cannot become unlisted. Make it private, or create another event."
        )
        raise TournamentError(message, code="tournament.bad_visibility")
    if event.state in (T.RUNNING, T.PAUSED):
        # Who is in is known by now: places that the fewest would not have are there.
        here = StageEntry.objects.filter(stage__tournament=event, stage__order=1, left_round=None).count()
        counted = replace(plan, min_entries=max(2, here), max_entries=max(plan.max_entries, here))
        return validate_plan(counted, replace(before, min_entries=counted.min_entries))
    return validate_plan(plan, before)


def _require_fit(event: Tournament, plan: EventPlan, before: EventPlan, rules: Rules) -> None:
    """Refuse what the entries that are there do not fit."""
    rows = event.entries.exclude(state__in=GONE)
    bots, people = rows.filter(player__bot__isnull=False), rows.filter(player__bot=None)
    for found, kind in ((bots, "people"), (people, "bots")):
        if plan.who == kind and before.who != kind and found.exists():
            raise _kept("who", _("Entries are there that could not play then: withdraw them first."))
    if plan.preset != before.preset and bots.exists():
        raise _kept("preset", _("Bots are entered that play the rules as they are: withdraw them first."))
    if _for_programs(plan) != _for_programs(before) and bots.filter(player__bot__remote=True).exists():
        raise _kept("admits_programs", _("Remote programs are entered that may not play so: withdraw them first."))
    if _team_of(plan, rules) != _team_of(before, read_rules(before)) and teams_of(event).exists():
        raise _kept("partners", _("Teams are entered that would not fit: take them apart first."))
    if plan.max_entries < before.max_entries:
        require_places(event, plan.max_entries, _team_of(plan, rules)[1] if plan.partners else 1)


def _for_programs(plan: EventPlan) -> set[tuple[object, ...]]:
    """Return what remote programs were asked about when they were entered."""
    return {
        (each.where, each.site_clock, each.admits_programs, each.seats, each.seats_min, each.seats_max)
        for each in plan.stages
    }


def _team_of(plan: EventPlan, rules: Rules) -> tuple[str, int]:
    """Return how people come to share a team, and how many of them play for it at once."""
    if not plan.partners:
        return "", 1
    return plan.partners, plan.boards or max(Counter(rules.sides(plan.seats)).values())


def _kept(field: str, message: str) -> TournamentError:
    return TournamentError(message, code="tournament.entries_kept", extra={"field": field})


def _write(event: Tournament, plan: EventPlan, checked: Checked) -> None:
    for name, value in columns_of(plan, checked.rules).items():
        setattr(event, name, value)
    # A form that was loaded before carries the number it saw, and is refused.
    event.row_version += 1
    event.save()
    write_stages(event, plan, checked)
    if event.partners and not event.partner_draws.exists():
        commit_to_draw(event)
    if event.state not in UNSEEN:
        make_secrets(event)
    if event.state in (T.RUNNING, T.PAUSED):
        if event.is_of_people:
            fold_event(event)
        wake_ups.notify_on_commit("derive")  # a stage may be over now, or go on


def _record(event: Tournament, by: User, found: tuple[Difference, ...]) -> None:
    changed = list(dict.fromkeys(each.field for each in found))
    # Organisers read in the audit what each field was; everybody reads in the log which ones changed.
    before = {f"{each.stage}.{each.field}" if each.stage else each.field: each.before for each in found}
    after = {f"{each.stage}.{each.field}" if each.stage else each.field: each.after for each in found}
    details = {**after, "changed": changed}
    audit(PlanChanged, label(event), actor=by, channel=event.channel, before=before, after=details)
    publish(PlanChanged(event.channel, changed=changed))
