"""Pairing constraints: club mates apart, fixed tables, seeds, whether results are rated. A form for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from accounts.alphabet import ByName, name_key
from accounts.models import User
from core.errors import TournamentError
from core.formats.ages import MAX_GAP
from engine.errors import DomainError
from tournaments.lifecycle.visibility import EventPage
from tournaments.models import Entry, RatingPool, Stage, Tournament
from tournaments.models.settings import MAX_LEADER_ROUNDS
from tournaments.pages.events import chain
from tournaments.pages.events.event import load, render_event
from tournaments.pairing import constraints, constraints_actions
from tournaments.ratings import actions as own_ratings
from tournaments.ratings import seeds
from web.page import signed_in
from web.presets import preset_title
from web.refusals import refused, with_wait
from web.statuses import status_of

SeedsOfStage = tuple[Stage, str, dict[str, Any]]
"""A stage that waits, its name, and how it is seeded."""
WAYS = (
    (
        constraints.ENTERED,
        gettext_lazy("in order: the first stage by seed and then by entry, later stages by rank"),
    ),
    (constraints.DRAW, gettext_lazy("by lots, from the committed secret")),
    (constraints.HAND, gettext_lazy("by hand: number 1 is the first seed")),
    (constraints.RATING, gettext_lazy("by rating: the highest number is the first seed")),
)
FIELDS: Final[Mapping[str, str]] = {
    "tournament.bad_age_gap": "age-gap",
    "tournament.bad_leaders": "leaders-meet",
    "wishes.same": "pair-other",
    "wishes.too_many": "pair-one",
    "wishes.bad_table": "table",
}
"""Id of the field to blame, by the code of a refusal; those of seeds have the number of their stage beside."""
OF_SEEDS: Final = frozenset({"tournament.bad_seeding", "wishes.no_numbers", "wishes.bad_number"})
# A page with more rows than that is no form any more.
MAXIMUM = 512


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def constraints_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show them, or store what was sent. Organisers only."""
    page = load(request, slug)
    if not page.is_organiser:
        raise Http404(slug)
    here = reverse("tournament-wishes", args=[slug])
    if request.method != "POST":
        return _shown(request, page, here)
    try:
        _act(request, page)
    except DomainError as refusal:
        return with_wait(_shown(request, page, here, refusal), refusal)
    messages.success(request, _("Saved. It applies from the next draw on."))
    return HttpResponseRedirect(here)


def _shown(request: HttpRequest, page: EventPage, here: str, refusal: DomainError | None = None) -> HttpResponse:
    """Show the page; `?pool=&stage=`: with everybody's rating, to be taken as seeds.

    refusal: of a form that was sent, which comes back with what was typed.
    """
    first = next((stage for stage in page.stages if stage.state == Stage.State.PLANNED), None)
    pools = seeds.pools_for(first) if first is not None else []
    if not request.GET.get("pool"):
        return _rendered(request, page, _context(page, pools, list(_entries(page)[:MAXIMUM])), refusal)
    try:
        stage, pool = _asked(page, request.GET.dict(), of=first, pools=pools)
        rated = seeds.preview_ratings(stage=stage, by=signed_in(request), pool=pool)
    except DomainError as unrated:
        return refused(request, unrated, back=here)
    entries = sorted((line.entry for line in rated.lines), key=_place)[
        :MAXIMUM
    ]  # read once, for both parts of the page
    context = {**_context(page, pools, entries), "rated": rated, "rated_by": pool_name(pool)}
    return _rendered(request, page, context, refusal)


def _rendered(
    request: HttpRequest, page: EventPage, context: dict[str, Any], refusal: DomainError | None
) -> HttpResponse:
    """Return the page; after a refusal with the form as it was sent, and the field to blame."""
    if refusal is None:
        return render_event(request, page, "wishes", context)
    sent = request.POST.dict()
    context |= {"refusal": refusal, "refusal_at": FIELDS.get(refusal.code, ""), "typed": {sent["verb"]: sent}}
    if sent["verb"] == "settings":
        context |= {name: sent.get(name, context[name]) for name in ("age_gap", "leaders")}
        context |= {"apart": "apart" in sent, "counts": "rated" in sent}
    if refusal.code in OF_SEEDS:
        wrong = str(refusal.extra.get("entry", "by"))
        context["refusal_at"] = f"n-{sent['stage']}-{wrong}" if wrong != "by" else f"seeding-{sent['stage']}"
        context["seedings"] = [_as_typed(each, sent, wrong) for each in context["seedings"]]
    answer = render_event(request, page, "wishes", context)
    answer.status_code = status_of(refusal)
    return answer


