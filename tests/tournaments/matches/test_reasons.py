"""Reasons for the draw of a table in the reader's language, for every format and at any time."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from django.utils.translation import gettext

from core.formats import __file__ as planners
from core.formats.ladder import REASON_TEXTS
from scripts.compile_messages import LOCALE, messages
from tests.builders import events as a
from tests.builders.clubs import a_called_night, round_of, tables_of
from tournaments.matches import reasons
from tournaments.models import Match
from tournaments.progress.run import start_tournament

JAPANESE = "ja"
PLANNERS = sorted(Path(planners).parent.rglob("*.py"))
UNMARKED = re.compile(r'^[A-Z_]+(?:: Final)? = \(?\s*"[^"\n]* [^"\n]*"', re.MULTILINE)
"""A sentence that no translator is given."""


@pytest.mark.parametrize("module", PLANNERS, ids=lambda path: path.stem)
def test_every_sentence_of_planners_is_marked_for_translation(module: Path) -> None:
    assert UNMARKED.findall(module.read_text(encoding="utf-8")) == []


@pytest.mark.thorough
@pytest.mark.django_db
def test_tables_of_a_round_and_their_pages_give_the_reason_in_the_readers_words(client: Client) -> None:
    event = a_called_night()
    (table, *_others) = tables_of(event)
    pod = next(each for each in round_of(event, 1).plan["pods"] if each["table"] == table.table_no)
    first = pod["why"][0]
    with translation.override(JAPANESE):
        expected = gettext(first["text"]) % first["args"]
    assert expected != first["text"] % first["args"], "the catalogue has this sentence"
    client.cookies["hanami_language"] = JAPANESE
    for page in (f"/t/{event.slug}/rounds/", f"/m/{table.uuid}/"):
        found = client.get(page, headers={"accept-language": JAPANESE}).content.decode()
        assert expected in found, page
        assert first["text"] % first["args"] not in found, page


@pytest.mark.django_db
def test_a_ladders_sentences_are_read_back_from_their_text() -> None:
    event = a.an_open_event(kind="ladder", rounds=3)
    a.entered(event, [a.a_bot(), a.a_bot(), a.a_bot()])
    start_tournament(tournament=event, by=event.created_by)
    match = Match.objects.filter(stage__tournament=event).first()
    assert match is not None
    assert reasons.of_match(match) == match.why, "in English as it was written"
    asked: list[str] = []

    def noted(text: str) -> str:
        asked.append(text)
        return f"<{text}>"

    with pytest.MonkeyPatch.context() as words:
        words.setattr(reasons, "_", noted)
        told = reasons.of_match(match)
    assert set(asked) <= set(REASON_TEXTS)
    assert len(asked) == 2
    assert told.count("<") == told.count(">") == 2


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("language", ["fr", JAPANESE])
def test_stored_sentences_of_earlier_versions_are_told_in_todays_words(language: str) -> None:
    known = messages((LOCALE / language / "LC_MESSAGES" / "django.po").read_text(encoding="utf-8"))
    for text, now in reasons.FORMER.items():
        figures = dict.fromkeys(reasons.FIGURE.findall(text), 7)
        assert set(reasons.FIGURE.findall(now)) == set(figures), text
        with translation.override(language):
            assert reasons.reasons_text([{"text": text, "args": figures}]) == known[now] % figures
        assert text not in known, "nobody translates what nobody says any more"


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        ({"text": "Set by hand.", "args": {}}, "Set by hand."),
        ({"text": "%(n)d of %(m)d", "args": {"n": 1}}, "%(n)d of %(m)d"),
        ({"text": "100 %", "args": {}}, "100 %"),
        (
            {"text": "from %(high)s to %(low)s", "args": {"high": "280/3", "low": "-2.5"}},
            "from 93⅓ to \N{MINUS SIGN}2½",
        ),
        ({"text": "%(club)s to %(low)s", "args": {"club": "1/2", "low": "1/0"}}, "1/2 to 1/0"),
    ],
)
def test_a_sentence_that_cannot_be_filled_in_is_told_as_it_is(reason: dict[str, Any], expected: str) -> None:
    assert reasons.reasons_text([reason]) == expected


def test_a_table_without_a_kept_reason_keeps_its_text() -> None:
    assert reasons.by_table({"pods": [{"table": 1, "why": []}, {"table": 2}]}) == {}
    assert reasons.of_match(Match(why="By hand.")) == "By hand."
