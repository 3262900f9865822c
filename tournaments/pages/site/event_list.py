"""The list of tournaments: what is on, what comes, what is over, each row with what matters in its state."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext
from django.views.decorators.http import require_safe

from core.formats import FORMATS
from engine.games import PRESETS
from tournaments.lifecycle.visibility import LIVE, SOON
from tournaments.models import Tournament
from tournaments.people import event_lists
from web.page import render_page, viewer
from web.paging import MAX_EXAMINED, far, page_of
from web.presets import month_title, official_ladder, preset_title

WHEN: Final = ("", "live", "soon", "past", "archived", "mine")
ROWS: Final = 20
LADDERS: Final = 16
SECTIONS: Final = ("live", "draft", "past")
TITLES: Final = {
    "live": gettext_lazy("On now"),
    "soon": gettext_lazy("Upcoming"),
    "draft": gettext_lazy("Drafts"),
    "past": gettext_lazy("Over"),
}


@dataclass(frozen=True, slots=True)
class EventRow:
    """A row. day: on which it begins, began or ended; None if nobody has said; percent: of its matches so far."""

    event: Tournament
    section: str
    day: datetime | None
    format: str
    percent: int

    @property
    def is_live(self) -> bool:
        """Return whether it is on now."""
        return self.section == "live"

    @property
    def is_to_come(self) -> bool:
        """Return whether it has not begun."""
        return self.section == "soon"


@require_safe
def tournament_list(request: HttpRequest) -> HttpResponse:
    """Show all tournaments: what is on first, then what comes, then what is over."""
    chosen, person = _chosen(request), viewer(request)
    # Ladders run for a month and would head the list all that time: they have a line of their own.
    is_plain = chosen["when"] in ("", "live") and not any(value for name, value in chosen.items() if name != "when")
    rows = event_lists.tournament_list(person, **chosen, with_ladders=not is_plain)
    most = MAX_EXAMINED if chosen["when"] == "mine" else far(chosen["words"])
    page = page_of(request, rows.select_related("registration_settings"), size=ROWS, most=most)
    ladders = list(event_lists.ladders_on(person)[:LADDERS]) if is_plain and page.number == 1 else []
    choices = {"presets": PRESETS.values(), "seats_choices": range(2, 8), "shelves": _shelves(person is not None)}
    lists: dict[str, Any] = {"soon": _soon(page.rows), "sections": _sections(page.rows), "ladders": _by_month(ladders)}
    lists["organised"] = event_lists.organised_by(person, lists["soon"])
    return render_page(request, "tournaments/list.html", {"page": page, **lists, **choices, **chosen})


def _chosen(request: HttpRequest) -> dict[str, Any]:
    """Return the filters of the address; what is no choice is left out."""
    query = request.GET
    when, preset, seats = query.get("when", ""), query.get("preset", ""), query.get("seats", "")
    return {
        "when": when if when in WHEN else "",
        "preset": preset if preset in PRESETS else "",
        "seats": int(seats) if seats in {"2", "3", "4", "5", "6", "7"} else None,
        "words": query.get("q", "").strip()[:60],
        "where": query.get("where", "").strip()[:60],
        "who": query.get("who", "") if query.get("who", "") in ("people", "bots") else "",
    }


def _shelves(is_signed_in: bool) -> list[tuple[str, str]]:
    """Return (value of `?when=`, words); the empty value stands for all."""
    found = [("", pgettext("tournaments", "All")), *((name, str(TITLES[name])) for name in ("live", "soon", "past"))]
    found.append(("archived", _("Archived or cancelled")))
    return [*found, ("mine", _("Mine"))] if is_signed_in else found


def _by_month(ladders: Iterable[Tournament]) -> dict[str, list[tuple[Tournament, str]]]:
    """Return (event, words) of ladders by the month of the official ones, in words; "" for all others.

    The month is said once above them, so the words of an official ladder are those of its rules alone.
    """
    found: dict[str, list[tuple[Tournament, str]]] = {}
    for event in ladders:
        official = official_ladder(event.name)
        month = month_title(official[1]) if official else ""
        found.setdefault(month, []).append((event, preset_title(official[0]) if official else event.name))
    return found


def _soon(events: Iterable[Tournament]) -> list[Tournament]:
    """Return what comes up, the nearest day first, then what has no day yet."""
    found = (event for event in events if event.state in SOON)
    return sorted(found, key=lambda event: event.starts_at.timestamp() if event.starts_at else math.inf)


def _sections(events: Iterable[Tournament]) -> list[tuple[str, list[EventRow]]]:
    """Return the rows by section, in the order of the list; sections without a row are left out.

    What comes up has cards of its own above them.
    """
    rows = [event_row(event) for event in events]
    found = ((name, [row for row in rows if row.section == name]) for name in SECTIONS)
    return [(str(TITLES[name]), own) for name, own in found if own]


def event_row(event: Tournament) -> EventRow:
    """Return the row of an event that has what `with_figures` and `with_winner` add."""
    section = _section_of(event)
    days = {"live": event.started_at, "soon": event.starts_at, "draft": event.starts_at}
    day = days.get(section, event.finished_at or event.started_at or event.starts_at)
    kind = FORMATS.get(getattr(event, "kind", None) or "")
    total, done = getattr(event, "matches_n", None) or 0, getattr(event, "done_n", None) or 0
    return EventRow(event, section, day, _(kind.label) if kind else "", 100 * done // total if total else 0)


def _section_of(event: Tournament) -> str:
    if event.state in LIVE:
        return "live"
    if event.state in SOON:
        return "soon"
    return "draft" if event.state == Tournament.State.DRAFT else "past"
