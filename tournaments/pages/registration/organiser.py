"""Pages of an organiser: the form of registration, who registered, and what is decided about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.blaming import blame
from accounts.models import User
from core.errors import TournamentError
from engine.errors import DomainError
from tournaments.lifecycle.transitions import ORGANISERS
from tournaments.lifecycle.visibility import EventPage
from tournaments.models import RegisteredTeam, Registration, Tournament
from tournaments.pages.events.event import render_event
from tournaments.pages.floor.announcements import drawn_code
from tournaments.pages.floor.dashboard import open_dashboard
from tournaments.pages.registration.forms import SetUpForm, asked_of, beside, question_forms
from tournaments.registration.decide import approve_registrations, note_payment, reject_registrations
from tournaments.registration.own import renew_link
from tournaments.registration.queries import RegistrationLine, answers_csv, chosen_of, registrations_of
from tournaments.registration.set_up import has_opened, questions_of, set_up_registration, settings_of
from tournaments.registration.status import Status
from tournaments.registration.teams import teams_by_registration
from web.page import show_refusal, signed_in
from web.refusals import status_of

MAX_RENEWED: Final = 50
"""Links that are renewed at once; each is a mail."""
Act = Callable[[Tournament, User, list[Registration], str], str]


def _open(request: HttpRequest, slug: str) -> EventPage:
    """Return the event for its organisers; 404 for everybody else, scorers too: addresses and answers are private."""
    page, found = open_dashboard(request, slug)
    if not found & ORGANISERS:
        raise Http404(slug)
    return page


def _not_stored(response: HttpResponse) -> HttpResponse:
    """Forbid caches to keep a page with addresses."""
    response["Cache-Control"] = "no-store"
    return response


@never_cache
@login_required
@require_safe
def list_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who registered, with their answers. `?show=pending`: those of one status."""
    page = _open(request, slug)
    found, wanted = registrations_of(page.event), request.GET.get("show", "")
    if wanted and wanted not in set(Status):
        raise Http404(wanted)
    counts = {status: sum(line.status is status for line in found.lines) for status in Status}
    address = request.build_absolute_uri(reverse("tournament-register", args=[slug]))
    chosen = settings_of(page.event)
    teams = teams_by_registration(page.event) if page.event.partners else {}
    context = {
        "lines": [_shown(line, found.questions, teams) for line in found.lines if wanted in ("", line.status)],
        "counts": [(status, _label(status), n) for status, n in counts.items() if n],
        "total": len(found.lines),
        "pending": counts[Status.PENDING],
        "unconfirmed": found.unconfirmed,
        "show": wanted,
        "chosen": chosen,
        "is_open": has_opened(chosen, page.event),
        "address": address,
        "code": drawn_code(address) if chosen.is_on else "",
    }
    return _not_stored(render_event(request, page, "registration", context, template="registration/list.html"))


def _label(status: Status) -> str:
    return {
        Status.UNCONFIRMED: _("not confirmed"),
        Status.PENDING: _("to be approved"),
        Status.ENTERED: _("entered"),
        Status.WAITING: _("on the waiting list"),
        Status.REFUSED: _("refused"),
        Status.WITHDRAWN: _("withdrawn"),
        Status.REMOVED: _("no longer entered"),
    }[status]


