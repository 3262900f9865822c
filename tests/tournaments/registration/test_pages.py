"""The pages of registration: on a phone without an account, with one, and the organiser's."""

from __future__ import annotations

import pytest
from django.core import mail
from django.test import Client

from accounts.models import User
from tests.builders import events as a
from tests.builders.registrations import (
    QUESTIONS,
    an_event_with_registration,
    fresh,
    letters,
    link_in_mail,
    registered,
)
from tests.services.databases import on_sqlite
from tournaments.models import Registration, Role, Tournament
from tournaments.registration.letters import path_of, token_of
from tournaments.registration.queries import registrations_of
from tournaments.registration.set_up import Asked, questions_of
from tournaments.registration.status import Status, status_of

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user, backend=BACKEND)
    return client


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, (path, answer.status_code)
    return answer.content.decode()


def test_the_list_of_an_event_that_nobody_has_entered_leads_to_registration() -> None:
    event = an_event_with_registration()
    path, link = f"/t/{event.slug}/entries/", f'href="/t/{event.slug}/register/"'
    shown = page(client_of(None), path)
    assert "Nobody has entered yet." in shown
    assert link in shown
    assert "Find somebody" not in shown, "there is nobody to find"
    told = shown.partition('<section class="box beginning of-event">')[2].partition("</section>")[0]
    assert "date to be announced" in told
    assert f"<strong>0</strong> of {event.max_entries} places taken" in told
    assert shown.count(f'href="/t/{event.slug}/rules/"') == told.count(f'href="/t/{event.slug}/rules/"') == 1
    registered(event, "Aiko")
    shown = page(client_of(None), path)
    assert "Find somebody" in shown
    assert link not in shown


def a_guest_registers() -> None:
    """Two fields, one button, the link, one button: no script, no account."""
    event = an_event_with_registration()
    phone, path = client_of(None), f"/t/{event.slug}/register/"
    assert f'href="{path}"' in page(phone, f"/t/{event.slug}/")
    shown = page(phone, path)
    assert f"<strong>0</strong> of {event.max_entries} places taken" in shown
    assert "date to be announced" in shown
    assert shown.count("<input") - shown.count('type="hidden"') - shown.count('type="search"') <= 4
    sent = phone.post(path, {"name": "Aiko", "email": "aiko@example.org", "club": ""})
    assert (sent.status_code, sent["Location"]) == (302, f"{path}sent/")
    assert "Look into your mail" in page(phone, f"{path}sent/")
    assert letters() == [("aiko@example.org", "One more step: confirm your registration – Autumn cup")]
    link = link_in_mail()
    first = phone.get(link)
    assert (first.status_code, first["X-Robots-Tag"], first["Referrer-Policy"]) == (200, "noindex", "strict-origin")
    assert "no-store" in first["Cache-Control"]
    assert not event.entries.exists(), "a program that previews mails opens links, too"
    assert phone.post(link, {"act": "confirm"}).status_code == 302
    assert phone.post(link, {"act": "confirm"}).status_code == 302
    assert "You have a place" in page(phone, link)
    assert event.entries.count() == 1
    phone.post(link, {"act": "edit", "name": "Aiko Mori", "club": "Kyoto"})
    assert event.entries.get().player.name == "Aiko Mori"
    assert phone.post(link, {"act": "day"})["Location"].startswith("/e/my/")
    phone.post(link, {"act": "withdraw"})
    assert "You have withdrawn" in page(phone, link)
    phone.post(link, {"act": "return"})
    assert "You have a place" in page(phone, link)


@pytest.mark.thorough
def test_a_guest_registers_in_six_steps() -> None:
    a_guest_registers()


@pytest.mark.thorough
@on_sqlite
def test_a_guest_registers_on_sqlite_too() -> None:
    a_guest_registers()


