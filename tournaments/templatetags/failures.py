"""Kinds of failures as a few words; their codes are those of forfeits (`bots.protocol.messages.Fault`)."""

from collections.abc import Mapping
from typing import Final

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from bots.protocol.messages import Fault
from tournaments.selectors.failing import STATIC

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
    """What happened, in words; the code itself where it is a new one."""
    return str(KINDS.get(code, code))
