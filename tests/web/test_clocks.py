"""The clock on pages: chosen with the event, shown, changed, and what each seat used of it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from tests.builders import events as a
from tests.builders.leagues import League
from tournaments.lifecycle.time_limits import clock_of
from tournaments.models import Tournament

Become = Callable[[User | None], Client]
# A number and its unit stay on one line.
STANDARD = "Standard: 100~ms per move, bank of 1~s per deal, 60~s per match (CPU time)".replace(
    "~", "\N{NO-BREAK SPACE}"
)


@pytest.mark.django_db
def test_the_event_and_its_matches_say_their_clock_and_each_seat_what_it_used(league: League, client: Client) -> None:
    assert STANDARD in client.get(f"/t/{league.finished.slug}/").content.decode()
    match = league.match()
    page = client.get(f"/m/{match.uuid}/").content.decode()
    assert STANDARD in page
    for seat in match.seats.all():
        assert f"{seat.cpu_ms} ms of 60 s" in page


@pytest.mark.thorough
@pytest.mark.django_db
def test_a_wrong_figure_is_marked_on_its_field_and_nothing_is_saved(as_user: Become) -> None:
    client = as_user(a.a_user())
    form = {"name": "Clocked", "preset": "hawaii", "seats": 2, "rounds": 1, "legs": "single", "visibility": "public"}
    form |= {"min_entries": 2, "max_entries": 4, "entries_per_owner": 2}
    outside = client.post("/t/new/", {**form, "clock": "custom", "move_ms": 9000})
    short = client.post("/t/new/", {**form, "clock": "custom", "move_ms": 2000, "match_ms": 1000})
    beside = client.post("/t/new/", {**form, "clock": "quick", "move_ms": 30})
    assert [answer.status_code for answer in (outside, short, beside)] == [422, 422, 422]
    assert "less than or equal to 2000" in outside.content.decode()
    assert "tournament.bad_match_ms" in short.content.decode()
    assert "These fields are for a custom clock" in beside.content.decode()
    assert not Tournament.objects.filter(name="Clocked").exists()
    client.post("/t/new/", {**form, "clock": "custom", "move_ms": 30})
    assert clock_of(Tournament.objects.get(name="Clocked").stages.get()).move_ms == 30


@pytest.mark.thorough
@pytest.mark.django_db
def test_only_an_organiser_changes_the_clock_and_only_before_the_start(league: League, as_user: Become) -> None:
    path = f"/t/{league.open.slug}/clock/"
    assert as_user(None).get(path).status_code == 302
    stranger = as_user(league.rival)
    for answer in (stranger.get(path), stranger.post(path, {"clock": "quick"})):
        assert answer.status_code == 403
        assert "tournament.not_organiser" in answer.content.decode()
    assert "Change the clock" not in stranger.get(f"/t/{league.open.slug}/").content.decode()
    organiser = as_user(league.organiser)
    assert organiser.post(path, {"clock": "bullet"}).status_code == 422
    assert organiser.post(path, {"clock": "custom", "move_ms": 2000, "match_ms": 1000}).status_code == 422
    assert organiser.post(path, {"clock": "quick"}).status_code == 302
    assert "changed the clock: Quick: 20 ms per move" in organiser.get(f"/t/{league.open.slug}/feed/").content.decode()
    late = organiser.post(f"/t/{league.running.slug}/clock/", {"clock": "quick"})
    assert late.status_code == 409
    assert "stage.clock_frozen" in late.content.decode()
    assert "Change the clock" not in organiser.get(f"/t/{league.running.slug}/").content.decode()
