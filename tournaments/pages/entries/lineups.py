"""Line-ups of teams whose members sit apart: the organiser's page of all teams, and the captain's of one.

`?team=`: the form of one team; with `look` what a line-up would change. A POST sets exactly that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.alphabet import ByName
from accounts.models import User
from core.errors import TournamentError
from tournaments.entries.captains import captains_of, read_captain, token_now
from tournaments.entries.lineups import Change, leave_team, preview_lineup, set_lineup
from tournaments.lifecycle.transitions import ORGANISERS
from tournaments.lifecycle.visibility import EventPage
from tournaments.models import Entry, Member
from tournaments.pages.events.event import load, render_event
from tournaments.pages.floor.dashboard import open_dashboard
from tournaments.pairing.lineups_query import singles_of
from tournaments.scores.renewed_slips import renew_captain
from tournaments.standings.boards import LineupLine, LineupPage, lineup_page
from web.page import show_refusal, signed_in
from web.refusals import refused, status_of


@dataclass(frozen=True, slots=True)
class Choice:
    """One board of the form: the people who may sit there, and the one chosen (their id, "" for nobody)."""

    number: int
    chosen: str
    people: tuple[Entry, ...]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def lineups_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show every team's line-up for the open round, and the form of one of them (organisers)."""
    page, found = open_dashboard(request, slug)
    if not page.event.boards or not found & ORGANISERS:
        raise Http404(slug)
    shown = lineup_page(page.event)
    wanted = request.POST.get("team", "") or request.GET.get("team", "")
    line = next((each for each in shown.lines if str(each.team.uuid) == wanted), None)
    if wanted and line is None:
        raise Http404(wanted)
    back = reverse("tournament-lineups", args=[slug])
    links = {team: _captain_link(request, slug, member) for team, member in captains_of(page.event).items()}
    context = {"links": links, "back": back}
    return _answer(request, page, shown, line, signed_in(request), context)


