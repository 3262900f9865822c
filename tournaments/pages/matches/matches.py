"""Page of a match: its result, and the replay that anybody can step through, with or without script."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.functional import SimpleLazyObject
from django.utils.html import escape
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.models import User
from bots.selectors.faults import attempts_of
from bots.templatetags.hanami import sprite_of
from core.replay.book import book, tables
from core.replay.document import LETTERS, Replay, read, told_apart
from core.replay.moments import best_moments
from core.replay.reducer import Place, clamp, neighbours
from core.replay.rows import Row, rows
from core.replay.score import chart, ending_at, result_line, score_rows, total_word
from core.replay.table import calendar, knowledge_text, table_at, yaku_lines
from core.replay.words import Phrasebook, deal_text, fill
from engine.games import GAMES, PRESETS
from engine.record_compact import compact
from tournaments.matches.queries import MatchPage, known_seed, match_page, served_document
from tournaments.matches.records.logs import SeatLog, logs_of
from tournaments.models import Match, Stage, Tournament
from tournaments.operations.quarantine import ruling
from tournaments.pages.entries.guest_access import is_guest
from tournaments.pages.progress.level import level_text
from tournaments.scores.tables import organiser_roles, table_of
from tournaments.sse import live_token
from web.page import fragment_etag, render_page, viewer
from web.sending import is_known

LANGUAGES = ("en", "ja", "fr")
HOUR = 3600
FRAME_HEIGHT: Final = 900
"""Pixels of the frame that the copied lines ask for: a table of two with its controls."""
BEGINNING: Final = Place(1, 0)
NOTHING: Final[Mapping[str, str]] = MappingProxyType({})
_PHRASEBOOKS: dict[tuple[str, str], Phrasebook] = {}


@dataclass(frozen=True, slots=True)
class Spot:
    """Position of a reader in a replay: deal, move, and through whose eyes (0 all, else a seat from 1).

    choices: parts of the query that every link of the viewer takes along.
    """

    place: Place
    view: int
    choices: Mapping[str, str] = field(default_factory=dict)

    def at(self, place: Place | None) -> str:
        """Return the address of another place with the same view; empty where there is none."""
        return link(place, self.view, self.choices) if place is not None else ""

    def through(self, view: int) -> str:
        """Return the address of the same place through other eyes."""
        return link(self.place, view, self.choices)


def link(place: Place, view: int, choices: Mapping[str, str] = NOTHING) -> str:
    """Return the address of a place, relative to the match page. choices: what the query says besides."""
    values = {"d": place.deal, "m": place.move} | ({"s": view} if view else {})
    return f"?{urlencode({**choices, **values})}#replay"


def phrasebook_of(language: str, game: str) -> Phrasebook:
    """Return the book of words of a game in a language of the site; it is made once per process."""
    # Unknown games share one entry: an address that names anything must not fill the memory.
    key = language, game if game in GAMES else ""
    if key not in _PHRASEBOOKS:
        with override(language):
            _PHRASEBOOKS[key] = book(language, _, game)
    return _PHRASEBOOKS[key]


def number(request: HttpRequest, name: str, default: int) -> int:
    """Return a whole number of the query; anything else is the default."""
    text = request.GET.get(name, "")
    return int(text) if text.isdecimal() and len(text) < 6 else default


def place_asked(request: HttpRequest, start: Place) -> Place:
    """Return the place that `?d=3&m=17` names, whether or not it exists. A deal alone is shown as it was dealt.

    start: the place where nothing is named.
    """
    move = number(request, "m", 0 if "d" in request.GET else start.move)
    return Place(number(request, "d", start.deal), move)


def load(request: HttpRequest, uuid: UUID) -> MatchPage:
    """Return the match, or 404 when the reader may not know of it."""
    try:
        return match_page(uuid, viewer(request))
    except Match.DoesNotExist as missing:
        slug = Match.objects.filter(uuid=uuid).values_list("stage__tournament__slug", flat=True).first()
        # Asked second, as for an event: most matches are seen without a link. A 404 either way.
        if slug is None or not is_guest(request, slug):
            raise Http404(str(uuid)) from missing
    try:
        return match_page(uuid, viewer(request), is_guest=True)
    except Match.DoesNotExist as missing:
        raise Http404(str(uuid)) from missing


def steps_of(spot: Spot, around: tuple[Place | None, Place | None], last: int) -> dict[str, str]:
    """Return the addresses that the controls lead to. around: the places before and after; last: how many deals."""
    before, after = around
    deal = spot.place.deal
    return {
        "before": spot.at(before),
        "after": spot.at(after),
        "up": spot.at(Place(deal - 1, 0) if deal > 1 else None),
        "down": spot.at(Place(deal + 1, 0) if deal < last else None),
    }


def replay_context(
    request: HttpRequest, document: dict[str, Any], start: Place = BEGINNING, *, choices: Mapping[str, str] = NOTHING
) -> dict[str, Any]:
    """Return everything the viewer part of the page shows. start: where it begins if the address names no place.

    choices: parts of the query that its links take along. What only the viewer shows is worked out when it is drawn:
    `_kept_replay.html` keeps it drawn for a while.
    """
    asked, view = place_asked(request, start), number(request, "s", 0)
    replay = read(document)
    place = clamp(replay, asked.deal, asked.move)
    view = view if view <= len(replay.sides) else 0
    words = phrasebook_of(get_language() or "en", replay.game)
    deal = replay.deals[place.deal - 1]
    table = when_drawn(table_at, replay, place, view, words)
    spot, best = Spot(place, view, choices), when_drawn(best_moments, replay)
    values = {"deal": deal.number, "deals": len(replay.deals), "move": place.move, "moves": len(deal.moves)}
    return {
        "replay": replay,
        "spot": spot,
        "book": words,
        "tables": tables(replay.game),
        "sprite": sprite_of(request),
        "table": table,
        # The card of results beside it says how the deal ended.
        "narration": when_drawn(lambda: deal_text(replay, words, deal, with_scores=False)[place.move]),
        "mover": deal.moves[place.move - 1].seat if place.move else None,
        "where": fill(words["interface"]["place"], {name: str(value) for name, value in values.items()}),
        "moves": when_drawn(moves_of, replay, words, spot, best),
        "best": when_drawn(lambda: " ".join(f"{one.deal}.{one.move}" for one in best)),
        "steps": steps_of(spot, neighbours(replay, place), len(replay.deals)),
        # At the ends its own number, on a control that does nothing.
        "deals_beside": (max(1, deal.number - 1), min(len(replay.deals), deal.number + 1)),
        "views": [(seat, spot.through(seat), name) for seat, name in enumerate(("", *replay.labelled_names()))],
        "knowledge": when_drawn(knowledge_text, replay, place, view, words),
        "yaku": when_drawn(lambda: yaku_lines(replay, table.position, words)),
        "calendar": when_drawn(lambda: calendar(replay, place, view, table.position)),
        "ending": when_drawn(lambda: ending_at(replay, place, table.position, words)),
        **account_of(replay, words, spot),
    }


def when_drawn(work: Callable[..., Any], *given: Any) -> Any:
    """Return what a function returns for these, worked out once and only if a template asks for it."""
    return SimpleLazyObject(partial(work, *given))


def moves_of(replay: Replay, words: Phrasebook, spot: Spot, best: Sequence[Place]) -> list[tuple[Row, str]]:
    """Return the moves of the deal at a spot, each with its address."""
    deal = replay.deals[spot.place.deal - 1]
    listed = rows(replay, words, deal, deal_text(replay, words, deal), best)
    return [(row, spot.at(Place(deal.number, row.number))) for row in listed]


def account_of(replay: Replay, words: Phrasebook, spot: Spot) -> dict[str, Any]:
    """Return what the viewer shows of the score: the result, each deal and the running totals."""
    place = spot.place
    return {
        # Said without drawing: the head of the page asks for it, and the rest may be kept.
        "begins_at_end": place.move == len(replay.deals[place.deal - 1].moves),
        "result_line": result_line(replay),
        "strip": [(deal, spot.at(Place(deal.number, 0))) for deal in replay.deals],
        "score_rows": when_drawn(score_rows, replay),
        "chart": when_drawn(chart, replay),
        "total_word": total_word(replay, words),
    }


def result_at(stage: Stage, replay: Replay) -> dict[str, Any]:
    """Return the result as the viewer shows it: what the stage ranks by stands first."""
    by_deals = stage.scoring == Stage.Scoring.ROUND_VICTORY
    return {"result_line": result_line(replay, ranks_by_deals=by_deals)}


def players_of(page: MatchPage) -> list[str]:
    """Return the names of the players in the order of the seats, told apart; who has several seats of a team is named
    once.
    """
    return [name for _letter, name in lettered_players(page)]


def lettered_players(page: MatchPage) -> list[tuple[str, str]]:
    """Return the players as `players_of`, each behind the letter of the team; "" where nobody shares a side."""
    players = [seat.entry.player if seat.entry else seat.player for seat in page.seats]
    sides = [seat.side for seat in page.seats]
    has_teams = len(set(sides)) < len(sides)
    names = told_apart([player.name if player else "" for player in players], sides)
    letters = [LETTERS[side] if has_teams else "" for side in sides]
    # Told apart, no name is of two sides.
    return [(letter, name) for name, letter in dict(zip(names, letters, strict=True)).items()]


def logged_at(logs: Sequence[SeatLog], place: Place) -> list[tuple[str, str]]:
    """Return what the reader's own bots printed before the move at a place: (name, text)."""
    return [
        (log.seat.entry.player.name if log.seat.entry else str(log.seat), piece.text)
        for log in logs
        for part in log.deals
        for piece in part.pieces
        if (piece.deal, piece.move) == (place.deal, place.move) and piece.text
    ]