@pytest.mark.thorough
def test_a_person_with_an_account_needs_no_mail() -> None:
    event, user = an_event_with_registration(places=4), a.a_user("kiri")
    client, path = client_of(user), f"/t/{event.slug}/register/"
    assert "email" not in page(client, path).partition("<form method")[2].partition("</form>")[0]
    assert client.post(path, {"name": "Kiri"})["Location"] == f"{path}mine/"
    assert client.post(path, {"name": "Kiri"}).status_code == 302
    assert "You have a place" in page(client, f"{path}mine/")
    assert "Your registration" in page(client, f"/t/{event.slug}/")
    assert event.entries.count() == 1
    client.post(f"{path}mine/", {"act": "withdraw"})
    assert status_of(Registration.objects.select_related("entry").get()) is Status.WITHDRAWN
    assert client_of(a.a_user()).get(f"{path}mine/")["Location"] == path


@pytest.mark.thorough
def test_what_is_wrong_stands_beside_its_field() -> None:
    event = an_event_with_registration(questions=QUESTIONS, chosen={"consent": "Photos are taken."})
    registered(event, "Aiko", agrees=True, answers={str(questions_of(event)[0].uuid): "Yes"})
    path, phone = f"/t/{event.slug}/register/", client_of(None)
    meat, year, *_more = (f"question-{each.uuid}" for each in questions_of(event))
    whole = {"name": "Ben", "email": "ben@example.org", meat: "Yes", "agrees": "on"}
    for wrong, field in (
        ({"name": "Aiko"}, "id_name"),
        ({"email": "nobody"}, "id_email"),
        ({meat: ""}, f"id_{meat}"),
        ({meat: "Perhaps"}, f"id_{meat}"),
        ({year: "soon"}, f"id_{year}"),
        ({"agrees": ""}, "id_agrees"),
    ):
        answer = phone.post(path, {**whole, **wrong})
        assert answer.status_code == 422, wrong
        assert f'id="{field}_error"' in answer.content.decode(), wrong
    assert Registration.objects.count() == 1
    assert phone.post(path, whole).status_code == 302


def test_nobody_learns_whose_address_is_registered() -> None:
    event = an_event_with_registration()
    registered(event, "Aiko")
    path, phone = f"/t/{event.slug}/register/", client_of(None)
    answers = [
        (phone.post(path, {"name": "Ben", "email": email}), phone.post(f"{path}link/", {"email": email}))
        for email in ("aiko@example.org", "nobody@example.org")
    ]
    assert [(one.status_code, one["Location"], two["Location"]) for one, two in answers] == [
        (302, f"{path}sent/", f"{path}sent/")
    ] * 2
    letters()
    assert {to for each in mail.outbox for to in each.to} == {"aiko@example.org", "nobody@example.org"}
    assert Registration.objects.get(email="aiko@example.org").name == "Aiko"


