"""Validation of a chain of stages before anything is written: it leads on, everybody has a place, it ends in time.

Everybody starts in the first stage; the last one decides the event: its winner wins the event.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from core.errors import TournamentError
from core.formats import format_of
from core.formats import progression as pure
from core.formats.errors import FormatError
from core.formats.model import Seats, Shape
from engine.game import Ruleset as Rules
from tournaments.events.shapes import sides_of
from tournaments.lifecycle.event_plan import AdvancementPlan, EventPlan, StagePlan
from tournaments.lifecycle.values import bad_number, bad_value
from tournaments.models import Progression, Stage
from tournaments.progress.draws.draw import LABELS, MAX_MATCHES

MAX_STAGES: Final = 6
MAX_GROUPS: Final = len(LABELS)
Sizes = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Field:
    """Number of entries a stage can have."""

    least: int
    most: int


def validate_chain(plan: EventPlan, rules: Rules, sizes: Sizes) -> None:
    """Refuse a chain that cannot be played. sizes: (smallest, largest) table of each stage, in seats.

    Raises TournamentError "tournament.bad_then" (more than six stages), "tournament.bad_groups",
    "tournament.bad_by", "tournament.bad_carry", "progression.stage", "progression.range", "progression.overlap",
    "progression.cycle", "progression.start" (a stage nobody comes to), "progression.backwards", "progression.last"
    (the best do not end in the last stage), "progression.places" (places that the source does not have) and
    "tournament.too_many_matches".
    """
    stages = plan.stages
    if len(stages) > MAX_STAGES:
        raise bad_number("then", len(stages), 1, MAX_STAGES)
    for stage in stages:
        if not 1 <= stage.groups <= MAX_GROUPS:
            raise bad_number("groups", stage.groups, 1, MAX_GROUPS)
    _validate_advancement(stages, plan.ways)
    if len(stages) == 1 and stages[0].groups == 1:
        return
    fields = _fields(plan)
    for number, (stage, found) in enumerate(zip(stages, fields, strict=True), start=1):
        _validate_groups(stage, number, found, sides_needed(rules, stage, sizes[number - 1][0]))
    _validate_work(stages, fields, rules)


def sides_needed(rules: Rules, stage: StagePlan, smallest: int) -> int:
    """Return how many entries the smallest table of a stage needs."""
    return smallest if ranked_at(rules, stage) == stage.seats else ranked_at(rules, stage)


def ranked_at(rules: Rules, stage: StagePlan) -> int:
    """Return how many entries sit at a table: a side is one, unless partners rotate."""
    if format_of(stage.kind).changes_partners:
        return stage.seats
    return len(set(sides_of(rules, stage.seats)))


def _validate_advancement(stages: Sequence[StagePlan], advancement: Sequence[AdvancementPlan]) -> None:
    for rule in advancement:
        if rule.by not in Progression.SeedBy.values:
            raise bad_value("by", rule.by, tuple(Progression.SeedBy.values))
        if rule.carry not in Progression.Carry.values:
            raise bad_value("carry", rule.carry, tuple(Progression.Carry.values))
    orders = enumerate(advancement, start=1)
    try:
        pure.check(
            [str(number) for number in range(1, len(stages) + 1)], [_pure(rule, order) for order, rule in orders]
        )
    except FormatError as wrong:
        raise TournamentError(str(wrong), code=wrong.code, extra={"field": "ways"}) from wrong
    for number in range(1, len(stages) + 1):
        if (number > 1) != any(rule.target == number for rule in advancement):
            message = _(
                "Everybody begins in stage 1, and every later stage needs entries that advance to it. See stage %(n)s."
            )
            raise TournamentError(message % {"n": number}, code="progression.start", extra={"stage": number})
    if any(rule.source > rule.target for rule in advancement):
        message = _("A stage can only lead to later stages. Number them in the order in which they are played.")
        raise TournamentError(message, code="progression.backwards", extra={"field": "ways"})
    best = pure.best_places(len(stages), [(rule.source, rule.target, rule.first) for rule in advancement])
    if min(best, key=best.__getitem__) != len(stages):
        message = _("The best places have to lead to the last stage: its winner wins the event.")
        raise TournamentError(message, code="progression.last", extra={"field": "ways"})


def _pure(rule: AdvancementPlan, order: int) -> pure.Progression:
    return pure.Progression(str(rule.source), str(rule.target), rule.first, rule.last, order=order, most=rule.most)


def _fields(plan: EventPlan) -> list[Field]:
    """Return how many entries come to each stage. Raises "progression.places"."""
    fields = [Field(plan.min_entries, plan.max_entries)]
    for number in range(2, len(plan.stages) + 1):
        coming = [_leaving(plan, fields, rule) for rule in plan.ways if rule.target == number]
        fields.append(Field(sum(coming), sum(coming)))
    return fields


def _leaving(plan: EventPlan, fields: Sequence[Field], rule: AdvancementPlan) -> int:
    groups = plan.stages[rule.source - 1].groups
    # By the fewest entries: a place that a small field does not have would leave a later stage without an entry.
    have = fields[rule.source - 1].least // groups
    if rule.last > have:
        message = _("Place %(place)s of stage %(n)s advances, but its groups may have only %(have)s entries.")
        fix = _("Require more entries, make fewer groups or let fewer entries advance.")
        shown = {"place": rule.last, "n": rule.source, "have": have}
        extra: dict[str, object] = {"field": "min_entries", "stage": rule.source, "have": have}
        raise TournamentError(f"{message % shown} {fix}", code="progression.places", extra=extra)
    whole = groups * (rule.last - rule.first + 1)
    return min(whole, rule.most or whole)


def _validate_groups(stage: StagePlan, number: int, found: Field, needed: int) -> None:
    """Refuse groups that do not fill a table."""
    if found.least // stage.groups < max(2, needed):
        message = _("Stage %(n)s: %(have)s entries in %(groups)s groups do not fill a table of %(need)s in each.")
        fix = _("Require more entries, or make fewer groups.")
        shown = {"n": number, "have": found.least, "groups": stage.groups, "need": max(2, needed)}
        extra: dict[str, object] = {"field": "groups", **shown}
        raise TournamentError(f"{message % shown} {fix}", code="tournament.bad_groups", extra=extra)


def _validate_work(stages: Sequence[StagePlan], fields: Sequence[Field], rules: Rules) -> None:
    """Refuse a stage of more matches than one draw may have: it would stop in the middle of the event."""
    for number, (stage, found) in enumerate(zip(stages, fields, strict=True), start=1):
        matches = estimated_matches(stage, found.most, ranked_at(rules, stage))
        if matches > MAX_MATCHES:
            message = _("Stage %(n)s could have %(all)s matches; the limit is %(most)s.")
            fix = _("Choose fewer rounds, legs or entries.")
            shown = {"n": number, "all": matches, "most": MAX_MATCHES}
            extra: dict[str, object] = {"field": "rounds", **shown}
            raise TournamentError(f"{message % shown} {fix}", code="tournament.too_many_matches", extra=extra)


def estimated_matches(stage: StagePlan, entries: int, sides: int) -> int:
    """Estimate the matches of a stage of that many entries, legs counted. sides: at a table."""
    shape = Shape(
        Seats(sides, sides, sides),
        stage.rounds,
        advance=stage.advance,
        third_place=stage.third_place,
        consolation=stage.consolation,
    )
    tables = format_of(stage.kind).estimate(-(-entries // stage.groups), shape)
    return stage.groups * tables * (sides if stage.legs == Stage.Legs.CYCLIC else 1)
