"""Form of an event that is there: the form of a new one, filled with what the event is; what is fixed cannot change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.zones import zone_named
from bots.runner.spec import CUSTOM
from engine.game import OptionValue
from tournaments.events.plan_rows import plan_of
from tournaments.events.set_up import Bounds, bounds_of
from tournaments.lifecycle.event_plan import AdvancementPlan, EventPlan, StagePlan
from tournaments.models import Tournament
from tournaments.pages.events.chains_form import CHAIN, ONE, POOLS, SWISS, swiss_at
from tournaments.pages.events.clocks_form import FIGURES
from tournaments.pages.events.create_form import OPTION, EventForm
from tournaments.pages.events.form_choices import sides_at_table, usual_kind
from tournaments.pages.events.sizes_form import size_key
from tournaments.pages.events.stages_form import cards_of

NEXT: Final = "next"
MOMENTS: Final = ("starts_at", "entries_close_at", "ends_at")
PLAIN: Final = (
    "name",
    "description",
    "preset",
    "seats",
    "who",
    "partners",
    "visibility",
    "venue",
    "time_zone",
    "min_entries",
    "max_entries",
    "entries_per_owner",
    "rounds",
    "scoring",
    "legs",
    "advance",
    "bye_policy",
    "seeding",
    "round_minutes",
    "clock",
    "team_score",
    "where",
    "site_clock",
    "admits_programs",
)
OF_FIRST: Final = (
    *("seats", "sizes", "kind", "advance", "scoring", "legs", "tie_breaks", "bye_policy", "groups", "ends_at"),
    *("where", "site_clock", "admits_programs"),
)
"""Fields about the first stage, but for its rounds."""
OF_FINAL: Final = ("template", "groups", "go_on", "cut", "final", "final_waits", "third_place", "consolation")
"""Fields about the second stage."""


class SetUpForm(EventForm):
    """Fields of an event as it is. Stages that the short fields cannot say are on cards.

    audience: whom to show the fields for; those of its own audience by default. typed: what is shown instead of what
    the event is.
    """

    before: EventPlan

    def __init__(
        self, data: Any = None, *, event: Tournament, audience: str = "", typed: Mapping[str, Any] | None = None
    ) -> None:
        self.event, self.before, self.bounds = event, plan_of(event), bounds_of(event)
        values = values_of(self.before)
        self.there = values["template"]
        super().__init__(data, initial={**values, **(typed or {})}, audience=audience or self.before.who)
        self._offer_chains()
        unlisted = Tournament.Visibility.UNLISTED
        if event.visibility != unlisted:  # people can guess its address
            self._set_choices(
                "visibility", [(key, str(words)) for key, words in Tournament.Visibility.choices if key != unlisted]
            )
        for name in _fixed(self.bounds, self.fields):
            self.fields[name].disabled = True

    def _offer_chains(self) -> None:
        """Offer the chains that are possible now, and the one that is there."""
        shown: dict[Any, Any] = dict(getattr(self.fields["template"], "choices", ()))
        if 1 in self.bounds.begun:
            shown = {key: words for key, words in shown.items() if key in (ONE, CHAIN, self.there)}
            shown |= {NEXT: _("as it is, then a knock-out of the best")}
        self._set_choices("template", [*shown.items()])

    def begun(self) -> Mapping[int, int]:
        """Return the stages that have begun, and how many rounds of each are drawn."""
        return self.bounds.begun

    def clean(self) -> dict[str, Any]:
        """Keep moments that nobody changed as they are, to the second."""
        data = super().clean()
        for name in MOMENTS:
            # What the field shows has no seconds, and stands for two moments when clocks go back.
            if name in data and name not in self.changed_data:
                data[name] = getattr(self.before, name)
        return data

    def plan(self) -> EventPlan:
        """Return the plan that was asked for, with what the form does not show as it is."""
        plan, before = super().plan(), self.before
        shape = ("seats", "kind", "groups")
        is_same = all(getattr(plan, name) == getattr(before, name) for name in shape) and plan.options == before.options
        if is_same and "sizes" not in self.changed_data:
            plan = replace(plan, seats_min=before.seats_min, seats_max=before.seats_max)
        if 1 in self.bounds.begun:
            plan = replace(plan, **{name: getattr(before, name) for name in ("kind", "groups", "stage_name")})
        return plan

    def _options(self) -> dict[str, OptionValue]:
        """Return the rules that differ from the preset, those that the form does not offer as they are."""
        chosen = super()._options()
        if self.cleaned_data["preset"] == self.before.preset:
            hidden = {name: value for name, value in self.before.options.items() if OPTION + name not in self.fields}
            return {**hidden, **chosen}  # type: ignore[dict-item]  # values of options
        return chosen

    def chained(self, plan: EventPlan, sides: int) -> EventPlan:
        """Return the plan with the stages that were chosen; a chain that stays keeps its names."""
        chosen, before = self.cleaned_data["template"], self.before
        if chosen == NEXT:
            last = self.cleaned_data["cut"] or self.cleaned_data["go_on"] or 2
            rule = AdvancementPlan(source=1, target=2, last=last)
            return replace(plan, then=(self._knock_out(plan),), ways=(rule,), third_place=False, consolation=False)
        made = super().chained(plan, sides)
        if chosen == self.there != CHAIN:
            names = zip(made.then, before.then, strict=False)
            then = tuple(replace(new, name=old.name) for new, old in names)
            return replace(made, stage_name=before.stage_name, then=then)
        return made


def values_of(plan: EventPlan, *, is_saved: bool = True) -> dict[str, Any]:
    """Return the values of the form's fields for a plan. is_saved: of an event that has these stages."""
    zone = zone_named(plan.time_zone) or UTC
    values = {name: getattr(plan, name) for name in PLAIN}
    sides = sides_at_table(plan.preset, {**plan.options}, plan.seats)
    return {
        **values,
        **{name: _shown(getattr(plan, name), zone) for name in MOMENTS},
        **{OPTION + name: value for name, value in plan.options.items()},
        **(dict(plan.figures) if plan.clock == CUSTOM else {}),
        "kind": "" if plan.kind == usual_kind(sides) else plan.kind,
        "draws": plan.draws == Tournament.Draws.ORGANISER,
        "apart": plan.apart == Tournament.Apart.CLUB,
        "age_gap": plan.age_gap or None,
        "boards": plan.boards or "",
        "team_best": plan.team_best or None,
        "sizes": size_key(plan),
        "tie_breaks": list(plan.tie_breaks or ()),
        "third_place": plan.third_place,
        "consolation": plan.consolation,
        "flows": any(stage.flows for stage in plan.stages),
        **_chain(plan, sides, is_saved=is_saved),
    }


