"""Pages of one tournament."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.functional import SimpleLazyObject
from django.views.decorators.http import require_safe

from accounts.models import User
from bots.templatetags.hanami import sprite_of
from engine.games import PRESETS
from tournaments.comparisons.queries import challenge_at
from tournaments.entries.teams_query import member_table
from tournaments.events import log
from tournaments.events.clocks import OPEN as CLOCK_OPEN
from tournaments.events.edit import BEFORE
from tournaments.events.log_blocks import blocks_of
from tournaments.floor.find_me import found_at
from tournaments.lifecycle import visibility
from tournaments.lifecycle.display_names import OF_ENTRY
from tournaments.lifecycle.floor_settings import announcements_of, clock_lines
from tournaments.lifecycle.transitions import RULERS
from tournaments.lifecycle.visibility import EventPage
from tournaments.matches import chains, schedule
from tournaments.models import Match, Stage, Standing, Tournament
from tournaments.pages.entries.columns import by_rating, columns_of, has_own
from tournaments.pages.entries.guest_access import days_at, is_guest
from tournaments.pages.events import chain, newest_results
from tournaments.pages.events.band import band_of
from tournaments.pages.events.ending import ending_of, reached
from tournaments.pages.events.entering import bots_to_enter
from tournaments.pages.lifecycle.words import sentence_of, verbs_for
from tournaments.pages.progress.level import waiting_line
from tournaments.pages.ranking.rows import rows_of
from tournaments.pages.ratings import ladder
from tournaments.pages.standings.columns import deciding, has_played_unevenly, has_several_owners, without_unused
from tournaments.pairing import rotation
from tournaments.progress import undo
from tournaments.progress.run import possible_verbs
from tournaments.ranking.event_ranking import ranking_of
from tournaments.ranking.figures import figures_of
from tournaments.ranking.words import explanation_of
from tournaments.ratings.ladders import event as ladder_event
from tournaments.registration.queries import own_registration
from tournaments.registration.set_up import has_opened, settings_of
from tournaments.seasons.queries import seasons_naming
from tournaments.sse import live_token
from tournaments.standings import boards
from tournaments.standings import queries as standings
from tournaments.standings.entry_records import compared_in, in_order, records_of
from tournaments.standings.rank_chart import rank_chart
from tournaments.templatetags.figures import ACCOUNTED
from tournaments.templatetags.strips import scale_of
from web.page import render_page, viewer
from web.paging import Page, far, numbers_for, page_of

CROSSTABLE_CELLS = 600
ENTRIES_AT_ONCE = 50
ENTRANTS = 12
LEADERS = 5
WHOLE = 8
"""Rows of a final table up to which all of them are shown."""
LADDER_LEADERS = 10
ANNOUNCED = (Tournament.State.PUBLISHED, Tournament.State.REGISTRATION)
SEARCHED = 20
"""Entries from which on a page offers a search: fewer are seen at a glance."""


def load(request: HttpRequest, slug: str, *, stage: str = "", is_first: bool = False) -> EventPage:
    """Return what the pages of a tournament share; 404 when the viewer may not know of it, or for a stage that does not
    exist.

    A comparison of two versions has a page of its own, to which its first page leads, and no others.
    """
    page = _load(request, slug, stage)
    if page.stage.format.is_experiment and not is_first:
        raise Http404(slug)
    return page


def _load(request: HttpRequest, slug: str, stage: str) -> EventPage:
    try:
        return visibility.event_page(slug, viewer(request), stage=stage)
    except Tournament.DoesNotExist as missing:
        # Asked second: links in a session cost a query, and nearly all events are seen without one. A 404 either way: a
        # private event is not there for strangers.
        if not is_guest(request, slug):
            raise Http404(slug) from missing
    try:
        return visibility.event_page(slug, viewer(request), stage=stage, is_guest=True)
    except Tournament.DoesNotExist as missing:
        raise Http404(slug) from missing


def render_event(
    request: HttpRequest, page: EventPage, name: str, context: dict[str, Any], *, etag: str = "", template: str = ""
) -> HttpResponse:
    """Render a page of a tournament. etag: what the content depends on besides the tournament's channel."""
    shared = {"page": page, "event": page.event, "stage": page.stage, "tab": name, "preset": preset_of(page)}
    shared |= {"announcements": announcements_of(page.event), "my_days": days_at(request, page.event.slug)}
    shared["stage_query"] = f"stage={page.stage.order}&" if len(page.stages) > 1 else ""
    if page.event.visibility == Tournament.Visibility.PRIVATE:
        # The stream of live events knows no session: this token says that the reader may hear of the event.
        shared["live_token"] = live_token([page.event.channel])
    # Lazy: their queries are made only by pages that show them, and not for a 304.
    shared["undoable"] = SimpleLazyObject(lambda: undo.offered(page.event, viewer(request), page.all_roles))
    shared["sentence"] = SimpleLazyObject(lambda: sentence_of(page.event, page.stages[0]))
    closed = int(page.event.has_closed_entries)  # the clock alone says so: no news goes out at that hour
    # All that the content depends on besides the reader, the language and the address; a fragment that is the same is a
    # 304.
    version = f"{page.version}.{int(page.following)}.{closed}.{etag}"
    context = {**shared, **context}
    template = template or f"tournaments/{name}.html"
    return render_page(request, template, context, version=version, zone=page.event.time_zone)


