"""Summary of errors in what was sent, at the top of every page: each error leads to its field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from django import template
from django.core.exceptions import NON_FIELD_ERRORS
from django.forms import BaseForm, BoundField
from django.utils.safestring import SafeString, mark_safe

from engine.errors import DomainError

register = template.Library()

_POINTS_TO_REFUSAL: Final = mark_safe(' aria-invalid="true" aria-describedby="refusal"')


@dataclass(frozen=True, slots=True)
class Line:
    """An error. label: its field's, "" of the form as a whole; target: the id that a link goes to, "" for none.

    code: stable; "" of what forms find on their own.
    """

    text: str
    label: str = ""
    target: str = ""
    code: str = ""


@register.inclusion_tag("_errors.html", takes_context=True)
def error_summary(context: template.Context) -> dict[str, object]:
    """The errors of all forms of a page, and the refusal of what else was sent.

    A view hands over its forms under any name; or the refusal as `refusal` (a DomainError, or its text with `code`),
    with `refusal_at`, the id of the field to blame, and `where`, the place in a file. One with `refusal_here` is shown
    by the page itself.
    """
    known: Any = context.flatten()
    # By its type: to ask a lazy value what it is an instance of makes it, with its queries.
    forms = {id(value): value for value in known.values() if issubclass(type(value), BaseForm) and value.is_bound}
    lines = [line for form in forms.values() for line in _lines(form)]
    refusal = None if lines or known.get("refusal_here") else known.get("refusal")
    if refusal:
        code = refusal.code if isinstance(refusal, DomainError) else str(known.get("code", ""))
        lines = [Line(str(refusal), target=str(known.get("refusal_at") or ""), code=code)]
    marked = not refusal and any(line.target for line in lines)
    return {"lines": lines, "refusal": bool(refusal), "where": known.get("where", ""), "marked": marked}


def _lines(form: BaseForm) -> Iterator[Line]:
    """The form as a whole first, then its fields in their order."""
    errors = form.errors.as_data()
    for name in (NON_FIELD_ERRORS, *form.fields):
        for error in errors.get(name, ()):
            code = str(error.code or "")
            fields = {"text": " ".join(map(str, error.messages)), "code": code if "." in code else ""}
            shown = name in form.fields and not form.fields[name].widget.is_hidden
            place = {"label": str(form[name].label), "target": target_of(form[name])} if shown else {}
            yield Line(**fields, **place)


@register.simple_tag
def invalid(found: object, field: str = "") -> SafeString | str:
    """Attributes that tie a refused field to the summary of errors, with a space before them; "" of any other field.

    `{% invalid box.is_wrong %}` asks a truth, `{% invalid refusal_at "name" %}` compares with the id of the field.
    """
    return _POINTS_TO_REFUSAL if (found == field if field else found) else ""


@register.filter
def target_of(field: BoundField) -> str:
    """The id of what is focused to mend a field: of a group its first box."""
    return field.id_for_label or (f"{field.auto_id}_0" if field.use_fieldset else str(field.auto_id))


@register.filter
def any_wrong(form: BaseForm, names: str) -> bool:
    """Return whether one of these fields ("kind rounds") has an error: what hides them is then open."""
    return any(name in form.errors for name in names.split())
