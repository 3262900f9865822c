"""A process keeps the files of versions that it has read; never those of another one."""

from __future__ import annotations

import pytest
from django.core.management.color import no_style
from django.db import connection, transaction

from bots.jobs.loading import files_of
from bots.models import BotVersion
from tests.builders import events as a

OTHER = b'def choose(obs):\n    return obs["legal"][-1]\n'


def _numbers_go_on_after_those_stored() -> None:
    """Do what `restore` does at its end."""
    with connection.cursor() as cursor:
        for sql in connection.ops.sequence_reset_sql(no_style(), [BotVersion]):
            cursor.execute(sql)


@pytest.mark.usefixtures("numbers_go_on")
@pytest.mark.django_db
def test_a_number_that_means_another_version_is_read_anew() -> None:
    """As after a backup was restored: its numbers go on after its own rows, not after those this process has seen."""
    _numbers_go_on_after_those_stored()
    with transaction.atomic():
        gone = a.a_bot(source=a.FIRST).versions.get()
        before = files_of(gone)
        transaction.set_rollback(True)
    _numbers_go_on_after_those_stored()
    now = a.a_bot(source=OTHER).versions.get()
    assert now.pk == gone.pk
    assert files_of(now).files[0][1].startswith(OTHER)
    assert files_of(now).version_hash == now.hash != before.version_hash


@pytest.mark.django_db
def test_a_version_is_read_once() -> None:
    version = a.a_bot().versions.get()
    assert files_of(version) is files_of(BotVersion.objects.get(pk=version.pk))