def preset_of(page: EventPage) -> object:
    """Return the preset's data, None for one that is no longer known."""
    return PRESETS.get(page.stage.preset)


def _page_of_its_own(stage: Stage) -> HttpResponse:
    """Lead to the page of what is no event to people: a comparison, or the match of a table."""
    if stage.format.stands_alone:
        return redirect("match", get_object_or_404(Match, stage=stage).uuid)
    return redirect("challenge", challenge_at(stage))


@require_safe
def overview(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what it is, how far it is, what the organiser does next, who leads, where the reader's bots are."""
    page = load(request, slug, is_first=True)
    if page.stage.format.is_experiment:
        return _page_of_its_own(page.stage)
    person = viewer(request)
    is_over = _is_over(page)
    rows = standings.leaders(page.stage, limit=LADDER_LEADERS if _is_open_ladder(page) else WHOLE + 1)
    ways = chains.ways_of(page.event) if len(page.stages) > 1 else []  # one stage leads nowhere
    lines = _lines(page)
    ending = ending_of(page, ways, rows, lines) if is_over else {}
    top = rows if _is_open_ladder(page) or (is_over and len(rows) <= WHOLE) else rows[:LEADERS]
    shown = top if is_over or standings.has_counted(top) else []
    context = {
        "verbs": verbs_for(possible_verbs(page.event, person) if page.is_organiser else (), page),
        **_held(page),
        "may_move_close": page.is_organiser and page.event.state in BEFORE,
        "may_choose_clock": page.is_organiser and page.stages[0].state in CLOCK_OPEN,
        **chain.overview(page, ways),
        **ending,
        "sprite": sprite_of(request),
        "is_over": is_over,
        "is_cut": len(top) < len(rows),
        "band": band_of(page, shown, [line.match for line in lines]),
        **_leading(page, shown),
        "criteria": standings.criteria_of(page.stage),
        "downloads": chain.downloads_of(page, has_table=bool(top)),
        **newest_results.shown(lines),
        **_before_it_begins(page),
        "mine": schedule.my_entries(page.stage, person),
        "clocks": clock_lines(page.event),
        "seasons": seasons_naming(page.event, person) if page.in_season else [],
        "expected": rotation.expected(page.stages[0], page.entered or page.event.max_entries),
    }
    if page.event.is_of_people:
        context["registration"] = registration_for(page, person)
        context["find"] = find = request.GET.get("find", "").strip()[:60]
        context["found"] = found_at(page.event, find) if find else []
    return render_event(request, page, "overview", context)


def _is_open_ladder(page: EventPage) -> bool:
    return page.stage.format.ranks_by_rating and not _is_over(page)


def _leading(page: EventPage, rows: Sequence[Standing]) -> dict[str, Any]:
    """Return the first of the table with what they lead by; of a ladder that runs with their ratings, one query."""
    # A bracket ranks by how far one came: what was won on the way would look like what decided.
    is_bracket = page.stage.format.ranks_by_bracket
    top = [(row, reached(page, row) if is_bracket else next(iter(figures_of(page.stage, row)), None)) for row in rows]
    lines = ladder_event.lines(page.stage, rows) if rows and _is_open_ladder(page) else []
    return {
        "top": top,
        "first_figure": next((figure for _row, figure in top if figure), None),
        "ladder": lines,
        "scale": scale_of(line.strength for line in lines if line.strength),
    }


def _lines(page: EventPage) -> list[newest_results.ResultLine]:
    """Return what is played and what was played last; nothing is before the event begins."""
    return [] if page.event.state in BEFORE else newest_results.lines_of(page.stage, in_hall=page.event.is_of_people)


def _before_it_begins(page: EventPage) -> dict[str, Any]:
    """Return whether there is a ticket, who is in play first, and a table's seats where all are free; else none."""
    entrants = None
    if page.event.state in BEFORE:
        entrants = visibility.entries_of(page.event).filter(state__in=visibility.IN_PLAY)[:ENTRANTS]
    has_ticket = page.event.state in ANNOUNCED
    free = range(page.stage.seats_pref if has_ticket and not page.entered and not page.event.has_closed_entries else 0)
    return {"has_ticket": has_ticket, "entrants": entrants, "free_seats": free}


def _held(page: EventPage) -> dict[str, Any]:
    """Return the matches that an organiser must judge; nobody else is told of them."""
    found = schedule.quarantined_matches(page.stage) if page.is_organiser and page.progress.quarantined else []
    # They come before an undo, which the dashboard offers as well.
    return {"quarantined": found, "undoable": None} if found else {"quarantined": []}


def registration_for(page: EventPage, person: User | None) -> dict[str, Any] | None:
    """Return what visitors see of registration; None where they see nothing. Two queries at most, none once it runs."""
    if page.event.state not in BEFORE:
        return None
    chosen = settings_of(page.event)
    own = own_registration(page.event, person) if person is not None else None
    if own is None and not has_opened(chosen, page.event) and not (chosen.is_on and chosen.opens_at):
        return None
    return {"is_own": own is not None, "opens_at": chosen.opens_at if chosen.is_on else None}


def entries(request: HttpRequest, page: EventPage) -> HttpResponse:
    """Show who plays. The reader may enter a bot of their own while entries are open."""
    person = viewer(request)
    words = request.GET.get("q", "").strip()[:60]
    rows = visibility.entries_of(page.event).only(*OF_ENTRY, "player__bot__house", "player__bot__active_version__n")
    if words:
        rows = rows.filter(player__name__holds=words)
    # The seed of a ladder says only who came first.
    is_ranked = _is_over(page) or (page.stage.format.ranks_by_rating and page.event.started_at is not None)
    parts = in_order(rows, page.stage) if is_ranked else ()
    paged = page_of(request, rows, size=ENTRIES_AT_ONCE, most=far(words), parts=parts)
    found = records_of(page.stage, paged.rows, is_drawn=page.event.started_at is not None)
    is_of_whole = _is_over(page) and len(page.stages) > 1
    if is_of_whole:  # the rank in the whole event: most were in the last stage never
        ranks = {line.entry.pk: line.rank for line in ranking_of(page.event, stages=page.stages).lines}
        found = {pk: replace(record, rank=ranks.get(pk)) for pk, record in found.items()}
    lines = [(entry, found[entry.pk]) for entry in paged.rows]
    if _is_over(page) and paged.last == 1:
        lines.sort(key=lambda line: line[1].rank or math.inf)
    context = {"entries": paged, "lines": lines, "words": words, **bots_to_enter(page, person)}
    context |= {"is_over": _is_over(page), "has_search": bool(words) or paged.total >= SEARCHED, "is_ranked": is_ranked}
    order = compared_in(page.stage) if is_ranked and not is_of_whole else []
    is_whole = paged.last == 1 and not words
    context["may_withdraw"] &= page.is_organiser or has_own(lines, person)
    context |= columns_of(lines, page.stage, is_ranked=is_ranked, order=order, is_whole=is_whole)
    if not is_ranked and paged.last == 1 and (sorted_lines := by_rating(lines)):
        context |= {"lines": sorted_lines, "is_sorted": True}
    return render_event(request, page, "entries", context)


@require_safe
def standings_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the standings; every number opens its inputs. `?explain=<entry>`: one entry with all its inputs.

    `?after=<round>`: the table as it was after a round; it says how everybody moved. Of a chain the stage that was
    drawn last, or `?stage=`: a number, or "all" for the ranking of the whole event.
    """
    wanted = request.GET.get("stage", "")[:3]
    page = load(request, slug, stage="" if wanted == "all" else wanted)
    if wanted == "all":
        template, context = "tournaments/whole.html", _event_page(request, page)
    elif page.stage.format.ranks_by_rating:
        template, context = ladder.standings(request, page)
    else:
        template, context = "tournaments/standings.html", _table(request, page)
    context["may_adjust"] = may_adjust(page)
    return render_event(request, page, "standings", context, template=template)


def _table(request: HttpRequest, page: EventPage) -> dict[str, Any]:
    """Return the context of one stage's table, as it is or was, or of one of its rows."""
    only = request.GET.get("explain", "")[:40]
    history = _history(page.stage, request.GET.get("after", "")[:5])
    table, pager = _page_of_table(request, page.stage, history, only)
    if only and not table.lines:
        raise Http404(only)
    decides, table = deciding(table), without_unused(table)
    # One query more, so only on a page with all rows as they are now, which has some to spare.
    is_whole = not history.chosen and pager is None and not (only and table.is_part)
    return {
        "chart": rank_chart(page.stage, history.rounds, table.lines) if is_whole else None,
        "table": table,
        "with_owners": has_several_owners(table),
        "with_played": has_played_unevenly(table),
        "with_account": any(each.id in ACCOUNTED for each in decides or table.columns),
        "decides": decides,
        "page_of_table": pager,
        "only": only,
        "is_final": _is_over(page) or page.stage.state == Stage.State.CLOSED,
        "stage_tabs": chain.tabs(page, with_all=True),
        "shown": str(page.stage.order),
        "history": history,
        "level": waiting_line(page.stage),
        **_of_members(request, page, is_plain=not only and not history.chosen),
    }


def _page_of_table(
    request: HttpRequest, stage: Stage, history: standings.History, only: str
) -> tuple[standings.StandingsTable, Page[Standing] | None]:
    """Return the rows that are shown, and the pages of a table that has several; they are counted only if it has."""
    of_then: dict[str, Any] = {"after_round": history.chosen, "before": history.before, "only": only}
    pager = None
    if "page" in request.GET:
        pager = _pager(request, stage, history)
    table = standings.standings_table(stage, page=pager.number if pager else 1, **of_then)
    if table.goes_on and pager is None and not only:
        pager = _pager(request, stage, history)
    return table, pager


def _pager(request: HttpRequest, stage: Stage, history: standings.History) -> Page[Standing]:
    return numbers_for(request, standings.length_of(stage, after_round=history.chosen), standings.ROWS_AT_ONCE)


def _of_members(request: HttpRequest, page: EventPage, *, is_plain: bool) -> dict[str, Any]:
    """Return what people won themselves, below the teams' table; where they sit apart how boards count, and
    `?members=1`.
    """
    if not page.event.boards:
        return {"members": member_table(page.stage) if is_plain else []}
    wanted = is_plain and request.GET.get("members") == "1"
    people = boards.member_standings(page.stage) if wanted else None
    columns = [standings.column(each) for each in people.columns] if people else []
    return {"rule": boards.rule_of(page.event, page.stage), "apart": people, "apart_columns": columns}


def may_adjust(page: EventPage) -> bool:
    """Return whether the viewer may give and take units here, if anybody may."""
    closed = page.event.state in (Tournament.State.CANCELLED, Tournament.State.ARCHIVED) or page.event.is_copy
    return not closed and not page.all_roles.isdisjoint(RULERS)


def _history(stage: Stage, wanted: str) -> standings.History:
    """Return the table that is asked for, or 404: there is none after that round."""
    chosen = int(wanted) if wanted.isdecimal() else 0
    found = standings.history_of(stage, chosen)
    if wanted and chosen not in found.rounds:
        raise Http404(wanted)
    return found


def _event_page(request: HttpRequest, page: EventPage) -> dict[str, Any]:
    """Return the ranking of the whole event: entries that got further rank higher; then the last stage decides."""
    if len(page.stages) == 1:
        raise Http404("all")
    ranking = ranking_of(page.event, stages=page.stages)
    tabs = chain.tabs(page, with_all=True)
    found = {"ranking": ranking, "explained": explanation_of(ranking), "stage_tabs": tabs, "shown": "all"}
    return found | rows_of(request, ranking)


def _is_over(page: EventPage) -> bool:
    return page.event.state in (Tournament.State.FINISHED, Tournament.State.ARCHIVED)


@require_safe
def crosstable(request: HttpRequest, slug: str) -> HttpResponse:
    """Show everybody against everybody, in the order of the standings."""
    page = load(request, slug, stage=request.GET.get("stage", "")[:3])
    has_one = not page.stage.format.ranks_by_rating
    wide = max(1, -(-page.entered // page.stage.groups_n))
    # About 600 cells: up to 25 rows of a large group, more of narrow ones.
    most = CROSSTABLE_CELLS // min(wide, int(CROSSTABLE_CELLS**0.5))
    # One more than shown tells whether the table is cut, without counting it.
    rows = standings.rows_of(page.stage, limit=most + 1, columns=OF_ENTRY) if has_one else []
    is_cut, rows = len(rows) > most, rows[:most]
    parts = standings.cross_parts(page.stage, rows) if rows else []
    context = {
        "parts": [(label, own, any(row.remarks for row in own)) for label, own in parts],
        "ranks_by": standings.first_figure(page.stage, rows),
        "is_by_mean": any(each["tie_break"] == "above_mean" for row in rows[:1] for each in row.explanation[:1]),
        "met_once": all(not cell or cell.met < 2 for _label, own in parts for row in own for cell, _name in row.cells),
        # Where the sum of a row is what ranks, a column of its own would say it twice.
        "has_figure": any(str(row.figure) != str(row.total) for _label, own in parts for row in own),
        "cut": most if is_cut else 0,
        "stage_tabs": chain.tabs(page),
        "shown": str(page.stage.order),
    }
    return render_event(request, page, "crosstable", context)


@require_safe
def feed_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who did what, newest first."""
    page = load(request, slug)
    acts = page_of(request, log.feed_of(page.event), size=50)
    return render_event(request, page, "feed", {"acts": acts, "blocks": blocks_of(log.feed_lines(acts.rows))})
