"""The schedule of an event: its rounds, the one that is on first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournaments.matches import chains, schedule
from tournaments.matches.schedule import TableBlock
from tournaments.models import Match, Stage, Tournament
from tournaments.pages.events import chain
from tournaments.pages.events.event import load, render_event
from tournaments.pages.ratings import ladder
from tournaments.pages.standings.round_names import RoundName, round_names
from tournaments.standings import boards
from tournaments.standings.boards import RoundOfTeams

WAITING: Final = (Match.State.PENDING, Match.State.READY, Match.State.QUEUED)
FEW: Final = 16
"""Tables up to which all rounds stand open; above it only the first one shown does."""


@dataclass(frozen=True, slots=True)
class Part:
    """What stands below one heading. key: for its address on the page; title: of a round of a bracket, else ""."""

    key: str
    title: str
    shown: RoundOfTeams


@require_safe
def rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the schedule: every table with its legs; of many rounds the last ones, as many as there is room for."""
    page = load(request, slug, stage=request.GET.get("stage", "")[:3])
    if page.stage.format.is_open_ended:
        template, context = ladder.matches(request, page)
        return render_event(request, page, "rounds", context, template=template)
    all_rounds = schedule.rounds_of(page.stage)
    wanted = request.GET.get("round", "")
    chosen = schedule.chosen_rounds(all_rounds, wanted, page.stage.seats_pref)
    if wanted and wanted not in {str(each.number) for each in all_rounds}:
        raise Http404(wanted)
    blocks = boards.with_meetings(page.stage, schedule.round_blocks(page.stage, chosen))
    running = page.event.state in (Tournament.State.RUNNING, Tournament.State.PAUSED)
    # More rounds will follow from the results of these: the page says that the schedule is not complete.
    goes_on = running and page.stage.state == Stage.State.ACTIVE and page.stage.format.needs_results
    parts = named_parts(page.stage, newest_first(page.stage, blocks))
    context = {"rounds": all_rounds, "parts": parts, "chosen": chosen, "goes_on": goes_on}
    context |= {"is_folded": sum(len(each.block.tables) for each in blocks) > FEW}
    context |= {"earlier": chosen[0].number - 1} if len(chosen) > 1 else {}
    context |= {"stage_tabs": chain.tabs(page), "comers": chains.comers_of(page.stage)}
    return render_event(request, page, "rounds", context)


def newest_first(stage: Stage, blocks: Sequence[RoundOfTeams]) -> list[RoundOfTeams]:
    """Return the round that is on, then those before it, the newest first, then those to come in their order."""
    begun = [n for n, each in enumerate(blocks) if any(map(_has_begun, each.block.tables))]
    # Where rounds are drawn one by one the last of them is the one that is on, also while it waits to be called.
    now = len(blocks) - 1 if stage.format.is_round_by_round else max(begun, default=0)
    return [*reversed(blocks[: now + 1]), *blocks[now + 1 :]]


def named_parts(stage: Stage, rounds_shown: Sequence[RoundOfTeams]) -> list[Part]:
    """Return the rounds with their headings; of a bracket by its own names, the final before the match for third place.

    Two queries at most, of a stage without a bracket none.
    """
    names = round_names(stage, [table.legs[0] for each in rounds_shown for table in each.block.tables])
    return [part for each in rounds_shown for part in _parts(stage, each, names)]


def _parts(stage: Stage, each: RoundOfTeams, names: Mapping[int, RoundName]) -> list[Part]:
    block, number = each.block, str(each.block.round.number)
    by_name: dict[RoundName | None, list[TableBlock]] = {}
    for table in block.tables:
        by_name.setdefault(names.get(table.legs[0].pk), []).append(table)
    if None in by_name or not by_name:
        return [Part(number, "", each)]
    found = []
    for n, name in enumerate(sorted(filter(None, by_name), key=lambda one: one.place, reverse=True)):
        tables = tuple(by_name[name])
        # Who sits out is said once.
        own = replace(block, tables=tables) if n == 0 else replace(block, tables=tables, resting=(), requested=())
        key = f"{number}-{name.place}" if n else number
        found.append(Part(key, name.title, RoundOfTeams(own, boards.meetings_of(stage, tables))))
    return found


def _has_begun(table: TableBlock) -> bool:
    return any(leg.state not in WAITING for leg in table.legs)
