"""A real sender: news become sendings on their own, and a sender that is killed in the middle loses nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.utils import timezone

from activity import wake_ups
from tests.builders.clubs import a_called_night, tables_of, totals
from tests.builders.receivers import OK, Answer, Sent, a_hook, a_receiver
from tests.services.processes import Project
from tournaments.models import Delivery
from tournaments.scores.actions import Actor, submit_result

pytestmark = [pytest.mark.slow, pytest.mark.timeout(180)]
OPENED = {"HANAMI_HOOK_NETWORKS": "127.0.0.0/8"}


def test_a_sender_killed_while_it_waits_for_an_answer_is_followed_by_another_with_the_same_id(
    project: Project, settings: LazySettings, wait_until: Callable[..., Any]
) -> None:
    """Nobody sends wake-ups for the first but the result itself."""
    settings.HOOK_NETWORKS = ["127.0.0.0/8"]
    is_over = threading.Event()
    event = a_called_night()
    with a_receiver() as receiver:

        def answer(_sent: Sent) -> Answer:
            if len(receiver.sent) == 1:
                is_over.wait(60)
            return OK

        receiver.answer = answer
        hook, secret = a_hook(event.created_by, receiver.url, "match.finished")
        doomed = project.sender(extra=OPENED)
        submit_result(match=tables_of(event)[0], actor=Actor(user=event.created_by), claim=totals(120, 90))
        wait_until(lambda: receiver.sent, 60, "the request")
        doomed.kill()
        is_over.set()
        left = Delivery.objects.get(hook=hook)
        assert (left.state, left.status, left.claims) == ("open", None, 1)
        Delivery.objects.update(due_at=timezone.now() - timedelta(seconds=1))  # its claim has run out
        heir = project.sender(extra=OPENED)
        wake_ups.notify_workers("send")  # as the sweep does
        wait_until(lambda: Delivery.objects.get().state == "delivered", 60, "the delivery")
        assert len({each.body["id"] for each in receiver.sent}) == 1
        assert all(each.is_signed_with(secret) for each in receiver.sent)
    heir.wait_for_line("hook.sent")
    assert "Traceback" not in heir.log()
