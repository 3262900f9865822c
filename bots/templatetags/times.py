"""Moments as people and programs read them: `{% moment event.started_at "minute" %}`.

The zone is the one that is active: an event's on its pages, the reader's elsewhere. It is always named.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django import template
from django.contrib.humanize.templatetags.humanize import naturaltime
from django.utils import timezone
from django.utils.dateformat import format as written
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timeuntil
from django.utils.translation import get_language, gettext

from accounts.phrasing import listed

register = template.Library()
FORMS: Final = {
    "time": "H:i",
    "seconds": "H:i:s",
    "short": "j M H:i",
    "day": "j M Y",
    "minute": "j M Y H:i",
    "exact": "j M Y H:i:s",
    "long": "l j F Y, H:i",
}
# French writes months in lower case; Japanese puts the year first.
FORMS_IN: Final = {
    "fr": {"short": "j N H:i", "day": "j N Y", "minute": "j N Y H:i", "exact": "j N Y H:i:s"},
    "ja": {
        "short": "n月j日 H:i",
        "day": "Y年n月j日",
        "minute": "Y年n月j日 H:i",
        "exact": "Y年n月j日 H:i:s",
        "long": "Y年n月j日（D）H:i",
    },
}


def zone_key() -> str:
    """The active zone as the IANA database names it."""
    zone = timezone.get_current_timezone()
    return str(getattr(zone, "key", zone))


def form_in_use(form: str) -> str:
    """Return how a moment is written in the active language: a format of `django.utils.dateformat`. form: of
    `FORMS`.
    """
    return FORMS_IN.get(get_language() or "", FORMS).get(form, FORMS[form])


@register.simple_tag
def moment(value: datetime | None, form: str = "minute") -> SafeString:
    """A moment in the active zone with the zone's name, in a `<time>` for programs; nothing for None."""
    if value is None:
        return SafeString("")
    local = timezone.localtime(value)
    machine = local.isoformat(timespec="seconds")
    words = f"{written(local, form_in_use(form))}\N{NO-BREAK SPACE}{zone_word(local)}"
    return format_html('<time datetime="{}" title="{}">{}</time>', machine, zone_key(), words)


@register.simple_tag
def hour(value: datetime, form: str = "time") -> SafeString:
    """The time of a moment in the active zone alone, below a heading of the day and the zone. form: of `FORMS`."""
    local = timezone.localtime(value)
    words = written(local, FORMS[form])
    return format_html(
        '<time datetime="{}" title="{}">{}</time>', local.isoformat(timespec="seconds"), zone_key(), words
    )


@register.simple_tag
def day(value: datetime | None) -> SafeString:
    """The day of a moment in the active zone, for what is printed and hung up; nothing for None."""
    if value is None:
        return SafeString("")
    local = timezone.localtime(value)
    return format_html('<time datetime="{}">{}</time>', local.date().isoformat(), written(local, form_in_use("day")))


@register.simple_tag
def ago(value: datetime | None) -> SafeString:
    """Return how long ago a moment was, in words; the moment itself for programs and for who points at it."""
    if value is None:
        return SafeString("")
    local = timezone.localtime(value)
    exact = f"{written(local, form_in_use('minute'))} {zone_word(local)}"
    machine = local.isoformat(timespec="seconds")
    return format_html('<time datetime="{}" title="{}">{}</time>', machine, exact, naturaltime(value))


@register.simple_tag
def ahead(value: datetime | None) -> str:
    """Return how far ahead a moment is, in one unit: "in 6 days"; nothing in its last minute and afterwards."""
    if value is None or value - timezone.now() < timedelta(minutes=1):
        return ""
    return gettext("in %(time)s") % {"time": timeuntil(value, depth=1)}


@register.filter
def zone_word(local: datetime) -> str:
    """Return what the zone is called then: "CET", "HST"; "UTC+5:30" where it has no letters of its own."""
    name = local.tzname() or ""
    return name if name[:1].isalpha() else offset_word(local)


@register.filter
def offset_word(local: datetime) -> str:
    """Return how far the zone is from UTC then: "UTC+1", "UTC−9:30", "UTC"."""
    offset = local.utcoffset() or timedelta()
    hours, minutes = divmod(abs(int(offset.total_seconds())) // 60, 60)
    sign = "+" if offset >= timedelta() else "\N{MINUS SIGN}"
    return f"UTC{sign}{hours}{f':{minutes:02}' if minutes else ''}" if offset else "UTC"


@register.simple_tag
def zone_now() -> str:
    """The active zone by name and how far it is from UTC now: "Europe/Paris (CET, UTC+1)"."""
    local = timezone.localtime()
    name, word, offset = zone_key(), zone_word(local), offset_word(local)
    more = listed(dict.fromkeys(each for each in (word, offset) if each != name))
    return f"{name} ({more})" if more else name
