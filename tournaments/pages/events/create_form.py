"""Form of a new tournament. It knows which choices there are; `events.create.create_tournament` validates them."""

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.forms import ZoneField
from core.formats import FORMATS
from core.formats.ages import MAX_GAP
from core.standings.tiebreaks import offered as offered_tie_breaks
from core.standings.tiebreaks import tie_break
from engine.game import OptionInfo, OptionValue
from engine.games import GAMES, PRESETS, option_table
from tournaments.events.shapes import going_on, round_bounds
from tournaments.events.validation import entry_bounds
from tournaments.lifecycle.event_plan import EventPlan
from tournaments.lifecycle.field_words import BYES, LABELS, PARTNERS, SEEDING, WHO, option_label
from tournaments.models import Stage, Tournament
from tournaments.pages.events.audiences import BOTH, BOTS, HIDDEN, TEMPLATES
from tournaments.pages.events.boards_form import BoardFields
from tournaments.pages.events.bounds import bound
from tournaments.pages.events.bracket_fields import BracketFields
from tournaments.pages.events.chains_form import ChainFields
from tournaments.pages.events.clocks_form import ClockFields
from tournaments.pages.events.form_choices import KindSelect, kind_choices, seats_text, sides_at_table, usual_kind
from tournaments.pages.events.moments import WallClockField, placed
from tournaments.pages.events.ordering import OrderedSelects
from tournaments.pages.events.place_fields import PlaceFields
from tournaments.pages.events.sizes_form import SizeFields
from tournaments.progress.round_clock import MINUTES
from web.presets import preset_title

OPTION: Final = "option_"
SHOWN_FIRST: Final = ("rounds", "target", "teams")
ROTATING: Final = {4: "2x2", 6: "3x2"}
"""Partners that change sit in pairs, unless something else was asked for."""
USUAL_TIE_BREAKS: Final = ("victories", "points", "h2h", "wins")
"""Proposed for every scoring: what already ranks first says nothing more where it comes again."""


def options_of(game: str) -> tuple[OptionInfo, ...]:
    """Return the options a form offers. The game's scoring is offered as the event's scoring."""
    return tuple(info for info in option_table(game) if info.id != "scoring")


