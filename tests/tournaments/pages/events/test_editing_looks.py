"""The pages on which an event and its entries are changed, and its rules: on a phone, with assistive technology."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from core.interchange.tables import EntryRow
from tests.browser.looking import axe_violations, log_in, sideways
from tests.builders import events as a
from tests.builders.clubs import a_called_night, person
from tests.services.databases import on_sqlite
from tournaments.entries.corrections import correct_entry
from tournaments.entries.people import add_people
from tournaments.events.create import create_tournament
from tournaments.events.plan_rows import plan_of
from tournaments.events.set_up import change_plan
from tournaments.models import Tournament

LONG = "Wolfeschlegelsteinhausenbergerdorffvoralternwarengewissenhaf"


def a_night() -> Tournament:
    """Make a running night with house rules, and somebody of sixty letters whose name was corrected."""
    event = a_called_night(people=4, preset="paradise", options={"rounds": 6}, seats=2)
    correct_entry(entry=person(event, "Aiko"), by=event.created_by, changes={"name": LONG, "club": LONG})
    return event


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_they_fit_a_phone_and_break_no_rule_of_accessibility(browser: Browser, live_site: str) -> None:
    event, draft = a_night(), create_tournament(by=a.a_user(), plan=a.a_plan(who="people"))
    Tournament.objects.filter(pk=draft.pk).update(name=LONG)
    entry = event.entries.get(player__name=LONG)
    paths = [f"/t/{event.slug}/{path}" for path in ("edit/", f"entries/{entry.uuid}/", "rules/", "entries/")]
    found: list[str] = []
    for width in (1280, 360):
        viewport = ViewportSize(width=width, height=800)
        context = browser.new_context(viewport=viewport, reduced_motion="reduce", color_scheme="dark")
        log_in(context, live_site, event.created_by)
        page = context.new_page()
        for path in paths:
            page.goto(live_site + path)
            page.evaluate("() => document.querySelectorAll('details.more').forEach(each => { each.open = true })")
            found += [f"{width} {path}: {each}" for each in axe_violations(page) + sideways(page)]
        page.goto(f"{live_site}/t/{event.slug}/edit/")
        page.get_by_text("Fine-tune").click()
        page.get_by_label("Rounds", exact=True).fill("5")
        page.get_by_label("Name", exact=True).fill(LONG + " " + LONG[:15])
        page.get_by_role("button", name="Preview").click()
        expect(page.get_by_role("button", name="Save these changes")).to_be_visible()
        found += [f"{width} preview: {each}" for each in axe_violations(page) + sideways(page)]
        context.close()
    assert found == []


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_an_event_is_edited_and_an_entry_corrected_on_the_database_of_make_run(database: str) -> None:
    event = create_tournament(by=a.a_user(), plan=a.a_plan(who="people", kind="swiss"))
    by = event.created_by
    (entry,) = add_people(tournament=event, by=by, rows=[EntryRow(line=1, name="Aiko")])
    found = change_plan(tournament=event, by=by, plan=replace(plan_of(event), rounds=4, max_entries=30))
    assert len(found.differences) == 2
    correct_entry(entry=entry, by=by, changes={"name": "Aiko Mori", "seed": 1})
    event.refresh_from_db()
    assert (event.max_entries, event.stages.get().rounds_planned) == (30, 4)
    assert event.entries.get().player.name == "Aiko Mori"
