"""Private links on the organiser's pages: made for everybody, shown one by one, renewed, taken away, printed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from engine.errors import DomainError
from tournaments.entries import links
from tournaments.entries.links_query import LinkLine, link_lines
from tournaments.lifecycle.transitions import ORGANISERS
from tournaments.lifecycle.visibility import EventPage
from tournaments.models import Entry, EntryLink, Tournament
from tournaments.pages.events.event import render_event
from tournaments.pages.floor.announcements import drawn_code
from tournaments.pages.floor.dashboard import open_dashboard
from web.page import show_refusal, signed_in


@dataclass(frozen=True, slots=True)
class Card:
    """One person's link to show or print. address: whole; "" where it has to be renewed first."""

    line: LinkLine
    address: str
    code: SafeString | None

    @property
    def typed(self) -> tuple[str, str]:
        """Return the address as people type it: where, and the letters."""
        where, _slash, letters = self.address.partition("://")[2].rstrip("/").rpartition("/")
        return f"{where}/", letters


def _open(request: HttpRequest, slug: str) -> EventPage:
    """Return the event, for its organisers; 404 for everybody else, scorers too: a link lets its person leave."""
    page, found = open_dashboard(request, slug)
    if not found & ORGANISERS:
        raise Http404(slug)
    return page


def _card(request: HttpRequest, line: LinkLine) -> Card:
    token = links.link_token(line.link) if line.link is not None else ""
    # Links from before a change of the secret key cannot be shown any more, only renewed.
    if not token:
        return Card(line, "", None)
    address = request.build_absolute_uri(reverse("link", args=[token]))
    return Card(line, address, drawn_code(address))


@require_safe
@login_required
@never_cache
def links_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who has a link and opened it; `?show=<entry>` opens one to copy."""
    page = _open(request, slug)
    lines = link_lines(page.event)
    wanted = request.GET.get("show", "")
    shown = next((line for line in lines if wanted and str(line.entry.uuid) == wanted), None)
    if wanted and shown is None:
        raise Http404(wanted)
    context = {
        "lines": lines,
        "card": _card(request, shown) if shown is not None else None,
        "without": sum(line.link is None and not line.is_gone for line in lines),
        "opened": sum(line.link is not None and line.link.opened_at is not None for line in lines),
        "is_over": page.event.state in links.OVER,
    }
    return _not_stored(render_event(request, page, "links", context, template="desk/links.html"))


@require_safe
@login_required
@never_cache
def cards_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show cards with the codes of all links, eight a page; `?one=<entry>` alone."""
    page = _open(request, slug)
    one = request.GET.get("one", "")
    lines = [line for line in link_lines(page.event) if line.link is not None and not line.is_gone]
    if one:
        lines = [line for line in lines if str(line.entry.uuid) == one]
    cards = [_card(request, line) for line in lines]
    context = {
        "cards": [card for card in cards if card.address],
        "dead": [card.line.entry.player.name for card in cards if not card.address],
    }
    return _not_stored(render_event(request, page, "links", context, template="desk/link_cards.html"))


def _not_stored(response: HttpResponse) -> HttpResponse:
    """Forbid caches to keep a page that holds links."""
    # The Back button of a shared computer must not show links after a log-out.
    response["Cache-Control"] = "no-store"
    return response


def _make(event: Tournament, by: User, entry: Entry | None) -> str:
    n = links.make_links(tournament=event, by=by)
    return ngettext("%(n)d link is made.", "%(n)d links are made.", n) % {"n": n}


def _renew(event: Tournament, by: User, entry: Entry | None) -> str:
    link: EntryLink = links.renew_link(entry=_named(entry), by=by)
    shown = {"name": link.entry.player.name}
    return _("%(name)s has a new link; the old one no longer works. Give them the new card.") % shown


def _revoke(event: Tournament, by: User, entry: Entry | None) -> str:
    links.revoke_link(entry=_named(entry), by=by)
    return _("The link of %(name)s no longer works.") % {"name": _named(entry).player.name}


def _named(entry: Entry | None) -> Entry:
    if entry is None:
        raise Http404("entry")
    return entry


VERBS: Final[dict[str, Callable[[Tournament, User, Entry | None], str]]] = {
    "make": _make,
    "renew": _renew,
    "revoke": _revoke,
}


@require_POST
@login_required
def links_do(request: HttpRequest, slug: str, verb: str) -> HttpResponse:
    """Do it once and go back; a renewed link is shown at once."""
    # Whether this person may is for the service to say, with a reason.
    page, _found = open_dashboard(request, slug)
    if verb not in VERBS:
        raise Http404(verb)
    back = reverse("tournament-links", args=[slug])
    try:
        entry = _entry(page.event, request.POST.get("entry", ""))
        messages.success(request, VERBS[verb](page.event, signed_in(request), entry))
    except DomainError as refusal:
        show_refusal(request, refusal)
        return HttpResponseRedirect(back)
    return HttpResponseRedirect(f"{back}?show={_named(entry).uuid}" if verb == "renew" else back)


def _entry(event: Tournament, wanted: str) -> Entry | None:
    try:
        uuid = UUID(wanted)
    except ValueError:
        return None
    return Entry.objects.filter(tournament=event, uuid=uuid).select_related("player", "tournament").first()
