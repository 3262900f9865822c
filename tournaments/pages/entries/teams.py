"""Partners: the commitment of the next draw, the draws and what came of them, teams by hand, substitutes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.phrasing import listed
from core.errors import TournamentError
from core.formats.partners import Rule
from engine.errors import DomainError
from tournaments.entries import partners as drawing
from tournaments.entries import teams
from tournaments.entries.birth_years import AgeOutlook, age_outlook
from tournaments.entries.people import BEFORE, DURING
from tournaments.entries.substitutes import substitute
from tournaments.entries.team_building import members_of
from tournaments.entries.teams_query import PartnersPage, TeamLine, chosen_team, partners_page
from tournaments.lifecycle.visibility import EventPage
from tournaments.models import Entry, Member, PartnerDraw, Tournament
from tournaments.pages.events.event import load, render_event
from tournaments.pairing.lineups_query import team_sizes
from tournaments.scores import tables
from web.page import show_refusal, signed_in
from web.refusals import with_wait
from web.statuses import status_of

MAX_CONCURRENT = 9
"""Members that one form puts together."""
Act = Callable[[HttpRequest, Tournament, User], str]
FIELDS: Final[Mapping[str, Mapping[str, str]]] = {
    "draw": {"bad_who": "draw-who", "bad_rule": "draw-rule", "too_few": "draw-who"},
    "redraw": {"bad_who": "redraw-who", "bad_rule": "redraw-rule", "too_few": "redraw-who", "reason": "redraw-reason"},
    "undo": {"reason": "undo-reason"},
    "make": {"size": "make-1", "not_single": "make-1", "name": "make-name"},
    "rename": {"name": "team-name"},
    "substitute": {
        "no_member": "sub-member",
        "not_single": "sub-person",
        "duplicate": "sub-name",
        "name": "sub-name",
        "round": "sub-round",
    },
}
"""Per form that people fill in: the id of the field to blame, by how the last word of a refusal's code begins."""


