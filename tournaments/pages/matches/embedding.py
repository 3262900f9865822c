"""Replays in frames: of other sites, the same for everybody and without cookies; of the home page, the newest match."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import activate
from django.views.decorators.clickjacking import xframe_options_exempt, xframe_options_sameorigin
from django.views.decorators.http import require_safe

from core.replay.document import read
from core.replay.moments import middle_of, newest_played
from tournaments.matches import highlights, schedule
from tournaments.matches.queries import match_page, served_document
from tournaments.models import Match
from tournaments.pages.matches.matches import LANGUAGES, players_of, record_address, replay_context, result_at


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"]})  # type: ignore[arg-type]  # its type knows only views without arguments
def embed(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Show the viewer alone. `?lang=ja`: its language; `?text`: the table as text unfolded; `?d=3&m=17&s=2` as on the
    page.

    The reader is always a stranger: what strangers may not see is 404 here for its owners as well.
    """
    language = request.GET.get("lang", "")
    choices = {"lang": language} if language in LANGUAGES else {}
    if choices:
        activate(language)  # as the language middleware did; it says so in the answer and asks again next time
    choices |= {"text": "1"} if "text" in request.GET else {}
    try:
        # None, not the reader: a foreign page around the frame must not show what only the reader may see.
        page = match_page(uuid, None)
    except Match.DoesNotExist as missing:
        raise Http404(str(uuid)) from missing
    document = served_document(page)
    context: dict[str, Any] = {
        "page": page,
        "match": page.match,
        "event": page.match.stage.tournament,
        "players": players_of(page),
    }
    context |= {"framed": True, "text_open": "text" in choices, "language": language if language in LANGUAGES else ""}
    if document is not None:
        context |= replay_context(request, document, choices=choices)
        context |= result_at(page.match.stage, context["replay"])
        context["record_url"] = record_address(page, document)
    response = render(request, "matches/embed.html", context)
    # Not private: it names nobody.
    response["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ["X-Fragment"])  # as every page: live.js asks so, and keeps what it gets apart
    return response


@require_safe
@xframe_options_sameorigin
@csp_replace({"frame-ancestors": ["'self'"]})
def newest(request: HttpRequest) -> HttpResponse:
    """Play the newest match that everybody may see from the middle of a deal on, then the one that is newest by then.

    Readers who do not want motion, or have no script, are not shown this frame. 404 before the first match is over.
    """
    found = highlights.newest_of(schedule.fresh_replays())
    # None: strangers see it, and it says nothing of the reader.
    page = match_page(found.match.uuid, None) if found is not None else None
    document = served_document(page) if page is not None else None
    if page is None or document is None or not document["record"]["deals"]:
        raise Http404("no match is over")
    replay = read(document)
    # As the still in whose place it is shown.
    start = middle_of(replay, newest_played(replay))
    context = replay_context(request, document, start=start)
    context |= {"match": page.match, "event": page.match.stage.tournament, "players": players_of(page), "framed": True}
    last = len(replay.deals[start.deal - 1].moves)
    context |= {"until": f"{start.deal}.{last}", "next": reverse("match-newest")}
    context["record_url"] = record_address(page, document)
    response = render(request, "matches/newest.html", context)
    response["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ["X-Fragment"])  # as above
    return response
