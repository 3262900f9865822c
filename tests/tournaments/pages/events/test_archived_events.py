"""An archived event says so and leaves the lists; so does what was called off before it began. A filter shows both."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client

from accounts.models import User
from tests.builders import events as a
from tests.builders.leagues import League
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
As = Callable[[User | None], Client]


def named(client: Client, query: str = "") -> set[str]:
    return {event.name for event in client.get(f"/t/{query}").context["page"].rows}


@pytest.mark.thorough
def test_to_archive_an_event_changes_what_one_sees(league: League, as_user: As) -> None:
    organiser, stranger = as_user(league.organiser), Client()
    event, here = league.finished, f"/t/{league.finished.slug}/"
    before = unescape(organiser.get(here).content.decode())
    assert "it becomes read-only and leaves the lists" in before
    assert event.name in named(stranger)
    assert event.name in named(stranger, "?when=past")
    done = organiser.post(f"{here}do/archive/", {"row_version": event.row_version}, follow=True)
    assert "The event is archived: it is read-only from now on" in unescape(done.content.decode())
    for client in (stranger, organiser):
        assert "archived" in client.get(here).content.decode()
        for query in ("", "?when=past", "?when=live", "?when=soon"):
            assert event.name not in named(client, query)
        assert event.name in named(client, "?when=archived")
    assert event.name not in named(organiser, "?when=mine")
    told = stranger.get("/api/v1/tournaments").json()["items"]
    assert event.slug in {each["slug"] for each in told}  # programs still have everything unless they ask
    told = stranger.get("/api/v1/tournaments?when=archived").json()["items"]
    assert {each["slug"] for each in told} == {event.slug}


def test_the_dashboard_of_a_finished_event_offers_what_comes_after_and_puts_it_away_last(
    league: League, as_user: As
) -> None:
    here = f"/t/{league.finished.slug}/"
    page = as_user(league.organiser).get(f"{here}desk/").content.decode()
    after = page[page.index('id="next"') :].partition("</section>")[0]
    acts = [f"{here}{tab}" for tab in ("certificates/", "ranking/poster-a3/", "#downloads", "another/", "do/archive/")]
    places = [after.index(f'"{act}"') for act in acts]
    assert places == sorted(places)
    assert 'class="main"' not in after


@pytest.mark.thorough
def test_what_was_called_off_before_it_began_leaves_the_lists(league: League, as_user: As) -> None:
    organiser = as_user(league.organiser)
    name = league.draft.name
    assert name in named(organiser)
    Tournament.objects.filter(pk=league.draft.pk).update(state="cancelled")
    assert name not in named(organiser)
    assert name not in named(organiser, "?when=mine")
    assert name in named(organiser, "?when=archived")
    Tournament.objects.filter(pk=league.running.pk).update(state="cancelled")
    assert league.running.name in named(organiser, "?when=past")  # people played in it


@pytest.mark.thorough
def test_an_event_that_was_cancelled_before_anybody_entered_invites_nobody(client: Client) -> None:
    event = a.an_open_event()
    Tournament.objects.filter(pk=event.pk).update(state="cancelled")
    page = " ".join(client.get(f"/t/{event.slug}/").content.decode().split())
    assert "Nobody had entered when it was cancelled." in page
    assert "Nobody has entered yet." not in page
    assert "The rounds are drawn" not in page
