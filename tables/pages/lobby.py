"""Where people find a table: play now, tables that wait for somebody, and one's own."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from engine.errors import DomainError
from engine.games import GAMES, PRESETS
from tables.actions.opening import open_table
from tables.errors import TableError
from tables.house import LEVELS, MIDDLE
from tables.lessons.shelf import LESSONS
from tables.models import LiveSeat, LiveTable
from tables.pages.devices import keep_device
from tables.pages.doing import count_seat, nonce_of, posted_from, problem, values_of, wants_json
from tables.pages.guests import sitter_of, sitter_who_sits
from tables.pages.lobby_form import TableForm, preset_for
from tables.pages.looking import answer_with_view, load
from tables.play.seating import can_seat
from tables.view.rated import ratings_of_openers
from web.page import render_page
from web.refusals import with_wait
from web.statuses import status_of

PEOPLE: Final = (2, 3, 4)
"""Numbers of players that are offered to be played at once."""
SHOWN: Final = 30
S = LiveTable.State
USUAL: Final = {"opponent": MIDDLE, "clock": "casual"}
"""What holds where a form does not say."""


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    """Show what can be played now, the open tables, and those of the reader."""
    asked = request.GET.get("preset", "")
    preset = asked if asked in PRESETS else preset_for(2)
    seats = next(n for n in range(2, 8) if can_seat(preset, n))
    wanted = {"preset": preset, "bot": request.GET.get("bot", ""), "seats": seats}
    return _page(request, TableForm(initial={**wanted, "opponent": MIDDLE, "clock": "casual"}))


@posted_from("play")
@never_cache
def open_page(request: HttpRequest) -> HttpResponse:
    """Open a table and go to it; a script gets its view, or a problem document."""
    form = TableForm(USUAL)
    try:
        values = values_of(request)
        form = TableForm({**USUAL, **values})
        if not form.is_valid():
            if wants_json(request):
                raise _invalid(form)
            return _page(request, form, status=422)
        count_seat(request)
        table = open_table(sitter_who_sits(request), form.plan(), nonce_of(values))
    except DomainError as refused:
        if wants_json(request):
            return with_wait(problem(refused), refused)
        form.add_error(None, str(refused))
        return with_wait(_page(request, form, status=status_of(refused)), refused)
    if wants_json(request):
        return keep_device(request, answer_with_view(request, *load(request, table.uuid)))
    return keep_device(request, redirect("live-table", table.uuid))


def _invalid(form: TableForm) -> TableError:
    """Return the refusal of a form whose fields are wrong. extra: errors, {name: what is wrong}."""
    errors = {name: str(found[0]) for name, found in form.errors.items()}
    return TableError(" ".join(errors.values()), code="table.bad_form", extra={"errors": errors})


def _page(request: HttpRequest, form: TableForm, *, status: int = 200) -> HttpResponse:
    open_tables = _open_tables()
    ratings = ratings_of_openers(open_tables)
    context: dict[str, Any] = {
        "form": form,
        "quick": [_quick(people) for people in PEOPLE],
        "first_cards": next(iter(LESSONS.values())).cards,
        "level": MIDDLE,
        "level_name": LEVELS[MIDDLE].name,
        "open_tables": [(table, ratings.get(table.pk)) for table in open_tables],
        "own_tables": list(tables_of(request).prefetch_related("seats")),
        "guest_name": request.session.get("table_name", ""),
        "address": reverse("play-open"),
        "asks_rules": "rules" in request.GET,
    }
    return render_page(request, "play/lobby.html", context, status=status)


def _quick(people: int) -> dict[str, Any]:
    """Return what that number of people can play at once: {"people", "preset", "cards": pictures of the game}."""
    preset = preset_for(people)
    return {"people": people, "preset": preset, "cards": GAMES[PRESETS[preset].game].words.portrait.cards}


def _open_tables() -> list[LiveTable]:
    """Return the newest open tables that people may join. Two queries."""
    rows = LiveTable.objects.filter(state=S.OPEN, listed=True).exclude(clock=LiveTable.Clock.REMOTE).order_by("-id")
    return list(rows.prefetch_related("seats")[:SHOWN])


def tables_of(request: HttpRequest) -> QuerySet[LiveTable]:
    """Return the tables at which the reader sits and that are not over, the newest first; none for a stranger."""
    sitter = sitter_of(request)
    if sitter is None:
        return LiveTable.objects.none()
    seats = LiveSeat.objects.filter(kind=LiveSeat.Kind.PERSON)
    own = seats.filter(user=sitter.user) if sitter.user is not None else seats.filter(guest=sitter.guest)
    rows = LiveTable.objects.filter(pk__in=own.values("table")).exclude(state__in=(S.FINISHED, S.ABORTED))
    return rows.order_by("-id")[:SHOWN]
