"""The check of an upload: what `bots.trials` puts it through, claimed and recorded.

Claimed by the same claim-and-lease code as matches, in turn with them, and by half of the workers at most. The first
version of a bot that passes is activated on its own. The log is its owner's alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from django.db import connection, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext

from activity import wake_ups
from activity.domain_events import DomainEvent
from activity.journal import audit, publish, publish_queue_change
from bots import trials
from bots.domain_events import CheckChanged, VersionActivated, VersionChecked
from bots.jobs import attempts, claims
from bots.jobs.claims import LeaseLost
from bots.jobs.loading import files_of
from bots.jobs.process import Process
from bots.localization import to_stored
from bots.models import Blob, Bot, BotVersion, Check
from bots.runner.asking import asked_at
from bots.runner.spec import CLOCKS
from bots.selectors.workers import live_workers
from bots.trials import Finding
from bots.trials.findings import Tried

LOCK_SPACE: Final = 0x4A32
"""Of the advisory lock under which checks are claimed; folds have the one before (`tournaments.progress.derive`)."""


def play_waiting(process: Process) -> int:
    """Claim and play one check. Returns how many were played (0: none waits, or enough workers try some)."""
    # The cheap look comes before the advisory lock of `_admits`, for which all processes queue up.
    if not _queued().exists():  # most often; nobody needs to wait for the lock then
        return 0
    rows = Check.objects.select_related("version__bot")
    batch = claims.claim(queue(), rows=rows, worker=process.worker, limit=1, on_claim=_claimed, admits=_admits)
    played = attempts.play_rows(batch, WORK_KIND, process) if batch.rows else 0
    if played:
        publish_queue_change()
    return played


def queue() -> QuerySet[Check]:
    """Checks that may be claimed: one of each owner at a time, so nobody's uploads keep all workers from matches."""
    tried = Check.objects.filter(state=Check.State.CLAIMED).values("version__bot__owner")
    return Check.objects.exclude(version__bot__owner__in=tried)


def waiting() -> int:
    """Return how many checks could be claimed now."""
    queued = _queued().count()
    return max(0, min(queued, _room())) if queued else 0


def _queued() -> QuerySet[Check]:
    return queue().filter(state=Check.State.QUEUED)


def _room() -> int:
    """Return how many more may be tried at once: half of the workers play matches, no matter what is uploaded; one
    always is.
    """
    return max(1, live_workers().count() // 2) - Check.objects.filter(state=Check.State.CLAIMED).count()


def _admits() -> bool:
    """Return whether one more may be tried. Needs a transaction, and keeps others who ask waiting until its end.

    Two claims in one moment would both find room for one; SQLite has one writer anyway.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, 0)", [LOCK_SPACE])
    return _room() > 0


def _claimed(rows: list[Check]) -> None:
    publish(*(event for row in rows for event in events_of(row, Check.State.CLAIMED)))


def events_of(check: Check, state: str) -> Sequence[DomainEvent]:
    """Return the events for the bot's page."""
    return (CheckChanged(f"b:{check.version.bot.slug}", n=check.version.n, state=state),)


def play_check(check: Check, heartbeat: Callable[[], None], process: Process) -> None:
    """Put one upload through its trial and record the finding. Raises what `attempts.attempt` sorts out."""
    version = check.version
    candidate = trials.Candidate(files_of(version), tuple(version.plays), CLOCKS[version.clock])
    check_clock = partial(attempts.apply_timeout_policy, check)
    record(check, list(trials.run(candidate, process.launcher(), heartbeat=heartbeat, check_clock=check_clock)))


def _shown(finding: Finding) -> Sequence[Tried]:
    """Return the matches that are kept of a step: its smoke match, or the one in which the candidate failed it.

    A start that went well is told from the first smoke match, which the next finding has.
    """
    if finding.id.startswith("smoke."):
        return finding.tried
    return () if finding.ok or finding.failed is None else (finding.failed,)


def _log_of(finding: Finding) -> bytes:
    """Return what the candidate printed in the smoke matches, and where it failed."""
    shown = _shown(finding)
    titles = [f"=== {one.sitting.spec.preset} ===\n".encode() for one in shown]
    return b"".join(title + one.log + b"\n" for title, one in zip(titles, shown, strict=True) if one.log)


def record(check: Check, findings: Sequence[Finding]) -> None:
    """Write the finding once, guarded by attempt and lease. Raises LeaseLost if the claim is gone."""
    passed = all(finding.ok for finding in findings)
    # The static step was found at the upload; an earlier attempt of this check may have left other steps.
    before = [step for step in check.result.get("steps", []) if step["id"] == "static"]
    result = {
        "ok": passed,
        "steps": [*before, *({**finding.step(gettext), "said": to_stored(finding.text)} for finding in findings)],
        "matches": _matches(findings),
    }
    text = b"".join(_log_of(finding) for finding in findings)
    with transaction.atomic():
        # In the transaction of the result: a log without its check would be a blob that nothing names.
        blob = Blob.objects.put(text) if text else None
        # The guard and the write are one statement: a worker whose lease was taken back meanwhile writes nothing.
        done = claims.owned(check).update(
            state=Check.State.DONE, result=result, log=blob, lease=None, finished_at=timezone.now()
        )
        if not done:
            raise LeaseLost(f"check {check.pk}, attempt {check.attempt}: taken back before it was recorded")
        _settle_version(check.version, passed=passed)
        publish(*events_of(check, Check.State.DONE))


def _matches(findings: Sequence[Finding]) -> list[dict[str, object]]:
    """The figures of the smoke matches, and of the one in which the candidate failed."""
    return [_match_json(one) for finding in findings for one in _shown(finding)]


def _match_json(one: Tried) -> dict[str, object]:
    """The figures of a match; of one in which the candidate failed what it was asked there, too."""
    if one.forfeit is None:
        return one.to_json()
    asked = asked_at(one.played.document, one.sitting.seat, one.forfeit.deal, one.forfeit.move)
    return {**one.to_json(), "seat": one.sitting.seat, "asked": asked}


def _settle_version(version: BotVersion, *, passed: bool) -> None:
    state = BotVersion.State.READY if passed else BotVersion.State.FAILED
    Bot.objects.select_for_update(no_key=True).get(pk=version.bot_id)  # who suspends or hides just now is waited for
    checking = BotVersion.objects.filter(pk=version.pk, state=BotVersion.State.CHECKING)
    if not checking.update(state=state):
        return
    suspended = Bot.objects.filter(pk=version.bot_id, suspended_at__isnull=False).first()
    if passed and suspended is not None:  # meanwhile: it comes back with the others of its bot
        rows = BotVersion.objects.filter(pk=version.pk)
        rows.update(benched_at=suspended.suspended_at, bench_reason=suspended.suspended_reason)
    audit(VersionChecked, f"version:{version.uuid}", actor=None, after={"state": state})
    first = Bot.objects.filter(pk=version.bot_id, active_version__isnull=True)
    is_shown = BotVersion.objects.filter(pk=version.pk, hidden_at=None).exists()  # one held meanwhile may be hidden
    if passed and is_shown and first.update(active_version=version):
        audit(VersionActivated, f"version:{version.uuid}", actor=None, after={"n": version.n})
        # Ladders take the bot in and draw for it at once, not with the next sweep.
        wake_ups.notify_on_commit("derive")


WORK_KIND: Final = attempts.WorkKind(play=play_check, events=events_of)
