"""Events that begin as soon as they are made: comparisons of versions, and the ladders of the house.

Nobody enters by hand before they begin, so there is nothing to announce first. The stage's secret is made and
committed to in the transaction that makes the event, before the first deal set is.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from accounts.models import User
from bots.runner.spec import CLOCKS, Clock
from engine.deck import commitment, nonce_mix
from engine.game import Ruleset as Rules
from tournaments.lifecycle.time_limits import figures_of
from tournaments.models import Ruleset, Stage, Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """An event of one stage. rounds: of a ladder, deal sets for each entry (0: any number); of a comparison, its cap.

    scoring: of the stage. is_challenge, official_deal_sets: as in `TournamentSettings`.
    """

    name: str
    slug: str
    description: str = ""
    visibility: str
    kind: str
    preset: str
    rules: Rules
    seats: int
    rounds: int
    scoring: str
    legs: str
    clock: Clock = CLOCKS["standard"]
    max_entries: int = 64
    entries_per_owner: int = 64
    ends_at: datetime | None = None
    is_challenge: bool = False
    official_deal_sets: int | None = None


def open_event(by: User, wanted: Opening) -> Stage:
    """Open the event and its active stage. Raises IntegrityError if its address is taken. Needs a transaction."""
    event = Tournament.objects.create(
        slug=wanted.slug,
        name=wanted.name,
        description=wanted.description,
        state=Tournament.State.RUNNING,
        visibility=wanted.visibility,
        max_entries=wanted.max_entries,
        entries_per_owner=wanted.entries_per_owner,
        is_challenge=wanted.is_challenge,
        official_deal_sets=wanted.official_deal_sets,
        created_by=by,
        started_at=timezone.now(),
    )
    secret = secrets.token_bytes(32)
    row, _made = Ruleset.objects.get_or_create(
        sha256=wanted.rules.hash.removeprefix("sha256:"),
        defaults={"game": wanted.rules.game, "canonical": wanted.rules.canonical()},
    )
    return Stage.objects.create(
        tournament=event,
        kind=wanted.kind,
        state=Stage.State.ACTIVE,
        ruleset=row,
        preset=wanted.preset,
        seats_min=wanted.seats,
        seats_pref=wanted.seats,
        seats_max=wanted.seats,
        rounds_planned=min(wanted.rounds, 32_767),  # as much as the column of two bytes holds
        ends_at=wanted.ends_at,
        scoring=wanted.scoring,
        legs=wanted.legs,
        clock=wanted.clock.id,
        clock_figures=figures_of(wanted.clock),
        secret=secret,
        commitment=commitment(secret),
        mix=nonce_mix({}),
    )
