"""Seeds from the rating pools: a preview for everybody, then those numbers as the organiser's own.

A number is the conservative value that leaderboards go by, mu - 3 sigma, of the version that would play. Numbers are
taken once: what is played later does not move seeds that were looked at.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext as _

from accounts.models import User
from core.errors import TournamentError
from tournaments.lifecycle.transitions import ORGANISERS, may
from tournaments.models import Entry, Rating, RatingPool, Stage, Tournament
from tournaments.pairing.constraints import RATING
from tournaments.pairing.constraints_actions import seed_stage
from tournaments.ratings.entries import RatedEntry, rated
from tournaments.undo.recorder import undoable

LADDERS: Final = 20
OUT: Final = (Entry.State.WITHDRAWN, Entry.State.DISQUALIFIED)


@dataclass(frozen=True, slots=True)
class RatedSeeds:
    """Seeds a stage would have: the best first, those without a rating last. hash: names exactly this."""

    stage: Stage
    pool: RatingPool
    lines: tuple[RatedEntry, ...]
    hash: str


def pools_for(stage: Stage) -> list[RatingPool]:
    """Return the pools that may seed a stage, of its preset and of others: tables like its own first, then ladders."""
    rated = Rating.objects.filter(pool=OuterRef("pk"))
    rows = RatingPool.objects.filter(Exists(rated)).select_related("stage__tournament")
    boards = list(rows.filter(stage=None))
    public = Q(stage__tournament__visibility=Tournament.Visibility.PUBLIC)
    ladders = list(rows.filter(public, stage__isnull=False, preset=stage.preset).order_by("-pk")[:LADDERS])
    boards.sort(key=lambda pool: (pool.preset != stage.preset, pool.seats != stage.seats_pref, pool.preset, pool.seats))
    return [*boards, *ladders]


def pool_of(stage: Stage, wanted: str, among: Sequence[RatingPool] | None = None) -> RatingPool:
    """Return the pool of that number. among: `pools_for` this stage, if they are at hand.

    Raises TournamentError "wishes.no_pool".
    """
    found = next((pool for pool in (pools_for(stage) if among is None else among) if str(pool.pk) == wanted), None)
    if found is None:
        message = _("These ratings no longer exist. Choose from the list.")
        raise TournamentError(message, code="wishes.no_pool", extra={"field": "pool"})
    return found


def preview_ratings(*, stage: Stage, by: User, pool: RatingPool) -> RatedSeeds:
    """Return what everybody who is entered would get.

    Writes nothing. Raises TournamentError "tournament.not_organiser".
    """
    may(stage.tournament, by, ORGANISERS, "wishes")
    rows = Entry.objects.filter(tournament=stage.tournament_id).exclude(state__in=OUT)
    rows = rows.select_related("player__bot__active_version", "bot_version")
    entries = list(rows.order_by(F("seed").asc(nulls_last=True), "pk"))
    lines = sorted(rated(entries, pool), key=lambda line: (line.value is None, -(line.value or 0.0)))
    text = "\n".join([str(pool.pk), *(f"{line.entry.uuid} {line.value}" for line in lines)])
    return RatedSeeds(stage, pool, tuple(lines), hashlib.sha256(text.encode()).hexdigest()[:32])


@undoable("seed_stage")
def take_ratings(*, stage: Stage, by: User, pool: RatingPool, seen: str) -> RatedSeeds:
    """Seed a stage by what was previewed. seen: its hash.

    Raises what `seed_stage` raises, "wishes.moved" (a rating or an entry changed since), "wishes.nobody_rated".
    """
    found = preview_ratings(stage=stage, by=by, pool=pool)
    if found.hash != seen:
        message = _("A rating or an entry changed in the meantime. Check again, then use them.")
        raise TournamentError(message, code="wishes.moved")
    numbers = {str(line.entry.uuid): line.value for line in found.lines if line.value is not None}
    if not numbers:
        message = _("No entry has such a rating. Choose other ratings, or enter numbers.")
        raise TournamentError(message, code="wishes.nobody_rated", extra={"field": "pool"})
    seed_stage(stage=stage, by=by, seeding=RATING, numbers=numbers)
    return found
