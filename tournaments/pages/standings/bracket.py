"""Page of the bracket of an elimination stage: a drawing, and a list that says the same."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments.models import Stage
from tournaments.pages.events import chain
from tournaments.pages.events.event import load, render_event
from tournaments.pages.standings.bracket_drawing import LINE, Box, Drawing, drawing_of
from tournaments.pages.standings.bracket_words import (
    MatchText,
    RoundText,
    SeatText,
    champion_of,
    round_texts,
    round_title,
)
from tournaments.standings.bracket_now import BracketNow, brackets_of

BASELINE = 16
BATCH_SIZE = 40
"""Matches that one page lists; with more it shows one round at a time."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One bracket of the page. rounds: those that are listed; all_rounds: for the way from one to the other.

    boxes: of the drawing, each with its match in words and (height, seat) of its lines; heads: (x, y, name) of its
    columns.
    """

    group: str
    champion: str
    rounds: tuple[RoundText, ...]
    all_rounds: tuple[RoundText, ...]
    drawing: Drawing | None
    boxes: tuple[tuple[Box, MatchText, tuple[tuple[int, SeatText], ...]], ...]
    heads: tuple[tuple[int, int, str], ...]


@require_safe
def bracket_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the bracket of the stage asked for, else of the last stage that is one. 404 where an event has none."""
    page = load(request, slug, stage=request.GET.get("stage", "")[:3])
    own = [stage for stage in page.stages if stage.format.is_bracket]
    if not page.stage.format.is_bracket:
        if request.GET.get("stage") or not own:
            raise Http404(slug)
        page = load(request, slug, stage=str(own[-1].order))
    wanted = request.GET.get("round", "")[:4]
    shown = [_shown(now, page.stage, wanted) for now in brackets_of(page.stage)]
    if wanted and not any(each.rounds for each in shown):
        raise Http404(wanted)
    orders = {str(stage.order) for stage in own}
    tabs = [(value, words) for value, words in chain.tabs(page) if value in orders]
    context = {"brackets": shown, "stage_tabs": tabs if len(own) > 1 else [], "shown": str(page.stage.order)}
    return render_event(request, page, "bracket", context)


def _shown(now: BracketNow, stage: Stage, wanted: str) -> Shown:
    rounds = tuple(round_texts(now, stage))
    drawing = drawing_of(now.bracket)
    by_id = {line.id: line for each in rounds for line in each.lines}
    boxes = (
        tuple((box, by_id[box.match.id], _lines(box, by_id[box.match.id])) for box in drawing.boxes) if drawing else ()
    )
    heads = tuple((x, y, round_title(now.bracket, label)) for x, y, label in drawing.heads) if drawing else ()
    return Shown(now.group, champion_of(now), _chosen(rounds, wanted), rounds, drawing, boxes, heads)


def _lines(box: Box, match_text: MatchText) -> tuple[tuple[int, SeatText], ...]:
    """Return the seats in the order of the table; where more than two sat, by place once it is over."""
    seats = (
        sorted(match_text.seats, key=lambda seat: seat.place or len(match_text.seats)) if box.cut else match_text.seats
    )
    return tuple((LINE * number + BASELINE, seat) for number, seat in enumerate(seats))


def _chosen(rounds: tuple[RoundText, ...], wanted: str) -> tuple[RoundText, ...]:
    """Return the round asked for; all if they are few; else the first that is not over."""
    if wanted:
        return tuple(each for each in rounds if each.label == wanted)
    if sum(len(each.lines) for each in rounds) <= BATCH_SIZE:
        return rounds
    going = [each for each in rounds if not each.is_over]
    return tuple(going[:1] or rounds[-1:])
