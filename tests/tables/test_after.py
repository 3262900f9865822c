"""The result of a match: the next opponent, following, sharing, and signing up with the match kept."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from tables.actions.opening import TablePlan, open_table, sit_down
from tables.actions.sitters import Sitter
from tables.house import LEVELS
from tables.jobs.levels import version_of_level
from tables.models import Answer, LiveTable
from tables.play.shuffle import of_phrase
from tests.tables.players import again, at_random, folded, play_on
from tests.tables.test_pages import two_guests
from tournaments.models import Follow

pytestmark = pytest.mark.django_db
FIELD = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')


def page_of(client: Client, table: LiveTable) -> str:
    return html.unescape(client.get(f"/play/{table.uuid}/").content.decode())


def next_form(page: str) -> dict[str, str]:
    """The fields of the form that leads to the next opponent."""
    forms = [form for form in page.split("<form")[1:] if "Next opponent" in form.split("</form>")[0]]
    return dict(FIELD.findall(forms[0])) if forms else {}


def finished_against_the_house(level: str, client: Client, user: User, **plan: Any) -> LiveTable:
    """A finished match of an account against a level of the house, which answers the first choice."""
    client.force_login(user)
    person = Sitter(user.shown_name, user=user)
    bots = [version_of_level(level)]
    table = open_table(person, TablePlan(preset="poka3", seats=2, bots=bots, **plan), of_phrase("a"))
    choose = at_random(level)
    while (question := folded(again(table)).question) is not None:
        if question.seat == 0:
            play_on(again(table), [person], choose, moves=1)
        else:
            bot_answers(again(table))
    return again(table)


def bot_answers(table: LiveTable) -> None:
    from tables.actions.answering import answer_for_bot

    assert answer_for_bot(table, table.answered, 0, 1)


@pytest.fixture
def on_commit(django_capture_on_commit_callbacks: Any) -> Any:
    return django_capture_on_commit_callbacks(execute=True)


@pytest.mark.thorough
def test_after_the_house_comes_the_next_level(client: Client, on_commit: Any) -> None:
    plum = User.objects.create_user("plum", password="k4ki-no-ha-42")
    with on_commit:
        table = finished_against_the_house("3", client, plum, options={"target": 4})
    page = page_of(client, table)
    fields = next_form(page)
    rank = client.get(f"/play/{table.uuid}/view/").json()["result"]["rank"]
    assert fields["opponent"] == ("4" if rank[0] == 1 else "2")
    assert f"Next opponent: House ({str(LEVELS[fields['opponent']].name).lower()})" in page
    assert (fields["preset"], fields["seats"], fields["clock"]) == ("poka3", "2", "casual")
    assert fields["option_target"] == "4"
    answer = client.post("/play/open/", {name: value for name, value in fields.items() if "csrf" not in name})
    assert answer.status_code == 302
    following = LiveTable.objects.exclude(pk=table.pk).get()
    assert following.ruleset == table.ruleset


@pytest.mark.thorough
def test_after_people_comes_anybody(on_commit: Any) -> None:
    with on_commit:
        table, clients = two_guests(preset="poka3")
        play_by_forms(table, clients)
    fields = next_form(page_of(clients[0], table))
    assert (fields["opponent"], fields["listed"]) == ("people", "on")
    clients[0].post("/play/open/", {name: value for name, value in fields.items() if "csrf" not in name})
    assert LiveTable.objects.filter(listed=True, state="open").count() == 1
    assert next_form(page_of(Client(), table)) == {}, "those who watched have no next opponent"


def play_by_forms(table: LiveTable, clients: list[Client]) -> None:
    while (question := folded(again(table)).question) is not None:
        clients[question.seat].post(f"/play/{table.uuid}/do/answer/", {"n": question.n, "a": 0})


@pytest.mark.thorough
def test_the_opponent_is_followed_from_the_result(client: Client, on_commit: Any) -> None:
    plum = User.objects.create_user("plum", password="k4ki-no-ha-42")
    with on_commit:
        table = finished_against_the_house("1", client, plum)
    page = page_of(client, table)
    assert "Follow House (beginner)" in page
    bot = version_of_level("1").bot
    client.post("/me/follow/do/follow/", {"kind": "bot", "what": bot.slug, "next": f"/play/{table.uuid}/"})
    assert Follow.objects.filter(user=plum, bot=bot).exists()
    assert "Unfollow House (beginner)" in page_of(client, table)


@pytest.mark.thorough
def test_people_with_an_account_are_followed_too(client: Client, on_commit: Any) -> None:
    plum, crane = (User.objects.create_user(name, password="k4ki-no-ha-42") for name in ("plum", "crane"))
    people = [Sitter(user.shown_name, user=user) for user in (plum, crane)]
    with on_commit:
        table = open_table(people[0], TablePlan(preset="poka3", seats=2), of_phrase("a"))
        sit_down(table, people[1], of_phrase("b"))
        play_on(table, people, at_random(1))
    client.force_login(plum)
    page = page_of(client, again(table))
    assert "Follow crane" in page
    assert "Follow plum" not in page


@pytest.mark.thorough
def test_the_replay_is_shared_and_guests_sign_up_from_it(on_commit: Any) -> None:
    with on_commit:
        table, clients = two_guests(preset="poka3")
        play_by_forms(table, clients)
    page = page_of(clients[0], table)
    assert f'data-share="http://testserver/m/{table.uuid}/"' in page
    assert f'href="/signup/?next=/play/{table.uuid}/"' in page
    fields = {"username": "plum", "password1": "k4ki-no-ha-42", "password2": "k4ki-no-ha-42"}
    answer = clients[0].post(f"/signup/?next=/play/{table.uuid}/", fields)
    assert answer.headers["Location"] == f"/play/{table.uuid}/"
    user = User.objects.get(username="plum")
    assert again(table).seats.get(index=0).user == user
    match = again(table).match
    assert match is not None
    assert match.seats.get(index=0, entry__player__user=user)
    assert "Sign up and keep" not in page_of(clients[0], table)


@pytest.mark.thorough
def test_a_result_costs_few_queries(client: Client, on_commit: Any, django_assert_max_num_queries: Any) -> None:
    plum = User.objects.create_user("plum", password="k4ki-no-ha-42")
    with on_commit:
        table = finished_against_the_house("1", client, plum)
    page_of(client, table)
    with django_assert_max_num_queries(10):
        page_of(client, table)
    assert Answer.objects.filter(table=table).exists()


def test_rules_are_changed_in_the_lobby() -> None:
    client = Client()
    page = client.get("/play/?preset=hawaii&rules=1").content.decode()
    assert 'id="rules" open' in page
    assert 'name="option_yaku_penalty"' in page
    assert 'name="option_koikoi_limit"' not in page
    plan = {"preset": "hawaii", "seats": "4", "opponent": "people", "clock": "casual"}
    answer = client.post("/play/open/", {**plan, "option_rounds": "3", "option_teams": "2x2", "option_basa": "1"})
    assert answer.status_code == 302, answer.content.decode()
    table = LiveTable.objects.get()
    assert '"rounds":3' in table.ruleset
    assert '"teams":"2x2"' in table.ruleset
    assert '"basa":1' in table.ruleset


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"option_rounds": "0"}, "greater than or equal to 1"),
        ({"option_teams": "2x2", "seats": "3"}, "another number"),
        ({"option_koikoi_limit": "many"}, "has no rule"),
    ],
)
def test_a_rule_that_cannot_be_is_refused_beside_its_field(fields: dict[str, str], says: str) -> None:
    plan = {"preset": "hawaii", "seats": "4", "opponent": "people", "clock": "casual"}
    answer = Client().post("/play/open/", {**plan, **fields})
    assert answer.status_code == 422
    assert says in answer.content.decode()
    assert not LiveTable.objects.exists()


def test_a_rule_of_another_game_that_was_left_alone_does_no_harm() -> None:
    plan = {"preset": "hawaii", "seats": "2", "opponent": "people", "clock": "casual", "option_koikoi_limit": ""}
    assert Client().post("/play/open/", plan).status_code == 302


def test_the_lobby_is_light(client: Client) -> None:
    for preset in ("koikoi_nintendo", "hawaii", "nuki88"):
        assert len(client.get(f"/play/?preset={preset}&rules=1").content) < 60_000
