"""Kinds of failures as a few words; their codes are those of forfeits (`bots.protocol.messages.Fault`)."""

from collections.abc import Mapping
from typing import Final

from django import template
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.phrasing import comma
from bots.models import Bot
from bots.protocol.messages import Fault
from tournaments.operations.failing import STATIC, Failing

register = template.Library()
KINDS: Final[Mapping[str, str | Promise]] = {
    Fault.CRASH: _("its program crashed"),
    Fault.TIMEOUT_CPU: _("it used up its computing time"),
    Fault.TIMEOUT_WALL: _("it did not answer in time"),
    Fault.MEMORY: _("it ran out of memory"),
    Fault.PROTOCOL: _("its answer could not be read"),
    Fault.ILLEGAL: _("its answer was not legal"),
    STATIC: _("its source cannot run"),
}


@register.filter
def failure_kind(code: str) -> str:
    """Return a kind of failure in words; the code itself where it is a new one."""
    # A new kind shows its code until it has words: better than a page that fails.
    return str(KINDS.get(code, code))


@register.simple_tag
def failing_link(bot: Bot, row: Failing) -> SafeString:
    """Return the link to one failure, and when it happened. Not a template: a page has a hundred of them."""
    if row.is_static:
        address = reverse("bot-version", args=[bot.slug, row.version])
        return format_html('<a href="{}">{}</a>', address, gettext("check"))
    where = "" if row.match else f"{gettext('check')}{comma()}"
    at = {"d": row.deal, "m": row.move}
    when = gettext("deal %(d)s, move %(m)s") % at if row.deal else gettext("while loading")
    shown = '<a href="{}">{}</a> <span class="soft small">{}{}</span>'
    return format_html(shown, reverse("bot-failure", args=[bot.slug, row.id]), row.id, where, when)
