"""Words and figures about a chain of stages, for the pages of a tournament."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.phrasing import in_turn, listed, sentence
from core.formats.model import Plan, Pod
from core.formats.rotation.figures import sides_at
from tournaments.events.edit import BEFORE
from tournaments.events.plan_rows import plan_in_rows
from tournaments.lifecycle.visibility import EventPage, earlier_secrets, revealed_secret
from tournaments.matches import chains
from tournaments.matches.reasons import reason_in_words
from tournaments.models import Entry, Progression, Role, Stage, Tournament
from tournaments.pages.events.drawing import Drawing, drawing_of, drawing_with_time
from tournaments.pages.lifecycle.words import shape_of
from tournaments.progress import stages
from tournaments.progress.corrections.voiding import can_be_voided
from tournaments.progress.stage_actions import preview_stage


@dataclass(frozen=True, slots=True)
class Step:
    """A stage as the overview lists it. how: its format in words; ways: who goes on to where; secret: once closed.

    earlier: (commitment, secret) of those that were followed by another one; may_void: whether it may be called off.
    """

    stage: Stage
    name: str
    how: str
    ways: tuple[str, ...]
    secret: str
    earlier: tuple[tuple[str, str], ...] = ()
    may_void: bool = False


def name_of(stage: Stage) -> str:
    """Return the name that people call it by."""
    return stage.title or _("Stage %(n)s") % {"n": stage.number}


def overview(page: EventPage, advancement: Sequence[Progression]) -> dict[str, Any]:
    """Return the chain, with what was called off of it, and what `waiting` says; nothing for one stage. No query.

    advancement: the ways between the stages, in the order in which they are played.
    """
    if len(page.stages) == 1:
        return {"steps": []}
    # A stage that was called off keeps its number, and stands before the one that took its place.
    found = sorted([*page.stages, *page.called_off], key=lambda each: (each.number, -each.order))
    steps = [_step(page, stage, advancement) for stage in found]
    return {"steps": steps, "drawing": _drawing(page, advancement), **waiting(page, advancement)}


def _drawing(page: EventPage, advancement: Sequence[Progression]) -> Drawing:
    """Return the stages as a drawing; of people, before it begins, with the time it takes."""
    plan = plan_in_rows(page.event, page.stages, advancement)
    entries = page.entered or plan.max_entries
    return drawing_with_time(plan, entries) if page.event.state in BEFORE else drawing_of(plan, entries)


def _step(page: EventPage, stage: Stage, advancement: Sequence[Progression]) -> Step:
    leading = [rule for rule in advancement if rule.source_id == stage.pk]
    words = tuple(rule_text(rule) for rule in leading)
    may_void = Role.Kind.OWNER in page.roles and can_be_voided(stage, page.event, leading)
    return Step(stage, name_of(stage), how(stage), words, revealed_secret(stage), earlier_secrets(stage), may_void)


def how(stage: Stage) -> str:
    """Return the format of a stage in words: groups, then what is played."""
    groups = ngettext("%(n)d group", "%(n)d groups", stage.groups_n) % {"n": stage.groups_n}
    return listed((groups, shape_of(stage))) if stage.groups_n > 1 else shape_of(stage)


def rule_text(rule: Progression) -> str:
    """Return in a sentence who goes on."""
    shown = {"first": rule.first, "last": rule.last, "most": rule.most, "to": name_of(rule.target)}
    if rule.source.groups_n > 1:
        who = _("Places %(first)s to %(last)s of each group advance to “%(to)s”")
        who = who if rule.first < rule.last else _("Place %(first)s of each group advances to “%(to)s”")
    else:
        who = _("Places %(first)s to %(last)s advance to “%(to)s”")
        who = who if rule.first < rule.last else _("Place %(first)s advances to “%(to)s”")
    parts = [who % shown]
    if rule.most:
        parts.append(_("at most %(most)s, by place and then by what they won") % shown)
    parts.append(str(rule.get_by_display()))
    if rule.carry != Progression.Carry.NONE:
        parts.append(_("carrying over %(what)s") % {"what": rule.get_carry_display()})
    return sentence(in_turn(parts))


def waiting(page: EventPage, advancement: Sequence[Progression] | None = None) -> dict[str, Any]:
    """Return the stages that an organiser can draw now. One query unless the ways are at hand; often none."""
    found = [(stage, name_of(stage)) for stage in _waiting(page, advancement)]
    return {"waiting_stages": found} if found else {}


def _waiting(page: EventPage, advancement: Sequence[Progression] | None) -> list[Stage]:
    """Return stages that wait for their organiser; those of bots begin on their own unless they were asked not to."""
    states = {stage.state for stage in page.stages}
    # Without one stage over and one to come no stage can wait: most pages ask nothing.
    may_be = {Stage.State.PLANNED.value, Stage.State.CLOSED.value} <= states
    if not page.is_organiser or page.event.state != Tournament.State.RUNNING or not may_be:
        return []
    known = chains.ways_of(page.event) if advancement is None else advancement
    open_before = {rule.target_id for rule in known if rule.source.state != Stage.State.CLOSED}
    planned = [stage for stage in page.stages if stage.state == Stage.State.PLANNED and stage.pk not in open_before]
    return [stage for stage in planned if stage.waits or not page.event.goes_on_alone]


def preview(stage: Stage) -> dict[str, Any]:
    """Return who would go on to a stage, and why; of people the tables of its first round, too."""
    going = preview_stage(stage)
    names = {}
    plans: tuple[Plan, ...] = ()
    if stage.tournament.is_of_people:
        plans = stages.plans_of(going)
        rows = Entry.objects.filter(uuid__in=[item.entry for item in going.comers])
        names = {str(uuid): name for uuid, name in rows.values_list("uuid", "player__name")}
    picks = [
        chains.Pick(item.entry, item.seed, item.way, item.place, item.by_lots, carried_first(stage, item.amounts))
        for item in going.comers
    ]
    reasons = [reason_in_words(reason) for reason in going.reasons]
    shown = {
        "waiting_stage": stage,
        "waiting_name": name_of(stage),
        "comers": chains.lines_for(picks),
        "reasons": reasons,
    }
    # The form sends it back: if the results change meanwhile, the draw is refused and shown again.
    return {**shown, "seen": stages.digest(going), **(first_round(plans[0], names) if plans else {})}


def first_round(plan: Plan, names: Mapping[str, str]) -> dict[str, Any]:
    """Return the tables of a round that is not published yet, with the reasons, and who sits out."""
    lines = [(pod.table, _sides(pod, names), [reason_in_words(each) for each in pod.why]) for pod in plan.pods]
    reasons = [reason_in_words(each) for each in plan.reasons]
    return {"lines": sorted(lines), "byes": [names[entry] for entry in plan.byes], "round_reasons": reasons}


def _sides(pod: Pod, names: Mapping[str, str]) -> list[str]:
    """Return who sits against whom: one by one, or partners together where they change."""
    if not pod.sides:
        return [names[entry] for entry in pod.seats]
    return [" & ".join(names[entry] for entry in side) for side in sides_at(pod)]


def carried_first(stage: Stage, amounts: Sequence[tuple[str, Fraction]]) -> str:
    """Return what is carried of the figure that the stage ranks by first."""
    first = {Stage.Scoring.CUMULATIVE: "points", Stage.Scoring.ROUND_VICTORY: "victories"}
    return str(dict(amounts).get(first.get(Stage.Scoring(stage.scoring), "place"), Fraction(0)))


@dataclass(frozen=True, slots=True)
class Downloads:
    """Files of a stage, as (name in its address, words): tables of standings, FIDE reports."""

    standings: Sequence[tuple[str, str]]
    reports: Sequence[tuple[str, str]]


def downloads_of(page: EventPage, *, has_table: bool) -> Downloads:
    """Return the files of every stage that was drawn; of several stages the ranking of the whole event, too.

    has_table: of the stage that is shown, the last one that was drawn; those before it are over.
    """
    drawn = [stage for stage in page.stages if stage.state != Stage.State.PLANNED]
    ranked = [stage for stage in drawn if has_table or stage != page.stage]
    tables = tuple((str(stage.order), _file_name(page, stage, _("Standings"))) for stage in ranked)
    paired = [stage for stage in drawn if stage.format.fits_fide_report and stage.seats_max == 2]
    whole = (("all", _("Whole event")),) if len(page.stages) > 1 and tables else ()
    return Downloads((*tables, *whole), tuple((str(stage.order), _file_name(page, stage, "TRF")) for stage in paired))


def _file_name(page: EventPage, stage: Stage, alone: str) -> str:
    """Return a stage's name; the word that is enough where there is one stage."""
    return name_of(stage) if len(page.stages) > 1 else alone


def tabs(page: EventPage, *, with_all: bool = False) -> Sequence[tuple[str, str]]:
    """Return (value of `?stage=`, words) of each stage of a chain; with_all: and the whole event."""
    if len(page.stages) == 1:
        return ()
    found = [(str(stage.order), name_of(stage)) for stage in page.stages]
    return [*found, ("all", _("Whole event"))] if with_all else found
