"""How a match ended that somebody has left: who wins, and why, in words; and that somebody wants to play again."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from tables.actions.answering import TIMEOUT, write_row
from tables.actions.folding import take_fold
from tables.actions.leaving import CLAIMED_AFTER, GONE, LEFT, leave
from tables.actions.locking import locked
from tables.actions.rematches import rematch
from tables.actions.sitters import Sitter
from tables.models import Answer, LiveTable
from tables.play.clocks import CLOCKS
from tables.play.shuffle import of_service
from tests.tables.players import a_table, again, folded, guest
from tests.tables.test_pages import JSON, opened, two_guests, view
from tournaments.matches.queue import channel_version

pytestmark = pytest.mark.django_db
HEBREW = "דן"


def words_of(page: str) -> str:
    """What a page says, without its elements."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def result_of(client: Client, table: LiveTable) -> str:
    """The result as the page has it; what a script draws says the same."""
    page = client.get(f"/play/{table.uuid}/").content.decode()
    part = client.get(f"/play/{table.uuid}/view/?part=1").json()["part"]
    found = [
        words_of(each.partition('class="live-result"')[2].partition("</section>")[0]) for each in (page, part["body"])
    ]
    assert found[0] == found[1]
    told = words_of(page.partition('id="live-told"')[2].partition("</p>")[0].partition(">")[2])
    assert told == words_of(part["told"])
    return f"{told} | {found[0]}"


def turn_of(table: LiveTable) -> int:
    question = folded(again(table)).question
    assert question is not None
    return question.seat


def test_who_has_left_and_who_wins_stands_in_the_result() -> None:
    table, clients = two_guests()
    clients[0].post(f"/play/{table.uuid}/do/leave/")
    for client in (*clients, Client()):
        told, result = result_of(client, table).split(" | ")
        assert told == "The match is over. Plum has left. Crane wins."
        assert "Plum has left. Crane wins." in result
        assert result.index("Crane wins.") < result.index("1. Crane")


def test_who_was_claimed_gone_was_away_and_has_not_left() -> None:
    table, clients = two_guests(clock="live")
    asked = turn_of(table)
    long_ago = timezone.now() - CLAIMED_AFTER - timedelta(seconds=1)
    table.seats.filter(index=asked).update(seen_at=long_ago)
    clients[1 - asked].post(f"/play/{table.uuid}/do/claim/")
    names = ["Plum", "Crane"]
    page = clients[1 - asked].get(f"/play/{table.uuid}/").content.decode()
    assert again(table).state == "finished"
    said = f"{names[asked]} was away too long. {names[1 - asked]} wins."
    assert said in result_of(clients[1 - asked], table).split(" | ")[1]
    assert '<small class="rp-tag rp-mark">away too long</small>' in page
    assert "has left</small>" not in page


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (LEFT, "has left."),
        (GONE, "was away too long."),
        (TIMEOUT, "ran out of time."),
        ("move.illegal", "has forfeited."),
    ],
)
def test_every_reason_has_its_words(code: str, says: str) -> None:
    table, clients = two_guests(clock="live")
    forfeit(table, 1, code)
    assert f"Crane {says} Plum wins." in result_of(clients[0], table)


def forfeit(table: LiveTable, seat: int, code: str) -> None:
    with locked(table.uuid) as at:
        write_row(at, take_fold(at.table, at.seats), Answer(seat=seat, code=code, at=timezone.now()))


def test_a_team_wins_whose_opponents_lost_one() -> None:
    table, _people = a_table("hawaii", [guest(name) for name in ("Ann", "Ben", "Cy", "Di")], options={"teams": "2x2"})
    forfeit(table, 2, LEFT)
    assert again(table).state == "finished"
    assert "Cy has left. Ben + Di wins." in result_of(Client(), table)


def test_a_match_of_three_goes_on_until_one_is_left() -> None:
    table, _people = a_table("hawaii", [guest(name) for name in ("Ann", "Ben", "Cy")])
    forfeit(table, 0, LEFT)
    assert again(table).state == "playing"
    forfeit(table, 2, TIMEOUT)
    assert "Ann has left. Cy ran out of time. Ben wins." in result_of(Client(), table)


