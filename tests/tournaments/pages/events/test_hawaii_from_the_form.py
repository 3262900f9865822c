"""Hanafuda Hawaii 2016 clicked together on the form of an event, without its template, and played to the end.

144 people who come alone, partners drawn twenty years apart in age, nine pools of eight pairs, a knock-out of sixteen.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.builders import events as a
from tests.tournaments.pages.floor.test_club_night import Hall, hall, press
from tests.web.test_acceptance import from_paper, the_best_go_on
from tournaments.entries.birth_years import years_of
from tournaments.models import Entry, Match, PartnerDraw, Tournament
from tournaments.standings import store

__all__ = ["hall"]
pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), pytest.mark.timeout(300)]
PEOPLE, GAP = 144, 20


def test_hawaii_2016_from_the_form_alone(hall: Hall) -> None:
    desk = hall.open(a.a_user("organiser"))
    event = made_on_the_form(hall, desk)
    everybody_comes(hall, desk, event)
    partners_are_drawn(hall, desk, event)
    desk.goto(f"{hall.site}/t/{event.slug}/")
    press(desk, "Start")
    assert Match.objects.filter(stage__tournament=event).count() == 252
    for number in range(1, 8):
        from_paper(hall, desk, event, 1, number)
    the_best_go_on(hall, desk, event)
    played_to_the_end(hall, desk, event)


def made_on_the_form(hall: Hall, desk: Page) -> Tournament:
    """Answer the questions, take pools and a knock-out, and make them nine and a double elimination on the cards."""
    desk.goto(f"{hall.site}/t/new/")
    desk.get_by_label("How many people", exact=True).fill(str(PEOPLE))
    desk.get_by_label("How many hours", exact=True).fill("12")
    desk.get_by_label("How many tables", exact=True).fill("36")
    desk.get_by_label("Everybody plays").select_option("drawn")
    press(desk, "Show formats that fit")
    desk.get_by_role("link", name="Use this Pools, then a knock-out").press("Enter")
    desk.wait_for_load_state()
    desk.get_by_label("Name", exact=True).fill("Hanafuda Hawaii")
    desk.get_by_text("Fine-tune").click()
    desk.get_by_label("Deals per match").fill("12")
    desk.locator("#id_age_gap").fill(str(GAP))
    desk.locator("#id_template").select_option("chain")
    press(desk, "Show the fields of these stages")
    desk.locator("#id_s1-groups").fill("9")
    desk.locator("#id_s2-kind").select_option("double_elim")
    desk.locator("#id_s2-flows").uncheck()
    desk.locator("#id_s2-waits").check()
    expect(desk.locator("#id_s1-w1-most")).to_have_value("16")
    press(desk, "Draw the stages, with their time")
    expect(desk.locator("figure.chain")).to_contain_text("9 groups")
    hall.look(desk)
    press(desk, "Create the draft")
    press(desk, "Announce it")
    press(desk, "Open entries")
    return Tournament.objects.get()


def everybody_comes(hall: Hall, desk: Page, event: Tournament) -> None:
    """Paste a list with years of birth: half of the people are of each generation."""
    people = [f"Person {n:03},{1940 + n % 12 + 30 * (n % 2)}" for n in range(1, PEOPLE + 1)]
    desk.goto(f"{hall.site}/t/{event.slug}/entries/")
    desk.locator("#paste-list").fill("\n".join(["name,born", *people]))
    press(desk, "Add everybody")
    press(desk, "Check everybody in")
    expect(desk.get_by_text(f"{PEOPLE} people, {PEOPLE} checked in")).to_be_visible()


def partners_are_drawn(hall: Hall, desk: Page, event: Tournament) -> None:
    """Everybody is in the pool of those who come alone; partners are years apart."""
    desk.goto(f"{hall.site}/t/{event.slug}/partners/")
    hall.look(desk)
    press(desk, "Draw partners")
    expect(desk.get_by_text("72 teams are drawn.")).to_be_visible()
    draw = PartnerDraw.objects.get(undone_at=None, drawn_at__isnull=False)
    assert (draw.age_gap, draw.too_close) == (GAP, 0)
    teams = Entry.objects.filter(tournament=event, members__isnull=False).distinct()
    for team in teams:
        years = years_of([member.person for member in team.members.select_related("person")]).values()
        assert max(years) - min(years) >= GAP


def played_to_the_end(hall: Hall, desk: Page, event: Tournament) -> None:
    """The knock-out, round after round as they are drawn, until somebody has won."""
    number = 1
    while True:
        from_paper(hall, desk, event, 2, number)
        desk.goto(f"{hall.site}/t/{event.slug}/next/?stage=2")
        if not desk.get_by_role("button", name="Publish it", exact=True).count():
            break
        press(desk, "Publish it")
        number += 1
    press(desk, "Confirm and finish")
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    assert Match.objects.filter(stage__order=2).count() in (30, 31)
    for stage in event.stages.all():
        assert store.differences(stage) == []
