"""Forms of registration: what people fill in, and what an organiser chooses and asks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.zones import zone_named
from core.errors import TournamentError
from tournaments.entries.birth_years import FIRST
from tournaments.models import Question, Registration, RegistrationSettings, Tournament
from tournaments.pages.events.moments import WallClockField, placed
from tournaments.registration.answers import MAX_LENGTH, YES, choices_of
from tournaments.registration.register import Details
from tournaments.registration.set_up import MAX_QUESTIONS, Asked

PREFIX: Final = "question-"
NEW_QUESTIONS: Final = 2
"""Empty questions below those that are there."""
BESIDE: Final = {
    "entry.name_invalid": "name",
    "entry.duplicate": "name",
    "registration.bad_email": "email",
    "registration.consent": "agrees",
    "registration.birth_year": "born",
    "entry.bad_birth_year": "born",
    "registration.bad_consent": "consent",
    "registration.bad_payment_url": "payment_url",
}
"""Fields by the code of the refusal that stands beside them."""


def beside(refusal: TournamentError) -> Mapping[str, str]:
    """Return where a refusal stands: `BESIDE`, or the field of the question that it names."""
    return {**BESIDE, "registration.answer": f"{PREFIX}{refusal.extra.get('question', '')}"}


class RegisterForm(forms.Form):
    """What a person fills in. has_address: somebody without an account gives the address of their mail."""

    name = forms.CharField(
        label=_("Name"),
        max_length=60,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
        help_text=_("Everybody can read your name and club on the pages of the event."),
    )
    email = forms.EmailField(
        label=_("Email"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        help_text=_("We send you a link to confirm. Only the organisers see the address."),
    )
    club = forms.CharField(
        label=_("Club (optional)"),
        max_length=60,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )

    def __init__(
        self,
        data: Any = None,
        *,
        questions: Sequence[Question],
        has_address: bool,
        consent: str = "",
        registration: Registration | None = None,
        answers: Mapping[str, str] | None = None,
        name: str = "",
        asks_year: bool = False,
    ) -> None:
        known = {f"{PREFIX}{uuid}": value for uuid, value in (answers or {}).items()}
        first: dict[str, Any] = {"name": name}
        if registration is not None:
            first = {"name": registration.name, "club": registration.club, "born": registration.birth_year}
        super().__init__(data, initial={**first, **known})
        if not has_address:
            del self.fields["email"]
        for question in questions:
            self.fields[f"{PREFIX}{question.uuid}"] = _field(question)
        if asks_year:
            self.fields["born"] = forms.IntegerField(
                label=_("Year of birth"),
                min_value=FIRST,
                widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "bday-year"}),
                help_text=_("Partners have to be some years apart in age here. Only the organisers see it."),
            )
        if consent:
            # Not `required` by the form: the service refuses it in words of its own, as it does for programs.
            self.fields["agrees"] = forms.BooleanField(label=_("I agree"), help_text=consent, required=False)

    def details(self) -> Details:
        """Return what was filled in."""
        data = self.cleaned_data
        answers = {
            name.removeprefix(PREFIX): YES if value is True else str(value or "")
            for name, value in data.items()
            if name.startswith(PREFIX)
        }
        return Details(
            name=data["name"],
            club=data["club"],
            email=data.get("email", ""),
            answers=answers,
            agrees=bool(data.get("agrees")),
            born=data.get("born"),
        )


def _field(question: Question) -> forms.Field:
    """Return the field of a question; the service checks the answer, so that programs are checked alike."""
    label = question.words if question.is_required else _("%(question)s (optional)") % {"question": question.words}
    shared: dict[str, Any] = {"label": label, "required": question.is_required}
    match question.kind:
        case Question.Kind.TICK:
            return forms.BooleanField(**shared)
        case Question.Kind.CHOICE:
            offered = [(each, each) for each in choices_of(question)]
            return forms.ChoiceField(choices=[("", "–"), *offered], **shared)
        case Question.Kind.NUMBER:
            return forms.CharField(
                max_length=10, widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}), **shared
            )
    return forms.CharField(max_length=MAX_LENGTH, widget=forms.TextInput(attrs={"autocomplete": "off"}), **shared)


class LinkForm(forms.Form):
    """The address to which a link is sent once more."""

    email = forms.EmailField(label=_("Email"), max_length=254, widget=forms.EmailInput(attrs={"autocomplete": "email"}))


class SetUpForm(forms.Form):
    """What an organiser chooses for the registration of their event."""

    is_on = forms.BooleanField(label=_("People can register themselves"), required=False)
    opens_at = WallClockField(
        label=_("Opens"),
        required=False,
        help_text=_(
            "In the event's time zone. Leave empty to open with the entries. Registration closes with the entries."
        ),
    )
    needs_approval = forms.BooleanField(
        label=_("I approve each registration"),
        required=False,
        help_text=_("Without this, people have a place at once, or one on the waiting list when the event is full."),
    )
    consent = forms.CharField(
        label=_("Text that people agree to (optional)"),
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("For example the rules of the house, or that photos are taken."),
    )
    payment_url = forms.CharField(
        label=_("Where people pay (optional)"),
        required=False,
        max_length=300,
        widget=forms.URLInput(attrs={"placeholder": "https://"}),
        help_text=_("The address of a page elsewhere. You tick who has paid; Hanami takes no money."),
    )

    def __init__(self, data: Any = None, *, event: Tournament, chosen: RegistrationSettings) -> None:
        self.event = event
        zone = zone_named(event.time_zone) or UTC
        opens = chosen.opens_at
        shown = opens.astimezone(zone).replace(tzinfo=None, second=0, microsecond=0) if opens is not None else None
        names = ("is_on", "needs_approval", "consent", "payment_url")
        super().__init__(data, initial={**{name: getattr(chosen, name) for name in names}, "opens_at": shown})

    def clean(self) -> dict[str, Any]:
        """Return the time in the event's zone."""
        data = {**(super().clean() or {}), "time_zone": self.event.time_zone}
        placed(self, data, ("opens_at",))
        data.pop("time_zone")
        return data


