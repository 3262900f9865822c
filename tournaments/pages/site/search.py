"""`/search/`: bots, people, tournaments, rules and guides whose names hold the reader's words.

Each kind is looked for as its own list does it, so nothing is found here that its reader would not find there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import or_
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from accounts.models import User
from bots.models import Bot
from tournaments.models import Tournament
from tournaments.pages.rules.finding import find_rules, yaku_with
from tournaments.people import event_lists
from tournaments.people.bots import bot_list, rated
from tournaments.people.list import people_list
from tournaments.templatetags.units import preset_name
from web.page import render_page, viewer
from web.paging import MAX_EXAMINED, Page, numbers_for, page_of
from web.search_hits import Hit, distance, marked

MAX_LENGTH: Final = 60
FIRST: Final = 5
"""Hits of each kind that are shown together."""
MAX_BEST: Final = 3
"""Hits of a kind that stand above all groups, being named exactly so; of more than these none does."""
MAX_READ: Final = FIRST + MAX_BEST + 1
"""Rows of a kind that are read: one more than is shown says whether there are others, without a count."""
SIZE: Final = 20
KINDS: Final[dict[str, str | Promise]] = {
    "tournaments": gettext_lazy("Tournaments"),
    "bots": gettext_lazy("Bots"),
    "people": gettext_lazy("People"),
    "rules": gettext_lazy("Rules"),
    "guides": gettext_lazy("Guides"),
    "developers": gettext_lazy("For developers"),
}
OF_TEXT: Final = ("guides", "developers")
"""Kinds in whose texts each word is looked for; the second is of those who run or change the service."""
OF_ONE: Final[dict[str, str | Promise]] = {
    "tournaments": gettext_lazy("Tournament"),
    "bots": gettext_lazy("Bot"),
    "people": gettext_lazy("Person"),
    "rules": gettext_lazy("Rule"),
    "guides": gettext_lazy("Guide"),
    "developers": gettext_lazy("Page for developers"),
}
"""The name of a kind beside one hit of it."""
OTHERS: Final[dict[str, str | Promise]] = {
    "tournaments": gettext_lazy("More tournaments"),
    "bots": gettext_lazy("More bots"),
    "people": gettext_lazy("More people"),
    "rules": gettext_lazy("More rules"),
    "guides": gettext_lazy("More guides"),
    "developers": gettext_lazy("More for developers"),
}
"""The heading of a kind of which hits stand above the groups, so that its count and its rows do not seem to differ."""
WAYS: Final = {
    "tournaments": ("tournament-list", "08.1"),
    "bots": ("bot-list", "11.2"),
    "people": ("people", "11.1"),
    "rules": ("rules", "03.1"),
    "guides": ("guides", "12.1"),
}
"""The whole list of each kind, for readers who type nothing, and the card it is shown by."""
Guides = Mapping[str, Callable[[str], Sequence[Hit]]]
"""What looks into the guides of a kind, by kind."""


@dataclass(frozen=True, slots=True)
class Section:
    """Hits of one kind. has_more: there are more than these; best: others, which are named exactly as was searched."""

    kind: str
    title: str | Promise
    hits: Sequence[Hit]
    has_more: bool = False
    best: Sequence[Hit] = ()

    @property
    def one(self) -> str | Promise:
        """The name of the kind of one hit."""
        return OF_ONE[self.kind]

    @property
    def heading(self) -> str | Promise:
        """What stands above the hits."""
        return OTHERS[self.kind] if self.best else self.title

    @property
    def shown_n(self) -> int:
        """How many hits of the kind are shown."""
        return len(self.best) + len(self.hits)


@require_safe
def search(request: HttpRequest, *, guides: Guides) -> HttpResponse:
    """Show what has `?q=` in its name, the first of each kind; with `?kind=bots` all of that kind, in pages.

    guides: look into the guides, which this package does not know.
    """
    words = " ".join(request.GET.get("q", "").split())[:MAX_LENGTH]
    kind = request.GET.get("kind", "")
    context: dict[str, Any] = {"words": words, "kinds": KINDS, "kind": kind if kind in KINDS else ""}
    if words and context["kind"]:
        page = _page(request, kind, words, guides)
        found = [Section(kind, KINDS[kind], page.rows)]
        context |= {"page": page, "sections": _marked(found, words)}
    elif words:
        found = [_first(each, viewer(request), words, guides) for each in KINDS]
        month = _month(found)
        if month is not None:
            (shown, *yaku) = _all_marked([month, *yaku_with(month.cards)], [words])
            context |= {"month": shown, "yaku": yaku}
            found = [_mapped(each, lambda hits: [hit for hit in hits if hit != month]) for each in found]
        context |= {"sections": _marked(found, words), "has_best": any(each.best for each in found)}
    if not context.get("sections") and not context.get("month"):
        context["ways"] = [(KINDS[each], reverse(name), card) for each, (name, card) in WAYS.items()]
    return render_page(request, "search/search.html", context)


def _mapped(section: Section, change: Callable[[Sequence[Hit]], Sequence[Hit]]) -> Section:
    """Return a section with its hits and its best ones changed."""
    return replace(section, hits=change(section.hits), best=change(section.best))


def _marked(found: Sequence[Section], words: str) -> list[Section]:
    """Return the sections that have hits, with the words marked in these: in guides each, elsewhere all as one."""
    sought = dict.fromkeys(OF_TEXT, words.split())
    return [_mapped(each, partial(_all_marked, words=sought.get(each.kind, [words]))) for each in found if each.shown_n]


def _all_marked(hits: Sequence[Hit], words: Sequence[str]) -> list[Hit]:
    return [marked(hit, words) for hit in hits]


def _month(found: Sequence[Section]) -> Hit | None:
    """Return the month that was found, whose cards stand above everything; None if there are several."""
    months = [hit for section in found for hit in (*section.best, *section.hits) if hit.cards]
    return months[0] if len(months) == 1 else None


def _first(kind: str, reader: User | None, words: str, guides: Guides) -> Section:
    """Return the first hits of a kind, and apart from them those that are named exactly so."""
    found = _rows(kind, reader, words) if kind in ROWS else _texts(kind, words, guides)
    best = [hit for hit in found if _is_named(kind, hit, words)]
    if len(best) > MAX_BEST:
        best = []
    rest = [hit for hit in found if hit not in best]
    if kind == "bots" and best:
        best = _with_ratings(best)
    if kind in ROWS and len(rest) <= FIRST:  # more than that keep the order of their list, which goes on there
        rest.sort(key=lambda each: distance(words, each.title, (each.note,)))
    return Section(kind, KINDS[kind], rest[:FIRST], len(rest) > FIRST, best)


def _with_ratings(hits: Sequence[Hit]) -> list[Hit]:
    """Return hits of bots whose faces have their `rating`, and whether they can be played. One query."""
    keys = [hit.face.pk for hit in hits if isinstance(hit.face, Bot)]
    known = {bot.pk: bot for bot in rated(bot_list().filter(pk__in=keys))}
    return [replace(hit, face=known.get(hit.face.pk, hit.face)) for hit in hits if isinstance(hit.face, Bot)]


def _is_named(kind: str, hit: Hit, words: str) -> bool:
    """Return whether a hit has exactly this name; people have two."""
    names = (hit.title, hit.note) if kind == "people" else (hit.title,)
    return words.casefold() in [name.casefold() for name in names]


def _rows(kind: str, reader: User | None, words: str) -> list[Hit]:
    """Return hits of a kind that lies in the database, those that begin with the words first; two queries at most."""
    rows, names, hit = ROWS[kind]
    every = rows(reader, words)
    begin, others = _parts(every, names, words)
    found = [hit(row) for row in begin[:MAX_READ]]
    if len(found) < MAX_READ:
        return found + [hit(row) for row in others[: MAX_READ - len(found)]]
    # As many begin so as are read: what is named exactly so may be further down.
    best = [hit(row) for row in every.filter(_any_of(names, "iexact", words))[: MAX_BEST + 1]]
    return best + [each for each in found if each not in best]


def _parts(rows: QuerySet[Any], names: Sequence[str], words: str) -> tuple[QuerySet[Any], QuerySet[Any]]:
    """Return the rows whose names begin with the words, then the others."""
    begins = _any_of(names, "istartswith", words)
    return rows.filter(begins), rows.exclude(begins)


def _page(request: HttpRequest, kind: str, words: str, guides: Guides) -> Page[Hit]:
    """Return a page of one kind."""
    if kind in ROWS:
        rows, names, hit = ROWS[kind]
        every = rows(viewer(request), words)
        page = page_of(request, every, size=SIZE, most=MAX_EXAMINED, parts=_parts(every, names, words))
        return _with(page, [hit(row) for row in page.rows])
    found = _texts(kind, words, guides)
    page = numbers_for(request, len(found), SIZE)
    return _with(page, found[(page.number - 1) * SIZE : page.number * SIZE])


def _with(page: Page[Any], hits: Sequence[Hit]) -> Page[Hit]:
    """Return a page with these rows."""
    return Page(hits, page.number, page.last, page.total, page.previous_query, page.next_query, page.is_more)


def _texts(kind: str, words: str, guides: Guides) -> Sequence[Hit]:
    return find_rules(words) if kind == "rules" else guides[kind](words)


def _tournaments(reader: User | None, words: str) -> QuerySet[Tournament]:
    return event_lists.tournament_list(reader, when="all", words=words)


def _of_tournament(event: Any) -> Hit:
    # An event that is named for its game needs not be told so twice.
    game = preset_name(event.preset) if event.preset else ""
    note = "" if game and game in event.name else game
    return Hit(event.name, reverse("tournament", args=[event.slug]), note, preset=event.preset or "", event=event)


def _bots(_reader: User | None, words: str) -> QuerySet[Bot]:
    return Bot.objects.filter(name__holds=words).select_related("owner").order_by("-id")


def _of_bot(bot: Bot) -> Hit:
    by = _("by %(name)s") % {"name": bot.owner.shown_name}
    return Hit(bot.name, reverse("bot", args=[bot.slug]), by, face=bot)


def _people(_reader: User | None, words: str) -> QuerySet[User]:
    return people_list(words)


def _of_person(person: User) -> Hit:
    note = person.username if person.username != person.shown_name else ""
    return Hit(person.shown_name, reverse("user", args=[person.username]), note, face=person)


def _any_of(names: Sequence[str], lookup: str, words: str) -> Q:
    """Return the condition that holds where one of these columns matches the words."""
    return reduce(or_, (Q(**{f"{name}__{lookup}": words}) for name in names))


Rows = Callable[[User | None, str], QuerySet[Any]]
ROWS: Final[dict[str, tuple[Rows, Sequence[str], Callable[[Any], Hit]]]] = {
    "tournaments": (_tournaments, ("name",), _of_tournament),
    "bots": (_bots, ("name",), _of_bot),
    "people": (_people, ("display_name", "username"), _of_person),
}
"""Kinds in the database: the rows that hold the words, as far as the reader may know of them; the columns of their
names; and the hit of a row.
"""
