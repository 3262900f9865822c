"""Operators: the administration has one door, shows no secrets, and every change is in the audit."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from bots.models import AuditEvent
from tests.builders import events as a

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]
LIST = "/admin/accounts/user/"


@pytest.fixture
def chief() -> User:
    """Return somebody who may do everything."""
    user = a.a_user("chief", is_staff=True)
    User.objects.filter(pk=user.pk).update(is_superuser=True)
    return user


def page_of(user: User) -> str:
    return f"{LIST}{user.pk}/change/"


def test_the_administration_has_no_log_in_of_its_own(client: Client) -> None:
    assert client.get("/admin/", follow=True).redirect_chain[-1][0] == "/login/?next=/admin/"
    form = {"username": "chief", "password": "wrong", "next": "/admin/"}
    posted = client.post("/admin/login/", form)
    assert (posted.status_code, posted.headers["Location"]) == (302, "/login/?next=/admin/")
    assert client.get("/admin/login/?next=https://elsewhere.example/").headers["Location"] == "/login/?next=/admin/"


def test_for_people_who_operate_nothing_it_is_not_there(as_user: Become) -> None:
    client = as_user(a.a_user())
    for path in ("/admin/", LIST, "/admin/login/", "/admin/auth/group/"):
        assert client.get(path, follow=True).status_code == 404


def test_an_operator_looks_people_up_and_changes_nobody(as_user: Become) -> None:
    person = a.a_user("kimo")
    User.objects.filter(pk=person.pk).update(email="kimo@example.org", email_wanted="new@example.org")
    client = as_user(a.a_user(is_staff=True))
    listed, shown = client.get(LIST, {"q": "kim"}), client.get(page_of(person))
    assert "kimo" in listed.content.decode()
    for page in (listed, shown):
        assert page.status_code == 200
        assert "example.org" not in page.content.decode()
        assert person.password not in page.content.decode()
    assert client.post(page_of(person), {"is_staff": "on"}).status_code == 403
    assert client.get(f"{LIST}add/").status_code == 403
    assert client.get(f"{LIST}{person.pk}/delete/").status_code == 403
    assert not User.objects.get(pk=person.pk).is_staff


def test_who_may_do_everything_makes_operators_and_the_audit_says_who(chief: User, as_user: Become) -> None:
    person, client = a.a_user("kimo"), as_user(chief)
    assert client.post(page_of(person), {"is_staff": "on"}).status_code == 302
    assert User.objects.get(pk=person.pk).is_staff
    event = AuditEvent.objects.get(verb="account.operator")
    assert (event.actor, event.subject) == (chief, f"account:{person.uuid}")
    assert (event.before["staff"], event.after["staff"]) == (False, True)
    client.post(page_of(person), {"username": "root", "email": "x@example.org"})
    found = User.objects.get(pk=person.pk)
    assert (found.username, found.email, found.is_staff) == ("kimo", "", False)
    assert AuditEvent.objects.filter(verb="account.operator").count() == 2


def test_the_service_keeps_one_who_may_do_everything(chief: User, as_user: Become) -> None:
    client = as_user(chief)
    answer = client.post(page_of(chief), {"is_staff": "on"}, follow=True)
    assert "account.last_superuser" in answer.content.decode()
    assert "was changed successfully" not in answer.content.decode()
    assert User.objects.get(pk=chief.pk).is_superuser
    assert not AuditEvent.objects.filter(verb="account.operator").exists()


def test_a_closed_account_is_made_no_operator(chief: User, as_user: Become) -> None:
    person = a.a_user("kimo")
    User.objects.filter(pk=person.pk).update(is_active=False)
    assert as_user(chief).post(page_of(person), {"is_staff": "on"}).status_code == 403
    assert not User.objects.get(pk=person.pk).is_staff