def frame_lines(request: HttpRequest, page: MatchPage) -> str:
    """Return the HTML that shows the replay on another site; empty for an event that strangers may not see."""
    if page.match.stage.tournament.visibility == Tournament.Visibility.PRIVATE:
        return ""
    address = request.build_absolute_uri(reverse("match-embed", args=[page.match.uuid]))
    title = escape(f"Hanami: {' – '.join(players_of(page))}")
    return f'<iframe src="{address}" title="{title}" width="100%" height="{FRAME_HEIGHT}" loading="lazy"></iframe>'


@require_safe
def match(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Show the match page. `?d=3&m=17&s=1`: deal 3 after move 17, as seat 1 saw it."""
    page = load(request, uuid)
    document = served_document(page)
    context = {"page": page, "match": page.match, "stage": page.match.stage, "event": page.match.stage.tournament}
    context["players"] = players_of(page)
    context["lettered"] = lettered_players(page)
    context["preset"] = PRESETS.get(page.match.stage.preset)
    if page.match.stage.tournament.visibility == Tournament.Visibility.PRIVATE:
        # The stream of live events knows no session: this token says that the reader may hear of the match.
        context["live_token"] = live_token([page.match.channel])
    # 99 stands behind every place: seats without a result come last.
    context["results"] = sorted(page.seats, key=lambda seat: (seat.place or 99, seat.index))
    if document is not None:
        logs, shown = logs_of(page.seats, viewer(request)), replay_context(request, document)
        context |= {"document": document, "logs": logs, **shown, "embed": frame_lines(request, page)}
        context |= result_at(page.match.stage, shown["replay"])
        context["record_url"] = record_address(page, document)
        context["logged"] = logged_at(logs, shown["spot"].place)
    context |= {"ruling": ruling(page.match, viewer(request)), "own_won": _has_own_winner(page, viewer(request))}
    context["level"] = level_text(page.match, page.report.body if page.report else None)
    # An extra deal has the table of the legs that ended level: the page leads there.
    if page.match.extra:
        same = Match.objects.filter(round=page.match.round_id, table_no=page.match.table_no, extra=0)
        context["first_leg"] = same.order_by("leg").first()
    if page.match.stage.tournament.is_of_people and page.match.deal_set_id is None:
        may_score = bool(organiser_roles(page.match.stage.tournament, viewer(request)))
        # Not "table": that is the one of the replay, which a match on this site has as well.
        context |= {"reported": table_of(page.match), "may_score": may_score}
        context["is_on_paper"] = document is None and not page.match.is_at_table_here
    context["attempts"] = attempts_of(page.match, viewer(request))
    version = f"{page.version}.{page.match.state}.{page.place}"
    zone = page.match.stage.tournament.time_zone
    return render_page(request, "matches/match.html", context, version=version, zone=zone)


def _has_own_winner(page: MatchPage, person: User | None) -> bool:
    winners = (seat.bot_version for seat in page.seats if seat.place == 1 and seat.bot_version is not None)
    return person is not None and any(version.bot.owner_id == person.pk for version in winners)


def version_of(page: MatchPage, document: Mapping[str, Any]) -> str:
    """Return letters that change whenever the served record says something else: names go, bots change theirs, a seed
    is shown.
    """
    version = f"{document['hash']}.{document['view']['seed']}.{page.names}.{page.bots}"
    return sha256(version.encode()).hexdigest()[:16]


def record_address(page: MatchPage, document: Mapping[str, Any]) -> str:
    """Return where the viewer of a page finds the record as it was when the page was made: it may be cached."""
    return f"{reverse('match-record', args=[page.match.uuid])}?{urlencode({'v': version_of(page, document)})}"


@require_safe
def match_record(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Send the record document of a finished match, for the viewer, for download and for `verify`.

    `?v=`: the version that a viewer's page named; while it is this one the browser may keep it for an hour.
    """
    page = load(request, uuid)
    document = served_document(page)
    if document is None:
        raise Http404(_("This match has no record yet: it is not finished."))
    version = version_of(page, document)
    etag = fragment_etag(request, version)
    if is_known(request.headers.get("If-None-Match"), etag):
        return HttpResponseNotModified()
    response = JsonResponse(document, json_dumps_params={"ensure_ascii": False, "separators": (",", ":")})
    response["ETag"] = etag
    is_named = request.GET.get("v") == version
    # An address with the version never shows another content; without it names may change any time.
    response["Cache-Control"] = f"private, max-age={HOUR}" if is_named else "private, no-cache"
    if "download" in request.GET:
        response["Content-Disposition"] = f'attachment; filename="hanami-{page.match.uuid}.json"'
    return response


@require_safe
def match_compact_record(request: HttpRequest, uuid: UUID) -> HttpResponse:
    """Send the record with its seed in place of every order of cards: anyone who has the engine can play it again."""
    page = load(request, uuid)
    document = served_document(page)
    seed = known_seed(page, document)
    # While a leg of the deal set is still played the seed would show its players the cards.
    if document is None or seed is None:
        raise Http404(_("There is no compact record before every leg of this deal set is finished."))
    etag = fragment_etag(request, f"compact.{document['hash']}")
    if is_known(request.headers.get("If-None-Match"), etag):
        return HttpResponseNotModified()
    small = compact(document, bytes.fromhex(seed))
    response = JsonResponse(small, json_dumps_params={"ensure_ascii": False, "separators": (",", ":")})
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    response["Content-Disposition"] = f'attachment; filename="hanami-{page.match.uuid}.compact.json"'
    return response


@require_safe
def replay_words(request: HttpRequest, language: str, game: str) -> HttpResponse:
    """Send the words and card tables of the viewer in one language: one small file, the same for every match of a
    game.
    """
    if language not in LANGUAGES:
        raise Http404(language)
    content = {"book": phrasebook_of(language, game), "tables": tables(game)}
    response = JsonResponse(content, json_dumps_params={"ensure_ascii": False, "separators": (",", ":")})
    patch_cache_control(response, public=True, max_age=HOUR)
    return response
