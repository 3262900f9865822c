"""Page of a table for phones: the slip's code opens it, one side reports, the other confirms or objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.errors import TournamentError
from engine.errors import DomainError
from tournaments.lifecycle.floor_settings import announcements_of, clock_line
from tournaments.matches.deal_sets import rules_of
from tournaments.matches.queue import channel_versions
from tournaments.models import EntryLink, Match, ResultReport, Round, Stage, Tournament
from tournaments.pages.entries.guest_access import grant_table, granted_side, network_of_reader
from tournaments.pages.progress.level import extra_fields, level_text, read_extra
from tournaments.pages.scores.claim_boxes import boxes_of, first_box, wrong_boxes
from tournaments.pages.scores.claim_form import ClaimFields, fields_for, read_claim, read_version
from tournaments.pages.scores.claim_rows import ClaimRows, rows_of
from tournaments.pages.standings.bracket_words import prospect_of
from tournaments.progress.corrections.level_decisions import accept_extra, submit_extra
from tournaments.scores.actions import Actor, accept_result, dispute_result, submit_result
from tournaments.scores.photos import may_send, send_photo
from tournaments.scores.photos_query import photos_of
from tournaments.scores.slips import read_code, read_slip
from tournaments.scores.tables import OPEN_REPORTS, Table, table_of
from tournaments.sse import live_token
from web.page import render_page, viewer
from web.refusals import refused, status_of, with_wait

CODE_TYPED = 20
M = Match.State
CLOSED = (M.CONFIRMED, M.VOID)


@require_safe
@never_cache
def slip(request: HttpRequest, token: str) -> HttpResponse:
    """Exchange the slip's address for a cookie and go to the table: the address does not stay in the history."""
    try:
        match, side = read_slip(token)
    except TournamentError as refusal:
        return refused(request, refusal, back="/")
    return _seated(request, match, side)


def _seated(request: HttpRequest, match: Match, side: int) -> HttpResponse:
    """Let the reader act as this side from now on, and go to its table."""
    grant_table(request, str(match.uuid), side)
    return redirect("table", match.uuid)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def code_page(request: HttpRequest) -> HttpResponse:
    """Ask for the six letters of a slip, which open its table as the code to scan does."""
    typed = request.POST.get("code", "")[:CODE_TYPED]
    if request.method != "POST":
        return render_page(request, "tables/code.html", {})
    try:
        # Six letters can be guessed: wrong ones are counted for the network.
        match, side = read_code(typed, network=network_of_reader(request))
    except TournamentError as refusal:
        context = {"refusal": refusal, "refusal_at": "code", "typed": typed}
        page = render_page(request, "tables/code.html", context, status=status_of(refusal))
        return with_wait(page, refusal)
    return _seated(request, match, side)


@dataclass(frozen=True, slots=True)
class At:
    """A table, the reader's side, their link if it was that which opened it, and the channels that tell of changes.

    versions: of the channels, read before the table: a change between the two is told once more, none is missed.
    """

    table: Table
    side: int
    link: EntryLink | None
    versions: Mapping[str, int]


def _table(request: HttpRequest, uuid: UUID) -> At:
    """Return the table and the reader's side, or 404 for a reader who has no slip of it."""
    access = granted_side(request, str(uuid))
    named = Match.objects.filter(uuid=uuid).select_related("stage__tournament")
    match = named.only("uuid", "stage__tournament__slug").first()
    if access is None or match is None:
        raise Http404(str(uuid))
    versions = channel_versions([match.channel, match.stage.tournament.channel])
    return At(table_of(match), *access, versions)


