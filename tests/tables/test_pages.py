"""Tables in the browser without a script, and the view that a script draws from."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from engine.record_fair import nonce_hash
from tables.models import Answer, LiveTable
from tests.builders import events as a
from tests.tables.players import again, folded

pytestmark = pytest.mark.django_db
JSON: dict[str, Any] = {"HTTP_ACCEPT": "application/json"}


def opened(client: Client, **fields: Any) -> LiveTable:
    plan = {
        "preset": "koikoi_nintendo",
        "seats": "2",
        "opponent": "people",
        "clock": "casual",
        "phrase": "plum",
        **fields,
    }
    answer = client.post("/play/open/", plan)
    assert answer.status_code == 302, answer.content.decode()
    return LiveTable.objects.get(uuid=answer.headers["Location"].split("/")[2])


def two_guests(**fields: Any) -> tuple[LiveTable, list[Client]]:
    clients = [Client(), Client()]
    table = opened(clients[0], name="Plum", **fields)
    clients[1].post(f"/play/{table.uuid}/do/sit/", {"name": "Crane", "phrase": "crane"})
    return again(table), clients


def view(client: Client, table: LiveTable, **query: Any) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/play/{table.uuid}/view/", query).json()
    return found


@pytest.mark.thorough
def test_two_guests_play_a_match_by_forms(django_capture_on_commit_callbacks: Any) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        table, clients = two_guests(preset="poka3")
    assert table.state == "playing"
    assert [seat.drawn_by for seat in table.seats.all()] == ["phrase", "phrase"]
    for _each in range(2000):
        question = folded(again(table)).question
        if question is None:
            break
        client = clients[question.seat]
        html = client.get(f"/play/{table.uuid}/").content.decode()
        assert html.count('name="a"') == len(question.legal)
        with django_capture_on_commit_callbacks(execute=True):
            client.post(f"/play/{table.uuid}/do/answer/", {"n": question.n, "a": len(question.legal) - 1})
    table = again(table)
    assert table.state == "finished"
    html = clients[0].get(f"/play/{table.uuid}/").content.decode()
    assert f'href="/m/{table.uuid}/"' in html
    assert "Rematch" in html
    result = view(clients[0], table)["result"]
    assert result["match"] == f"/m/{table.uuid}/"
    first = clients[0].post(f"/play/{table.uuid}/do/rematch/", {}).headers["Location"]
    assert clients[1].post(f"/play/{table.uuid}/do/rematch/", {}).headers["Location"] == first
    assert LiveTable.objects.get(rematch_of=table).state == "playing"


def test_a_script_draws_its_nonce_and_answers_once(django_capture_on_commit_callbacks: Any) -> None:
    clients, nonces = [Client(), Client()], ["ab" * 32, "cd" * 32]
    plan = {"preset": "koikoi_nintendo", "seats": 2, "opponent": "people", "nonce_hash": nonce_hash(nonces[0])}
    first = clients[0].post("/play/open/", json.dumps(plan), content_type="application/json", **JSON).json()
    table = LiveTable.objects.get(uuid=first["table"])
    address = f"/play/{table.uuid}/do/"
    sat = clients[1].post(f"{address}sit/", {"nonce_hash": nonce_hash(nonces[1])}, **JSON).json()
    assert (sat["state"], sat["nonce_wanted"], sat["board"]) == ("dealing", True, None)
    assert clients[0].post(f"{address}nonce/", {"nonce": nonces[1]}, **JSON).json()["code"] == "table.bad_nonce"
    for client, nonce in zip(clients, nonces, strict=True):
        with django_capture_on_commit_callbacks(execute=True):
            assert client.post(f"{address}nonce/", {"nonce": nonce}, **JSON).status_code == 200
    turn = view(clients[0], table)["turn"]
    client, other = clients[turn["seat"]], clients[1 - turn["seat"]]
    assert "legal" not in view(other, table)["turn"]
    wrong = client.post(f"{address}answer/", {"n": 1, "a": 99}, **JSON)
    assert (wrong.status_code, wrong.json()["code"]) == (422, "table.bad_answer")
    assert other.post(f"{address}answer/", {"n": 1, "a": 0}, **JSON).status_code == 409
    for _again in range(2):
        assert client.post(f"{address}answer/", {"n": 1, "a": 0}, **JSON).status_code == 200
    assert Answer.objects.filter(table=table).count() == 1
    stale = client.post(f"{address}answer/", {"n": 1, "a": 1}, **JSON)
    assert (stale.status_code, stale.json()["code"]) == (409, "table.changed")
    assert Client().post(f"{address}answer/", {"n": 1, "a": 0}, **JSON).json()["code"] == "table.not_seated"


@pytest.mark.parametrize(
    ("body", "code"),
    [("[1]", "table.bad_request"), ("{", "table.bad_request"), ('{"preset": "whist"}', "table.bad_form")],
)
def test_a_script_that_sends_nonsense_gets_a_problem_and_no_table(body: str, code: str) -> None:
    reply = Client().post("/play/open/", body, content_type="application/json", **JSON)
    assert (reply.status_code, reply.headers["Content-Type"]) == (422, "application/problem+json")
    assert reply.json()["code"] == code
    as_page = Client().post("/play/open/", body, content_type="application/json")
    assert (as_page.status_code, "<form" in as_page.content.decode()) == (422, True)
    assert not LiveTable.objects.exists()


def test_a_view_that_is_known_is_not_sent_again() -> None:
    table, clients = two_guests()
    address = f"/play/{table.uuid}/view/"
    first = clients[0].get(address)
    assert clients[0].get(address, HTTP_IF_NONE_MATCH=first.headers["ETag"]).status_code == 304
    assert clients[1].get(address, HTTP_IF_NONE_MATCH=first.headers["ETag"]).status_code == 200
    assert int(first.headers["X-Hanami-Now"]) > 0


@pytest.mark.thorough
def test_pages_cost_few_queries() -> None:
    table, clients = two_guests()
    for client in (*clients, Client()):
        for address in ("/play/", f"/play/{table.uuid}/", f"/play/{table.uuid}/view/"):
            client.get(address)
            with CaptureQueriesContext(connection) as asked:
                assert client.get(address).status_code == 200
            assert len(asked) <= 10, [query["sql"] for query in asked]


@pytest.mark.thorough
def test_an_answer_by_a_request_costs_few_queries(django_capture_on_commit_callbacks: Any) -> None:
    table, clients = two_guests()
    for _each in range(12):
        question = folded(again(table)).question
        assert question is not None
        # Who thinks for longer than their page waits until it looks again.
        table.seats.update(seen_at=timezone.now() - timedelta(seconds=20))
        with django_capture_on_commit_callbacks(execute=True), CaptureQueriesContext(connection) as asked:
            answer = clients[question.seat].post(
                f"/play/{table.uuid}/do/answer/?after=0&part", {"n": question.n, "a": 0}, **JSON
            )
        assert "part" in answer.json()
        found = [query["sql"] for query in asked if "SAVEPOINT" not in query["sql"]]
        assert len(found) <= 8, found


def test_a_guest_who_signs_up_keeps_their_matches(django_capture_on_commit_callbacks: Any) -> None:
    table, clients = two_guests()
    fields = {"username": "plum", "password1": "k4ki-no-ha-42", "password2": "k4ki-no-ha-42"}
    answer = clients[0].post("/signup/", fields)
    assert answer.status_code == 302, answer.content.decode()
    assert table.seats.get(index=0).user is not None
    assert view(clients[0], table)["me"] == 0


def test_the_head_says_deal_and_score_and_what_is_to_be_done_once() -> None:
    table, clients = two_guests()
    fold = folded(again(table))
    asked = fold.question
    assert asked is not None
    client = clients[asked.seat]
    page = " ".join(client.get(f"/play/{table.uuid}/").content.decode().split())
    head = page.partition('<div class="live-top">')[2].partition("</div>")[0]
    assert '<p class="here" aria-hidden="true">Koi-Koi: Nintendo</p>' in page
    assert "<title>Table: Koi-Koi: Nintendo · Hanami</title>" in page
    score = re.sub(r"<[^>]+>", " ", head.partition('id="live-score">')[2].partition("</p>")[0])
    # A deal that is won as it is dealt is over before anybody is asked.
    plum, crane = map(str, fold.match.totals)
    assert score.split() == ["Deal", str(fold.match.deal), "of", "12", "Plum", plum, "Crane", crane]
    assert '<strong>Your turn:</strong> <span class="live-first">which card of the hand to play</span>' in head
    assert page.count("which card of the hand to play") == 1
    # What is asked is told to all who look: the same words have to be true of somebody else.
    assert view(clients[1 - asked.seat], table)["turn"]["text"] == "which card of the hand to play"
    part = client.get(f"/play/{table.uuid}/view/?part=1").json()["part"]
    assert re.sub(r"<[^>]+>", " ", part["score"]).split() == score.split()


def test_every_yaku_that_is_listed_says_what_it_is_worth() -> None:
    table, (client, _other) = two_guests()
    page = client.get(f"/play/{table.uuid}/").content.decode().partition('id="live-yaku"')[2].partition("</ul>")[0]
    names, worths = (re.findall(rf"<{tag}[^>]*>([^<]+)</{tag[:2]}?", page) for tag in ("h4", "p class=.rp-worth."))
    assert dict(zip(names, map(int, worths), strict=True)) == {
        "Five Brights": 10, "Flower Viewing": 5, "Moon Viewing": 5, "Boar, Deer and Butterflies": 5,
        "Poetry and Blue Ribbons": 10, "Poetry Ribbons": 5, "Blue Ribbons": 5,
    }  # fmt: skip


def test_strangers_watch_and_see_no_hand() -> None:
    table, _clients = two_guests()
    found = view(Client(), table)
    assert found["me"] is None
    assert [hand["cards"] for hand in found["board"]["hands"]] == [None, None]
    html = Client().get(f"/play/{table.uuid}/").content.decode()
    assert 'name="a"' not in html
    assert len(html.encode()) < 60_000


def test_who_has_an_account_hears_of_no_need_of_one(client: Client) -> None:
    said = re.compile(r'<p class="lede">(.*?)</p>', re.DOTALL)
    found = said.search(client.get("/play/").content.decode())
    assert found
    assert "no account is needed" in found[1]
    client.force_login(a.a_user())
    found = said.search(client.get("/play/").content.decode())
    assert found
    assert "account" not in found[1]
    assert "anybody can check the deal" in found[1]


def test_the_lobby_lists_open_tables_and_ones_own() -> None:
    client = Client()
    table = opened(client, listed="on", name="Plum")
    assert f"/play/{table.uuid}/" in Client().get("/play/").content.decode()
    own = client.get("/play/").content.decode()
    assert "Your tables" in own
    page = Client().get(f"/play/{table.uuid}/").content.decode()
    assert "Sit down" in page
    hidden = opened(client)
    assert f"/play/{hidden.uuid}/" not in Client().get("/play/").content.decode()


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"seats": "7"}, "another number"),
        ({"name": "x"}, "printable"),
        ({"preset": "chess"}, "Select a valid"),
        ({"opponent": "9"}, "Select a valid"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_a_reason(fields: dict[str, str], says: str) -> None:
    plan = {"preset": "koikoi_nintendo", "seats": "2", "opponent": "people", "clock": "casual", **fields}
    answer = Client().post("/play/open/", plan)
    assert answer.status_code == 422
    assert says in answer.content.decode()


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"preset": "oibana"}, "Oi-bana is for 3 to 6 players: choose another number."),
        (
            {"preset": "hawaii", "seats": "3", "option_teams": "2x2"},
            "These rules are for 4 players: choose another number.",
        ),
        ({"preset": "koikoi_nintendo", "seats": "3"}, "is for 2 players: choose another number."),
    ],
)
def test_a_refusal_says_which_numbers_of_players_there_are_and_once_at_the_field(
    fields: dict[str, str], says: str
) -> None:
    plan = {"seats": "2", "opponent": "people", "clock": "casual", **fields}
    page = Client().post("/play/open/", plan).content.decode()
    assert page.count('id="errors"') == 1
    field = page.partition('id="id_seats_error"')[2].partition("</div>")[0]
    assert says in field


def test_against_the_house_the_first_card_is_two_taps_away(django_capture_on_commit_callbacks: Any) -> None:
    client = Client()
    plan = {"preset": "koikoi_nintendo", "seats": "2", "opponent": "1"}
    answer = client.post("/play/open/", plan, follow=True)
    assert "rp-table" in answer.content.decode()
    table = LiveTable.objects.get()
    assert [seat.name for seat in table.seats.all()] == ["Guest", "House 1"]
    assert client.get(f"/play/{table.uuid}/?reload=1").headers.get("Refresh") in ("6", None)


def test_what_is_no_table_is_not_there(client: Client) -> None:
    nowhere = "/play/00000000-0000-4000-8000-000000000000/"
    assert client.get(nowhere).status_code == 404
    assert client.post(f"{nowhere}do/sit/").status_code == 404
    table, _clients = two_guests()
    assert client.post(f"/play/{table.uuid}/do/dance/").status_code == 404
