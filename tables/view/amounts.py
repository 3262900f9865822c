"""Many legal actions that differ by a number alone: one field for all of them, and buttons for the usual ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext_lazy

from engine.action import FORMS

MANY: Final = 8
"""Of this number or fewer, each has a button, and there is no field."""
USUAL: Final = frozenset({1, 5, 10, 20, 50})
FIELD: Final = "number-"
"""How the names of fields begin: a button whose value is such a name chooses what stands in the field."""
LABELS: Final[Mapping[str, Any]] = {
    # Translators: a button beside a field with numbers: to bid the number that stands there.
    "bid": gettext_lazy("Bid"),
}


@dataclass(frozen=True, slots=True)
class AmountField:
    """A field for the number of an action.

    text: of its button; options: the numbers, each with the action's index; usual: those with a button of their own,
    with index and words.
    """

    name: str
    text: str
    options: tuple[tuple[int, int], ...]
    usual: tuple[tuple[int, int, str], ...]


def gathered(choices: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what a page offers of choices (`choice_of`): {"fields": of many numbers, "choices": all the others}."""
    counted = Counter(map(_kind, choices))
    many = [kind for kind, n in counted.items() if n > MANY and kind in FORMS and FORMS[kind].shape == "amount"]
    fields = [_field(kind, [each for each in choices if _kind(each) == kind]) for kind in many]
    return {"fields": fields, "choices": [each for each in choices if _kind(each) not in many]}


def _kind(choice: Mapping[str, Any]) -> str:
    return str(next(iter(choice["a"])))


def _field(kind: str, choices: Sequence[Mapping[str, Any]]) -> AmountField:
    found = sorted((each["a"][kind], each["i"], each["text"]) for each in choices)
    return AmountField(
        name=FIELD + kind,
        # A game that is new here: its kind as the engine writes it, as in the words of its other choices.
        text=str(LABELS.get(kind, kind)),
        options=tuple((number, index) for number, index, _text in found),
        usual=tuple(each for each in found if each[0] in USUAL or each is found[0]),
    )
