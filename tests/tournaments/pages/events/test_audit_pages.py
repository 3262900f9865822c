"""The audit pages: who finds them and what they say."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from activity.domain_events import every_class
from activity.journal import audit
from bots.models import AuditEvent
from bots.services import upload_version
from tests.builders import events as a
from tests.builders.clubs import a_called_night, tables_of, totals
from tournaments.domain_events.matches import MatchConfirmed, MatchRetried
from tournaments.domain_events.stages import RoundLocked
from tournaments.domain_events.tournaments import TournamentPaused
from tournaments.events.log import FeedLine, feed_lines, feed_of
from tournaments.events.log_blocks import blocks_of
from tournaments.lifecycle.transitions import TRANSITIONS
from tournaments.matches.report_bodies import Claim
from tournaments.models import Role, Stage
from tournaments.operations.audit import Change, audit_lines
from tournaments.progress.run import pause_tournament
from tournaments.scores.actions import Actor, dispute_result, submit_result

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]


# Of these nothing is shown, or they stand in the log by their verb.
WITHOUT_WORDS = {
    "calendar.close", "calendar.open", "check.change", "check.quarantine", "entry.claim", "entry.release",
    "hook.change", "hook.delete", "hook.end_secret", "hook.make", "hook.off", "hook.on", "hook.rotate",
    "match.change", "match.extra_dispute", "match.extra_report", "match.undo", "push.end", "push.subscribe",
    "live_program.news", "live_table.changed", "live_table.turn", "push.unsubscribe",
    "queue.change", "rating.change", "rehearsal.change", "standings.change",
}  # fmt: skip


def test_every_act_has_words() -> None:
    assert {each.topic for each in every_class() if not each.words} == WITHOUT_WORDS
    assert all(each.event.words for found in TRANSITIONS.values() for each in found)


@pytest.mark.thorough
def test_an_event_s_audit_is_for_its_organisers_and_operators(as_user: Become) -> None:
    event = a.a_running_event()
    pause_tournament(tournament=event, by=event.created_by)
    director, scorer = a.a_user(), a.a_user()
    Role.objects.create(user=director, tournament=event, role="director")
    Role.objects.create(user=scorer, tournament=event, role="scorer")
    path = f"/t/{event.slug}/audit/"
    for reader in (event.created_by, director, a.a_user(is_staff=True)):
        page = as_user(reader).get(path).content.decode()
        assert "paused the event" in page
        assert "running → paused" in page
        assert event.created_by.username in page
    for stranger in (scorer, a.a_user()):
        assert as_user(stranger).get(path).status_code == 404
        assert path not in as_user(stranger).get(f"/t/{event.slug}/feed/").content.decode()
    assert as_user(None).get(path).status_code == 302
    assert path in as_user(director).get(f"/t/{event.slug}/feed/").content.decode()


def test_a_digest_is_short_and_a_round_s_states_are_those_of_its_page(as_user: Become) -> None:
    event = a.a_running_event()
    subject = f"tournament:{event.uuid}"
    audit(TournamentPaused, subject, actor=None, before={}, after={"standings": "0123456789abcdef" * 4})
    round_ = f"round:{event.stages.get().uuid}/1"
    audit(RoundLocked, round_, actor=None, before={"state": "complete"}, after={"state": "locked"})
    acts = list(AuditEvent.objects.filter(subject__in=(subject, round_)).order_by("-pk")[:2])
    locked, paused = audit_lines(acts, event.created_by)
    assert locked.changes == ()
    assert paused.changes == (Change("standings", "", "01234567…", "0123456789abcdef" * 4),)
    page = as_user(event.created_by).get(f"/t/{event.slug}/audit/").content.decode()
    digest = page.partition('<details class="sub digest">')[2].partition("</details>")[0]
    assert ">standings: 01234567…</summary>" in digest
    assert "0123456789abcdef" * 4 in digest


@pytest.mark.thorough
def test_log_and_audit_name_table_and_result_in_words(as_user: Become) -> None:
    event = a_called_night()
    match = tables_of(event)[1]
    submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(130, 110))
    first, second = match.seats.order_by("side").values_list("entry__player__name", flat=True)
    client = as_user(event.created_by)
    log = client.get(f"/t/{event.slug}/feed/").content.decode()
    # The heading above names the round.
    assert ">Round 1</h3>" in log
    assert "confirmed a result</a>: table 2" in log
    assert f'<span class="first">{first} 130</span> –\n<span>110 {second}</span>' in log
    assert "called a table</a>: table 2" in log
    assert log.count(">Round 1</h3>") == 1
    assert "<span>playing <time" in log
    assert "round play" not in log
    audit_page = client.get(f"/t/{event.slug}/audit/").content.decode()
    assert f"confirmed a result: {event.name}, round 1, table 2" in audit_page
    assert f"{first} 130 – {second} 110" in audit_page
    assert "[130, 110]" not in audit_page
    assert "match.accept" not in audit_page
    everything = as_user(a.a_user(is_staff=True)).get("/ops/audit/?verb=match.accept").content.decode()
    assert "match.accept" in everything


def test_a_bot_s_audit_is_for_its_owner_and_operators(as_user: Become) -> None:
    owner = a.a_user("kiri")
    version = upload_version(owner=owner, filename="bot.py", data=a.FIRST, name="Plum")
    a.a_running_event()
    path = f"/b/{version.bot.slug}/audit/"
    for reader in (owner, a.a_user(is_staff=True)):
        page = as_user(reader).get(path).content.decode()
        assert "created the bot: Plum" in page
        assert "uploaded: Plum v1" in page
        assert "started the event" not in page
    assert as_user(a.a_user()).get(path).status_code == 404
    assert as_user(owner).get("/b/none/audit/").status_code == 404


def test_operators_read_everything_and_narrow_it(as_user: Become) -> None:
    owner = a.a_user("kiri")
    upload_version(owner=owner, filename="bot.py", data=a.FIRST, name="Plum")
    a.a_running_event()
    audit(MatchConfirmed, f"match:{uuid4()}", actor=None)
    client = as_user(a.a_user(is_staff=True))
    assert "uploaded: Plum v1" in client.get("/ops/audit/").content.decode()
    mine = client.get("/ops/audit/?who=kiri").content.decode()
    assert "uploaded: Plum v1" in mine
    assert "tournament.start" not in mine
    alone = client.get("/ops/audit/?who=-&verb=match.").content.decode()
    assert "match.confirm" in alone
    assert "version.upload" not in alone
    assert as_user(owner).get("/ops/audit/").status_code == 404


@pytest.mark.thorough
def test_a_long_audit_is_paged_and_asks_the_database_little(as_user: Become) -> None:
    event = a.a_running_event(bots=4)
    match = a.matches_of(event)[0]
    for n in range(120):
        audit(MatchRetried, f"match:{match.uuid}", actor=event.created_by, channel=event.channel, after={"n": n})
    client = as_user(event.created_by)
    with CaptureQueriesContext(connection) as asked:
        page = client.get(f"/t/{event.slug}/audit/?page=2").content.decode()
    assert len(asked) <= 12, [each["sql"][:90] for each in asked]
    assert page.count("<tr>") <= 51
    assert "page=3" in page


def test_an_audit_says_its_day_once_and_yes_and_no_in_words(as_user: Become) -> None:
    event = a.a_running_event()
    before, after = {"is_on": False, "needs_approval": False}, {"is_on": True, "needs_approval": False}
    for _n in range(2):
        audit(
            TournamentPaused,
            f"tournament:{event.uuid}",
            actor=event.created_by,
            channel=event.channel,
            before=before,
            after=after,
        )
    page = as_user(event.created_by).get(f"/t/{event.slug}/audit/").content.decode()
    assert page.count('scope="rowgroup"') == 1
    assert '<nav class="rail"' in page, "an organiser's page like the others"
    assert f": {event.name}" not in page.split("<table")[1], "whose audit it is stands above"
    assert " ".join(page.split()).count("People can register themselves: </span> no → yes") == 2
    assert "I approve each registration" not in page, "what stays the same is no change"


def test_values_of_an_audit_are_text_and_short(as_user: Become) -> None:
    event = a.an_open_event()
    audit(TournamentPaused, f"tournament:{event.uuid}", actor=None, after={"reason": "<script>" + "x" * 500})
    page = as_user(event.created_by).get(f"/t/{event.slug}/audit/").content.decode()
    assert "&lt;script&gt;xxx" in page
    assert "x" * 130 not in page


@pytest.mark.thorough
def test_log_and_audit_name_the_side_that_reported_or_objected_by_phone(as_user: Become) -> None:
    event = a_called_night()
    match = tables_of(event)[0]
    submit_result(match=match, actor=Actor(side=0), claim=totals(130, 110))
    match.refresh_from_db()
    dispute_result(match=match, actor=Actor(side=1))
    first, second = match.seats.order_by("side").values_list("entry__player__name", flat=True)
    client = as_user(event.created_by)
    for path in ("feed", "audit"):
        page = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", client.get(f"/t/{event.slug}/{path}/").content.decode()))
        assert f"{first} reported a result" in page
        assert f"{second} disputed a result" in page
    assert "played the first match of a round: round 1" in page
    acts = client.get(f"/api/v1/tournaments/{event.slug}/feed").json()["items"]
    assert [(act["who"], act["by"]) for act in acts if act["verb"] == "match.dispute"] == [(second, None)]


def test_the_log_tells_what_decides_and_each_round_once_a_day() -> None:
    event = a_called_night(people=4, rounds=1, scoring="round_victory")
    match = tables_of(event)[0]
    submit_result(match=match, actor=Actor(user=event.created_by), claim=Claim(deals=((60, 0),)))
    (confirmed, *_older) = [line for line in feed_lines(list(feed_of(event))) if line.scores]
    assert [score.points for score in confirmed.scores] == ["1", "0"]
    page = re.sub(r"\s+", " ", Client().get(f"/t/{event.slug}/feed/").content.decode())
    one, other = confirmed.scores
    assert f">{one.name} 1</span> – <span>0 {other.name}<" in page
    assert f"{one.name} won" not in page

    def line(day: int, stage: str, number: int) -> FeedLine:
        act = AuditEvent(at=datetime(2027, 1, day, 12, tzinfo=UTC), subject="", after={})
        return FeedLine(act, "", "", round=number, of_round=f"{stage}/{number}" if number else "")

    lines = [line(2, "", 0), line(2, "b", 1), line(2, "a", 1), line(2, "b", 1), line(2, "", 0), line(2, "", 0)]
    lines += [line(2, "a", 1), line(1, "a", 1), line(1, "", 0)]
    assert [(block.round, len(block.lines)) for block in blocks_of(lines)] == [
        (0, 1), (1, 2), (1, 2), (0, 2), (1, 1), (0, 1),
    ]  # fmt: skip


def test_the_log_folds_what_says_the_same_and_tells_of_a_round_beside_its_heading() -> None:
    person = User(username="house")

    def line(verb: str, *, by: User | None = None, **fields: Any) -> FeedLine:
        act = AuditEvent(at=datetime(2027, 1, 1, 12, tzinfo=UTC), subject="", verb=verb, after={"state": "locked"})
        return FeedLine(act, verb, "", who=by.username if by else "", **fields)

    entered = [line("entry.enter", by=person, here=name) for name in ("Yaku", "Sampler")]
    of_round: dict[str, Any] = {"round": 1, "of_round": "a/1"}
    lines = [line("round.lock", **of_round), line("round.publish", by=person, **of_round), *entered]
    lines += [line("entry.enter", by=User(username="other"), here="Greedy")]
    one, other = blocks_of(lines)
    assert ([step.words for step in one.steps], [each.who for each in one.lines]) == (["locked"], ["house"])
    assert [(each.what, each.here) for each in other.lines] == [
        ("entered 2 bots", "Sampler, Yaku"), ("entry.enter", "Greedy"),
    ]  # fmt: skip


def test_a_line_below_its_round_names_the_leg_and_the_time_without_its_zone(client: Client) -> None:
    event = a_called_night(people=4, rounds=1)
    for match in tables_of(event):
        submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(130, 110))
    Stage.objects.filter(tournament=event).update(legs=Stage.Legs.CYCLIC)
    lines = feed_lines(list(feed_of(event)))
    assert {each.here for each in lines if each.scores} == {"table 1, leg 1", "table 2, leg 1"}
    complete = next(each for each in lines if each.act.verb == "round.complete")
    assert (complete.what, complete.shown) == ("completed a round", "completed the round")
    page = client.get(f"/t/{event.slug}/feed/").content.decode()
    assert page.count("UTC</span>") == 1
    assert re.search(r">\d\d:\d\d</time>", page)
