"""Answers to an organiser's questions: checked by the kind of the question, stored as short texts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _

from core.errors import TournamentError
from core.printable import is_printable
from tournaments.entries.people import tidy
from tournaments.models import Question, Registration, RegistrationAnswer

MAX_LENGTH: Final = 500
YES: Final = "yes"
# Nine digits: years, ages, ratings and telephone extensions, and every integer column holds it.
NUMBER: Final = re.compile(r"-?[0-9]{1,9}")


def choices_of(question: Question) -> list[str]:
    """Return what a question of kind "choice" offers."""
    return [line for line in question.choices.splitlines() if line]


def read_answers(questions: Sequence[Question], given: Mapping[str, str]) -> dict[int, str]:
    """Return by question's key what is to be stored; questions without an answer are left out.

    given: by uuid of the question; others than these are passed over. Raises TournamentError "registration.answer"
    (extra: question).
    """
    read = ((question, _read(question, given.get(str(question.uuid), ""))) for question in questions)
    return {question.pk: value for question, value in read if value}


def _read(question: Question, text: str) -> str:
    value = tidy(text)
    if question.kind == Question.Kind.TICK:
        value = YES if value in (YES, "on", "true", "True") else ""
    if not value:
        if question.is_required:
            raise _refusal(question, _("Answer this question."))
        return ""
    if len(value) > MAX_LENGTH or not is_printable(value):
        raise _refusal(question, _("Answer with at most %(n)s printable characters.") % {"n": MAX_LENGTH})
    if question.kind == Question.Kind.NUMBER and not NUMBER.fullmatch(value):
        raise _refusal(question, _("Answer with a whole number of at most nine digits."))
    if question.kind == Question.Kind.CHOICE and value not in choices_of(question):
        raise _refusal(question, _("Choose one of the answers that are offered."))
    return value


def _refusal(question: Question, message: str) -> TournamentError:
    extra: dict[str, object] = {"question": str(question.uuid)}
    return TournamentError(f"{question.words}: {message}", code="registration.answer", extra=extra)


def write_answers(registration: Registration, answers: Mapping[int, str]) -> None:
    """Replace the answers of a registration. Needs a transaction."""
    registration.answers.exclude(question__in=answers.keys()).delete()
    RegistrationAnswer.objects.bulk_create(
        (RegistrationAnswer(registration=registration, question_id=pk, value=value) for pk, value in answers.items()),
        update_conflicts=True,
        unique_fields=["registration", "question"],
        update_fields=["value"],
    )


def answers_of(registration: Registration) -> dict[str, str]:
    """Return the answers by uuid of their question. One query."""
    return {str(uuid): value for uuid, value in registration.answers.values_list("question__uuid", "value")}
