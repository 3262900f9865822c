"""Page of a new tournament."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.blaming import blame
from core.errors import TournamentError
from engine.game import game_of
from engine.games import PRESETS
from tournaments.events.create import create_tournament
from tournaments.pages.events.create_form import OPTION, EventForm
from tournaments.pages.events.templates import choices, initial_of
from web.page import render_page, signed_in
from web.refusals import with_wait

USUAL_SEATS = 4
BESIDE = {
    "tournament.name_invalid": "name",
    "tournament.name_taken": "name",
    "tournament.bad_seating": "seats",
    "tournament.bad_venue": "venue",
    "then": "template",
    "ways": "go_on",
    "progression.start": "template",
}
"""Field of the form by a refusal's code, or by the name in a plan."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tournament_new(request: HttpRequest) -> HttpResponse:
    """Show the form; what is sent becomes a draft that only its organiser sees."""
    asked = (request.GET.get(name, "")[:5] for name in ("people", "tables", "minutes"))
    initial, sentence = initial_of(request.GET.get("template", "")[:20], *asked)
    form, refused = EventForm(request.POST or None, initial={**_initial(request), **initial}), None
    if request.method == "POST" and form.is_valid():
        try:
            event = create_tournament(by=signed_in(request), plan=form.plan())
        except TournamentError as refusal:
            refused = refusal
            blame(form, refusal, beside=BESIDE, option=OPTION)
        else:
            messages.success(request, _("The draft is ready. Only you see it until you announce it."))
            return redirect("tournament", event.slug)
    shown = {"form": form, "templates": choices(), "chosen": request.GET.get("template", ""), "sentence": sentence}
    page = render_page(request, "tournaments/new.html", shown, status=422 if form.is_bound else 200)
    return with_wait(page, refused)


def _initial(request: HttpRequest) -> dict[str, object]:
    preset = request.GET.get("preset", "")
    seats = request.GET.get("seats", "")
    preset = preset if preset in PRESETS else "hawaii"
    wanted = int(seats) if seats in {"2", "3", "4", "5", "6", "7"} else USUAL_SEATS
    low, high = game_of(PRESETS[preset].game).seat_range
    # The zone of the reader's pages, which is the best guess for where they hold events.
    zone = str(getattr(timezone.get_current_timezone(), "key", "UTC"))
    return {"preset": preset, "seats": min(max(wanted, low), high), "time_zone": zone}
