"""Page where an organiser changes the clock of an event that has not started."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.blaming import blame
from core.errors import TournamentError
from tournaments.events.clocks import choose_clock, require_open
from tournaments.lifecycle.time_limits import clock_of, figures_of
from tournaments.lifecycle.visibility import EventPage
from tournaments.pages.events.clocks_form import ClockFields
from tournaments.pages.events.event import load
from web.page import render_page, signed_in
from web.refusals import refused


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def clock_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask which clock; 403 for anyone who does not organise it, 409 once the rounds are drawn."""
    page, person = load(request, slug), signed_in(request)
    form = ClockFields(request.POST or None, initial=_now(page))
    try:
        # Asked before the form is shown, too: nobody fills in what will be refused.
        require_open(page.event, page.stage, person)
        if request.method == "POST" and form.is_valid():
            chosen, figures = form.cleaned_data["clock"], form.figures()
            choose_clock(tournament=page.event, by=person, clock=chosen, figures=figures)
            messages.success(request, _("The clock is changed. It is fixed once the event starts."))
            return redirect("tournament", slug)
    except TournamentError as refusal:
        if not blame(form, refusal):
            return refused(request, refusal, back=reverse("tournament", args=[slug]))
    context = {"form": form, "page": page, "event": page.event, "stage": page.stage}
    return render_page(request, "tournaments/clock.html", context, status=422 if form.is_bound else 200)


def _now(page: EventPage) -> dict[str, object]:
    """Return the clock as it is; figures only of a custom one."""
    clock = clock_of(page.stage)
    return {"clock": clock.id, **(figures_of(clock) if clock.id == "custom" else {})}
