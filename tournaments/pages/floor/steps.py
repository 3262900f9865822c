"""The organiser's next step at the desk: what the dashboard and the results page lead to."""

from __future__ import annotations

from typing import Any

from accounts.models import User
from tournaments.lifecycle.visibility import EventPage
from tournaments.models import Match, Round, Stage, Tournament
from tournaments.pages.lifecycle.words import verbs_for
from tournaments.progress import rounds as calling
from tournaments.progress.run import possible_verbs
from tournaments.scores import tables as desk

T = Tournament.State


def step_of(page: EventPage, rounds: list[Round], tables: list[desk.Table]) -> str:
    """Return the organiser's next step: "start", "call", "wait", "draw", "close" or nothing."""
    event, stage = page.event, page.stage
    if event.state in (T.DRAFT, T.PUBLISHED, T.REGISTRATION):
        return "start"
    if event.state != T.RUNNING or stage.state != Stage.State.ACTIVE or not rounds:
        return ""
    if stage.flows and Match.objects.filter(stage=stage).exclude(state__in=desk.SETTLED).exists():
        return "flow"
    if any(table.match.state == Match.State.READY for table in tables):
        return "call"
    if any(each.state not in (Round.State.COMPLETE, Round.State.LOCKED) for each in rounds):
        return "wait"
    # 0 for an earlier round that is shown: then the bracket itself is asked.
    last = len(tables) if tables and tables[0].match.round_id == rounds[-1].pk else 0
    is_over = not stage.format.needs_results or not calling.may_follow(stage, len(rounds), last)
    return "close" if is_over else "draw"


def is_last(page: EventPage) -> bool:
    """Return whether signing this stage ends the event."""
    others = [each for each in page.stages if each.pk != page.stage.pk]
    return all(each.state == Stage.State.CLOSED for each in others)


def before_start(page: EventPage, by: User) -> dict[str, Any]:
    """Return the button that leads on from a draft to round 1; nothing later."""
    if page.event.state not in (T.DRAFT, T.PUBLISHED, T.REGISTRATION):
        return {}
    verbs = verbs_for(possible_verbs(page.event, by), page)
    return {"next_verb": next((verb for verb in verbs if verb.is_next), None)}
