"""Formats proposed by the API: what fits an evening, each with a plan that makes the event."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.builders import events as a
from tests.builders.keys import Caller, problem
from tournaments.events.plan_rows import plan_of
from tournaments.events.proposals.choice import proposals
from tournaments.events.proposals.question import TEAM_SIZES, Question
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
HERE = "/api/v1/proposals"
CLUB = {"people": 22, "hours": 2.5, "tables": 6}


def ask(caller: Caller, **changes: object) -> Any:
    return caller.get(f"{HERE}?{urlencode({**CLUB, **changes})}")


def test_a_club_night_gets_formats_with_their_estimates() -> None:
    answer = Caller(a.a_user(), "read").get(f"{HERE}?people=22&hours=2.5&tables=6")
    assert answer.status_code == 200, answer.content
    first = answer.json()["items"][0]
    assert (first["format"], first["fits"]) == ("swiss_final", True)
    assert 0 < first["hours"] <= first["hours_at_most"] <= 2.5
    assert [stage["kind"] for stage in first["stages"]] == ["pods", "single_elim"]
    assert first["stages"][0]["tables"] <= 6
    assert first["matches"] <= first["matches_at_most"]
    assert "name" not in first["plan"]


@pytest.mark.thorough
@pytest.mark.parametrize("company", TEAM_SIZES)
def test_every_plan_makes_its_event(company: str) -> None:
    ann = Caller(a.a_user())
    wanted = proposals(Question(people=22, hours=2.5, tables=6, company=company))
    items = ask(ann, company=company).json()["items"]
    assert [each["format"] for each in items] == [each.key for each in wanted]
    for number, (item, proposal) in enumerate(zip(items, wanted, strict=True)):
        made = ann.post("/api/v1/tournaments", {**item["plan"], "name": f"Evening {number}"})
        assert made.status_code == 201, (item["format"], made.content)
        read = plan_of(Tournament.objects.get(slug=made.json()["slug"]))
        assert (read.kind, read.rounds, read.options, read.max_entries, len(read.then)) == (
            proposal.plan.kind,
            proposal.plan.rounds,
            dict(proposal.plan.options),
            proposal.plan.max_entries,
            len(proposal.plan.then),
        )
        assert replace(read, name="").ways == proposal.plan.ways


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"people": "3", "company": "drawn"}, (400, "proposal.too_few")),
        ({"preset": "oibana", "company": "drawn"}, (400, "proposal.pairs")),
        ({"preset": "poker"}, (400, "request.invalid")),
        ({"people": "many"}, (400, "request.invalid")),
        ({"hours": "nan"}, (400, "request.invalid")),
        ({"deal_minutes": "inf"}, (400, "request.invalid")),
        ({"people": "999999"}, (400, "request.invalid")),
    ],
)
def test_what_cannot_be_played_is_refused(changes: dict[str, str], expected: tuple[int, str]) -> None:
    status, code = problem(ask(Caller(a.a_user()), **changes))
    assert (status, code) == expected


def test_strangers_and_tokens_for_other_things_are_refused() -> None:
    assert problem(ask(Caller(None))) == (401, "auth.needed")
    assert problem(ask(Caller(a.a_user(), "bot:write")))[0] == 403
