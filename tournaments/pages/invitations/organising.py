"""Invitations on the organiser's pages: links with their codes, people invited by name or by mail, who has answered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from core.errors import TournamentError
from engine.errors import DomainError
from tournaments.invitations import links, people
from tournaments.invitations.queries import invitations_at, is_usable, links_at
from tournaments.lifecycle.visibility import EventPage
from tournaments.models import Invitation, InvitationLink, Tournament
from tournaments.pages.events.event import load, render_event
from tournaments.pages.floor.announcements import drawn_code
from web.page import show_refusal, signed_in
from web.paging import page_of
from web.refusals import status_of, with_wait

PAGE_SIZE: Final = 100
DAYS: Final = ("1", "7", "30", "365")
"""Lifetimes that the form offers, in days."""
FIELDS: Final = {"link": "link-uses", "person": "invite-user", "mail": "invite-addresses"}
"""By verb the field that a refusal is about."""


@dataclass(frozen=True, slots=True)
class Card:
    """One link to show or print. address: whole; "" where another one has to be made."""

    link: InvitationLink
    address: str
    code: SafeString | None
    is_usable: bool

    @property
    def typed(self) -> tuple[str, str]:
        """Return the address as people type it: where, and the letters."""
        where, _slash, letters = self.address.partition("://")[2].rstrip("/").rpartition("/")
        return f"{where}/", letters


def _open(request: HttpRequest, slug: str) -> EventPage:
    """Return the event, for its organisers; 404 for everybody else, scorers too."""
    page = load(request, slug)
    if not page.is_organiser:
        raise Http404(slug)
    return page


def _card(request: HttpRequest, link: InvitationLink) -> Card:
    token = links.invitation_token(link)
    # Links from before a change of the secret key cannot be shown any more.
    if not token:
        return Card(link, "", None, is_usable(link))
    address = request.build_absolute_uri(reverse("invitation-link", args=[token]))
    return Card(link, address, drawn_code(address), is_usable(link))


def _not_stored(response: HttpResponse) -> HttpResponse:
    """Forbid caches to keep a page that holds links and addresses."""
    # The Back button of a shared computer must not show them after a log-out.
    response["Cache-Control"] = "no-store"
    return response


@require_safe
@login_required
@never_cache
def invitations_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the links and who is invited; `?show=<link>` opens one to copy or scan."""
    return _page(request, _open(request, slug))


def _page(request: HttpRequest, page: EventPage, *, refusal: DomainError | None = None, verb: str = "") -> HttpResponse:
    """Show the page; refusal: of a form of it that was sent, with what was typed."""
    rows = links_at(page.event)
    wanted = request.GET.get("show", "")
    shown = next((link for link in rows if wanted and str(link.uuid) == wanted), None)
    if wanted and shown is None:
        raise Http404(wanted)
    context: dict[str, Any] = {
        "links": [(link, is_usable(link)) for link in rows],
        "card": _card(request, shown) if shown is not None else None,
        "invitations": page_of(request, invitations_at(page.event), size=PAGE_SIZE),
        "is_over": page.event.state in links.OVER,
        "is_draft": page.event.state == Tournament.State.DRAFT,
        "days": [(each, ngettext("%(n)d day", "%(n)d days", int(each)) % {"n": int(each)}) for each in DAYS],
        "refusal": refusal,
        "refusal_at": FIELDS.get(verb, ""),
        "sent": request.POST if refusal is not None else {},
    }
    return _not_stored(render_event(request, page, "invitations", context, template="invitations/list.html"))


@require_safe
@login_required
@never_cache
def invitation_card(request: HttpRequest, slug: str, uuid: UUID) -> HttpResponse:
    """Show one link as a sheet to print: the event, the code, the address."""
    page = _open(request, slug)
    link = InvitationLink.objects.filter(tournament=page.event, uuid=uuid).first()
    card = _card(request, link) if link is not None else None
    if card is None or not card.address or not card.is_usable:
        raise Http404(str(uuid))
    return _not_stored(render_event(request, page, "invitations", {"card": card}, template="invitations/card.html"))