class QuestionForm(forms.Form):
    """One question. Without words it is left out."""

    uuid = forms.CharField(required=False, max_length=36, widget=forms.HiddenInput)
    words = forms.CharField(label=_("Question"), required=False, max_length=200)
    kind = forms.ChoiceField(label=_("Kind of answer"), choices=Question.Kind.choices)
    choices = forms.CharField(
        label=_("Answers to choose from"),
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("One on each line; only for a question with several choices."),
    )
    is_required = forms.BooleanField(label=_("Everybody has to answer"), required=False)
    position = forms.IntegerField(label=_("Place in the list"), required=False, min_value=1, max_value=99)


QuestionForms = forms.formset_factory(
    QuestionForm, extra=NEW_QUESTIONS, max_num=MAX_QUESTIONS, absolute_max=MAX_QUESTIONS, validate_max=True
)


def question_forms(questions: Iterable[Question], data: Any = None) -> Any:
    """Return the forms of the questions that are there, and some empty ones."""
    known = [
        {
            "uuid": str(each.uuid),
            "words": each.words,
            "kind": each.kind,
            "choices": each.choices,
            "is_required": each.is_required,
            "position": each.position,
        }
        for each in questions
    ]
    return QuestionForms(data, initial=known, prefix="q")


def asked_of(formset: Any) -> list[Asked]:
    """Return the questions as they were sent, in the order of their places."""
    rows = [form.cleaned_data for form in formset.forms if form.cleaned_data.get("words", "").strip()]
    # Sorted by place; equal and empty ones stay in the order of the page.
    rows.sort(key=lambda row: row.get("position") or MAX_QUESTIONS + 100)
    return [
        Asked(
            words=row["words"],
            kind=row["kind"],
            choices=tuple(row["choices"].splitlines()),
            is_required=row["is_required"],
            uuid=row["uuid"],
        )
        for row in rows
    ]
