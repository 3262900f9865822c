"""Official ladders of before seasons become seasons: each once, in their order, whichever way one came."""

from __future__ import annotations

from typing import Any, Final

import pytest
from django.db import connection

from tests.builders import events as a
from tests.services.earlier_tables import migrate_to
from tournaments.models import LadderMedal, LadderSeason
from tournaments.ratings.ladders import medals

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
BEFORE_TABLES: Final = "0058_plain_choices"
BEFORE_ROWS: Final = "0059_ladder_seasons"
LADDERS: Final = (
    ("hawaii-october", "hawaii", 2, "finished", "closed", 12),
    ("nuki-october", "nuki88", 3, "cancelled", "void", 0),
    ("hawaii-november", "hawaii", 2, "running", "active", 12),
)
"""Slug, preset, seats, state of the event and of its stage, official deal sets for each entry."""


def written(apps: Any) -> None:
    """Three official ladders, one of somebody else's, and a league."""
    by = a.a_user().pk
    rules = apps.get_model("tournaments", "Ruleset").objects.create(game="sakura", canonical="{}", sha256="ab")
    others = (
        ("own-ladder", "hawaii", 2, "running", "active", None),
        ("league", "hawaii", 2, "running", "active", None),
    )
    for slug, preset, seats, state, of_stage, deal_sets in (*LADDERS, *others):
        event = apps.get_model("tournaments", "Tournament").objects.create(
            slug=slug, name=slug, created_by_id=by, state=state, official_deal_sets=deal_sets
        )
        apps.get_model("tournaments", "Stage")._base_manager.create(
            tournament=event,
            order=1,
            kind="round_robin" if slug == "league" else "ladder",
            ruleset=rules,
            preset=preset,
            scoring="place",
            seats_min=seats,
            seats_pref=seats,
            seats_max=seats,
            state=of_stage,
        )


def seasons() -> list[tuple[Any, ...]]:
    rows = LadderSeason.objects.order_by("pk")
    return list(rows.values_list("stage__tournament__slug", "preset", "seats", "ended_at", "outcome", "contenders"))


EXPECTED: Final = [(slug, preset, seats, None, "", 0) for slug, preset, seats, *_states in LADDERS]


def test_ladders_of_before_become_seasons_once(own_database: None) -> None:
    written(migrate_to(BEFORE_TABLES))
    migrate_to()
    assert seasons() == EXPECTED
    assert medals.end_seasons() == 2, "the one that is over and the one that was called off"
    assert [outcome for *_others, outcome, _n in seasons()] == ["too_few", "cancelled", ""]
    assert not LadderMedal.objects.exists()
    ended = seasons()
    migrate_to(BEFORE_ROWS)
    assert seasons() == ended, "rows stay on the way back"
    migrate_to()
    assert seasons() == ended, "and are not made twice"


def test_seasons_are_made_again_after_their_table_was_gone(own_database: None) -> None:
    old = migrate_to(BEFORE_TABLES)
    written(old)
    migrate_to()
    medals.end_seasons()
    migrate_to(BEFORE_TABLES)
    assert "tournaments_ladderseason" not in connection.introspection.table_names()
    assert old.get_model("tournaments", "Stage")._base_manager.count() == len(LADDERS) + 2
    migrate_to()
    assert seasons() == EXPECTED


def test_a_ladder_opened_between_the_two_has_its_season_already(own_database: None) -> None:
    """The service may run between both migrations: its own rows stay, and the missing ones follow."""
    apps = migrate_to(BEFORE_ROWS)
    written(apps)
    newest = apps.get_model("tournaments", "Stage")._base_manager.get(tournament__slug="hawaii-november")
    apps.get_model("tournaments", "LadderSeason").objects.create(stage=newest, preset="hawaii", seats=2)
    migrate_to()
    assert sorted(seasons()) == sorted(EXPECTED)