def _as_typed(seeding: SeedsOfStage, sent: Mapping[str, str], wrong: str) -> SeedsOfStage:
    """Return the seeds of a stage as a form has them that was sent for it. wrong: "by", or the entry to blame."""
    stage, name, shown = seeding
    if str(stage.order) != sent["stage"]:
        return seeding
    lines = [(entry, sent.get(f"n_{entry.uuid}", "")) for entry, _value in shown["lines"]]
    return stage, name, {"by": sent.get("seeding", ""), "lines": lines, "refused": wrong}


def _place(entry: Entry) -> tuple[bool, int, str, int]:
    """Return the sort key of the order of `_entries`."""
    return entry.seed is None, entry.seed or 0, name_key(entry.player.name), entry.pk


def _asked(
    page: EventPage, sent: Mapping[str, str], *, of: Stage | None = None, pools: Sequence[RatingPool] = ()
) -> tuple[Stage, RatingPool]:
    """Return the stage and the pool of ratings that are meant. pools: those for the stage `of`."""
    stage = next((each for each in page.stages if str(each.order) == sent.get("stage", "")), None)
    if stage is None:
        raise Http404("stage")
    # The pools at hand are good for a stage of the same rules: then nothing is asked twice.
    among = pools if of is not None and of.preset == stage.preset else None
    return stage, seeds.pool_of(stage, sent.get("pool", ""), among)


def pool_name(pool: RatingPool) -> str:
    """Return in words what a pool rates."""
    name = preset_title(pool.preset)
    shown = {"game": name, "seats": pool.seats, "who": pool.get_who_display()}
    if pool.stage is not None:
        return _("%(event)s (%(game)s)") % {"event": pool.stage.tournament.name, "game": name}
    if pool.sides < pool.seats:
        return _("%(game)s, %(seats)s seats, %(sides)s sides: %(who)s") % {**shown, "sides": pool.sides}
    return _("%(game)s, %(seats)s seats: %(who)s") % shown


def _act(request: HttpRequest, page: EventPage) -> None:
    verb, by = request.POST.get("verb", ""), signed_in(request)
    if verb == "settings":
        with transaction.atomic():  # all that the form has, or, where one is refused, none
            for part in request.POST.getlist("part"):
                if part not in SETTINGS:
                    raise Http404(part)
                SETTINGS[part](page.event, by, request.POST)
    elif verb in ("pair", "unpair"):
        two = {name: request.POST.get(name, "")[:40] for name in ("one", "other")}
        constraints_actions.separate_two(tournament=page.event, by=by, **two, apart=verb == "pair")
    elif verb == "table":
        entry = _entries(page).filter(uuid__in=_uuids(page, request.POST.get("entry", ""))).first()
        if entry is None:
            raise Http404("entry")
        constraints_actions.fix_table(entry=entry, by=by, table=_number(request.POST.get("table", "")))
    elif verb == "seeding":
        stage = next((each for each in page.stages if str(each.order) == request.POST.get("stage", "")), None)
        if stage is None:
            raise Http404("stage")
        wanted = request.POST.get("seeding", "")
        constraints_actions.seed_stage(stage=stage, by=by, seeding=wanted, numbers=_numbers(request.POST.dict()))
    elif verb == "ratings":
        stage, pool = _asked(page, request.POST.dict())
        seeds.take_ratings(stage=stage, by=by, pool=pool, seen=request.POST.get("seen", "")[:40])
    else:
        raise Http404(verb)


def _apart(event: Tournament, by: User, sent: QueryDict) -> None:
    constraints_actions.separate_clubs(tournament=event, by=by, apart=bool(sent.get("apart")))


def _ages(event: Tournament, by: User, sent: QueryDict) -> None:
    constraints_actions.choose_age_gap(tournament=event, by=by, years=_number(sent.get("age_gap", "")) or 0)


