"""The small pieces every page is made of: icons, states as word and icon, cards, figures."""

import re
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from html import unescape
from typing import Final, Protocol

from django import template
from django.db.models import Model
from django.http import HttpRequest
from django.template.defaultfilters import floatformat
from django.template.loader_tags import BLOCK_CONTEXT_KEY
from django.templatetags.static import static
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from accounts import phrasing
from accounts.cards import cards_of
from bots.models import BotVersion
from bots.selectors.faults import words_for
from bots.selectors.published import publication_of
from engine.cards import CARDS, card_index

register = template.Library()
JOINED: Final = re.compile(r",(?=[^\W\d])")
"""A comma of code, `players=3,deals=100`, not that of a number."""


class Interval(Protocol):
    """A mean in 0..1 with its interval, None where there is not enough to say."""

    @property
    def mean(self) -> float | None: ...
    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


VULGAR: Final = {(1, 2): "½", (1, 3): "⅓", (2, 3): "⅔", (1, 4): "¼", (3, 4): "¾"}
MINUS: Final = "\N{MINUS SIGN}"
TONES: Final[dict[str, dict[str, tuple[str, str]]]] = {
    "tournament": {
        "draft": ("pen", "off"),
        "published": ("clock", ""),
        "registration": ("open", "ok"),
        "closed": ("clock", "gold"),
        "running": ("live", "live"),
        "paused": ("pause", "gold"),
        "finished": ("check", "ok"),
        "archived": ("check", "off"),
        "cancelled": ("cross", "off"),
    },
    "match": {
        "queued": ("queue", ""),
        "claimed": ("live", "live"),
        "playing": ("live", "live"),
        "quarantined": ("flag", "gold"),
        "disputed": ("flag", "gold"),
        "confirmed": ("check", "ok"),
        "void": ("cross", "off"),
    },
    "resultreport": {
        "submitted": ("queue", "gold"),
        "confirmed": ("check", "ok"),
        "disputed": ("flag", "gold"),
        "rejected": ("cross", "off"),
        "superseded": ("cross", "off"),
    },
    "botversion": {
        "checking": ("clock", "gold"),
        "failed": ("cross", "bad"),
        "ready": ("check", "ok"),
        "retired": ("cross", "off"),
        "remote": ("live", ""),
    },
    "check": {
        "queued": ("queue", ""),
        "claimed": ("live", "live"),
        "done": ("check", "ok"),
        "quarantined": ("flag", "gold"),
    },
    "round": {
        "playing": ("live", "live"),
        "published": ("queue", ""),
        "complete": ("check", "ok"),
        "locked": ("check", "ok"),
    },
    "challenge": {
        "running": ("live", "live"),
        "stronger": ("check", "ok"),
        "not_stronger": ("cross", "off"),
        "inconclusive": ("flag", "gold"),
    },
    "season": {
        "open": ("live", "live"),
        "closed": ("check", "ok"),
    },
    "delivery": {
        "delivered": ("check", "ok"),
        "failed": ("cross", "bad"),
        "dropped": ("cross", "off"),
    },
    "entry": {
        "entered": ("check", "ok"),
        "active": ("check", "ok"),
        "withdrawn": ("cross", "off"),
        "disqualified": ("flag", "gold"),
        "partnered": ("check", "ok"),
    },
}

STATE_WORDS: Final = {
    ("round", "locked"): gettext_lazy("complete"),
    ("match", "pending"): gettext_lazy("scheduled"),
}
CALLED: Final = ("clock", "gold", gettext_lazy("called"))
"""How a table and its round are shown once people were called."""
AT_A_TABLE: Final = {
    **dict.fromkeys(("pending", "ready"), ("clock", "", gettext_lazy("not called yet"))),
    **dict.fromkeys(("called", "playing"), CALLED),
    "reported": ("queue", "gold", gettext_lazy("reported")),
    "confirmed": ("check", "ok", gettext_lazy("confirmed")),
    "void": ("cross", "off", gettext_lazy("void")),
}
"""How the state of a match is shown where people sit at its table: nobody deals it, so it has no deal set."""
RULED: Final = ("pen", "ok", gettext_lazy("ruled"))


@register.simple_tag(takes_context=True)
def page_title(context: template.Context) -> str:
    """Return the first part of the block `title`: "Rounds" of "Rounds · Autumn cup"; "" without the block."""
    # Read from the block itself, because a template may hold a block only once.
    blocks = context.render_context.get(BLOCK_CONTEXT_KEY)
    title = blocks.get_block("title") if blocks is not None else None
    words = title.nodelist.render(context).split() if title is not None else []
    # A phone has room for one part, and the heading below it says the others.
    return unescape(" ".join(words).partition(" · ")[0])


