"""Claiming and playing matches of tournaments."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from random import SystemRandom
from typing import Final

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.db.models.functions import Now

from activity import wake_ups
from activity.domain_events import DomainEvent
from activity.journal import publish, publish_queue_change
from bots.errors import InfraFault
from bots.jobs import attempts, claims
from bots.jobs.loading import files_of
from bots.jobs.process import Process
from bots.models import BotVersion
from bots.runner.spec import MatchSpec
from bots.runner.table import play
from tournaments.domain_events.matches import MatchChanged, MatchClaimed
from tournaments.lifecycle.time_limits import clock_of
from tournaments.lifecycle.transitions import transition
from tournaments.matches import timeout_policy
from tournaments.matches.deal_sets import rules_at, seed_of_deals
from tournaments.matches.records.record import record_result
from tournaments.models import Match, Round, Seat, Tournament

# Drawn at random where nothing else waits, for the time between two legs of a deal set.
PAUSE_S: Final = (0.2, 2.0)
# Between two legs of a deal set other matches are played for so long, if any wait.
APART: Final = timedelta(seconds=10)


def queue() -> QuerySet[Match]:
    """Return the matches that may be claimed: those of a paused or cancelled event are not among them.

    Of a deal set one leg at a time, in order: bots that play two with the same cards must not play them side by side.
    """
    others = Match.objects.filter(deal_set=OuterRef("deal_set"))
    # Not claimed and no earlier leg queued. The claim itself is a conditional UPDATE (`bots.jobs.claims`), so two
    # workers that see the same row never both get it.
    first = others.filter(Q(state=Match.State.CLAIMED) | Q(state=Match.State.QUEUED, leg__lt=OuterRef("leg")))
    return Match.objects.filter(~Exists(first), stage__tournament__state=Tournament.State.RUNNING)


def _apart() -> QuerySet[Match]:
    """Return those of them with whose cards nobody played just now."""
    # Now() of the database, not of this machine: `finished_at` was written by other workers, whose clocks may differ.
    played = Match.objects.filter(deal_set=OuterRef("deal_set"), finished_at__gte=Now() - APART)
    return queue().filter(~Exists(played))


def waiting() -> int:
    """Count the matches that could be claimed now, up to 1,000."""
    # The slice is a LIMIT below the COUNT: a queue of 100,000 is not counted for a yes or no.
    return queue().filter(state=Match.State.QUEUED)[:1_000].count()


def play_batch(process: Process) -> int:
    """Claim about five seconds of matches, play and record them. Returns how many were tried (0: none waits)."""
    began = time.monotonic()
    batch = _claim(process, _apart())
    process.note_claim(time.monotonic() - began)
    if not batch.rows and waiting():
        # When a leg ends, a bot can choose by computing; when the next one begins, it is not to know.
        time.sleep(SystemRandom().uniform(*PAUSE_S))
        batch = _claim(process, queue())
    if not batch.rows:
        return 0
    publish_queue_change()
    tried = attempts.play_rows(batch, WORK_KIND, process)
    publish_queue_change()
    wake_ups.notify_pending("tail")
    return tried


def _claim(process: Process, matches: QuerySet[Match]) -> claims.Batch[Match]:
    rows, size = in_full(Match.objects.all()), process.batch_size
    return claims.claim(matches, rows=rows, worker=process.worker, limit=size, on_claim=_claimed)


def _claimed(rows: list[Match]) -> None:
    """Do, in the claiming transaction, what begins with a claim: rounds that begin, and news for pages."""
    play_round = transition(Round, "play")
    rounds = {row.round_id for row in rows if row.round_id}
    # Only rounds that have not begun: of two workers that claim from one round the second changes no row.
    Round.objects.filter(pk__in=rounds, state__in=play_round.sources).update(state=play_round.target)
    claimed = {"state": Match.State.CLAIMED.value}
    # Sorted: two workers that publish to the same events lock their channels in one order.
    events = sorted({row.stage.tournament.channel for row in rows})
    publish(
        *(MatchClaimed(row.channel, match=str(row.uuid), **claimed) for row in rows),
        *(MatchClaimed(channel, **claimed) for channel in events),
    )


def events_of(match: Match, state: str) -> Sequence[DomainEvent]:
    """Return the news for the match's page and its event's page."""
    channels = (match.channel, match.stage.tournament.channel)
    return [MatchChanged(channel, match=str(match.uuid), state=state) for channel in channels]


def play_match(match: Match, heartbeat: Callable[[], None], process: Process) -> None:
    """Play one claimed match in the sandbox and record it. No transaction is open while it is played."""
    spec = spec_of(match)
    played = play(spec, process.launcher(), heartbeat=heartbeat)
    # Before it is recorded: a timeout that may be our own fault is played again, and leaves no result.
    timeout_policy.apply_timeout_policy(match, played)
    record_result(match, spec, played, then=process.following)


def spec_of(match: Match) -> MatchSpec:
    """Return what the table needs to know. Raises InfraFault if the row has no deal set or a seat no version."""
    stage, deal_set = match.stage, match.deal_set
    if deal_set is None or stage.secret is None or stage.mix is None:
        raise InfraFault("match.unseeded", "this match has no deal set or its stage no secret; start the event again")
    return MatchSpec(
        match_id=str(match.uuid),
        ruleset=rules_at(match),
        preset=stage.preset,
        seats=match.seats_n,
        seed=seed_of_deals(stage, deal_set),
        leg=match.leg,
        fair=fair_of(match),
        bots=tuple(files_of(version) for version in _versions(match)),
        clock=clock_of(stage),
    )


def fair_of(match: Match) -> dict[str, object]:
    """Return the record's `fair` object: what was committed to before the match (site.md section 3)."""
    assert match.deal_set is not None
    return {
        "stage": match.stage.commitment,
        "commit": match.deal_set.commit,
        "deal_set": str(match.deal_set.uuid),
        "leg": match.leg,
    }


def _versions(match: Match) -> list[BotVersion]:
    return [seat.bot_version for seat in match.seats.all() if seat.bot_version is not None]


def in_full(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Add everything that recording, folding and verifying read."""
    seats = Prefetch("seats", queryset=Seat.objects.select_related("entry", "bot_version").order_by("index"))
    return matches.select_related("stage__tournament", "stage__ruleset", "deal_set", "round").prefetch_related(seats)


WORK_KIND: Final = attempts.WorkKind(play=play_match, events=events_of)
