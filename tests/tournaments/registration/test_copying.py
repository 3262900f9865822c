"""The registration form goes along with a copy of the event and with its file; what people wrote does not."""

from __future__ import annotations

import json

import pytest

from engine.errors import DomainError
from tests.builders import events as a
from tests.builders.registrations import QUESTIONS, an_event_with_registration, registered
from tournaments.interchange.clone import clone_tournament
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as importing
from tournaments.interchange.imports.actions import import_event
from tournaments.models import Registration, Tournament
from tournaments.registration.set_up import questions_of, set_up_registration, settings_of

pytestmark = pytest.mark.django_db
CHOSEN = {"needs_approval": True, "consent": "Photos are taken.", "payment_url": "https://example.org/pay"}


def asked(event: Tournament) -> list[tuple[str, str, str, bool]]:
    return [(each.words, each.kind, each.choices, each.is_required) for each in questions_of(event)]


def an_event() -> Tournament:
    event = an_event_with_registration(questions=QUESTIONS, chosen=CHOSEN)
    answers = {str(questions_of(event)[0].uuid): "Yes"}
    registered(event, "Aiko", answers=answers, agrees=True)
    return event


def test_make_another_one_like_it_copies_the_form_and_no_answer() -> None:
    event = an_event()
    like = clone_tournament(tournament=event, by=event.created_by)
    chosen = settings_of(like)
    assert (chosen.is_on, chosen.needs_approval, chosen.consent) == (True, True, "Photos are taken.")
    assert chosen.payment_url == ""
    assert asked(like) == asked(event)
    assert {each.uuid for each in questions_of(like)}.isdisjoint(each.uuid for each in questions_of(event))
    assert not Registration.objects.filter(tournament=like).exists()


def test_a_file_has_the_form_while_it_is_on_and_a_draft_from_it_asks_the_same() -> None:
    event = an_event()
    data = event_json(event)
    for private in (b"aiko@example.org", b"example.org/pay"):
        assert private not in data
    draft = import_event(by=a.a_user(), checked=importing.validate_event(data))
    assert asked(draft) == asked(event)
    assert settings_of(draft).consent == "Photos are taken."
    set_up_registration(tournament=event, by=event.created_by, changes={"is_on": False})
    assert b"Photos are taken" not in event_json(event)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    "form",
    [
        {"questions": [{"words": ""}]},
        {"questions": [{"words": "Meat?", "kind": "choice"}]},
        {"questions": [{"words": "Meat?", "kind": "text", "choices": ["Yes"]}]},
        {"questions": [{"words": "Me\u0007at?"}]},
        {"consent": "x" * 1001},
        {"payment_url": "javascript:alert(1)"},
        [],
    ],
)
def test_a_file_with_another_form_is_refused(form: object) -> None:
    document = json.loads(event_json(an_event()))
    document["tournament"]["policies"]["registration"] = form
    with pytest.raises(DomainError) as caught:
        importing.validate_event(json.dumps(document).encode())
    assert caught.value.code == "event.value"
