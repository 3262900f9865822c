"""Closing of entries at an hour: then every page says so; the organiser may move it until the start."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from bots.models import AuditEvent
from bots.services.activating import activate
from bots.templatetags.hanami import state
from core.errors import TournamentError
from tests.builders import events as a
from tests.builders.clubs import a_club_night
from tests.builders.keys import Caller, problem
from tests.tournaments.pages.floor.test_desk import as_one
from tournaments.entries.bots import enter_bot
from tournaments.models import Tournament
from tournaments.progress import undo
from tournaments.progress.draws.starters import pin_closed_entries
from tournaments.progress.run import open_registration, start_tournament

pytestmark = pytest.mark.django_db
EVENING = datetime(2029, 7, 1, 16, tzinfo=UTC)
CHIP = "</svg>entries closed</span>"


def closed(event: Tournament, *, ago: timedelta = timedelta(minutes=1)) -> Tournament:
    """Its hour has come."""
    Tournament.objects.filter(pk=event.pk).update(entries_close_at=timezone.now() - ago)
    event.refresh_from_db()
    return event


@pytest.mark.thorough
def test_every_page_that_says_its_state_says_that_entries_are_closed() -> None:
    event = a.an_open_event(time_zone="Europe/Paris")
    bot = a.a_bot()
    enter_bot(tournament=event, bot=bot, by=bot.owner)
    paths = ["/", "/t/", "/t/?when=soon", f"/b/{bot.slug}/events/", f"/u/{bot.owner.username}/"]
    paths += [f"/t/{event.slug}/{part}" for part in ("", "entries/", "rounds/", "standings/", "feed/")]
    reader = Client()
    for path in paths:
        assert "</svg>open</span>" in reader.get(path).content.decode(), path
    closed(event)
    for path in paths:
        text = reader.get(path).content.decode()
        assert CHIP in text, path
        assert "</svg>open</span>" not in text, path
    assert "Entries closed" in reader.get(f"/t/{event.slug}/entries/").content.decode()
    assert event.get_state_display() == "entries closed"


def test_its_live_part_is_no_longer_the_one_that_a_reader_has() -> None:
    event, reader = a.an_open_event(), Client()
    first = reader.get(f"/t/{event.slug}/", headers={"X-Fragment": "true"})
    same = reader.get(f"/t/{event.slug}/", headers={"X-Fragment": "true", "If-None-Match": first["ETag"]})
    assert same.status_code == 304
    closed(event)
    answer = reader.get(f"/t/{event.slug}/", headers={"X-Fragment": "true", "If-None-Match": first["ETag"]})
    assert answer.status_code == 200
    assert CHIP in answer.content.decode()


def test_states_before_and_after_keep_their_words() -> None:
    gone = timezone.now() - timedelta(days=1)
    for value, word in (
        ("draft", "draft"),
        ("published", "announced"),
        ("running", "running"),
        ("finished", "finished"),
    ):
        event = Tournament(state=value, entries_close_at=gone)
        assert f"</svg>{word}</span>" in state(event)
        assert event.get_state_display() == word
    assert CHIP in state(Tournament(state="registration", entries_close_at=gone))
    assert CHIP not in state(Tournament(state="registration", entries_close_at=timezone.now() + timedelta(hours=1)))
    assert CHIP not in state(Tournament(state="registration"))


def test_the_organiser_moves_the_hour_in_the_zone_of_the_event_and_entries_are_open_again() -> None:
    event = closed(a.an_open_event(time_zone="Europe/Paris"))
    owner, here = as_one(event.created_by), f"/t/{event.slug}/details/"
    assert f'{here}#id_entries_close_at"' in owner.get(f"/t/{event.slug}/").content.decode()
    assert here not in Client().get(f"/t/{event.slug}/").content.decode()
    said = {"name": event.name, "entries_close_at": "2029-07-01T18:00"}
    assert owner.post(here, said).status_code == 302
    event.refresh_from_db()
    assert (event.entries_close_at, event.has_open_entries) == (EVENING, True)
    page = Client().get(f"/t/{event.slug}/").content.decode()
    assert CHIP not in page
    assert "1 Jul 2029 18:00\N{NO-BREAK SPACE}CEST" in page
    assert 'value="2029-07-01T18:00"' in owner.get(here).content.decode()
    row = AuditEvent.objects.get(verb="tournament.edit")
    assert row.actor == event.created_by
    assert {name: datetime.fromisoformat(at) for name, at in row.after.items()} == {"entries_close_at": EVENING}
    bot = a.a_bot()
    assert enter_bot(tournament=event, bot=bot, by=bot.owner).state == "entered"


def test_it_is_undone_as_other_settings_are() -> None:
    event = closed(a.an_open_event())
    before = event.entries_close_at
    as_one(event.created_by).post(f"/t/{event.slug}/details/", {"name": event.name, "entries_close_at": ""})
    event.refresh_from_db()
    assert event.entries_close_at is None
    seen = undo.last_undoable(event)
    assert seen is not None
    undo.undo(tournament=event, by=event.created_by, seen=seen.id)
    event.refresh_from_db()
    assert (event.entries_close_at, event.has_closed_entries) == (before, True)


def test_versions_that_were_pinned_at_the_close_are_free_until_the_next_one() -> None:
    event, bot = a.an_open_event(), a.a_bot()
    entry = enter_bot(tournament=event, bot=bot, by=bot.owner)
    closed(event)
    assert pin_closed_entries() == 1
    caller = Caller(event.created_by, "event:write")
    later = {"entries_close_at": "2029-07-01T16:00:00Z"}
    assert caller.patch(f"/api/v1/tournaments/{event.slug}", later).status_code == 200
    entry.refresh_from_db()
    assert entry.bot_version is None
    newer = a.a_version(bot)
    activate(version=newer, by=bot.owner)
    closed(event)
    assert pin_closed_entries() == 1
    entry.refresh_from_db()
    assert entry.bot_version == newer


def test_what_was_left_as_it_was_stays_to_the_second_also_when_it_is_gone() -> None:
    event = a.an_open_event(time_zone="Europe/Paris", starts_at=EVENING + timedelta(seconds=42))
    closed(event, ago=timedelta(days=1))
    before, starts = event.entries_close_at, event.starts_at
    owner, here = as_one(event.created_by), f"/t/{event.slug}/details/"
    shown = {name: owner.get(here).context["form"][name].value() for name in ("starts_at", "entries_close_at")}
    said = {name: value.strftime("%Y-%m-%dT%H:%M") for name, value in shown.items()}
    assert owner.post(here, {"name": "Another name", **said}).status_code == 302
    event.refresh_from_db()
    assert (event.name, event.entries_close_at, event.starts_at) == ("Another name", before, starts)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("typed", ["2020-01-01T10:00", "2060-01-01T10:00", "soon", "2029-03-25T02:30"])
def test_an_hour_that_cannot_be_is_refused_beside_its_field(typed: str) -> None:
    event = a.an_open_event(time_zone="Europe/Paris")
    owner, here = as_one(event.created_by), f"/t/{event.slug}/details/"
    answer = owner.post(here, {"name": event.name, "entries_close_at": typed})
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == ["entries_close_at"]
    assert f'value="{typed}"' in answer.content.decode()
    event.refresh_from_db()
    assert event.entries_close_at is None


@pytest.mark.thorough
def test_once_it_runs_nobody_moves_it_and_a_stranger_never() -> None:
    event, bots = a.an_open_event(), [a.a_bot(), a.a_bot()]
    a.entered(event, bots)
    start_tournament(tournament=event, by=event.created_by)
    owner, here = as_one(event.created_by), f"/t/{event.slug}/details/"
    assert "entries_close_at" not in owner.get(here).content.decode()
    assert "when entries close" not in owner.get(f"/t/{event.slug}/").content.decode()
    assert owner.post(here, {"name": event.name, "entries_close_at": "2029-07-01T18:00"}).status_code == 302
    event.refresh_from_db()
    assert event.entries_close_at is None
    caller = Caller(event.created_by, "event:write")
    answer = caller.patch(f"/api/v1/tournaments/{event.slug}", {"entries_close_at": "2029-07-01T16:00:00Z"})
    assert problem(answer)[1] == "tournament.wrong_state"
    other = a_club_night()
    assert as_one(a.a_user()).post(f"/t/{other.slug}/details/", {"name": "x"}).status_code == 404


def test_opening_twice_after_the_close_says_what_it_is() -> None:
    event = closed(a.an_open_event())
    with pytest.raises(TournamentError, match="already open"):
        open_registration(tournament=event, by=event.created_by)
