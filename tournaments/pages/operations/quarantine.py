"""Acts of an organiser on a held match: let it be played again, or cancel it with a reason."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.views import safe_next
from bots.selectors.faults import attempts_of
from core.errors import TournamentError
from tournaments.models import Match
from tournaments.operations.quarantine import require_void, retry_match, void_match
from tournaments.pages.matches.matches import load, players_of
from web.page import render_page, signed_in
from web.refusals import refused

# The second click, or a colleague's: what was wanted is done, so it is told and not refused.
DONE_BEFORE = ("match.already_queued", "match.already_void")


@require_POST
@login_required
def match_do(request: HttpRequest, uuid: UUID, verb: str) -> HttpResponse:
    """Retry or void, once: a second click says that it is done. 403: not an organiser; 409: not held (any more)."""
    page, here = load(request, uuid), reverse("match", args=[uuid])
    try:
        messages.success(request, _act(request, page.match, signed_in(request), verb))
    except TournamentError as refusal:
        if refusal.code not in DONE_BEFORE:
            return refused(request, refusal, back=here)
        messages.info(request, str(refusal))
    return HttpResponseRedirect(safe_next(request, here))


def _act(request: HttpRequest, match: Match, by: User, verb: str) -> str:
    if verb == "retry":
        retry_match(match=match, by=by)
        return _("The match is back in the queue, in its old position.")
    if verb == "void":
        void_match(match=match, by=by, reason=request.POST.get("reason", ""))
        return _("The match is cancelled and counts for nobody.")
    raise Http404(verb)


@require_safe
@login_required
def void_page(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Say what follows and ask for the reason, before a match is cancelled."""
    page, person = load(request, uuid), signed_in(request)
    try:
        require_void(page.match, person)
    except TournamentError as refusal:
        return refused(request, refusal, back=reverse("match", args=[uuid]))
    context = {"match": page.match, "event": page.match.stage.tournament, "players": players_of(page)}
    others = [leg for leg in page.siblings if leg.state != Match.State.VOID]
    context |= {"others": others, "attempts": attempts_of(page.match, person)}
    zone = page.match.stage.tournament.time_zone
    return render_page(request, "matches/void.html", context, zone=zone)
