"""Undo of the last thing an organiser did: a line with a button wherever they work, and a page that shows it first."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.views import safe_next
from engine.errors import DomainError
from tournaments.pages.events.event import load, render_event
from tournaments.progress import undo
from web.page import signed_in
from web.refusals import refused

# 18 digits always fit a bigint.
MAX_ID_LENGTH = 18


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def undo_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what would be undone and what would follow; posted with the id that was seen, it is done.

    404 for a reader without a role there; 403, 409 with the reason where it cannot be done (any more).
    """
    page, person = load(request, slug), signed_in(request)
    if not page.may_score:
        raise Http404(slug)
    back = reverse("tournament-desk" if page.event.is_of_people else "tournament", args=[slug])
    try:
        if request.method == "POST":
            # seen: a second click, or a colleague's act in between, must not undo another act than the one shown.
            undone = undo.undo(tournament=page.event, by=person, seen=_seen(request))
            messages.success(request, _("Undone: “%(what)s”.") % {"what": undone.what})
            return HttpResponseRedirect(safe_next(request, back))
        shown = undo.preview(tournament=page.event, by=person)
    except DomainError as refusal:
        return refused(request, refusal, back=back)
    return render_event(request, page, "undo", {"shown": shown, "back": back}, template="desk/undo.html")


def _seen(request: HttpRequest) -> int:
    """Return the id of the act that the person saw; 0, which no act has, for what is no number."""
    wanted = request.POST.get("seen", "")
    return int(wanted) if wanted.isdecimal() and len(wanted) <= MAX_ID_LENGTH else 0
