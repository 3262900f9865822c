"""The controls of forms, written by Python: the same HTML as Django's templates of them, in a tenth of their time.

A page with a form of eighty fields spent most of its time on a template for every option of every select. What is not
here (radio buttons, files, several values) is rendered by Django's templates as before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.forms.renderers import DjangoTemplates
from django.utils.formats import localize
from django.utils.html import conditional_escape
from django.utils.safestring import mark_safe

Widget = Mapping[str, Any]
"""The context of a widget's template: name, value, attrs; for selects also their groups of options."""


def _attributes(widget: Widget) -> str:
    """Return the attributes with a space before each; True has no value, False leaves the attribute out."""
    pairs = ((name, value) for name, value in widget["attrs"].items() if value is not False)
    return "".join(f" {conditional_escape(name)}" + ("" if value is True else _quoted(value)) for name, value in pairs)


def _quoted(value: object) -> str:
    return f'="{conditional_escape(str(value))}"'


def _input(widget: Widget) -> str:
    value = "" if widget["value"] is None else f" value{_quoted(widget['value'])}"
    kind, name = conditional_escape(widget["type"]), conditional_escape(widget["name"])
    return f'<input type="{kind}" name="{name}"{value}{_attributes(widget)}>'


def _text(widget: Widget) -> str:
    """Return a text area. Browsers drop the first line feed after the tag: this one, so that none of the text is
    lost.
    """
    value = "" if widget["value"] is None else conditional_escape(str(widget["value"]))
    return f'<textarea name="{conditional_escape(widget["name"])}"{_attributes(widget)}>\n{value}</textarea>'


def _select(widget: Widget) -> str:
    groups = "".join(_group(name, options) for name, options, _index in widget["optgroups"])
    return f'<select name="{conditional_escape(widget["name"])}"{_attributes(widget)}>{groups}</select>'


def _group(name: str | None, options: list[Widget]) -> str:
    inside = "".join(map(_option, options))
    return f'<optgroup label="{conditional_escape(name)}">{inside}</optgroup>' if name else inside


def _option(widget: Widget) -> str:
    label = conditional_escape(localize(widget["label"]))
    return f"<option value{_quoted(widget['value'])}{_attributes(widget)}>{label}</option>"


INPUTS: Final = (
    "input",
    "text",
    "number",
    "email",
    "url",
    "password",
    "hidden",
    "checkbox",
    "date",
    "datetime",
    "time",
)
WRITERS: Final[Mapping[str, Callable[[Widget], str]]] = {
    f"django/forms/widgets/{name}.html": write
    for name, write in (dict.fromkeys(INPUTS, _input) | {"textarea": _text, "select": _select}).items()
}
"""Writers by the name of the template that each replaces."""


class Controls(DjangoTemplates):
    """Django's renderer, except for these controls."""

    def render(self, template_name: str, context: dict[str, Any], request: Any = None) -> str:
        """Return one control."""
        write = WRITERS.get(template_name)
        # A widget of Django's or of a library that is not written here still works, only slower.
        if write is None:
            return super().render(template_name, context, request)
        return mark_safe(write(context["widget"]))  # noqa: S308  # every part of it is escaped above
