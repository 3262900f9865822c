"""Registering oneself: by account and by mail, once, in order, with answers; withdrawing and moving up."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from bots.models import AuditEvent, Outbox
from core.errors import TournamentError
from tests.builders import events as a
from tests.builders.registrations import (
    QUESTIONS,
    SENDER,
    an_event_with_registration,
    fresh,
    letters,
    registered,
)
from tournaments.entries.people import add_person, check_in, withdraw_person
from tournaments.events.edit import edit_tournament
from tournaments.models import Entry, Registration, RegistrationAnswer, Tournament
from tournaments.operations.purge import tidy
from tournaments.progress.run import start_tournament
from tournaments.progress.undo import offered, undo
from tournaments.registration.answers import answers_of
from tournaments.registration.decide import approve_registrations, note_payment, reject_registrations
from tournaments.registration.letters import read_token, tell_changes, token_of
from tournaments.registration.own import edit_registration, return_to, withdraw_registration
from tournaments.registration.purge import purge_expired_registrations
from tournaments.registration.queries import answers_csv
from tournaments.registration.register import MAX_LETTERS, Details, confirm, register, send_link
from tournaments.registration.set_up import Asked, questions_of, set_up_registration
from tournaments.registration.status import Status, standing_of, status_of

pytestmark = pytest.mark.django_db
S = Registration.State


@contextmanager
def refused(code: str) -> Iterator[None]:
    with pytest.raises(TournamentError) as caught:
        yield
    assert caught.value.code == code


def statuses(event: Tournament) -> dict[str, str]:
    rows = Registration.objects.filter(tournament=event).select_related("entry")
    return {row.name: str(status_of(row)) for row in rows}


def test_a_registration_by_mail_counts_once_it_is_confirmed() -> None:
    event = an_event_with_registration()
    given = Details(name=" Aiko  Mori ", club="Kyoto", email="Aiko@Example.org")
    row = register(tournament=event, person=None, details=given, sender=SENDER)
    assert not event.entries.exists()
    assert letters() == [("Aiko@Example.org", "One more step: confirm your registration – Autumn cup")]
    confirm(read_token(token_of(row)))
    row = fresh(row)
    assert status_of(row) is Status.ENTERED
    assert row.entry is not None
    assert (row.entry.player.name, row.entry.player.club) == ("Aiko Mori", "Kyoto")
    assert letters() == [("Aiko@Example.org", "You have a place – Autumn cup")]


@pytest.mark.thorough
def test_everything_twice_is_one_registration() -> None:
    event = an_event_with_registration()
    first = register(tournament=event, person=None, details=Details("Aiko", email="a@x.org"), sender=SENDER)
    again = register(tournament=event, person=None, details=Details("Aiko M.", email="A@X.org"), sender=SENDER)
    assert first.pk == again.pk
    assert confirm(first).pk == confirm(again).pk
    kept = register(tournament=event, person=None, details=Details("Somebody", email="a@x.org"), sender=SENDER)
    assert kept.pk == first.pk
    assert [entry.player.name for entry in event.entries.select_related("player")] == ["Aiko M."]
    user = a.a_user()
    one = registered(event, "Ben", person=user, email="")
    assert registered(event, "Another Ben", person=user, email="").pk == one.pk
    assert event.entries.count() == 2


def test_an_account_and_its_confirmed_address_are_one_person() -> None:
    event = an_event_with_registration()
    user = a.a_user()
    user.email, user.email_confirmed_at = "kiri@example.org", timezone.now()
    user.save()
    by_mail = registered(event, "Kiri", email="Kiri@example.org")
    assert registered(event, "Kiri again", person=user).pk == by_mail.pk
    assert fresh(by_mail).user == user
    other = a.a_user()
    other.email, other.email_confirmed_at = "kiri@example.org", timezone.now()
    other.save()
    with refused("registration.twice"):
        registered(event, "Kiri the other", person=other)
    assert event.entries.count() == 1


def test_an_account_that_confirms_its_address_later_is_not_entered_twice() -> None:
    event = an_event_with_registration()
    user = a.a_user()
    registered(event, "Kiri", person=user)
    user.email, user.email_confirmed_at = "kiri@example.org", timezone.now()
    user.save()
    with refused("registration.twice"):
        registered(event, "Kiri by mail", email="kiri@example.org")
    assert event.entries.count() == 1


@pytest.mark.thorough
def test_places_are_given_in_order_and_who_waits_moves_up() -> None:
    event = an_event_with_registration(places=4)
    rows = [registered(event, name) for name in ("Aiko", "Ben", "Chiyo", "Dai", "Emi", "Fumi")]
    letters()
    assert statuses(event) == {
        **dict.fromkeys(("Aiko", "Ben", "Chiyo", "Dai"), "entered"), **dict.fromkeys(("Emi", "Fumi"), "waiting")
    }  # fmt: skip
    assert standing_of(fresh(rows[5])).title == "You are number 2 on the waiting list"
    withdraw_registration(registration=rows[0])
    assert letters() == [
        ("aiko@example.org", "You have withdrawn – Autumn cup"),
        ("emi@example.org", "You moved up from the waiting list: you have a place – Autumn cup"),
    ]
    # The organiser lets somebody go at the desk, and makes room: both move people up; the mails come with the tidying.
    withdraw_person(entry=Entry.objects.get(tournament=event, player__name="Ben"), by=event.created_by)
    assert statuses(event)["Fumi"] == "entered"
    tell_changes()
    assert [subject for _to, subject in letters()] == [
        "You are no longer entered – Autumn cup",
        "You moved up from the waiting list: you have a place – Autumn cup",
    ]
    assert tell_changes() == 0
    return_to(registration=rows[0])
    assert statuses(event)["Aiko"] == "waiting"
    edit_tournament(tournament=event, by=event.created_by, changes={"max_entries": 5})
    assert statuses(event)["Aiko"] == "entered"
    assert event.entries.count() == 6, "who returns has the same entry"


@pytest.mark.thorough
def test_somebody_on_the_waiting_list_takes_no_place() -> None:
    event = an_event_with_registration(places=4)
    for name in ("Aiko", "Ben", "Chiyo", "Dai", "Emi"):
        registered(event, name)
    emi = Entry.objects.get(tournament=event, player__name="Emi")
    with refused("entry.full"):
        check_in(entry=emi, by=event.created_by)
    with refused("entry.full"):
        add_person(tournament=event, by=event.created_by, name="Goro")
    Entry.objects.filter(tournament=event, player__name="Aiko").update(state=Entry.State.WITHDRAWN)
    add_person(tournament=event, by=event.created_by, name="Goro")


def test_withdrawing_leaves_at_once_and_a_second_time_changes_nothing() -> None:
    event = an_event_with_registration()
    row = registered(event, "Aiko")
    withdraw_registration(registration=row)
    withdraw_registration(registration=row)
    assert statuses(event) == {"Aiko": "withdrawn"}
    assert AuditEvent.objects.filter(verb="registration.withdraw").count() == 1
    assert Entry.objects.get(tournament=event).state == Entry.State.WITHDRAWN


def test_answers_are_checked_by_their_kind() -> None:
    event = an_event_with_registration(questions=QUESTIONS)
    meat, year, cards, more = questions_of(event)

    def given(**answers: str) -> Details:
        by_name = {"meat": meat, "year": year, "cards": cards, "more": more}
        return Details("Aiko", email="a@x.org", answers={str(by_name[k].uuid): v for k, v in answers.items()})

    for wrong in (
        given(),
        given(meat="Maybe"),
        given(meat="Yes", year="19eighty"),
        given(meat="Yes", year="1" * 10),
        given(meat="Yes", more="x" * 501),
        given(meat="Yes", more="a\x00b"),
    ):
        with refused("registration.answer"):
            register(tournament=event, person=None, details=wrong, sender=SENDER)
    assert not Registration.objects.exists()
    right = given(meat="No", year="1980", cards="yes", more="=1+1")
    row = register(tournament=event, person=None, details=right, sender=SENDER)
    assert answers_of(row) == dict(right.answers)
    confirm(row)
    edit_registration(registration=row, details=given(meat="Yes", more="\N{HIRAGANA LETTER A}"))
    assert sorted(answers_of(row).values()) == sorted(["Yes", "\N{HIRAGANA LETTER A}"])


def test_consent_is_asked_for() -> None:
    event = an_event_with_registration(chosen={"consent": "Photos are taken."})
    with refused("registration.consent"):
        registered(event, "Aiko")
    assert registered(event, "Aiko", agrees=True).consent_at is not None


def test_the_form_is_bounded() -> None:
    event = an_event_with_registration()

    def asked(*questions: Asked) -> None:
        set_up_registration(tournament=event, by=event.created_by, changes={}, questions=questions)

    with refused("registration.too_many_questions"):
        asked(*[Asked(f"Question {n}") for n in range(21)])
    for wrong in (
        Asked("x" * 201), Asked(""), Asked("Which?", "choice", ("One",)), Asked("Which?", "choice", ("One", "One")),
        Asked("Which?", "choice", ("x" * 61, "y")), Asked("Which?", "file"), Asked("a\x07b"),
    ):  # fmt: skip
        with refused("registration.bad_question"):
            asked(wrong)
    for wrong_url in ("http://pay.example", "javascript:alert(1)", "https://", "https://x y", "https://[", "//x.org"):
        with refused("registration.bad_payment_url"):
            changes = {"payment_url": wrong_url}
            set_up_registration(tournament=event, by=event.created_by, changes=changes)
    with refused("registration.bad_consent"):
        set_up_registration(tournament=event, by=event.created_by, changes={"consent": "x" * 1001})
    with refused("tournament.not_organiser"):
        set_up_registration(tournament=event, by=a.a_user(), changes={"is_on": False})


def test_a_question_keeps_its_answers_while_it_is_there() -> None:
    event = an_event_with_registration(questions=(Asked("Birth year", "number"),))
    question = questions_of(event)[0]
    registered(event, "Aiko", answers={str(question.uuid): "1980"})
    same = Asked("Born in", "number", is_required=True, uuid=str(question.uuid))
    set_up_registration(tournament=event, by=event.created_by, changes={}, questions=(same,))
    assert RegistrationAnswer.objects.get().value == "1980"
    with refused("registration.question_answered"):
        other = Asked("Born in", "text", uuid=str(question.uuid))
        set_up_registration(tournament=event, by=event.created_by, changes={}, questions=(other,))
    set_up_registration(tournament=event, by=event.created_by, changes={}, questions=())
    assert not RegistrationAnswer.objects.exists()


def test_registration_is_open_between_its_hours_alone() -> None:
    now = timezone.now()
    event = an_event_with_registration(chosen={"opens_at": now + timedelta(hours=1)})
    with refused("registration.not_open"):
        registered(event, "Aiko")
    edit_tournament(tournament=event, by=event.created_by, changes={"entries_close_at": now + timedelta(hours=3)})
    event.refresh_from_db()
    with time_machine.travel(now + timedelta(hours=2), tick=False):
        row = registered(event, "Aiko")
        late = register(tournament=event, person=None, details=Details("Ben", email="b@x.org"), sender=SENDER)
    with time_machine.travel(now + timedelta(hours=4), tick=False):
        with refused("registration.closed"):
            registered(event, "Chiyo")
        with refused("registration.closed"):
            confirm(late)
        with refused("registration.closed"):
            edit_registration(registration=row, details=Details("Aiko the second"))
        withdraw_registration(registration=row)  # a place is free until it starts
        with refused("registration.closed"):
            return_to(registration=row)
    set_up_registration(tournament=event, by=event.created_by, changes={"is_on": False})
    with refused("registration.off"):
        registered(event, "Dai")


@pytest.mark.thorough
def test_an_organiser_approves_in_order_and_refuses_with_a_reason() -> None:
    event = an_event_with_registration(places=2, min_entries=2, chosen={"needs_approval": True})
    rows = [registered(event, name) for name in ("Aiko", "Ben", "Chiyo", "Dai")]
    assert set(statuses(event).values()) == {"pending"}
    assert not event.entries.exists()
    letters()
    with refused("tournament.not_organiser"):
        approve_registrations(tournament=event, by=a.a_user(), wanted=rows)
    assert reject_registrations(tournament=event, by=event.created_by, wanted=rows[3:], reason="Members only.") == 1
    assert reject_registrations(tournament=event, by=event.created_by, wanted=rows[3:], reason="Again.") == 0
    assert approve_registrations(tournament=event, by=event.created_by, wanted=rows[2::-1]) == 3
    assert approve_registrations(tournament=event, by=event.created_by, wanted=rows[:3]) == 0
    assert statuses(event) == {"Aiko": "entered", "Ben": "entered", "Chiyo": "waiting", "Dai": "refused"}
    assert [subject.partition(" –")[0] for _to, subject in letters()] == [
        "You have a place",
        "You have a place",
        "You are number 1 on the waiting list",
        "The organiser did not accept your registration",
    ]
    assert standing_of(fresh(rows[3])).following == "Members only."
    told = [str(row.after) for row in AuditEvent.objects.all()] + [str(row.payload) for row in Outbox.objects.all()]
    assert not [text for text in told if "Members only" in text or "example.org" in text or "Dai" in text]


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_an_approval_is_undone_and_its_people_are_told() -> None:
    event = an_event_with_registration(chosen={"needs_approval": True})
    row = registered(event, "Aiko")
    approve_registrations(tournament=event, by=event.created_by, wanted=[row])
    letters()
    note = offered(event, event.created_by, frozenset({"owner"}))
    assert note is not None
    assert "Aiko" not in str(AuditEvent.objects.get(pk=note.id).before.get("rows", {}).get("Registration"))
    undo(tournament=event, by=event.created_by, seen=note.id)
    assert statuses(event) == {"Aiko": "pending"}
    assert not event.entries.exists()
    tell_changes()
    assert [subject.partition(" –")[0] for _to, subject in letters()] == [
        "You are registered. The organiser has to approve it"
    ]


@pytest.mark.thorough
def test_a_name_that_is_taken_is_told_from_another_by_the_club() -> None:
    event = an_event_with_registration()
    add_person(tournament=event, by=event.created_by, name="Aiko")
    with refused("entry.duplicate"):
        registered(event, "aiko")
    registered(event, "Aiko", club="Osaka")
    waiting = register(tournament=event, person=None, details=Details("Ben", email="b@x.org"), sender=SENDER)
    add_person(tournament=event, by=event.created_by, name="Ben")
    with refused("entry.duplicate"):
        confirm(waiting)
    edit_registration(registration=waiting, details=Details("Ben", club="Nara"))
    confirm(waiting)
    assert statuses(event)["Ben"] == "entered"


@pytest.mark.thorough
def test_editing_changes_the_entry() -> None:
    event = an_event_with_registration()
    row = registered(event, "Aiko")
    edit_registration(registration=row, details=Details("Aiko Mori", club="Kyoto"))
    assert Entry.objects.get(tournament=event).player.name == "Aiko Mori"
    start = [registered(event, name) for name in ("Ben", "Chiyo", "Dai")]
    for entry in Entry.objects.filter(tournament=event):
        check_in(entry=entry, by=event.created_by)
    start_tournament(tournament=event, by=event.created_by)
    with refused("registration.closed"):
        withdraw_registration(registration=start[0])
    with refused("registration.closed"):
        edit_registration(registration=start[0], details=Details("Benjamin"))


def test_letters_to_one_address_are_few() -> None:
    event = an_event_with_registration()
    for _time in range(MAX_LETTERS):
        register(tournament=event, person=None, details=Details("Aiko", email="a@x.org"), sender=SENDER)
    with refused("rate.limited"):
        register(tournament=event, person=None, details=Details("Aiko", email="A@x.org"), sender=SENDER)
    with refused("rate.limited"):
        send_link(tournament=event, address="a@x.org", sender=SENDER)
    send_link(tournament=event, address="nobody@x.org", sender=SENDER)
    assert {to for to, _subject in letters()} == {"a@x.org"}


def test_what_nobody_confirms_and_what_is_over_goes() -> None:
    event = an_event_with_registration(questions=(Asked("Anything else"),))
    question = questions_of(event)[0]
    register(tournament=event, person=None, details=Details("Ben", email="b@x.org"), sender=SENDER)
    registered(event, "Aiko", answers={str(question.uuid): "No."})
    with time_machine.travel(timezone.now() + timedelta(days=3)):
        tidy()
        assert [row.name for row in Registration.objects.all()] == ["Aiko"]
        assert purge_expired_registrations() == 0
    state = {"state": Tournament.State.FINISHED, "finished_at": timezone.now()}
    Tournament.objects.filter(pk=event.pk).update(**state)
    with time_machine.travel(timezone.now() + timedelta(days=31)):
        assert purge_expired_registrations() == 1
    assert not RegistrationAnswer.objects.exists()
    assert event.entries.count() == 1, "who played stays"


def test_the_csv_holds_no_formula() -> None:
    event = an_event_with_registration(questions=(Asked("=HYPERLINK(1)"), Asked("Number", "number")))
    first, second = questions_of(event)
    answers = {str(first.uuid): "=cmd|' /C calc'!A0", str(second.uuid): "-5"}
    row = registered(event, "+Aiko", club="@club;=1+1", answers=answers)
    assert note_payment(tournament=event, by=event.created_by, wanted=[row], paid=True) == 1
    assert note_payment(tournament=event, by=event.created_by, wanted=[row], paid=True) == 0
    text = answers_csv(event).decode("utf-8-sig")
    heading, line, _end = text.split("\r\n")
    assert heading.startswith("status,waiting,name,club,email,account,confirmed,paid,consent,reason,'=HYPERLINK(1)")
    assert "'+Aiko" in line
    assert "'@club;'=1+1" in line
    assert "'=cmd" in line
    assert "example.org" in line
