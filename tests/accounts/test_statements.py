"""Statements whose SQL is written once: they read and write what Django's own do."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.statements import Reading, Writing
from tables.models import Answer, LiveSeat, LiveTable
from tests.tables.players import a_table

pytestmark = pytest.mark.django_db


def columns(row: LiveTable | LiveSeat | Answer) -> dict[str, object]:
    return {name: value for name, value in vars(row).items() if not name.startswith("_")}


def test_a_row_is_read_as_django_reads_it() -> None:
    table, _sitters = a_table()
    other, _sitters = a_table()
    reading = Reading(lambda uuid: LiveTable.objects.filter(uuid=uuid))
    for each in (table, other, table):
        (found,) = reading.rows(each.uuid)
        assert columns(found) == columns(LiveTable.objects.get(pk=each.pk))
        assert (found._state.adding, found._state.db) == (False, connection.alias)
    seats = Reading(lambda table: LiveSeat.objects.filter(table=table).order_by("index"))
    assert [columns(seat) for seat in seats.rows(other.pk)] == [columns(seat) for seat in other.seats.all()]
    assert reading.first(seats.rows(other.pk)[0].guest) is None


def test_its_sql_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    table, _sitters = a_table()
    asked = []

    def query(uuid: UUID) -> object:
        asked.append(uuid)
        return LiveTable.objects.filter(uuid=uuid)

    reading = Reading(query)  # type: ignore[arg-type, var-annotated]
    with CaptureQueriesContext(connection) as sent:
        for _each in range(3):
            assert reading.first(table.uuid) == table
    assert (len(asked), len(sent)) == (1, 3)


@pytest.mark.parametrize(
    "query",
    [
        lambda before, uuid: LiveTable.objects.filter(uuid=uuid).filter(created_at__lt=before),
        lambda before, uuid: LiveTable.objects.filter(created_at__lt=before).filter(uuid=uuid).exclude(state="open"),
    ],
)
def test_values_that_are_not_the_conditions_in_their_order_are_refused(query: object) -> None:
    table, _sitters = a_table()
    with pytest.raises((TypeError, AttributeError)):
        Reading(query).rows(timezone.now(), table.uuid)  # type: ignore[arg-type]


def test_named_columns_are_written_and_no_others() -> None:
    table, _sitters = a_table()
    table.answered, table.finished_at, table.preset = 7, timezone.now(), "another"
    assert Writing(LiveTable, ["answered", "finished_at"]).write(table)
    found = LiveTable.objects.get(pk=table.pk)
    assert (found.answered, found.finished_at, found.preset) == (7, table.finished_at, "koikoi_nintendo")
    assert not Writing(LiveTable, ["answered"]).write(LiveTable(pk=0))


def test_a_row_is_inserted_once() -> None:
    table, _sitters = a_table()
    row = Answer(table=table, n=0, seat=0, index=1, at=timezone.now() - timedelta(seconds=1), took_ms=5)
    writing = Writing(Answer)
    assert writing.write(row)
    found = Answer.objects.get(table=table)
    assert columns(found) | {"id": None} == columns(row)
    with pytest.raises(IntegrityError), transaction.atomic():
        writing.write(row)
