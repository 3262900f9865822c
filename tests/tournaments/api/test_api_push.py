"""Browsers that are notified, over the API: by a token of an account, and by a private link alone."""

from __future__ import annotations

import pytest

from tests.builders import clubs
from tests.builders import events as a
from tests.builders.browsers import Browser
from tests.builders.keys import Caller, problem
from tests.tournaments.api.test_api_notices import API
from tests.tournaments.entries.test_links import link_of
from tournaments.entries.links import link_token
from tournaments.models import PushSubscription
from tournaments.notifications.push.keys import server_key

pytestmark = pytest.mark.django_db


def test_browsers_are_subscribed_listed_and_unsubscribed() -> None:
    ann, bob = Caller(a.a_user("ann")), Caller(a.a_user("bob"))
    here, browser = f"{API}/me/browsers", Browser("https://push.example/1")
    made = ann.post(here, browser.form)
    assert (made.status_code, made.json()["service"]) == (201, "push.example:443")
    assert ann.post(here, browser.form).json()["uuid"] == made.json()["uuid"]
    listed = ann.get(here).json()
    assert listed["server_key"] == server_key()
    assert [row["uuid"] for row in listed["browsers"]] == [made.json()["uuid"]]
    assert browser.endpoint not in str(listed)
    one = f"{here}/{made.json()['uuid']}"
    assert bob.get(here).json()["browsers"] == []
    assert problem(bob.delete(one)) == (404, "not_found")
    assert ann.delete(one).status_code == 204
    assert problem(ann.delete(one)) == (404, "not_found")
    assert problem(ann.post(here, {**browser.form, "endpoint": "http://push.example/"})) == (422, "push.bad_endpoint")
    assert problem(Caller(None).get(here)) == (401, "auth.needed")


def test_a_link_alone_subscribes_a_browser_and_unsubscribes_it() -> None:
    event, browser, anybody = clubs.a_club_night(), Browser("https://push.example/1"), Caller(None)
    link = link_token(link_of(event, "Aiko"))
    body = {"link": link, **browser.form}
    assert anybody.post(f"{API}/my-day:notify", body).status_code == 200
    assert PushSubscription.objects.get().link is not None
    assert anybody.post(f"{API}/my-day:stop-notifying", {"link": link, "endpoint": browser.endpoint}).status_code == 200
    assert not PushSubscription.objects.exists()


def test_the_plan_says_of_which_kinds_browsers_are_told() -> None:
    caller, plan = Caller(a.a_user("ann")), f"{API}/me/notice-plan"
    assert "called" in caller.get(plan).json()["push"]
    assert caller.patch(plan, {"push": ["said"]}).json()["push"] == ["said"]
    assert problem(caller.patch(plan, {"push": ["pigeon"]})) == (400, "request.invalid")
