"""Consolation brackets of people: played beside the main one, ranked below it, on pages, in files and rehearsals."""

from __future__ import annotations

import pytest
from django.test import Client

from core.errors import TournamentError
from tests.builders import events as a
from tests.builders.clubs import a_called_night, close_event, tables_of
from tests.tournaments.progress.test_flow import called, entered
from tournaments.events.create import create_tournament
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as importing
from tournaments.models import Match, Stage, Standing, Tournament
from tournaments.standings import store

pytestmark = pytest.mark.django_db(transaction=True)


def best_places(event: Tournament) -> dict[str, str]:
    rows = Standing.objects.filter(stage__tournament=event, after_round=store.NOW)
    return {name: str(key[0]) for name, key in rows.values_list("entry__player__name", "key")}


def losers_of(matches: list[Match]) -> list[str]:
    return [match.seats.order_by("index").values_list("entry__player__name", flat=True)[1] for match in matches]


@pytest.mark.thorough
def test_who_loses_first_plays_for_the_fifth_place() -> None:
    event = a_called_night(people=8, kind="single_elim", rounds=1, flows=True, consolation=True, third_place=True)
    first = tables_of(event)
    for match in first:
        entered(match)
    assert {best_places(event)[name] for name in losers_of(first)} == {"5"}
    assert Match.objects.filter(round__number=2).count() == 4
    while Match.objects.filter(state__in=("ready", "called")).exists():
        called(event)
        entered(Match.objects.filter(state="called").order_by("pk")[0])
    close_event(tournament=event, by=event.created_by)
    # Four and two and one below, as above, and the match for third place.
    assert Match.objects.count() == 4 + 2 + 1 + 1 + 2 + 1
    assert sorted(best_places(event).values()) == ["1", "2", "3", "4", "5", "6", "7", "7"]
    assert store.differences(Stage.objects.get()) == []
    page = Client().get(f"/t/{event.slug}/bracket/").content.decode()
    assert "Consolation final" in page
    assert "wins the consolation bracket" in page
    data = event_json(event)
    assert event_json(importing.write(importing.validate_event(data), by=event.created_by, slug="again")) == data


@pytest.mark.thorough
def test_in_whole_rounds_it_is_drawn_with_the_second_round() -> None:
    event = a_called_night(people=8, kind="single_elim", rounds=1, consolation=True)
    plan = event.stages.get().rounds.get(number=1).plan
    assert len(plan["pods"]) == 4
    assert b'"consolation":true' in event_json(event).replace(b" ", b"")


@pytest.mark.parametrize("changes", [{"kind": "double_elim"}, {"kind": "swiss", "rounds": 2}])
def test_other_formats_have_none(changes: dict[str, object]) -> None:
    plan = a.a_plan(**{"name": "No such cup", "who": "people", "consolation": True, **changes})
    with pytest.raises(TournamentError) as refused:
        create_tournament(by=a.a_user(), plan=plan)
    assert refused.value.code == "tournament.bad_consolation"
