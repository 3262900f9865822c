"""Presence in a real browser: on a phone, with a name of sixty letters, by its labels; nothing inaccessible or wide."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from tests.browser.looking import Trouble, axe_violations, log_in, sideways
from tests.builders.clubs import a_called_night, person
from tests.tournaments.presence.test_sitting_out import choose, link_of
from tournaments.entries.links import link_token
from tournaments.models import Entry, Player

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(300), pytest.mark.slow]
LONG = "Maximiliana" * 5 + "Maxim"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_absence_from_the_desk_and_from_the_phone(browser: Browser, live_site: str, scheme: str) -> None:
    event = a_called_night(rounds=4)
    choose(event, byes_by_players=True, no_show_limit=1)
    token = link_token(link_of(event, "Ben"))
    ben = person(event, "Ben")
    Player.objects.filter(pk=ben.player_id).update(name=LONG)
    context = browser.new_context(viewport=ViewportSize(width=360, height=740), color_scheme=scheme)  # type: ignore[arg-type]
    log_in(context, live_site, event.created_by)
    page, wrong, trouble = context.new_page(), [], Trouble(live_site)
    trouble.watch(page)
    here = f"{live_site}/t/{event.slug}"
    page.goto(f"{here}/entries/{ben.uuid}/presence/")
    wrong += axe_violations(page) + sideways(page)
    page.get_by_label("To round").select_option("3")
    page.get_by_role("button", name="Sits out").press("Enter")
    expect(page.get_by_text("sits out rounds 2, 3").first).to_be_visible()
    wrong += axe_violations(page) + sideways(page)
    page.goto(f"{here}/entries/{ben.uuid}/presence/")
    page.get_by_role("button", name="Plays after all").first.press("Enter")
    expect(page.get_by_text("plays in round 2.")).to_be_visible()
    page.goto(f"{here}/presence/")
    wrong += axe_violations(page) + sideways(page)
    page.goto(f"{live_site}/e/{token}/")
    expect(page.get_by_role("heading", name="Sitting out")).to_be_visible()
    wrong += axe_violations(page) + sideways(page)
    match = Entry.objects.get(pk=ben.pk).seats.get().match
    page.goto(f"{live_site}/m/{match.uuid}/result/")
    expect(page.get_by_text("they leave the event").first).to_be_visible()
    wrong += sideways(page)
    context.close()
    assert wrong == []
    assert trouble.seen == []
