"""A body of JSON has the types that the description of the API gives: nothing is converted in silence."""

from __future__ import annotations

from typing import Any

import pytest

from bots.models import Bot
from tests.builders import events as a
from tests.builders.clubs import a_club_night
from tests.builders.keys import Caller
from tournaments.models import Season, Tournament

pytestmark = pytest.mark.django_db
BOTS, SEASONS = "/api/v1/bots", "/api/v1/seasons"


def faults(answer: Any) -> list[tuple[str, str]]:
    """Pointer and code of everything that an answer refuses."""
    assert answer.status_code == 400, answer.content
    return [(each["pointer"], each["code"]) for each in answer.json()["errors"]]


@pytest.mark.parametrize("name", [5000, -1.5, 10**30])
def test_a_number_is_no_name(name: float) -> None:
    assert faults(Caller(a.a_user()).post(BOTS, {"name": name})) == [("/name", "field.invalid")]
    assert not Bot.objects.exists()


def test_every_wrong_type_is_named_with_its_place() -> None:
    body = {"name": 1, "best": "3", "divisions": [{"name": "First"}, {"name": 2}]}
    expected = [("/name", "field.invalid"), ("/best", "field.invalid"), ("/divisions/1/name", "field.invalid")]
    assert sorted(faults(Caller(a.a_user()).post(SEASONS, body))) == sorted(expected)
    assert not Season.objects.exists()


@pytest.mark.parametrize("flag", ["off", "true", 1, 0])
def test_only_true_and_false_answer_yes_or_no(flag: object) -> None:
    event = a_club_night()
    sent = Caller(event.created_by).patch(f"/api/v1/tournaments/{event.slug}", {"calls_alone": flag})
    assert faults(sent) == [("/calls_alone", "field.invalid")]
    assert Tournament.objects.get().row_version == event.row_version


def test_a_number_that_python_reads_as_infinity_is_no_json() -> None:
    caller = Caller(a.a_user())
    answer = caller.client.post(BOTS, '{"name": 1e999}', content_type="application/json", headers=caller.headers())
    assert answer.status_code == 400
    assert answer.json()["code"] == "request.bad"
