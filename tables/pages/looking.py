"""A table as one reader sees it: the page, which works without a script, and the JSON that a script draws from."""

from __future__ import annotations

import json
import time
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.directions import isolated_html
from bots.templatetags.hanami import sprite_of
from core.replay import facts
from tables.actions.greeting import GREETINGS, greeting_of
from tables.actions.leavers import leaves_of
from tables.actions.leaving import look_after, may_be_claimed, note_seen
from tables.actions.rows import seats_at
from tables.actions.sitters import seat_of
from tables.events.opened import table_for
from tables.models import LiveSeat, LiveTable
from tables.pages.after import after_match
from tables.pages.event_seats import event_context, require_visible
from tables.pages.guests import sitter_of
from tables.pages.terms import terms_of
from tables.play.fold import Fold
from tables.view.amounts import gathered
from tables.view.choices import choice_of
from tables.view.drawn import drawn
from tables.view.forfeits import label_of
from tables.view.masks import NOBODY
from tables.view.open_pages import WATCHES, OpenPage
from tables.view.rated import ratings_after, ratings_at
from tables.view.seen import Seen
from tables.view.state import etag_of, is_away, seen_at, view_of
from tournaments.matches.queue import channel_version
from tournaments.pages.floor.announcements import drawn_code
from tournaments.sse import live_token
from web.page import render_page
from web.sending import is_known

S = LiveTable.State
MUTE_KEY: Final = "table_mute"
SLOW_AFTER: Final = timedelta(seconds=10)
"""A bot that has not answered for so long is said to be slow; `SLOW_MS` of `clocks.js` is the same."""
RELOADED_S: Final = 6
"""Seconds after which a page without a script loads again, where its reader has asked for that."""


def load(request: HttpRequest, uuid: UUID) -> tuple[LiveTable, list[LiveSeat], LiveSeat | None]:
    """Return a table, its seats and the reader's own, as `look_at` does. 404 for none."""
    table = table_for(uuid)
    if table is None:
        raise Http404(str(uuid))
    require_visible(request, table)
    return look_at(request, table)


def look_at(
    request: HttpRequest, table: LiveTable, *, has_answered: bool = False
) -> tuple[LiveTable, list[LiveSeat], LiveSeat | None]:
    """Return a table that the reader may see, its seats and the reader's own; what is due at it is done first.

    One query for the seats unless they are there, one more every few seconds for somebody who sits there.
    has_answered: they have just answered, and their page looks again within seconds; that is noted then.
    """
    now = timezone.now()
    if table.deadline_at is not None and table.deadline_at <= now:
        look_after(table)
        table.refresh_from_db()
        table.seated = ()  # what was done may have changed them
    seats = list(table.seated) if has_answered and table.seated else seats_at(table)
    own = seat_of(sitter_of(request), seats)
    if own is not None and not table.is_over:
        if not has_answered:
            note_seen(own, now)
        own.seen_at = now
    return table, seats, own


