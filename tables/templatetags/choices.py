"""`{% choice_button choice %}`: what a player may choose at a table, or in a lesson."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournaments.templatetags.replay import plain_card

register = template.Library()
BUTTON = '<button name="a" value="{}" data-card="{}" data-take="{}"{}>{}<span>{}</span></button>'


@register.simple_tag(takes_context=True)
def choice_button(context: template.Context, choice: dict[str, Any]) -> SafeString:
    """Return the button of a choice (`choice_of`), with the card that it plays.

    In a lesson its `answers` are those that lead to it; the one that is advised says which cards it is about.
    """
    card, take = choice["card"] or "", choice["take"] or ""
    picture = plain_card(context, card, "live-card") if card else ""
    value = choice.get("answers") or choice["i"]
    return _button(value, card, take, _advice(context, choice), picture, choice["text"])


# Kept: most choices have been offered before, at this table or another.
@lru_cache(maxsize=8192)
def _button(
    value: int | str, card: str, take: str, advice: SafeString, picture: SafeString | str, text: str
) -> SafeString:
    return format_html(BUTTON, value, card, take, advice, picture, text)


def _advice(context: template.Context, choice: dict[str, Any]) -> SafeString:
    if "lesson" not in context or choice["i"] != context["said"].advised:
        return SafeString("")
    return format_html(' data-matches="{}" data-advised', " ".join(choice["matches"]))
