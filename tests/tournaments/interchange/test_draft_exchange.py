"""An event that is not over becomes a draft with all its settings, for teams and for single people."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.builders import boards as b
from tests.builders import events as a
from tests.builders.clubs import a_club_night
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import actions
from tournaments.interchange.imports import event as importing
from tournaments.interchange.imports.actions import import_event
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db(transaction=True)
OF_ITS_OWN = {
    *(
        "id",
        "uuid",
        "slug",
        "state",
        "row_version",
        "reason",
        "created_by_id",
        "created_at",
        "started_at",
        "finished_at",
    ),
    # A draft begins at a time of its own.
    *("starts_at", "entries_close_at"),
    # What was said and done at the event, and of whom.
    *("fide_report", "separated_pairs", "announcements_made", "is_challenge", "official_deal_sets"),
    # Of copies alone.
    *("copy_mask", "copy_carried_id", "settings_as_imported"),
}
"""Columns in which a draft differs from the event in the file."""


def settings(event: Tournament) -> dict[str, Any]:
    event.refresh_from_db()
    names = {field.attname for field in Tournament._meta.concrete_fields}
    return {name: getattr(event, name) for name in sorted(names - OF_ITS_OWN)}


def draft_of(event: Tournament) -> Tournament:
    return import_event(by=a.a_user(), checked=importing.validate_event(event_json(event)))


def test_of_teams_whose_members_sit_apart_it_keeps_how_they_score() -> None:
    for score, best in (("sum", 0), ("best", 2), ("boards", 0)):
        event = b.a_running_night(kind="swiss", rounds=2, boards=3, team_score=score, team_best=best)
        draft = draft_of(event)
        assert (draft.boards, draft.team_score) == (3, score)
        assert settings(draft) == settings(event)


def test_of_single_people_it_keeps_what_was_set_on_pages_of_their_own() -> None:
    event = a_club_night(people=6, rounds=3, round_minutes=25, apart="club", seeding="draw")
    changed = {
        "rated": True,
        "leaders": 2,
        "hall_tables": 7,
        "calls_alone": True,
        "bye_worth": "0",
        "bye_limit": 1,
        "late_worth": "0",
        "walkover": "share",
        "no_show_limit": 3,
    }
    Tournament.objects.filter(pk=event.pk).update(**changed)
    event = Tournament.objects.get(pk=event.pk)
    draft = draft_of(event)
    assert settings(draft) == settings(event)
    assert draft.stages.get().seeding == "draw"


def test_a_file_with_other_settings_than_pages_allow_makes_none_of_them() -> None:
    document = json.loads(event_json(a.an_open_event()))
    most = {"bye_limit": 20, "bye_until": 999, "walkover_share": 100, "no_show_limit": 9}
    lies = {"rated": True, "leaders": "99", "hall": {"tables": 501, "calls": "yes"}, "presence": most}
    document["tournament"]["policies"] |= lies
    draft = import_event(by=a.a_user(), checked=importing.validate_event(json.dumps(document).encode()))
    draft.refresh_from_db()
    assert (draft.rated, draft.leaders, draft.hall_tables, draft.calls_alone) == (False, None, None, False)
    assert {name: getattr(draft, name) for name in most} == most


def test_a_draft_is_made_whole_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    event = a_club_night(people=4)

    def fail(*_given: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(actions, "write_form", fail)
    with pytest.raises(RuntimeError):
        draft_of(event)
    assert list(Tournament.objects.all()) == [event]
