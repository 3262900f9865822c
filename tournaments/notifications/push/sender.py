"""Sending to push services: encrypted for the browser (RFC 8291), under our key (RFC 8292), to checked addresses only.

What a hook may reach a message may reach, over https (`webhooks.addresses`): a browser's word for where its push
service is counts no more than a stranger's.
"""

from __future__ import annotations

import hashlib
import json
import time
from concurrent.futures import FIRST_COMPLETED, Future, wait
from datetime import timedelta
from typing import Any, Final

import http_ece
import structlog
from cryptography.hazmat.primitives.asymmetric import ec
from django.db.models import F
from django.db.models.functions import Coalesce, Now
from django.utils import timezone

from activity import stuck
from bots.jobs.process import is_stopping
from core.errors import TournamentError
from tournaments.models import PushMessage, PushSubscription
from tournaments.notifications.push import queue
from tournaments.notifications.push.keys import authorization
from tournaments.notifications.push.subscriptions import Gone, decoded, remove
from tournaments.notifications.push.texts import payload_of
from tournaments.webhooks.addresses import Target, read_url
from tournaments.webhooks.http import Outcome
from tournaments.webhooks.sender import Wire
from web import rate_limits

MAX_CONCURRENT: Final = 32
MAX_SECONDS: Final = 60.0
LOOK_S: Final = 0.5
# Messages a minute to one push service, which serves the browsers of everybody: a hall is called within a minute.
PACE: Final = 2_000
# Messages to one browser within ten minutes; more is no news but a nuisance.
BROWSER_PACE: Final = 40
BROWSER_WITHIN: Final = timedelta(minutes=10)
MINUTE: Final = timedelta(minutes=1)
# A browser whose messages fail for that long, and that often, is gone without a word.
GONE_AFTER: Final = timedelta(days=3)
GONE_TRIES: Final = 10
TOO_MANY: Final = 429
GONE: Final = (404, 410)
MAX_RETRY_AFTER_S: Final = 3600
State = PushMessage.State
Running = dict["Future[Outcome]", PushMessage]
log = structlog.get_logger(__name__)


def send_waiting() -> int:
    """Send what is due until nothing is, or for a minute. Returns how many sendings were made."""
    if not queue.waiting():
        return 0
    began, sent = time.monotonic(), 0
    running: Running = {}
    with Wire() as wire:
        while True:
            may_begin = not is_stopping() and time.monotonic() - began < MAX_SECONDS
            claimed = _begin(wire, running) if may_begin else 0
            if not running:
                # What was claimed and dropped may have stood before another message of its browser.
                if claimed:
                    continue
                return sent
            done, _rest = wait(running, timeout=LOOK_S, return_when=FIRST_COMPLETED)
            for each in done:
                record(running.pop(each), _outcome(each))
            sent += len(done)


def _outcome(sending: Future[Outcome]) -> Outcome:
    """Return the outcome. A sending that breaks in our own hands counts as failed, and stops no other."""
    try:
        return sending.result()
    except Exception:
        log.exception("push.broken")
        return Outcome(None, "server.error", 0)


def _begin(wire: Wire, running: Running) -> int:
    """Fill the room that there is. Returns how many messages were claimed."""
    busy = {message.subscription_id for message in running.values()}
    claimed = queue.claim(MAX_CONCURRENT - len(running), busy)
    for message in claimed:
        try:
            ready = _prepared(message)
        # The connection to the database or Redis is gone: no fault of this message, whose claim ends.
        except stuck.AWAY:
            raise
        except Exception:
            log.exception("push.broken", push=str(message.uuid))
            record(message, Outcome(None, "server.error", 0))
            continue
        if ready is not None:
            running[wire.send(*ready)] = message
    return len(claimed)


