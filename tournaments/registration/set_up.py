"""What an organiser chooses for the registration of an event, and the questions they ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from activity.journal import audit, publish
from core.errors import TournamentError
from core.printable import is_printable
from tournaments.domain_events.registration import RegistrationSetUp
from tournaments.entries.people import require_people, tidy
from tournaments.lifecycle.transitions import ORGANISERS, label, may
from tournaments.models import Question, RegistrationSettings, Tournament

MAX_QUESTIONS: Final = 20
MAX_WORDS: Final = 200
MAX_CHOICES: Final = 20
MAX_CHOICE: Final = 60
MAX_CONSENT: Final = 1000
MAX_URL: Final = 300
OVER: Final = (Tournament.State.FINISHED, Tournament.State.ARCHIVED, Tournament.State.CANCELLED)
FIELDS: Final = ("is_on", "opens_at", "needs_approval", "consent", "payment_url")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as an organiser writes it. uuid: of one that is there; "": a new one."""

    words: str
    kind: str = Question.Kind.TEXT
    choices: tuple[str, ...] = ()
    is_required: bool = False
    uuid: str = ""


def settings_of(event: Tournament) -> RegistrationSettings:
    """Return the choices for an event; the defaults, unsaved, where nobody chose. One query."""
    found = RegistrationSettings.objects.filter(tournament=event).first()
    return found or RegistrationSettings(tournament=event)


def questions_of(event: Tournament) -> list[Question]:
    """Return the questions of an event in their order. One query."""
    return list(Question.objects.filter(tournament=event).order_by("position", "pk"))


def set_up_registration(
    *, tournament: Tournament, by: User, changes: Mapping[str, Any], questions: Sequence[Asked] | None = None
) -> RegistrationSettings:
    """Change some of `FIELDS`, and replace the questions unless they are None. Doing it twice changes nothing.

    A question that is left out goes with its answers. Raises TournamentError "tournament.not_organiser",
    "entry.not_of_people", "registration.event_over", "registration.bad_consent", "registration.bad_payment_url",
    "registration.bad_question" (extra: question, its number from 1), "registration.too_many_questions",
    "registration.question_answered".
    """
    with transaction.atomic():
        event = Tournament.objects.select_for_update().get(pk=tournament.pk)
        may(event, by, ORGANISERS, "set_up_registration")
        require_people(event)
        if event.state in OVER:
            message = _("The event is over, so nobody can register any more.")
            raise TournamentError(message, code="registration.event_over")
        row, before = settings_of(event), _shown(event)
        for name in FIELDS:
            if name in changes:
                setattr(row, name, changes[name])
        _validate(row)
        row.save()
        if questions is not None:
            _write_questions(event, questions)
        after = _shown(event)
        if after != before:
            audit(RegistrationSetUp, label(event), actor=by, channel=event.channel, before=before, after=after)
            publish(RegistrationSetUp(event.channel, is_on=row.is_on))
    return row


def _shown(event: Tournament) -> dict[str, object]:
    """Return what the audit says of the set-up: the questions by their words, no answers."""
    row = settings_of(event)
    words = [f"{each.words} ({each.kind})" for each in questions_of(event)]
    opens = row.opens_at.isoformat() if row.opens_at is not None else ""
    chosen = {"is_on": row.is_on, "opens_at": opens, "needs_approval": row.needs_approval}
    return {**chosen, "consent": row.consent, "payment_url": row.payment_url, "questions": words}


def _validate(row: RegistrationSettings) -> None:
    row.consent, row.payment_url = tidy(row.consent), row.payment_url.strip()
    if len(row.consent) > MAX_CONSENT or not is_printable(row.consent):
        message = _("The text may have at most %(n)s printable characters.") % {"n": MAX_CONSENT}
        raise TournamentError(message, code="registration.bad_consent")
    if row.payment_url and not _is_web_address(row.payment_url):
        message = _("Give an address that begins with https:// and has at most %(n)s characters.") % {"n": MAX_URL}
        raise TournamentError(message, code="registration.bad_payment_url")


def _is_web_address(text: str) -> bool:
    """Return whether people can open it: https alone, so that no address runs a script or is read on the way."""
    if len(text) > MAX_URL or not text.isascii() or not is_printable(text) or " " in text:
        return False
    try:
        parts = urlsplit(text)
        return parts.scheme == "https" and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _write_questions(event: Tournament, asked: Sequence[Asked]) -> None:
    if len(asked) > MAX_QUESTIONS:
        message = _("You can ask at most %(n)s questions.") % {"n": MAX_QUESTIONS}
        raise TournamentError(message, code="registration.too_many_questions", extra={"most": MAX_QUESTIONS})
    there = {str(each.uuid): each for each in questions_of(event)}
    rows = []
    for position, each in enumerate(asked, 1):
        row = there.get(each.uuid) or Question(tournament=event)
        if row.pk is not None and row.kind != each.kind and row.answers.exists():
            message = _("People have answered this question. Ask another one instead of changing its kind.")
            raise TournamentError(message, code="registration.question_answered", extra={"question": position})
        row.position, row.kind, row.is_required = position, each.kind, each.is_required
        row.words, row.choices = tidy(each.words), "\n".join(filter(None, map(tidy, each.choices)))
        _validate_question(row, position)
        rows.append(row)
    event.questions.exclude(pk__in=[row.pk for row in rows if row.pk is not None]).delete()
    for row in rows:
        row.save()


def _validate_question(row: Question, number: int) -> None:
    """Raise TournamentError "registration.bad_question" for one that nobody could answer."""
    offered = row.choices.splitlines()
    message = ""
    if row.kind not in Question.Kind.values:
        message = _("Choose the kind of this question.")
    elif not 1 <= len(row.words) <= MAX_WORDS or not is_printable(row.words):
        message = _("A question has 1 to %(n)s printable characters.") % {"n": MAX_WORDS}
    elif row.kind != Question.Kind.CHOICE:
        row.choices = ""
    elif not 2 <= len(offered) <= MAX_CHOICES or len(set(offered)) < len(offered):
        message = _("Offer 2 to %(n)s different answers, one on each line.") % {"n": MAX_CHOICES}
    elif any(len(each) > MAX_CHOICE or not is_printable(each) for each in offered):
        message = _("An answer to choose has at most %(n)s printable characters.") % {"n": MAX_CHOICE}
    if message:
        raise TournamentError(message, code="registration.bad_question", extra={"question": number})


def has_opened(row: RegistrationSettings, event: Tournament) -> bool:
    """Return whether people may register now."""
    is_early = row.opens_at is not None and row.opens_at > timezone.now()
    return row.is_on and event.is_of_people and event.has_open_entries and not is_early


def require_open(row: RegistrationSettings, event: Tournament) -> None:
    """Raise TournamentError "registration.off", "registration.not_open" or "registration.closed" unless people may
    register now.
    """
    if has_opened(row, event):
        return
    if not row.is_on or not event.is_of_people:
        message = _("People cannot register here themselves. Ask the organiser.")
        raise TournamentError(message, code="registration.off")
    waits = event.state in (Tournament.State.DRAFT, Tournament.State.PUBLISHED)
    if waits or (event.state == Tournament.State.REGISTRATION and not event.has_closed_entries):
        message = _("Registration is not open yet. Come back later.")
        raise TournamentError(message, code="registration.not_open")
    message = _("Registration is closed. Ask the organiser whether there is still a place.")
    raise TournamentError(message, code="registration.closed")