def test_a_name_from_right_to_left_is_isolated_in_what_a_script_draws_too() -> None:
    clients = [Client(), Client()]
    table = opened(clients[0], name="Plum")
    clients[1].post(f"/play/{table.uuid}/do/sit/", {"name": HEBREW, "phrase": "b"})
    forfeit(table, 1, LEFT)
    found = clients[0].get(f"/play/{table.uuid}/view/?part=1").json()
    for html in found["part"].values():
        text = re.sub(r"<(?!/?bdi>)[^>]+>", "", html)
        assert text.count(HEBREW) == text.count(f"<bdi>{HEBREW}</bdi>")
    assert f"<bdi>{HEBREW}</bdi> has left. Plum wins." in found["part"]["told"]


# -- a rematch


def left_match() -> tuple[LiveTable, list[Client]]:
    table, clients = two_guests()
    clients[0].post(f"/play/{table.uuid}/do/leave/")
    return again(table), clients


def test_a_rematch_is_announced_to_the_others_who_sat_there() -> None:
    table, clients = left_match()
    before, known = channel_version(table.channel), clients[0].get(f"/play/{table.uuid}/view/?part=1")
    assert "wants a rematch" not in known.json()["part"]["body"]
    clients[1].post(f"/play/{table.uuid}/do/rematch/", {})
    assert channel_version(table.channel) == before + 1, "open pages hear of it"
    news = clients[0].get(f"/play/{table.uuid}/view/?part=1", HTTP_IF_NONE_MATCH=known.headers["ETag"])
    assert news.status_code == 200
    assert news.json()["version"] > known.json()["version"]
    for page in (news.json()["part"]["body"], clients[0].get(f"/play/{table.uuid}/").content.decode()):
        assert "Crane wants a rematch." in words_of(page)
    for client in (clients[1], Client()):
        assert "wants a rematch" not in client.get(f"/play/{table.uuid}/").content.decode()


def test_a_rematch_that_is_full_or_called_off_is_wanted_no_more() -> None:
    table, clients = left_match()
    clients[1].post(f"/play/{table.uuid}/do/rematch/", {})
    address = f"/play/{table.uuid}/"
    first = clients[0].get(address)
    assert "wants a rematch" in first.content.decode()
    new = LiveTable.objects.get(rematch_of=table)
    clients[1].post(f"/play/{new.uuid}/do/leave/")
    assert again(new).state == "aborted"
    later = clients[0].get(address, HTTP_IF_NONE_MATCH=first.headers.get("ETag", ""))
    assert later.status_code == 200
    assert "wants a rematch" not in later.content.decode()


def test_who_joins_a_rematch_announces_nothing_further() -> None:
    table, people = a_table(clock=CLOCKS["live"])
    leave(table, people[0])
    rematch(again(table), people[0], of_service())
    version = channel_version(table.channel)
    rematch(again(table), people[1], of_service())
    assert channel_version(table.channel) == version


def test_a_result_of_accounts_with_a_rematch_costs_few_queries(django_assert_max_num_queries: Any) -> None:
    users = [User.objects.create_user(name, password="k4ki-no-ha-42") for name in ("plum", "crane")]
    people = [Sitter(user.shown_name, user=user) for user in users]
    table, _people = a_table(sitters=people)
    leave(table, people[0])
    rematch(again(table), people[1], of_service())
    client = Client()
    client.force_login(users[0])
    assert "crane wants a rematch." in words_of(client.get(f"/play/{table.uuid}/").content.decode())
    with django_assert_max_num_queries(10):
        client.get(f"/play/{table.uuid}/")


def test_the_view_says_what_it_said_of_the_result() -> None:
    table, clients = left_match()
    clients[1].post(f"/play/{table.uuid}/do/rematch/", {}, **JSON)
    found: dict[str, Any] = view(clients[0], table)
    assert (found["result"]["end"], found["left"]) == ("forfeit", {"0": "left"})
