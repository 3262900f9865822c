"""The sender: keeps a number of sendings going, one for each receiver, and records their outcomes.

The connections live in a loop of their own; the rows are read and written by the thread of the task. No transaction is
open while something is sent.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from types import TracebackType
from typing import Final

import structlog

from bots.jobs.process import is_stopping
from core.errors import TournamentError
from tournaments.models import Hook
from tournaments.webhooks import deliveries
from tournaments.webhooks.addresses import Target, read_url
from tournaments.webhooks.audience import audience
from tournaments.webhooks.deliveries import Claim
from tournaments.webhooks.http import Outcome, send
from tournaments.webhooks.payloads import document
from tournaments.webhooks.signing import live_secrets, signature

MAX_CONCURRENT: Final = 16
# Of them this number to receivers that were slow or failed lately: the others never wait for them.
SLOW_AT_ONCE: Final = 8
# A name is looked up in a thread, which a silent resolver may hold for longer than the sending lasts.
NAMES_AT_ONCE: Final = 4 * MAX_CONCURRENT
# A task ends after this time; it sends a wake-up if more is due.
MAX_SECONDS: Final = 60.0
LOOK_S: Final = 0.5
Running = dict["Future[Outcome]", Claim]
log = structlog.get_logger(__name__)


class Wire:
    """A loop in a thread of its own, for as long as the block runs."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._loop.set_default_executor(ThreadPoolExecutor(NAMES_AT_ONCE, thread_name_prefix="names"))
        self._thread = threading.Thread(target=self._loop.run_forever, name="hooks", daemon=True)

    def __enter__(self) -> Wire:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        """Give up all that still runs because the task was ended in the middle, look-ups of names, too."""
        mine = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in mine:
            task.cancel()
        await asyncio.gather(*mine, return_exceptions=True)

    def send(self, target: Target, headers: Mapping[str, str], body: bytes) -> Future[Outcome]:
        """Begin a sending."""
        return asyncio.run_coroutine_threadsafe(send(target, headers, body), self._loop)


def send_waiting() -> int:
    """Send what is due until nothing is, or for a minute. Returns how many sendings were made."""
    if not deliveries.due().exists():
        return 0
    began, sent = time.monotonic(), 0
    running: Running = {}
    with Wire() as wire:
        while True:
            # After the minute, or when the worker is to stop, nothing is begun; what is under way is waited for and
            # recorded.
            if not is_stopping() and time.monotonic() - began < MAX_SECONDS:
                _begin(wire, running)
            if not running:
                return sent
            # Half a second at most, so that deliveries that become due are begun although others are slow.
            done, _rest = wait(running, timeout=LOOK_S, return_when=FIRST_COMPLETED)
            for each in done:
                claim = running.pop(each)
                deliveries.record(claim, _outcome(claim, each))
            sent += len(done)


def _outcome(claim: Claim, sending: Future[Outcome]) -> Outcome:
    """Return the outcome. A sending that breaks in our own hands counts as failed, and stops no other."""
    try:
        return sending.result()
    except Exception:
        log.exception("hook.broken", delivery=str(claim.delivery.uuid))
        return Outcome(None, "server.error", 0)


def _begin(wire: Wire, running: Running) -> None:
    """Fill the room that there is."""
    slow = sum(_is_slow(claim.hook) for claim in running.values())
    busy = {claim.hook.receiver for claim in running.values()}
    for claim in deliveries.claim(MAX_CONCURRENT - len(running), SLOW_AT_ONCE - slow, busy):
        try:
            ready = _prepared(claim)
        except Exception:
            log.exception("hook.broken", delivery=str(claim.delivery.uuid))
            deliveries.record(claim, Outcome(None, "server.error", 0))
            continue
        if ready is not None:
            running[wire.send(*ready)] = claim


def _is_slow(hook: Hook) -> bool:
    return hook.is_slow or hook.failing_since is not None


def _prepared(claim: Claim) -> tuple[Target, dict[str, str], bytes] | None:
    """Build what is sent, read now; None if nothing is, and then the delivery is closed."""
    delivery, hook = claim.delivery, claim.hook
    # Asked again at every try: a right may be lost between two of them (decision 0058).
    if not audience(delivery.kind, delivery.about).filter(pk=hook.pk).exists():
        deliveries.drop(claim, "right.lost" if hook.state == Hook.State.ACTIVE else "hook.off")
        return None
    secrets = live_secrets(hook)
    if not secrets:
        deliveries.drop(claim, "secret.gone")
        deliveries.stop(hook, Hook.Reason.SECRET)
        return None
    try:
        target = read_url(hook.url)
    except TournamentError:  # it was fine once; what may be named has been narrowed since
        deliveries.record(claim, Outcome(None, "address.refused", 0))
        return None
    body = json.dumps(document(delivery, hook.user), ensure_ascii=False, separators=(",", ":")).encode()
    return target, _headers(claim, signature(secrets, int(time.time()), body)), body


def _headers(claim: Claim, signed: str) -> dict[str, str]:
    delivery = claim.delivery
    return {
        "Content-Type": "application/json; charset=utf-8",
        "User-Agent": "Hanami-Hooks/1",
        "Hf-Id": str(delivery.uuid),
        "Hf-Kind": delivery.kind,
        "Hf-Try": str(delivery.tries),
        "Hf-Signature": signed,
    }
