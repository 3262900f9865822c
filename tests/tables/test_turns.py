"""Notices at tables with days for a move: once, in time, to accounts alone, and as they chose."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.utils import timezone

from accounts.models import User
from tables.actions.answering import answer
from tables.actions.sitters import Sitter
from tables.jobs.sweep import sweep
from tables.models import LiveSeat, LiveTable
from tables.play.clocks import CLOCKS
from tests.services.databases import on_both
from tests.tables.players import a_table, again, folded, guest
from tournaments.models import Mailing, Notice
from tournaments.notifications.consumer import notice_news
from tournaments.notifications.lines import lines_of, with_all
from tournaments.notifications.mail import send_waiting
from tournaments.notifications.plans import choose_notices

pytestmark = [pytest.mark.django_db, on_both]


def people() -> list[Sitter]:
    made = []
    for name in ("plum", "crane"):
        user = User.objects.create(username=name, email=f"{name}@example.org", email_confirmed_at=timezone.now())
        made.append(Sitter(name, user=user))
    return made


def user_of(sitter: Sitter) -> User:
    assert sitter.user is not None
    return sitter.user


def a_table_by_days(sitters: list[Sitter] | None = None) -> tuple[LiveTable, list[Sitter], int]:
    """A table with days for a move, dealt; who sits there, and whose turn it is. Nobody has looked since."""
    notice_news()
    table, sat = a_table(sitters=sitters or people(), clock=CLOCKS["days"])
    question = folded(table).question
    assert question is not None
    LiveSeat.objects.filter(table=table).update(seen_at=question.at - timedelta(seconds=1))
    return table, sat, question.seat


def swept_at(table: LiveTable, after: timedelta) -> list[Notice]:
    """What there is to read after a sweep at that time after the question."""
    question = folded(again(table)).question
    assert question is not None
    with time_machine.travel(question.at + after, tick=False):
        sweep()
        notice_news()
        send_waiting()
    return list(with_all(Notice.objects.order_by("pk")))


@pytest.mark.thorough(keep=1)
def test_a_turn_is_told_after_five_minutes_and_once() -> None:
    table, sat, asked = a_table_by_days()
    assert swept_at(table, timedelta(minutes=4)) == []
    (notice,) = swept_at(table, timedelta(minutes=6))
    assert notice.reader == sat[asked].user
    (line,) = lines_of([notice])
    assert line.path == f"/play/{table.uuid}/"
    assert line.text == f"It is your turn: Koi-Koi (Nintendo) with {sat[1 - asked].name}." or "your turn" in line.text
    assert len(swept_at(table, timedelta(hours=6))) == 1


def test_the_mail_says_nothing_of_the_cards() -> None:
    table, sat, asked = a_table_by_days()
    swept_at(table, timedelta(minutes=6))
    (letter,) = mail.outbox
    assert letter.to == [user_of(sat[asked]).email]
    text = letter.subject + str(letter.body)
    assert f"/play/{table.uuid}/" in text or "/me/follow/" in text
    seat = folded(table).match.observation(asked, match_id="", preset=table.preset, since=0, ms_left=0)
    hand: Any = seat.get("hand", ())
    assert not [card for card in hand if str(card) in text]


@pytest.mark.thorough(keep=1)
def test_who_looks_at_the_table_needs_no_mail_but_is_reminded() -> None:
    table, _sat, asked = a_table_by_days()
    LiveSeat.objects.filter(table=table, index=asked).update(seen_at=timezone.now() + timedelta(minutes=1))
    assert swept_at(table, timedelta(minutes=6)) == []
    (reminder,) = swept_at(table, timedelta(days=3) - timedelta(hours=11))
    assert reminder.what == "turn_ends"
    assert len(swept_at(table, timedelta(days=3) - timedelta(hours=1))) == 1


def test_an_answer_ends_what_was_planned() -> None:
    table, sat, asked = a_table_by_days()
    question = folded(table).question
    assert question is not None
    answer(table, sat[asked], question.n, 0)
    after = folded(again(table)).question
    assert after is not None
    assert again(table).notify_at == after.at + timedelta(minutes=5)


def test_guests_and_tables_with_another_clock_are_told_nothing() -> None:
    table, _sat, _asked = a_table_by_days([guest("one"), guest("two")])
    assert swept_at(table, timedelta(minutes=6)) == []
    live, _people = a_table(clock=CLOCKS["live"])
    assert again(live).notify_at is None


def test_somebody_who_wants_no_mails_of_turns_gets_none() -> None:
    table, sat, asked = a_table_by_days()
    choose_notices(user=user_of(sat[asked]), choices={"turn": "page"})
    swept_at(table, timedelta(minutes=6))
    assert Notice.objects.count() == 1
    assert not Mailing.objects.exists()


def test_the_page_of_notifications_offers_the_choice(client: Any) -> None:
    client.force_login(people()[0].user)
    assert 'id="how-turn"' in client.get("/me/notices/").content.decode()
