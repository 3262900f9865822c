"""Ratings from one's own day: say that a name is one's account, or take it back; nobody is rated without having said
so.
"""

from __future__ import annotations

import pytest
from django.test import Client

from tests.builders import events as a
from tests.builders.clubs import a_club_night, person
from tournaments.entries.links import link_token, make_links
from tournaments.models import EntryLink, Player, Tournament
from tournaments.ratings.actions import rate_event

pytestmark = pytest.mark.django_db


def opened(event: Tournament, name: str) -> tuple[Client, str]:
    """A browser that has opened somebody's link, and the address of their day."""
    entry = person(event, name)
    make_links(tournament=event, by=event.created_by)
    client = Client()
    client.get(f"/e/{link_token(EntryLink.objects.get(entry=entry))}/", follow=True)
    return client, f"/e/my/{entry.uuid}/"


@pytest.mark.thorough
def test_results_are_claimed_and_given_back_by_whoever_holds_the_link() -> None:
    event = a_club_night(people=4)
    client, day = opened(event, "Aiko")
    assert "my-rating" not in client.get(day).content.decode()
    rate_event(tournament=event, by=event.created_by, rated=True)
    assert "Sign in if yours" in client.get(day).content.decode()
    assert client.post(f"{day}mine/").status_code == 302
    assert not Player.objects.exclude(user=None).exists()
    kimo = a.a_user("kimo")
    client.force_login(kimo)
    page = client.get(day).content.decode()
    assert "This is me: count them" in page
    client.post(f"{day}mine/")
    assert person(event, "Aiko").player.user == kimo
    assert "Stop counting them" in client.get(day).content.decode()
    client.post(f"{day}not-mine/")
    assert person(event, "Aiko").player.user is None
    stranger = Client()
    stranger.force_login(a.a_user())
    stranger.post(f"{day}mine/")
    assert person(event, "Aiko").player.user is None
