"""Widget to choose several things in an order of one's own, without script: a list of selects of one name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

ROWS: Final = 6
"""Selects of the list; more where more were chosen."""


class OrderedSelects(forms.SelectMultiple):
    """The first select is what counts first; those left empty, and what is chosen twice, are passed over."""

    use_fieldset = True

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> list[str]:
        """Return what was chosen, in order, each once."""
        sent = data.getlist(name) if isinstance(data, QueryDict) else data.get(name) or []
        listed = [sent] if isinstance(sent, str) else list(sent)
        return list(dict.fromkeys(str(each) for each in listed if each))

    def id_for_label(self, id_: str, index: Any = None) -> str:
        """Return no id: the group has a legend, and every select names itself."""
        return ""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        """Return an ordered list of selects."""
        chosen = [str(each) for each in value or ()]
        rows = max(ROWS, len(chosen))
        picked = [*chosen, *[""] * (rows - len(chosen))]
        prefix = (attrs or {}).get("id") or f"id_{name}"
        is_wrong = (attrs or {}).get("aria-invalid") == "true"
        lines = [self._select(name, f"{prefix}_{at}", at + 1, own, is_wrong) for at, own in enumerate(picked)]
        items = format_html_join("", "<li>{}</li>", ((line,) for line in lines))
        return format_html('<ol class="picks">{}</ol>', items)

    def _select(self, name: str, id_: str, number: int, own: str, is_wrong: bool) -> SafeString:
        label = _("Tie-break %(n)s") % {"n": number}
        options: Sequence[tuple[str, str]] = [("", "–"), *((str(key), str(text)) for key, text in self.choices)]
        rendered = format_html_join(
            "",
            '<option value="{}"{}>{}</option>',
            ((key, SafeString(" selected") if key == own else "", text) for key, text in options),
        )
        invalid = SafeString(' aria-invalid="true"') if is_wrong else ""
        return format_html(
            '<select name="{}" id="{}" aria-label="{}"{}>{}</select>', name, id_, label, invalid, rendered
        )
