"""Acts of the dashboard that people hear of: the clock of the round, announcements, two people who change seats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import segno
from django.http import Http404, HttpRequest
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.phrasing import listed
from core.errors import TournamentError
from tournaments.floor import announcements
from tournaments.models import Round, Tournament
from tournaments.progress import round_clock
from tournaments.progress.draws import swaps

Act = Callable[[HttpRequest, Tournament, User], str]


def drawn_code(address: str) -> SafeString:
    """Return a code to scan, drawn into the page: no service is asked, and nothing needs a connection."""
    drawing = segno.make(address, error="m", micro=False).svg_inline(scale=3, omitsize=True)
    return mark_safe(drawing)  # noqa: S308  # drawn by the library from our own address


def number(request: HttpRequest, name: str) -> int | None:
    """Return a whole number of a form; None if it is empty. 404 for what no form of ours sends."""
    text = request.POST.get(name, "").strip()
    if not text:
        return None
    if not text.isdecimal() or len(text) > 6:
        raise Http404(name)
    return int(text)


def round_of(request: HttpRequest, event: Tournament) -> Round:
    """Return the round that a form names: its number, and its stage where the event has several (else the newest
    stage).
    """
    wanted, order = number(request, "round"), number(request, "stage")
    rows = Round.objects.filter(stage__tournament=event, number=wanted or 0).select_related("stage__tournament")
    rows = rows.filter(stage__order=order) if order is not None else rows
    row = rows.order_by("-stage__order").first()
    if row is None:
        message = _("This round no longer exists. Reload the page.")
        raise TournamentError(message, code="round.gone")
    return row


def _minutes(request: HttpRequest, event: Tournament, by: User) -> str:
    wanted = number(request, "minutes")
    round_clock.choose_minutes(tournament=event, by=by, minutes=wanted)
    if not wanted:
        return _("Rounds have no clock from now on.")
    return _("From the next call on, rounds take %(n)s minutes.") % {"n": wanted}


def _stop(request: HttpRequest, event: Tournament, by: User) -> str:
    round_clock.stop_clock(round_row=round_of(request, event), by=by)
    return _("The clock is stopped.")


def _go_on(request: HttpRequest, event: Tournament, by: User) -> str:
    round_clock.go_on(round_row=round_of(request, event), by=by)
    return _("The clock is running again.")


def _add(request: HttpRequest, event: Tournament, by: User) -> str:
    # seen: the length that the organiser saw. A second click, or a colleague's, does not add the minutes again.
    more, seen = number(request, "minutes") or 0, number(request, "seen") or 0
    round_clock.add_minutes(round_row=round_of(request, event), by=by, minutes=more, seen=seen)
    return _("The round is %(n)s minutes longer.") % {"n": more}


def _time(request: HttpRequest, event: Tournament, by: User) -> str:
    round_clock.call_time(round_row=round_of(request, event), by=by)
    return _("Time is called: everybody finishes the deal in play.")


def _announce(request: HttpRequest, event: Tournament, by: User) -> str:
    announcements.announce(tournament=event, by=by, text=request.POST.get("text", ""))
    return _("The announcement is on the event's page, the projector and the phones.")


def _unsay(request: HttpRequest, event: Tournament, by: User) -> str:
    announcements.withdraw_announcement(tournament=event, by=by, number=number(request, "n") or 0)
    return _("The announcement is withdrawn.")


def _swap(request: HttpRequest, event: Tournament, by: User) -> str:
    one, other = request.POST.get("one", ""), request.POST.get("other", "")
    row = round_of(request, event)
    # seen: the tables as the organiser saw them; if they changed, it is refused.
    done = swaps.swap_places(round_row=row, by=by, one=one, other=other, seen=request.POST.get("seen", ""))
    tables = listed(pod.table for pod in done.touched)
    return _("Their seats are swapped. Print the slips of table %(tables)s again: the old ones no longer work.") % {
        "tables": tables
    }


FLOOR_ACTS: Final[dict[str, tuple[Act, str]]] = {
    "minutes": (_minutes, "tournament-desk"),
    "clock-stop": (_stop, "tournament-desk"),
    "clock-go": (_go_on, "tournament-desk"),
    "clock-add": (_add, "tournament-desk"),
    "clock-end": (_time, "tournament-desk"),
    "announce": (_announce, "tournament-desk"),
    "unsay": (_unsay, "tournament-desk"),
    "swap": (_swap, "tournament-desk"),
}
