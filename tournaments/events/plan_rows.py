"""Plans of events and the rows that hold them: columns and stages written from a plan, and a plan read back."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from bots.runner.spec import CUSTOM
from core.errors import TournamentError
from core.formats import format_of
from core.formats.stage_format import TeamSeating
from core.standings.model import EDITION, Scoring
from core.standings.ranking import in_order, keys_for
from engine.game import Ruleset as Rules
from engine.games import PRESETS, ruleset
from tournaments.events import team_rules
from tournaments.events.clocks import read_clock
from tournaments.events.shapes import table_sizes
from tournaments.events.validation import Checked
from tournaments.lifecycle.event_plan import AdvancementPlan, EventPlan, StagePlan
from tournaments.lifecycle.time_limits import figures_of
from tournaments.matches.records.results import keys_of
from tournaments.models import Progression, Ruleset, Stage, Tournament
from tournaments.pairing.constraints import DRAW
from tournaments.progress.round_clock import read_minutes

PLAIN: Final = (
    "visibility",
    "time_zone",
    "min_entries",
    "max_entries",
    "entries_per_owner",
    "entries_close_at",
    "starts_at",
    "who",
    "draws",
    "apart",
    "age_gap",
)
"""Columns of an event that a plan names and holds as they are."""
OF_STAGE: Final = (
    "kind",
    "advance",
    "third_place",
    "consolation",
    "legs",
    "bye_policy",
    "waits",
    "flows",
    "name",
    "ends_at",
    "where",
    "site_clock",
    "admits_programs",
)
"""The same of a stage."""


def columns_of(plan: EventPlan, rules: Rules) -> dict[str, Any]:
    """Return the columns of the event that a plan says, all of them."""
    return {
        **{name: getattr(plan, name) for name in PLAIN},
        **{name: getattr(plan, name).strip() for name in ("name", "description", "venue")},
        "round_minutes": read_minutes(plan.round_minutes) or None,
        "partners": plan.partners,
        **team_rules.columns_of(plan, rules),
    }


def write_stages(event: Tournament, plan: EventPlan, checked: Checked) -> None:
    """Write the chain: every stage, and the ways between them. Stages that there are keep their row, and what only the
    row holds: the seeds by hand, the commitment, the requested byes.

    Of a stage that has begun only its rounds are written. Needs a transaction and, for an event that is there, its
    lock.
    """
    rules = checked.rules
    row, _made = Ruleset.objects.get_or_create(
        sha256=rules.hash.removeprefix("sha256:"), defaults={"game": rules.game, "canonical": rules.canonical()}
    )
    there = {stage.order: stage for stage in event.stages.order_by("order")}
    stages = []
    for order, (planned, size) in enumerate(zip(plan.stages, checked.sizes, strict=True), start=1):
        stage = there.pop(order, None) or Stage(tournament=event, order=order)
        stage.tournament, stage.rounds_planned = event, planned.rounds
        if stage.state == Stage.State.PLANNED:
            stage.ruleset, stage.preset = row, plan.preset
            stage.seats_min, stage.seats_pref, stage.seats_max = size[0], planned.seats, size[1]
            _fill(stage, planned, plan, rules)
        stage.save()
        stages.append(stage)
    _write_ways(event, stages, plan.ways)
    for stage in there.values():
        stage.delete()


def _fill(stage: Stage, planned: StagePlan, plan: EventPlan, rules: Rules) -> None:
    """Set the columns of a stage that has not begun."""
    for name in OF_STAGE:
        setattr(stage, name, getattr(planned, name))
    stage.flows = planned.flows and _may_flow(plan, planned.kind)
    stage.name, stage.groups_n, stage.edition = planned.name.strip(), planned.groups, EDITION
    stage.clock, stage.clock_figures = planned.clock, figures_of(read_clock(planned.clock, planned.figures))
    stage.scoring = team_rules.scoring_of(plan, planned.scoring, rules)
    # `keys_of` reads the scoring, so it comes after it.
    stage.tie_breaks = list(keys_of(stage)[1:] if planned.tie_breaks is None else planned.tie_breaks)
    # By hand and by rating are chosen on a page of their own, and stay: a plan only knows lots and the usual order.
    if stage.order == 1 and DRAW in (plan.seeding, stage.seeding):
        stage.seeding = plan.seeding


def _may_flow(plan: EventPlan, kind: str) -> bool:
    """Return whether matches of such a stage can be drawn one by one: in a bracket whose rounds nobody has to draw.

    Boards of teams are drawn as meetings, a whole round at a time.
    """
    return format_of(kind).is_bracket and not plan.boards and plan.draws != Tournament.Draws.ORGANISER


def _write_ways(event: Tournament, stages: Sequence[Stage], ways: Sequence[AdvancementPlan]) -> None:
    """Write the ways that are new and remove those that are gone: entries may already have come by the others."""
    orders: Counter[int] = Counter()
    wanted = []
    for rule in ways:
        orders[rule.target] += 1
        wanted.append(
            Progression(
                source=stages[rule.source - 1],
                target=stages[rule.target - 1],
                order=orders[rule.target],
                first=rule.first,
                last=rule.last,
                most=rule.most,
                by=rule.by,
                carry=rule.carry,
            )
        )
    keys = {_way_key(row) for row in wanted}
    there = {_way_key(row): row for row in Progression.objects.filter(source__tournament=event)}
    # Removed first: the database allows one way of each order to a stage.
    for key in there.keys() - keys:
        there[key].delete()
    for row in wanted:
        if _way_key(row) not in there:
            row.save()


def _way_key(row: Progression) -> tuple[Any, ...]:
    return row.source_id, row.target_id, row.order, row.first, row.last, row.most, row.by, row.carry


def plan_of(event: Tournament) -> EventPlan:
    """Read the plan that makes an event like this one. Three queries.

    What the rules, the seats or the scoring give of themselves is left out, so that it follows when those change.
    """
    rows = list(event.stages.select_related("ruleset").order_by("order"))
    ways = Progression.objects.filter(source__tournament=event).select_related("source", "target")
    return plan_in_rows(event, rows, ways.order_by("target__order", "order"))


def plan_in_rows(event: Tournament, rows: Sequence[Stage], ways: Iterable[Progression]) -> EventPlan:
    """Read the plan from rows that are at hand: stages in their order with their rulesets, ways with both stages."""
    for row in rows:
        row.tournament = event
    first, *others = rows
    rules = Rules.from_json(json.loads(first.ruleset.canonical))
    columns = {name: getattr(event, name) for name in (*PLAIN, "name", "description", "venue", "partners", "boards")}
    plan = EventPlan(
        preset=first.preset,
        options=house_options(first.preset, rules),
        team_score=event.team_score,
        team_best=event.team_best,
        round_minutes=event.round_minutes,
        seeding=DRAW if first.seeding == DRAW else "",
        ways=tuple(_ways(ways)),
        **columns,
        **_of_first(stage_of(first)),
    )
    plan = replace(plan, then=tuple(stage_of(row) for row in others))
    return _without_defaults(plan, rules)


def house_options(preset: str, rules: Rules) -> dict[str, Any]:
    """Return the options that differ from the preset's; all of them for a preset that is no longer known."""
    options = rules.resolved()
    if preset not in PRESETS:
        return options
    usual = ruleset(preset).resolved()
    return {name: value for name, value in options.items() if usual.get(name) != value}