@require_safe
def table(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Show who sits here, what was reported, and the form of the reader's side."""
    return _page(request, _table(request, uuid))


def _refused(refusal: DomainError | None, fields: ClaimFields) -> dict[str, Any]:
    """Return a refusal for the page's summary; of a photo beside it."""
    is_of_photo = refusal is not None and refusal.code.startswith("photo.")
    place = {"refusal_here": is_of_photo, "refusal_at": first_box(refusal, fields)}
    return {"refusal": refusal, "of_photo": is_of_photo, **place}


def _page(request: HttpRequest, at: At, *, refusal: DomainError | None = None, status: int = 200) -> HttpResponse:
    here, side = at.table, at.side
    match, versions = here.match, at.versions
    event, clock = match.stage.tournament, clock_line(match.stage.tournament, match.round)
    waiting = [each for each in here.reports if each.state in OPEN_REPORTS]
    counted = next((r for r in here.reports if r.state == ResultReport.State.CONFIRMED), None)
    level = level_text(match, counted.body if counted is not None else None)
    own = next((each for each in waiting if each.body.get("side") == side), None)
    asks = level is not None and level.waits
    fields = extra_fields(match, len(here.sides), here.empty) if asks else _fields(here)
    rows = _rows(request, here, fields, None if asks else own, refusal)
    context = {
        "table": here,
        "match": match,
        "event": event,
        "side": here.sides[side],
        "waiting": waiting,
        "own": own is not None,
        "counted": counted,
        "rows": rows,
        "left": [each.name for each in here.left],
        "takes_report": match.state not in CLOSED and not match.stage.is_on_site,
        "level": level,
        "is_disputed": any(report.state == ResultReport.State.DISPUTED for report in waiting),
        "photos": [each for each in photos_of(match) if each.side == side],
        "takes_photo": may_send(match),
        "key": request.POST.get("key") or uuid4().hex,  # kept after a refusal: a report counts once
        **_refused(refusal, fields),
        "channels": "" if refusal else ",".join(f"{name}@{n}" for name, n in versions.items()),  # what was typed stays
        "clocks": [clock] if clock else [],
        "announcements": announcements_of(event),
        "day": at.link.entry if at.link is not None else None,
        **_next(match, side),
    }
    if event.visibility == Tournament.Visibility.PRIVATE:
        context["live_token"] = live_token(list(versions))
    # No version for a refusal: what was typed is nobody's content to keep, and must never be a 304.
    shown = "" if refusal else f"{versions}.{match.state}.{len(here.reports)}.{side}"
    page = render_page(request, "tables/table.html", context, status=status, version=shown, zone=event.time_zone)
    return with_wait(page, refusal)


def _next(match: Match, side: int) -> dict[str, Any]:
    """Return what comes for a side of a bracket after its match: its next table, or for whom it waits."""
    stage = match.stage
    if match.state != M.CONFIRMED or stage.state != Stage.State.ACTIVE or not stage.format.is_bracket:
        return {}
    entry = next((seat.entry for seat in match.seats.all() if seat.side == side and seat.entry is not None), None)
    if entry is None:
        return {}
    drawn = Match.objects.filter(stage=stage, extra=0, seats__entry=entry).exclude(state__in=CLOSED)
    after = drawn.exclude(round__state=Round.State.DRAFT).select_related("stage__tournament").first()
    return {"next_table": after} if after is not None else {"prospect": prospect_of(stage, str(entry.uuid))}


def _rows(
    request: HttpRequest, here: Table, fields: ClaimFields, own: ResultReport | None, refusal: DomainError | None
) -> ClaimRows:
    """Return the boxes of the form with what was sent, else with the side's own report, so that it is put right."""
    given = request.POST.dict()
    if request.method != "POST" and own is not None:
        seats = sorted(here.match.seats.all(), key=lambda seat: seat.index)
        given = boxes_of(own.body, [seat.side for seat in seats], fields)
    return rows_of(fields, [each.marked for each in here.sides], given, wrong_boxes(refusal, fields))


def _fields(here: Table) -> ClaimFields:
    names = [side.name for side in here.sides]
    return fields_for(rules_of(here.match.stage), len(here.sides), here.empty, names)


def _report(request: HttpRequest, here: Table, actor: Actor) -> str:
    claim = read_claim(request.POST.dict(), _fields(here))
    report = submit_result(match=here.match, actor=actor, claim=claim, key=request.POST.get("key", ""))
    return _outcome_text(report, people=here.people_n)


def _outcome_text(report: ResultReport, *, people: int) -> str:
    """Return the sentence on a result that a phone sent. people: at the table."""
    if report.state == ResultReport.State.CONFIRMED:
        return _("Both sides reported the same result: it is confirmed.")
    if report.state != ResultReport.State.SUBMITTED:
        return _("The sides reported different results: the organiser decides.")
    if people > 1:
        return _("Your result is sent. Another side now confirms it on their phone.")
    return _("Your result is sent. A scorer confirms it, as nobody else at this table can.")


def _same(request: HttpRequest, here: Table, actor: Actor) -> str:
    accept_result(match=here.match, actor=actor, version=read_version(request.POST.dict()))
    return _("Confirmed. Thank you.")


def _different(request: HttpRequest, here: Table, actor: Actor) -> str:
    dispute_result(match=here.match, actor=actor)
    return _("The organiser will decide. Tell them what happened.")


def _extra(request: HttpRequest, here: Table, actor: Actor) -> str:
    claim = read_extra(request.POST.dict(), here.match, len(here.sides), here.empty)
    report = submit_extra(match=here.match, actor=actor, claim=claim, key=request.POST.get("key", ""))
    return _outcome_text(report, people=len(here.sides))


def _extra_same(request: HttpRequest, here: Table, actor: Actor) -> str:
    accept_extra(match=here.match, actor=actor, version=read_version(request.POST.dict()))
    return _("Confirmed. Thank you.")


def _photo(request: HttpRequest, here: Table, actor: Actor) -> str:
    sent = request.FILES.get("photo")
    if sent is None or actor.side is None:
        raise TournamentError(_("Choose or take a photo first."), code="photo.missing")
    by, network = viewer(request), network_of_reader(request)
    send_photo(match=here.match, side=actor.side, data=sent.read(), network=network, by=by)
    return _("The photo is sent. The organiser and your side see it, nobody else.")


VERBS: dict[str, Callable[[HttpRequest, Table, Actor], str]] = {
    "report": _report,
    "same": _same,
    "different": _different,
    "extra": _extra,
    "extra-same": _extra_same,
    "photo": _photo,
}


@require_POST
def table_do(request: HttpRequest, uuid: UUID, verb: str) -> HttpResponse:
    """Report, confirm, object or send a photo, as the side of the reader's slip; a refusal shows the form with it."""
    at = _table(request, uuid)
    if verb not in VERBS:
        raise Http404(verb)
    try:
        messages.success(request, VERBS[verb](request, at.table, Actor(side=at.side)))
    except TournamentError as refusal:
        if refusal.code != "report.draw_gone":
            # Read again: the refusal may be that the other side reported in between.
            at = replace(at, table=table_of(at.table.match))
            return _page(request, at, refusal=refusal, status=422)
        # The round was drawn again: this table is not there any more, nor is its form.
        return refused(request, refusal, back="/e/")
    return HttpResponseRedirect(here_of(uuid))


def here_of(uuid: UUID) -> str:
    """Return the address of a table."""
    return str(redirect("table", uuid)["Location"])