def _leaders(event: Tournament, by: User, sent: QueryDict) -> None:
    rounds = _number(sent.get("leaders", ""))
    constraints_actions.let_leaders_meet(tournament=event, by=by, rounds=-1 if rounds is None else rounds)


def _rated(event: Tournament, by: User, sent: QueryDict) -> None:
    own_ratings.rate_event(tournament=event, by=by, rated=bool(sent.get("rated")))


SETTINGS: Final[Mapping[str, Callable[[Tournament, User, QueryDict], None]]] = {
    "apart": _apart,
    "ages": _ages,
    "leaders": _leaders,
    "rated": _rated,
}
"""Settings of one form, by the name of their part of it."""


def _uuids(page: EventPage, wanted: str) -> list[Any]:
    """Return the entry that is named so, if there is one."""
    return [uuid for uuid in _entries(page).values_list("uuid", flat=True) if str(uuid) == wanted]


def _number(text: str) -> int | None:
    """Return the number of a field; None for an empty one, -1, which every service refuses, for what is no number."""
    if not text.strip():
        return None
    return int(text) if text.strip().isdecimal() and len(text) < 6 else -1


def _numbers(sent: Mapping[str, str]) -> dict[str, float]:
    """Return the numbers beside the names; empty ones are none. Raises TournamentError "wishes.bad_number"."""
    found = {}
    for name, text in sent.items():
        if name.startswith("n_") and text.strip():
            try:
                # A comma, too: people write decimals as their language does.
                found[name.removeprefix("n_")] = float(text.replace(",", ".")[:20])
            except ValueError as wrong:
                message = _("“%(text)s” is not a number. Leave the field empty or enter a number.") % {
                    "text": text[:20]
                }
                extra: dict[str, object] = {"entry": name.removeprefix("n_")}
                raise TournamentError(message, code="wishes.bad_number", extra=extra) from wrong
    return found


def _entries(page: EventPage) -> Any:
    # The same order as `_place`, in SQL: entries without a seed last on both databases.
    rows = Entry.objects.filter(tournament=page.event).exclude(state__in=("withdrawn", "disqualified"))
    return rows.select_related("player").order_by(F("seed").asc(nulls_last=True), ByName("player__name"), "pk")


def _context(page: EventPage, pools: Sequence[RatingPool], entries: list[Entry]) -> dict[str, Any]:
    """Return the context of the page, without a query besides the page's own. pools: seeds for the first stage that
    waits.
    """
    waiting = [stage for stage in page.stages if stage.state == Stage.State.PLANNED]
    names = {str(entry.uuid): entry.player.name for entry in entries}
    fixed = ((str(entry.uuid), entry.fixed_table) for entry in entries)
    pairs = constraints.pairs_of(page.event)
    return {
        "apart": constraints.separates_clubs(page.event),
        "has_ages": page.event.age_gap or constraints_actions.may_rule_ages(page.event, page.stages),
        "age_gap": page.event.age_gap,
        "max_gap": MAX_GAP,
        "leaders": constraints.leaders_meet(page.event),
        "leader_choices": range(MAX_LEADER_ROUNDS + 1),
        "at_swiss_tables": any(stage.format.seats_leaders_together for stage in page.stages),
        "may_part": page.event.state in constraints_actions.BEFORE,
        "is_over": page.event.state in constraints_actions.OVER,
        "entries": entries,
        "fixed": [(names[uuid], uuid, table) for uuid, table in sorted(fixed) if table is not None],
        "pairs": [(names[one], names[other], one, other) for one, other in pairs if {one, other} <= names.keys()],
        "turns": any(stage.format.changes_partners for stage in page.stages),
        "ways": WAYS,
        "seedings": [(stage, chain.name_of(stage), _seeding(stage, entries)) for stage in waiting],
        "pools": [(pool.pk, pool_name(pool)) for pool in pools],
        "counts": page.event.rated,
    }


def _seeding(stage: Stage, entries: list[Entry]) -> dict[str, Any]:
    """Return how a stage is seeded, and the number of everybody."""
    rule = constraints.seeding_of(stage)
    places = {entry: str(place) for place, entry in enumerate(rule.hand, start=1)}
    shown = places or {entry: f"{value:g}" for entry, value in rule.ratings.items()}
    return {"by": rule.by, "lines": [(entry, shown.get(str(entry.uuid), "")) for entry in entries]}
