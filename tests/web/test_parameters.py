"""What stands after the question mark of a request that changes something has to be understood, too."""

from __future__ import annotations

import pytest

from tests.builders import events as a
from tests.builders.clubs import a_called_night
from tests.builders.keys import Caller, problem
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def test_a_misspelt_stage_changes_no_other_stage() -> None:
    event = a_called_night(people=4)
    caller, before = Caller(event.created_by), Tournament.objects.get(pk=event.pk).row_version
    answer = caller.post(f"/api/v1/tournaments/{event.slug}/rounds/1:cancel?stag=2", {"reason": "It rains."})
    assert problem(answer) == (400, "request.unknown_field")
    assert "The parameters are: stage." in answer.json()["title"]
    assert Tournament.objects.get(pk=event.pk).row_version == before


@pytest.mark.parametrize("method", ["POST", "PATCH", "DELETE"])
def test_a_request_that_takes_no_parameters_says_so(method: str) -> None:
    bot = a.a_bot()
    path = "/api/v1/bots" if method == "POST" else f"/api/v1/bots/{bot.slug}"
    answer = Caller(bot.owner).send(method, f"{path}?dry_run=1", {})
    assert problem(answer) == (400, "request.unknown_field")
    assert answer.json()["title"] == "There is no parameter “dry_run” here: this request takes none."


def test_a_described_parameter_of_an_act_is_taken() -> None:
    event = a_called_night(people=4)
    answer = Caller(event.created_by).post(f"/api/v1/tournaments/{event.slug}/rounds/1:cancel?stage=x", {})
    assert problem(answer)[0] in (400, 404)
    assert "no parameter" not in answer.json()["title"]
