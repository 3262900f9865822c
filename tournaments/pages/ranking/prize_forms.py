"""Forms of prizes: the settings, the categories, and what there is to win."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from tournaments.models import PrizeCategory, PrizeSettings, Question, Tournament
from tournaments.ranking.prizes import Prizes
from tournaments.ranking.set_prizes import (
    FIELDS,
    MAX_CATEGORIES,
    MAX_CURRENCY,
    MAX_NAME,
    MAX_NUMBER,
    MAX_PLACE,
    MAX_PRIZES,
    MAX_WORDS,
    CategoryPlan,
    PrizePlan,
)

NEW_CATEGORIES: Final = 1
NEW_PRIZES: Final = 3
"""Empty rows below those that are there."""


class PrizeSettingsForm(forms.Form):
    """How prizes are given, and who sees them."""

    publish = forms.ChoiceField(
        label=_("Who sees them"), required=False, choices=PrizeSettings.Publish.choices, widget=forms.RadioSelect
    )
    one_each = forms.BooleanField(
        label=_("One prize each: the better one"),
        required=False,
        help_text=_("Those behind move up. The prize of the larger amount is better; without amounts the upper one."),
    )
    ties = forms.ChoiceField(label=_("Shared places"), choices=PrizeSettings.Ties.choices, widget=forms.RadioSelect)
    withdrawn_win = forms.BooleanField(label=_("Those who withdrew can win, too"), required=False)
    currency = forms.CharField(
        label=_("Currency of amounts (optional)"), required=False, max_length=MAX_CURRENCY, strip=True
    )

    def __init__(self, data: Any = None, *, chosen: PrizeSettings) -> None:
        super().__init__(data, initial={name: getattr(chosen, name) for name in FIELDS})


class CategoryForm(forms.Form):
    """One category. Without a name it is left out."""

    uuid = forms.CharField(required=False, max_length=36, widget=forms.HiddenInput)
    name = forms.CharField(label=_("Name of the category"), required=False, max_length=MAX_NAME)
    kind = forms.ChoiceField(label=_("Who is in it"), choices=PrizeCategory.Kind.choices)
    club = forms.CharField(label=_("Club"), required=False, max_length=MAX_NAME, help_text=_("Only of one club."))
    question = forms.ChoiceField(label=_("Question of the registration"), required=False)
    value = forms.CharField(
        label=_("Answer"), required=False, max_length=MAX_NAME, help_text=_("Only for a question with choices.")
    )
    at_least = forms.IntegerField(label=_("Number from"), required=False, min_value=-MAX_NUMBER, max_value=MAX_NUMBER)
    at_most = forms.IntegerField(label=_("Number to"), required=False, min_value=-MAX_NUMBER, max_value=MAX_NUMBER)
    is_named = forms.BooleanField(
        label=_("Everybody may read its name"),
        required=False,
        help_text=_("Beside the winners. Nobody else’s answer, age or category is ever shown."),
    )

    def __init__(self, *args: Any, questions: Iterable[Question] = (), **rest: Any) -> None:
        super().__init__(*args, **rest)
        asked = [(str(each.uuid), each.words) for each in questions if each.kind != Question.Kind.TEXT]
        field = self.fields["question"]
        if isinstance(field, forms.ChoiceField):
            field.choices = [("", "–"), *asked]


class PrizeForm(forms.Form):
    """One prize. Without words it is left out."""

    words = forms.CharField(label=_("Prize"), required=False, max_length=MAX_WORDS)
    category = forms.ChoiceField(label=_("For"), required=False)
    first = forms.IntegerField(label=_("Place from"), required=False, min_value=1, max_value=MAX_PLACE)
    last = forms.IntegerField(label=_("Place to"), required=False, min_value=1, max_value=MAX_PLACE)
    amount = forms.DecimalField(
        label=_("Amount (optional)"), required=False, min_value=0, max_digits=12, decimal_places=2
    )

    def __init__(self, *args: Any, pools: Iterable[tuple[str, str]] = (), **rest: Any) -> None:
        super().__init__(*args, **rest)
        field = self.fields["category"]
        if isinstance(field, forms.ChoiceField):
            field.choices = list(pools)


CategoryForms = forms.formset_factory(
    CategoryForm, extra=NEW_CATEGORIES, max_num=MAX_CATEGORIES, absolute_max=MAX_CATEGORIES, validate_max=True
)
PrizeForms = forms.formset_factory(
    PrizeForm, extra=NEW_PRIZES, max_num=MAX_PRIZES, absolute_max=MAX_PRIZES, validate_max=True
)


def category_forms(categories: Iterable[PrizeCategory], event: Tournament, data: Any = None) -> Any:
    """Return the forms of the categories that are there, and an empty one."""
    columns = ("uuid", "name", "kind", "club", "value", "at_least", "at_most", "is_named")
    known = [
        {
            **{name: getattr(each, name) for name in columns},
            "question": str(each.question.uuid) if each.question else "",
        }
        for each in categories
    ]
    questions = list(event.questions.order_by("position", "pk"))
    return CategoryForms(data, initial=known, prefix="c", form_kwargs={"questions": questions})


def prize_forms(found: Prizes, data: Any = None) -> Any:
    """Return the forms of the prizes that are there, and some empty ones. A category is named by its place above."""
    numbers = {category.pk: number for number, category in enumerate(found.categories, 1)}
    pools = [("", _now("everybody")), *((str(numbers[each.pk]), each.name) for each in found.categories)]
    # A category that is new in this form has no name in the list yet, but may be chosen by its number.
    more = range(len(found.categories) + 1, len(found.categories) + NEW_CATEGORIES + 1)
    pools += [(str(number), _now("the new category above")) for number in more]
    known = [
        {
            "words": each.words,
            "category": str(numbers[each.category_id]) if each.category_id else "",
            "first": each.first,
            "last": each.last,
            "amount": each.amount,
        }
        for each in found.prizes
    ]
    return PrizeForms(data, initial=known, prefix="p", form_kwargs={"pools": pools})


def plans_of(categories: Any, prizes: Any) -> dict[str, Any]:
    """Return what the service takes, without rows that have no words."""
    plans: list[CategoryPlan] = []
    numbers: dict[str, int] = {}
    for number, form in enumerate(categories.forms, 1):
        row = form.cleaned_data
        if row.get("name", "").strip():
            plans.append(CategoryPlan(**row))
            numbers[str(number)] = len(plans)
    offers = [
        PrizePlan(
            words=row["words"],
            first=row["first"] or 1,
            last=row["last"],
            amount=row["amount"],
            # 0 is no category's number: a prize of one that is taken out is refused, not given to everybody.
            category=numbers.get(row["category"], 0) if row["category"] else None,
        )
        for row in (form.cleaned_data for form in prizes.forms)
        if row.get("words", "").strip()
    ]
    return {"categories": plans, "prizes": offers}
