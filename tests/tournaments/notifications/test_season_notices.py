"""Notices about seasons: an event's organisers hear that a season asks for it, and its people hear the answer."""

from __future__ import annotations

import pytest

from tests.builders import events as a
from tests.builders.seasons import a_finished_event, a_season, in_order
from tests.tournaments.notifications.test_notices import told, words
from tournaments.models import Notice, Role, SeasonEvent
from tournaments.notifications import consumer
from tournaments.notifications.lines import path_of
from tournaments.seasons.access import give_season_role
from tournaments.seasons.events import accept_event, add_event, remove_event

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def begun(db: None) -> None:
    """The reader of the outbox has begun: it reads what is told from now on."""
    consumer.notice_news()


def asked() -> SeasonEvent:
    """Make a season of an owner and a manager that asks for an event of two organisers and a scorer."""
    season, event = a_season(name="The year"), a_finished_event(a.a_user(), in_order("Aiko", "Ben"))
    give_season_role(season=season, by=season.created_by, username=a.a_user().username, role="manager")
    for role in ("director", "scorer"):
        Role.objects.create(user=a.a_user(), tournament=event, role=role)
    return add_event(season=season, by=season.created_by, slug=event.slug)


def test_organisers_hear_that_a_season_asks_and_its_people_hear_the_answer() -> None:
    row = asked()
    season, event = row.season, row.tournament
    organisers = [each.user for each in event.roles.filter(role__in=("owner", "director"))]
    people = [each.user for each in season.roles.all()]
    assert [words(each)[-1] for each in organisers] == [
        "The season The year asks to count Club night. Agree or decline."
    ] * 2
    assert {path_of(each) for each in Notice.objects.all()} == {f"/t/{event.slug}/seasons/"}
    accept_event(row=row, by=organisers[0])
    assert [words(each)[-1] for each in people] == [
        "Club night belongs to the season The year now: its organiser agreed."
    ] * 2
    answers = Notice.objects.filter(what="season_agreed")
    assert {path_of(each) for each in answers} == {f"/seasons/{season.slug}/events/"}
    assert {each.reader for each in Notice.objects.all()} == {*organisers, *people}


def test_a_refusal_is_told_and_a_request_that_was_withdrawn_is_not() -> None:
    row = asked()
    organiser, owner = row.tournament.created_by, row.season.created_by
    remove_event(row=row, by=organiser)
    assert told(owner) == ["season_declined"]
    assert told(organiser) == [], "it was answered before anybody could be told"
    again = add_event(season=row.season, by=owner, slug=row.tournament.slug)
    remove_event(row=again, by=owner)
    assert (told(owner), told(organiser)) == (["season_declined"], [])


def test_an_event_of_ones_own_asks_nobody() -> None:
    by = a.a_user()
    season, event = a_season(by), a_finished_event(by, in_order("Aiko"))
    remove_event(row=add_event(season=season, by=by, slug=event.slug), by=by)
    assert told(by) == []
