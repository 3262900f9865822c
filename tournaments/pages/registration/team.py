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
from tournaments.pairing.lineups_query import team_sizes
from tournaments.registration.letters import path_of, path_of_place, read_place
from tournaments.registration.register import Sender
from tournaments.registration.set_up import questions_of, settings_of
from tournaments.registration.team_places import team_of
from tournaments.registration.teams import (
    add_member,
    decline_place,
    join_team,
    may_have_team,
    name_team,
    places_of,
    remove_member,
)
from web.page import render_page, viewer
from web.refusals import status_of

P = TeamPlace.State


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
    if not own.tournament.partners:
        return {"team": None, "may_have_team": False}
    team, may = team_of(own), may_have_team(own)
    is_captain = team is not None and team.captain_id == own.pk
    rows = places_of(team) if team is not None else []
    size, people = team_sizes(own.tournament)[-1], 1 + sum(each.state != P.DECLINED for each in rows)
    links = {each.pk: request.build_absolute_uri(path_of_place(each)) for each in rows if is_captain}
    return {
        "team": team,
        "is_captain": is_captain,
        # Who has not confirmed is known to the captain alone, who named them.
        "team_places": [(each, links.get(each.pk, "")) for each in rows if is_captain or each.state == P.CONFIRMED],
        "may_have_team": may,
        "is_pair": size == 2,
        "may_add": may and people < size,
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
    form = _form(request, place, person)
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


def _form(request: HttpRequest, place: TeamPlace, person: User | None) -> RegisterForm:
    event = place.team.tournament
    form = RegisterForm(
        request.POST if request.method == "POST" and request.POST.get("act") != "decline" else None,
        questions=questions_of(event),
        has_address=person is None,
        consent=settings_of(event).consent,
        name=place.name,
        asks_year=bool(event.age_gap),
    )
    if "email" in form.fields:
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
