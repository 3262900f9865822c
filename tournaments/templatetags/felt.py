"""`{% felt "felt/table.html" %}`: the templates of `templates/felt/`, which are Jinja's.

A table that is played is drawn twice for each answer, and its parts make up most of what a web process does; Jinja
compiles a template to Python (docs/decisions/0165). They see what the page around them sees, call functions of
`replay.py`, and escape what people wrote, as other templates do. A value of the page that has the name of such a
function would hide it.
"""

from __future__ import annotations

from typing import Any, Final

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from jinja2 import Environment, pass_context

from tournaments.templatetags import replay
from tournaments.templatetags.fragment_cache import cached_fragment, felt_template, touching

register = template.Library()
CALLED: Final = (
    replay.card_back,
    replay.cards,
    replay.field_places,
    replay.glyph,
    replay.gained,
    replay.hc,
    replay.hidden_backs,
    replay.hidden_words,
    replay.plain_card,
    replay.running,
    replay.seat_heading,
    replay.seat_look,
    replay.side_mark,
    replay.words,
    replay.yaku_cards,
)
"""Functions that look at what the page knows; some are tags of other templates, too."""


def environment(**options: Any) -> Environment:
    """Return Jinja's environment, for the settings."""
    options.pop("autoescape", None)  # Django asks for it, too
    found = Environment(autoescape=True, **options)
    found.globals |= {each.__name__: pass_context(each) for each in CALLED}
    found.globals |= {"_": gettext, "cached": pass_context(cached_fragment), "touching": touching}
    return found


@register.simple_tag(takes_context=True)
def felt(context: template.Context, name: str, **more: Any) -> SafeString:
    """Return a template of the felt, which sees the page's values and `more`."""
    return SafeString(felt_template(name).render(context.flatten() | more))
