"""Several processes at one table: every answer is one row, no matter what happens to the process that writes it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import close_old_connections, connection, transaction

from tables.actions import answering
from tables.actions.answering import answer
from tables.actions.sitters import Sitter
from tables.errors import TableError
from tables.models import Answer, LiveTable
from tests.services.databases import on_both
from tests.tables.players import a_table, again, folded, guest

pytestmark = [pytest.mark.django_db(transaction=True), on_both]
THREADS = 6


def sender(together: Barrier, table: LiveTable, sitter: Sitter, n: int) -> Callable[[int], str]:
    """What a thread does: answer with an index at the same moment as all others, and say what became of it."""

    def send(index: int) -> str:
        close_old_connections()
        try:
            together.wait(30)
            answer(table, sitter, n, index)
            return "taken"
        except TableError as refused:
            return refused.code
        finally:
            connection.close()

    return send


@pytest.mark.thorough
def test_the_same_answer_from_many_requests_is_one_row() -> None:
    table, people = a_table()
    for _round in range(5):
        question = folded(again(table)).question
        assert question is not None
        with ThreadPoolExecutor(THREADS) as pool:
            send = sender(Barrier(THREADS), table, people[question.seat], question.n)
            said = list(pool.map(send, [0, 0, 0, 1, 1, 1]))
        assert said.count("taken") == 3, said
        assert said.count("table.changed") == 3, said
    assert [row.n for row in Answer.objects.filter(table=table).order_by("n")] == list(range(5))
    assert folded(again(table)).rows == again(table).answered == 5


class Killed(BaseException):
    """The process dies here."""


def test_a_process_that_dies_before_the_commit_has_written_nothing(monkeypatch: Any) -> None:
    table, people = a_table("hawaii", [guest(), guest(), guest()])
    question = folded(table).question
    assert question is not None

    def die(*_given: object) -> None:
        raise Killed

    monkeypatch.setattr(answering, "go_on", die)
    with pytest.raises(Killed):
        answer(table, people[question.seat], question.n, 0)
    monkeypatch.undo()
    assert Answer.objects.filter(table=table).count() == 0
    answer(table, people[question.seat], question.n, 0)
    assert again(table).answered == 1
    assert folded(again(table)).rows == 1


def test_what_a_process_remembers_is_not_trusted_after_a_rollback() -> None:
    table, people = a_table()
    question = folded(table).question
    assert question is not None

    class Back(Exception):
        """Undo everything."""

    with pytest.raises(Back), transaction.atomic():
        answer(table, people[question.seat], question.n, 0)
        raise Back
    answer(table, people[question.seat], question.n, 1)
    assert Answer.objects.get(table=table).index == 1
    again_asked = folded(again(table)).question
    assert again_asked is not None
    answer(table, people[again_asked.seat], again_asked.n, 0)
    assert again(table).answered == 2
