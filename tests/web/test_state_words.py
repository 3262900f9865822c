"""The words of states on pages: tables of people have their own, and what an arbiter decided says so."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from bots.templatetags.hanami import state
from tests.builders import events as a
from tests.builders.clubs import a_called_night, tables_of, totals
from tournaments.matches.report_bodies import hash_of
from tournaments.models import Match, ResultReport, Tournament
from tournaments.operations.quarantine import void_match
from tournaments.scores.actions import Actor, accept_result, rule_result, submit_result

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]
SHOWN = re.compile(r'<span class="state ([a-z]*)"><svg[^>]*><use href="[^"#]*#([a-z]+)"/></svg>([^<]+)</span>')


def shown(page: str) -> list[tuple[str, str]]:
    """Return every state of a page as (picture, word)."""
    return [(picture, word) for _tone, picture, word in SHOWN.findall(page)]


def read(client: Client, path: str) -> list[tuple[str, str]]:
    """The states that a page shows."""
    answer = client.get(path)
    assert answer.status_code == 200
    return shown(answer.content.decode())


@pytest.mark.thorough
def test_every_state_of_a_table_is_shown_where_people_sit_at_it(as_user: Become) -> None:
    event = a_called_night(people=8)
    by, tables = event.created_by, tables_of(event)
    hands = [Actor(side=0), Actor(side=1)]
    for match in tables[:3]:
        submit_result(match=match, actor=hands[0], claim=totals(130, 110))
    accept_result(match=tables[1], actor=hands[1])
    submit_result(match=tables[2], actor=hands[1], claim=totals(110, 130))
    client, desk = as_user(by), f"/t/{event.slug}/desk/"
    expected = [("queue", "reported"), ("check", "confirmed"), ("flag", "disputed"), ("clock", "called")]
    assert read(client, desk)[-4:] == expected
    rule_result(match=tables[2], by=by, version=2, reason="Counted again.")
    void_match(match=tables[3], by=by, reason="Both left.")
    ruled = ("pen", "ruled")
    assert read(client, desk)[-4:] == [*expected[:2], ruled, ("cross", "void")]
    for path in (f"/m/{tables[2].uuid}/", f"/t/{event.slug}/screen/", f"/m/{tables[2].uuid}/result/"):
        assert ruled in read(client, path), path
    assert ruled not in read(client, f"/m/{tables[1].uuid}/")


@pytest.mark.thorough
def test_what_a_file_brought_is_confirmed_and_nobody_ruled_it(as_user: Become) -> None:
    event = a_called_night()
    match = tables_of(event)[0]
    body = {"end": "complete", "score": [130, 110], "victories": [1, 0], "rank": [1, 2], "deals": 1, "forfeits": []}
    kept = {"source": "people", "state": "confirmed", "hash": hash_of(body), "reason": "As the report says."}
    ResultReport.objects.create(match=match, body=body, by=event.created_by, **kept)
    Match.objects.filter(pk=match.pk).update(state="confirmed")
    assert ("check", "confirmed") in read(as_user(event.created_by), f"/m/{match.uuid}/")


def test_an_archived_event_says_so_and_matches_of_bots_keep_their_words() -> None:
    event = a.an_open_event()
    for value, word in (("archived", "archived"), ("finished", "finished"), ("registration", "open")):
        assert shown(state(Tournament(state=value)))[0][1] == word
    for value, word in (
        ("pending", "scheduled"),
        ("claimed", "playing"),
        ("confirmed", "finished"),
        ("void", "cancelled"),
    ):
        match = Match(stage=event.stages.get(), deal_set_id=1, state=value)
        assert shown(state(match))[0][1] == word
