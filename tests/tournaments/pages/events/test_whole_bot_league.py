"""A private league of bots by its pages: made by the form for bots with house rules, entered by somebody invited."""

from __future__ import annotations

from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from bots.models import Bot
from tests.builders import events as a
from tests.services.processes import Project
from tests.services.waiting import wait_until
from tests.tournaments.pages.floor.test_club_night import PHONE, Hall, hall
from tests.tournaments.pages.floor.test_whole_events import fill
from tournaments.models import Match, Tournament
from tournaments.standings import store

__all__ = ["hall"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(300), pytest.mark.slow]
HOUSE_RULES: Final = {"option_rounds": "2", "option_hiki": "off", "option_gaji_wild": "off"}
CHOSEN: Final = {"preset": "paradise", "seats": "2", "visibility": "private", "min_entries": "3", "max_entries": "6"}
SECRET_PAGES: Final = ("", "entries/", "rounds/", "standings/", "ranking/", "rules/", "feed/", "files/event.json")


def drafted(hall: Hall, desk: Page) -> Tournament:
    """Fill the form for bots in: nothing of halls is on it."""
    desk.goto(f"{hall.site}/t/new/")
    desk.get_by_role("link", name="Bots on the server").click()
    for words in ("Minutes per round", "Where", "Partners"):
        expect(desk.get_by_label(words, exact=True)).to_have_count(0)
    hall.look(desk)
    fill(desk, {"name": "House league", **CHOSEN, **HOUSE_RULES})
    desk.get_by_role("button", name="Create the draft").click()
    event = Tournament.objects.get(name="House league")
    desk.get_by_role("link", name="Dashboard").click()
    for label in ("Announce it", "Open entries"):
        hall.look(desk)
        desk.get_by_role("button", name=label).click()
        expect(desk.get_by_role("button", name=label)).to_have_count(0)
        if "/desk/" not in desk.url:
            desk.get_by_role("link", name="Dashboard").click()
    return event


def enter_here(hall: Hall, page: Page, event: Tournament, bot: Bot) -> None:
    """Read the house rules and enter a bot, from the event's page on."""
    page.goto(f"{hall.site}/t/{event.slug}/")
    page.get_by_role("link", name="Enter a bot").click()
    hall.look(page)
    page.get_by_label("Your bot").select_option(bot.slug)
    page.get_by_role("button", name="Enter it").click()
    expect(page.get_by_role("status").first).to_contain_text(f"{bot.name} is entered")


def invited(hall: Hall, desk: Page, event: Tournament, name: str, link: str = "") -> Page:
    """Come in by an invitation: by name, or by a link."""
    person = a.a_user(name)
    page = hall.open(person, size=PHONE)
    if link:
        page.goto(link)
    else:
        desk.get_by_label("User name").fill(name)
        desk.get_by_role("button", name="Invite", exact=True).click()
        expect(desk.get_by_role("row", name=name)).to_be_visible()
        page.goto(f"{hall.site}/me/invitations/")
    hall.look(page)
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_role("heading", name="House league")).to_be_visible()
    page.get_by_role("link", name="house rule").first.click()
    expect(page.locator("#house-rules tbody tr")).to_have_count(len(HOUSE_RULES))
    hall.look(page)
    enter_here(hall, page, event, a.a_bot(person, name=f"Bot of {name}"))
    return page


def a_link(hall: Hall, desk: Page) -> str:
    """Make a link on the page of invitations."""
    desk.get_by_label("What is it for? Only organisers see this.").fill("Lyon")
    desk.get_by_role("button", name="Make a link").click()
    hall.look(desk)
    return desk.get_by_label("The link", exact=True).input_value()


def is_finished(event: Tournament) -> bool:
    event.refresh_from_db()
    return event.state == Tournament.State.FINISHED


def test_a_private_league_with_house_rules_is_played_by_workers_to_its_end(hall: Hall, project: Project) -> None:
    organiser = a.a_user("organiser")
    desk = hall.open(organiser)
    event = drafted(hall, desk)
    desk.get_by_role("link", name="Invitations").click()
    ann = invited(hall, desk, event, "ann")
    ben = invited(hall, desk, event, "ben", a_link(hall, desk))
    enter_here(hall, desk, event, a.a_bot(organiser, name="Own bot"))
    desk.get_by_role("link", name="Dashboard").first.click()
    hall.look(desk)
    desk.get_by_role("button", name="Start", exact=True).click()
    project.worker()
    wait_until(lambda: is_finished(event), 120, "the last match")
    assert Match.objects.filter(stage__tournament=event, state=Match.State.CONFIRMED).count() >= 3
    assert all(store.differences(stage) == [] for stage in event.stages.all())
    for page in (desk, ann, ben):
        for tab in ("", "standings/", "ranking/"):
            page.goto(f"{hall.site}/t/{event.slug}/{tab}")
            hall.look(page)
            expect(page.get_by_text("Bot of ann").first).to_be_visible()
    nobody_else_sees_it(hall, event)


def nobody_else_sees_it(hall: Hall, event: Tournament) -> None:
    """An anonymous reader and a rival get the same 404 as for an event that never was."""
    hall.trouble.allow = (*hall.trouble.allow, "404")
    for reader in (None, a.a_user("rival")):
        page = hall.open(reader)
        for tab in SECRET_PAGES:
            answer: Any = page.goto(f"{hall.site}/t/{event.slug}/{tab}")
            assert answer.status == 404
            assert "House league" not in page.content()
