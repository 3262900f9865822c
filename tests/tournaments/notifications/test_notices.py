"""Notices: who is told of what, once, and never what they may not see."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from activity.domain_events import DomainEvent, Readers
from activity.journal import publish
from bots.domain_events import CheckChanged, VersionSuspended
from bots.jobs.process import Process
from bots.models import BotVersion, Check
from bots.services import activate, hide
from tests.builders import clubs
from tests.builders import events as a
from tests.builders.leagues import play
from tournaments.domain_events.entries import LeftByLink, LineupGiven, LinksMade
from tournaments.domain_events.matches import ActUndone
from tournaments.domain_events.stages import StageSecretRenewed
from tournaments.domain_events.tournaments import RehearsalChanged, RoleGiven
from tournaments.entries.bots import enter_bot
from tournaments.events.create import create_tournament
from tournaments.floor import announcements
from tournaments.matches.play import events_of as playing_notes
from tournaments.models import CursorPlace, Follow, Match, Notice, Role, Round, Seat, Tournament
from tournaments.notifications import consumer as noticing
from tournaments.notifications import lines
from tournaments.notifications.follow import follow
from tournaments.notifications.seen import notices_of, who_may_know
from tournaments.progress.corrections.results import correct_result, preview_correction
from tournaments.progress.draws import swaps
from tournaments.progress.run import cancel_tournament, open_registration, publish_tournament, start_tournament
from tournaments.progress.undo import last_undoable, undo
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def begun(db: None) -> None:
    """The reader of the outbox has begun: it reads what is told from now on."""
    noticing.notice_news()


def told(user: User) -> list[str]:
    """Return the notices somebody may see, oldest first."""
    noticing.notice_news()
    return [row.what for row in notices_of(user).order_by("id")]


def words(user: User) -> list[str]:
    """The same in words."""
    noticing.notice_news()
    return [line.text for line in lines.lines_of(lines.with_all(notices_of(user).order_by("id")))]


def playing(event: Tournament, name: str) -> User:
    """An account that says that it is this person of the event."""
    user = a.a_user()
    player = clubs.person(event, name).player
    player.user = user
    player.save()
    return user


def follower_of(**thing: object) -> User:
    """Return somebody who follows it from now on: earlier notices are read already."""
    noticing.notice_news()
    user = a.a_user()
    follow(user=user, **thing)  # type: ignore[arg-type]  # a test's own words
    return user


def enter_result(match: Match, *points: int) -> None:
    """A scorer enters what a table made."""
    by = match.stage.tournament.created_by
    submit_result(match=match, actor=Actor(user=by), claim=clubs.totals(*points))


@pytest.mark.thorough
def test_a_follower_hears_of_an_event_from_its_announcement_to_its_end() -> None:
    by = a.a_user()
    fan, author = follower_of(person=by), a.a_user()
    event = create_tournament(by=by, plan=a.a_plan(name="Plum league"))
    follower = follower_of(tournament=event)
    publish_tournament(tournament=event, by=by)
    open_registration(tournament=event, by=by)
    assert told(fan) == ["announced"]
    enter_bot(tournament=event, bot=a.a_bot(author, name="Plum"), by=author)
    enter_bot(tournament=event, bot=(other := a.a_bot()), by=other.owner)
    start_tournament(tournament=event, by=by)
    announcements.announce(tournament=event, by=by, text="Tea is ready.")
    cancel_tournament(tournament=event, by=by, reason="It rains.")
    assert told(follower) == ["announced", "opened", "started", "published", "said", "cancelled"]
    assert told(fan) == ["announced"]
    assert told(author) == ["started", "said", "cancelled"]
    assert words(follower)[-2:] == ["Plum league: “Tea is ready.”", "Plum league is cancelled: It rains."]
    assert told(a.a_user()) == []


@pytest.mark.thorough
def test_a_table_concerns_who_sits_there_and_who_follows_them_and_the_round_everybody_else() -> None:
    event = clubs.a_club_night()
    aiko, fan_of_event = playing(event, "Aiko"), follower_of(tournament=event)
    fan_of_ben, fan_of_aiko = follower_of(player=clubs.person(event, "Ben").player), follower_of(person=aiko)
    start_tournament(tournament=event, by=event.created_by)
    tables = {
        name: seat.match for seat in Seat.objects.filter(match__stage__tournament=event) for name in [str(seat.entry)]
    }
    assert words(aiko)[-1].startswith(f"Club night, round 1: you sit at table {tables['Aiko'].table_no} (")
    assert words(fan_of_aiko) == [words(aiko)[-1].replace("you sit", "Aiko sits")]
    assert words(fan_of_ben)[0].startswith(f"Club night, round 1: Ben sits at table {tables['Ben'].table_no} (")
    assert words(fan_of_event)[-1] == "Club night: round 1 is published."
    assert Notice.objects.get(reader=aiko, kind="table").match == tables["Aiko"]


@pytest.mark.slow
def test_a_result_is_told_corrected_and_taken_back_to_those_who_look_there() -> None:
    event = clubs.a_called_night()
    first, second = clubs.tables_of(event)[:2]
    fan = follower_of(match=first)
    stranger = follower_of(match=second)
    enter_result(first, 130, 110)
    assert told(fan) == ["confirmed"]
    assert "130" in words(fan)[0]
    correction = preview_correction(match=first, by=event.created_by, claim=clubs.totals(110, 130))
    correct_result(
        match=first, by=event.created_by, claim=clubs.totals(110, 130), reason="Swapped.", seen=correction.hash
    )
    assert told(fan) == ["confirmed", "corrected"]
    assert told(stranger) == []


@pytest.mark.thorough
def test_what_is_undone_is_told_to_whoever_was_told_the_result() -> None:
    event = clubs.a_called_night()
    table = clubs.tables_of(event)[0]
    fan, late = follower_of(match=table), a.a_user()
    enter_result(table, 130, 110)
    assert told(fan) == ["confirmed"]
    follow(user=late, match=table)
    found = last_undoable(event)
    assert found is not None
    undo(tournament=event, by=event.created_by, seen=found.id)
    assert told(fan) == ["confirmed", "undone"]
    assert told(late) == []


@pytest.mark.thorough
def test_who_changes_places_hears_where_they_sit_now() -> None:
    event = clubs.a_club_night()
    aiko, ben = playing(event, "Aiko"), playing(event, "Ben")
    start_tournament(tournament=event, by=event.created_by)
    before = [told(each).count("seated") for each in (aiko, ben)]
    drawn = clubs.round_of(event, 1)
    seats = {str(seat.entry): seat for seat in Seat.objects.filter(match__round=drawn)}
    other = next(name for name in clubs.NAMES[2:6] if seats[name].match_id != seats["Aiko"].match_id)
    one, two = (str(clubs.person(event, name).uuid) for name in ("Aiko", other))
    found = swaps.preview_swap(round_row=drawn, by=event.created_by, one=one, other=two)
    swaps.swap_places(round_row=drawn, by=event.created_by, one=one, other=two, seen=found.hash)
    assert before == [1, 1]
    assert told(aiko)[-1] == "reseated"
    now = Seat.objects.get(match__round=drawn, entry__player__name="Aiko").match.table_no
    assert f"The draw was changed. Club night, round 1: you sit at table {now} (" in words(aiko)[-1]


def test_an_author_hears_of_checks_benches_and_forfeits_of_their_own_bots_alone() -> None:
    bot = a.a_bot(name="Plum")
    rival = follower_of(bot=bot)
    version = bot.versions.get()
    with transaction.atomic():
        publish(CheckChanged(f"b:{bot.slug}", n=1, state="done"))
    BotVersion.objects.filter(pk=version.pk).update(benched_at=version.created_at, bench_reason="3 forfeited")
    with transaction.atomic():
        publish(VersionSuspended(f"b:{bot.slug}", n=1))
    assert words(bot.owner) == ["Plum v1 passed its check.", "Plum v1 is suspended: 3 forfeited"]
    assert told(rival) == []
    assert Check.objects.filter(version=version).exists()


@pytest.mark.thorough
def test_who_runs_an_event_hears_of_its_held_matches_once_an_hour_and_an_author_of_a_held_check() -> None:
    event = a.a_running_event(bots=4)
    fan = follower_of(tournament=event)
    one, other, third = Match.objects.order_by("pk")[:3]

    def hold(match: Match, state: str) -> None:
        with transaction.atomic():
            publish(*playing_notes(match, state))

    hold(third, "queued")
    hold(one, "quarantined")
    hold(other, "quarantined")
    said = "Plum league: a match is held for review. Have it played again, or cancel it."
    assert words(event.created_by) == [said]
    assert lines.path_of(notices_of(event.created_by).get()) == f"/t/{event.slug}/"
    assert told(fan) == []
    bot = a.a_bot(name="Plum", ready=False)
    with transaction.atomic():
        publish(CheckChanged(f"b:{bot.slug}", n=1, state="quarantined"))
    assert words(bot.owner) == [
        ("The check of Plum v1 is on hold: something failed on our side. Have it checked again.")
    ]


@pytest.mark.thorough
def test_followers_of_a_bot_hear_of_versions_and_entries_but_not_of_hidden_ones_or_unlisted_events() -> None:
    bot = a.a_bot(name="Plum")
    fan = follower_of(bot=bot)
    second = a.a_version(bot)
    activate(version=second, by=bot.owner)
    assert words(fan) == ["Plum plays with version 2 now."]
    activate(version=bot.versions.get(n=1), by=bot.owner)
    hide(version=second, by=bot.owner)
    assert words(fan) == ["Plum plays with version 1 now."]
    unlisted = a.an_open_event(visibility="unlisted")
    enter_bot(tournament=unlisted, bot=bot, by=bot.owner)
    assert words(fan) == ["Plum plays with version 1 now."]
    enter_bot(tournament=a.an_open_event(name="Open cup"), bot=bot, by=bot.owner)
    assert words(fan)[-1] == "Plum is entered in Open cup."


def test_nobody_hears_of_a_private_event_or_a_draft_but_those_who_may_open_it() -> None:
    event = a.an_open_event(visibility="private", name="Among ourselves")
    stranger, organiser = a.a_user(), event.created_by
    Follow.objects.bulk_create([Follow(user=user, tournament=event) for user in (stranger, organiser)])
    author = a.a_bot().owner
    enter_bot(tournament=event, bot=author.bots.get(), by=author)
    announcements.announce(tournament=event, by=organiser, text="Sealed.")
    assert told(stranger) == []
    assert told(organiser)[-1] == told(author)[-1] == "said"
    assert not Notice.objects.filter(reader=stranger).exists()


def test_what_became_private_a_draft_or_hidden_since_is_shown_no_more() -> None:
    event = a.an_open_event()
    fan = follower_of(tournament=event)
    announcements.announce(tournament=event, by=event.created_by, text="Tea.")
    assert told(fan) == ["said"]
    for hidden in ({"visibility": "private"}, {"visibility": "public", "state": Tournament.State.DRAFT}):
        Tournament.objects.filter(pk=event.pk).update(**hidden)
        assert told(fan) == []


@pytest.mark.thorough
def test_a_round_that_is_taken_back_and_an_announcement_that_is_withdrawn_tell_nothing_more() -> None:
    event = clubs.a_club_night()
    fan = follower_of(player=clubs.person(event, "Ben").player)
    follow(user=fan, tournament=event)
    start_tournament(tournament=event, by=event.created_by)
    said = announcements.announce(tournament=event, by=event.created_by, text="peony-in-the-rain")
    assert told(fan) == ["started", "seated", "said"]
    announcements.withdraw_announcement(tournament=event, by=event.created_by, number=said.number)
    assert "peony" not in " ".join(words(fan))
    Round.objects.filter(stage__tournament=event).update(state=Round.State.DRAFT)
    assert told(fan) == ["started", "said"]
    Round.objects.filter(stage__tournament=event).update(state=Round.State.PUBLISHED)
    assert told(fan) == ["started", "seated", "said"]


def test_topics_of_line_ups_links_and_roles_mean_nothing_to_anybody() -> None:
    secret: set[type[DomainEvent]] = {
        LineupGiven,
        LinksMade,
        RoleGiven,
        StageSecretRenewed,
        RehearsalChanged,
    }
    assert [each for each in secret if each.notification is not None or each.webhook_types] == []
    of_organisers = LeftByLink.notification
    assert of_organisers is not None
    assert (of_organisers.readers, LeftByLink.webhook_types) == (Readers.ORGANISERS, ())


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("visibility", ["public", "unlisted", "private"])
@pytest.mark.parametrize("state", ["draft", "registration"])
def test_who_is_told_is_who_may_see_it(visibility: str, state: str) -> None:
    event = a.an_open_event(visibility=visibility)
    author = a.a_bot().owner
    enter_bot(tournament=event, bot=author.bots.get(), by=author)
    scorer = a.a_user()
    Role.objects.create(user=scorer, tournament=event, role=Role.Kind.SCORER)
    Tournament.objects.filter(pk=event.pk).update(state=state)
    event.refresh_from_db()
    people = [a.a_user(), author, scorer, event.created_by]
    for via in ("event", "person"):
        for user in people:
            Notice.objects.create(
                reader=user, source=via, kind="event", what="opened", via=via, tournament=event, at=event.created_at
            )
        allowed = who_may_know(event, [user.pk for user in people], indirect=via == "person")
        assert allowed == {user.pk for user in people if notices_of(user).filter(source=via).exists()}, via


def test_the_same_row_read_twice_tells_once_and_a_broken_one_holds_up_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    event = a.an_open_event()
    fan = follower_of(tournament=event)
    with transaction.atomic():
        publish(ActUndone(event.channel, act="enter", matches=["m:no uuid"]))
    announcements.announce(tournament=event, by=event.created_by, text="Tea.")
    assert told(fan) == ["said"]
    assert "outbox.stuck" in caplog.text
    caplog.clear()
    CursorPlace.objects.filter(cursor__name="notices", channel=event.channel).update(version=2)
    assert sorted(told(fan)) == ["opened", "said"]
    assert Notice.objects.filter(reader=fan, what="said").count() == 1
    caplog.clear()


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_tell_everybody_once(redis_url: str) -> None:
    event = a.an_open_event()
    fans = [follower_of(tournament=event) for _ in range(3)]
    for number in range(5):
        announcements.announce(tournament=event, by=event.created_by, text=f"Tea {number}.")

    def work(_n: int) -> int:
        try:
            return noticing.notice_news()
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        read = list(pool.map(work, range(2)))
    assert sum(read) >= 5
    assert {fan.pk: Notice.objects.filter(reader=fan, what="said").count() for fan in fans} == {
        fan.pk: 5 for fan in fans
    }


@pytest.mark.thorough
def test_one_fact_takes_as_many_queries_for_many_readers_as_for_few() -> None:
    needed = []
    for readers in (3, 300):
        event = a.an_open_event()
        users = User.objects.bulk_create(User(username=f"fan{readers}-{n}") for n in range(readers))
        Follow.objects.bulk_create(Follow(user=user, tournament=event) for user in users)
        announcements.announce(tournament=event, by=event.created_by, text="Tea.")
        with CaptureQueriesContext(connection) as seen:
            noticing.notice_news()
        needed.append(len(seen))
    # Three facts: that it is there, that it opens, the announcement. 14 each at most.
    assert needed[1] <= needed[0] <= 42, needed
    assert Notice.objects.filter(what="said").count() == 303


@pytest.mark.thorough
def test_alike_failures_make_one_notice(player: Process) -> None:
    crashing, calm = a.a_bot(name="Crasher", source=a.CRASHES), [a.a_bot(name=name) for name in ("Kiri", "Pine")]
    event = a.an_open_event()
    a.entered(event, [crashing, *calm])
    start_tournament(tournament=event, by=event.created_by)
    play(player)
    assert Seat.objects.filter(outcome=Seat.Outcome.FORFEIT).count() > 1
    assert told(crashing.owner).count("forfeit") == 1
