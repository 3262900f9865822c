"""How the rounds of a stage are drawn: order of priorities, leaders, acceleration, table sizes, rules about pairs."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from accounts.alphabet import ByName
from accounts.models import User
from engine.errors import DomainError
from tournaments.lifecycle.field_words import PRIORITIES
from tournaments.lifecycle.visibility import EventPage
from tournaments.models import Entry, PairRule, Stage
from tournaments.models.draw_settings import MAX_ACCELERATED
from tournaments.models.settings import MAX_LEADER_ROUNDS
from tournaments.pages.events import chain
from tournaments.pages.events.event import load, render_event
from tournaments.pages.pairing.constraints import MAXIMUM
from tournaments.pairing import draw_settings, pair_rules, table_sizes
from tournaments.pairing.constraints_actions import OVER
from web.page import signed_in
from web.refusals import refused

KINDS: Final = (
    (PairRule.Kind.NEVER, gettext_lazy("never meet")),
    (PairRule.Kind.LATER, gettext_lazy("do not meet in the first rounds, up to round")),
    (PairRule.Kind.TOGETHER, gettext_lazy("sit together in round")),
)
OPEN: Final = (Stage.State.PLANNED, Stage.State.SEEDED, Stage.State.ACTIVE)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def draw_settings_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the settings, or store what was sent. Organisers only."""
    page = load(request, slug)
    if not page.is_organiser:
        raise Http404(slug)
    here = reverse("tournament-draw-settings", args=[slug])
    if request.method != "POST":
        return render_event(request, page, "draws", _context(page), template="tournaments/draws.html")
    try:
        _act(request, page, signed_in(request))
    except DomainError as refusal:
        return refused(request, refusal, back=here)
    messages.success(request, _("Saved. It applies from the next draw on."))
    if request.POST.get("back") == "next":
        order = request.POST.get("stage", "")
        return HttpResponseRedirect(f"{reverse('tournament-next', args=[slug])}?stage={number(order)}")
    return HttpResponseRedirect(here)


def _act(request: HttpRequest, page: EventPage, by: User) -> None:
    sent, verb = request.POST, request.POST.get("verb", "")
    if verb == "draw":
        draw_settings.choose_draw_settings(stage=_stage(page, sent.get("stage", "")), by=by, changes=_changes(request))
    elif verb == "sizes":
        small, _dash, large = sent.get("sizes", "").partition("-")
        sizes = {"smallest": number(small), "largest": number(large)}
        table_sizes.choose_table_sizes(stage=_stage(page, sent.get("stage", "")), by=by, **sizes)
    elif verb == "rule":
        stage = _stage(page, sent["stage"]) if sent.get("stage") else None
        words = {name: sent.get(name, "")[:200] for name in ("kind", "one", "other", "reason")}
        rounds = number(sent.get("round", "")) if sent.get("kind") != PairRule.Kind.NEVER else 0
        pair_rules.add_pair_rule(tournament=page.event, by=by, stage=stage, round_number=rounds, **words)
    elif verb == "unrule":
        pair_rules.remove_pair_rule(tournament=page.event, by=by, rule=number(sent.get("rule", "")))
    else:
        raise Http404(verb)


def _stage(page: EventPage, order: str) -> Stage:
    stage = next((each for each in page.stages if str(each.order) == order), None)
    if stage is None:
        raise Http404("stage")
    return stage


def number(text: str) -> int:
    """Return a whole number that was sent; -1, which no service takes, for anything else."""
    return int(text) if text.strip().isdecimal() and len(text) < 10 else -1


def _changes(request: HttpRequest) -> dict[str, Any]:
    sent = request.POST
    leaders = sent.get("leader_rounds", "")
    return {
        "priorities": sent.get("priorities", "")[:40],
        "leader_rounds": number(leaders) if leaders else None,
        "leader_tables": number(sent.get("leader_tables", "1")),
        "leader_first": bool(sent.get("leader_first")),
        "accelerated_rounds": number(sent.get("accelerated_rounds", "0")),
    }


def _context(page: EventPage) -> dict[str, Any]:
    event = page.event
    is_over = event.state in OVER
    stages = [stage for stage in page.stages if stage.state in OPEN and not is_over]
    rows = Entry.objects.filter(tournament=event).exclude(state__in=("withdrawn", "disqualified"))
    entries = list(rows.select_related("player").order_by(F("seed").asc(nulls_last=True), ByName("player__name"), "pk"))
    able = [stage for stage in stages if pair_rules.is_kept_by(stage, PairRule.Kind.NEVER)]
    return {
        "is_over": is_over,
        "parts": [_part(stage, max(page.entered, event.min_entries)) for stage in stages],
        "rules": [(rule, _said(rule)) for rule in pair_rules.rules_in(event)],
        "able": [(stage, chain.name_of(stage)) for stage in able],
        "kinds": KINDS,
        "entries": entries[:MAXIMUM],
    }


def _part(stage: Stage, entries: int) -> dict[str, Any]:
    """Return what the page shows of one stage. entries: the number its tables are counted for."""
    may_size = table_sizes.may_choose(stage)
    return {
        "stage": stage,
        "name": chain.name_of(stage),
        "takes_rules": stage.format.takes_draw_rules,
        "at_tables": stage.format.seats_leaders_together,
        "priorities": [(value, PRIORITIES[value]) for value in Stage.Priorities.values],
        "leader_choices": range(MAX_LEADER_ROUNDS + 1),
        "leaders": draw_settings.leader_rounds_of(stage),
        "accelerated_choices": range(MAX_ACCELERATED + 1),
        "entries": entries,
        "layouts": table_sizes.layouts_of(stage, entries) if may_size else [],
    }


def _said(rule: PairRule) -> str:
    """Return a rule in words."""
    shown = {"one": rule.one.player.name, "other": rule.other.player.name, "n": rule.round_number}
    if rule.kind == PairRule.Kind.NEVER:
        return _("%(one)s and %(other)s never meet.") % shown
    if rule.kind == PairRule.Kind.LATER:
        return _("%(one)s and %(other)s do not meet up to round %(n)s.") % shown
    return _("%(one)s and %(other)s sit together in round %(n)s.") % shown
