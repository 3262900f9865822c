"""Points given and taken through the pages; what a number says it is made of; the table after each round."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from playwright.sync_api import Browser, ViewportSize, expect

from bots.jobs.process import Process
from tests.browser.looking import axe_violations, log_in, sideways
from tests.builders import events as a
from tests.builders.clubs import a_called_night, person, tables_of
from tests.tournaments.pages.floor.test_desk import as_one
from tests.tournaments.progress.test_people import draw_next, stage_of, with_role
from tests.tournaments.standings.test_adjusting import a_night_with_results, give, play_all
from tournaments.matches.report_bodies import Claim
from tournaments.models import Adjustment, Standing, Tournament
from tournaments.progress import derive, rounds
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db
MAX_QUERIES = 10
SEEN = re.compile(r'name="seen" value="([0-9a-f]{32})"')
PHONE: ViewportSize = {"width": 360, "height": 740}


def read(client: Client, path: str, status: int = 200) -> str:
    """A page."""
    answer = client.get(path)
    assert answer.status_code == status, path
    return answer.content.decode()


def form_for(event: Tournament, name: str, units: str, **more: str) -> dict[str, str]:
    """Return what the form sends."""
    entry = str(person(event, name).uuid)
    return {"stage": "1", "entry": entry, "units": units, "round": "1", "reason": "came late", **more}


def seen_in(text: str) -> str:
    """The hash a preview offers to do."""
    found = SEEN.search(text)
    assert found is not None
    return found[1]


@pytest.mark.slow
def test_given_shown_read_and_revoked_through_the_pages() -> None:
    event = a_night_with_results()
    owner, anybody, here = as_one(event.created_by), Client(), f"/t/{event.slug}/adjust/"
    table = read(owner, f"/t/{event.slug}/standings/")
    assert table.count("Give or deduct points") == 7
    assert f"{here}?stage=1&amp;entry={person(event, 'Ben').uuid}" in table
    assert "Give or deduct points" not in read(anybody, f"/t/{event.slug}/standings/")
    form = form_for(event, "Ben", "-5000")
    assert f'value="{form["entry"]}" selected' in read(owner, f"{here}?stage=1&entry={form['entry']}")
    preview = owner.post(here, {**form, "verb": "preview"}).content.decode()
    assert "−5000 for Ben?" in preview
    assert "→ 6" in preview
    assert Adjustment.objects.count() == 0
    done = owner.post(here, {**form, "verb": "do", "then": "keep", "seen": seen_in(preview)}, follow=True)
    assert "It counts for Ben" in done.content.decode()
    row = Adjustment.objects.get()
    for path in (f"standings/?explain={form['entry']}", "standings/", "feed/", "standings/?after=1"):
        text = read(anybody, f"/t/{event.slug}/{path}")
        assert "came late" in text
        assert event.created_by.shown_name in text
    assert "gave or deducted points by hand:" in read(anybody, f"/t/{event.slug}/feed/")
    assert "Ben was given or deducted points: -5000" in read(owner, f"/t/{event.slug}/desk/")
    sent = {"stage": "1", "adjustment": str(row.pk), "reason": "was on time"}
    preview = owner.post(here, {**sent, "verb": "preview"}).content.decode()
    assert "Revoke −5000 for Ben?" in preview
    done = owner.post(here, {**sent, "verb": "do", "seen": seen_in(preview)}, follow=True)
    assert "Revoked: it no longer counts." in done.content.decode()
    assert "came late" not in read(anybody, f"/t/{event.slug}/standings/")
    assert "was on time" in read(anybody, f"/t/{event.slug}/feed/")


@pytest.mark.slow
def test_what_is_refused_says_why_and_changes_nothing() -> None:
    event = a_night_with_results()
    owner, here, form = as_one(event.created_by), f"/t/{event.slug}/adjust/", form_for(event, "Ben", "-50")
    seen = seen_in(owner.post(here, {**form, "verb": "preview"}).content.decode())
    given = give(stage_of(event), person(event, "Ben"), "-7")
    answer = owner.post(here, {**form, "verb": "do", "seen": seen})
    text = answer.content.decode()
    assert (answer.status_code, "adjust.moved" in text) == (409, True)
    assert seen_in(text) != seen  # what would follow now
    wrong = {"units": "many", "reason": "", "entry": "nobody", "round": "9", "then": "perhaps"}
    for field, value in wrong.items():
        for verb in ("preview", "do"):
            answer = owner.post(here, {**form, field: value, "verb": verb, "seen": seen})
            assert (answer.status_code, 'class="code">adjust.' in answer.content.decode()) == (422, True), field
    in_other_digits = "".join(chr(ord("٠") + int(digit)) for digit in str(given.pk))
    for number in ("0", "x", "9" * 30, in_other_digits):
        assert owner.post(here, {"stage": "1", "adjustment": number, "reason": "so", "verb": "do"}).status_code == 404
    assert Adjustment.objects.count() == 1


@pytest.mark.slow
def test_who_may() -> None:
    event = a_night_with_results()
    here = f"/t/{event.slug}/adjust/"
    for role, status in (("director", 200), ("arbiter", 200), ("scorer", 404)):
        client = as_one(with_role(event, role))
        text = read(client, here, status)
        assert ("came late" in text, client.post(here, form_for(event, "Ben", "5")).status_code) == (False, status)
        link = "Give or deduct points" in read(client, f"/t/{event.slug}/standings/")
        assert link == (status == 200)
    assert as_one(a.a_user()).get(here).status_code == 404
    assert Client().get(here).status_code == 302
    for path in (f"{here}?stage=2", f"{here}?stage=x", "/t/no-such-event/adjust/"):
        assert as_one(event.created_by).get(path).status_code == 404


def deal_by_deal() -> Tournament:
    """Matches of three deals entered deal by deal: first sides win in round 1, second ones in round 2."""
    event = a_called_night(options={"rounds": 3})
    deals = ((130, 110), (100, 140), (145, 95))
    for number in (1, 2):
        for match in tables_of(event, number):
            claim = Claim(deals=deals if number == 1 else tuple(deal[::-1] for deal in deals))
            submit_result(match=match, actor=Actor(user=event.created_by), claim=claim)
        if number == 1:
            rounds.call_round(round_row=draw_next(event), by=event.created_by)
    return event


@pytest.mark.slow
def test_a_number_names_the_deals_it_came_from() -> None:
    event = deal_by_deal()
    entry = tables_of(event)[0].seats.get(index=0).entry
    assert entry is not None
    text = read(Client(), f"/t/{event.slug}/standings/?explain={entry.uuid}")
    # The bars and the sum of each match are in sight, the points of every deal below them.
    assert "deals 130, 100, 145" in text.partition('<details class="deals">')[2]
    assert "375 pts" in text.partition('<details class="deals">')[0]
    assert f'href="/m/{tables_of(event)[0].uuid}/"' in text
    whole = read(Client(), f"/t/{event.slug}/standings/")
    assert "deals 130" not in whole
    assert re.findall("<th.*?>", text) == re.findall("<th.*?>", whole), "the table is the same"
    assert f"explain={entry.uuid}" in whole


@pytest.mark.slow
def test_of_bots_the_deals_are_those_of_the_records(process: Process) -> None:
    event = a.a_running_event(bots=2, legs="cyclic")
    play_all(process)
    derive.derive_waiting()
    row = Standing.objects.filter(after_round=0).select_related("entry")[0]
    text = read(Client(), f"/t/{event.slug}/standings/?explain={row.entry.uuid}")
    figures = [
        int(n.replace("\N{MINUS SIGN}", "-")) for n in re.findall(r"leg \d: deals? ([−\d, ]+)<", text)[0].split(", ")
    ]
    side = row.entry.seats.filter(match__leg=1).order_by("match")[0]
    assert sum(figures) == side.raw_points
    assert {"leg 1:", "leg 2:"} <= set(re.findall(r"leg \d:", text))


@pytest.mark.slow
def test_the_table_after_each_round_and_how_ranks_moved() -> None:
    event = deal_by_deal()
    anybody, here = Client(), f"/t/{event.slug}/standings/"
    now, first = read(anybody, here), read(anybody, f"{here}?after=1")
    for text in (now, first):
        assert 'href="?after=1"' in text
        assert 'href="?after=2"' in text
    assert "As it was after round 1." in first
    assert "▲" not in first
    ranks = {
        number: dict(Standing.objects.filter(after_round=number).values_list("entry", "rank")) for number in (0, 1)
    }
    up = sum(ranks[0][entry] < ranks[1][entry] for entry in ranks[0])
    down = sum(ranks[0][entry] > ranks[1][entry] for entry in ranks[0])
    assert (now.count("▲"), now.count("▼")) == (up, down)
    assert up + down > 0
    assert read(anybody, f"{here}?after=2").count("▲") == up
    for wrong in ("3", "0", "x", "-1", "99999999"):
        assert anybody.get(f"{here}?after={wrong}").status_code == 404


@pytest.mark.slow
def test_pages_ask_little_and_no_more_for_more_lines() -> None:
    event = deal_by_deal()
    entries, counts = list(event.entries.order_by("pk")), []
    for n in (1, 5):
        for entry in entries[:n]:
            give(stage_of(event), entry, "-1")
        paths = ["standings/", "standings/?after=1", f"standings/?explain={entries[0].uuid}", "adjust/"]
        asked = []
        for path in paths:
            client = as_one(event.created_by) if path == "adjust/" else Client()
            with CaptureQueriesContext(connection) as queries:
                assert client.get(f"/t/{event.slug}/{path}").status_code == 200
            asked.append(len(queries))
        counts.append(asked)
    assert counts[0] == counts[1]
    assert max(counts[0]) <= MAX_QUERIES, counts


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_on_a_phone_without_script(browser: Browser, live_site: str) -> None:
    event = deal_by_deal()
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    log_in(context, live_site, event.created_by)
    page = context.new_page()
    page.goto(f"{live_site}/t/{event.slug}/standings/")
    page.get_by_role("main").locator("a[href*='/adjust/']").locator("visible=true").first.click()
    page.get_by_label("Who", exact=True).select_option(label="Ben")
    page.get_by_label("How many").fill("-1/2")
    page.get_by_label("Why?", exact=True).fill("a phone rang")
    page.get_by_role("button", name="Preview change").click()
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("a phone rang")).to_have_count(1)
    assert Adjustment.objects.get().units == "-1/2"
    context.close()
    with_script = browser.new_context(viewport=PHONE)
    log_in(with_script, live_site, event.created_by)
    page = with_script.new_page()
    for path in ("adjust/", "standings/", "standings/?after=1", f"standings/?explain={person(event, 'Ben').uuid}"):
        page.goto(f"{live_site}/t/{event.slug}/{path}")
        assert sideways(page) == [], path
        assert axe_violations(page) == [], path
    with_script.close()
