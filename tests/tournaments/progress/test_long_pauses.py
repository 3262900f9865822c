"""A session is ended that thinks too long in a transaction; draws, folds and restores may think longer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connection, transaction

from accounts import backup
from accounts.errors import BackupError
from accounts.transactions import LONG_PAUSE_MS, allow_long_pauses
from config.settings import IDLE_IN_TRANSACTION_MS
from tests.builders import events as a
from tournaments.models import RatingPool
from tournaments.progress import derive
from tournaments.progress.draws import next_round
from tournaments.ratings import fold as rating
from tournaments.ratings import pools
from tournaments.standings import ledger_cache

pytestmark = pytest.mark.django_db(transaction=True)
Seen = list[str]


def pause() -> str:
    """Milliseconds of this session."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT setting FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'")
        return str(cursor.fetchone()[0])


def choose(value: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('idle_in_transaction_session_timeout', %s, false)", [str(value)])


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    """The pauses that were allowed when something that thinks long began. The session is as over a network."""
    found: Seen = []

    def watched(work: Callable[..., object]) -> Callable[..., object]:
        def watch(*given: object, **named: object) -> object:
            found.append(pause())
            return work(*given, **named)

        return watch

    for module, name in (
        (ledger_cache, "ledgers_of"),
        (rating, "update_ratings"),
        (backup, "_lines"),
        (backup, "_refuse_unless_empty"),
    ):
        monkeypatch.setattr(module, name, watched(getattr(module, name)))
    choose(IDLE_IN_TRANSACTION_MS)
    return found


@pytest.mark.thorough
def test_folds_and_draws_under_an_event_s_lock(seen: Seen) -> None:
    event = a.a_running_event(bots=4, kind="swiss", rounds=3)
    seen.clear()
    derive.derive(event.channel)
    stage = event.stages.get()
    next_round.next_of(stage)
    assert seen
    assert set(seen) == {str(LONG_PAUSE_MS)}
    assert pause() == str(IDLE_IN_TRANSACTION_MS), "for the transaction alone"


def test_ratings_of_all_events(seen: Seen) -> None:
    pool = RatingPool.objects.create(preset="hawaii", seats=2, sides=2, is_stale=True)
    pools.fold(pool.pk)
    pools.rebuild(pool.pk)
    assert set(seen) == {str(LONG_PAUSE_MS)}


def test_a_backup_and_its_restore(seen: Seen, tmp_path: Path) -> None:
    a.a_user()
    backup.write(tmp_path / "plum.zst")
    assert set(seen) == {str(LONG_PAUSE_MS)}
    seen.clear()
    with pytest.raises(BackupError, match="not empty"):
        backup.restore(tmp_path / "plum.zst")
    assert seen == [str(LONG_PAUSE_MS)]


@pytest.mark.parametrize("chosen", [0, 5_000])
def test_what_an_operator_chose_is_kept(chosen: int) -> None:
    choose(chosen)
    with transaction.atomic():
        allow_long_pauses()
        assert pause() == str(chosen)
    choose(0)
