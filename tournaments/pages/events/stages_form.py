"""A chain of stages as cards of the event's form: each stage, and the ways out of it. Works without script.

What was sent is kept as it was typed (`Card`), so that adding, removing and moving a card loses nothing; the forms of
the cards check it once the event is saved or previewed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.events.chains import MAX_GROUPS, MAX_STAGES
from tournaments.events.shapes import MAX_ADVANCING, round_bounds
from tournaments.events.validation import MAX_ENTRIES
from tournaments.lifecycle.event_plan import AdvancementPlan, EventPlan, StagePlan
from tournaments.lifecycle.field_words import LABELS
from tournaments.models import Progression, Stage
from tournaments.models.stage_names import in_readers_words

COUNT: Final = "chain-stages"
ACT: Final = "act"
MAX_WAYS: Final = 12
"""Ways out of one stage that a form reads; more would be more than the places lead to."""
OWN: Final = (
    "name",
    "kind",
    "groups",
    "seats",
    "rounds",
    "advance",
    "third_place",
    "consolation",
    "flows",
    "scoring",
    "waits",
)
"""Fields of a card. What else a stage has stays as it is, or is that of the first stage."""
OF_WAY: Final = ("to", "first", "last", "most", "by", "carry", "order")
Raw = dict[str, str]


@dataclass(slots=True)
class Card:
    """A stage as it was typed. was: its number in the event as it is saved, "" of a new one."""

    fields: Raw
    ways: list[Raw] = field(default_factory=list)


class StageFields(forms.Form):
    """One stage. number: in the chain; is_first: what the event's form asks for is left out."""

    was = forms.IntegerField(required=False, min_value=1, max_value=MAX_STAGES, widget=forms.HiddenInput)
    name = forms.CharField(label=LABELS["stage_name"], required=False, max_length=60)
    kind = forms.ChoiceField(label=LABELS["kind"], required=False)
    groups = forms.IntegerField(label=_("Groups"), min_value=1, max_value=MAX_GROUPS, initial=1)
    rounds = forms.IntegerField(
        label=LABELS["rounds"],
        min_value=0,
        max_value=round_bounds("")[1],
        initial=1,
        help_text=_("Round robin: how many times everyone plays everyone. Not used in brackets."),
    )
    seats = forms.TypedChoiceField(
        label=LABELS["seats"],
        coerce=int,
        required=False,
        choices=[("", _("as in the first stage")), *((n, str(n)) for n in range(2, 8))],
    )
    scoring = forms.ChoiceField(
        label=LABELS["scoring"], required=False, choices=[("", _("as in the rules")), *Stage.Scoring.choices]
    )
    advance = forms.IntegerField(label=LABELS["advance"], min_value=1, max_value=MAX_ADVANCING, initial=1)
    third_place = forms.BooleanField(label=LABELS["third_place"], required=False)
    consolation = forms.BooleanField(label=LABELS["consolation"], required=False)
    flows = forms.BooleanField(label=LABELS["flows"], required=False)
    waits = forms.BooleanField(label=_("I draw this stage myself"), required=False)

    def __init__(
        self, *args: Any, number: int, kinds: Sequence[tuple[str, Any]], for_bots: bool, **kwargs: Any
    ) -> None:
        super().__init__(*args, **{**kwargs, "prefix": f"s{number}"})
        self.number, self.is_first = number, number == 1
        chosen = self.fields["kind"]
        if isinstance(chosen, forms.ChoiceField):
            chosen.choices = list(kinds)
        # A bracket of bots goes on at once anyway.
        left_out = {*(("seats", "scoring", "waits") if self.is_first else ()), *(("flows",) if for_bots else ())}
        for name in left_out:
            del self.fields[name]

    @property
    def title(self) -> str:
        """Return what the card is headed with."""
        return in_readers_words(str(self["name"].value() or ""))

    def bound_fields(self) -> list[forms.BoundField]:
        """Return its fields that people see, in order."""
        return [self[name] for name in self.fields if name != "was"]


