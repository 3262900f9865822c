"""Stages that the form named are called in the reader's language, formats too."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils.translation import override

from core.formats import FORMATS
from tests.builders import events as a
from tournaments.lifecycle.field_words import choice_of
from tournaments.models import Tournament
from tournaments.models.stage_names import in_readers_words
from tournaments.pages.events.form_choices import kind_choices

pytestmark = pytest.mark.django_db
FORM = {"name": "Poules et finale", "preset": "hawaii", "seats": 2, "who": "people", "rounds": 1, "legs": "single"}
FORM |= {"min_entries": 8, "max_entries": 16, "entries_per_owner": 1, "visibility": "public"}
FORM |= {"template": "pools", "groups": 2, "go_on": 2, "final": "single_elim"}


def test_stages_of_a_french_organiser_are_read_in_japanese(client: Client) -> None:
    client.force_login(a.a_user())
    client.cookies["django_language"] = "fr"
    client.post("/t/new/", FORM)
    event = Tournament.objects.get()
    assert [stage.name for stage in event.stages.order_by("order")] == ["Pools", "Knock-out"]
    for code, words in (
        ("fr", ("Poules", "Élimination")),
        ("ja", ("予選組", "勝ち抜き戦")),
        ("en", ("Pools", "Knock-out")),
    ):
        client.cookies["django_language"] = code
        page = client.get(f"/t/{event.slug}/").content.decode()
        assert all(f"<strong>{word}</strong>" in page for word in words), code


def test_names_kept_in_another_language_are_found_again() -> None:
    with override("ja"):
        assert in_readers_words("Élimination") == "勝ち抜き戦"
        assert in_readers_words("Plum stage") == "Plum stage"
        assert in_readers_words("") == ""


@pytest.mark.parametrize("code", ["fr", "ja"])
def test_every_format_has_a_name_in_every_language(code: str) -> None:
    english = {kind: str(words) for kind, words in kind_choices() if kind}
    with override(code):
        for kind, words in kind_choices():
            assert not kind or str(words) != english[kind] or FORMATS[kind].usual_sides, kind
        assert choice_of("kind", "single_elim") != "single elimination"
