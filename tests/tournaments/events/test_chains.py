"""Chains that cannot be played are refused at once, each with its code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.builders import events as a
from tests.tournaments.events.test_services import refused
from tournaments.events.clocks import choose_clock
from tournaments.events.create import create_tournament
from tournaments.lifecycle.event_plan import AdvancementPlan, StagePlan
from tournaments.models import Progression, Stage

pytestmark = pytest.mark.django_db
BRACKET = StagePlan(kind="single_elim", name="Final")
ON = AdvancementPlan(source=1, target=2, last=2)
ROUND = (ON, AdvancementPlan(source=2, target=3, last=1), AdvancementPlan(source=3, target=2, last=1))
BACK = (AdvancementPlan(source=1, target=3, last=4), AdvancementPlan(source=3, target=2, last=2))
CASES: Any = (
    ("progression.start", {"then": (BRACKET,)}),
    ("progression.stage", {"then": (BRACKET,), "ways": (AdvancementPlan(source=1, target=3, last=2),)}),
    ("progression.range", {"then": (BRACKET,), "ways": (AdvancementPlan(source=1, target=2, first=3, last=2),)}),
    ("progression.range", {"then": (BRACKET,), "ways": (AdvancementPlan(source=1, target=2, last=2, most=0),)}),
    (
        "progression.overlap",
        {"then": (BRACKET, BRACKET), "ways": (ON, AdvancementPlan(source=1, target=3, first=2, last=4))},
    ),
    ("progression.cycle", {"then": (BRACKET, BRACKET), "ways": ROUND}),
    (
        "progression.backwards",
        {
            "then": (BRACKET, BRACKET),
            "ways": BACK,
        },
    ),
    (
        "progression.last",
        {"then": (BRACKET, BRACKET), "ways": (ON, AdvancementPlan(source=1, target=3, first=3, last=4))},
    ),
    ("progression.places", {"then": (BRACKET,), "ways": (AdvancementPlan(source=1, target=2, last=5),), "groups": 2}),
    ("tournament.bad_groups", {"groups": 5}),
    ("tournament.bad_groups", {"groups": 27}),
    ("tournament.bad_groups", {"groups": 0}),
    ("tournament.bad_groups", {"then": (StagePlan(kind="round_robin", groups=2),), "ways": (ON,)}),
    ("tournament.bad_by", {"then": (BRACKET,), "ways": (AdvancementPlan(source=1, target=2, last=2, by="hand"),)}),
    (
        "tournament.bad_carry",
        {"then": (BRACKET,), "ways": (AdvancementPlan(source=1, target=2, last=2, carry="most"),)},
    ),
    ("tournament.bad_then", {"then": (BRACKET,) * 6}),
    ("tournament.bad_kind", {"then": (StagePlan(kind="gauntlet"),), "ways": (ON,)}),
    ("tournament.bad_seating", {"then": (StagePlan(kind="round_robin", seats=3),), "ways": (ON,)}),
    ("tournament.bad_clock", {"then": (StagePlan(kind="round_robin", clock="bullet"),), "ways": (ON,)}),
    ("tournament.too_many_matches", {"groups": 2, "max_entries": 512, "legs": "cyclic"}),
)


@pytest.mark.parametrize(("code", "changes"), CASES)
def test_a_chain_with_a_mistake_is_refused_whole(code: str, changes: dict[str, Any]) -> None:
    by = a.a_user()
    plan = a.a_plan(**{"min_entries": 8, "max_entries": 12, **changes})
    refused(code, lambda: create_tournament(by=by, plan=plan))


def made(**changes: Any) -> Callable[[], object]:
    return lambda: create_tournament(by=a.a_user(), plan=a.a_plan(**changes))


def test_a_chain_is_written_as_it_was_asked_for() -> None:
    consolation = StagePlan(kind="swiss", rounds=2, name="Rest", clock="quick", scoring="place", waits=True)
    ways = (
        AdvancementPlan(source=1, target=2, first=3, last=4, by="draw"),
        AdvancementPlan(source=1, target=3, last=2, most=7, carry="half"),
    )
    made(groups=4, min_entries=16, max_entries=20, stage_name="Pools", then=(consolation, BRACKET), ways=ways)()
    pools, rest, final = Stage.objects.order_by("order")
    assert [stage.name for stage in (pools, rest, final)] == ["Pools", "Rest", "Final"]
    assert (pools.groups_n, rest.groups_n, rest.waits, final.waits) == (4, 1, True, False)
    assert (rest.clock, rest.scoring, final.clock, final.scoring) == ("quick", "place", "standard", pools.scoring)
    assert pools.ruleset == rest.ruleset == final.ruleset
    found = list(
        Progression.objects.order_by("pk").values_list(
            "source__order", "target__order", "first", "last", "most", "by", "carry"
        )
    )
    assert found == [(1, 2, 3, 4, None, "draw", "none"), (1, 3, 1, 2, 7, "rank", "half")]


def test_another_clock_is_one_for_the_whole_chain() -> None:
    event = a.an_open_event(min_entries=4, then=(BRACKET,), ways=(ON,))
    choose_clock(tournament=event, by=event.created_by, clock="quick")
    assert set(Stage.objects.values_list("clock", flat=True)) == {"quick"}