@pytest.mark.thorough
def test_the_organisers_set_up_decide_and_download() -> None:
    event = an_event_with_registration(chosen={"is_on": False})
    organiser = client_of(event.created_by)
    path, form = f"/t/{event.slug}/registrations/", f"/t/{event.slug}/registrations/form/"
    assert client_of(None).get(f"/t/{event.slug}/register/").status_code == 404
    assert "Preview" in page(organiser, f"/t/{event.slug}/register/")
    sent = {
        "is_on": "on",
        "needs_approval": "on",
        "payment_url": "https://pay.example/cup",
        "q-TOTAL_FORMS": "2",
        "q-INITIAL_FORMS": "0",
        "q-0-words": "Second",
        "q-0-kind": "text",
        "q-0-position": "2",
        "q-1-words": "First",
        "q-1-kind": "choice",
        "q-1-choices": "A\r\nB",
        "q-1-position": "1",
    }
    assert organiser.post(form, {**sent, "payment_url": "ftp://x"}).status_code == 422
    assert organiser.post(form, sent).status_code == 302
    assert [each.words for each in questions_of(event)] == ["First", "Second"]
    assert 'value="First"' in page(organiser, form)
    rows = [registered(event, name) for name in ("Aiko", "Ben", "Chiyo")]
    marked = {"who": [str(row.uuid) for row in rows[:2]]}
    assert organiser.post(f"{path}approve/", marked).status_code == 302
    organiser.post(f"{path}refuse/", {"who": str(rows[2].uuid), "reason": "Full of Chiyos."})
    organiser.post(f"{path}paid/", marked)
    found = registrations_of(event).lines
    assert [str(line.status) for line in found] == ["entered", "entered", "refused"]
    assert [line.registration.paid_at is not None for line in found] == [True, True, False]
    shown = page(organiser, path)
    assert "aiko@example.org" in shown
    assert "Full of Chiyos." in shown
    assert "Chiyo" not in page(organiser, f"{path}?show=entered").partition("<table")[2]
    csv = organiser.get(f"{path}answers.csv")
    assert csv["Content-Type"].startswith("text/csv")
    assert b"aiko@example.org" in csv.content
    assert "Full of Chiyos." in page(client_of(None), f"/t/{event.slug}/register/{token_of(fresh(rows[2]))}/")


SECRETS = ("aiko@example.org", "Vegetarian", "Members only", "Ben Pending")


@pytest.mark.thorough
def test_addresses_answers_and_reasons_are_for_organisers_and_their_person_alone() -> None:
    event = an_event_with_registration(questions=(Asked("Food"),), chosen={"needs_approval": True})
    food = str(questions_of(event)[0].uuid)
    rows = [registered(event, name, email=f"{name.split()[0].lower()}@example.org", answers={food: "Vegetarian"})
            for name in ("Aiko", "Ben Pending", "Carl")]  # fmt: skip
    organiser = client_of(event.created_by)
    path = f"/t/{event.slug}/registrations/"
    organiser.post(f"{path}approve/", {"who": str(rows[0].uuid)})
    organiser.post(f"{path}refuse/", {"who": str(rows[2].uuid), "reason": "Members only"})
    rival, scorer = a.a_user(), a.a_user()
    registered(event, "Rival", person=rival, email="")
    Role.objects.create(user=scorer, tournament=event, role=Role.Kind.SCORER)
    of_organisers = (path, f"{path}form/", f"{path}answers.csv", f"/api/v1/tournaments/{event.slug}/registrations")
    public = ("", "entries/", "feed/", "register/", "register/mine/", "register/sent/", "register/link/", "standings/")
    for reader in (None, rival, scorer):
        client = client_of(reader)
        for each in of_organisers:
            assert client.get(each).status_code in (302, 401, 403, 404), (reader, each)
        assert client.post(f"{path}approve/", {"who": str(rows[1].uuid)}).status_code in (302, 403, 404)
        for each in (*(f"/t/{event.slug}/{tab}" for tab in public), f"/api/v1/tournaments/{event.slug}",
                     f"/api/v1/tournaments/{event.slug}/entries", f"/t/{event.slug}/files/event.json",
                     f"/api/v1/tournaments/{event.slug}/registration"):  # fmt: skip
            text = client.get(each).content.decode()
            assert not [secret for secret in SECRETS if secret in text], (reader, each)
    assert [str(line.status) for line in registrations_of(event).lines][1] == "pending"


@pytest.mark.thorough
def test_a_link_opens_its_own_event_alone() -> None:
    event, other = an_event_with_registration(), an_event_with_registration()
    row, phone = registered(event, "Aiko"), client_of(None)
    token = token_of(row)
    assert phone.get(f"/t/{other.slug}/register/{token}/").status_code == 404
    for wrong in (token[:-1] + ("A" if token[-1] != "A" else "B"), "made-up", f"{row.uuid.hex}", f"{row.uuid.hex}."):
        answer = phone.get(f"/t/{event.slug}/register/{wrong}/")
        assert answer.status_code == 404, wrong
        assert "registration.unknown" in answer.content.decode()
    Tournament.objects.filter(pk=event.pk).update(visibility=Tournament.Visibility.PRIVATE)
    assert phone.get(f"/t/{event.slug}/register/{token}/").status_code == 200
    assert phone.get(f"/t/{event.slug}/register/").status_code == 404


