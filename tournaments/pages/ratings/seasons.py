"""Seasons of the official ladders of a preset: month by month, with their medals."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from engine.games import PRESETS
from tournaments.ratings.ladders import seasons
from tournaments.ratings.ladders.medals import MIN_DEAL_SETS
from web.page import render_page
from web.paging import page_of

BATCH_SIZE: Final = 24


@require_safe
def ladder_seasons(request: HttpRequest, preset: str) -> HttpResponse:
    """Show the seasons of a preset's ladders, the newest first."""
    if preset not in PRESETS:
        raise Http404(preset)
    page = page_of(request, seasons.seasons_of(preset), size=BATCH_SIZE)
    context = {"preset": PRESETS[preset], "page": page, "now": timezone.now(), "fewest": MIN_DEAL_SETS}
    return render_page(request, "pages/ladder_seasons.html", context)
