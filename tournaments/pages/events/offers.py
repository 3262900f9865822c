"""Events that are held often, as cards: what each is, drawn small, and what it comes to for a number of people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils.translation import ngettext

from accounts.phrasing import listed
from tournaments.events.proposals.estimates import forecast_of
from tournaments.events.shapes import read_rules, sides_of
from tournaments.lifecycle.event_plan import EventPlan
from tournaments.models import Stage
from tournaments.pages.events.audiences import BOTH, BOTS
from tournaments.pages.events.create_form import EventForm
from tournaments.pages.events.pictures import Table, table_of
from tournaments.pages.events.proposing import span
from tournaments.pages.events.templates import MAX_PEOPLE, MIN_PEOPLE, TEMPLATES, USUAL_ROOM, audience_of, typed_number

ANY_NAME: Final = "Event"
"""Stands for the name of an event that has none yet."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A card. drawing: a table of cards; sentence: "16 people, 7 rounds, 4 h 40".

    address: of the form that it fills in. hours: of people, which is how long it usually takes; else 0.
    """

    key: str
    name: str
    drawing: Table
    sentence: str
    address: str
    is_chosen: bool
    hours: float


def offers_of(audience: str, query: QueryDict) -> list[Offer]:
    """Return the cards for those who play, what takes least time first. query: of the address, which may say how many
    people and tables.
    """
    people = _people(query.get("people", ""))
    kept = {name: query[name] for name in ("tables", "minutes") if query.get(name)}
    found = [
        Offer(
            key=key,
            name=str(template.name),
            drawing=table_of(plan, at),
            sentence=comes_to(plan, people),
            address=f"?{urlencode({'template': key, 'people': people, **kept})}#form",
            is_chosen=key == query.get("template", ""),
            hours=_hours(plan, people),
        )
        for at, (key, template) in enumerate(TEMPLATES.items())
        if audience in (BOTH, audience_of(key)) and (plan := _plan(key, people)) is not None
    ]
    return sorted(found, key=lambda offer: offer.hours)


def shown_offers(audience: str, query: QueryDict) -> dict[str, list[Offer]]:
    """Return the cards with pictures and those folded below them; among both is the chosen one with a picture."""
    found = offers_of(audience, query)
    if audience != BOTH:
        return {"offers": found, "folded": []}
    first = [each for each in found if TEMPLATES[each.key].is_usual or each.is_chosen]
    return {"offers": first, "folded": [each for each in found if each not in first]}


def _hours(plan: EventPlan, people: int) -> float:
    """Return how long it usually takes people; 0 for bots, which play at any hour, and for what has no fixed end."""
    found = forecast_of(plan, entries_of(plan, people)) if plan.who != BOTS else None
    return found.hours[0] if found is not None else 0.0


def _people(text: str) -> int:
    """Return the number of people as it was typed; the usual one for what is no number that an event can have."""
    number = typed_number(text)
    return number if MIN_PEOPLE <= number <= MAX_PEOPLE else USUAL_ROOM


@lru_cache(maxsize=256)
def _plan(key: str, people: int) -> EventPlan | None:
    """Return what the form of a template makes, sent as it is; it is worked out once in a process.

    None where it is refused.
    """
    form = EventForm(sent_as_it_is(EventForm(initial=TEMPLATES[key].values(people))), initial={})
    return form.plan() if form.is_valid() else None


def sent_as_it_is(form: EventForm) -> QueryDict:
    """Return what a browser sends of a form that nobody touches; one without a name has some name."""
    sent = QueryDict(mutable=True)
    for field in form:
        value = field.value()
        if value in (None, False, ""):
            continue
        sent.setlist(field.html_name, [str(each) for each in (value if isinstance(value, list | tuple) else [value])])
    sent.setdefault("name", ANY_NAME)
    return sent


def entries_of(plan: EventPlan, people: int) -> int:
    """Return how many entries that number of people makes: themselves, pairs that share a side, or teams."""
    seating = sides_of(read_rules(plan), plan.seats)
    return people // (plan.boards or (plan.seats // len(set(seating)) if plan.partners else 1))


def legs_of(plan: EventPlan) -> int:
    """Return how often the deals of a table are played: from every seat, or once."""
    return plan.seats if plan.who == BOTS and plan.legs == Stage.Legs.CYCLIC else 1


def comes_to(plan: EventPlan, people: int) -> str:
    """Return who plays, how many rounds and for how long; of bots, which play at any hour, how many matches."""
    for_bots = plan.who == BOTS
    who = ngettext("%(n)d bot", "%(n)d bots", people) if for_bots else ngettext("%(n)d person", "%(n)d people", people)
    found = forecast_of(plan, entries_of(plan, people))
    if found is None:  # it ends by its own rule
        return who % {"n": people}
    rounds, matches = (sum(numbers) for numbers in zip(*((s.rounds, s.matches) for s in found.stages), strict=True))
    matches *= legs_of(plan)
    words: Iterable[str] = (
        who % {"n": people},
        ngettext("%(n)d round", "%(n)d rounds", rounds) % {"n": rounds},
        ngettext("%(n)d match", "%(n)d matches", matches) % {"n": matches} if for_bots else span(found.hours[0]),
    )
    return listed(words)
