"""The overview of an event that has not begun: who plays, when and where; and no search among nobody."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page

from tests.browser.looking import sideways
from tests.builders import clubs
from tests.builders import events as a
from tests.builders.registrations import an_event_with_registration
from tournaments.entries.bots import withdraw_entry
from tournaments.models import Entry, Tournament

pytestmark = pytest.mark.django_db


def read(event: Tournament) -> str:
    return Client().get(f"/t/{event.slug}/").content.decode()


def test_who_has_entered_is_shown_and_who_left_or_waits_is_not() -> None:
    event = a.an_open_event()
    stays, leaves, waits = a.entered(event, [a.a_bot(name=name) for name in ("Plum", "Kiri", "Lani")])
    withdraw_entry(entry=leaves, by=leaves.player.bot.owner)  # type: ignore[union-attr]
    # After the withdrawal, which would have given the waiting one its place.
    Entry.objects.filter(pk=waits.pk).update(state=Entry.State.WAITLISTED)
    page = read(event)
    entrants = page.partition('class="plain entrants"')[2].partition("</ul>")[0]
    assert stays.player.name in entrants
    assert leaves.player.name not in entrants
    assert waits.player.name not in entrants
    assert "There is nothing to rank" not in page


def test_where_nobody_has_entered_nobody_is_searched() -> None:
    page = read(a.an_open_event(who="people"))
    assert "Nobody has entered yet." in page
    assert 'id="find-me"' not in page
    assert 'id="find-me"' in read(clubs.a_club_night())


def test_where_nobody_has_entered_a_table_of_free_seats_leads_to_registration() -> None:
    event = an_event_with_registration()
    page = read(event)
    assert page.count('class="free"') == event.stages.get().seats_pref
    assert f'<a href="/t/{event.slug}/register/">Take the first seat</a>' in page
    Tournament.objects.filter(pk=event.pk).update(entries_close_at=timezone.now() - timedelta(hours=1))
    assert "Take the first seat" not in read(event)
    assert 'class="free"' not in read(event)
    assert 'class="free"' not in read(clubs.a_club_night())


def test_the_ticket_says_when_and_where_and_how_to_enter() -> None:
    event = a.an_open_event(max_entries=8)
    a.entered(event, [a.a_bot()])
    when = timezone.now() + timedelta(days=3)
    Tournament.objects.filter(pk=event.pk).update(starts_at=when, venue="Tea house", description="Tea for everybody.")
    page = read(event)
    ticket = page.partition('class="ticket"')[2].partition("</section>")[0]
    assert f"{when:%A} {when.day} {when:%B %Y}" in ticket
    assert page.count("Tea house") == 1
    assert page.count("Tea for everybody.") == 1
    assert "<strong>1</strong> of 8 places taken" in ticket
    assert ticket.count("btn main") == 1
    assert "Enter a bot" in ticket


def test_a_ticket_says_once_what_it_is_and_that_the_date_is_to_come() -> None:
    event = a.an_open_event()
    page = read(event)
    ticket = page.partition('class="ticket"')[2].partition("</section>")[0]
    assert "date to be announced" in ticket
    assert page.count('class="lede"') == 1
    sentence = ticket.partition('class="lede">')[2].partition("</p>")[0]
    Tournament.objects.filter(pk=event.pk).update(description="Tea for everybody.")
    ticket, _class, about = read(event).partition('class="box"')
    assert sentence not in ticket.partition("<main")[2]
    assert sentence in about


def test_the_rules_of_an_event_are_named_by_their_hash_on_a_page_of_their_own() -> None:
    event = a.an_open_event()
    digest = event.stages.get().ruleset.sha256
    assert digest[:4] not in read(event).partition("<main")[2]
    assert digest in Client().get(f"/t/{event.slug}/rules/").content.decode()


def test_other_pages_say_when_and_where_in_their_head() -> None:
    event = clubs.a_club_night()
    when = timezone.now() + timedelta(days=3)
    Tournament.objects.filter(pk=event.pk).update(starts_at=when, venue="Tea house")
    page = Client().get(f"/t/{event.slug}/entries/").content.decode()
    head = page.partition('id="state-line"')[2].partition("</p>")[0]
    assert f"{when:%Y}" in head
    assert "Tea house" in head


def test_a_ticket_is_for_what_has_not_begun() -> None:
    assert 'class="ticket"' not in read(a.a_running_event())
    assert 'class="ticket"' in read(clubs.a_club_night())


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("width", [360, 720, 800, 1280])
def test_that_nobody_has_entered_is_read_in_one_line(live_site: str, page: Page, width: int) -> None:
    event = an_event_with_registration()
    Tournament.objects.filter(pk=event.pk).update(starts_at=timezone.now() + timedelta(days=3), venue="Tea house")
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{live_site}/t/{event.slug}/entries/")
    assert page.locator(".of-event h2").evaluate("each => each.clientHeight") < 60
    assert sideways(page) == []
