"""`{% emblem bot %}`: the emblem of a bot, a player or a person, decoration beside the name."""

from __future__ import annotations

from functools import lru_cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from bots.emblems import Emblem, emblem_of
from bots.models import Bot
from bots.templatetags.hanami import sprite_of

register = template.Library()


def emblem_for(thing: object) -> Emblem:
    """Return the emblem of a bot, of a player (its bot's, if it is one), of a person, or of a name.

    A row of a list gives the name with card and colour of the emblem, None where nothing was chosen.
    """
    if isinstance(thing, str):
        return emblem_of(thing)
    if isinstance(thing, dict):
        return emblem_of(thing["name"], thing["card"] or "", thing["colour"] or "")
    bot = thing if isinstance(thing, Bot) else getattr(thing, "bot", None)
    if isinstance(bot, Bot):
        return emblem_of(bot.name, bot.emblem_card, bot.emblem_colour)
    return emblem_of(str(getattr(thing, "name", "") or getattr(thing, "shown_name", "")))


@register.simple_tag
def emblem(thing: object, size: int = 20) -> SafeString:
    """Draw the emblem of `thing`, `size` px wide and high. It says nothing that the name beside it does not."""
    return _svg(emblem_for(thing), size)


@register.simple_tag(takes_context=True)
def portrait(context: template.Context, thing: object) -> SafeString:
    """Draw the card of an emblem as it lies on a table, framed in the emblem's colour."""
    found = emblem_for(thing)
    return format_html(
        '<svg class="card" width="64" height="104" color="{}" aria-hidden="true"><use href="{}#{}"/></svg>',
        found.ink,
        sprite_of(context["request"]),
        f"c{found.symbol[1:]}",
    )


@lru_cache(maxsize=4096)
def _svg(found: Emblem, size: int) -> SafeString:
    """Return the picture of an emblem. Kept: a list shows a hundred, of few bots."""
    return format_html(
        '<svg class="em" width="{0}" height="{0}" color="{1}" aria-hidden="true"><use href="{2}#{3}"/></svg>',
        size,
        found.ink,
        static("cards/emblems.svg"),
        found.symbol,
    )


@register.simple_tag
def drawn_emblem(thing: object, x: int, y: int, size: int = 20) -> SafeString:
    """Draw the emblem of `thing` inside an SVG, its corner at x, y, `size` units wide and high."""
    found = emblem_for(thing)
    return format_html(
        '<use href="{}#{}" color="{}" x="{}" y="{}" width="{size}" height="{size}"/>',
        static("cards/emblems.svg"),
        found.symbol,
        found.ink,
        x,
        y,
        size=size,
    )
