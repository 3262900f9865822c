"""Pages of teams that register: what the captain does on their own page, and the page of a place in a team."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.blaming import blame
from accounts.models import User
from accounts.zones import COOKIE, zone_named
from core.errors import TournamentError
from tournaments.models import Registration, TeamPlace
from tournaments.pages.entries.guest_access import network_of_reader
from tournaments.pages.registration.forms import RegisterForm, beside
from tournaments.registration.letters import path_of, path_of_place, read_place
from tournaments.registration.register import Sender
from tournaments.registration.set_up import questions_of, settings_of
from tournaments.registration.teams import (
    add_member,
    decline_place,
    join_team,
    name_team,
    remove_member,
    team_view,
)
from web.page import render_page, viewer
from web.refusals import status_of


def sender_of(request: HttpRequest) -> Sender:
    """Return who sends a form."""
    zone = request.COOKIES.get(COOKIE, "")
    return Sender(network_of_reader(request), get_language() or "", zone if zone_named(zone) else "")


def _invite(request: HttpRequest, own: Registration) -> None:
    add_member(registration=own, name=request.POST.get("member", ""), email=request.POST.get("email", ""))


def _remove(request: HttpRequest, own: Registration) -> None:
    found = [
        each for each in TeamPlace.objects.filter(team__captain=own) if str(each.uuid) == request.POST.get("place")
    ]
    for place in found:
        remove_member(registration=own, place=place)


def _name(request: HttpRequest, own: Registration) -> None:
    name_team(registration=own, name=request.POST.get("team_name", ""))


TEAM_ACTS: Final[dict[str, Callable[[HttpRequest, Registration], None]]] = {
    "invite": _invite,
    "remove": _remove,
    "name_team": _name,
}


def team_context(request: HttpRequest, own: Registration) -> dict[str, Any]:
    """Return what the page of a registration shows of its team."""
    view = team_view(own) if own.tournament.partners else None
    if view is None:
        return {"team": None, "may_have_team": False}
    links = {each.pk: request.build_absolute_uri(path_of_place(each)) for each in view.places if view.is_captain}
    return {
        "team": view.team,
        "is_captain": view.is_captain,
        "team_places": [(each, links.get(each.pk, "")) for each in view.places],
        "may_have_team": view.may_change,
        "is_pair": view.size == 2,
        "may_add": view.may_add,
    }


@never_cache
@require_http_methods(("GET", "HEAD", "POST"))
def join_page(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Show a place in a team to the holder of its link; take or decline it. Opening it alone does neither."""
    try:
        place, is_mailed = read_place(token)
    except TournamentError as refusal:
        context = {"refusal": refusal, "refusal_here": True, "slug": slug}
        return _silent(render_page(request, "registration/gone.html", context, status=404))
    if place.team.tournament.slug != slug:
        raise Http404(slug)
    person = viewer(request)
    form = _form(request, place, person, is_mailed=is_mailed)
    status = 200
    if request.method == "POST":
        try:
            if request.POST.get("act") == "decline":
                decline_place(place=place)
                return _silent(redirect(request.path))
            if form.is_valid():
                row = join_team(
                    place=place,
                    person=person,
                    details=form.details(),
                    sender=sender_of(request),
                    is_mailed=is_mailed,
                )
                return _silent(redirect(_following(row, person, slug)))
            status = 422
        except TournamentError as refusal:
            blame(form, refusal, beside=beside(refusal))
            status = status_of(refusal)
    context = {"place": place, "team": place.team, "event": place.team.tournament, "form": form, "person": person}
    return _silent(
        render_page(request, "registration/join.html", context, status=status, zone=place.team.tournament.time_zone)
    )


def _form(request: HttpRequest, place: TeamPlace, person: User | None, *, is_mailed: bool) -> RegisterForm:
    event = place.team.tournament
    form = RegisterForm(
        request.POST if request.method == "POST" and request.POST.get("act") != "decline" else None,
        questions=questions_of(event),
        has_address=person is None,
        consent=settings_of(event).consent,
        name=place.name,
        asks_year=bool(event.age_gap),
    )
    # A link that is passed on may be in a whole club's chat: the address is shown to who reads its mail.
    if is_mailed and "email" in form.fields:
        form.fields["email"].initial = place.email
    return form


def _following(row: Registration, person: User | None, slug: str) -> str:
    """Return where somebody goes who has joined: their own page, or the one that says to look into their mail."""
    if person is not None:
        return reverse("registration-mine", args=[slug])
    is_confirmed = row.state != Registration.State.UNCONFIRMED
    return path_of(row) if is_confirmed else reverse("registration-sent", args=[slug])


def _silent(response: HttpResponse) -> HttpResponse:
    """Keep the address of this answer, which is a key, out of every Referer, cache and search engine."""
    response["Referrer-Policy"] = "strict-origin"
    response["X-Robots-Tag"] = "noindex"
    response["Cache-Control"] = "no-store"
    return response
