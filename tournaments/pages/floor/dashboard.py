"""Organiser dashboard of a club night: rounds and tables, the next draw, the projector, roles."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from core.errors import TournamentError
from engine.errors import DomainError
from tournaments.entries import people
from tournaments.entries.links_query import leaving_of
from tournaments.entries.teams_query import present_of, tables_now
from tournaments.lifecycle.floor_settings import clock_line, minutes_of
from tournaments.lifecycle.transitions import ORGANISERS, RULERS
from tournaments.lifecycle.visibility import EventPage
from tournaments.models import Entry, Match, Round, Stage, Tournament
from tournaments.pages.events import chain
from tournaments.pages.events.entering import bots_to_enter
from tournaments.pages.events.event import entries as event_entries
from tournaments.pages.events.event import load, registration_for, render_event
from tournaments.pages.floor.adding import add_one, add_pasted, places_for
from tournaments.pages.floor.announcements import FLOOR_ACTS
from tournaments.pages.floor.before import before_it_begins
from tournaments.pages.floor.check_in import check_in_of
from tournaments.pages.floor.staff import STAFF_ACTS, league_dashboard, open_for_staff
from tournaments.pages.floor.stations import FLOW_ACTS, flow_of
from tournaments.pages.floor.steps import before_start, is_last, step_of
from tournaments.pages.interchange.exports import translated
from tournaments.pages.pairing.draw_preview import draw_preview
from tournaments.pages.presence.acts import PRESENCE_ACTS, entry_of
from tournaments.pages.progress.level import level_at
from tournaments.presence.queries import places_to_take, reserves_of, sitting_out
from tournaments.presence.returning import may_come_back_in
from tournaments.presence.sitting_out import open_stage
from tournaments.progress import rounds as calling
from tournaments.progress import undo
from tournaments.progress.by_hand import can_pair_by_hand
from tournaments.progress.round_clock import OVER
from tournaments.progress.stage_actions import take_back_stage
from tournaments.scores import tables as desk
from tournaments.standings.queries import ranks_of
from web.page import show_refusal, signed_in, viewer
from web.refusals import refused, status_of

T = Tournament.State
FOLLOWED = 60
"""People of one page who can be followed there: each has a button."""
Act = Callable[[HttpRequest, Tournament, User], str]
OFFERS_UNDO: Final = frozenset({"call", "draw", "draw-call", "close"})
"""Acts whose message has a button that takes them back."""
FORMS_AT: Final = {
    ("tournament-desk", "grid"): "tournament-grid",
    ("tournament-entries", "desk"): "tournament-desk",
}
"""Where a form leads back to that stands on another page than usual, by the usual page and what the form says."""


def open_dashboard(request: HttpRequest, slug: str) -> tuple[EventPage, frozenset[str]]:
    """Return the event of people and the reader's roles, or 404 for a reader who has none there.

    Its stage is the one of `?stage=`, else the first that is on.
    """
    page = at_stage(load(request, slug, stage=request.GET.get("stage", "")[:3]), request)
    if not page.all_roles or not page.event.is_of_people:
        raise Http404(slug)
    return page, page.all_roles


def at_stage(page: EventPage, request: HttpRequest) -> EventPage:
    """Return the page with the stage that is on, unless another one was asked for."""
    return page if request.GET.get("stage") else replace(page, stage=desk.stage_on(page.stages) or page.stage)


@require_safe
@login_required
def dashboard_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what is open now, and the next step; of an event of bots `league_dashboard`."""
    page, found = open_for_staff(request, slug, request.GET.get("stage", "")[:3])
    if not page.event.is_of_people:
        return league_dashboard(request, page)
    page = at_stage(page, request)
    rounds = desk.open_rounds(page.stage)
    chosen = desk.current_round(page.stage, rounds, request.GET.get("round", ""))
    tables = desk.round_tables(chosen) if chosen is not None else []
    context = {
        "stage_tabs": chain.tabs(page),
        "shown": str(page.stage.order),
        "is_last": is_last(page),
        **chain.waiting(page),
        "rounds": rounds,
        "round": chosen,
        "tables": tables,
        "level": level_at(chosen, tables) if chosen is not None else frozenset(),
        "may_reseat": can_pair_by_hand(page.stage),
        "to_call": sum(table.match.state == Match.State.READY for table in tables),
        "step": step_of(page, rounds, tables) if found & ORGANISERS else "",
        **(before_start(page, signed_in(request)) if found & ORGANISERS else {}),
        "check_in": check_in_of(page),
        "may_organise": bool(found & ORGANISERS),
        "may_rule": bool(found & RULERS),
        **clock_at(page, chosen),
        "minutes": minutes_of(page.event),
        "undoable": SimpleLazyObject(lambda: undo.offered(page.event, viewer(request), found)),
        "is_over": page.event.state in OVER,
        **before_it_begins(request, page),
        **flow_of(page.stage, page.event),
    }
    return render_event(request, page, "desk", context, template="desk/desk.html")


