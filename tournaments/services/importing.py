"""An event from a file, by somebody: what it would make, and making it."""

from __future__ import annotations

import string
from datetime import timedelta
from typing import Final

from django.db import IntegrityError
from django.utils.crypto import get_random_string
from django.utils.text import slugify
from django.utils.translation import gettext as _

from accounts.models import User
from bots.metering import count
from bots.runner.spec import CUSTOM
from tournaments.errors import TournamentError
from tournaments.interchange.event import Event
from tournaments.jobs import importing
from tournaments.jobs.importing import Bounds, Judged
from tournaments.models import Tournament
from tournaments.services.creating import EventPlan, create_tournament
from tournaments.services.drafts import require_room

PER_HOUR: Final = 30
SETTINGS: Final = (
    "name",
    "description",
    "visibility",
    "time_zone",
    "min_entries",
    "max_entries",
    "entries_per_owner",
)
STAGE: Final = (
    "preset",
    "kind",
    "seats_min",
    "seats_max",
    "advance",
    "third_place",
    "scoring",
    "legs",
    "bye_policy",
)
BY_PAGE: Final = Bounds(bytes=32 * 1024 * 1024, moves=400_000, rows=50_000)
"""What a page takes: a judgement of some seconds at most. The command takes more."""
ADDRESSES_TRIED: Final = 3


def judge_file(*, by: User, data: bytes) -> Judged:
    """What a file holds, checked and proven as far as that goes without writing.

    Raises TournamentError "event.*" (extra: where) and "event.rate" (extra: retry_after).
    """
    wait = count(f"event.import:{by.pk}", most=PER_HOUR, within=timedelta(hours=1))
    if wait is not None:
        message = _("%(n)s files in an hour are the limit. Try again in %(minutes)s minutes.")
        shown = {"n": PER_HOUR, "minutes": -(-wait // 60)}
        raise TournamentError(message % shown, code="event.rate", extra={"retry_after": wait})
    return importing.judge(data, BY_PAGE)


def import_event(*, by: User, judged: Judged) -> Tournament:
    """Make what was judged: a copy in the archive, or a draft of the same set-up, without its entries.

    Never changes an event that is there. Raises TournamentError "event.*", "tournament.*".
    """
    if not judged.is_over:
        return create_tournament(by=by, plan=plan_of(judged.event))
    require_room(by)
    for _attempt in range(ADDRESSES_TRIED):
        try:
            return importing.write(judged, by=by, slug=address(judged))
        except IntegrityError:  # somebody took the address at the same moment
            continue
    message = _("Too many events of this name are being made just now. Try again in a moment.")
    raise TournamentError(message, code="tournament.name_taken")


def plan_of(event: Event) -> EventPlan:
    """The set-up of an event as a plan for another one. Raises TournamentError "event.stages"."""
    if len(event.stages) != 1:
        message = _("Of an event of several stages that is not over no draft can be made yet.")
        raise TournamentError(message, code="event.stages", extra={"where": "stages"})
    said, stage = event.tournament, event.stages[0]
    shared = {name: getattr(said, name) for name in SETTINGS}
    kept = {name: getattr(stage, name) for name in STAGE}
    return EventPlan(
        options=stage.ruleset.options,
        seats=stage.seats_pref,
        rounds=stage.rounds_planned,
        tie_breaks=tuple(stage.tie_breaks),
        clock=stage.clock.name,
        figures=stage.clock.figures if stage.clock.name == CUSTOM else {},
        **shared,
        **kept,
    )


def address(judged: Judged) -> str:
    """An address for it that nobody guesses: a copy is not listed."""
    stem = slugify(judged.event.tournament.name)[:40].rstrip("-") or "event"
    return f"{stem}-{get_random_string(8, string.ascii_lowercase + string.digits)}"