def _shown(at: datetime | None, zone: tzinfo) -> str | None:
    """Return the moment as its field reads it back."""
    return at.astimezone(zone).strftime("%Y-%m-%dT%H:%M") if at is not None else None


def _usual(plan: EventPlan, seats: int) -> str:
    return usual_kind(sides_at_table(plan.preset, {**plan.options}, seats))


def _chain(plan: EventPlan, sides: int, *, is_saved: bool) -> dict[str, Any]:
    """Return the fields of the second stage, or cards for stages that they cannot say."""
    if not plan.then and plan.groups == 1:
        return {"template": ONE}
    cards = {"template": CHAIN, "cards": cards_of(plan, lambda seats: _usual(plan, seats), is_saved=is_saved)}
    if not _is_simple(plan):
        return cards
    final, rule = plan.stages[1], plan.ways[0]
    pools = plan.groups > 1
    if not pools and plan.kind != swiss_at(sides):
        return cards
    return {
        "template": POOLS if pools else SWISS,
        "groups": plan.groups if pools else None,
        "go_on": rule.last,
        "cut": rule.most,
        "final": final.kind,
        "final_waits": final.waits,
        "third_place": final.third_place,
        "consolation": final.consolation,
    }


def _is_simple(plan: EventPlan) -> bool:
    """Return whether the second stage is one that the form makes: a knock-out of the best, like the first elsewhere."""
    if len(plan.then) != 1 or len(plan.ways) != 1 or plan.third_place or plan.consolation:
        return False
    first, final = plan.stages
    like = StagePlan(
        kind=final.kind,
        seats=first.seats,
        advance=first.advance,
        third_place=final.third_place,
        consolation=final.consolation,
        scoring=first.scoring,
        legs=first.legs,
        tie_breaks=first.tie_breaks,
        clock=first.clock,
        figures=first.figures,
        waits=final.waits,
        flows=final.flows,
        name=final.name,
        where=first.where,
        site_clock=first.site_clock,
        admits_programs=first.admits_programs,
    )
    rule = plan.ways[0]
    straight = AdvancementPlan(source=1, target=2, last=rule.last, most=rule.most if plan.groups > 1 else None)
    return final == like and rule == straight


def _fixed(bounds: Bounds, fields: Mapping[str, forms.Field]) -> Iterator[str]:
    """Yield the fields that cannot change now."""
    for name in fields:
        if name in bounds.fixed or (name.startswith(OPTION) and "options" in bounds.fixed):
            yield name
    if "clock" in bounds.fixed:
        yield from FIGURES
    if 1 in bounds.begun:
        yield from OF_FIRST
        # All its rounds are drawn.
        if not bounds.begun[1]:
            yield "rounds"
    if len(bounds.begun) > 1:
        yield from OF_FINAL
