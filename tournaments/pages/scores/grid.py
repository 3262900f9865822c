"""Results page of the organiser's desk: every table of the running rounds on one page, entered row by row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from core.errors import TournamentError
from engine.errors import DomainError
from tournaments.lifecycle.transitions import ORGANISERS, RULERS
from tournaments.lifecycle.visibility import EventPage
from tournaments.models import Match, Round
from tournaments.pages.events import chain
from tournaments.pages.events.event import render_event
from tournaments.pages.floor.dashboard import open_dashboard
from tournaments.pages.floor.stations import flow_of
from tournaments.pages.floor.steps import is_last, step_of
from tournaments.pages.scores.grid_rows import Row, fields_at, filled, is_sent, rows_at, running_rounds, save, was_typed
from tournaments.scores import tables as desk
from tournaments.scores.actions import Actor, accept_result
from tournaments.scores.rows import CONFIRMED, ENTERED, FilledRow, accept_reported, digest_of, reported_tables
from web.page import is_fragment, signed_in
from web.refusals import refused, status_of

TYPED = 40
"""Letters of a uuid, and some: what a button may name."""


@dataclass(frozen=True, slots=True)
class Block:
    """A round with its rows. reported: how many reports wait that nobody disputes."""

    round: Round
    rows: list[Row]

    @property
    def reported(self) -> int:
        """Return how many reports wait that nobody disputes."""
        return sum(row.waits is not None for row in self.rows)

    @property
    def done(self) -> int:
        """Return how many of its tables are settled."""
        return sum(row.table.match.state in desk.SETTLED and not row.is_level for row in self.rows)


def _rounds(request: HttpRequest, page: EventPage) -> tuple[list[Round], list[Round]]:
    """Return the rounds of the shown stage, and those whose tables are on the page: the one that `?round=` asks for,
    else all that are being played.
    """
    rounds = desk.open_rounds(page.stage)
    wanted = request.GET.get("round", "")
    chosen = desk.current_round(page.stage, rounds, wanted)
    if wanted and (chosen is None or str(chosen.number) != wanted):
        raise Http404(wanted)
    return rounds, [chosen] if wanted and chosen is not None else running_rounds(page.stages, chosen)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def grid_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tables with boxes for their results; save every row that is filled in, each on its own."""
    page, found = open_dashboard(request, slug)
    if request.method != "POST":
        return _page(request, page, found, {})
    _all, shown = _rounds(request, page)
    refusals, done = _save(request, shown)
    if not refusals and not is_fragment(request):
        if done:
            messages.success(request, done)
        return HttpResponseRedirect(request.get_full_path())
    # Once more: the answer names the version that it shows, by which the browser tells a late one from a new one.
    page, found = open_dashboard(request, slug)
    answer = _page(request, page, found, refusals, done=done)
    # What was refused stays with its row; the rows beside it are saved all the same.
    answer.status_code = status_of(next(iter(refusals.values()))) if refusals else 200
    return answer


def _save(request: HttpRequest, shown: list[Round]) -> tuple[dict[str, DomainError], str]:
    """Save the rows of a form. Return the refusals by table, and a sentence of what was done."""
    refusals: dict[str, DomainError] = {}
    outcomes: list[tuple[str, int]] = []
    rows: list[FilledRow] = []
    sent, by = request.POST.dict(), signed_in(request)
    pressed, confirmed = sent.get("row", "")[:TYPED], sent.get("confirm", "")[:TYPED]
    for row, table in _tables(sent, shown):
        uuid, fields = str(table.match.uuid), fields_at(row.stage, table)
        try:
            typed = was_typed(sent, table, fields)
            if uuid == confirmed and not typed:
                version = sent[f"{uuid}.seen"].partition(".")[0]
                number = int(version) if version.isdecimal() and len(version) < 6 else 0
                accept_result(match=table.match, actor=Actor(user=by), version=number)
                outcomes.append((CONFIRMED, table.match.known_table or 0))
            elif uuid in (pressed, confirmed) or typed:
                rows.append(filled(sent, table, fields))
        except TournamentError as wrong:
            refusals[uuid] = wrong
    for each, outcome in zip(rows, save(rows, by), strict=True):
        if isinstance(outcome, TournamentError):
            refusals[str(each.match.uuid)] = outcome
        else:
            outcomes.append((outcome, each.match.known_table or 0))
    return refusals, _sentence(outcomes)