def _prepared(message: PushMessage) -> tuple[Target, dict[str, str], bytes] | None:
    """Build what is sent, read now; None if nothing is, and then the message is closed or put off."""
    row = message.subscription
    payload = payload_of(message) if message.expires_at > timezone.now() else None
    if payload is None:
        queue.close(message, State.DROPPED, error="not.wanted")
        return None
    try:
        target = read_url(row.endpoint)
    except TournamentError:  # it was fine once; what may be named has been narrowed since
        remove(row, Gone.ADDRESS)
        return None
    signed = authorization(row.server_key, f"https://{target.host_header}", int(time.time()))
    if signed is None:
        remove(row, Gone.KEY)
        return None
    if not _may_go(message, target):
        return None
    left = max(1, int((message.expires_at - timezone.now()).total_seconds()))
    return target, _headers(message, payload, signed, left), _encrypted(row, payload)


def _may_go(message: PushMessage, target: Target) -> bool:
    """Count one message to its browser and its push service; False if there were too many."""
    name = f"push:{message.subscription.pk}"
    if rate_limits.count(name, most=BROWSER_PACE, within=BROWSER_WITHIN) is not None:
        queue.close(message, State.DROPPED, error="rate.limited")
        return False
    name = f"push:{hashlib.sha256(target.receiver.encode()).hexdigest()[:24]}"
    seconds = rate_limits.count(name, most=PACE, within=MINUTE)
    if seconds is not None:
        queue.put_off(message, retry_after_s=seconds, status=None, error="pace")
    return seconds is None


def _headers(message: PushMessage, payload: dict[str, Any], signed: str, left_s: int) -> dict[str, str]:
    return {
        "Authorization": signed,
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(left_s),
        # The same at every attempt: a second copy takes the place of the first one (RFC 8030, 5.4). 32 characters.
        "Topic": message.uuid.hex,
        "Urgency": "high" if payload["urgent"] else "normal",
    }


def _encrypted(row: PushSubscription, payload: dict[str, Any]) -> bytes:
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()
    # A key pair for each message, as RFC 8291 asks for.
    once = ec.generate_private_key(ec.SECP256R1())
    key, secret = decoded(row.public_key), decoded(row.auth_secret)
    return bytes(http_ece.encrypt(text, private_key=once, dh=key, auth_secret=secret, version="aes128gcm"))


def record(message: PushMessage, outcome: Outcome) -> None:
    """Write how a sending went; nothing if the claim is not ours any more."""
    status = outcome.answer.status if outcome.answer else None
    row = PushSubscription.objects.filter(pk=message.subscription_id)
    if outcome.is_taken:
        if queue.close(message, State.SENT, status=status):
            row.update(delivered_at=timezone.now(), failing_since=None, failures=0)
    elif status in GONE:
        remove(message.subscription, Gone.ENDED)
    else:
        _failed(message, outcome, status)
    log.info(
        "push.sent",
        push=str(message.uuid),
        receiver=message.subscription.receiver,
        status=status,
        error=outcome.error,
        ms=outcome.ms,
        attempt=message.attempts,
    )


def _failed(message: PushMessage, outcome: Outcome, status: int | None) -> None:
    """Try again later what may yet be taken, and tell operators of what is given up."""
    row = PushSubscription.objects.filter(pk=message.subscription_id)
    may_be_taken = status is None or status == TOO_MANY or status >= 500
    if may_be_taken:
        seconds = _seconds(outcome.answer.retry_after if outcome.answer else "")
        if queue.put_off(message, retry_after_s=seconds, status=status, error=outcome.error):
            return
    elif not queue.close(message, State.FAILED, status=status, error=outcome.error):
        return
    log.error("push.given_up", push=str(message.uuid), receiver=message.subscription.receiver, status=status)
    row.update(failing_since=Coalesce("failing_since", Now()), failures=F("failures") + 1)
    found = row.filter(failing_since__lt=timezone.now() - GONE_AFTER, failures__gte=GONE_TRIES).first()
    if found is not None:
        remove(found, Gone.FAILING)


def _seconds(retry_after: str) -> int | None:
    """Return the wait that a push service asks for, an hour at most; a date is not read, and our own wait holds."""
    # Six digits: more is no wait anybody means.
    return min(int(retry_after), MAX_RETRY_AFTER_S) if retry_after.isdecimal() and len(retry_after) <= 6 else None