class EventForm(BoardFields, BracketFields, ChainFields, ClockFields, PlaceFields, SizeFields):
    """Form of an event: name, game, clock, tables, entries. A rule left alone stays as the preset says.

    audience: who the form is for (`audiences`): what does not concern them is hidden, and stays as it is.
    """

    is_tuned = True
    """Whether the page shows all fields at once, and not only those that every event needs."""

    name = forms.CharField(label=LABELS["name"], max_length=80)
    description = forms.CharField(
        label=LABELS["description"],
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Optional: what people should know."),
    )
    preset = forms.ChoiceField(label=LABELS["preset"])
    seats = forms.TypedChoiceField(
        label=LABELS["seats"], coerce=int, choices=[(n, str(n)) for n in range(2, 8)], initial=4
    )
    who = forms.ChoiceField(
        label=LABELS["who"],
        required=False,
        choices=[*WHO.items()],
        initial="bots",
    )
    draws = forms.BooleanField(
        label=LABELS["draws"],
        required=False,
        help_text=_(
            "For people and bots in one event. Unticked, the next round is drawn as soon as all tables are done."
        ),
    )
    partners = forms.ChoiceField(
        label=LABELS["partners"],
        required=False,
        choices=[*PARTNERS.items()],
        help_text=_("For people who play a side together. Entries are then counted in teams."),
    )
    kind = forms.ChoiceField(
        label=LABELS["kind"],
        required=False,
        widget=KindSelect,
        help_text=_("Swiss and the formats after it draw each round from the results of the one before."),
    )
    rounds = forms.IntegerField(
        label=LABELS["rounds"],
        initial=1,
        help_text=_(
            "Tables and Swiss: the number of rounds; at two seats, how many times everyone plays everyone. Lives: the"
            " lives of each entry. Ladder: deal sets for each entry, 0 for as many as possible."
        ),
    )
    ends_at = WallClockField(
        label=LABELS["ends_at"],
        required=False,
        help_text=_(
            "In the event's time zone, within 31 days. Leave empty to end once everybody has played that "
            "many deal sets."
        ),
    )
    advance = forms.IntegerField(
        label=LABELS["advance"],
        required=False,
        initial=1,
        help_text=_("Elimination: how many of a table advance. Lives: how many keep their lives."),
    )
    apart = forms.BooleanField(
        label=LABELS["apart"],
        required=False,
        help_text=_(
            "Wherever the format leaves a choice; also in groups. You set fixed tables and seeds on a page of "
            "their own."
        ),
    )
    age_gap = forms.IntegerField(
        label=LABELS["age_gap"],
        required=False,
        min_value=0,
        max_value=MAX_GAP,
        help_text=_(
            "For example 20: partners are at least 20 years apart in age where possible. The registration then asks for"
            " the year of birth, which only organisers see. Leave empty for no rule."
        ),
    )
    seeding = forms.ChoiceField(
        label=LABELS["seeding"],
        required=False,
        choices=[*SEEDING.items()],
    )
    scoring = forms.ChoiceField(
        label=LABELS["scoring"],
        required=False,
        choices=[("", _("as in the rules")), *Stage.Scoring.choices],
        help_text=_("Points of all deals, deals won, or places at the tables."),
    )
    legs = forms.ChoiceField(
        label=LABELS["legs"],
        choices=Stage.Legs.choices,
        initial=Stage.Legs.CYCLIC,
        help_text=_(
            "With duplicate, every deal is played from every seat. That takes as many matches as there are seats, and"
            " evens out the luck of the cards."
        ),
    )
    tie_breaks = forms.MultipleChoiceField(
        label=LABELS["tie_breaks"],
        required=False,
        widget=OrderedSelects,
        initial=list(USUAL_TIE_BREAKS),
        help_text=_(
            "After the main score, in this order and by nothing else. Clear what you do not want. Entries that "
            "stay tied share their rank. In a bracket the place in it comes first."
        ),
    )
    bye_policy = forms.ChoiceField(
        label=LABELS["bye_policy"],
        required=False,
        choices=[*BYES.items()],
        help_text=_(
            "For a round in which somebody has no opponent because the number does not fit. A player whose "
            "opponent does not come wins the table, and gets the round’s mean of points and of deals won."
        ),
    )
    round_minutes = forms.IntegerField(
        label=LABELS["round_minutes"],
        required=False,
        min_value=MINUTES[0],
        max_value=MINUTES[-1],
        help_text=_("For people at tables: the clock starts when you call the round. Leave empty for no clock."),
    )
    min_entries = forms.IntegerField(label=LABELS["min_entries"], initial=4)
    max_entries = forms.IntegerField(label=LABELS["max_entries"], initial=16)
    entries_per_owner = forms.IntegerField(label=LABELS["entries_per_owner"], initial=2)
    entries_close_at = WallClockField(
        label=LABELS["entries_close_at"],
        required=False,
        help_text=_("In the event's time zone. Leave empty to close entries when you start the event."),
    )
    starts_at = WallClockField(
        label=LABELS["starts_at"],
        required=False,
        help_text=_("When the event begins, in its own time zone. Nothing starts automatically: you start the event."),
    )
    venue = forms.CharField(
        label=LABELS["venue"],
        required=False,
        max_length=120,
        help_text=_("Room, street, town. Leave empty if there is no particular place."),
    )
    time_zone = ZoneField(
        label=LABELS["time_zone"],
        required=False,
        help_text=_(
            "Where the event takes place, e.g. Europe/Paris: all its times are shown in this zone. Leave empty for UTC."
        ),
    )
    visibility = forms.ChoiceField(
        label=LABELS["visibility"], choices=Tournament.Visibility.choices, initial=Tournament.Visibility.PUBLIC
    )

    def __init__(self, *args: Any, audience: str = BOTH, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.audience = audience
        self._set_choices("kind", kind_choices(audience))
        for name in HIDDEN[audience]:
            # Disabled: what is sent for it is ignored, and its first value stays.
            self.fields[name].disabled = True
            self.fields[name].widget = forms.HiddenInput()
        self._set_choices("preset", [(preset, preset_title(preset)) for preset in PRESETS])
        self._set_choices(
            "tie_breaks", [(each.id, gettext(each.name)) for each in map(tie_break, offered_tie_breaks())]
        )
        for game in GAMES:
            for info in options_of(game):
                # Options of all games on one form, without script: which of them count is decided when it is sent.
                self.fields.setdefault(OPTION + info.id, option_field(info))
        self.fields["seats"].help_text = seats_text()
        self.read_cards(kind_choices(audience), self.begun(), for_bots=audience == BOTS)
        self._bind_numbers()
        self.show_sizes()

    def begun(self) -> Mapping[int, int]:
        """Return the stages that have begun, and how many rounds of each are drawn; of a new event none."""
        return {}

    def usual_at(self, seats: int) -> str:
        """Return the format of a stage at tables of that many seats for which none was chosen."""
        data = self.cleaned_data
        return usual_kind(sides_at_table(data["preset"], self._options(), seats))

    def _bind_numbers(self) -> None:
        """Let numbers go as far as the service allows, by the format, the rules and the tables that are chosen."""
        chosen = {name: str(self[name].value() or "") for name in ("kind", "template", "final", "preset", "seats")}
        kind = chosen["kind"]
        bound(self, "rounds", *round_bounds(kind))
        for name, (low, high) in entry_bounds(is_open_ended=kind in FORMATS and FORMATS[kind].is_open_ended).items():
            bound(self, name, low, high)
        # Not cleaned yet: nothing that was sent may break the page that shows what is wrong with it.
        preset = chosen["preset"] if chosen["preset"] in PRESETS else next(iter(PRESETS))
        teams = str(self[OPTION + "teams"].value() or "")
        seats = int(chosen["seats"]) if chosen["seats"] in map(str, range(2, 8)) else 2
        sides = sides_at_table(preset, {"teams": teams} if teams else {}, seats)
        bound(self, "advance", *going_on(chosen["final"] if chosen["template"] else kind, sides))
        for info in options_of(PRESETS[preset].game):
            if info.kind == "number" and info.maximum is not None:
                bound(self, OPTION + info.id, info.minimum or 0, info.maximum)

    def _set_choices(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        if isinstance(field, forms.ChoiceField):
            field.choices = choices

    def clean(self) -> dict[str, Any]:
        """Check that the most entries are not fewer than the fewest, and that every rule asked for exists."""
        data = super().clean() or {}
        # A misspelt rule from a link or a program would otherwise be ignored, and the event have other rules than
        # meant.
        for name in sorted(set(self.data) - set(self.fields)):
            if name.startswith(OPTION):
                text = _("There is no rule called “%(rule)s”. Leave it out, or choose one of the rules listed here.")
                shown = {"rule": name.removeprefix(OPTION)[:60]}
                self.add_error(None, forms.ValidationError(text, params=shown, code="rules.unknown_option"))
        self._refuse_rules_of_other_games(data)
        placed(self, data, ("ends_at", "entries_close_at", "starts_at"))
        low, high = data.get("min_entries"), data.get("max_entries")
        if low is not None and high is not None and high < low:
            text = _("This is less than the minimum number of entries. Enter at least %(low)s, or lower the minimum.")
            self.add_error("max_entries", forms.ValidationError(text, params={"low": low}, code="entries.order"))
        return data

    def _refuse_rules_of_other_games(self, data: dict[str, Any]) -> None:
        """Refuse a rule that the chosen game does not have, unless it was left alone."""
        if data.get("preset") not in PRESETS:
            return
        preset = PRESETS[data["preset"]]
        known = {OPTION + info.id for info in options_of(preset.game)}
        for name in [name for name in data if name.startswith(OPTION) and name not in known]:
            if data[name] not in (None, ""):
                text = _("%(preset)s has no such rule. Keep the value of the preset.")
                shown = {"preset": preset_title(preset.id)}
                self.add_error(name, forms.ValidationError(text, params=shown, code="rules.other_game"))

    def meanings(self) -> list[tuple[str, str]]:
        """Return (name, meaning) of every tie-break."""
        return [(gettext(each.name), gettext(each.description)) for each in map(tie_break, offered_tie_breaks())]

    @property
    def layout(self) -> str:
        """Return the template of its fields."""
        return TEMPLATES[self.audience]

    def first_options(self) -> list[forms.BoundField]:
        """Return the rules that most events look at: deals or points of a match, teams."""
        return [self[OPTION + name] for name in SHOWN_FIRST if OPTION + name in self.fields]

    def other_options(self) -> list[forms.BoundField]:
        """Return all other rules."""
        first = {OPTION + name for name in SHOWN_FIRST}
        return [self[name] for name in self.fields if name.startswith(OPTION) and name not in first]

    def option_errors(self) -> bool:
        """Return whether one of them is wrong: the page then shows them at once."""
        return any(field.errors for field in self.other_options())

    def plan(self) -> EventPlan:
        """Return the plan that was asked for; without a format the number of sides at a table gives it."""
        data = self.cleaned_data
        options = self._options()
        plain = ("name", "description", "preset", "seats", "rounds", "scoring", "clock", "visibility", "venue")
        counts = ("min_entries", "max_entries", "entries_per_owner", "entries_close_at", "starts_at")
        sides = sides_at_table(data["preset"], options, data["seats"])
        plan = EventPlan(
            **{name: data[name] for name in (*plain, *counts)},
            # People cannot play the same deal again from another seat.
            legs=Stage.Legs.SINGLE if data["who"] in ("people", "both") else data["legs"],
            options=options,
            who=data["who"] or "bots",
            **({"partners": data["partners"]} | self.of_boards() | self.place()),
            round_minutes=data["round_minutes"],
            apart="club" if data["apart"] else "",
            age_gap=data["age_gap"] or 0,
            seeding=data["seeding"],
            time_zone=data["time_zone"] or "UTC",
            draws="organiser" if data["draws"] and data["who"] == "both" else "",
            figures=self.figures(),
            ends_at=data["ends_at"],
            kind=data["kind"] or usual_kind(sides),
            advance=data["advance"] or 1,
            third_place=data["third_place"],
            consolation=data["consolation"],
            flows=data["flows"],
            tie_breaks=tuple(data["tie_breaks"]),
            bye_policy=data["bye_policy"] or "half",
        )
        return self.sized(self.chained(plan, sides))

    def _options(self) -> dict[str, OptionValue]:
        """Return the rules that differ from the preset."""
        table = {info.id: info for info in options_of(PRESETS[self.cleaned_data["preset"]].game)}
        chosen = {}
        for name, info in table.items():
            value = self.cleaned_data.get(OPTION + name)
            if value not in (None, ""):
                chosen[name] = bool(int(value)) if info.kind == "flag" else value
        if "teams" in table and _changes_partners(self.cleaned_data["kind"]):
            chosen.setdefault("teams", ROTATING.get(self.cleaned_data["seats"], "solo"))
        return chosen


def _changes_partners(kind: str) -> bool:
    return kind in FORMATS and FORMATS[kind].changes_partners


class FirstOfAll(forms.Select):
    """A list whose empty first option is chosen by being the first: fifty lists that say so are half a kilobyte."""

    def create_option(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Return an option for the template."""
        option = super().create_option(*args, **kwargs)
        if option["value"] == "":
            option["attrs"].pop("selected", None)
        return option


def option_field(info: OptionInfo) -> forms.Field:
    """Return the field of a single rule; left alone, it stays as the preset has it."""
    label, usual = option_label(info.id, info.meaning), _("as in the preset")
    if info.kind == "number":
        return forms.IntegerField(
            label=label,
            required=False,
            min_value=info.minimum or 0,
            max_value=info.maximum,
            widget=forms.NumberInput(attrs={"placeholder": usual}),
        )
    words = tuple(map(gettext, info.meanings)) or tuple(str(value) for value in info.allowed)
    values = ("1", "0") if info.kind == "flag" else tuple(str(value) for value in info.allowed)
    shown = (_("yes"), _("no")) if info.kind == "flag" else words
    # Empty first: an option that nobody touches stays as the preset has it.
    choices = [("", usual), *zip(values, shown, strict=False)]
    return forms.ChoiceField(label=label, required=False, choices=choices, widget=FirstOfAll)
