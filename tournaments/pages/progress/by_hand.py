"""Pages on which a round is paired by hand, before or after it is published: a select box for everybody.

Each change is checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.alphabet import name_key
from accounts.phrasing import listed
from core.errors import TournamentError
from engine.errors import DomainError
from tournaments.lifecycle.transitions import ORGANISERS
from tournaments.pages.events.event import render_event
from tournaments.pages.floor.dashboard import open_dashboard
from tournaments.progress.by_hand import BYE, HandDraw, preview_by_hand, publish_by_hand
from tournaments.progress.reseating import Reseating, preview_reseating, publish_reseating, tables_to_print
from web.page import show_refusal, signed_in
from web.refusals import refused, status_of

PREFIX: Final = "t_"
MORE: Final = 2
"""Free tables that the boxes offer beyond those in use."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def by_hand_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the round as it would be drawn, check what was moved, or publish it."""
    page, found = open_dashboard(request, slug)
    if not found & ORGANISERS:
        raise Http404(slug)
    stage, by = page.stage, signed_in(request)
    back = reverse("tournament-desk", args=[slug])
    seating = _sent(request.POST.dict()) if request.method == "POST" else None
    status = 200
    if seating is not None and request.POST.get("verb") == "publish":
        try:
            row = publish_by_hand(stage=stage, by=by, seating=seating, seen=request.POST.get("seen", "")[:40])
        except TournamentError as refusal:
            # What was moved stays on the page: only the refusal is added.
            show_refusal(request, refusal)
            status = status_of(refusal)
        else:
            messages.success(request, _("Round %(n)s is published as you paired it.") % {"n": row.number})
            return HttpResponseRedirect(f"{back}?stage={stage.order}")
    try:
        hand = preview_by_hand(stage=stage, by=by, seating=seating)
    except DomainError as refusal:
        return refused(request, refusal, back=back)
    answer = render_event(request, page, "by_hand", _context(hand), template="desk/by_hand.html")
    answer.status_code = status
    return answer


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def reseat_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a published round, check who was moved, or move them."""
    page, found = open_dashboard(request, slug)
    rows = page.stage.rounds.select_related("stage__tournament", "stage__ruleset")
    row = rows.filter(number=number).first()
    if row is None or not found & ORGANISERS:
        raise Http404(str(number))
    by, back = signed_in(request), f"{reverse('tournament-desk', args=[slug])}?stage={page.stage.order}"
    seating = _sent(request.POST.dict()) if request.method == "POST" else None
    status = 200
    if seating is not None and request.POST.get("verb") == "publish":
        try:
            done = publish_reseating(round_row=row, by=by, seating=seating, seen=request.POST.get("seen", "")[:40])
        except TournamentError as refusal:
            show_refusal(request, refusal)
            status = status_of(refusal)
        else:
            messages.success(request, _moved(done))
            return HttpResponseRedirect(f"{back}&round={number}")
    try:
        hand = preview_reseating(round_row=row, by=by, seating=seating)
    except DomainError as refusal:
        return refused(request, refusal, back=back)
    context = {**_context(hand), "fixed": hand.fixed, "is_published": True}
    answer = render_event(request, page, "by_hand", context, template="desk/by_hand.html")
    answer.status_code = status
    return answer


def _moved(done: Reseating) -> str:
    """Return what was done, with the slips to print again."""
    if not done.touched:
        return _("Nobody was moved.")
    arranged = _("The round is as you arranged it.")
    if not (tables := tables_to_print(done)):
        return arranged
    message = _("Print the slips of table %(tables)s again: the old ones no longer work.")
    return f"{arranged} {message % {'tables': listed(tables)}}"


def _sent(sent: Mapping[str, str]) -> dict[str, int]:
    """Return the tables that were sent; what is no number is a table that no hall has."""
    found = {name.removeprefix(PREFIX): text for name, text in sent.items() if name.startswith(PREFIX)}
    return {entry: int(text) if text.isdecimal() and len(text) < 6 else -1 for entry, text in found.items()}


def _context(hand: HandDraw) -> dict[str, Any]:
    numbers = sorted({pod.table for pod in hand.drawn.pods} | {table for table in hand.seating.values() if table > BYE})
    last = numbers[-1] if numbers else 0
    known = {entry: table for entry, table in hand.seating.items() if entry in hand.names}
    # Everybody who plays is listed, also somebody whose box was not sent: without a table, which is an error.
    playing = [entry for pod in hand.drawn.pods for entry in pod.seats] + list(hand.drawn.byes)
    rows = sorted((known.get(entry, -1), name_key(hand.names[entry]), entry) for entry in playing)
    parts: dict[int, list[tuple[str, str]]] = {number: [] for number in numbers}
    for table, _key, entry in rows:
        parts.setdefault(table, []).append((entry, hand.names[entry]))
    return {
        "hand": hand,
        "parts": sorted(((table, people) for table, people in parts.items()), key=lambda each: (each[0] < 1, each[0])),
        "choices": [*numbers, *range(last + 1, last + 1 + MORE)],
    }