@pytest.mark.thorough
def test_programs_register_and_decide() -> None:
    event, user = an_event_with_registration(), a.a_user()
    base = f"/api/v1/tournaments/{event.slug}"
    organiser, person = client_of(event.created_by), client_of(user)
    json = "application/json"
    done = organiser.patch(
        f"{base}/registration", {"needs_approval": True, "questions": [{"words": "Food", "kind": "text"}]}, json
    )
    assert done.status_code == 200, done.content
    food = done.json()["questions"][0]["id"]
    assert Client().get(f"{base}/registration").json() == done.json()
    body = {"name": "Kiri", "answers": [{"question": food, "value": "Rice"}]}
    assert Client().post(f"{base}/registrations/mine", body, json).status_code == 401
    mine = person.post(f"{base}/registrations/mine", body, json)
    assert (mine.status_code, mine.json()["status"]) == (200, "pending"), mine.content
    assert person.post(f"{base}/registrations/mine", body, json).json()["id"] == mine.json()["id"]
    listed = organiser.get(f"{base}/registrations").json()["items"]
    assert [(each["name"], each["answers"]) for each in listed] == [("Kiri", body["answers"])]
    assert person.get(f"{base}/registrations").status_code == 404
    chosen = {"registrations": [mine.json()["id"]]}
    assert person.post(f"{base}/registrations:approve", chosen, json).status_code == 404
    assert organiser.post(f"{base}/registrations:approve", chosen, json).json() == {"changed": 1}
    assert organiser.post(f"{base}/registrations:paid", chosen, json).json() == {"changed": 1}
    changed = person.put(f"{base}/registrations/mine", {**body, "name": "Kiri M."}, json).json()
    assert (changed["status"], changed["name"]) == ("entered", "Kiri M.")
    assert person.delete(f"{base}/registrations/mine").status_code == 204
    assert person.get(f"{base}/registrations/mine").json()["status"] == "withdrawn"


@pytest.mark.thorough
def test_a_link_is_renewed_by_its_person_and_by_the_organiser_and_the_old_one_dies(client: Client) -> None:
    event = an_event_with_registration()
    row = registered(event, "Aiko")
    first = path_of(row)
    letters()
    assert client.get(first).status_code == 200
    answer = client.post(first, {"act": "renew"})
    second = answer.headers["Location"]
    assert second == path_of(fresh(row)) != first
    gone = client.get(first)
    assert (gone.status_code, "registration.link_ended" in gone.content.decode()) == (404, True)
    assert client.post(first, {"act": "withdraw"}).status_code == 404
    assert client.get(second).status_code == 200
    assert [address for address, _subject in letters()] == ["aiko@example.org"]
    assert link_in_mail() == second
    client.force_login(event.created_by)
    client.post(f"/t/{event.slug}/registrations/renew/", {"who": str(row.uuid)})
    assert Client().get(second).status_code == 404
    letters()
    third = link_in_mail()
    assert Client().get(third).status_code == 200
    assert third not in client.get(f"/t/{event.slug}/registrations/").content.decode()


@pytest.mark.thorough
def test_renewed_too_often_says_so(client: Client) -> None:
    event = an_event_with_registration()
    path = path_of(registered(event, "Aiko"))
    for _renewal in range(2):  # the registration itself was the first mail
        path = client.post(path, {"act": "renew"}).headers["Location"]
    assert client.post(path, {"act": "renew"}).headers["Location"] == path
    assert "rate.limited" in client.get(path).content.decode()
    assert client.get(path).status_code == 200
