"""Page of the bracket of an elimination stage: a drawing, and a list that says the same."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from bots.templatetags.hanami import sprite_of
from core.formats.elimination.model import Bracket
from tournaments.models import Player, Stage
from tournaments.pages.events import chain
from tournaments.pages.events.event import load, render_event
from tournaments.pages.standings.bracket_drawing import LINE, THIRD, Box, Drawing, drawing_of, last_match
from tournaments.pages.standings.bracket_letters import NARROW_ROOMS, WIDE_ROOMS, Rooms, fitted
from tournaments.pages.standings.bracket_words import (
    MatchText,
    RoundText,
    SeatText,
    champion_of,
    round_texts,
    round_title,
)
from tournaments.standings.bracket_now import BracketNow, brackets_of

BASELINE = 21
BATCH_SIZE = 40
"""Matches that one page lists; with more it shows one round at a time."""


@dataclass(frozen=True, slots=True)
class DrawnMatch:
    """A box of the drawing with its words. lines: (top, baseline, seat, its name as it fits) of each; winner: number in
    the draw of who came first, 0 while it is not over; spot: of `_spots`.
    """

    box: Box
    said: MatchText
    lines: tuple[tuple[int, int, SeatText, str], ...]
    spot: str

    @property
    def winner(self) -> int:
        """Return the number of who came first."""
        return next((seat.seed for _top, _base, seat, _short in self.lines if seat.won), 0)


@dataclass(frozen=True, slots=True)
class Champion:
    """The box at the right end. x, y: its corner; short: the name as it fits; seed: the number in the draw; player:
    whose emblem stands there.

    The last three are empty while the bracket is on: the box keeps the place free.
    """

    x: int
    y: int
    short: str
    seed: int
    player: Player | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """One bracket of the page. rounds: those that are listed; all_rounds: for the way from one to the other.

    boxes: of the drawing; columns: the heading of each column, and whether it stands above it; heads: (x, y, name,
    spot) of those inside the drawing; seats: of a table.
    best: the champion's box; None where the bracket has several finals. now: the number of the first column that is
    not over, from 1.
    """

    group: str
    champion: str
    rounds: tuple[RoundText, ...]
    all_rounds: tuple[RoundText, ...]
    drawing: Drawing | None
    boxes: tuple[DrawnMatch, ...]
    columns: tuple[tuple[str, bool], ...]
    heads: tuple[tuple[int, int, str, str], ...]
    best: Champion | None
    now: int
    seats: int


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
    context["sprite"] = sprite_of(request)
    return render_event(request, page, "bracket", context)


def _shown(now: BracketNow, stage: Stage, wanted: str) -> Shown:
    rounds = tuple(round_texts(now, stage))
    drawing = drawing_of(now.bracket)
    by_id = {line.id: line for each in rounds for line in each.lines}
    spots = _spots(drawing) if drawing else {}
    rooms = _rooms(drawing) if drawing else WIDE_ROOMS
    boxes = (
        tuple(_drawn(box, by_id[box.match.id], spots[box.x, box.y], rooms) for box in drawing.boxes) if drawing else ()
    )
    heads = (
        tuple((x, y, round_title(now.bracket, label), spots[x, y]) for x, y, label in drawing.heads) if drawing else ()
    )
    columns = tuple(_columns(now.bracket, drawing)) if drawing else ()
    champion = champion_of(now)
    best = _best(now, drawing, champion) if drawing else None
    open_at = min(
        (_column(drawing, each.box.x) for each in boxes if drawing and each.said.is_open),
        default=len(columns) - (2 if best else 1),
    )
    chosen = _chosen(rounds, wanted)
    seats = now.bracket.seats
    return Shown(now.group, champion, chosen, rounds, drawing, boxes, columns, heads, best, open_at + 1, seats)


def _column(drawing: Drawing, x: int) -> int:
    """Return the number of the column that begins there, from 0."""
    return x // drawing.grid.column


def _spots(drawing: Drawing) -> dict[tuple[int, int], str]:
    """Return, by corner, the classes that say where a box or a heading stands on a phone: its column from the top.

    q: the column; k: half boxes above it. A heading takes half the height of a box.
    """
    heads = {(x, y) for x, y, _label in drawing.heads}
    spots: dict[tuple[int, int], str] = {}
    above: dict[int, int] = {}
    for x, y in sorted(heads | {(box.x, box.y) for box in drawing.boxes}):
        spots[x, y] = f"q{_column(drawing, x)} k{above.get(x, 0)}"
        above[x] = above.get(x, 0) + (1 if (x, y) in heads else 2)
    return spots


def _columns(bracket: Bracket, drawing: Drawing) -> list[tuple[str, bool]]:
    """Return the heading of each column; one of the lower rounds alone takes theirs, which is in the drawing."""
    below = [label for _x, _y, label in drawing.heads if label != THIRD]
    found = [
        (round_title(bracket, label or below[number]), bool(label)) for number, label in enumerate(drawing.columns)
    ]
    return [*found, (_("Champion"), True)] if drawing.champion else found


def _best(now: BracketNow, drawing: Drawing, name: str) -> Champion | None:
    bracket = now.bracket
    last = last_match(bracket)
    if drawing.champion is not None and not bracket.is_over:
        return Champion(*drawing.champion, "", 0)
    if drawing.champion is None or last is None or last.order[0] not in bracket.entries:
        return None
    short, winner = fitted(name, _rooms(drawing).winner), last.order[0]
    return Champion(*drawing.champion, short, bracket.entries.index(winner) + 1, now.players.get(winner))


def _rooms(drawing: Drawing) -> Rooms:
    """Return how much of a name has room in its boxes."""
    return NARROW_ROOMS if drawing.is_dense else WIDE_ROOMS


def _drawn(box: Box, match_text: MatchText, spot: str, rooms: Rooms) -> DrawnMatch:
    """Return the box with its seats in the order of the table; where more than two sat, by place once it is over."""
    seats: Sequence[SeatText] = match_text.seats
    if box.cut:
        seats = sorted(seats, key=lambda seat: seat.place or len(match_text.seats))
    lines = ((LINE * number, LINE * number + BASELINE, seat, seat.short(rooms)) for number, seat in enumerate(seats))
    return DrawnMatch(box, match_text, tuple(lines), spot)


def _chosen(rounds: tuple[RoundText, ...], wanted: str) -> tuple[RoundText, ...]:
    """Return the round asked for; all if they are few; else the first that is not over."""
    if wanted:
        return tuple(each for each in rounds if each.label == wanted)
    if sum(len(each.lines) for each in rounds) <= BATCH_SIZE:
        return rounds
    going = [each for each in rounds if not each.is_over]
    return tuple(going[:1] or rounds[-1:])