class WayFields(forms.Form):
    """One way out of a stage: which places lead to which stage."""

    first = forms.IntegerField(label=_("From place"), min_value=1, max_value=MAX_ENTRIES, initial=1)
    last = forms.IntegerField(label=_("To place"), min_value=1, max_value=MAX_ENTRIES, initial=2)
    to = forms.TypedChoiceField(label=_("Advance to"), coerce=int)
    most = forms.IntegerField(
        label=_("At most in all"),
        required=False,
        min_value=1,
        max_value=MAX_ENTRIES,
        help_text=_("Empty: all. Otherwise by place, then by what they won: the best seconds or thirds."),
    )
    by = forms.ChoiceField(label=LABELS["by"], choices=Progression.SeedBy.choices, initial="rank")
    # Which of several ways into one stage gives the first seeds.
    order = forms.IntegerField(required=False, min_value=0, max_value=MAX_WAYS * MAX_STAGES, widget=forms.HiddenInput)
    carry = forms.ChoiceField(label=LABELS["carry"], choices=Progression.Carry.choices, initial="none")

    def __init__(self, *args: Any, source: int, number: int, targets: Sequence[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "prefix": f"s{source}-w{number}"})
        self.source, self.number = source, number
        chosen = self.fields["to"]
        if isinstance(chosen, forms.ChoiceField):
            chosen.choices = list(targets)

    def clean(self) -> dict[str, Any]:
        """Check that the places are a range."""
        data = super().clean() or {}
        first, last = data.get("first"), data.get("last")
        if first and last and last < first:
            text = _("This place comes before the first one.")
            self.add_error("last", forms.ValidationError(text, code="progression.range"))
        return data


@dataclass(slots=True)
class StageCard:
    """A card as the page shows it. may_move, is_fixed: whether it has begun, so that it stays where it is."""

    form: StageFields
    ways: list[WayFields]
    is_fixed: bool = False
    may_go_up: bool = False
    may_go_down: bool = False
    may_go: bool = False


