"""Invitations for those who are invited: what a link opens, accepting and declining, the list of one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from core.errors import TournamentError
from engine.errors import DomainError
from tournaments.invitations.answers import (
    Found,
    accept_invitation,
    accept_link,
    decline_invitation,
    read_invitation,
    require_usable,
)
from tournaments.invitations.queries import invitations_of
from tournaments.lifecycle.transitions import roles_of
from tournaments.models import Invitation, InvitationLink
from tournaments.pages.entries.guest_access import network_of_reader
from web.page import render_page, show_refusal, signed_in, viewer
from web.paging import page_of
from web.refusals import status_of, with_wait

HELD: Final = "invitation"
"""The part of the session that holds which invitation was opened: the kind of its row, and its key."""
PAGE_SIZE: Final = 50
NOT_FOUND: Final = 404


@require_safe
@never_cache
def open_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Exchange the link for a cookie: its address stays in no history, no Referer and no `?next=` of a log-in."""
    try:
        found = read_invitation(token, network=network_of_reader(request))
    except TournamentError as refusal:
        return _refusal(request, refusal)
    request.session[HELD] = ["link" if isinstance(found, InvitationLink) else "mail", found.pk]
    answer = redirect("invitation")
    answer["Referrer-Policy"] = "no-referrer"
    answer["X-Robots-Tag"] = "noindex"
    return answer


def _held(request: HttpRequest) -> Found:
    """Return the invitation that this browser has opened. Raises TournamentError "invitation.not_held"."""
    kind, pk = request.session.get(HELD, ("", 0))
    rows = InvitationLink.objects if kind == "link" else Invitation.objects
    found: Found | None = rows.select_related("tournament__created_by", "made_by").filter(pk=pk).first()
    if found is None:
        message = _("This browser holds no invitation. Open the link that you were sent, or scan its code.")
        raise TournamentError(message, code="invitation.not_held")
    return found


def _refusal(request: HttpRequest, refusal: TournamentError) -> HttpResponse:
    """Show what is wrong with a link and what to do; nothing of the event, which is not theirs to know."""
    status = status_of(refusal) if "retry_after" in refusal.extra else NOT_FOUND
    page = render_page(request, "invitations/refused.html", {"refusal": refusal, "refusal_here": True}, status=status)
    page["Cache-Control"] = "no-store"
    return with_wait(page, refusal)


@require_safe
@never_cache
def invitation_page(request: HttpRequest) -> HttpResponse:
    """Show who invites to what, with the buttons to accept and decline, or the way to an account."""
    person = viewer(request)
    try:
        found = _held(request)
        require_usable(found, person)
    except TournamentError as refusal:
        return _refusal(request, refusal)
    if person is not None and _is_in(found, person):
        return redirect("tournament", found.tournament.slug)
    context = {"found": found, "event": found.tournament, "is_personal": isinstance(found, Invitation)}
    answer = render_page(request, "invitations/landing.html", context, zone=found.tournament.time_zone)
    answer["Cache-Control"] = "no-store"
    return answer


def _is_in(found: Found, person: User) -> bool:
    """Return whether a person runs the event, or has accepted an invitation to it: nothing is left to answer."""
    accepted = Invitation.objects.filter(tournament=found.tournament, user=person, state=Invitation.State.ACCEPTED)
    return bool(roles_of(found.tournament, person)) or accepted.exists()


@require_POST
@login_required
def invitation_accept(request: HttpRequest) -> HttpResponse:
    """Accept what this browser has opened, and go to the event."""
    try:
        found = _held(request)
        person = signed_in(request)
        if isinstance(found, InvitationLink):
            accept_link(link=found, user=person)
        else:
            accept_invitation(invitation=found, user=person)
    except TournamentError as refusal:
        return _refusal(request, refusal)
    messages.success(request, _accepted(found.tournament.name))
    return redirect("tournament", found.tournament.slug)


def _accepted(name: str) -> str:
    return _("You have accepted the invitation to %(event)s and follow it from now on.") % {"event": name}


@require_POST
def invitation_decline(request: HttpRequest) -> HttpResponse:
    """Decline the invitation of a mail; also without an account. A link for everybody is only put away."""
    try:
        found = _held(request)
        if isinstance(found, Invitation):
            decline_invitation(invitation=found, user=viewer(request))
    except TournamentError as refusal:
        return _refusal(request, refusal)
    request.session.pop(HELD, None)
    messages.success(request, _("You have declined the invitation."))
    return redirect("home")


@require_safe
@login_required
@never_cache
def my_invitations(request: HttpRequest) -> HttpResponse:
    """Show one's own invitations, newest first."""
    rows = page_of(request, invitations_of(signed_in(request)), size=PAGE_SIZE)
    return render_page(request, "invitations/mine.html", {"invitations": rows, "tab": "invitations"})


def _accept(invitation: Invitation, person: User) -> str:
    accept_invitation(invitation=invitation, user=person)
    return _accepted(invitation.tournament.name)


def _decline(invitation: Invitation, person: User) -> str:
    decline_invitation(invitation=invitation, user=person)
    return _("You have declined the invitation.")


VERBS: Final[dict[str, Callable[[Invitation, User], str]]] = {"accept": _accept, "decline": _decline}


@require_POST
@login_required
def my_invitation_do(request: HttpRequest, uuid: UUID, verb: str) -> HttpResponse:
    """Accept or decline one of one's own; another person's is not there."""
    person = signed_in(request)
    found = invitations_of(person).filter(uuid=uuid).first()
    if found is None or verb not in VERBS:
        raise Http404(str(uuid))
    try:
        messages.success(request, VERBS[verb](found, person))
    except DomainError as refusal:
        show_refusal(request, refusal)
        return HttpResponseRedirect(reverse("my-invitations"))
    if verb == "accept":
        return redirect("tournament", found.tournament.slug)
    return redirect("my-invitations")
