"""The sweep: every quarter of a minute, what was lost is taken back and rung for again, closed entries are pinned.

Ready bots enter the official ladders, which are opened anew when their month is over.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from accounts.answers import forget_answers
from accounts.failed_logins import forget_failed_logins
from accounts.posting import ring_if_waiting
from accounts.sessions import forget_sessions
from bots import bells
from bots.jobs import checks, claims
from bots.journal import forget_told, tell_queue
from bots.metering import forget_meters
from bots.models import Check
from bots.selectors.workers import idle_processes
from tournaments.jobs import (
    advancing,
    challenge_drawing,
    deriving,
    drawing,
    hooking,
    hooking_claims,
    house_ladders,
    ladder_drawing,
    mailing,
    mailing_digests,
    noticing,
    photos,
    playing,
    rating_pools,
    rehearsals,
    stages,
    tailing,
    tallying,
)
from tournaments.models import Match

METERS_KEPT: Final = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class Swept:
    """What a sweep did: rows taken back, expired leases dropped, bells rung."""

    taken_back: int
    leases: int
    bells: int


def sweep() -> Swept:
    """Give back what hangs on expired leases, then ring for whatever waits. Harmless to run twice at once."""
    taken = claims.take_back_expired(Check, checks.notes) + claims.take_back_expired(Match, playing.notes)
    leases = claims.drop_empty_leases([Check, Match])
    drawing.pin_closed_entries()
    house_ladders.keep_open()
    house_ladders.enter_ready()
    forget_told(tailing.unread())
    forget_meters(older_than=METERS_KEPT)
    forget_answers()
    forget_sessions()
    forget_failed_logins()
    ring_if_waiting()
    hooking.forget_deliveries()
    mailing_digests.make_digests()
    mailing.forget_mails()
    noticing.forget_notices()
    photos.forget_photos()
    tallying.add_up()
    if taken:
        tell_queue()
    return Swept(taken, leases, _ring())


def _ring() -> int:
    rung = 0
    waiting = checks.waiting() + playing.waiting()
    if waiting:
        times = min(waiting, idle_processes())
        rung += times * bells.ring("play", times)
    to_draw = advancing.waiting().exists() or stages.beginning().exists() or ladder_drawing.are_waiting()
    to_draw = to_draw or challenge_drawing.are_waiting()
    if to_draw or deriving.work_waits() or rating_pools.stale().exists():
        rung += bells.ring("derive")
    if rehearsals.work_waits():
        rung += bells.ring("rehearse")
    if tailing.is_behind():
        bells.ring_once("tail")
    if hooking_claims.due().exists():
        bells.ring_once("send")
    if mailing.waiting():
        bells.ring_once("mail")
    return rung