class Cards:
    """The cards of a form. data: check what was typed; begun: stages that have begun, by how many rounds are drawn."""

    def __init__(
        self,
        cards: Sequence[Card],
        *,
        kinds: Sequence[tuple[str, Any]],
        is_checked: bool,
        for_bots: bool = False,
        begun: Mapping[int, int] | None = None,
    ) -> None:
        self.raw, self.begun, self.for_bots = list(cards), begun or {}, for_bots
        titles = [in_readers_words(card.fields.get("name", "")) for card in cards]
        named = [(at, f"{at}. {title}" if title else str(at)) for at, title in enumerate(titles, start=1)]
        self.shown = [
            self._shown(at, card, kinds, named, is_checked=is_checked) for at, card in enumerate(cards, start=1)
        ]

    def _shown(
        self,
        at: int,
        card: Card,
        kinds: Sequence[tuple[str, Any]],
        named: Sequence[tuple[int, str]],
        *,
        is_checked: bool,
    ) -> StageCard:
        data = {f"s{at}-{name}": value for name, value in card.fields.items()}
        has_begun = at in self.begun
        form = StageFields(
            data if is_checked else None, initial=card.fields, number=at, kinds=kinds, for_bots=self.for_bots
        )
        if has_begun:
            for name in form.fields:
                form.fields[name].disabled = name != "rounds" or not self.begun[at]
        ways = []
        for number, way in enumerate(card.ways, start=1):
            sent = {f"s{at}-w{number}-{name}": value for name, value in way.items()}
            ways.append(
                WayFields(
                    sent if is_checked else None,
                    initial=way,
                    source=at,
                    number=number,
                    targets=[each for each in named if each[0] > at],
                )
            )
        free = len(self.begun)
        return StageCard(
            form,
            ways,
            is_fixed=has_begun,
            may_go_up=not has_begun and at > free + 1,
            may_go_down=not has_begun and at < len(self.raw),
            may_go=not has_begun and len(self.raw) > 1,
        )

    @property
    def may_add(self) -> bool:
        """Return whether there is room for another stage."""
        return len(self.raw) < MAX_STAGES

    def is_valid(self) -> bool:
        """Return whether every card says something that can be understood."""
        # All of them: each shows its own errors.
        return all([*(card.form.is_valid() for card in self.shown), *(way.is_valid() for way in self._ways())])

    def _ways(self) -> Iterable[WayFields]:
        return (way for card in self.shown for way in card.ways)

    def put_into(self, plan: EventPlan, before: EventPlan | None, usual: Any) -> EventPlan:
        """Return the plan with these stages. before: the event as it is; usual: the format for a number of seats."""
        # As the plan says them: what a stage takes from the event is left out.
        known = (before.first, *before.then) if before is not None else ()
        stages = [self._stage(card.form, plan, known, usual) for card in self.shown]
        first, *others = stages
        ways = tuple(
            AdvancementPlan(
                source=way.source,
                target=way.cleaned_data["to"],
                **{name: way.cleaned_data[name] for name in ("first", "last", "most", "by", "carry")},
            )
            for way in sorted(self._ways(), key=_seeding)
        )
        same = ("kind", "rounds", "advance", "third_place", "consolation", "flows", "groups", "seats_min", "seats_max")
        own = {name: getattr(first, name) for name in same}
        return replace(plan, **own, stage_name=first.name, then=tuple(others), ways=ways)

    def _stage(self, form: StageFields, plan: EventPlan, known: Sequence[StagePlan], usual: Any) -> StagePlan:
        data = form.cleaned_data
        was = data["was"]
        base = known[was - 1] if was and was <= len(known) else _new(plan)
        seats = plan.seats if form.is_first else data["seats"] or 0
        kind = data["kind"] or usual(seats or plan.seats)
        said = {name: data[name] for name in OWN if name in form.fields and name not in ("kind", "seats", "name")}
        made = replace(base, kind=kind, seats=seats, name=_stored(data["name"], base.name), **said)
        is_same = (kind, seats, data["groups"]) == (base.kind, base.seats, base.groups)
        # Sizes of tables that only a program can choose: they belong to the stage as it was.
        return made if is_same else replace(made, seats_min=None, seats_max=None)


def _seeding(way: WayFields) -> tuple[int, int]:
    """Return where a way stands: by its target, those that are new after those that are there."""
    order = way.cleaned_data["order"]
    return way.cleaned_data["to"], MAX_WAYS * MAX_STAGES if order is None else order


def _stored(typed: str, before: str) -> str:
    """Return the name as it is kept: one that is shown in the reader's language stays as it was."""
    return before if typed == in_readers_words(before) else typed


def _new(plan: EventPlan) -> StagePlan:
    """Return what a stage has that no card says: that of the first one."""
    return StagePlan(kind=plan.kind, legs=plan.legs, tie_breaks=plan.tie_breaks, bye_policy=plan.bye_policy)


def cards_of(plan: EventPlan, usual: Any, *, is_saved: bool) -> list[Card]:
    """Return the cards of a plan. is_saved: the event has these stages already."""
    cards = []
    for number, stage in enumerate(plan.stages, start=1):
        fields = {name: _typed(getattr(stage, name)) for name in OWN}
        fields["kind"] = "" if stage.kind == usual(stage.seats) else stage.kind
        fields["seats"] = "" if stage.seats == plan.seats else str(stage.seats)
        fields["name"] = in_readers_words(stage.name)
        fields["was"] = str(number) if is_saved else ""
        ways = [
            {name: _typed(getattr(rule, name)) for name in ("first", "last", "most", "by", "carry")}
            | {"to": str(rule.target), "order": str(order)}
            for order, rule in enumerate(plan.ways)
            if rule.source == number
        ]
        cards.append(Card(fields, ways))
    return cards


