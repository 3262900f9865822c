"""What is wished of draws: club mates apart, fixed tables, seeds. One page, a form for each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from bots.views.page import signed_in
from bots.views.refusals import refused
from engine.errors import DomainError
from tournaments.errors import TournamentError
from tournaments.jobs import draw_rules
from tournaments.models import Entry, Stage
from tournaments.selectors.events import EventPage
from tournaments.services import draw_wishes
from tournaments.views import chain
from tournaments.views.event import load, render_event

WAYS = (
    (draw_rules.ENTERED, gettext_lazy("as they come: the first stage by seed and then first come, later ones by rank")),
    (draw_rules.DRAW, gettext_lazy("by lots, from the committed secret")),
    (draw_rules.HAND, gettext_lazy("by hand: number 1 is the first seed")),
    (draw_rules.RATING, gettext_lazy("by rating: the highest number is the first seed")),
)
MOST = 512


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def wishes_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show them, or keep what was sent. Organisers only."""
    page = load(request, slug)
    if not page.is_organiser:
        raise Http404(slug)
    here = reverse("tournament-wishes", args=[slug])
    if request.method != "POST":
        return render_event(request, page, "wishes", _context(page))
    try:
        _act(request, page)
    except DomainError as refusal:
        return refused(request, refusal, back=here)
    messages.success(request, _("Kept. It counts from the next draw."))
    return HttpResponseRedirect(here)


def _act(request: HttpRequest, page: EventPage) -> None:
    verb, by = request.POST.get("verb", ""), signed_in(request)
    if verb == "apart":
        draw_wishes.keep_apart(tournament=page.event, by=by, apart=bool(request.POST.get("apart")))
    elif verb == "table":
        entry = _entries(page).filter(uuid__in=_uuids(page, request.POST.get("entry", ""))).first()
        if entry is None:
            raise Http404("entry")
        draw_wishes.fix_table(entry=entry, by=by, table=_number(request.POST.get("table", "")))
    elif verb == "seeding":
        stage = next((each for each in page.stages if str(each.order) == request.POST.get("stage", "")), None)
        if stage is None:
            raise Http404("stage")
        wanted = request.POST.get("seeding", "")
        draw_wishes.seed_stage(stage=stage, by=by, seeding=wanted, numbers=_numbers(request.POST.dict()))
    else:
        raise Http404(verb)


def _uuids(page: EventPage, wanted: str) -> list[Any]:
    """The entry that is named so, if there is one."""
    return [uuid for uuid in _entries(page).values_list("uuid", flat=True) if str(uuid) == wanted]


def _number(text: str) -> int | None:
    """A table; None for an empty field. Raises "wishes.bad_table"."""
    if not text.strip():
        return None
    return int(text) if text.strip().isdecimal() and len(text) < 6 else 0


def _numbers(sent: Mapping[str, str]) -> dict[str, float]:
    """The numbers beside the names; empty ones are none. Raises TournamentError "wishes.bad_number"."""
    found = {}
    for name, text in sent.items():
        if name.startswith("n_") and text.strip():
            try:
                found[name.removeprefix("n_")] = float(text.replace(",", ".")[:20])
            except ValueError as wrong:
                message = _("“%(text)s” is no number. Leave the field empty or write one.") % {"text": text[:20]}
                raise TournamentError(message, code="wishes.bad_number") from wrong
    return found


def _entries(page: EventPage) -> Any:
    rows = Entry.objects.filter(tournament=page.event).exclude(state__in=("withdrawn", "disqualified"))
    return rows.select_related("player").order_by("seed", "player__name", "pk")


def _context(page: EventPage) -> dict[str, Any]:
    """Two queries besides the page's own."""
    entries = list(_entries(page)[:MOST])
    tables = draw_rules.fixed_tables(page.event)
    waiting = [stage for stage in page.stages if stage.state == Stage.State.PLANNED]
    names = {str(entry.uuid): entry.player.name for entry in entries}
    return {
        "apart": draw_rules.keeps_clubs_apart(page.event),
        "may_part": page.event.state in draw_wishes.BEFORE,
        "is_over": page.event.state in draw_wishes.OVER,
        "entries": entries,
        "fixed": [(names[uuid], uuid, table) for uuid, table in sorted(tables.items()) if uuid in names],
        "ways": WAYS,
        "seedings": [(stage, chain.name_of(stage), _seeding(stage, entries)) for stage in waiting],
    }


def _seeding(stage: Stage, entries: list[Entry]) -> dict[str, Any]:
    """How a stage is seeded, and the number of everybody."""
    rule = draw_rules.seeding_of(stage)
    places = {entry: str(place) for place, entry in enumerate(rule.hand, start=1)}
    shown = places or {entry: f"{value:g}" for entry, value in rule.ratings.items()}
    return {"by": rule.by, "lines": [(entry, shown.get(str(entry.uuid), "")) for entry in entries]}
