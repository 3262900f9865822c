"""Units given and taken by hand: everything so far, a form for more, and a preview of what would follow."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods

from accounts.models import User
from core.errors import TournamentError
from tournaments.lifecycle.visibility import EventPage
from tournaments.models import Adjustment, Entry, Stage
from tournaments.pages.events.event import load, may_adjust, render_event
from tournaments.pages.notifications.following import lines_of
from tournaments.progress.corrections import adjustments
from tournaments.progress.corrections.adjustments import Adjusting
from tournaments.progress.corrections.cascade import KEEP, REDO
from tournaments.standings.explanations import given_in
from tournaments.standings.queries import rows_of
from web.page import signed_in
from web.refusals import status_of

FIELDS: Final = ("entry", "units", "round", "reason", "adjustment", "then", "counts_in")
FIELD_OF_CODE: Final = {
    "adjust.bad_units": "adjust-units",
    "adjust.no_round": "adjust-round",
    "adjust.not_in_stage": "adjust-entry",
    "adjust.no_decider": "adjust-counts",
}
MAX_LENGTH: Final = 400
MAX_ID_LENGTH: Final = 18


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def adjust_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form (`?stage=&entry=`). Posted with `verb` "preview" it shows what would follow; "do" with its hash
    does it.

    With `adjustment` (an id) it is about revoking that one. 404 for others than arbiters and organisers; 409, 422 with
    the reason.
    """
    wanted = request.POST if request.method == "POST" else request.GET
    page, person = load(request, slug, stage=wanted.get("stage", "")[:3]), signed_in(request)
    if not may_adjust(page):
        raise Http404(slug)
    sent = {name: wanted.get(name, "")[:MAX_LENGTH] for name in FIELDS}
    if request.method != "POST":
        return _page(request, page, {"sent": sent})
    try:
        if request.POST.get("verb") == "do":
            return _done(request, page, person, sent)
        shown = _previewed(page.stage, person, sent)
    except TournamentError as refusal:
        context: dict[str, Any] = {"sent": sent, "refusal": refusal, "refusal_at": _field_of(refusal, sent)}
        # Something changed since the preview: the refusal comes with what would follow now, to be confirmed again.
        if refusal.code == "adjust.moved":
            context |= _shown(_previewed(page.stage, person, sent))
        return _page(request, page, context, status=status_of(refusal))
    return _page(request, page, {"sent": sent, **_shown(shown)})


def _field_of(refusal: TournamentError, sent: dict[str, str]) -> str:
    """Return the id of the field that a refusal is about; "" for none."""
    if refusal.code.startswith("report.reason_"):
        return f"revoke-{sent['adjustment']}" if sent["adjustment"] else "adjust-reason"
    return FIELD_OF_CODE.get(refusal.code, "")


def _previewed(stage: Stage, by: User, sent: dict[str, str]) -> Adjusting:
    then = sent["then"] or KEEP
    if sent["adjustment"]:
        row = _row(stage, sent["adjustment"])
        return adjustments.preview_revocation(adjustment=row, by=by, reason=sent["reason"], then=then)
    return adjustments.preview_adjustment(stage=stage, by=by, then=then, **_given(stage, sent))


def _done(request: HttpRequest, page: EventPage, by: User, sent: dict[str, str]) -> HttpResponse:
    # seen: the hash of the preview. What was not looked at is not done.
    then, seen = sent["then"] or KEEP, request.POST.get("seen", "")[:40]
    if sent["adjustment"]:
        row = _row(page.stage, sent["adjustment"])
        adjustments.revoke(adjustment=row, by=by, reason=sent["reason"], seen=seen, then=then)
        messages.success(request, _("Revoked: it no longer counts."))
    else:
        row = adjustments.adjust(stage=page.stage, by=by, seen=seen, then=then, **_given(page.stage, sent))
        name = row.stage_entry.entry.player.name
        messages.success(request, _("It counts for %(name)s, and everybody can read the reason.") % {"name": name})
    return HttpResponseRedirect(f"{reverse('tournament-adjust', args=[page.event.slug])}?stage={page.stage.order}")


def _given(stage: Stage, sent: dict[str, str]) -> dict[str, Any]:
    number = sent["round"]
    return {
        "entry": _entry(stage, sent["entry"]),
        "units": sent["units"],
        "reason": sent["reason"],
        "round_number": int(number) if number.isdecimal() and len(number) <= 3 else None,
        "counts_in": sent["counts_in"],
    }


def _entry(stage: Stage, wanted: str) -> Entry:
    rows = Entry.objects.filter(stage_entries__stage=stage).select_related("player", "tournament")
    found = next((row for row in rows if str(row.uuid) == wanted), None)
    if found is None:
        message = _("Choose who receives or loses points.")
        raise TournamentError(message, code="adjust.not_in_stage")
    return found


def _row(stage: Stage, wanted: str) -> Adjustment:
    number = int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) <= MAX_ID_LENGTH else 0
    rows = Adjustment.objects.select_related("stage_entry__stage__tournament", "stage_entry__entry__player")
    # Of this stage only: an id of another event is a 404.
    found = rows.filter(pk=number, stage_entry__stage=stage).first()
    if found is None:
        raise Http404(wanted)
    return found


def _shown(found: Adjusting) -> dict[str, Any]:
    moves = [(row.name, row.before or ("–", ""), row.after or ("–", "")) for row in found.moves]
    several = len({row.stage for row in found.others}) > 1 or found.stage.order > 1
    return {
        "shown": found,
        "moves": moves,
        "follows": lines_of(found.others, several=several),
        "instead": KEEP if found.then == REDO else REDO if _may_redo(found) else "",
    }


def _may_redo(found: Adjusting) -> bool:
    """Return whether there is a choice: people play, and a later round is drawn already."""
    return found.stage.tournament.is_of_people and found.stage.rounds.count() > 1


def _page(request: HttpRequest, page: EventPage, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    listed = [row.entry for row in rows_of(page.stage)]
    rounds = list(page.stage.rounds.order_by("number").values_list("number", flat=True))
    shared = {"entries": listed, "rounds": rounds, "newest": rounds[-1] if rounds else 0, "unit": unit_of(page.stage)}
    shared |= {"given": given_in(page.stage), "has_decider": adjustments.DECIDER in page.stage.tie_breaks}
    answer = render_event(request, page, "adjust", {**shared, **context}, template="desk/adjust.html")
    answer.status_code = status
    return answer


def unit_of(stage: Stage) -> str:
    """Return in words what is given and taken in a stage: the figure that ranks it first."""
    if stage.format.ranks_by_rating:
        return pgettext("given or taken", "points of rating")
    scoring = Stage.Scoring(stage.scoring)
    words = {
        Stage.Scoring.CUMULATIVE: pgettext("given or taken", "points"),
        Stage.Scoring.ROUND_VICTORY: pgettext("given or taken", "victories"),
        Stage.Scoring.PLACE: pgettext("given or taken", "shares of places"),
    }
    return words[scoring]
