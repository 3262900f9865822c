"""Registrations as organisers read them: the list with answers, and the same as a CSV file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.models import User
from core.interchange.tables import Cell, write_table
from tournaments.models import Entry, Question, Registration, Tournament
from tournaments.progress.waiting_list import place_of
from tournaments.registration.set_up import questions_of
from tournaments.registration.status import Status, status_of

S = Registration.State
COLUMNS = ("status", "waiting", "name", "club", "email", "account", "confirmed", "paid", "consent", "reason")


@dataclass(frozen=True, slots=True)
class RegistrationLine:
    """A registration as an organiser reads it. answers: in the order of the questions, "" where there is none.

    place: on the waiting list, from 1; 0 for others.
    """

    registration: Registration
    status: Status
    place: int
    answers: tuple[str, ...]

    @property
    def is_open(self) -> bool:
        """True while it can be approved or refused."""
        return self.status in (Status.PENDING, Status.REFUSED)


@dataclass(frozen=True, slots=True)
class Registrations:
    """The registrations of an event that were confirmed, first come first, and how many were not."""

    questions: list[Question]
    lines: list[RegistrationLine]
    unconfirmed: int


def registrations_of(event: Tournament) -> Registrations:
    """Return all registrations of an event. Four queries."""
    questions = questions_of(event)
    rows = Registration.objects.filter(tournament=event).exclude(state=S.UNCONFIRMED)
    found = rows.select_related("entry", "user").prefetch_related("answers").order_by("confirmed_at", "pk")
    waiting = Entry.objects.filter(tournament=event, state=Entry.State.WAITLISTED).order_by("created_at", "id")
    places = {pk: place for place, pk in enumerate(waiting.values_list("pk", flat=True), 1)}
    lines = [_line(row, questions, places.get(row.entry_id or 0, 0)) for row in found]
    return Registrations(questions, lines, Registration.objects.filter(tournament=event, state=S.UNCONFIRMED).count())


def line_of(row: Registration, questions: Sequence[Question]) -> RegistrationLine:
    """Return one registration as its person reads it. Three queries at most."""
    row = Registration.objects.select_related("entry", "user").prefetch_related("answers").get(pk=row.pk)
    waits = row.entry if status_of(row) is Status.WAITING else None
    return _line(row, questions, place_of(waits) if waits is not None else 0)


def _line(row: Registration, questions: Sequence[Question], place: int) -> RegistrationLine:
    given = {answer.question_id: answer.value for answer in row.answers.all()}
    return RegistrationLine(row, status_of(row), place, tuple(given.get(each.pk, "") for each in questions))


def chosen_of(event: Tournament, uuids: Sequence[str]) -> list[Registration]:
    """Return the confirmed registrations of an event with these ids; others are passed over. One query."""
    rows = Registration.objects.filter(tournament=event, uuid__in=uuids).exclude(state=S.UNCONFIRMED)
    return list(rows.order_by("confirmed_at", "pk"))


def own_registration(event: Tournament, person: User) -> Registration | None:
    """Return a person's registration for an event. One query."""
    rows = Registration.objects.select_related("tournament", "entry__player", "user")
    return rows.filter(tournament=event, user=person).first()


def answers_csv(event: Tournament, *, bom: bool = True) -> bytes:
    """Return the list as CSV for spreadsheets; texts are guarded against being formulas."""
    found = registrations_of(event)
    heading = [*COLUMNS, *(("born",) if event.age_gap else ()), *(question.words for question in found.questions)]
    return write_table(heading, [_cells(line, with_year=bool(event.age_gap)) for line in found.lines], bom=bom)


def _cells(line: RegistrationLine, *, with_year: bool) -> list[Cell]:
    row = line.registration
    times = [at.isoformat(timespec="seconds") if at else "" for at in (row.confirmed_at, row.paid_at, row.consent_at)]
    email = row.email or (row.user.mail_address if row.user is not None else "")
    account = row.user.username if row.user is not None else ""
    year = [row.birth_year] if with_year else []
    return [
        str(line.status),
        line.place or None,
        row.name,
        row.club,
        email,
        account,
        *times,
        row.reason,
        *year,
        *line.answers,
    ]
