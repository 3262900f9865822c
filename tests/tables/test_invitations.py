"""What the page of a table says that waits for people: to the friend who opens its link, and to its opener."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tables.actions.opening import TablePlan, open_table
from tables.models import LiveTable
from tables.play.clocks import Clock
from tables.play.shuffle import of_phrase
from tests.tables.players import guest
from tests.tables.test_pages import opened, two_guests

pytestmark = pytest.mark.django_db


def terms_of(client: Client, table: LiveTable) -> str:
    page = client.get(f"/play/{table.uuid}/").content.decode()
    before = page.partition("Sit down</button>")[0]
    found = before.partition('id="live-terms">')[2]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", found)).split())


def test_the_clock_and_the_deals_are_said_before_somebody_sits_down() -> None:
    client = Client()
    table = opened(client, clock="live")
    for reader in (client, Client()):
        said = terms_of(reader, table)
        assert said.startswith("Clock 3 minutes and 10 seconds a move Deals 12")
        assert "house rule" not in said


def test_changed_rules_are_counted_and_named() -> None:
    plan = {"preset": "hawaii", "seats": "4", "option_rounds": "3", "option_teams": "2x2"}
    said = terms_of(Client(), opened(Client(), **plan))
    assert said.startswith("Clock none Deals 3 House rules 2")
    page = Client().get(f"/play/{LiveTable.objects.get().uuid}/").content.decode()
    assert '<details class="more" id="live-rules">' in page


def test_a_game_to_a_target_has_no_number_of_deals() -> None:
    said = terms_of(Client(), opened(Client(), preset="poka3"))
    assert "Deals" not in said


@pytest.mark.parametrize(
    ("clock", "says"),
    [
        (Clock("live", 330_000, 5_000), "Clock 5:30, plus 5 s a move"),
        (Clock("days", 0, 7 * 86_400_000, fresh=True), "Clock 7 days a move"),
        (Clock("days", 0, 86_400_000, fresh=True), "Clock 1 day a move"),
    ],
)
def test_a_clock_of_its_own_is_said_in_figures(clock: Clock, says: str) -> None:
    table = open_table(guest(), TablePlan(preset="poka3", seats=2, clock=clock), of_phrase("a"))
    assert terms_of(Client(), table).startswith(says)


def test_the_terms_cost_no_query_and_go_with_the_deal() -> None:
    table = opened(Client())
    reader = Client()
    reader.get(f"/play/{table.uuid}/")
    with CaptureQueriesContext(connection) as asked:
        reader.get(f"/play/{table.uuid}/")
    assert len(asked) <= 10
    dealt, clients = two_guests()
    assert "live-terms" not in clients[0].get(f"/play/{dealt.uuid}/").content.decode()