def stage_of(stage: Stage) -> StagePlan:
    """Read the plan of one stage. A stage of the first edition names what stood before the tie-breaks chosen."""
    score, is_meeting = stage.tournament.team_score, stage.format.teams is TeamSeating.MEETINGS
    keys = keys_for(Scoring(stage.scoring), score, teams_meet=is_meeting)
    tie_breaks = stage.tie_breaks if stage.edition > 1 else in_order(keys, stage.tie_breaks, 1)[1:]
    return StagePlan(
        **{name: getattr(stage, name) for name in OF_STAGE},
        seats=stage.seats_pref,
        seats_min=stage.seats_min,
        seats_max=stage.seats_max,
        rounds=stage.rounds_planned,
        scoring=stage.scoring,
        tie_breaks=tuple(tie_breaks),
        clock=stage.clock,
        figures=stage.clock_figures if stage.clock == CUSTOM else {},
        groups=stage.groups_n,
    )


def _of_first(stage: StagePlan) -> dict[str, Any]:
    """Return what a plan says of its first stage, by the names of `EventPlan`."""
    fields = {name: getattr(stage, name) for name in StagePlan.__dataclass_fields__}
    fields["stage_name"] = fields.pop("name")
    del fields["waits"]
    return fields


def _ways(rows: Iterable[Progression]) -> Iterator[AdvancementPlan]:
    for row in rows:
        yield AdvancementPlan(
            source=row.source.number,
            target=row.target.number,
            first=row.first,
            last=row.last,
            most=row.most,
            by=row.by,
            carry=row.carry,
        )


def _without_defaults(plan: EventPlan, rules: Rules) -> EventPlan:
    """Leave out the sizes and scorings that a stage would have anyway."""
    first, *others = (_plain(stage, plan, rules) for stage in plan.stages)
    then = tuple(_following(stage, plan) for stage in others)
    return replace(plan, then=then, **_of_first(first))


def _following(stage: StagePlan, plan: EventPlan) -> StagePlan:
    """Leave out what a later stage takes from the event."""
    has_clock = (stage.clock, stage.figures) != (plan.clock, plan.figures)
    return replace(
        stage,
        seats=stage.seats if stage.seats != plan.seats else 0,
        clock=stage.clock if has_clock else "",
        figures=stage.figures if has_clock else {},
        where=stage.where if stage.where != plan.where else "",
        site_clock=stage.site_clock if stage.site_clock != plan.site_clock else "",
        admits_programs=stage.admits_programs if stage.admits_programs != plan.admits_programs else None,
    )


def _plain(stage: StagePlan, plan: EventPlan, rules: Rules) -> StagePlan:
    if stage.scoring == team_rules.scoring_of(plan, "", rules):
        stage = replace(stage, scoring="")
    free = replace(stage, seats_min=None, seats_max=None)
    try:
        return free if table_sizes(free, rules) == (stage.seats_min, stage.seats_max) else stage
    except TournamentError:  # of an older version of the rules: it is said when the event is saved
        return stage
