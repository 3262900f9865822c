"""The sender makes the files of decisions: when it may, and where it cannot."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from core.errors import TournamentError
from tests.tournaments.dataset.test_export import past as past  # a fixture: a league whose matches are of days before
from tournaments.dataset import catalogue
from tournaments.operations import publish
from tournaments.operations.steps import broken
from tournaments.tasks import export_dataset

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def place(settings: Any, tmp_path: Path) -> Path:
    settings.DATASET_DIR = tmp_path / "dataset"
    return tmp_path / "dataset"


@pytest.mark.thorough
@pytest.mark.usefixtures("past")
def test_the_task_makes_what_the_page_publishes(place: Path) -> None:
    export_dataset()
    assert len(catalogue.published(place)) == 2
    assert publish.publish_dataset() == 0
    call_command("export_dataset", "--check")


@pytest.mark.usefixtures("past")
def test_a_sender_that_is_stopping_leaves_it_to_the_next(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publish, "is_stopping", lambda: True)
    assert publish.publish_dataset() == 0
    assert catalogue.published(place) == ()


@pytest.mark.usefixtures("past")
def test_without_the_library_nothing_is_made_and_nothing_breaks(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert publish.publish_dataset() == 0
    assert not place.exists()
    assert broken() == []


def test_two_senders_do_not_wait_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_args: Any, **_named: Any) -> None:
        raise TournamentError("", code="dataset.busy")

    monkeypatch.setattr(publish, "export", busy)
    assert publish.publish_dataset() == 0
    assert broken() == []


def test_a_failure_is_told_to_operators(place: Path) -> None:
    place.write_text("a file where the folder should be", encoding="utf-8")
    assert publish.publish_dataset() == 0
    assert broken() == ["dataset.files"]
