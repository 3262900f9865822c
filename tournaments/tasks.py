"""Wake-ups. Each only makes its receiver look; it carries nothing, and may be lost, late or doubled without harm."""

from __future__ import annotations

import time
from contextlib import ExitStack

import structlog
from celery import current_app, shared_task
from django.conf import settings

from activity import wake_ups
from bots.jobs import checks
from bots.jobs.process import Process, here, is_stopping
from bots.selectors.workers import is_draining, live_workers
from tournaments.matches import play as playing
from tournaments.notifications import consumer as noticing
from tournaments.notifications import mail as mailing
from tournaments.notifications.push import queue as pushes
from tournaments.notifications.push import sender as pushing
from tournaments.operations import publish, purge
from tournaments.operations import sweep as sweeping
from tournaments.progress import derive as deriving
from tournaments.progress import stages
from tournaments.progress.draws import next_round
from tournaments.ratings import pools
from tournaments.ratings.ladders import house
from tournaments.seasons import updating
from tournaments.simulation import inputs as rehearsing
from tournaments.simulation import jobs as rehearsals
from tournaments.webhooks import consumer as hooking
from tournaments.webhooks import deliveries, sender

RETRY_S = 1.0
# The time of the last periodic work of this process, monotonic, by the name of the work.
_done_at: dict[str, float] = {}
log = structlog.get_logger(__name__)


@shared_task(name=wake_ups.TASKS["play"])
def play() -> None:
    """Play one batch: a check of an upload or matches, in turn. Queue the task again if more waits."""
    process = here()
    if process is None or process.zygote is None or is_draining(process.worker):
        wake_ups.notify_pending("derive")
        _pass_on()
        return
    if process.is_paused:
        wake_ups.notify_pending("derive")
        return
    # A worker that is told to stop hands the wake-up on, or the match would wait for the sweep.
    if is_stopping():
        wake_ups.notify_pending("derive")
        wake_ups.notify_workers("play")
        return
    tried = _play_in_turn(process)
    more = bool(tried) and bool(playing.waiting() or checks.waiting())
    # Once a batch, not once a match: one fold takes in all that was recorded.
    wake_ups.notify_pending("derive", unless=lambda: more)
    if more:
        wake_ups.notify_workers("play")
    else:
        wake_ups.notify_held_back("derive")


def _play_in_turn(process: Process) -> int:
    """Play a check if there is one; after it matches, for as long as it took. Returns how many were tried."""
    if process.owed_s > 0:
        return _matches(process) or _check(process)
    return _check(process) or _matches(process)


def _check(process: Process) -> int:
    began = time.monotonic()
    tried = checks.play_waiting(process)
    if tried:
        process.record_check(time.monotonic() - began)
    return tried


def _matches(process: Process) -> int:
    began = time.monotonic()
    tried = playing.play_batch(process)
    process.record_matches(time.monotonic() - began if tried else 0.0)
    return tried


def _pass_on() -> None:
    """Let the wake-up reach another process: this one takes no match, for its sandbox failed or it is drained."""
    if live_workers().exists():
        current_app.send_task(wake_ups.TASKS["play"], queue="play", countdown=RETRY_S)


@shared_task(name=wake_ups.TASKS["derive"])
def derive() -> None:
    """Fold every event that has news, then draw the next round of every stage, and every stage, that waits for it.

    The ratings of all events together are folded once in a while.

    Nothing can wait for a draw after news that left every stage in the middle of its rounds and every bot with the
    version it had; a wake-up without news may be the sweep's, for what a process left undrawn that died.
    """
    wake_ups.answer("derive")
    began, news, is_over = time.monotonic(), 0, False
    with ExitStack() as others:  # what one event fails at is raised, once everything else of all events was done
        # Called last. A wake-up without news costs nothing and says nothing about the next one.
        others.callback(lambda: wake_ups.note_cost("derive", time.monotonic() - began) if news else None)
        others.callback(lambda: None if is_over else _go_on())
        others.callback(pools.fold_stale)
        folded = deriving.derive_waiting()
        news = folded.events
        is_over = bool(news) and not (folded.may_go_on or folded.versions)
        if folded.versions:
            others.callback(house.enter_ready)  # before what was registered above: ladders draw for those, too
        if folded.busy:  # who has it may have read the news before ours came, and may be no worker at all
            others.callback(wake_ups.notify_workers, "derive", delay_s=RETRY_S)


def _go_on() -> None:
    """Draw what waits to be drawn."""
    with ExitStack() as others:
        others.callback(_begin_stages)
        next_round.advance_waiting()


def _begin_stages() -> None:
    while stages.begin_waiting():
        pass  # a stage to which nobody came is closed at once, and the next one may wait


@shared_task(name=wake_ups.TASKS["rehearse"])
def rehearse() -> None:
    """Play one rehearsal that waits. Queue the task again if more wait."""
    if is_stopping():
        wake_ups.notify_workers("rehearse")
        return
    if rehearsing.work_off() and rehearsals.work_waits():
        wake_ups.notify_workers("rehearse")


@shared_task(name=wake_ups.TASKS["tail"])
def tail() -> None:
    """Make deliveries and notices of what was published, and update seasons. None waits for another."""
    wake_ups.answer("tail")
    with ExitStack() as others:
        others.callback(updating.follow_news)
        others.callback(noticing.notice_news)
        hooking.enqueue_deliveries()


@shared_task(name=wake_ups.TASKS["mail"])
def mail() -> None:
    """Send mails that are due.

    Send another wake-up if more are, unless the rate is reached: then the sweep sends wake-ups.
    """
    wake_ups.answer("mail")
    if mailing.send_waiting() and mailing.waiting():
        wake_ups.notify_once("mail")


@shared_task(name=wake_ups.TASKS["push"])
def push() -> None:
    """Send to browsers what is due. Queue the task again if more is due."""
    wake_ups.answer("push")
    if pushing.send_waiting() and pushes.waiting():
        wake_ups.notify_once("push")


@shared_task(name=wake_ups.TASKS["send"])
def send() -> None:
    """Send to hooks what is due. Queue the task again if more is due."""
    wake_ups.answer("send")
    if sender.send_waiting() and deliveries.due().exists():
        wake_ups.notify_once("send")


@shared_task(name="tournaments.tasks.sweep")
def sweep() -> None:
    """Take back what was lost and send wake-ups for what waits. What an outage has piled up is one sweep."""
    if _was_done("sweep"):
        return
    swept = sweeping.sweep()
    _done_at["sweep"] = time.monotonic()
    if swept.taken_back:
        log.warning("sweep.took_back", rows=swept.taken_back)


@shared_task(name="tournaments.tasks.tidy")
def tidy() -> None:
    """Drop what is over and send wake-ups for what is to be sent. What an outage has piled up is done once."""
    if _was_done("tidy"):
        return
    purge.tidy()
    _done_at["tidy"] = time.monotonic()


@shared_task(name="tournaments.tasks.export_dataset")
def export_dataset() -> None:
    """Bring the published files of decisions up to date."""
    publish.publish_dataset()


# Beat sends a task each period; those of an outage lie in the queue together, and one is enough.
def _was_done(work: str) -> bool:
    return time.monotonic() - _done_at.get(work, float("-inf")) < settings.SWEEP_S / 2
