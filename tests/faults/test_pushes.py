"""A real sender of messages to browsers, killed in the middle of a call: each phone is told, and shows it once.

What is promised (decision 0111): at least once, under one topic and one id. A message that was marked as sent is never
sent again. One that the push service took while the sender died is sent again, and takes the place of the first copy.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import pytest

from activity import wake_ups
from tests.builders import clubs
from tests.builders.browsers import TAKEN, Answer, Browser, Pushed, PushService, pushes_due_now
from tests.services.processes import Project
from tests.tournaments.entries.test_links import link_of
from tournaments.models import PushMessage, Tournament
from tournaments.notifications import consumer
from tournaments.notifications.push.subscriptions import subscribe
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]
State = PushMessage.State
# What becomes of each phone's first message: marked as sent, taken but not marked, cut off before it was answered.
FATES: Final = ("marked", "taken", "cut") * 2 + ("marked", "taken")


def a_called_hall(service: PushService) -> tuple[Tournament, list[Browser]]:
    """Eight people with a phone each; their tables are called, and nobody has sent anything yet."""
    event = clubs.a_club_night(people=len(FATES))
    consumer.notice_news()
    browsers = [service.browser() for _name in FATES]
    for name, browser in zip(clubs.NAMES, browsers, strict=True):
        subscribe(browser=browser.keys, link=link_of(event, name))
    start_tournament(tournament=event, by=event.created_by)
    call_round(round_row=clubs.round_of(event, 1), by=event.created_by)
    return event, browsers


def test_a_sender_killed_while_it_calls_a_hall_loses_nobody_and_shows_nothing_twice(
    project: Project, push_service: PushService, wait_until: Callable[..., Any]
) -> None:
    _event, browsers = a_called_hall(push_service)
    fates = dict(zip((browser.endpoint for browser in browsers), FATES, strict=True))
    is_stopped, is_over = threading.Event(), threading.Event()

    def answer(pushed: Pushed) -> Answer:
        fate = next(fate for endpoint, fate in fates.items() if endpoint.endswith(pushed.path))
        if fate != "marked":
            (is_stopped if fate == "taken" else is_over).wait(60)
        return TAKEN

    push_service.answer = answer
    reached = {"HANAMI_HOOK_NETWORKS": "127.0.0.0/8", "SSL_CERT_FILE": os.environ["SSL_CERT_FILE"]}
    doomed = project.sender(extra=reached)
    sent = PushMessage.objects.filter(state=State.SENT)
    wait_until(lambda: len(push_service.pushed) == len(FATES), 60, "a request for each phone")
    wait_until(lambda: sent.count() == FATES.count("marked"), 60, "the answers that were given")
    # Stopped, it cannot write what it hears from now on: the moment between an answer and its mark.
    os.kill(doomed.pid, signal.SIGSTOP)
    is_stopped.set()
    doomed.kill()
    is_over.set()
    waits = PushMessage.objects.filter(state=State.OPEN, notice__kind="called")
    assert waits.count() == len(FATES) - FATES.count("marked"), "nothing is lost: their claims run out"
    push_service.answer = lambda _pushed: TAKEN
    pushes_due_now()
    heir = project.sender(extra=reached)
    wake_ups.notify_workers("push")  # as the sweep does
    wait_until(lambda: sent.filter(notice__kind="called").count() == len(FATES), 60, "the other messages")
    heir.stop()
    assert "Traceback" not in heir.log()
    each_is_shown_once(push_service, browsers, fates)


def each_is_shown_once(push_service: PushService, browsers: list[Browser], fates: dict[str, str]) -> None:
    """Copies of a message have its id and its topic, and there are none of one that was marked as sent."""
    copies = Counter(pushed.path for pushed in push_service.pushed)
    for browser in browsers:
        messages = push_service.messages(browser)
        assert messages[0]["title"].startswith("Table ")
        assert len({message["id"] for message in messages}) == 1, "one id: the browser shows it once"
        path = next(path for path in copies if browser.endpoint.endswith(path))
        topics = {pushed.headers["topic"] for pushed in push_service.pushed if pushed.path == path}
        assert len(topics) == 1, "one topic: the push service replaces a copy that it still has"
        assert copies[path] == (1 if fates[browser.endpoint] == "marked" else 2)