def _tables(sent: dict[str, str], shown: list[Round]) -> Iterator[tuple[Round, desk.Table]]:
    """Return the tables that a form has in it, each with its round."""
    for row in shown:
        yield from ((row, table) for table in desk.round_tables(row) if is_sent(sent, table))


def _sentence(outcomes: list[tuple[str, int]]) -> str:
    """Return what was saved, for the top of the page and for screen readers; "" if nothing changed."""
    if len(outcomes) == 1:
        (what, number) = outcomes[0]
        if what == CONFIRMED:
            return _("The result of table %(n)s is confirmed.") % {"n": number}
        return _("The result of table %(n)s is entered.") % {"n": number}
    n = Counter(what for what, _number in outcomes)
    parts = []
    if n[ENTERED]:
        text = ngettext("The result of %(n)d table is entered.", "The results of %(n)d tables are entered.", n[ENTERED])
        parts.append(text % {"n": n[ENTERED]})
    if n[CONFIRMED]:
        text = ngettext("%(n)d result is confirmed.", "%(n)d results are confirmed.", n[CONFIRMED])
        parts.append(text % {"n": n[CONFIRMED]})
    return " ".join(parts)


def _page(
    request: HttpRequest,
    page: EventPage,
    found: frozenset[str],
    refusals: dict[str, DomainError],
    *,
    done: str = "",
) -> HttpResponse:
    # Asked again after a form was saved: its last row may have completed the round.
    rounds, shown = _rounds(request, page)
    blocks = [Block(row, rows_at(row, request.POST.dict(), refusals)) for row in shown]
    # Of the stage that the page is at: the next step depends on its tables.
    own = next((block for block in blocks if block.round.stage_id == page.stage.pk), None)
    tables = [row.table for row in own.rows] if own is not None else []
    step = step_of(page, rounds, tables) if found & ORGANISERS else ""
    first = next((row for block in blocks for row in block.rows if row.is_open), None)
    context: dict[str, Any] = {
        "blocks": blocks,
        "rounds": rounds,
        "round": own.round if own is not None else None,
        "wrong": [(row, row.refusal) for block in blocks for row in block.rows if row.refusal is not None],
        "first": first.prefix if first is not None and not refusals else "",
        "done": done,
        "step": step,
        **(flow_of(page.stage, page.event) if step == "flow" else {}),
        "level": frozenset(row.table.match.table_no for row in (own.rows if own is not None else ()) if row.is_level),
        "is_last": is_last(page),
        "shown": str(page.stage.order),
        "stage_tabs": chain.tabs(page),
        "may_rule": bool(found & RULERS),
        "may_organise": bool(found & ORGANISERS),
        "is_many": len(blocks) > 1,
        "here": request.get_full_path(),
    }
    return render_event(request, page, "grid", context, template="desk/grid.html")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show every report of a round that nobody disputes, then confirm all of them."""
    page, _found = open_dashboard(request, slug)
    rows = page.stage.rounds.select_related("stage__tournament", "stage__ruleset")
    row = rows.filter(number=number).first()
    if row is None:
        raise Http404(str(number))
    grid = f"{reverse('tournament-grid', args=[slug])}?stage={page.stage.order}"
    if request.method == "POST":
        try:
            n = accept_reported(round_row=row, by=signed_in(request), seen=request.POST.get("seen", ""))
        except TournamentError as refusal:
            return refused(request, refusal, back=request.get_full_path())
        text = ngettext("%(n)d result is confirmed.", "%(n)d results are confirmed.", n)
        messages.success(request, text % {"n": n})
        return HttpResponseRedirect(grid)
    every = desk.round_tables(row)
    tables = reported_tables(every)
    others = [table for table in every if table.match.state == Match.State.DISPUTED]
    context = {"round": row, "tables": tables, "others": others, "seen": digest_of(tables), "back": grid}
    return render_event(request, page, "grid", context, template="desk/confirm.html")
