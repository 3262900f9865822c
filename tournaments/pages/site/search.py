"""`/search/`: bots, people, tournaments, rules and guides whose names hold the reader's words.

Each kind is looked for as its own list does it, so nothing is found here that its reader would not find there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
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
from tournaments.pages.rules.finding import BEST_KNOWN, find_rules, yaku_with
from tournaments.people import event_lists
from tournaments.people.list import people_list
from tournaments.templatetags.units import preset_name
from web.page import render_page, viewer
from web.paging import MAX_EXAMINED, Page, numbers_for, page_of
from web.search_hits import Hit, distance, marked

MAX_LENGTH: Final = 60
FIRST: Final = 5
"""Hits of each kind that are shown together."""
SIZE: Final = 20
KINDS: Final[dict[str, str | Promise]] = {
    "tournaments": gettext_lazy("Tournaments"),
    "bots": gettext_lazy("Bots"),
    "people": gettext_lazy("People"),
    "rules": gettext_lazy("Rules"),
    "guides": gettext_lazy("Guides"),
}
WAYS: Final = {
    "tournaments": ("tournament-list", "08.1"),
    "bots": ("bot-list", "11.2"),
    "people": ("people", "11.1"),
    "rules": ("rules", "03.1"),
    "guides": ("guides", "12.1"),
}
"""The whole list of each kind, for readers who type nothing, and the card it is shown by."""
FindGuides = Callable[[str], Sequence[Hit]]


@dataclass(frozen=True, slots=True)
class Section:
    """Hits of one kind. has_more: there are more than these."""

    kind: str
    title: str | Promise
    hits: Sequence[Hit]
    has_more: bool = False

    @property
    def card(self) -> str:
        """The card that stands for the kind."""
        return WAYS[self.kind][1]


@require_safe
def search(request: HttpRequest, *, guides: FindGuides) -> HttpResponse:
    """Show what has `?q=` in its name, the first of each kind; with `?kind=bots` all of that kind, in pages.

    guides: looks into the guides, which this package does not know.
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
            context |= {"month": month, "yaku": yaku_with(month.cards), "best_known": BEST_KNOWN}
            found = [replace(each, hits=[hit for hit in each.hits if hit != month]) for each in found]
        context["sections"] = _marked(found, words)
    if not context.get("sections") and not context.get("month"):
        context["ways"] = [(KINDS[each], reverse(name), card) for each, (name, card) in WAYS.items()]
    return render_page(request, "search/search.html", context)


def _marked(found: Sequence[Section], words: str) -> list[Section]:
    """Return the sections that have hits, with the words marked in these: in guides each, elsewhere all as one."""
    sought = {"guides": words.split()}
    return [
        replace(each, hits=[marked(hit, sought.get(each.kind, [words])) for hit in each.hits])
        for each in found
        if each.hits
    ]


def _month(found: Sequence[Section]) -> Hit | None:
    """Return the month that was found, whose cards stand above everything; None if there are several."""
    months = [hit for section in found for hit in section.hits if hit.cards]
    return months[0] if len(months) == 1 else None


def _first(kind: str, reader: User | None, words: str, guides: FindGuides) -> Section:
    """Return the first hits of a kind; two queries at most where it lies in the database."""
    if kind in ROWS:
        rows, begins, hit = ROWS[kind]
        found: list[Hit] = []
        for part in _parts(rows(reader, words), begins(words)):
            # One more than is shown says whether there are others, without a count.
            found += [hit(row) for row in part[: FIRST + 1 - len(found)]]
            if len(found) > FIRST:
                break
        else:  # more than that keep the order of their list, which goes on there
            found.sort(key=lambda each: distance(words, each.title, (each.note,)))
    else:
        found = list(_texts(kind, words, guides))
    return Section(kind, KINDS[kind], found[:FIRST], len(found) > FIRST)


def _parts(rows: QuerySet[Any], begins: Q) -> tuple[QuerySet[Any], QuerySet[Any]]:
    """Return the rows whose names begin with the words, then the others."""
    return rows.filter(begins), rows.exclude(begins)


def _page(request: HttpRequest, kind: str, words: str, guides: FindGuides) -> Page[Hit]:
    """Return a page of one kind."""
    if kind in ROWS:
        rows, begins, hit = ROWS[kind]
        every = rows(viewer(request), words)
        page = page_of(request, every, size=SIZE, most=MAX_EXAMINED, parts=_parts(every, begins(words)))
        return _with(page, [hit(row) for row in page.rows])
    found = _texts(kind, words, guides)
    page = numbers_for(request, len(found), SIZE)
    return _with(page, found[(page.number - 1) * SIZE : page.number * SIZE])


def _with(page: Page[Any], hits: Sequence[Hit]) -> Page[Hit]:
    """Return a page with these rows."""
    return Page(hits, page.number, page.last, page.total, page.previous_query, page.next_query, page.is_more)


def _texts(kind: str, words: str, guides: FindGuides) -> Sequence[Hit]:
    return find_rules(words) if kind == "rules" else guides(words)


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


def _named(words: str) -> Q:
    return Q(name__istartswith=words)


def _known_as(words: str) -> Q:
    return Q(display_name__istartswith=words) | Q(username__istartswith=words)


Rows = Callable[[User | None, str], QuerySet[Any]]
Begins = Callable[[str], Q]
ROWS: Final[dict[str, tuple[Rows, Begins, Callable[[Any], Hit]]]] = {
    "tournaments": (_tournaments, _named, _of_tournament),
    "bots": (_bots, _named, _of_bot),
    "people": (_people, _known_as, _of_person),
}
"""Kinds in the database: the rows that hold the words, as far as the reader may know of them; which of these begin
with them; and the hit of a row.
"""