def clock_at(page: EventPage, row: Round | None) -> dict[str, Any]:
    """Return the clock of a round as pages show it, if it has one."""
    line = clock_line(page.event, row)
    return {"clock": line, "clocks": [line] if line else []}


@require_safe
@login_required
def next_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the next round as it would be drawn now, with the reasons; nothing is written."""
    page, found = open_dashboard(request, slug)
    if not found & ORGANISERS:
        raise Http404(slug)
    try:
        drawn = calling.preview_next(stage=page.stage, by=signed_in(request))
    except DomainError as refusal:
        return refused(request, refusal, back=reverse("tournament-desk", args=[slug]))
    context = {"drawn": drawn, "is_last": is_last(page), **draw_preview(page.stage, drawn)}
    return render_event(request, page, "next", context, template="desk/next.html")


def _stage(request: HttpRequest, event: Tournament) -> Stage:
    """Return the stage that a form names, else the one that is on."""
    rows = list(event.stages.select_related("tournament", "ruleset").order_by("order"))
    wanted = request.POST.get("stage", "")
    found = [row for row in rows if str(row.order) == wanted] if wanted else [desk.stage_on(rows) or rows[-1]]
    if not found:
        raise Http404(wanted)
    return found[0]


def _round(request: HttpRequest, event: Tournament) -> Round:
    wanted = request.POST.get("round", "")
    if not wanted.isdecimal() or len(wanted) > 4:
        raise Http404(wanted)
    rows = Round.objects.select_related("stage__tournament")
    row = rows.filter(stage=_stage(request, event), number=int(wanted)).first()
    if row is None:
        message = _("This round no longer exists. Reload the page.")
        raise TournamentError(message, code="round.gone")
    return row


def _entry(request: HttpRequest, event: Tournament) -> Entry:
    return entry_of(event, request.POST.get("entry", ""))


def _call(request: HttpRequest, event: Tournament, by: User) -> str:
    row = _round(request, event)
    return _started(row, calling.call_round(round_row=row, by=by))


def _started(row: Round, tables: int) -> str:
    message = ngettext(
        "Round %(round)s has started at %(n)d table.", "Round %(round)s has started at %(n)d tables.", tables
    )
    return message % {"round": row.number, "n": tables}


def _draw(request: HttpRequest, event: Tournament, by: User) -> str:
    stage = _stage(request, event)
    # seen: the draw that was shown. If another one would come out now, it is refused.
    row = calling.publish_next(stage=stage, by=by, seen=request.POST.get("seen", ""))
    return _("Round %(n)s is published. Print it, then start it.") % {"n": row.number}


def _draw_and_call(request: HttpRequest, event: Tournament, by: User) -> str:
    stage = _stage(request, event)
    row = calling.publish_next(stage=stage, by=by, seen=request.POST.get("seen", ""))
    return _started(row, calling.call_round(round_row=row, by=by))


def _take_back(request: HttpRequest, event: Tournament, by: User) -> str:
    row = _round(request, event)
    # The first round of a later stage came with its stage: both go together.
    if row.number == 1 and row.stage.order > 1:
        take_back_stage(stage=row.stage, by=by)
    else:
        calling.take_back_round(round_row=row, by=by)
    return _("The draw is undone.")


def _close(request: HttpRequest, event: Tournament, by: User) -> str:
    stage = calling.close_stage(stage=_stage(request, event), by=by)
    if stage.tournament.state == T.FINISHED:
        return _("The final standings are confirmed; the event is finished.")
    return _("The final standings of “%(name)s” are confirmed.") % {"name": chain.name_of(stage)}


def _here(request: HttpRequest, event: Tournament, by: User) -> str:
    entry = people.check_in(entry=_entry(request, event), by=by)
    return _("%(name)s is checked in.") % {"name": entry.player.name}


def _away(request: HttpRequest, event: Tournament, by: User) -> str:
    entry = people.check_in(entry=_entry(request, event), by=by, is_here=False)
    return _("%(name)s is no longer checked in.") % {"name": entry.player.name}


def _all_here(request: HttpRequest, event: Tournament, by: User) -> str:
    n = people.check_in_all(tournament=event, by=by)
    return ngettext("%(n)d more person is checked in.", "%(n)d more people are checked in.", n) % {"n": n}


ACTS: dict[str, tuple[Act, str]] = {
    "call": (_call, "tournament-desk"),
    "call-print": (_call, "tournament-print"),
    "draw": (_draw, "tournament-desk"),
    "draw-call": (_draw_and_call, "tournament-desk"),
    "draw-print": (_draw_and_call, "tournament-print"),
    "take-back": (_take_back, "tournament-desk"),
    "close": (_close, "tournament-desk"),
    "add": (add_one, "tournament-entries"),
    "paste": (add_pasted, "tournament-entries"),
    "here": (_here, "tournament-entries"),
    "away": (_away, "tournament-entries"),
    "all-here": (_all_here, "tournament-entries"),
    **STAFF_ACTS,
    **FLOOR_ACTS,
    **PRESENCE_ACTS,
    **FLOW_ACTS,
}


@require_POST
@login_required
def dashboard_do(request: HttpRequest, slug: str, verb: str) -> HttpResponse:
    """Do it once and go back; a refusal is shown there with its code."""
    page, found = open_for_staff(request, slug)
    if verb not in ACTS or not (page.event.is_of_people or verb in STAFF_ACTS):
        raise Http404(verb)
    act, back = ACTS[verb]
    is_done = False
    try:
        done = act(request, page.event, signed_in(request))
        messages.success(request, done, extra_tags="undo" if verb in OFFERS_UNDO else "")
        is_done = True
    except DomainError as refusal:
        # The results changed since the draw was shown: the organiser looks at the new draw before it is published.
        if refusal.code == "round.draw_changed":
            return refused(request, refusal, back=reverse("tournament-next", args=[slug]))
        # The page with what was typed, not a redirect: a list of a hundred names must not be typed again.
        if found & ORGANISERS and (verb == "add" or (verb == "paste" and request.POST.get("list", "").strip())):
            return _typed_again(request, page, refusal)
        show_refusal(request, translated(refusal) if isinstance(refusal, TournamentError) else refusal)
    if back == "tournament-print":
        # What is not called is not printed either: the refusal stands on the dashboard.
        stage = _stage(request, page.event)
        row = desk.current_round(stage, desk.open_rounds(stage), request.POST.get("round", ""))
        if is_done and row is not None:
            return HttpResponseRedirect(reverse(back, args=[slug, row.number]) + f"?stage={stage.order}")
        back = "tournament-desk"
    back = FORMS_AT.get((back, request.POST.get("back", "")), back)
    return HttpResponseRedirect(reverse(back, args=[slug]) + _same_stage(request, verb) + _same_row(request, verb))


def _typed_again(request: HttpRequest, page: EventPage, refusal: DomainError) -> HttpResponse:
    """Show the people with what is wrong with a name or a list, which stays in its box. Nobody of it is entered."""
    shown = translated(refusal) if isinstance(refusal, TournamentError) else refusal
    answer = people_page(request, page, refusal=shown)
    answer.status_code = status_of(refusal)
    return answer


def _same_stage(request: HttpRequest, verb: str) -> str:
    """Return the query that leads back to the stage that the form was about; from one that is signed to the next."""
    wanted = request.POST.get("stage", "")
    # Only digits of ours: what a form sends never becomes part of an address unseen.
    is_of_stage = ACTS[verb][1] in ("tournament-desk", "tournament-print") and verb != "close"
    return f"?stage={wanted}" if is_of_stage and wanted in set("123456") else ""


def _same_row(request: HttpRequest, verb: str) -> str:
    """Return the query and the fragment that lead back to where one was.

    That is the row that was checked in, among those that were found, or the form for the next person: a browser opens
    the fold around it.
    """
    if verb == "add":
        return "#add-name"
    if verb not in ("here", "away"):
        return ""
    words = request.POST.get("q", "").strip()[:60]
    try:
        row = f"#here-{UUID(request.POST.get('entry', ''))}"
    except ValueError:
        row = ""
    return (f"?{urlencode({'q': words})}" if words else "") + row


@require_safe
def entries(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who plays: bots, or people."""
    page = load(request, slug)
    return people_page(request, page) if page.event.is_of_people else event_entries(request, page)