@require_safe
def table_view(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Send what the reader may see of a table, as README.md describes it.

    `?after=`: the moves they know of; `?part`: with the part of the page that shows it.
    """
    return answer_with_view(request, *load(request, uuid))


def answer_with_view(
    request: HttpRequest, table: LiveTable, seats: list[LiveSeat], own: LiveSeat | None
) -> HttpResponse:
    """Answer with what the reader may see now."""
    seat = own.index if own is not None else NOBODY
    text = request.GET.get("after", "")
    after = int(text) if text.isdecimal() and len(text) < 6 else None
    etag = etag_of(table, seats, seat, timezone.now())
    response: HttpResponse
    if request.method in ("GET", "HEAD") and is_known(request.headers.get("If-None-Match"), etag):
        response = HttpResponseNotModified()
    else:
        with seen_at(table, seats, seat) as seen:
            has_part = "part" in request.GET
            found = view_of(table, seats, seat, seen, after=after, has_part=has_part)
            if has_part:
                found["part"] = _part(request, table, seats, own, seen)
        if is_muted(request):
            found["seats"] = [each | {"greeting": None} for each in found["seats"]]
        response = HttpResponse(msgspec.json.encode(found, enc_hook=_plain), content_type="application/json")
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    response["X-Hanami-Now"] = str(round(time.time() * 1000))
    if table.heard is not None:
        # The page need not look again when it hears what it has just done itself.
        response["X-Hanami-Version"] = str(table.heard)
    return response


def _plain(text: object) -> str:
    """Return a text of a template, or one that is translated when it is read, as msgspec takes it.

    Raises NotImplementedError for anything else, as msgspec asks of it.
    """
    if not isinstance(text, str | Promise):
        raise NotImplementedError(type(text))
    return str.__str__(str(text))


@require_safe
def table_page(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Show a table: who sits there, the cards, and what the reader may choose."""
    table, seats, own = load(request, uuid)
    seat = own.index if own is not None else NOBODY
    version = channel_version(table.channel)
    etag = etag_of(table, seats, seat, timezone.now())
    with seen_at(table, seats, seat) as seen:
        context = _context(request, table, seats, own, seen)
        if seen is not None and table.state == S.PLAYING:
            context["first"] = _first(etag, view_of(table, seats, seat, seen, has_part=True))
    context |= {
        "channel_version": version,
        "live_token": live_token([table.channel]),
        "here": OpenPage(table.pk, own.pk if own is not None else WATCHES, get_language() or "en").address,
        "reloads": "reload" in request.GET,
        "return_to": request.path,
        "greetings": GREETINGS if own is not None and _has_other_people(table, seats) else {},
    }
    response = render_page(
        request,
        "play/table.html",
        context,
        version=f"{etag}.{version}.{context.get('is_slow')}.{context.get('rematch')}",
    )
    # Only where the reader asked for it, who has no script; never while they are about to choose.
    if context["reloads"] and not table.is_over and not context.get("is_own_turn"):
        response["Refresh"] = str(RELOADED_S)
    return response


def _first(etag: str, view: dict[str, Any]) -> str:
    """Return what the script of the page has to know of the view that the page shows, as JSON."""
    known = {name: view[name] for name in ("state", "me", "version", "told", "times", "paused_at")}
    turn = view["turn"] and {name: view["turn"][name] for name in ("seat", "asked_at")}
    return json.dumps({"etag": etag, "now": round(time.time() * 1000), "view": known | {"turn": turn}})


def _has_other_people(table: LiveTable, seats: list[LiveSeat]) -> bool:
    """Return whether a seat is there that is not the reader's and no bot's."""
    return sum(seat.kind != LiveSeat.Kind.PERSON for seat in seats) < table.seats_n - 1


def is_muted(request: HttpRequest) -> bool:
    """Return whether the reader wants to see no greetings."""
    return bool(request.session.get(MUTE_KEY))


def _leaves(seats: list[LiveSeat]) -> list[tuple[str, int, int]]:
    """Return who sits there, how many matches they have left and how many they have played. One query."""
    found = leaves_of(seat.user_id for seat in seats if seat.user_id is not None)
    known = ((seat.name, found.get(seat.user_id or 0)) for seat in seats)
    return [(name, *figures) for name, figures in known if figures is not None]


def _context(
    request: HttpRequest, table: LiveTable, seats: list[LiveSeat], own: LiveSeat | None, seen: Seen | None
) -> dict[str, Any]:
    """Return what the part of the page that changes is made of."""
    context: dict[str, Any] = {
        "live": table,
        "seats": _rows(table, seats),
        "own": own,
        "free": table.seats_n - len(seats),
        "guest_name": request.session.get("table_name", ""),
        "is_muted": is_muted(request),
        "sprite": sprite_of(request),
    }
    context |= event_context(request, table, seats, own)
    if table.dealt_at is None:
        context["link"] = request.build_absolute_uri(reverse("live-table", args=[table.uuid]))
    if table.state == S.OPEN:
        context["terms"] = terms_of(table)
    if table.state == S.OPEN and table.stage_id is None:
        context["code"] = drawn_code(context["link"])
        context["leaves"] = _leaves(seats) if table.rated else []
    if table.rated:
        context |= _ratings(table, seats)
    if seen is not None:
        context |= _drawn(table, seats, seen)
    if table.state == S.FINISHED:
        context |= after_match(request, table, seats, own, context["result_line"])
    return context


def _ratings(table: LiveTable, seats: list[LiveSeat]) -> dict[str, Any]:
    """Return the ratings that are shown before the deal and after the end, never beside the cards."""
    if table.state in (S.OPEN, S.DEALING):
        return {"ratings": ratings_at(table, seats)}
    if table.match_id is None:
        return {}
    found = ratings_after(table, seats)
    return {"ratings": found, "ratings_counted": any(each.is_counted for each in found)}


def _part(
    request: HttpRequest, table: LiveTable, seats: list[LiveSeat], own: LiveSeat | None, seen: Seen | None
) -> dict[str, str]:
    """Return the line that says how a table stands, its score, and everything below it, as the page has them."""
    context = _context(request, table, seats, own, seen)
    names = {"told": "play/_told.html", "score": "play/_score.html"}
    part: dict[str, str] = {name: render_to_string(template, context) for name, template in names.items()}
    part["body"] = render_to_string("play/_part.html", context, request)
    # What leaves as a page is isolated by the middleware; this leaves as JSON.
    return {name: isolated_html(html) for name, html in part.items()}


def _rows(table: LiveTable, seats: list[LiveSeat]) -> list[LiveSeat | None]:
    """Return every seat in order, None where nobody sits."""
    taken = {seat.index: seat for seat in seats}
    return [taken.get(index) for index in range(table.seats_n)]


def _drawn(table: LiveTable, seats: list[LiveSeat], seen: Seen) -> dict[str, Any]:
    found, eyes, question = drawn(seen), seen.eyes, seen.fold.question
    found["at_seats"] = _at_seats(table, seats, seen.fold)
    if question is None:
        return found
    asked = seats[question.seat]
    phase = facts.words_of(seen.match.ruleset.game).phases.get(eyes.phase, "")
    is_own_turn = question.seat == eyes.seat and table.paused_at is None
    found |= {"asked": asked, "phase": _(phase) if phase else "", "is_own_turn": is_own_turn}
    now = timezone.now()
    found["may_claim"] = question.seat != eyes.seat and may_be_claimed(table, asked, now)
    # Those who watch a rated match see an older question, which has its answer.
    is_present = table.bot_asked_at is not None and seen.fold.rows == table.answered
    found["waits_for_bot"] = is_present and asked.kind == LiveSeat.Kind.BOT
    found["is_slow"] = found["waits_for_bot"] and question.at <= now - SLOW_AFTER
    if is_own_turn:
        found["n"] = question.n
        legal = enumerate(question.legal)
        found |= gathered([choice_of(action, index, eyes.field, seen.book) for index, action in legal])
    return found


def _at_seats(table: LiveTable, seats: list[LiveSeat], fold: Fold) -> list[dict[str, Any]]:
    """Return what stands beside names: a clock ("" without one), who is away, and who has forfeited."""
    now, gone = timezone.now(), {one.seat: label_of(one.code) for one in fold.match.forfeits}
    times = [f"{left // 60_000}:{left // 1000 % 60:02}" if fold.clock.is_counting else "" for left in fold.left_ms]
    found = [
        {
            "time": times[seat.index],
            "gone": gone.get(seat.index, ""),
            "is_away": not table.is_over and seat.index not in gone and is_away(seat, now),
            "greeting": greeting_of(table, seat),
        }
        for seat in seats
    ]
    return [{"seat": seat.index, **one} for seat, one in zip(seats, found, strict=True) if any(one.values())]
