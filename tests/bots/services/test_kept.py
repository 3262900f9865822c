"""Rows kept as they were written: the models refuse a change in words, and the database refuses it to everyone."""

from __future__ import annotations

import sqlite3
from functools import partial
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from activity.journal import audit
from bots.domain_events import BotCreated
from bots.guards import EVENTS, GUARDS, put_up, take_down
from bots.models import AppendOnlyError, AuditEvent, Blob, BotVersion
from tests.builders import events as a
from tests.builders import matches_on_show as on_show
from tournaments.models import ResultReport, Ruleset

pytestmark = pytest.mark.django_db


def refused_by_the_database(statement: str, *values: int | bytes) -> None:
    """The statement, sent past every model, is refused with the table's name; nothing is changed."""
    refusal = pytest.raises(IntegrityError, match="is refused: its rows are kept as they were written")
    with refusal, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)


def test_an_audit_event_is_neither_changed_nor_deleted() -> None:
    audit(BotCreated, "bot:1", actor=a.a_user())
    event = AuditEvent.objects.get(verb="bot.create")
    event.verb = "bot.steal"
    for act in (event.save, event.delete, AuditEvent.objects.all().delete):
        with pytest.raises(AppendOnlyError, match="cannot be changed"):
            act()
    with pytest.raises(AppendOnlyError):
        AuditEvent.objects.filter(pk=event.pk).update(actor=None)
    refused_by_the_database("UPDATE bots_auditevent SET verb = 'bot.steal'")
    refused_by_the_database("UPDATE bots_auditevent SET verb = verb")
    refused_by_the_database("DELETE FROM bots_auditevent WHERE id = %s", event.pk)
    assert AuditEvent.objects.get().verb == "bot.create"


def test_a_blob_stays_what_its_hash_says() -> None:
    blob = Blob.objects.put(b"matsu")
    with pytest.raises(AppendOnlyError):
        blob.delete()
    refused_by_the_database("UPDATE bots_blob SET packed = %s", b"ume")
    refused_by_the_database("DELETE FROM bots_blob")
    assert Blob.objects.put(b"matsu") == blob
    assert blob.data() == b"matsu"


def test_of_a_report_only_what_became_of_it_may_change() -> None:
    match = on_show.a_finished_match(rounds=1)
    report = ResultReport.objects.get(match=match)
    ResultReport.objects.filter(pk=report.pk).update(state="superseded", reason="The hall was dark.", by=a.a_user())
    report.refresh_from_db()
    report.state = ResultReport.State.CONFIRMED
    report.save(update_fields=["state"])
    for act in (report.save, partial(report.save, update_fields=["hash"]), report.delete):
        with pytest.raises(AppendOnlyError):
            act()
    for column, value in (("hash", "'x'"), ("body", "'{}'"), ("version", "2"), ("record_id", "NULL")):
        refused_by_the_database(f"UPDATE tournaments_resultreport SET {column} = {value}")
    refused_by_the_database("DELETE FROM tournaments_resultreport")
    refused_by_the_database("DELETE FROM tournaments_ruleset")
    assert Ruleset.objects.exists()


@pytest.mark.parametrize("column", ["hash", "n", "source_id", "files", "plays", "bot_id"])
def test_a_version_is_what_was_uploaded_and_stays(column: str) -> None:
    bot, other = a.a_bot(), a.a_bot()
    version = BotVersion.objects.get(bot=bot)
    taken = BotVersion.objects.filter(bot=other).values_list(column, flat=True)[0]
    value = {"n": 7, "plays": ["french"], "files": []}.get(column, taken)
    with pytest.raises(IntegrityError, match="bots_botversion is refused"), transaction.atomic():
        BotVersion.objects.filter(pk=version.pk).update(**{column: value})
    refused_by_the_database("DELETE FROM bots_botversion WHERE id = %s", version.pk)
    version.note, version.state = "what changed", BotVersion.State.RETIRED
    version.save()
    version.refresh_from_db()
    assert version.note == "what changed"


@pytest.mark.thorough
def test_guards_taken_down_by_a_migration_are_up_again_after_it() -> None:
    take_down(connection)
    Blob.objects.put(b"matsu")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE bots_blob SET size = size + 0")
    call_command("migrate", verbosity=0)
    refused_by_the_database("UPDATE bots_blob SET size = size + 0")
    put_up(connection)


def test_a_laptops_database_is_guarded_too(migrated_sqlite: Path, tmp_path: Path) -> None:
    copy = tmp_path / "hanami.sqlite3"
    copy.write_bytes((migrated_sqlite / "hanami.sqlite3").read_bytes())
    base = sqlite3.connect(copy)
    names = {name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")}
    assert {guard.trigger(event) for guard in GUARDS for event in EVENTS} <= names
    base.execute("INSERT INTO bots_blob (sha256, packed, size, created_at) VALUES ('a', 'b', 1, '2026-11-20')")
    for statement in ("UPDATE bots_blob SET size = 2", "DELETE FROM bots_blob"):
        with pytest.raises(sqlite3.IntegrityError, match="bots_blob is refused"):
            base.execute(statement)
    base.close()


@pytest.mark.thorough
@pytest.mark.usefixtures("numbers_go_on")
def test_beginning_with_empty_tables_is_possible(transactional_db: None) -> None:
    audit(BotCreated, "bot:1", actor=None)
    call_command("flush", verbosity=0, interactive=False)
    assert not AuditEvent.objects.exists()
    audit(BotCreated, "bot:2", actor=None)
    refused_by_the_database("DELETE FROM bots_auditevent")