def _link(request: HttpRequest, event: Tournament, by: User) -> str:
    uses, days = request.POST.get("uses", "").strip(), request.POST.get("days", "")
    if uses and not (uses.isdecimal() and len(uses) < 6):
        raise Http404("uses")
    # Another number of days is no choice of ours: such a link never expires by a slip of the thumb.
    if days and days not in DAYS:
        raise Http404("days")
    links.make_invitation_link(
        tournament=event,
        by=by,
        max_uses=int(uses) if uses else None,
        expires_at=timezone.now() + timedelta(days=int(days)) if days else None,
        note=request.POST.get("note", ""),
    )
    return _("The link is made.")


def _end(request: HttpRequest, event: Tournament, by: User) -> str:
    link = InvitationLink.objects.filter(tournament=event, uuid=_uuid(request, "link")).first()
    if link is None:
        raise Http404("link")
    links.end_invitation_link(link=link, by=by)
    return _("The link no longer works. Who came by it is still invited.")


def _person(request: HttpRequest, event: Tournament, by: User) -> str:
    made = people.invite_person(tournament=event, by=by, username=request.POST.get("user", ""))
    name = made.user.shown_name if made.user is not None else ""
    return _("%(name)s is invited and will be notified.") % {"name": name}


def _mail(request: HttpRequest, event: Tournament, by: User) -> str:
    typed = request.POST.get("addresses", "").replace(",", "\n").replace(";", "\n").splitlines()
    made = people.invite_addresses(tournament=event, by=by, addresses=typed)
    if not made:
        return _("Everybody at these addresses is already invited. No mail was sent.")
    message = ngettext("%(n)d invitation is on its way.", "%(n)d invitations are on their way.", len(made))
    return message % {"n": len(made)}


def _again(request: HttpRequest, event: Tournament, by: User) -> str:
    people.send_invitation_again(invitation=_named(request, event), by=by)
    return _("The mail is sent again.")


def _withdraw(request: HttpRequest, event: Tournament, by: User) -> str:
    invitation = _named(request, event)
    people.withdraw_invitation(invitation=invitation, by=by)
    if getattr(invitation, "is_entered", False):
        return _("The invitation is withdrawn. This person has an entry here and sees the event because of that.")
    return _("The invitation is withdrawn.")


def _named(request: HttpRequest, event: Tournament) -> Invitation:
    found = invitations_at(event).filter(uuid=_uuid(request, "invitation")).first()
    if found is None:
        raise Http404("invitation")
    return found


def _uuid(request: HttpRequest, name: str) -> UUID:
    try:
        return UUID(request.POST.get(name, ""))
    except ValueError as wrong:
        raise Http404(name) from wrong


VERBS: Final[dict[str, Callable[[HttpRequest, Tournament, User], str]]] = {
    "link": _link,
    "end": _end,
    "person": _person,
    "mail": _mail,
    "again": _again,
    "withdraw": _withdraw,
}


@require_POST
@login_required
def invitations_do(request: HttpRequest, slug: str, verb: str) -> HttpResponse:
    """Do it once and go back; a refused form comes back with what was typed."""
    page = _open(request, slug)
    if verb not in VERBS:
        raise Http404(verb)
    back = reverse("tournament-invitations", args=[slug])
    try:
        messages.success(request, VERBS[verb](request, page.event, signed_in(request)))
    except DomainError as refusal:
        if verb in FIELDS and isinstance(refusal, TournamentError):
            answer = _page(request, page, refusal=refusal, verb=verb)
            answer.status_code = status_of(refusal)
            return with_wait(answer, refusal)
        show_refusal(request, refusal)
        return HttpResponseRedirect(back)
    if verb != "link":
        return HttpResponseRedirect(back)
    # The newest one of theirs is the one just made: shown at once, to be copied.
    made = InvitationLink.objects.filter(tournament=page.event, made_by=signed_in(request)).order_by("-id").first()
    return HttpResponseRedirect(f"{back}?show={made.uuid}#one-link" if made is not None else back)
