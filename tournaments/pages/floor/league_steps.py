"""The steps of an event of bots to its start, as the dashboard shows them: entries, a rehearsal, the start."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from tournaments.entries.people import BEFORE
from tournaments.lifecycle.visibility import EventPage, entries_of
from tournaments.models import Entry
from tournaments.pages.lifecycle.words import Verb
from tournaments.simulation.actions import rehearsal_of
from tournaments.simulation.jobs import DONE

FACES: Final = 12
"""Entries that are shown with their emblems; the page of all entries is one click away."""
IN: Final = (Entry.State.ENTERED, Entry.State.ACTIVE)


def league_steps(page: EventPage, verbs: Sequence[Verb]) -> dict[str, Any]:
    """Return what the steps show, and which of them is next: "entries", "rehearse", "start"; nothing once it runs.

    Two queries: the rehearsal, and the entries once they are shown.
    """
    if not page.is_organiser or page.event.state not in BEFORE:
        return {}
    has_rehearsal = not page.stage.format.is_open_ended
    job = rehearsal_of(page.event) if has_rehearsal else None
    next_verb = next((verb for verb in verbs if verb.is_next), None)
    return {
        "next_verb": next_verb,
        "cancel_verb": next((verb for verb in verbs if verb.needs_reason), None),
        "step": _step(next_verb, is_rehearsed=job is not None or not has_rehearsal),
        "faces": entries_of(page.event).filter(state__in=IN)[:FACES],
        "more_faces": max(0, page.entered - FACES),
        "has_rehearsal": has_rehearsal,
        "rehearsed": job if job is not None and job.state == DONE else None,
    }


def _step(verb: Verb | None, *, is_rehearsed: bool) -> str:
    if verb is None or verb.id != "start" or verb.is_blocked:
        return "entries"
    return "start" if is_rehearsed else "rehearse"
