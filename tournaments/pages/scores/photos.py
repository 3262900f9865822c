"""Photos of slips: shown to the side that sent them and to the people who run the event, to nobody else."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from core.errors import TournamentError
from tournaments.lifecycle.transitions import RULERS
from tournaments.models import Match, SlipPhoto
from tournaments.pages.entries.guest_access import granted_side
from tournaments.scores.actions import Actor
from tournaments.scores.photos import remove_photo
from tournaments.scores.tables import organiser_roles
from web.page import show_refusal, viewer

HEADERS: Final = {
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Robots-Tag": "noindex",
    "Referrer-Policy": "no-referrer",
}
"""Headers of a picture, also for a reader who opens its address alone: it runs nothing, and no other site shows it."""


def _hand(request: HttpRequest, uuid: UUID, side: int) -> tuple[Match, Actor]:
    """Return the table and the actor that the reader is there, or 404 for readers whom it does not concern."""
    match = Match.objects.filter(uuid=uuid).select_related("stage__tournament").first()
    if match is None:
        raise Http404(str(uuid))
    person = viewer(request)
    roles = organiser_roles(match.stage.tournament, person)
    access = granted_side(request, str(uuid))
    is_own = access is not None and access[0] == side
    if not roles and not is_own:
        raise Http404(str(uuid))
    # An arbiter who also plays at this table acts as an arbiter; a scorer who plays acts as their side.
    decides = bool(roles & RULERS) or not is_own
    return match, Actor(user=person) if decides else Actor(side=side)


@require_safe
@never_cache
def photo(request: HttpRequest, uuid: UUID, side: int) -> HttpResponse:
    """Send the photo."""
    match, _by = _hand(request, uuid, side)
    # Side by side: a slip of one side opens no photo of the other.
    found = SlipPhoto.objects.filter(match=match, side=side).first()
    if found is None:
        raise Http404(str(uuid))
    name = f"slip-{match.table_no or 0}-{side + 1}.jpg"
    headers = {**HEADERS, "Content-Disposition": f'inline; filename="{name}"'}
    return HttpResponse(bytes(found.image), content_type="image/jpeg", headers=headers)


@require_POST
def photo_remove(request: HttpRequest, uuid: UUID, side: int) -> HttpResponse:
    """Delete the photo and go back to the page that showed it."""
    match, actor = _hand(request, uuid, side)
    try:
        remove_photo(match=match, side=side, actor=actor)
        messages.success(request, _("The photo is deleted."))
    except TournamentError as refusal:
        show_refusal(request, refusal)
    return HttpResponseRedirect(reverse("match-result" if actor.user is not None else "table", args=[uuid]))
