"""The operators' page of rated tables at which seats look like one person. For everybody else there is none."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tables.view.alike import newest_alike
from tournaments.pages.operations.dashboard import operator
from web.page import render_page

SHOWN: Final = 50


@require_safe
def alike_page(request: HttpRequest) -> HttpResponse:
    """Show what is alike at the newest rated tables."""
    operator(request)
    return render_page(request, "play/alike.html", {"rows": newest_alike(SHOWN), "most": SHOWN})
