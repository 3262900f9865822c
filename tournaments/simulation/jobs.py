"""Rehearsal jobs and their results: one for each event, in Redis, without a row.

A rehearsal is worth ten seconds of a worker and changes nothing, so losing it costs a click. A worker holds a lease
that runs out on its own; the job of a dead worker can be taken again. Each request has a token: a worker writes only
while the token is still its own, so a later request replaces one under way.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final
from uuid import uuid4

import redis
from django.utils.translation import gettext as _

from activity import wake_ups
from core.errors import TournamentError
from tournaments.models import Tournament

RETENTION_S: Final = 30 * 24 * 3600
# Renewed every second of a rehearsal of twenty (`inputs.PUBLISH_EVERY_S`): it runs out only when the worker is gone.
LEASE_S: Final = 120
TRIES: Final = 3
RUNS: Final = 200
WAITING: Final = "hanami:rehearsals"
WAITS, WORKS, DONE, FAILED = "waiting", "working", "done", "failed"
OPEN: Final = (WAITS, WORKS)


@dataclass(frozen=True, slots=True)
class Asked:
    """Question of an organiser. entries: how many; minutes of a match, and between two of them.

    tables: how many there are, None = as many as needed; tables_an_arbiter: how many one arbiter looks after.
    """

    entries: int
    match_minutes: float
    change_minutes: float = 10.0
    tables: int | None = None
    tables_an_arbiter: int = 8
    runs: int = RUNS


@dataclass(frozen=True, slots=True)
class Job:
    """One request. plan: hash of the plan that is (or was) rehearsed; done: runs; tries: how often it was begun.

    told: the figures (`rehearsal.Rehearsal` as JSON) once it is done. code, message: why it failed.
    """

    token: str
    asked: Asked
    plan: str
    state: str = WAITS
    done: int = 0
    tries: int = 0
    told: Mapping[str, Any] = field(default_factory=dict)
    code: str = ""
    message: str = ""

    @property
    def is_open(self) -> bool:
        """True if it is still to be worked on."""
        return self.state in OPEN


def _key(uuid: str) -> str:
    return f"hanami:rehearsal:{uuid}"


def _lease(uuid: str) -> str:
    return f"{_key(uuid)}:lease"


def ask(event: Tournament, asked: Asked, plan: str) -> tuple[Job, bool]:
    """Put it into the queue. Returns it and whether it is new: the same request while it is open is one.

    Raises TournamentError "rehearsal.unavailable" while Redis does not answer.
    """
    uuid = str(event.uuid)
    try:
        before = find(uuid)
        if before is not None and before.is_open and (before.asked, before.plan) == (asked, plan):
            return before, False
        job = Job(uuid4().hex, asked, plan)
        # Both in one MULTI: a job without its place in the queue would never be played.
        with wake_ups.redis_client().pipeline() as pipe:
            pipe.set(_key(uuid), _text(job), ex=RETENTION_S)
            pipe.sadd(WAITING, uuid)
            pipe.execute()
    except redis.RedisError as lost:
        message = _("We cannot start rehearsals right now. Try again in a moment.")
        raise TournamentError(message, code="rehearsal.unavailable") from lost
    return job, True


def find(uuid: str) -> Job | None:
    """Return the last request of an event, None if there was none lately. Raises RedisError."""
    found = wake_ups.redis_client().get(_key(uuid))
    return _job(found) if isinstance(found, bytes) else None


def waiting() -> list[str]:
    """Return events whose rehearsal is open and that nobody works on. Raises RedisError."""
    store = wake_ups.redis_client()
    listed = sorted(each.decode() if isinstance(each, bytes) else each for each in store.smembers(WAITING))
    leases = store.mget([_lease(uuid) for uuid in listed]) if listed else []
    return [uuid for uuid, lease in zip(listed, leases, strict=True) if lease is None]


def work_waits() -> bool:
    """Return whether a worker should get a wake-up; False while Redis does not answer."""
    try:
        return bool(waiting())
    except wake_ups.BROKER_ERRORS:
        return False


def claim(uuid: str) -> Job | None:
    """Take it, for as long as the lease lasts; None if another worker has it or nothing is to be done any more."""
    store = wake_ups.redis_client()
    # SET NX: of two workers one gets the lease. It expires, so that a job whose worker died is taken again.
    if not store.set(_lease(uuid), "held", nx=True, ex=LEASE_S):
        return None
    job = find(uuid)
    if job is None or not job.is_open:
        store.srem(WAITING, uuid)
        store.delete(_lease(uuid))
        return None
    mine = replace(job, state=WORKS, done=0, tries=job.tries + 1)
    return mine if write(uuid, mine) else None


def write(uuid: str, job: Job) -> bool:
    """Write the progress and renew the lease; a finished job leaves the queue. False if another request came later."""
    with wake_ups.redis_client().pipeline() as pipe:
        while True:
            try:
                # Optimistic lock: if the job changes between this read and EXEC, nothing is written and it is read
                # again.
                pipe.watch(_key(uuid))  # type: ignore[no-untyped-call]  # the library says no types here
                found = pipe.get(_key(uuid))
                is_ours = isinstance(found, bytes) and _job(found).token == job.token
                pipe.multi()
                _steps(pipe, uuid, job, is_ours=is_ours)
                pipe.execute()
            except redis.WatchError:
                continue
            return is_ours


def _steps(pipe: redis.client.Pipeline, uuid: str, job: Job, *, is_ours: bool) -> None:
    """Queue the writes of one transaction.

    For a later request only the lease is given up, so that a worker takes it.
    """
    if is_ours:
        pipe.set(_key(uuid), _text(job), ex=RETENTION_S)
    if is_ours and not job.is_open:
        pipe.srem(WAITING, uuid)
    if is_ours and job.state == WORKS:
        pipe.set(_lease(uuid), "held", ex=LEASE_S)
    else:
        pipe.delete(_lease(uuid))


def _text(job: Job) -> str:
    return json.dumps(asdict(job), separators=(",", ":"))


def _job(text: bytes) -> Job:
    found = json.loads(text)
    return Job(**{**found, "asked": Asked(**found["asked"])})
