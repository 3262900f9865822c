"""The registration form of an event for another one like it, and for event files: questions and texts, no answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournaments.models import Question, RegistrationSettings, Tournament
from tournaments.registration.answers import choices_of
from tournaments.registration.set_up import questions_of, settings_of


def copy_form(source: Tournament, made: Tournament) -> None:
    """Give a new event the form of another one. Needs a transaction.

    Not the hour from which it is open, which was of that day, nor where people pay, which may be of that event.
    """
    chosen = settings_of(source)
    if chosen.pk is not None:
        RegistrationSettings.objects.create(
            tournament=made, is_on=chosen.is_on, needs_approval=chosen.needs_approval, consent=chosen.consent
        )
    Question.objects.bulk_create(
        Question(
            tournament=made,
            position=each.position,
            kind=each.kind,
            words=each.words,
            choices=each.choices,
            is_required=each.is_required,
        )
        for each in questions_of(source)
    )


def form_document(event: Tournament) -> dict[str, Any]:
    """Return the form for an event's file, if people can see it on its page; else nothing. At most two queries."""
    chosen = settings_of(event) if event.is_of_people else None
    if chosen is None or not chosen.is_on:
        return {}
    questions = [
        {
            "words": each.words,
            "kind": each.kind,
            **({"choices": choices_of(each)} if each.choices else {}),
            **({"required": True} if each.is_required else {}),
        }
        for each in questions_of(event)
    ]
    return {"approval": chosen.needs_approval, "consent": chosen.consent, "questions": questions}


def write_form(event: Tournament, document: Mapping[str, Any]) -> None:
    """Write the form of a file, as `core.interchange.documents.policies.check` lets it pass, for a new draft."""
    if not document or not event.is_of_people:
        return
    RegistrationSettings.objects.create(
        tournament=event,
        is_on=True,
        needs_approval=document.get("approval", False),
        consent=document.get("consent", ""),
    )
    Question.objects.bulk_create(
        Question(
            tournament=event,
            position=position,
            kind=each.get("kind", Question.Kind.TEXT),
            words=each["words"],
            choices="\n".join(each.get("choices", ())),
            is_required=each.get("required", False),
        )
        for position, each in enumerate(document.get("questions", ()), 1)
    )
