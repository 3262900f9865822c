"""Part of an event's form about a second stage, for the shapes of events that most organisers want."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from core.formats import FORMATS
from tournaments.events.chains import MAX_GROUPS
from tournaments.events.validation import MAX_ENTRIES
from tournaments.lifecycle.event_plan import AdvancementPlan, EventPlan, StagePlan
from tournaments.lifecycle.field_words import LABELS
from tournaments.models import stage_names
from tournaments.pages.events.stages_form import COUNT, Cards, read_cards

ONE: Final = ""
POOLS: Final = "pools"
SWISS: Final = "swiss"
CHAIN: Final = "chain"
"""Stages of one's own, each on a card."""
OF_SHAPES: Final = (
    "kind",
    "rounds",
    "advance",
    "third_place",
    "consolation",
    "flows",
    "groups",
    "go_on",
    "cut",
    "final",
    "final_waits",
)
"""Fields of the other shapes, which the cards ask for each stage."""


def knock_outs() -> list[tuple[str, Any]]:
    """Return the brackets that can be chosen."""
    return [(each.id, _(each.label)) for each in FORMATS.values() if each.is_bracket]


class ChainFields(forms.Form):
    """Fields of one stage, or of a first one after which the best play a knock-out."""

    template = forms.ChoiceField(
        label=LABELS["then"],
        required=False,
        choices=[
            (ONE, _("one stage")),
            (POOLS, _("pools, then a knock-out")),
            (SWISS, _("Swiss, then a knock-out of the best")),
            (CHAIN, _("several stages, one by one")),
        ],
        help_text=_(
            "After the first stage, the entries that advance are drawn automatically: seeded by rank, "
            "entries of one pool apart."
        ),
    )
    groups = forms.IntegerField(
        label=LABELS["groups"],
        required=False,
        min_value=2,
        max_value=MAX_GROUPS,
        initial=4,
        help_text=_("Each pool plays among itself in the format below."),
    )
    go_on = forms.IntegerField(
        label=_("How many advance to the knock-out"),
        required=False,
        min_value=1,
        max_value=64,
        initial=2,
        help_text=_("From each pool; after a Swiss, from all entries."),
    )
    cut = forms.IntegerField(
        label=_("Size of the knock-out"),
        required=False,
        min_value=2,
        max_value=MAX_ENTRIES,
        help_text=_(
            "Leave empty for all who advance. Otherwise places decide first: 16 from 9 pools are the 9 winners and"
            " the 7 best runners-up."
        ),
    )
    final = forms.ChoiceField(
        label=_("Knock-out"),
        required=False,
        choices=knock_outs,
    )
    final_waits = forms.BooleanField(
        label=_("I draw the knock-out myself"),
        required=False,
        help_text=_("You see who advances before its first round is drawn."),
    )

    cards: Cards | None = None
    before: EventPlan | None = None
    """Of an event that is there: its plan as it is saved."""

    def read_cards(self, kinds: Sequence[tuple[str, Any]], begun: Mapping[int, int], *, for_bots: bool) -> None:
        """Read the cards of the stages where these are chosen, and leave out the fields of other shapes."""
        if self["template"].value() != CHAIN:
            return
        # Sent without cards, the stages stay as they were.
        raw = read_cards(self.data) if COUNT in self.data else self.initial.get("cards", [])
        if raw:
            self.cards = Cards(raw, kinds=kinds, is_checked=self.is_bound, for_bots=for_bots, begun=begun)
        for name in OF_SHAPES:
            self.fields[name].disabled = True
            self.fields[name].widget = forms.HiddenInput()

    @property
    def card_forms(self) -> dict[str, forms.Form]:
        """Return the forms of the cards by a name each, for the summary of errors."""
        shown = self.cards.shown if self.cards else []
        return {each.prefix or "": each for card in shown for each in (card.form, *card.ways)}

    def clean(self) -> dict[str, Any]:
        """Check the cards."""
        data = super().clean() or {}
        if data.get("template") == CHAIN and self.cards is None:
            text = _("Press “Show the fields of these stages” first, then say what each stage is.")
            self.add_error("template", forms.ValidationError(text, code="progression.stage"))
        elif self.cards is not None and not self.cards.is_valid():
            self.add_error(None, forms.ValidationError(_("A stage is not right yet."), code="progression.stage"))
        return data

    def usual_at(self, seats: int) -> str:
        """Return the format of a stage at tables of that many seats for which none was chosen."""
        raise NotImplementedError

    def chain_fields(self) -> list[forms.BoundField]:
        """Return the fields of the second stage."""
        return [self[name] for name in ("groups", "go_on", "cut", "final", "final_waits")]

    @property
    def chain_open(self) -> bool:
        """Return whether the page shows these fields at once."""
        return self["template"].value() in (POOLS, SWISS) or any(field.errors for field in self.chain_fields())

    def chained(self, plan: EventPlan, sides: int) -> EventPlan:
        """Return the plan of one stage with the second one after it, if one was asked for. sides: at a table."""
        data = self.cleaned_data
        if data["template"] == ONE:
            return plan
        if self.cards is not None:
            return self.cards.put_into(plan, self.before, self.usual_at)
        is_pools = data["template"] == POOLS
        return replace(
            plan,
            kind=plan.kind if is_pools else swiss_at(sides),
            # It belongs to the knock-out, and is asked for once on the form.
            third_place=False,
            consolation=False,
            flows=False,
            groups=(data["groups"] or 4) if is_pools else 1,
            stage_name=stage_names.POOLS if is_pools else stage_names.SWISS,
            then=(self._knock_out(plan),),
            ways=(_rule(data["go_on"] or 2, data["cut"], data["groups"] or 4 if is_pools else 1),),
        )

    def _knock_out(self, plan: EventPlan) -> StagePlan:
        """Return the second stage, with a match for third place; where it cannot be, the service says so."""
        data = self.cleaned_data
        return StagePlan(
            kind=data["final"] or knock_outs()[0][0],
            advance=plan.advance,
            third_place=plan.third_place,
            consolation=plan.consolation,
            scoring=plan.scoring,
            legs=plan.legs,
            tie_breaks=plan.tie_breaks,
            waits=data["final_waits"],
            flows=plan.flows,
            name=stage_names.KNOCK_OUT,
        )


def _rule(last: int, cut: int | None, groups: int) -> AdvancementPlan:
    """Return the rule of who goes on: the first `last` places of each group, and of those at most `cut`."""
    if groups == 1 and cut:
        return AdvancementPlan(source=1, target=2, last=cut)
    return AdvancementPlan(source=1, target=2, last=last, most=cut if cut and cut < last * groups else None)


def swiss_at(sides: int) -> str:
    """Return the Swiss for tables of this number of sides."""
    return "swiss" if sides == 2 else "pods"