@require_safe
def partners(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who plays with whom, and how that came about: everybody may check the draws. Organisers act here.

    `?team=`: the forms of one team.
    """
    page = load(request, slug)
    if not page.event.partners:
        raise Http404(slug)
    return _page(request, page, request.GET.get("team", ""), {})


def _page(request: HttpRequest, page: EventPage, team: str, refused: Mapping[str, Any]) -> HttpResponse:
    """Show the page. team: the id of the one whose forms are shown; refused: of a form, and what was typed in it."""
    shown = partners_page(page.event)
    organises = bool(page.roles)
    chosen = chosen_team(shown.teams, team) if organises else None
    places = range(1, min(team_sizes(page.event)[-1], MAX_CONCURRENT) + 1)
    made = refused.get("typed", {}).get("make", {})
    context: dict[str, Any] = {
        "partners": shown,
        "chosen": chosen,
        "reserves": _reserves(page.event, chosen) if chosen is not None else [],
        "may_draw": organises and page.event.state in BEFORE,
        "may_team": organises and page.event.state in (*BEFORE, *DURING),
        "may_substitute": organises and page.event.state in DURING,
        "shown_draw": _shown(request.GET.get("draw", ""), [line.draw.number for line in shown.draws]),
        "rules": PartnerDraw.Rule.choices,
        "places": [(place, made.get(f"person{place}", "")) for place in places],
        "needed": team_sizes(page.event)[0],
        # Of ages organisers alone read anything that is about single people.
        "ages": _ages(page.event, shown) if page.is_organiser else None,
        **refused,
    }
    return render_event(request, page, "partners", context, template="desk/partners.html")


def _refused(request: HttpRequest, page: EventPage, refusal: DomainError, form: str) -> HttpResponse:
    """Show the page with the form as it was sent, and what is wrong with it."""
    last = refusal.code.rpartition(".")[2]
    at = next((field for begins, field in FIELDS[form].items() if last.startswith(begins)), "")
    refused = {"refusal": refusal, "refusal_at": at, "typed": {form: request.POST.dict()}}
    answer = _page(request, page, request.POST.get("team", ""), refused)
    answer.status_code = status_of(refusal)
    return with_wait(answer, refusal)


def _ages(event: Tournament, shown: PartnersPage) -> AgeOutlook | None:
    teams = [[member.person for member in line.members] for line in shown.teams]
    return age_outlook(event, shown.singles, teams)


def _reserves(event: Tournament, team: TeamLine) -> list[Member]:
    """Return the members of a team that sits apart who sit on no board now."""
    return [each for each in members_of(team.entry) if event.boards and each.number > event.boards]


def _shown(wanted: str, numbers: list[int]) -> int | None:
    """Return the number of the draw whose list is on the page: the one asked for, else the newest."""
    found = [number for number in numbers if str(number) == wanted]
    return next(iter(found or numbers), None)


def _named(request: HttpRequest, event: Tournament, name: str) -> Entry:
    """Return the entry that a field of the form names."""
    found = tables.people_of(event).select_related("tournament").filter(uuid=_uuid(request.POST.get(name, ""))).first()
    if found is None:
        raise Http404(name)
    return found


def _uuid(text: str) -> UUID:
    """Return an id; 404 for what is none."""
    try:
        return UUID(text)
    except ValueError as wrong:
        raise Http404(text) from wrong


def _number(request: HttpRequest, name: str) -> int | None:
    text = request.POST.get(name, "").strip()
    if not text:
        return None
    if not text.isdecimal() or len(text) > 4:
        raise Http404(name)
    return int(text)


def _round(request: HttpRequest) -> int | None:
    """Return the round from which somebody plays, None for an empty field. Raises "team.round_invalid"."""
    text = request.POST.get("round", "").strip()
    if text and (not text.isdecimal() or len(text) > 4 or not int(text)):
        message = _("Enter the number of a round, or leave the field empty for the next one.")
        raise TournamentError(message, code="team.round_invalid")
    return int(text) if text else None


def _draw(request: HttpRequest, event: Tournament, by: User) -> str:
    draw = drawing.draw_partners(
        tournament=event,
        by=by,
        # The draw that the organiser saw last: a second click does not draw a second time.
        seen=_number(request, "seen") or 0,
        rule=request.POST.get("rule", Rule.LOTS),
        who=request.POST.get("who", "here"),
        redraw=request.POST.get("redraw") == "1",
        reason=request.POST.get("reason", ""),
    )
    n = len(draw.teams)
    message = ngettext("%(n)d team is drawn.", "%(n)d teams are drawn.", n) % {"n": n}
    names = {item["entry"]: item["name"] for item in draw.listed}
    if not draw.left:
        return message
    left = listed(names[entry] for entry in draw.left)
    rest = _("Without a partner: %(names)s. Make a team with a late arrival, or check them out.")
    return f"{message} {rest % {'names': left}}"


def _undo(request: HttpRequest, event: Tournament, by: User) -> str:
    number = _number(request, "number") or 0
    drawing.undo_partner_draw(tournament=event, by=by, number=number, reason=request.POST.get("reason", ""))
    return _("The draw is undone; everybody is without a partner again.")


def _make(request: HttpRequest, event: Tournament, by: User) -> str:
    # By the names of the fields, as they stand below each other on the page.
    given = [key for key in sorted(request.POST) if key.startswith("person") and request.POST[key]]
    people = [_named(request, event, key) for key in given[:MAX_CONCURRENT]]
    team = teams.make_team(tournament=event, by=by, people=people, name=request.POST.get("name", ""))
    return _("%(name)s play together.") % {"name": team.player.name}


def _break(request: HttpRequest, event: Tournament, by: User) -> str:
    people = teams.break_team(team=_named(request, event, "team"), by=by)
    return _("%(names)s are without a partner again.") % {"names": listed(each.player.name for each in people)}


def _rename(request: HttpRequest, event: Tournament, by: User) -> str:
    team = teams.rename_team(team=_named(request, event, "team"), by=by, name=request.POST.get("name", ""))
    return _("The team is called %(name)s.") % {"name": team.player.name}


def _substitute(request: HttpRequest, event: Tournament, by: User) -> str:
    member = substitute(
        team=_named(request, event, "team"),
        by=by,
        member=_named(request, event, "member"),
        person=_named(request, event, "person") if request.POST.get("person") else None,
        name=request.POST.get("name", ""),
        from_round=_round(request),
    )
    shown = {"name": member.person.player.name, "round": member.from_round}
    return _("%(name)s plays from round %(round)s on. Print the slips of that round again.") % shown


ACTS: dict[str, Act] = {
    "draw": _draw,
    "undo": _undo,
    "make": _make,
    "break": _break,
    "rename": _rename,
    "substitute": _substitute,
}


@require_POST
@login_required
def partners_do(request: HttpRequest, slug: str, verb: str) -> HttpResponse:
    """Do it once and go back; a refused form comes back with what was typed."""
    page = load(request, slug)
    if not page.event.partners or verb not in ACTS or not page.all_roles:
        raise Http404(verb)
    form = "redraw" if verb == "draw" and request.POST.get("redraw") == "1" else verb
    try:
        messages.success(request, ACTS[verb](request, page.event, signed_in(request)))
    except DomainError as refusal:
        if form in FIELDS and page.roles:
            return _refused(request, page, refusal, form)
        show_refusal(request, refusal)
    return HttpResponseRedirect(reverse("tournament-partners", args=[slug]))