def people_page(request: HttpRequest, page: EventPage, *, refusal: DomainError | None = None) -> HttpResponse:
    """Show who plays in an event of people; organisers enter them and check them in here.

    refusal: of a name or a list that was sent and not entered.
    """
    found = page.all_roles
    words = request.GET.get("q", "").strip()[:60]
    rows = list(desk.people_of(page.event))
    shown = [entry for entry in rows if words.casefold() in entry.player.name.casefold()]
    running, before = page.event.state in people.DURING, page.event.state in people.BEFORE
    may_follow = viewer(request) is not None and len(shown) <= FOLLOWED
    may_link, may_leave = bool(found & ORGANISERS), bool(found & ORGANISERS) and (before or running)
    context: dict[str, Any] = {
        **_framed(page),
        **_final_ranks(page),
        "may_follow": may_follow,
        "has_menu": may_follow or may_link or page.event.has_bots,
        "entries": shown,
        "words": words,
        "refusal": refusal,
        "left": refusal.extra.get("entry", "") if refusal and refusal.code == "entry.left" else "",
        "refusal_at": ("paste-list" if "list" in request.POST else "add-name") if refusal else "",
        "sent": request.POST,
        "places": places_for(refusal),
        **(bots_to_enter(page, viewer(request)) if page.event.has_bots else {}),
        "present": present_of(page.event, rows),
        "registration": None if rows or found else registration_for(page, viewer(request)),
        "has_seeds": any(entry.seed for entry in rows),
        "tables": tables_now(page.event) if running else {},
        "is_before": before,
        "may_link": may_link,
        "leaving": leaving_of(page.event) if page.event.partners and found & ORGANISERS else [],
        "may_add": bool(found & ORGANISERS) and (before or (running and people.may_join_late(page.stage))),
        "may_return": may_come_back_in(page.event) if found & ORGANISERS else frozenset(),
        "resting": sitting_out(open_stage(page.event)),
        "may_leave": may_leave,
        **_late(page, found, is_late=running and not people.may_join_late(page.stage)),
        "may_check_in": bool(found) and (before or (running and people.may_join_late(page.stage))),
    }
    return render_event(request, page, "entries", context, template="desk/people.html")


def _framed(page: EventPage) -> dict[str, str]:
    """Return the frame of the page: those with a role in the event have their menu beside it."""
    return {
        "frame": "desk/_frame.html" if page.may_score else "tournaments/_open_frame.html",
        "frame_tab": "entries",
    }


def _final_ranks(page: EventPage) -> dict[str, Any]:
    is_over = page.event.state in (T.FINISHED, T.ARCHIVED)
    return {
        "is_over": is_over,
        "ranks": {str(key): rank for key, rank in ranks_of(page.stage).items()} if is_over else {},
    }


def _late(page: EventPage, found: frozenset[str], *, is_late: bool) -> dict[str, Any]:
    """Return whose place somebody may take who comes once all tables are drawn, and who waits for one."""
    if not is_late or not found & ORGANISERS:
        return {}
    return {"is_late": True, "places_to_take": places_to_take(page.event), "reserves": reserves_of(page.event)}
