"""Settings of before, in one JSON column, become columns and rows, and the same JSON again on the way back."""

from __future__ import annotations

import json
from functools import partial
from typing import Any, Final

import pytest

from bots.models import Blob
from tests.builders import events as a
from tests.services.earlier_tables import migrate_to
from tournaments.interchange.export import event_json
from tournaments.lifecycle.floor_settings import announcements_of
from tournaments.models import RequestedBye, RoundClock, Tournament

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]
BEFORE: Final = "0034_stage_kinds_of_the_registry"
AIKO, BEN, CHIE = ("0e0c2a5e-0000-4000-8000-00000000000" + str(n) for n in range(3))
CLOCK: Final = {
    "began": "2026-11-20T18:00:00+00:00",
    "minutes": 40,
    "stopped_s": 0.0,
    "stopped": None,
    "by_event": False,
}
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
    "tables": {AIKO: 7},
    "seeding": {
        "1": {"by": "rating", "hand": [], "ratings": {BEN: 1800.5, AIKO: 3.0}},
        "2": {"by": "hand", "hand": [BEN, AIKO], "ratings": {}},
    },
    "excused": {"1": {AIKO: {"1": "1/2", "2": "0"}, BEN: {"3": "1"}}},
    "round_clock": {
        "minutes": 0,
        "rounds": {
            "1/1": {**CLOCK, "stopped_s": 12.25},
            "1/2": {**CLOCK, "stopped": "2026-11-20T18:10:00+00:00", "by_event": True},
            "2/1": CLOCK,
        },
    },
    "announcements": {
        "last": 3,
        "rows": [
            {"n": number, "text": f"Word {number}", "at": "2026-11-20T18:00:00.000123+00:00"} for number in (1, 3)
        ],
    },
}
"""Stage 2 was called off and stands as number 102; its first round was not called again."""
OTHERS: Final[dict[str, dict[str, Any]]] = {
    "open": {"who": "both", "draws": "organiser"},
    "ladder": {"who": "bots", "official": {"deal_sets": 40}},
    "comparison": {"who": "bots", "challenge": True},
    "copy": {"leaders": "7", "apart": "club", "boards": 2, "weather": {"rain": [1, None, 0.5]}, "partners": ["who?"]}
    | {"round_clock": {"minutes": "long"}, "announcements": {"last": 1, "rows": [{"n": 1}]}, "tables": {CHIE: 2}},
}
"""A copy keeps what nobody knows here, and does not say what its file did not say."""


def written(apps: Any) -> None:
    """The events of before."""
    by = a.a_user().pk
    events = apps.get_model("tournaments", "Tournament").objects
    for slug, policies in {"night": NIGHT, **OTHERS}.items():
        events.create(slug=slug, name=slug, created_by_id=by, policies=policies)
    _played(apps, by)
    carried = Blob.objects.put(b"what rows have no place for")
    mark = {"mask": "11111111-1111-1111-8111-111111111111", "carried": carried.sha256}
    events.filter(slug="copy").update(policies={**OTHERS["copy"], "imported": mark})


def _played(apps: Any, by: int) -> None:
    """The stages and rounds of the night, and who plays."""
    model = partial(apps.get_model, "tournaments")
    night = model("Tournament").objects.get(slug="night")
    for uuid in (AIKO, BEN, CHIE):
        player = model("Player").objects.create(kind="human", name="Aiko")
        model("Entry").objects.create(uuid=uuid, tournament=night, player=player, entered_by_id=by)
    rules = model("Ruleset").objects.create(game="hana", canonical='{"game": "hana", "options": {}}', sha256="ab")
    for order, rounds in ((1, 2), (2, 0), (102, 1)):
        stage = model("Stage")._base_manager.create(
            tournament=night,
            order=order,
            kind="swiss",
            ruleset=rules,
            scoring="place",
            seats_min=2,
            seats_pref=2,
            seats_max=2,
            state="void" if order > 100 else "active",
        )
        for number in range(1, rounds + 1):
            model("Round").objects.create(stage=stage, number=number)


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
    assert dict(night.entries.exclude(fixed_table=None).values_list("player__name", "fixed_table")) == {"Aiko": 7}
    assert list(RequestedBye.objects.order_by("pk").values_list("stage__order", "round_number", "worth")) == [
        (1, 1, "1/2"),
        (1, 2, "0"),
        (1, 3, "1"),
    ]
    clocks = RoundClock.objects.order_by("pk").values_list("round__stage__order", "round__number", "by_event")
    assert sorted(clocks) == [(1, 1, False), (1, 2, True), (102, 1, False)]
    assert [(row.number, row.text) for row in announcements_of(night)] == [(3, "Word 3"), (1, "Word 1")]
    copy = Tournament.objects.get(slug="copy")
    assert (copy.round_minutes, announcements_of(copy)) == (None, [])
    assert (copy.is_copy, copy.who, copy.leaders, copy.boards, copy.team_score) == (True, "bots", None, 2, "sum")
    assert Tournament.objects.get(slug="ladder").official_deal_sets == 40
    assert Tournament.objects.get(slug="comparison").is_challenge
    for slug in ("night", "open", "ladder", "comparison"):
        event = Tournament.objects.get(slug=slug)
        assert json.loads(event_json(event))["tournament"]["policies"] == before[slug]
    assert policies_in(migrate_to(BEFORE)) == before
