"""Where people find what they have played at tables, what the proof says of it, and the way back to the table."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import User
from tables.actions.leaving import leave
from tables.actions.sitters import Sitter
from tables.models import LiveTable
from tables.receivers import SESSION_KEY
from tests.builders.clubs import tables_of
from tests.tables.players import a_table, again, guest
from tests.tables.test_events import on_site, played
from tests.tables.test_pages import two_guests, view

pytestmark = pytest.mark.django_db
SIGN_UP = {"username": "plum", "password1": "k4ki-no-ha-42", "password2": "k4ki-no-ha-42"}
OPENED = datetime(2026, 3, 1, 9, 15, 30, tzinfo=UTC)
"""When the tables of these tests were opened: long before their matches were written."""


def ended(captured: Any, *sitters: Sitter) -> LiveTable:
    """A casual match that was opened long ago and is over, because the second player has left."""
    with captured(execute=True):
        table, people = a_table(sitters=sitters)
        LiveTable.objects.filter(pk=table.pk).update(created_at=OPENED, dealt_at=OPENED + timedelta(minutes=2))
        leave(again(table), people[1])
    table = again(table)
    assert table.match_id is not None
    return table


def browser_of(person: Sitter) -> Client:
    """The browser in which a guest has sat down."""
    client = Client()
    session = client.session
    session[SESSION_KEY] = str(person.guest)
    session.save()
    return client


def words(client: Client, path: str) -> str:
    """The text of a page, each time as a program reads it."""
    page = re.sub(r'<time datetime="([^"]+)"[^>]*>[^<]*</time>', r"\1", client.get(path).content.decode())
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


def told_times(path: str) -> list[str]:
    """The three times that a proof page tells, and nothing of a draw."""
    text = words(Client(), path)
    assert "made with the draw" not in text
    assert "every leg" not in text
    patterns = (
        r"fixed (\S+), before a card was dealt",
        r"made when the table was opened, (\S+), before anybody sat down",
        r"shown (\S+), when the match was over",
    )
    found = [moment for pattern in patterns for moment in re.findall(pattern, text)]
    assert len(found) == len(patterns), text
    return [moment.replace("+00:00", "Z") for moment in found]


def exact(moment: datetime | None) -> str:
    assert moment is not None
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def test_the_proof_of_a_table_says_when_it_was_opened(django_capture_on_commit_callbacks: Any) -> None:
    table = ended(django_capture_on_commit_callbacks, guest("Plum"), guest("Crane"))
    assert told_times(f"/m/{table.uuid}/verify/") == [
        "2026-03-01T09:17:30Z",
        "2026-03-01T09:15:30Z",
        exact(table.finished_at),
    ]
    page = Client().get(f"/m/{table.uuid}/verify/").content.decode()
    assert table.commitment in page
    assert "all seeds of this stage" not in page


@pytest.mark.thorough
def test_so_does_the_proof_of_a_table_of_an_event(django_capture_on_commit_callbacks: Any) -> None:
    (match,) = tables_of(on_site())
    LiveTable.objects.filter(uuid=match.uuid).update(created_at=OPENED)
    table = played(match, django_capture_on_commit_callbacks)
    times = told_times(f"/m/{match.uuid}/verify/")
    assert times == [exact(table.dealt_at), exact(OPENED), exact(table.finished_at)]


def test_a_guest_who_signs_up_finds_the_match_they_kept(django_capture_on_commit_callbacks: Any) -> None:
    plum = guest("Plum")
    table = ended(django_capture_on_commit_callbacks, plum, guest("Crane"))
    client, link = browser_of(plum), f'href="/m/{table.uuid}/'
    assert client.post("/signup/", SIGN_UP).status_code == 302
    for path in ("/", "/u/plum/"):
        page = client.get(path).content.decode()
        assert "My last matches" in page, path
        assert page.count(link) == 1, path
    # Whose table it was is shown to nobody else: its event stands in no list.
    other = Client()
    other.force_login(User.objects.create_user("crane", password="k4ki-no-ha-42"))
    for reader in (Client(), other):
        page = reader.get("/u/plum/").content.decode()
        assert link not in page
        assert "last matches" not in page


def test_a_person_who_has_played_nothing_is_shown_no_matches_of_others(django_capture_on_commit_callbacks: Any) -> None:
    table = ended(django_capture_on_commit_callbacks, guest("Plum"), guest("Crane"))
    client = Client()
    client.force_login(User.objects.create_user("maple", password="k4ki-no-ha-42"))
    assert str(table.uuid) not in client.get("/u/maple/").content.decode()


@pytest.mark.parametrize("door", ["login", "signup"])
def test_from_the_head_of_a_table_an_account_leads_back_to_it(door: str) -> None:
    table, (client, _other) = two_guests()
    page = client.get(f"/play/{table.uuid}/").content.decode()
    head = page.partition("<header")[2].partition("</header>")[0]
    address = f"/{door}/?next=/play/{table.uuid}/"
    assert f'href="{address}"' in head
    form = client.get(address).content.decode()
    assert f'name="next" value="/play/{table.uuid}/"' in form
    assert "This page is for people with an account" not in form
    if door == "signup":
        fields = SIGN_UP
    else:
        User.objects.create_user("plum", password=SIGN_UP["password1"])
        fields = {"username": "plum", "password": SIGN_UP["password1"]}
    answer = client.post(address, {**fields, "next": f"/play/{table.uuid}/"})
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/play/{table.uuid}/")
    assert view(client, table)["me"] == 0


def test_elsewhere_the_head_leads_nowhere_else() -> None:
    head = Client().get("/play/").content.decode().partition("<header")[2].partition("</header>")[0]
    assert 'href="/login/"' in head
    assert 'href="/signup/"' in head


def test_the_address_of_a_form_leads_to_the_form() -> None:
    nowhere = f"/play/{uuid4()}/"
    for path, form in (
        ("/play/open/", "/play/"),
        (f"{nowhere}do/sit/", nowhere),
        ("/programs/x/play/", "/programs/x/"),
    ):
        client = Client()
        for ask in (client.get, client.head):
            answer = ask(path)
            assert (answer.status_code, answer.headers["Location"]) == (302, form), path
        for refused in (client.put, client.delete, client.patch):
            assert refused(path).status_code == 405, path


@pytest.mark.thorough
def test_after_a_refused_form_the_language_can_be_changed() -> None:
    client = Client()
    refused = client.post("/play/open/", {"preset": "chess"})
    assert refused.status_code == 422
    answer = client.post("/i18n/setlang/", {"language": "fr", "next": "/play/open/"}, follow=True)
    assert answer.redirect_chain[-1][0] == "/play/"
    assert '<html lang="fr"' in answer.content.decode()
