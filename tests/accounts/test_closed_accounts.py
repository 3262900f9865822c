"""Requests for an account that was just closed: they do nothing, wherever they come in; and two that wait never
hang.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client

from accounts import services as accounts
from accounts.addresses import ask_for_address, confirm_address, link_token, remove_address
from accounts.errors import AccountError, AccountGone
from accounts.models import Token, User
from accounts.tokens import make_token
from bots.services import activate
from engine.errors import DomainError
from tests.builders import events as a
from tests.builders.keys import Caller, problem
from tests.services.locks import waits_for_us
from tests.services.waiting import wait_until
from tournaments.entries.bots import enter_bot
from tournaments.events.create import create_tournament
from tournaments.events.roles import give_role
from tournaments.interchange.calendars import open_calendar
from tournaments.models import Follow, Role, Tournament
from tournaments.notifications.follow import follow
from tournaments.people.leave import delete_account
from tournaments.webhooks.actions import HookPlan, make_hook

PASSWORD = "plum-blossom-77"
HOOK = HookPlan("mine", "https://example.org/x", ["match.finished"])
PROFILE: dict[str, Any] = {"display_name": "Kimo", "language": "", "theme": "dark", "letter_keys": True}
ACTS: dict[str, Callable[[User], object]] = {
    "how one appears": lambda user: accounts.save_profile(user=user, **PROFILE),
    "cards": lambda user: accounts.choose_cards(user=user, cards="text"),
    "a password": lambda user: accounts.change_password(user=user, password="cherry-rain-88"),
    "signing out": lambda user: accounts.sign_out_everywhere(user=user),
    "an address": lambda user: ask_for_address(user=user, address="kimo@example.org"),
    "no address": lambda user: remove_address(user=user),
    "a token": lambda user: make_token(user=user, name="x", scopes=["read"]),
    "an event": lambda user: create_tournament(by=user, plan=a.a_plan()),
    "a hook": lambda user: make_hook(user=user, plan=HOOK),
    "a calendar": lambda user: open_calendar(user=user),
    "following": lambda user: follow(user=user, tournament=Tournament.objects.get()),
}


@pytest.mark.thorough(keep=1)
@pytest.mark.django_db
@pytest.mark.parametrize("what", ACTS)
def test_nothing_is_made_for_an_account_that_is_closed_meanwhile(what: str) -> None:
    a.an_open_event()
    user = a.a_user("kimo")
    delete_account(user=User.objects.get(pk=user.pk), password=PASSWORD)
    row = User.objects.filter(pk=user.pk).values().get()
    with pytest.raises(AccountGone):
        ACTS[what](user)
    assert User.objects.filter(pk=user.pk).values().get() == row
    assert not Token.objects.exists()
    assert not Follow.objects.exists()
    assert Tournament.objects.count() == 1


@pytest.mark.django_db
def test_its_bot_is_entered_nowhere_and_it_is_given_no_role() -> None:
    event, bot = a.an_open_event(), a.a_bot(a.a_user("kimo"))
    owner = bot.owner
    delete_account(user=User.objects.get(pk=owner.pk), password=PASSWORD)
    with pytest.raises(AccountGone):
        enter_bot(tournament=event, bot=bot, by=owner)
    name = User.objects.get(pk=owner.pk).username
    with pytest.raises(DomainError) as refused:
        give_role(tournament=event, by=event.created_by, username=name, role="director")
    assert refused.value.code == "role.no_such_user"


@pytest.mark.django_db
def test_a_link_of_a_mail_confirms_nothing_for_who_is_gone() -> None:
    user = a.a_user("kimo")
    ask_for_address(user=user, address="kimo@example.org")
    token = link_token(User.objects.get(pk=user.pk))
    delete_account(user=user, password=PASSWORD)
    with pytest.raises(AccountError) as refused:
        confirm_address(token)
    assert refused.value.code == "address.link_dead"


def in_the_middle(first: Callable[[], object], second: Callable[[], Any]) -> list[Any]:
    """Do `first`, and before it is committed begin `second`, which goes on once it is. What `second` answers."""
    answers: list[Any] = []

    def do() -> None:
        try:
            answers.append(second())
        except DomainError as refusal:
            answers.append(refusal.code)
        finally:
            connection.close()

    thread = threading.Thread(target=do)
    with transaction.atomic():
        first()
        thread.start()
        wait_until(lambda: waits_for_us() or not thread.is_alive(), 20, "the second act")
    thread.join()
    return answers


def leave(user: User) -> None:
    delete_account(user=User.objects.get(pk=user.pk), password=PASSWORD)


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_a_page_that_is_sent_while_the_account_goes_says_so_and_makes_no_event_without_an_owner() -> None:
    user = a.a_user("kimo")
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    form = {**PROFILE, "letter_keys": "on"}
    page = in_the_middle(lambda: leave(user), lambda: client.post("/me/", form, follow=True))[0]
    assert "account.gone" in page.content.decode()
    assert client.get("/me/").status_code == 302
    other = a.a_user("other")
    calls = Caller(other, "event:write")
    plan = {"name": "Nobody's", "preset": "hawaii"}
    answer = in_the_middle(lambda: leave(other), lambda: calls.post("/api/v1/tournaments", plan))[0]
    assert problem(answer) == (422, "account.gone")
    assert not Tournament.objects.exists()


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_of_two_owners_who_go_at_once_one_stays() -> None:
    event = a.an_open_event()
    first, second = event.created_by, a.a_user("second")
    Role.objects.create(user=second, tournament=event, role=Role.Kind.OWNER)
    assert in_the_middle(lambda: leave(first), lambda: leave(second)) == ["account.owns_event"]
    assert [role.user for role in Role.objects.filter(tournament=event, role=Role.Kind.OWNER)] == [second]


@pytest.mark.django_db(transaction=True)
def test_who_goes_and_who_acts_on_a_bot_never_wait_for_each_other_crosswise() -> None:
    bot = a.a_bot(a.a_user("kimo"))
    version = a.a_version(bot)
    assert in_the_middle(lambda: activate(version=version, by=bot.owner), lambda: leave(bot.owner)) == [None]
    assert not User.objects.get(pk=bot.owner_id).is_active


@pytest.mark.django_db(transaction=True)
def test_of_two_who_take_every_right_from_each_other_at_once_one_keeps_it() -> None:
    one, other = a.a_user("one", is_staff=True), a.a_user("other", is_staff=True)
    User.objects.update(is_superuser=True)

    def take_from(user: User, by: User) -> str:
        try:
            accounts.set_operator(user=user, by=by, staff=False)
        except AccountError as refusal:
            return refusal.code
        return ""

    answers = in_the_middle(lambda: take_from(one, other), lambda: take_from(other, one))
    assert answers == ["account.not_superuser"]
    assert list(User.objects.filter(is_superuser=True)) == [other]
