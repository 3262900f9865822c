"""Chains of stages on the pages: where the event stands, a table per group, who went on and why, who drew it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from playwright.sync_api import Browser, ViewportSize

from bots.jobs.process import Process
from tests.browser.looking import axe_violations, log_in, sideways
from tests.builders import events as a
from tests.tournaments.pages.events.test_formats_pages import FORM
from tests.tournaments.progress.test_stages import GREEDY, POOLS, play_on
from tournaments.models import Progression, Stage, Standing

pytestmark = pytest.mark.django_db(transaction=True)
MAX_QUERIES = 10
ROBIN = ("round_robin",)


def read(client: Client, path: str) -> str:
    """The page, asked for with few statements."""
    with CaptureQueriesContext(connection) as seen:
        answer = client.get(path)
    assert answer.status_code == 200, path
    assert len(seen) <= MAX_QUERIES, (path, len(seen))
    return answer.content.decode()


@pytest.mark.slow
def test_pools_and_a_knock_out_on_every_page(client: Client, process: Process) -> None:  # the fixture
    event = a.a_running_event(sources=[a.FIRST, GREEDY] * 8, options={"rounds": 1}, **POOLS)
    before = read(client, f"/t/{event.slug}/")
    assert "4 groups, single round robin" in before
    assert "Places 1 to 2 of each group advance to “Knock-out”" in before
    assert "Group D" in read(client, f"/t/{event.slug}/rounds/?round=1")
    play_on(process)

    overview = read(client, f"/t/{event.slug}/")
    winner = Standing.objects.get(stage__order=2, after_round=0, rank=1)
    assert f"{winner.entry.player.name} wins." in overview
    pools = read(client, f"/t/{event.slug}/standings/?stage=1")
    assert re.findall(r"Group (\w)\s*</caption>", pools) == list("ABCD")
    assert "?stage=1&amp;explain=" in pools or '<ul class="terms">' in pools
    assert not re.search(r"Group A\s*</caption>", read(client, f"/t/{event.slug}/standings/"))
    rounds = read(client, f"/t/{event.slug}/rounds/")
    assert "place 1 of group A" in rounds
    assert "place 2 of group D" in rounds
    whole = read(client, f"/t/{event.slug}/standings/?stage=all")
    assert whole.index(f"{winner.entry.player.name}</a>") < whole.index("place 3 of group")
    assert whole.count('<td class="rank">') == 16
    assert re.search(r"Group C\s*</caption>", read(client, f"/t/{event.slug}/crosstable/?stage=1"))
    assert client.get(f"/t/{event.slug}/standings/?stage=3").status_code == 404
    assert "lots" not in overview


@pytest.mark.thorough
def test_an_organiser_sees_who_goes_on_and_draws_the_next_stage(client: Client) -> None:
    event = a.an_event_whose_next_stage_waits()
    assert "can be drawn" not in read(client, f"/t/{event.slug}/")
    client.force_login(event.created_by)
    assert "“Final” can be drawn." in read(client, f"/t/{event.slug}/")
    page = client.get(f"/t/{event.slug}/draw/2/").content.decode()
    assert client.get(f"/t/{event.slug}/draw/1/").status_code == 404
    assert page.count("tied at the cut: lots decided") == 2
    assert "Several entries were tied for the last places that advance; lots from the published draw decided." in page
    answer = client.post(f"/t/{event.slug}/do/draw_stage/", {"stage": "2"}, follow=True)
    assert "The next stage is drawn." in answer.content.decode()
    assert Stage.objects.get(order=2).state == "active"
    again = client.post(f"/t/{event.slug}/do/draw_stage/", {"stage": "2"}, follow=True)
    assert "stage.already_drawn" in again.content.decode()
    feed = read(client, f"/t/{event.slug}/feed/")
    assert "stage 2, 2 advance" in feed
    assert "lots decided" in feed


@pytest.mark.thorough
def test_an_event_of_one_stage_looks_as_it_did(client: Client) -> None:
    event = a.a_running_event(bots=3)
    for page in ("", "rounds/", "standings/", "crosstable/"):
        assert "stage=" not in read(client, f"/t/{event.slug}/{page}")
    assert client.get(f"/t/{event.slug}/standings/?stage=all").status_code == 404


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("sent", "kinds", "groups", "last", "waits"),
    [
        ({"template": "pools", "groups": 3, "go_on": 2}, [*ROBIN, "single_elim"], 3, 2, False),
        (
            {"template": "pools", "final": "double_elim", "final_waits": "on"},
            ["round_robin", "double_elim"],
            4,
            2,
            True,
        ),
        ({"template": "swiss", "go_on": 8, "third_place": "on"}, ["swiss", "single_elim"], 1, 8, False),
        ({"template": "swiss", "seats": 4, "go_on": 8, "advance": 2}, ["pods", "single_elim"], 1, 8, False),
    ],
    ids=str,
)
def test_an_organiser_chooses_two_stages_without_script(
    client: Client, sent: dict[str, Any], kinds: list[str], groups: int, last: int, waits: bool
) -> None:
    client.force_login(a.a_user())
    assert "pools, then a knock-out" in read(client, "/t/new/?for=both")
    answer = client.post("/t/new/", {**FORM, "min_entries": 12, "max_entries": 16, **sent}, follow=True)
    first, final = Stage.objects.order_by("order")
    assert [first.kind, final.kind] == kinds, answer.content.decode()
    assert (first.groups_n, Progression.objects.get().last, final.waits) == (groups, last, waits)
    assert (first.third_place, final.third_place) == (False, "third_place" in sent)
    assert final.name in answer.content.decode()


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({"template": "pools", "min_entries": 4, "go_on": 1}, "tournament.bad_groups"),
        ({"template": "pools", "min_entries": 12, "go_on": 5}, "progression.places"),
        ({"template": "swiss", "min_entries": 4, "go_on": 8}, "progression.places"),
    ],
    ids=str,
)
def test_what_cannot_be_played_is_refused_at_its_field(client: Client, sent: dict[str, Any], code: str) -> None:
    client.force_login(a.a_user())
    answer = client.post("/t/new/", {**FORM, "max_entries": 16, **sent})
    assert answer.status_code == 422
    assert code in answer.content.decode()
    assert not Stage.objects.exists()


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_pages_of_a_chain_fit_a_phone_and_break_no_rule_of_accessibility(browser: Browser, live_site: str) -> None:
    event = a.an_event_whose_next_stage_waits(groups=2, min_entries=6, bots=6)
    paths = ["", "draw/2/", "rounds/", "standings/", "standings/?stage=all", "crosstable/?stage=1"]
    found: list[str] = []
    for width in (1280, 360):
        context = browser.new_context(viewport=ViewportSize(width=width, height=800), reduced_motion="reduce")
        log_in(context, live_site, event.created_by)
        page = context.new_page()
        for path in [*(f"/t/{event.slug}/{path}" for path in paths), "/t/new/"]:
            page.goto(live_site + path)
            page.evaluate("() => document.querySelectorAll('details.more').forEach(each => { each.open = true })")
            found += [f"{width} {path}: {each}" for each in axe_violations(page) + sideways(page)]
        context.close()
    assert found == []
