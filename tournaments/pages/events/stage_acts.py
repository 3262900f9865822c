"""Buttons of the form that change its stages without saving anything: the form comes back with what was typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol, TypeVar

from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

from accounts.blaming import blame
from core.errors import TournamentError
from tournaments.events.validation import validate_plan
from tournaments.lifecycle.event_plan import EventPlan
from tournaments.pages.events.chains_form import CHAIN, ONE
from tournaments.pages.events.create_form import OPTION, EventForm
from tournaments.pages.events.stages_form import COUNT, Card, cards_of, changed, flattened, read_cards

PREVIEW: Final = "preview"
SHAPE: Final = "shape"
"""Name of the hidden field: the shape whose fields the form shows."""
FIELDS_OF_A_STAGE: Final = (
    "groups",
    "rounds",
    "seats",
    "advance",
    "third_place",
    "consolation",
    "scoring",
    "name",
    "kind",
)


F = TypeVar("F", bound=EventForm)
F_co = TypeVar("F_co", bound=EventForm, covariant=True)


class Make(Protocol[F_co]):
    """Makes the form, from what was sent or with first values."""

    def __call__(self, data: QueryDict | None, typed: Mapping[str, Any] | None = None) -> F_co:
        """Return the form."""


def after_act(make: Make[F], data: QueryDict, act: str) -> tuple[F, EventPlan | None]:
    """Return the form as it is after a button, and its plan if it can be played. Only a preview shows what is wrong."""
    sent = _with_cards(data, _cards_after(make, data, act))
    checked = make(sent)
    plan = plan_in(checked, shows_errors=act == PREVIEW)
    if act == PREVIEW:
        return checked, plan
    fields = checked.fields.items()
    typed = {
        name: field.widget.value_from_datadict(sent, MultiValueDict(), name)
        for name, field in fields
        if not field.disabled
    }
    return make(None, {**typed, "cards": read_cards(sent)}), plan


def plan_in(form: EventForm, *, shows_errors: bool = False) -> EventPlan | None:
    """Return the plan of a form that was sent, if it can be played."""
    if not form.is_valid():
        return None
    plan = form.plan()
    try:
        validate_plan(plan, form.before)
    except TournamentError as refusal:
        if shows_errors:
            blame_stage(form, refusal)
        return None
    return plan


def blame_stage(form: EventForm, refusal: TournamentError, beside: Mapping[str, str] | None = None) -> None:
    """Put a refusal beside the field of the stage that it is about, or where `blame` puts it."""
    number, name = refusal.extra.get("stage"), str(refusal.extra.get("field", ""))
    cards = form.cards.shown if form.cards else []
    if isinstance(number, int) and 1 <= number <= len(cards) and name in cards[number - 1].form.fields:
        blame(cards[number - 1].form, refusal)
        form.add_error(None, str(refusal))
        return
    # With cards the fields of other shapes are not there to be seen.
    known = {} if cards else dict(beside or {})
    blame(form, refusal, beside={**dict(beside or {}), "ways": "template"} if cards else known, option=OPTION)


def _cards_after(make: Make[F], data: QueryDict, act: str) -> list[Card]:
    if data.get("template") != CHAIN:
        return []
    cards = read_cards(data)
    return changed(cards, act) if cards else _first_cards(make, data)


def _first_cards(make: Make[F], data: QueryDict) -> list[Card]:
    """Return the cards of the stages as the other fields had them; of a form with a mistake, one card."""
    before = data.copy()
    before["template"] = data.get(SHAPE, ONE)
    form = make(before)
    if form.is_valid():
        return cards_of(form.plan(), form.usual_at, is_saved=False)
    return changed([], "add")


def _with_cards(data: QueryDict, cards: list[Card]) -> QueryDict:
    sent = data.copy()
    for name in [name for name in sent if name == COUNT or (name[:1] == "s" and name[1:2].isdecimal())]:
        del sent[name]
    if cards:
        for name, value in flattened(cards).items():
            sent[name] = value
    return sent
