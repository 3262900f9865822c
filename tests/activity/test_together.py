"""Messages that a batch of matches sends together: none is lost, none waits for a long match, nothing waits outside."""

from __future__ import annotations

import threading
from functools import partial

import pytest

from activity.wake_ups import TOGETHER_S, Together


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The clock of the messages, seconds; it stands until a test moves it."""
    at = [1000.0]
    monkeypatch.setattr("activity.wake_ups.time.monotonic", lambda: at[0])
    return at


def test_outside_a_batch_every_message_is_sent(now: list[float]) -> None:
    sent: list[str] = []
    together = Together()
    message = partial(sent.append, "new")
    for _each in range(3):
        together.later(message)
    assert sent == ["new"] * 3


def test_in_a_batch_the_first_is_sent_and_one_for_those_that_follow(now: list[float]) -> None:
    sent: list[float] = []
    together = Together()

    def message() -> None:
        sent.append(now[0])

    with together.batch():
        for _each in range(5):
            together.later(message)
            now[0] += TOGETHER_S / 10
        assert sent == [1000.0]
        now[0] += TOGETHER_S
        together.send()
        assert len(sent) == 2
        together.send()
        assert len(sent) == 2, "nothing is owed any more"
        together.later(message)
    assert len(sent) == 3, "what is owed is sent at the end"


def test_what_is_owed_is_sent_when_the_batch_fails(now: list[float]) -> None:
    sent: list[float] = []
    together = Together()

    def message() -> None:
        sent.append(now[0])

    def fails() -> None:
        with together.batch():
            together.later(message)
            together.later(message)
            raise LookupError

    with pytest.raises(LookupError):
        fails()
    assert len(sent) == 2


def test_a_broker_that_does_not_answer_holds_up_no_match_and_gathers_no_queue(now: list[float]) -> None:
    answers, asked, sent = threading.Event(), threading.Event(), []
    together = Together()

    def message() -> None:
        asked.set()
        assert answers.wait(60)
        sent.append(threading.current_thread() is threading.main_thread())

    with together.batch():
        together.later(message, to_broker=True)  # comes back although nobody answers
        assert asked.wait(60)
        for _each in range(20):
            now[0] += 2 * TOGETHER_S
            together.later(message, to_broker=True)
            together.send()
        assert sent == []
        answers.set()
    assert sent == [False, False], "the one that waited, and one for the twenty after it"
    together.later(message, to_broker=True)
    assert sent[2:] == [True], "outside a batch no thread is begun"
