"""Page on which an organiser changes the words of an event, and the button that makes another one like it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.blaming import blame
from core.errors import TournamentError
from tournaments.events.edit import edit_tournament
from tournaments.interchange.clone import clone_tournament
from tournaments.pages.events.details_form import DetailsForm
from tournaments.pages.events.event import load, render_event
from web.page import show_refusal, signed_in

BESIDE = {
    "tournament.name_invalid": "name",
    "tournament.bad_venue": "venue",
    "tournament.bad_starts_at": "starts_at",
    "tournament.bad_entries_close_at": "entries_close_at",
}
"""Fields by the code of the refusal that stands beside them."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def details_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show and change the words of the event; 404 for anyone who does not run it."""
    page = load(request, slug)
    if not page.is_organiser:
        raise Http404(slug)
    form = DetailsForm(request.POST or None, event=page.event)
    if request.method == "POST" and form.is_valid():
        try:
            changes = {name: form.cleaned_data[name] for name in form.fields}
            edit_tournament(tournament=page.event, by=signed_in(request), changes=changes)
            messages.success(request, _("Saved."))
            return redirect("tournament", slug)
        except TournamentError as refusal:
            blame(form, refusal, beside=BESIDE)
    answer = render_event(request, page, "details", {"form": form}, template="tournaments/details.html")
    answer.status_code = 422 if form.is_bound else answer.status_code
    return answer


@require_POST
@login_required
def another(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a draft of the same set-up and go where it gets its name and its day."""
    page = load(request, slug)
    if not page.is_organiser:
        raise Http404(slug)
    try:
        made = clone_tournament(tournament=page.event, by=signed_in(request))
    except TournamentError as refusal:
        show_refusal(request, refusal)
        return redirect("tournament", slug)
    messages.success(request, _("The draft is ready: the same settings, nobody entered. Set its time and place."))
    return redirect("tournament-details", made.slug)
