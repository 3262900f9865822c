"""Page of the rules of one event: every rule as it holds there, those that differ from the preset marked."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from engine.games import option_table
from tournaments.lifecycle.house_rules import house_rules, preset_name, rules_at
from tournaments.pages.events import chain
from tournaments.pages.events.event import load, render_event
from tournaments.pages.rules.rule_card import rule_card
from tournaments.pages.rules.rules import chart_line, option_line


@require_safe
def event_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the rules that the event is played by, for anyone who may see it. `?stage=`: of another stage."""
    page = load(request, slug, stage=request.GET.get("stage", "")[:3])
    rules, different = rules_at(page.stage), {each.id: each for each in house_rules(page.stage)}
    options = [
        (option_line(info, getattr(rules.options, info.id)), different.get(info.id))
        for info in option_table(rules.game)
    ]
    sizes = range(page.stage.seats_min, page.stage.seats_max + 1)
    chart = [chart_line(rules, seats) for seats in sizes]
    context: dict[str, Any] = {
        "card": rule_card(page.stage),
        "chart": chart,
        "has_field": any(line.field for line in chart),
        "has_discard": any(line.discard for line in chart),
        "house_rules": list(different.values()),
        "options": options,
        "named": preset_name(page.stage),
        "stage_tabs": chain.tabs(page),
        "shown": str(page.stage.order),
        "heading": _("Rules of this event"),
    }
    return render_event(request, page, "rules", context, template="tournaments/rules.html")
