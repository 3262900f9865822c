"""Announcements: said once, read by everybody, withdrawn, kept in the log."""

from __future__ import annotations

import pytest

from bots.models import AuditEvent, Channel
from tests.builders.clubs import a_called_night
from tests.tournaments.progress.test_people import refused, with_role
from tournaments.events.log import feed_lines, feed_of
from tournaments.floor.announcements import MAX_LENGTH, MAXIMUM, announce, withdraw_announcement
from tournaments.lifecycle.floor_settings import announcements_of
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]


def texts(event: Tournament) -> list[str]:
    """Return the announcements on the board."""
    event.refresh_from_db()
    return [each.text for each in announcements_of(event)]


def test_it_is_said_heard_withdrawn_and_kept_in_the_log() -> None:
    event = a_called_night()
    by = event.created_by
    before = Channel.objects.get(name=event.channel).version
    first = announce(tournament=event, by=by, text="  Dinner at\n seven. ")
    second = announce(tournament=event, by=by, text="<b>Round 2</b> begins late.")
    assert (first.text, first.number, second.number) == ("Dinner at seven.", 1, 2)
    assert texts(event) == ["<b>Round 2</b> begins late.", "Dinner at seven."]
    assert Channel.objects.get(name=event.channel).version == before + 2
    withdraw_announcement(tournament=event, by=by, number=1)
    assert texts(event) == ["<b>Round 2</b> begins late."]
    with refused("announcement.already_withdrawn"):
        withdraw_announcement(tournament=event, by=by, number=1)
    assert announce(tournament=event, by=by, text="Dinner at eight.").number == 3
    lines = feed_lines(list(feed_of(event)[:4]))
    assert [line.about for line in lines][1:] == ["Dinner at seven.", "<b>Round 2</b> begins late.", "Dinner at seven."]
    assert "announcement." not in " ".join(line.what for line in lines)


def test_what_cannot_be_said() -> None:
    event = a_called_night()
    by = event.created_by
    for text, code in (("", "empty"), (" \n", "empty"), ("x" * (MAX_LENGTH + 1), "too_long"), ("a\x00b", "empty")):
        with refused(f"announcement.{code}"):
            announce(tournament=event, by=by, text=text)
    for number in range(MAXIMUM):
        announce(tournament=event, by=by, text=f"Word {number}")
    with refused("announcement.already_said"):
        announce(tournament=event, by=by, text="Word  0")
    with refused("announcement.too_many"):
        announce(tournament=event, by=by, text="One more")
    for role in ("scorer", "arbiter"):
        with refused("tournament.not_organiser"):
            announce(tournament=event, by=with_role(event, role), text="I say")
        with refused("tournament.not_organiser"):
            withdraw_announcement(tournament=event, by=with_role(event, role), number=1)
    Tournament.objects.filter(pk=event.pk).update(state="archived")
    with refused("announcement.event_over"):
        announce(tournament=event, by=by, text="Too late")
    assert AuditEvent.objects.filter(verb="announcement.make").count() == MAXIMUM
