"""Results from paper, a round at once: the file to fill in, what a filled one would enter, and entering it."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from core.errors import TournamentError
from core.interchange.tables import MAX_BYTES, decoded
from tournaments.floor.result_sheets import blank_sheet, enter_sheet, read_sheet
from tournaments.lifecycle.visibility import EventPage
from tournaments.models import Round
from tournaments.pages.events.event import render_event
from tournaments.pages.floor.dashboard import open_dashboard
from tournaments.pages.interchange.exports import translated
from web.page import signed_in
from web.refusals import status_of
from web.sending import send_file

CSV: Final = "text/csv; charset=utf-8"


def _open(request: HttpRequest, slug: str, number: int) -> tuple[EventPage, Round]:
    page, _found = open_dashboard(request, slug)
    rows = page.stage.rounds.select_related("stage__tournament", "stage__ruleset")
    row = rows.filter(number=number).first()
    if row is None:
        raise Http404(str(number))
    return page, row


@require_safe
@login_required
def sheet_file(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Send the round as a CSV file to fill in."""
    page, row = _open(request, slug, number)
    name = f"{page.event.slug}-{page.stage.order}-{number}.csv"
    return send_file(blank_sheet(row, by=signed_in(request)), CSV, name, known=request.headers.get("If-None-Match"))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def sheet_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Read the filled file, show it, enter it; a line that cannot be entered is named, and then nothing is entered."""
    page, row = _open(request, slug, number)
    if request.method != "POST":
        return _page(request, page, {"round": row})
    # One more than allowed: the reader of the file then refuses it as too large, and nothing is cut in silence.
    text = request.POST.get("list", "")[: MAX_BYTES + 1]
    try:
        sent: Any = request.FILES.get("file")
        text = decoded(sent.read(MAX_BYTES + 1)) if sent is not None else text
        if request.POST.get("verb") == "enter":
            return _entered(request, page, row, text)
        sheet = read_sheet(round_row=row, by=signed_in(request), data=text.encode())
    except TournamentError as error:
        context = {"round": row, "refusal": translated(error), "refusal_at": "sheet-list", "text": text}
        return _page(request, page, context, status=status_of(error))
    return _page(request, page, {"round": row, "sheet": sheet, "text": text})


def _entered(request: HttpRequest, page: EventPage, row: Round, text: str) -> HttpResponse:
    # What the organiser looked at: if results came in since, nothing is overwritten.
    seen = request.POST.get("seen", "")
    n = enter_sheet(round_row=row, by=signed_in(request), data=text.encode(), seen=seen)
    messages.success(
        request,
        ngettext("The result of %(n)d table is entered.", "The results of %(n)d tables are entered.", n) % {"n": n},
    )
    where = reverse("tournament-desk", args=[page.event.slug])
    return HttpResponseRedirect(f"{where}?stage={page.stage.order}&round={row.number}")


def _page(request: HttpRequest, page: EventPage, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    answer = render_event(request, page, "results", context, template="desk/results.html")
    answer.status_code = status
    return answer