OF_AN_EVENT: Final = frozenset({"match-result", "match-void"})
"""Pages below /m/ that belong to an event: what organisers do at a table."""


@register.simple_tag(takes_context=True)
def section(context: template.Context) -> str:
    """Return the main section of the page: the first part of its address, e.g. "t" for tournaments."""
    request = context.get("request")
    if request is None:
        return ""
    if context.get("is_on_paper"):
        return ""  # nothing to watch at a table with real cards
    found = request.resolver_match
    return "t" if found and found.url_name in OF_AN_EVENT else request.path.split("/")[1]


@register.simple_tag
def icon(name: str) -> SafeString:
    """Draw one picture of the icon sheet; always decoration beside a word."""
    return format_html(
        '<svg class="i" aria-hidden="true"><use href="{}#{}"/></svg>',
        static("site/icons.svg"),
        name,
    )


@register.simple_tag
def state(thing: Model) -> SafeString:
    """The state of a row as icon and word. `thing`: a row whose `state` has choices, and maybe a `shown_state`."""
    value = getattr(thing, "shown_state", "") or thing.serializable_value("state")
    # vars(): an annotation or a deferred column that the page did not read must not cost a query for each row.
    kind, known = str(thing._meta.model_name), vars(thing)
    picture, tone = TONES.get(kind, {}).get(value, ("clock", ""))
    word = STATE_WORDS.get((kind, value)) or getattr(thing, "get_state_display", lambda: value)()
    if kind == "match" and known.get("deal_set_id", 0) is None:
        is_ruled = value == "confirmed" and known.get("is_ruled", False)
        picture, tone, word = RULED if is_ruled else AT_A_TABLE.get(value, (picture, tone, word))
    if kind == "round" and value == "published" and known.get("is_called", False):
        picture, tone, word = CALLED
    return format_html('<span class="state {}">{}{}</span>', tone, icon(picture), word)


def sprite_of(request: HttpRequest) -> str:
    """The address of the card pictures that a reader has chosen."""
    return static(f"cards/{cards_of(request)}.svg")


@register.simple_tag(takes_context=True)
def card(context: template.Context, code: str, look: str = "") -> SafeString:
    """The picture of one card, e.g. `{% card "03.1" %}`, named for those who do not see it. look: one more class."""
    return _card(code, card_name(code), sprite_of(context["request"]), f"card {look}".rstrip())


@lru_cache(maxsize=2048)
def _card(code: str, name: str, sprite: str, look: str) -> SafeString:
    """Return the picture of a card. Cached: a page shows a hundred."""
    found = CARDS[card_index(code)]
    return format_html(
        '<svg class="{}" width="64" height="104" role="img" aria-label="{}"><use href="{}#c{}"/></svg>',
        look,
        name,
        sprite,
        f"{found.month:02}{found.rank:02}",
    )


@register.filter
def licence_of(version: BotVersion) -> str:
    """Return the licence under which the source of a version is public; empty where it is not."""
    found = publication_of(version)
    return found.licence if found is not None else ""


@register.filter
def card_name(code: str) -> str:
    """The name of a card in the reader's language, English where there is none."""
    names = CARDS[card_index(code)].names
    return names.get((get_language() or "en")[:2], names["en"])


@register.filter
def amount(value: object) -> str:
    """A number as people read it: a true minus, mixed fractions for exact amounts (`-95/3` is `−31 2/3`)."""
    if value is None or value == "":
        return "–"
    if isinstance(value, list | tuple):
        return phrasing.listed(amount(each) for each in value)
    if isinstance(value, float | Decimal):
        return number_format(value, 3).replace("-", MINUS)
    return _exact_amount(str(value))


@lru_cache(maxsize=4096)
def _exact_amount(text: str) -> str:
    """Return an exact amount in words. Cached, as a table says few different numbers very often."""
    exact = Fraction(text)
    whole, part = divmod(abs(exact.numerator), exact.denominator)
    sign = MINUS if exact < 0 else ""
    if not part:
        return f"{sign}{whole}"
    rest = VULGAR.get((part, exact.denominator))
    if rest:
        return f"{sign}{whole or ''}{rest}"
    return f"{sign}{whole} {part}/{exact.denominator}" if whole else f"{sign}{part}/{exact.denominator}"


