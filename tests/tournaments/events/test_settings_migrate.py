"""Settings of before, in one JSON column, become columns and rows, and the same JSON again on the way back."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from bots.models import Blob
from tests.builders import events as a
from tests.services.elsewhere import connected_to
from tournaments.interchange.export import event_json
from tournaments.models import Tournament

pytestmark = pytest.mark.slow
BEFORE: Final = "0034_stage_kinds_of_the_registry"
AIKO, BEN, CHIE = ("0e0c2a5e-0000-4000-8000-00000000000" + str(n) for n in range(3))
NIGHT: Final[dict[str, Any]] = {
    "who": "people",
    "partners": "entered",
    "apart": "club",
    "pairs": [[AIKO, BEN], [BEN, CHIE]],
    "leaders": "1",
    "rated": True,
    "boards": 3,
    "team_score": "best",
    "team_best": 2,
    "board_by": "victories",
    "report": {"ranks": {AIKO: 1}, "hashes": ["sha256:ab"], "silent": ["212"]},
}
OTHERS: Final[dict[str, dict[str, Any]]] = {
    "open": {"who": "both", "draws": "organiser"},
    "ladder": {"who": "bots", "official": {"deal_sets": 40}},
    "comparison": {"who": "bots", "challenge": True},
    "copy": {"leaders": "7", "apart": "club", "boards": 2, "weather": {"rain": [1, None, 0.5]}, "partners": ["who?"]},
}
"""A copy keeps what nobody knows here, and does not say what its file did not say."""


@pytest.fixture(params=["postgresql", "sqlite"])
def own_database(request: pytest.FixtureRequest, transactional_db: None, tmp_path: Path) -> Iterator[None]:
    """This process is connected to a database of its own, with all tables and no row."""
    if request.param == "sqlite":
        file = tmp_path / "hanami.sqlite3"
        shutil.copy(request.getfixturevalue("migrated_sqlite") / "hanami.sqlite3", file)
        with connected_to(f"sqlite:///{file}"):
            yield
        return
    name = str(connection.settings_dict["NAME"])
    connection.close()
    with connection._nodb_cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}_of_its_own" TEMPLATE "{name}"')
    try:
        with connected_to(re.sub(r"(?<=/)\w+(?=\?|$)", f"{name}_of_its_own", os.environ["TEST_DATABASE_URL"])):
            yield
    finally:
        with connection._nodb_cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{name}_of_its_own"')


def migrate_to(name: str = "") -> Any:
    """The models as they were after a migration; none: as they are."""
    call_command("migrate", *(["tournaments", name] if name else []), verbosity=0)
    return MigrationExecutor(connection).loader.project_state(("tournaments", name) if name else None).apps


def written(apps: Any) -> None:
    """The events of before."""
    by = a.a_user().pk
    events = apps.get_model("tournaments", "Tournament").objects
    for slug, policies in {"night": NIGHT, **OTHERS}.items():
        events.create(slug=slug, name=slug, created_by_id=by, policies=policies)
    carried = Blob.objects.put(b"what rows have no place for")
    mark = {"mask": "11111111-1111-1111-8111-111111111111", "carried": carried.sha256}
    events.filter(slug="copy").update(policies={**OTHERS["copy"], "imported": mark})


def policies_in(apps: Any) -> dict[str, Any]:
    return dict(apps.get_model("tournaments", "Tournament").objects.values_list("slug", "policies"))


def test_settings_of_before_are_columns_and_become_the_same_json_again(own_database: None) -> None:
    old = migrate_to(BEFORE)
    written(old)
    before = policies_in(old)
    migrate_to()
    night = Tournament.objects.get(slug="night")
    assert (night.who, night.partners, night.apart, night.leaders) == ("people", "entered", "club", 1)
    assert (night.boards, night.team_score, night.team_best, night.board_by) == (3, "best", 2, "victories")
    assert (night.rated, night.separated_pairs, night.fide_report) == (True, NIGHT["pairs"], NIGHT["report"])
    copy = Tournament.objects.get(slug="copy")
    assert (copy.is_copy, copy.who, copy.leaders, copy.boards, copy.team_score) == (True, "bots", None, 2, "sum")
    assert Tournament.objects.get(slug="ladder").official_deal_sets == 40
    assert Tournament.objects.get(slug="comparison").is_challenge
    for slug in ("night", "open", "ladder", "comparison"):
        event = Tournament.objects.get(slug=slug)
        assert json.loads(event_json(event))["tournament"]["policies"] == before[slug]
    assert policies_in(migrate_to(BEFORE)) == before