def _typed(value: object) -> str:
    """Return a value as its field sends it."""
    if isinstance(value, bool):
        return "on" if value else ""
    return "" if value is None else str(value)


def read_cards(data: Mapping[str, Any]) -> list[Card]:
    """Return the cards that were sent; none if the form had none."""
    count = str(data.get(COUNT, ""))
    number = min(int(count), MAX_STAGES) if count.isdecimal() and len(count) < 3 else 0
    cards = []
    for at in range(1, number + 1):
        fields = {name: str(data.get(f"s{at}-{name}", "")) for name in ("was", *OWN)}
        ways = [
            {name: str(data.get(f"s{at}-w{row}-{name}", "")) for name in OF_WAY}
            for row in range(1, MAX_WAYS + 1)
            if f"s{at}-w{row}-to" in data
        ]
        cards.append(Card(fields, ways))
    return cards


def changed(cards: list[Card], act: str) -> list[Card]:
    """Return the cards after a button: "add", "remove-2", "up-2", "down-2", "way-1", "unway-1-2". Others do nothing."""
    verb, *numbers = act.split("-")
    at, row = ([int(each) if each.isdecimal() and len(each) < 3 else 0 for each in numbers] + [0, 0])[:2]
    if verb == "add" and len(cards) < MAX_STAGES:
        return _with_another(cards)
    if not 1 <= at <= len(cards):
        return cards
    order = list(range(1, len(cards) + 1))
    if verb == "way" and len(cards[at - 1].ways) < MAX_WAYS and at < len(cards):
        cards[at - 1].ways.append(_way_to(at + 1))
    elif verb == "unway":
        cards[at - 1].ways = [way for number, way in enumerate(cards[at - 1].ways, start=1) if number != row]
    elif verb == "remove" and len(cards) > 1:
        order.remove(at)
    elif verb in ("up", "down") and 1 <= (other := at + (1 if verb == "down" else -1)) <= len(cards):
        order[at - 1], order[other - 1] = order[other - 1], order[at - 1]
    return _reordered(cards, order)


def _with_another(cards: list[Card]) -> list[Card]:
    """Return the cards with a knock-out of the best after them."""
    fields = dict.fromkeys(("was", *OWN), "") | {
        "kind": "single_elim",
        "groups": "1",
        "rounds": "1",
        "advance": "1",
        "flows": "on",
    }
    if cards:
        cards[-1].ways.append(_way_to(len(cards) + 1))
    return [*cards, Card(fields)]


def _way_to(target: int) -> Raw:
    return {"to": str(target), "first": "1", "last": "2", "most": "", "by": "rank", "carry": "none", "order": ""}


def _reordered(cards: Sequence[Card], order: Sequence[int]) -> list[Card]:
    """Return the cards in another order; ways follow their stages, and those that would lead back are dropped."""
    now = {old: new for new, old in enumerate(order, start=1)}
    found = []
    for old in order:
        card = cards[old - 1]
        ways = [way | {"to": str(now[int(way["to"])])} for way in card.ways if _leads_on(way, now, now[old])]
        found.append(Card(card.fields, ways))
    return found


def _leads_on(way: Raw, now: Mapping[int, int], source: int) -> bool:
    target = int(way["to"]) if way["to"].isdecimal() and len(way["to"]) < 3 else 0
    return now.get(target, 0) > source


def flattened(cards: Sequence[Card]) -> dict[str, str]:
    """Return the cards as a form sends them."""
    sent = {COUNT: str(len(cards))}
    for at, card in enumerate(cards, start=1):
        sent |= {f"s{at}-{name}": value for name, value in card.fields.items()}
        for row, way in enumerate(card.ways, start=1):
            sent |= {f"s{at}-w{row}-{name}": value for name, value in way.items()}
    return sent
