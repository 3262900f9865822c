"""First page of an event for people: a few questions, and formats that fit, each with the time it takes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.blaming import blame
from accounts.phrasing import listed
from core.errors import TournamentError
from core.formats import format_of
from engine.games import PRESETS
from tournaments.events.proposals.choice import Proposal, proposals
from tournaments.events.proposals.question import (
    ALONE,
    CHANGE_MINUTES,
    DEAL_MINUTES,
    DRAWN,
    ENTERED,
    FOURS,
    HOURS,
    MAX_CHANGE_MINUTES,
    MAX_DEAL_MINUTES,
    MAX_PEOPLE,
    MAX_TABLES,
    MIN_DEAL_MINUTES,
    MIN_PEOPLE,
    ROTATING,
    THREES,
    Question,
)
from tournaments.lifecycle.field_words import LABELS
from tournaments.pages.events.pictures import Table, table_of
from tournaments.pages.events.set_up_form import values_of
from web.presets import preset_title

OWN: Final = "own"
"""Instead of a proposal: the form as it is, for a format of one's own."""
COMPANIES: Final = (
    (ALONE, _("alone")),
    (DRAWN, _("in random pairs, drawn on the day")),
    (ENTERED, _("in pairs that come together")),
    (ROTATING, _("with another partner in every round")),
    (THREES, _("in teams of three, at different tables")),
    (FOURS, _("in teams of four, at different tables")),
)
SPAN: Final = re.compile(r"(\d{1,3})(?:[.,](\d{1,2})|\s*([½¼¾])|\s*[h:]\s*([0-5]?\d)?)?|([½¼¾])")
"""2, 2.5, 2,5, 2½, 2 h, 2:30, 2h30, ½."""
PARTS: Final = {"½": 0.5, "¼": 0.25, "¾": 0.75}


class HoursField(forms.CharField):
    """A length of time in hours, as people write it."""

    def clean(self, value: Any) -> float:
        """Return the hours. Raises ValidationError "hours.invalid" and "hours.range"."""
        text = str(super().clean(value)).strip().lower()
        found = SPAN.fullmatch(text)
        if found is None:
            raise forms.ValidationError(_("Write the hours as 2.5, 2½ or 2:30."), code="hours.invalid")
        whole, decimals, fraction, minutes, alone = found.groups()
        hours = float(f"{whole or 0}.{decimals or 0}") + PARTS.get(fraction or alone or "", 0) + int(minutes or 0) / 60
        if not HOURS[0] <= hours <= HOURS[1]:
            text = gettext("Enter a time from a quarter of an hour to %(most)s hours.")
            raise forms.ValidationError(text % {"most": int(HOURS[1])}, code="hours.range")
        return hours


USUAL_HOURS: Final = "4½"
"""Enough for some of the events that are held often, with the usual number of people."""


