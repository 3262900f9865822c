"""Page on which an event's time zone is chosen."""

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from accounts.blaming import blame
from accounts.forms import ZoneField
from core.errors import TournamentError
from tournaments.events.time_zones import choose_zone
from tournaments.pages.events.event import load, render_event
from web.page import signed_in


class EventZoneForm(forms.Form):
    """Form of one field: the zone."""

    time_zone = ZoneField(label=gettext_lazy("Time zone"), help_text=gettext_lazy("For example Europe/Paris."))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def zone_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose in which zone the event's times are shown."""
    page = load(request, slug)
    if not page.is_organiser:
        raise Http404(slug)
    form = EventZoneForm(request.POST or None, initial={"time_zone": page.event.time_zone})
    if request.method == "POST" and form.is_valid():
        try:
            choose_zone(tournament=page.event, by=signed_in(request), zone=form.cleaned_data["time_zone"])
            messages.success(request, _("Times are shown in %(zone)s.") % {"zone": form.cleaned_data["time_zone"]})
            return redirect("tournament", slug)
        except TournamentError as refusal:
            blame(form, refusal)
    answer = render_event(request, page, "zone", {"form": form}, template="tournaments/zone.html")
    answer.status_code = 422 if form.is_bound else answer.status_code
    return answer
