"""Form field of the sizes that tables may have when the entries do not divide, with what each choice comes to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.phrasing import labelled, listed
from core.errors import TournamentError
from core.formats import FORMATS
from core.formats.model import Seats
from engine.errors import EngineError
from engine.games import PRESETS, ruleset
from tournaments.events.shapes import table_sizes
from tournaments.events.validation import MAX_ENTRIES
from tournaments.lifecycle.event_plan import EventPlan, StagePlan
from tournaments.lifecycle.field_words import LABELS
from tournaments.pages.events.form_choices import sides_at_table, usual_kind
from tournaments.pairing.table_sizes import layout_of

USUAL, FEWER, MORE, SAME, OWN = "", "fewer", "more", "same", "own"
EXPECTED: Final = "expected"
"""Of the first values of the form: how many are expected, where somebody said so."""
SPANS: Final = {FEWER: (-1, 0), MORE: (0, 1), SAME: (0, 0)}
"""How far the smallest and the largest table may be from the chosen number of seats."""
WORDS: Final = {
    USUAL: gettext_lazy("one seat fewer or more where that fits better"),
    FEWER: gettext_lazy("one seat fewer where that fits better"),
    MORE: gettext_lazy("one seat more where that fits better"),
    SAME: gettext_lazy("every table the same; the others have a bye"),
}


class SizeFields(forms.Form):
    """The choice of sizes, relative to the number of seats, so that it holds when the seats change."""

    sizes = forms.ChoiceField(label=LABELS["table_sizes"], required=False)

    def show_sizes(self) -> None:
        """Write beside each choice what it comes to for those who are expected, else for as many as may enter."""
        entries = _number(str(self.initial.get(EXPECTED) or self["max_entries"].value() or ""))
        found = {key: _said(self._stage(key), entries) for key in WORDS}
        choices = [(key, labelled(str(words), found[key]) if found[key] else words) for key, words in WORDS.items()]
        field = self.fields["sizes"]
        # Not `self["sizes"]`: a bound field keeps the help text that it was made with.
        if self.get_initial_for_field(field, "sizes") == OWN:
            choices.append((OWN, _("other sizes, as they are")))
        if isinstance(field, forms.ChoiceField):
            field.choices = choices
        if entries:
            shown = {"n": entries}
            field.help_text = ngettext("Shown for %(n)s entry.", "Shown for %(n)s entries.", entries) % shown
        self.has_several_sizes = any(found[key] for key in (FEWER, MORE))

    @property
    def offers_sizes(self) -> bool:
        """Return whether the page shows the field: tables may have other sizes, or a choice is to be put right."""
        return self.has_several_sizes or bool(self["sizes"].value() or self["sizes"].errors)

    def _stage(self, key: str) -> tuple[StagePlan, Any] | None:
        """Return the first stage with these sizes, and its rules; None where the form does not say one yet."""
        chosen = {name: str(self[name].value() or "") for name in ("kind", "preset", "seats", "boards")}
        teams = str(self["option_teams"].value() or "") if "option_teams" in self.fields else ""
        if chosen["preset"] not in PRESETS or chosen["seats"] not in map(str, range(2, 8)) or chosen["boards"]:
            return None
        options = {"teams": teams} if teams else {}
        seats = int(chosen["seats"])
        sides = sides_at_table(chosen["preset"], options, seats)
        kind = chosen["kind"] if chosen["kind"] in FORMATS else usual_kind(sides)
        low, high = SPANS.get(key, (None, None))
        try:
            rules = ruleset(chosen["preset"], **options)
        except EngineError:
            return None
        smallest = None if low is None else seats + low
        largest = None if high is None else seats + high
        return StagePlan(kind=kind, seats=seats, seats_min=smallest, seats_max=largest), rules

    def sized(self, plan: EventPlan) -> EventPlan:
        """Return the plan with the chosen sizes of the tables of its first stage."""
        low, high = SPANS.get(self.cleaned_data["sizes"], (None, None))
        if low is None or high is None:
            return replace(plan, seats_min=None, seats_max=None)
        return replace(plan, seats_min=plan.seats + low, seats_max=plan.seats + high)

    @property
    def blamed(self) -> dict[str, str]:
        """Return the field to which refusals about seats belong, where sizes were chosen."""
        return {"seats": "sizes"} if self.cleaned_data.get("sizes") in SPANS else {}


def _said(made: tuple[StagePlan, Any] | None, entries: int) -> str:
    """Return the tables of this number of entries in words: "5+5+4+4+4"; "" where there are none of these sizes."""
    if made is None or not entries:
        return ""
    stage, rules = made
    try:
        low, high = table_sizes(stage, rules)
    except TournamentError:
        return ""
    layout = layout_of(entries, Seats(low, stage.seats, high))
    return listed(_parts(layout.text, layout.byes))


def _parts(tables: str, byes: int) -> Iterator[str]:
    if tables:
        yield tables
    if byes:
        yield ngettext("%(n)s bye", "%(n)s byes", byes) % {"n": byes}


def _number(text: str) -> int:
    return min(int(text), MAX_ENTRIES) if text.isascii() and text.isdigit() and len(text) < 6 else 0


def size_key(plan: EventPlan) -> str:
    """Return the choice that a plan's sizes are."""
    if plan.seats_min is None and plan.seats_max is None:
        return USUAL
    low, high = (plan.seats if each is None else each for each in (plan.seats_min, plan.seats_max))
    span = (low - plan.seats, high - plan.seats)
    return next((key for key, each in SPANS.items() if each == span), USUAL if span == (-1, 1) else OWN)