def _shown(line: RegistrationLine, questions: list[Any], teams: Mapping[int, RegisteredTeam]) -> dict[str, Any]:
    row = line.registration
    team = teams.get(row.pk)
    return {
        "row": row,
        "team": (team.name or team.captain.name) if team is not None else "",
        "status": str(line.status),
        "label": _label(line.status),
        "place": line.place,
        "is_open": line.is_open,
        "email": row.email or (row.user.mail_address if row.user is not None else ""),
        "answers": [(q, value) for q, value in zip(questions, line.answers, strict=True) if value],
    }


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def set_up_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show and change what people are asked; the number of places and the end are among the event's own settings."""
    page = _open(request, slug)
    chosen, status = settings_of(page.event), 200
    form = SetUpForm(request.POST or None, event=page.event, chosen=chosen)
    asked = question_forms(questions_of(page.event), request.POST or None)
    if request.method == "POST":
        status = 422
        if form.is_valid() & asked.is_valid():
            try:
                changes, by = dict(form.cleaned_data), signed_in(request)
                set_up_registration(tournament=page.event, by=by, changes=changes, questions=asked_of(asked))
                messages.success(request, _("Saved."))
                return redirect("registration-set-up", slug)
            except TournamentError as refusal:
                blame(form, refusal, beside=beside(refusal))
                status = status_of(refusal)
    context = {"form": form, "asked": asked, "chosen": chosen, "is_open": has_opened(chosen, page.event)}
    answer = render_event(request, page, "registration", context, template="registration/set_up.html")
    answer.status_code = status
    return answer


@never_cache
@login_required
@require_safe
def answers_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the list with all answers as a CSV file."""
    page = _open(request, slug)
    answer = HttpResponse(answers_csv(page.event), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{slug}-registrations.csv"'
    return _not_stored(answer)


def _approve(event: Tournament, by: User, wanted: list[Registration], reason: str) -> str:
    n = approve_registrations(tournament=event, by=by, wanted=wanted)
    return ngettext("%(n)d registration is approved.", "%(n)d registrations are approved.", n) % {"n": n}


def _refuse(event: Tournament, by: User, wanted: list[Registration], reason: str) -> str:
    n = reject_registrations(tournament=event, by=by, wanted=wanted, reason=reason)
    return ngettext("%(n)d registration is refused.", "%(n)d registrations are refused.", n) % {"n": n}


def _paid(event: Tournament, by: User, wanted: list[Registration], reason: str) -> str:
    n = note_payment(tournament=event, by=by, wanted=wanted, paid=True)
    return ngettext("%(n)d registration is marked as paid.", "%(n)d registrations are marked as paid.", n) % {"n": n}


def _unpaid(event: Tournament, by: User, wanted: list[Registration], reason: str) -> str:
    n = note_payment(tournament=event, by=by, wanted=wanted, paid=False)
    return ngettext("%(n)d registration is not paid.", "%(n)d registrations are not paid.", n) % {"n": n}


def _renew(event: Tournament, by: User, wanted: list[Registration], _reason: str) -> str:
    for each in wanted[:MAX_RENEWED]:
        renew_link(registration=each, by=by)
    n = min(len(wanted), MAX_RENEWED)
    message = ngettext(
        "%(n)d new link is on its way by mail; the old one opens nothing any more.",
        "%(n)d new links are on their way by mail; the old ones open nothing any more.",
        n,
    )
    return message % {"n": n}


VERBS: Final[dict[str, Act]] = {
    "approve": _approve,
    "refuse": _refuse,
    "paid": _paid,
    "unpaid": _unpaid,
    "renew": _renew,
}


@require_POST
@login_required
def list_do(request: HttpRequest, slug: str, verb: str) -> HttpResponse:
    """Do it to the registrations that are marked, and go back."""
    # Whether this person may is for the service to say, with a reason; registrations are looked for in this event.
    page, found = open_dashboard(request, slug)
    if verb not in VERBS:
        raise Http404(verb)
    back = redirect("registrations", slug)
    try:
        # Who may not see the list learns nothing from which of the ids are known.
        chosen = chosen_of(page.event, _uuids(request)) if found & ORGANISERS else []
        if found & ORGANISERS and not chosen:
            raise TournamentError(_("Mark at least one registration first."), code="registration.none_marked")
        message = VERBS[verb](page.event, signed_in(request), chosen, request.POST.get("reason", ""))
        messages.success(request, message)
    except DomainError as refusal:
        show_refusal(request, refusal)
    return back


def _uuids(request: HttpRequest) -> list[str]:
    """Return the ids that were marked; what is none is passed over."""
    found = []
    for text in request.POST.getlist("who"):
        try:
            found.append(str(UUID(text)))
        except ValueError:
            continue
    return found