class QuestionForm(forms.Form):
    """What an organiser knows before there is a plan."""

    people = forms.IntegerField(label=_("How many people"), min_value=MIN_PEOPLE, max_value=MAX_PEOPLE)
    hours = HoursField(
        label=_("How many hours"), max_length=10, initial=USUAL_HOURS, help_text=_("From the first round to the last.")
    )
    tables = forms.IntegerField(
        label=_("How many tables"),
        required=False,
        min_value=1,
        max_value=MAX_TABLES,
        help_text=_("Leave empty if there are enough."),
    )
    preset = forms.ChoiceField(label=LABELS["preset"], initial="hawaii")
    company = forms.ChoiceField(label=_("Everybody plays"), choices=COMPANIES, initial=ALONE)
    seats = forms.TypedChoiceField(
        label=LABELS["seats"],
        coerce=int,
        required=False,
        choices=[("", _("as it suits the game and the tables")), *((n, str(n)) for n in range(2, 8))],
    )
    deal_minutes = forms.FloatField(
        label=_("Minutes per deal"),
        required=False,
        min_value=MIN_DEAL_MINUTES,
        max_value=MAX_DEAL_MINUTES,
        initial=DEAL_MINUTES,
    )
    change_minutes = forms.FloatField(
        label=_("Minutes between rounds"),
        required=False,
        min_value=0,
        max_value=MAX_CHANGE_MINUTES,
        initial=CHANGE_MINUTES,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["preset"]
        if isinstance(field, forms.ChoiceField):
            field.choices = [(preset, preset_title(preset)) for preset in PRESETS]

    @property
    def is_detailed(self) -> bool:
        """Return whether the page shows the fields that few people need at once."""
        return any(self[name].errors for name in ("seats", "deal_minutes", "change_minutes")) or bool(
            self["seats"].data
        )

    def question(self) -> Question:
        """Return the question. Needs a form that is valid."""
        data = self.cleaned_data
        return Question(
            people=data["people"],
            hours=data["hours"],
            tables=data["tables"],
            preset=data["preset"],
            company=data["company"],
            seats=data["seats"] or 0,
            deal_minutes=data["deal_minutes"] or DEAL_MINUTES,
            # 0 is an answer: nobody has to move.
            change_minutes=CHANGE_MINUTES if data["change_minutes"] is None else data["change_minutes"],
        )

    def answers(self) -> list[str]:
        """Return what was answered in a few words each, as a line above the formats. Needs a form that is valid."""
        data = self.cleaned_data
        found = [ngettext("%(n)d person", "%(n)d people", data["people"]) % {"n": data["people"]}, span(data["hours"])]
        if data["tables"]:
            found.append(ngettext("%(n)d table", "%(n)d tables", data["tables"]) % {"n": data["tables"]})
        found.append(preset_title(data["preset"]))
        return found if data["company"] == ALONE else [*found, str(dict(COMPANIES)[data["company"]])]

    def proposals(self) -> list[Proposal]:
        """Return what is proposed; nothing, with the error beside its field, for what cannot be played."""
        if not self.is_valid():
            return []
        try:
            return proposals(self.question())
        except TournamentError as refusal:
            blame(self, refusal)
            return []


def with_usual(query: QueryDict) -> QueryDict:
    """Return the answers of an address with the usual one for each question that it leaves out.

    A link may say "22 people" and no more. A field that was sent empty stays empty: the form says what is missing.
    """
    found = query.copy()
    for name, field in QuestionForm.base_fields.items():
        if name not in found and field.required and field.initial is not None:
            found[name] = str(field.initial)
    return found


@dataclass(frozen=True, slots=True)
class Card:
    """A proposal as the page shows it. drawing: a table of cards; time: in words; facts: short lines; address: of
    the form that it fills in.
    """

    key: str
    title: str
    good_for: str
    drawing: Table
    time: str
    facts: tuple[str, ...]
    fits: bool
    address: str
    is_chosen: bool


def cards(form: QuestionForm, found: list[Proposal], query: QueryDict, chosen: str) -> list[Card]:
    """Return the proposals for the page. query: of the address, which the links keep."""
    return [
        Card(
            key=each.key,
            title=str(each.candidate.title),
            good_for=str(each.candidate.good_for),
            drawing=table_of(each.plan, at),
            time=time_text(each),
            facts=tuple(_facts(each, form.cleaned_data["tables"])),
            fits=each.fits,
            address=address_of(query, each.key),
            is_chosen=each.key == chosen,
        )
        for at, each in enumerate(found)
    ]


def address_of(query: QueryDict, key: str) -> str:
    """Return the address of the form that a proposal fills in."""
    own = query.copy()
    own["format"] = key
    return f"?{own.urlencode()}#form"


def initial_from(proposal: Proposal) -> dict[str, Any]:
    """Return the first values of the form of an event, which are all that a proposal says."""
    values = values_of(proposal.plan, is_saved=False)
    if proposal.plan.tie_breaks is None:
        del values["tie_breaks"]  # those that the form proposes
    del values["name"], values["time_zone"]
    return values


def time_text(proposal: Proposal) -> str:
    """Return in a sentence how long it takes."""
    usual, slow = (span(hours) for hours in proposal.forecast.hours)
    return gettext("About %(usual)s; one time in ten longer than %(slow)s.") % {"usual": usual, "slow": slow}


def span(hours: float) -> str:
    """Return a length of time in hours and minutes, to five minutes; it never breaks over a line."""
    minutes = max(5, 5 * round(hours * 12))
    shown = {"hours": minutes // 60, "minutes": f"{minutes % 60:02}"}
    return (gettext("%(hours)s h %(minutes)s") % shown).replace(" ", "\N{NO-BREAK SPACE}")


def _facts(proposal: Proposal, tables: int | None) -> Iterator[str]:
    """Yield what an organiser compares: stages, matches, tables."""
    for stage, planned in zip(proposal.forecast.stages, proposal.plan.stages, strict=True):
        yield stage_fact(planned.kind, stage.groups, stage.rounds)
    deals = proposal.deals
    yield ngettext("%(n)d deal per match", "%(n)d deals per match", deals) % {"n": deals}
    sure, most = proposal.forecast.matches
    if sure == most:
        yield ngettext("Everybody plays %(n)d match.", "Everybody plays %(n)d matches.", most) % {"n": most}
    else:
        yield gettext("Everybody plays at least %(sure)s, at most %(most)s matches.") % {"sure": sure, "most": most}
    needed = max(stage.tables for stage in proposal.forecast.stages)
    if tables and needed > tables:
        text = gettext("A round needs %(needed)s tables: with %(tables)s it is played in turns.")
        yield text % {"needed": needed, "tables": tables}
    else:
        yield ngettext("%(n)d table at once", "%(n)d tables at once", needed) % {"n": needed}


def stage_fact(kind: str, groups: int, rounds: int) -> str:
    """Return in a few words what is played in a stage: groups, format, rounds."""
    words = [ngettext("%(n)d group", "%(n)d groups", groups) % {"n": groups}] if groups > 1 else []
    words.append(gettext(format_of(kind).label))
    words.append(ngettext("%(n)d round", "%(n)d rounds", rounds) % {"n": rounds})
    return listed(words)