@register.filter
def signed(value: object) -> str:
    """Write like `amount`, with a plus in front of what is not negative."""
    shown = amount(value)
    return shown if shown.startswith(MINUS) or shown == "–" else f"+{shown}"


@register.filter
def rounded(value: object, places: int) -> str:
    """Return a number with this number of places, as the reader's language writes it, with a true minus."""
    return str(floatformat(value, places)).replace("-", MINUS)


@register.filter
def signed_text(text: str) -> str:
    """A rounded number with its sign: a true minus, a plus in front of everything else."""
    return text.replace("-", MINUS) if text.startswith("-") else f"+{text}"


@register.filter
def listed(parts: Iterable[object]) -> str:
    """Things in a row, with the comma of the reader's language."""
    return phrasing.listed(parts)


@register.simple_tag
def colon() -> str:
    """Return what stands between a label and what it names: French sets a space before it, Japanese a wide one."""
    return phrasing.colon()


@register.simple_tag
def comma() -> str:
    """Return the comma of the reader's language."""
    return phrasing.comma()


@register.filter
def breakable(text: str) -> str:
    """Let a line end after the commas of code that has no spaces."""
    return JOINED.sub(",\N{ZERO WIDTH SPACE}", text)


@register.filter
def short_hash(value: str) -> str:
    """A hash as people compare it: `7a96…6e9`."""
    digits = value.removeprefix("sha256:")
    return f"{digits[:4]}…{digits[-3:]}"


@register.filter
def at(mapping: dict[str, object], key: object) -> object:
    """`mapping[key]`, nothing if it is not there."""
    return mapping.get(str(key))


@register.simple_tag
def ordinal_rank(rank: int, shared: bool) -> str:
    """A rank; a shared one says so: `2=`."""
    return _("%(rank)d=") % {"rank": rank} if shared else str(rank)


STEPS: Final = {
    "static": gettext_lazy("Source."),
    "start": gettext_lazy("Start."),
    "smoke": gettext_lazy("Smoke match."),
    "states": gettext_lazy("All kinds of tables."),
    "limit": gettext_lazy("The whole check."),
}
NOTES: Final = {
    "bye": gettext_lazy("bye"),
    "half": gettext_lazy("requested bye, counts as a tie"),
    "full": gettext_lazy("requested bye, counts as a win"),
    "absent": gettext_lazy("absent"),
    "penalty": gettext_lazy("penalty"),
    "award": gettext_lazy("award"),
    "decider": gettext_lazy("decider"),
    "carry": gettext_lazy("carried over"),
    "unplayed": gettext_lazy("not played"),
    "cut": gettext_lazy("left out"),
    "as_one_deal": gettext_lazy("as one deal"),
}


@register.filter
def step_name(step: str) -> str:
    """A step of a check in words."""
    return str(STEPS.get(step.partition(".")[0], f"{step}."))


@register.filter
def term_note(note: str) -> str:
    """The note on a term of an explanation in words."""
    return str(NOTES.get(note, note))


@register.filter
def fault_words(reason: str) -> str:
    """A fault of ours in plain words: what is stored about it is for operators alone."""
    return words_for(reason)


@register.filter
def share(value: float | None) -> str:
    """A place share: three digits."""
    return "–" if value is None else number_format(value, 3)


@register.filter
def month_name(name: str) -> str:
    """The flower of a card's name: what stands before its colon, or before の and に in Japanese."""
    # French sets a space before the colon; に comes before の, which may be part of what follows it.
    for mark in (" : ", ": ", "に", "の"):
        if mark in name:
            return name.split(mark, 1)[0]
    return name


@register.simple_tag
def interval(estimate: Interval) -> SafeString:
    """An interval and its mean drawn on the line from 0 to 1; decoration beside the figures."""
    if estimate.low is None or estimate.high is None or estimate.mean is None:
        return SafeString("")
    # The axis runs from 6 to 114 of the picture's 120 px, so that the circle at its ends is not cut.
    left, right, middle = (round(6 + each * 108, 1) for each in (estimate.low, estimate.high, estimate.mean))
    return format_html(
        '<svg class="span" width="120" height="14" viewBox="0 0 120 14" aria-hidden="true" focusable="false">'
        '<path class="axis" d="M6 7h108M60 3v8"/><path class="reach" d="M{} 7H{}"/>'
        '<circle cx="{}" cy="7" r="3.5"/></svg>',
        left,
        right,
        middle,
    )
