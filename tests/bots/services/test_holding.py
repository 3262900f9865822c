"""Held matches and checks: noted for the organiser, told in plain words, played again or cancelled once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from bots import selectors
from bots.errors import BotError
from bots.jobs import checks, claims
from bots.models import AuditEvent, BotVersion, Check
from bots.selectors.benching import suspended_of, suspension_lines
from bots.selectors.faults import WORDS, attempts_of, words_for
from bots.services import activate, hide, retry_check, upload_version
from tests.builders import events as a
from tests.services.forging import forge
from tests.tournaments.events.test_services import refused
from tournaments.events.log import feed_lines, feed_of
from tournaments.matches import play
from tournaments.models import Match, Role
from tournaments.notifications.queries import notices_for
from tournaments.operations.quarantine import retry_match, ruling, void_match

pytestmark = pytest.mark.django_db
RAW = "OperationalError: could not connect to /var/run/postgresql on host db-7"


def held_match(reason: str = RAW, *, hold: bool = True) -> Match:
    """A match of a running event that a worker gave up."""
    a.a_running_event()
    worker = a.a_worker("worker@host/1")
    rows = play.in_full(Match.objects.all())
    batch = claims.claim(play.queue(), rows=rows, worker=worker, limit=1, on_claim=lambda _rows: None)
    claims.put_back(batch.rows[0], worker=worker.name, reason=reason, is_fault=True, quarantine=hold)
    return Match.objects.select_related("stage__tournament").get()


def test_a_held_match_stands_in_the_log_of_its_event_without_our_insides() -> None:
    match = held_match()
    event = AuditEvent.objects.get(verb="match.quarantine")
    assert (event.subject, event.channel) == (f"match:{match.uuid}", match.stage.tournament.channel)
    line = next(line for line in feed_lines(list(feed_of(match.stage.tournament))) if line.match == str(match.uuid))
    assert (line.what, line.about) == ("held a match for review", "round 1, table 1, The database did not answer.")
    assert "postgresql" not in str(event.after)


def test_a_match_that_goes_back_to_the_queue_is_not_in_the_log() -> None:
    assert held_match(hold=False).state == "queued"
    assert not AuditEvent.objects.filter(verb="match.quarantine").exists()


def test_attempts_are_in_plain_words_and_raw_for_operators_alone() -> None:
    match = held_match()
    for viewer in (None, a.a_user(), match.stage.tournament.created_by):
        (line,) = attempts_of(match, viewer)
        assert (line.attempt, line.worker, line.words, line.raw) == (
            1,
            "worker@host/1",
            "The database did not answer.",
            None,
        )
    (line,) = attempts_of(match, a.a_user(is_staff=True))
    assert line.raw == RAW


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("worker.lost: its lease ran out", "We lost the worker that played this match."),
        ("sandbox.something: new", "The sandbox did not work."),
        ("engine.record.sum: deal 3", "The rules contradicted themselves: another attempt may not help."),
        ("OSError: [Errno 28] No space left on device", "The machine failed: its disk, its files or its network."),
        ("BrokenPipeError: x", "Something failed on our side."),
        ("ConnectionError: x", "The machine failed: its disk, its files or its network."),
        ("nobody knows", "Something failed on our side."),
        ("", ""),
    ],
)
def test_every_reason_has_words(reason: str, words: str) -> None:
    assert words_for(reason) == words


def test_a_word_for_every_code_that_the_runner_raises() -> None:
    codes = {"sandbox.refused", "sandbox.kill", "sandbox.zygote", "sandbox.launch", "sandbox.lock", "sandbox.killed"}
    assert codes | {"worker.lost", "worker.stopped", "timeout.wall", "table.replay_mismatch"} <= WORDS.keys()


def test_organisers_and_operators_retry_and_only_organisers_void() -> None:
    match = held_match()
    director, operator, stranger = a.a_user(), a.a_user(is_staff=True), a.a_user()
    Role.objects.create(user=director, tournament=match.stage.tournament, role=Role.Kind.DIRECTOR)
    found = [ruling(match, person) for person in (director, operator, stranger, None)]
    assert [(each.retry, each.void) for each in found] == [(True, True), (True, False), (False, False), (False, False)]
    refused("tournament.not_organiser", lambda: void_match(match=match, by=operator, reason="no"))
    refused("tournament.not_organiser", lambda: retry_match(match=match, by=stranger))
    before = match.priority
    retry_match(match=match, by=operator)
    assert (match.state, match.faults, match.priority, len(match.history)) == ("queued", 0, before, 1)
    told = AuditEvent.objects.get(verb="match.retry")
    assert (told.actor, told.before, told.after) == (operator, {"state": "quarantined"}, {"state": "queued"})
    refused("match.already_queued", lambda: retry_match(match=match, by=director))
    assert ruling(match, director) == ruling(match, None)


def test_who_runs_an_event_is_told_how_many_matches_wait() -> None:
    match = held_match()
    organiser = match.stage.tournament.created_by
    Role.objects.create(user=organiser, tournament=match.stage.tournament, role=Role.Kind.DIRECTOR)
    found = notices_for(organiser)
    assert [(line.name, line.n) for line in found.quarantined] == [("Plum league", 1)]
    assert found.quarantined_n == 1
    assert notices_for(a.a_user()).quarantined_n == 0


def held_check() -> Check:
    version = upload_version(owner=a.a_user(), filename="bot.py", data=a.FIRST, name="Plum")
    Check.objects.filter(version=version).update(state="quarantined", faults=4, suspects=[0])
    return Check.objects.select_related("version__bot__owner").get()


def code_of(check: Check, **by: object) -> str:
    with pytest.raises(BotError) as caught:
        retry_check(check=check, **by)  # type: ignore[arg-type]  # a test's own words
    return caught.value.code


def test_a_held_check_is_played_again_once_by_its_owner_or_an_operator() -> None:
    check = held_check()
    owner, operator = check.version.bot.owner, a.a_user(is_staff=True)
    assert code_of(check, by=a.a_user()) == "bot.not_owner"
    for _click in range(2):
        retry_check(check=check, by=operator)
    assert (check.state, check.faults, check.suspects) == ("queued", 0, [])
    assert AuditEvent.objects.filter(verb="check.retry", actor=operator).count() == 1
    for _try in range(3):
        Check.objects.update(state="quarantined")
        retry_check(check=check, by=owner)
    Check.objects.update(state="quarantined")
    assert code_of(check, by=owner) == "check.retry_daily"
    forge(AuditEvent.objects.filter(actor=owner), at=timezone.now() - timedelta(days=2))
    retry_check(check=check, by=owner)
    assert check.state == "queued"


def test_the_same_file_again_is_a_try_of_the_same_kind() -> None:
    check = held_check()
    owner = check.version.bot.owner
    assert upload_version(owner=owner, filename="bot.py", data=a.FIRST, bot=check.version.bot) == check.version
    assert AuditEvent.objects.get(verb="check.retry").actor == owner


def test_what_was_hidden_while_its_check_was_held_is_not_activated_by_it() -> None:
    check = held_check()
    version, owner = check.version, check.version.bot.owner
    hide(version=version, by=owner)
    retry_check(check=check, by=owner)
    claims.claim(
        Check.objects.all(), rows=Check.objects.all(), worker=a.a_worker(), limit=1, on_claim=lambda _rows: None
    )
    checks.record(Check.objects.select_related("version__bot").get(), [])
    version.refresh_from_db()
    assert (version.state, version.bot.active_version) == ("ready", None)


def benched_version() -> BotVersion:
    bot = a.a_bot()
    BotVersion.objects.filter(bot=bot).update(benched_at=timezone.now(), forfeits_in_a_row=3, bench_reason="x")
    return BotVersion.objects.select_related("bot__owner").get(bot=bot)


def test_an_owner_is_told_of_a_bench_and_when_it_may_end() -> None:
    version = benched_version()
    (line,) = suspended_of(version.bot.owner)
    assert (line.version, line.why, line.returns_at) == (version, "3 forfeited matches in a row", None)
    assert suspended_of(a.a_user()) == []
    activate(version=version, by=version.bot.owner)
    assert suspended_of(version.bot.owner) == []
    BotVersion.objects.update(benched_at=timezone.now(), forfeits_in_a_row=4)
    (line,) = suspended_of(version.bot.owner)
    came_back = AuditEvent.objects.get(verb="version.unbench").at
    assert (line.why, line.returns_at) == ("4 forfeited matches in a row", came_back + timedelta(days=1))
    with pytest.raises(BotError) as caught:
        activate(version=BotVersion.objects.get(), by=version.bot.owner)
    assert caught.value.code == "version.bench_daily"


def test_another_version_takes_over_from_a_benched_one() -> None:
    version = benched_version()
    other = a.a_version(version.bot)
    activate(version=other, by=version.bot.owner)
    assert suspended_of(version.bot.owner) == []
    assert suspension_lines(selectors.versions_of(version.bot, None))[0].version == version
