"""Transactions in one round trip: whole or not at all, even if something fails in the middle."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection, transaction

from activity.journal import audit, publish
from activity.round_trips import insert, one_round_trip
from bots.domain_events import BotCreated
from bots.models import AuditEvent, Blob, Channel, Outbox
from tournaments.domain_events.entries import LinksMade
from tournaments.domain_events.matches import MatchUndone
from tournaments.domain_events.tournaments import TournamentCreated

pytestmark = pytest.mark.django_db(transaction=True)


def test_everything_is_written_in_its_order_and_bells_ring_afterwards() -> None:
    seen: list[tuple[bool, int]] = []
    with one_round_trip():
        transaction.on_commit(lambda: seen.append((connection.in_atomic_block, AuditEvent.objects.count())))
        audit(BotCreated, "tree:1", actor=None)
        publish(LinksMade("t:plum", n=1), MatchUndone("m:kiri"), TournamentCreated("t:plum"))
    assert seen == [(False, 1)]
    told = list(Outbox.objects.order_by("pk").values_list("channel", "version", "topic", "payload"))
    assert told == [
        ("t:plum", 1, "link.make", {"n": 1}),
        ("m:kiri", 1, "match.undo", {}),
        ("t:plum", 2, "tournament.create", {}),
    ]
    assert dict(Channel.objects.values_list("name", "version")) == {"t:plum": 2, "m:kiri": 1}


def test_no_lock_outlives_the_statements_by_a_round_trip() -> None:
    """Neither a BEGIN nor a COMMIT is a message of its own, and nobody waits in between for an answer."""
    sent: list[str] = []

    def note(execute: Callable[..., object], sql: str, params: object, many: bool, context: object) -> object:
        sent.append(sql.split()[0])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note), one_round_trip():
        audit(BotCreated, "tree:1", actor=None)
        publish(TournamentCreated("t:plum"))
        assert connection.connection.info.transaction_status.name != "INTRANS"
    assert sent == ["INSERT", "WITH"]


def _mistake() -> None:
    raise KeyError("a mistake of ours")


def _twice() -> None:
    insert([Outbox(channel="t:plum", version=1, topic="again"), Outbox(channel="t:plum", version=1, topic="again")])


def _nobody() -> None:
    insert([AuditEvent(verb="plum.bloom", subject="tree:2", actor_id=77)])


@pytest.mark.parametrize(
    ("fail", "error"),
    [(_mistake, KeyError), (_twice, IntegrityError), (_nobody, IntegrityError)],
    ids=["a mistake in between", "a statement is refused", "a key leads nowhere"],
)
def test_an_error_undoes_everything_and_the_next_one_works(fail: Callable[[], None], error: type[Exception]) -> None:
    with pytest.raises(error), one_round_trip():
        Blob.objects.put_by_hash(b"plum")
        audit(BotCreated, "tree:1", actor=None)
        fail()
        publish(TournamentCreated("t:plum"))
    assert not AuditEvent.objects.exists()
    assert not Blob.objects.exists()
    assert not Outbox.objects.exists()
    with one_round_trip():
        publish(TournamentCreated("t:plum"))
    assert Channel.objects.get().version == 1


def test_inside_another_transaction_it_is_a_part_of_it() -> None:
    with transaction.atomic():
        with one_round_trip():
            audit(BotCreated, "tree:1", actor=None)
        with pytest.raises(KeyError), one_round_trip():
            audit(BotCreated, "tree:2", actor=None)
            raise KeyError
        assert AuditEvent.objects.count() == 1
        transaction.set_rollback(True)
    assert not AuditEvent.objects.exists()


def test_inside_another_transaction_keys_are_checked_at_its_end_as_ever() -> None:
    with transaction.atomic():
        with one_round_trip():
            audit(BotCreated, "tree:1", actor=None)
        _nobody()
        assert AuditEvent.objects.count() == 2
        transaction.set_rollback(True)


def test_an_answer_may_be_looked_at_on_the_way() -> None:
    with one_round_trip():
        first = Blob.objects.put_by_hash(b"plum")
        found = Blob.objects.get(pk=first)
        audit(BotCreated, f"blob:{found.sha256[:4]}", actor=None)
    assert AuditEvent.objects.get().subject == f"blob:{Blob.objects.get().sha256[:4]}"
