"""A domain event is a class: no topic is written as a string, and every class says what its readers ask."""

from __future__ import annotations

import ast
from dataclasses import fields
from pathlib import Path

import pytest

from activity.domain_events import DomainEvent, Effect, every_class, uuid_or_nothing, webhook_types
from tests.architecture.source import modules, name_of, trees_with
from tests.services.processes import ROOT

WRITERS = ("publish", "audit", "audit_event")
ROWS = ("Outbox", "AuditEvent")
MAKE_ROWS = ("activity/journal.py", "activity/stuck.py")
# Codes of refusals and lines of the log of the process, which are called like an event.
NAMESAKES = {"account.operator", "hook.off", "result.refused"}


def _service() -> list[Path]:
    rooms = ("accounts", "activity", "bots", "config", "core", "tables", "tournaments", "web")
    return [path for path in modules() if path.relative_to(ROOT).parts[0] in rooms]


def _is_of_classes(name: str) -> bool:
    """Return where topics stand: the classes' own modules, and the words that `accounts` sends upwards."""
    return "domain_events" in name or name in ("activity/account_events.py", "accounts/signals.py")


@pytest.mark.thorough
def test_no_topic_is_a_string_outside_the_classes() -> None:
    topics = {cls.topic for cls in every_class()} - NAMESAKES
    assert len(topics) > 140
    wrong = [
        f"{name_of(path)}:{node.lineno} {node.value}"
        for path in _service()
        if not _is_of_classes(name_of(path))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in topics
    ]
    assert not wrong, wrong


@pytest.mark.thorough
def test_rows_are_written_by_publish_and_audit_alone_and_of_classes() -> None:
    wrong = []
    for path, tree in trees_with(_service(), {*ROWS, *WRITERS}.__contains__):
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            makes_row = node.func.id in ROWS and name_of(path) not in MAKE_ROWS
            first = node.args[0] if node.func.id in WRITERS and node.args else None
            if makes_row or isinstance(first, ast.Constant | ast.JoinedStr):
                wrong.append(f"{name_of(path)}:{node.lineno} {ast.unparse(node)[:60]}")
    assert not wrong, wrong


def test_every_class_is_read_from_an_empty_row_and_from_its_own() -> None:
    """A row of an earlier version may lack any field, one of a later version may have others."""
    for cls in every_class():
        event = cls.read("t:plum", {"from_tomorrow": 1})
        assert event.topic == cls.topic
        assert cls.read("t:plum", event.payload()) == event
        assert set(event.payload()) == {each.name for each in fields(cls)} - {"channel"}


def test_what_updates_standings_says_what_it_does_to_results() -> None:
    topics = {cls.topic: cls for cls in every_class()}
    assert {name for name, cls in topics.items() if cls.updates_standings} == {
        "match.confirm", "match.correct", "match.decide", "match.void", "match.retry", "tournament.start",
        "tournament.resume", "tournament.cancel",
    }  # fmt: skip
    for cls in topics.values():
        if cls.effect in (Effect.RESULT, Effect.CORRECTION):
            assert cls.updates_standings, cls
            assert "match" in cls.read("t:plum", {}).payload(), f"{cls} does not name its match"


def test_a_class_with_webhooks_says_what_they_hear() -> None:
    assert list(webhook_types()) == [
        "match.finished", "report.confirmed", "report.undone", "round.published", "bot.failed", "version.ready",
        "version.forked", "ladder.ended", "challenge.decided",
    ]  # fmt: skip
    heard = [cls for cls in every_class() if cls.webhook_types]
    assert all(cls.webhooks is not DomainEvent.webhooks for cls in heard)
    assert uuid_or_nothing("no uuid") == ""
