"""Remarks on the crosstable: byes, rounds sat out, substitutes, late arrivals and withdrawals, in words and codes."""

from __future__ import annotations

import csv
import io
import re

import pytest
from django.test import Client

from tests.builders.clubs import a_called_night, person
from tests.builders.keys import Caller
from tests.tournaments.presence.test_returning import next_round
from tests.tournaments.progress.test_people import finish_round, stage_of
from tournaments.entries.people import add_person, withdraw_person
from tournaments.models import Tournament
from tournaments.presence.sitting_out import sit_out_rounds
from tournaments.presence.substitutes import replace_person
from tournaments.standings import queries

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]


@pytest.fixture
def event() -> Tournament:
    """Three of four rounds: a bye asked for, a second one worth nothing, a substitute, a late arrival, a withdrawal."""
    event = a_called_night(people=8, rounds=4)
    by = event.created_by
    finish_round(event)
    sit_out_rounds(entry=person(event, "Aiko"), by=by, first=2, last=3)
    replace_person(entry=person(event, "Ben"), by=by, name="Gen")
    add_person(tournament=event, by=by, name="Late")
    next_round(event)
    finish_round(event, 2)
    withdraw_person(entry=person(event, "Chiyo"), by=by)
    next_round(event)
    finish_round(event, 3)
    return event


def remarks_in(event: Tournament) -> dict[str, str]:
    """Return the remarks by name, in words; those of the draw's byes left out."""
    stage = stage_of(event)
    ((_label, rows),) = queries.cross_parts(stage, queries.rows_of(stage))
    said = {row.entry.player.name: [each.text for each in row.remarks if each.kind != "bye"] for row in rows}
    return {name: "; ".join(texts) for name, texts in said.items() if texts}


def test_every_row_says_why_rounds_are_missing(event: Tournament) -> None:
    assert remarks_in(event) == {
        "Aiko": "round 2: requested bye, counts as a tie; round 3: sat out by arrangement",
        "Gen": "round 1: Ben played",
        "Late": "from round 2 on",
        "Chiyo": "withdrawn before round 3",
    }


def test_the_page_has_them_in_words_and_the_file_and_the_api_as_codes(event: Tournament) -> None:
    page = Client().get(f"/t/{event.slug}/crosstable/")
    text = " ".join(re.sub(r"<[^>]+>", " ", page.content.decode()).split())
    for words in ("round 1: Ben played", "withdrawn before round 3", "round 3: sat out by arrangement"):
        assert words in text
    found = Client().get(f"/t/{event.slug}/files/crosstable.csv").content.decode()
    codes = {row["name"]: row["remarks"].split() for row in csv.DictReader(io.StringIO(found))}
    assert {"requested_bye:2", "sat_out:3"} <= set(codes["Aiko"])
    assert "substituted:1" in codes["Gen"]
    assert "left:3" in codes["Chiyo"]
    rows = Caller(None).get(f"/api/v1/tournaments/{event.slug}/crosstable").json()["items"]
    by_name = {row["name"]: row["remarks"] for row in rows}
    assert {"kind": "substituted", "rounds": [1], "worth": "", "name": "Ben"} in by_name["Gen"]
    assert {"kind": "requested_bye", "rounds": [2], "worth": "1/2", "name": ""} in by_name["Aiko"]


def test_without_remarks_there_is_no_column_for_them() -> None:
    event = a_called_night(people=4, rounds=2)
    finish_round(event)
    assert "Remarks" not in Client().get(f"/t/{event.slug}/crosstable/").content.decode()
