"""Import of a FIDE report: send it, see what it would make and what is left out, add what it cannot say, make it."""

from __future__ import annotations

import base64
import binascii
from typing import Any, Final

import zstandard
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.errors import TournamentError
from core.formats import format_of
from core.interchange.documents.read import unpacked
from core.interchange.errors import refusal
from tournaments.interchange.imports.trf_actions import (
    KINDS,
    MAX_BYTES,
    CheckedReport,
    Wanted,
    import_report,
    planned_bounds,
    presets,
    validate_report,
)
from tournaments.lifecycle.values import bad_number
from tournaments.pages.interchange.exports import translated
from web.page import render_page, signed_in
from web.presets import preset_title
from web.refusals import with_wait

FIELDS: Final = ("name", "preset", "kind", "rounds")
SHOWN: Final = 100
"""Remarks that are shown; the page says how many more there are."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_report_page(request: HttpRequest) -> HttpResponse:
    """Show the form; a report that was sent is read and shown; "make it" sends it again and makes the event."""
    if request.method != "POST":
        return _page(request, {})
    context: dict[str, Any] = {}
    try:
        data = _sent(request)
        checked = validate_report(by=signed_in(request), data=data)
        context = _shown(request, checked, data)
        if "packed" not in request.POST:
            return _page(request, context)
        event = import_report(by=signed_in(request), checked=checked, wanted=_wanted(request, checked))
    except TournamentError as error:
        where = error.extra.get("where", "")
        at = "name" if error.code == "tournament.name_invalid" else str(error.extra.get("field", ""))
        # A report that could not be read has no fields yet: then the file is to blame.
        at = (at if at in FIELDS else "") if "checked" in context else "file"
        shown = {"refusal": translated(error), "refusal_at": at, "code": error.code, "where": where}
        return with_wait(_page(request, context | shown, status=422), error)
    messages.success(request, _("The event is imported. Only people with its address can find it."))
    return redirect("tournament", event.slug)


def _page(request: HttpRequest, context: dict[str, Any], *, status: int = 200) -> HttpResponse:
    return render_page(request, "tournaments/import_report.html", {"most": MAX_BYTES, **context}, status=status)


def _sent(request: HttpRequest) -> bytes:
    """Return the report: as a file, or as the page held it. It is read again: a page is no proof."""
    if "packed" in request.POST:
        try:
            # Bounded while it is unpacked: a few bytes of zstd may stand for gigabytes.
            return unpacked(base64.b64decode(request.POST["packed"], validate=True), MAX_BYTES)
        except (binascii.Error, ValueError) as wrong:
            raise refusal("event.packed", "The page was not sent completely. Send the file again.", where="") from wrong
    sent: Any = request.FILES.get("file")
    data: bytes = sent.read(MAX_BYTES + 1) if sent is not None else b""
    if not data:
        raise refusal("event.no_file", "Choose the file of an event first.", where="")
    return data


def _shown(request: HttpRequest, checked: CheckedReport, data: bytes) -> dict[str, Any]:
    """Return what the page shows of a report, with what was filled in so far."""
    asked = request.POST if "packed" in request.POST else {}
    left = _numbers(request) if asked else list(checked.absent)
    names = {player.number: player.name for player in checked.event.players}
    remarks = checked.reading.remarks
    return {
        "checked": checked,
        "remarks": [(remark.line, _(remark.text) % remark.shown, remark.code) for remark in remarks[:SHOWN]],
        "more": max(0, len(remarks) - SHOWN),
        "packed": base64.b64encode(zstandard.ZstdCompressor(level=12).compress(data)).decode(),
        "name": asked.get("name", checked.event.name),
        "rounds": asked.get("rounds", checked.rounds),
        "bounds": planned_bounds(checked),
        "presets": [(name, preset_title(name), name == asked.get("preset", "hawaii")) for name in presets()],
        "kinds": [(kind, gettext(format_of(kind).label), kind == asked.get("kind", checked.kind)) for kind in KINDS],
        "absent": [(number, names[number], number in left) for number in checked.absent],
        "sign": bool(asked.get("sign")) if asked else checked.is_over,
        "is_round_robin": checked.event.is_round_robin,
    }


def _wanted(request: HttpRequest, checked: CheckedReport) -> Wanted:
    rounds = request.POST.get("rounds", "").strip()
    if rounds and not (rounds.isascii() and rounds.isdecimal() and len(rounds) < 6):
        raise bad_number("rounds", rounds, *planned_bounds(checked))
    return Wanted(
        preset=request.POST.get("preset", ""),
        kind=request.POST.get("kind", ""),
        name=request.POST.get("name", ""),
        rounds=int(rounds) if rounds else checked.rounds,
        left=_numbers(request),
        sign=bool(request.POST.get("sign")),
    )


def _numbers(request: HttpRequest) -> list[int]:
    """Return the numbers of the players who have left."""
    # No report has more players who left; a form may hold a million.
    sent = request.POST.getlist("left")[:1000]
    return [int(text) for text in sent if text.isascii() and text.isdecimal() and len(text) < 6]