@require_http_methods(["GET", "HEAD", "POST"])
# The address is a key.
@never_cache
def captain_page(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """Show the captain's own page: the line-up of their team for the open round."""
    page = load(request, slug)
    if not page.event.boards:
        raise Http404(slug)
    try:
        team = read_captain(token, page.event)
    except TournamentError as refusal:
        return refused(request, refusal, back=reverse("tournament", args=[slug]))
    shown = lineup_page(page.event)
    line = next((each for each in shown.lines if each.team.pk == team.pk), None)
    context = {"is_captain": True, "back": reverse("tournament-captain", args=[slug, token])}
    return _answer(request, page, shown, line, None, context)


def _captain_link(request: HttpRequest, slug: str, member: Member) -> str:
    return request.build_absolute_uri(reverse("tournament-captain", args=[slug, token_now(member)]))


def _answer(
    request: HttpRequest,
    page: EventPage,
    shown: LineupPage,
    line: LineupLine | None,
    by: User | None,
    context: dict[str, Any],
) -> HttpResponse:
    """Return the page; with a form that was sent what it would change, or what came of it."""
    asked = request.POST if request.method == "POST" else request.GET
    is_asked = line is not None and (request.method == "POST" or "look" in asked)
    context |= {"lineups": shown, "line": line, "status": 200}
    if line is not None:
        people = _people(page, line, by)
        context |= {"choices": _choices(page, line, people, asked if is_asked else None), "rounds": _rounds(shown)}
        context["round"] = asked.get("round", "")[:3]
    if is_asked and line is not None:
        done = _acted(request, page, line, by, people, asked)
        if request.method == "POST" and isinstance(done, Change):
            message = _("The line-up of %(name)s holds from round %(round)s on.")
            messages.success(request, message % {"name": line.team.player.name, "round": done.slot.number})
            return HttpResponseRedirect(context["back"])
        context |= (
            {"refusal": done, "status": status_of(done)} if isinstance(done, TournamentError) else {"change": done}
        )
    answer = render_event(request, page, "lineups", context, template="desk/lineups.html")
    answer.status_code = context["status"]
    return answer


def _rounds(shown: LineupPage) -> range:
    # At most ten rounds ahead: a longer list helps nobody on a phone.
    return range(shown.slot.number, min(shown.slot.last, shown.slot.number + 9) + 1) if shown.slot else range(0)


def _people(page: EventPage, line: LineupLine, by: User | None) -> tuple[Entry, ...]:
    """Return the people who may be put on a board: the team's; for an organiser also anyone who is in no team."""
    own = [member.person for member in (*line.boards, *line.reserves) if member is not None]
    # A captain, who has no account here: their link is for their own team only.
    if by is None:
        return tuple(own)
    return (*own, *singles_of(page.event).select_related("player").order_by(ByName("player__name"), "pk"))


def _choices(
    page: EventPage, line: LineupLine, people: tuple[Entry, ...], asked: Mapping[str, str] | None
) -> list[Choice]:
    def chosen(number: int) -> str:
        if asked is not None:
            return asked.get(f"b{number}", "")[:40]
        member = line.boards[number - 1]
        return str(member.person.uuid) if member is not None else ""

    return [Choice(number, chosen(number), people) for number in range(1, page.event.boards + 1)]


def _acted(
    request: HttpRequest,
    page: EventPage,
    line: LineupLine,
    by: User | None,
    people: Sequence[Entry],
    asked: Mapping[str, str],
) -> Change | TournamentError:
    """Return what the line-up of the form would change (GET), or did (POST); or the refusal."""
    known = {str(person.uuid): person for person in people}
    chosen: list[Entry | None] = []
    for number in range(1, page.event.boards + 1):
        text = asked.get(f"b{number}", "")[:40]
        # The form was made before somebody left or was moved: nobody is put on a board by an old id.
        if text and text not in known:
            message = _("One of them can no longer sit there. Reload the page.")
            return TournamentError(message, code="lineup.not_member")
        chosen.append(known[text] if text else None)
    text = asked.get("round", "")
    number_of = int(text) if text.isdecimal() and len(text) < 4 else None
    try:
        if request.method == "POST":
            # What the captain saw: another line-up that came in between is not overwritten.
            seen = asked.get("seen", "")
            return set_lineup(team=line.team, by=by, people=chosen, seen=seen, from_round=number_of)
        return preview_lineup(team=line.team, by=by, people=chosen, from_round=number_of)
    except TournamentError as refusal:
        return refusal


@require_POST
@login_required
def part_do(request: HttpRequest, slug: str) -> HttpResponse:
    """Let a member leave their team; the board is empty from the open round on."""
    page, found = open_dashboard(request, slug)
    rows = Entry.objects.filter(tournament=page.event, state=Entry.State.PARTNERED).select_related("player")
    wanted = request.POST.get("member", "")
    member = next((row for row in rows.select_related("tournament") if str(row.uuid) == wanted), None)
    if not page.event.boards or not found or member is None:
        raise Http404(slug)
    try:
        done = leave_team(member=member, by=signed_in(request))
        message = _("%(name)s has left the team; their board is empty from round %(round)s on.")
        shown = {"name": member.player.name, "round": done.until_round or 1}
        messages.success(request, message % shown)
    except TournamentError as refusal:
        show_refusal(request, refusal)
    return HttpResponseRedirect(reverse("tournament-lineups", args=[slug]))


@require_POST
@login_required
def captain_do(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the captain of a team a new address; the old one is dead."""
    page, found = open_dashboard(request, slug)
    wanted = request.POST.get("team", "")
    rows = page.event.entries.select_related("player", "tournament")
    team = next((each.team for each in lineup_page(page.event).lines if str(each.team.uuid) == wanted), None)
    # 404 for every wrong reader: the page does not tell scorers what they may not do.
    if not page.event.boards or not found & ORGANISERS or team is None:
        raise Http404(slug)
    try:
        renew_captain(team=rows.get(pk=team.pk), by=signed_in(request))
        message = _(
            "The captain's page of %(name)s has a new address; the old one no longer works. Give them the new one."
        )
        messages.success(request, message % {"name": team.player.name})
    except TournamentError as refusal:
        show_refusal(request, refusal)
    return HttpResponseRedirect(reverse("tournament-lineups", args=[slug]))
