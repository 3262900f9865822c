"""Page on which an organiser changes an event as a whole: at once while nobody could enter, later after a preview."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from core.errors import TournamentError
from engine.record import canonical
from tournaments.events.set_up import UNSEEN, Outcome, change_plan, preview_plan
from tournaments.lifecycle.event_plan import EventPlan
from tournaments.lifecycle.visibility import EventPage
from tournaments.pages.events.audiences import ABOVE, BOTH
from tournaments.pages.events.create import BESIDE
from tournaments.pages.events.drawing import drawing_with_time
from tournaments.pages.events.event import load, render_event
from tournaments.pages.events.set_up_form import SetUpForm
from tournaments.pages.events.stage_acts import after_act, blame_stage
from tournaments.pages.events.stages_form import ACT
from web.page import signed_in
from web.refusals import refused

AGAIN: Final = ("csrfmiddlewaretoken", "seen", "again")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def set_up_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form, what a change comes to, or make it; 404 for anyone who does not run the event."""
    page = load(request, slug)
    if not page.is_organiser:
        raise Http404(slug)
    drawn: dict[str, Any] = {}
    try:
        wanted = request.GET.get("for", "")
        form = SetUpForm(request.POST or None, event=page.event, audience=BOTH if wanted == BOTH else "")
    except TournamentError as refusal:  # it is over
        return refused(request, refusal, back=reverse("tournament", args=[slug]))
    if request.method == "POST" and ACT in request.POST:
        form, drawn = _acted(request, page, form.audience)
    elif request.method == "POST" and "again" not in request.POST and form.is_valid():
        try:
            answer = _changed(request, page, form)
        except TournamentError as refusal:
            blame_stage(form, refusal, BESIDE | form.blamed)
        else:
            return answer
    if not form.is_bound and not drawn:
        drawn = _drawn(form.before, page)
    form.is_tuned = ACT in request.POST or not set(form.errors) <= ABOVE[form.audience]
    context = {"form": form, "is_previewed": page.event.state not in UNSEEN, **drawn, **form.card_forms}
    shown = render_event(request, page, "edit", context, template="tournaments/edit.html")
    shown.status_code = 422 if form.errors else shown.status_code
    return shown


def _acted(request: HttpRequest, page: EventPage, audience: str) -> tuple[SetUpForm, dict[str, Any]]:
    """Return the form after a button that saves nothing, and the drawing of its stages."""

    def make(data: QueryDict | None, typed: Mapping[str, Any] | None = None) -> SetUpForm:
        return SetUpForm(data, event=page.event, audience=audience, typed=typed)

    form, plan = after_act(make, request.POST, request.POST[ACT][:20])
    return form, _drawn(plan, page) if plan else {"drawing": None}


def _drawn(plan: EventPlan, page: EventPage) -> dict[str, Any]:
    entries = page.entered or plan.max_entries
    return {"drawing": drawing_with_time(plan, entries), "drawn_for": entries}


def _changed(request: HttpRequest, page: EventPage, form: SetUpForm) -> HttpResponse:
    """Make the change, or show it first where people may have entered. Raises TournamentError."""
    by, plan, version = signed_in(request), form.plan(), _version(request)
    if page.event.state not in UNSEEN:
        found = preview_plan(tournament=page.event, by=by, plan=plan, expected_version=version)
        # Others may have entered, or moved up, since it was shown: then it is shown once more.
        if found.differences and request.POST.get("seen", "") != digest(found):
            return _preview(request, page, found)
    done = change_plan(tournament=page.event, by=by, plan=plan, expected_version=version)
    if done.differences:
        messages.success(request, _("Saved."))
    else:
        messages.info(request, _("Nothing was changed."))
    return redirect("tournament", page.event.slug)


def _version(request: HttpRequest) -> int | None:
    seen = request.POST.get("row_version", "")
    return int(seen) if seen.isdecimal() and len(seen) < 10 else None


def _preview(request: HttpRequest, page: EventPage, found: Outcome) -> HttpResponse:
    sent = [(name, each) for name in request.POST if name not in AGAIN for each in request.POST.getlist(name)]
    context = {
        "differences": found.differences,
        "follows": list(what_follows(found)),
        "sent": sent,
        "seen": digest(found),
    }
    return render_event(request, page, "edit", context, template="tournaments/edit_preview.html")


def digest(found: Outcome) -> str:
    """Return a hash that names exactly this change and what follows from it."""
    lines = [[each.field, each.stage, each.before, each.after] for each in found.differences]
    return hashlib.sha256(canonical([found.moved_up, list(found.over), lines])).hexdigest()[:32]


def what_follows(found: Outcome) -> Iterator[str]:
    """Yield in sentences what a change of the set-up comes to besides itself."""
    if found.moved_up:
        yield ngettext(
            "%(n)d entry moves up from the waiting list.",
            "%(n)d entries move up from the waiting list.",
            found.moved_up,
        ) % {"n": found.moved_up}
    for each in found.differences:
        if each.field == "rounds" and each.stage in found.over:
            yield _("Round %(n)s is the last one: no round follows it.") % {"n": each.after}
        elif each.field == "rounds" and each.stage and each.before.isdecimal():
            yield _("Rounds that are drawn stay as they are; the others follow from the results.")
        elif each.field == "then":
            yield _("Stages that have begun stay as they are.")
        elif each.field == "visibility":
            yield _("The change of visibility applies at once, also to links that people have.")
        elif each.field == "entries_close_at":
            yield _("Entries open again until the new time if they have closed.")
