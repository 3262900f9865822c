"""Reading by the API what pages tell: logs of one's bots, the log of an event, why a round is so, strength over
time.
"""

from __future__ import annotations

import csv
from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.tokens import Bound
from core.interchange.tables import decimal
from tests.builders import events as a
from tests.builders.challenges import a_challenge
from tests.builders.clubs import a_called_night
from tests.builders.keys import Caller, problem
from tests.builders.leagues import SECRET_WORD, League
from tournaments.models import ChallengeSet, DealSet, Match, Seat
from tournaments.ratings import pools

pytestmark = pytest.mark.django_db


def test_logs_of_a_match_are_their_bots_owners(league: League) -> None:
    seat = Seat.objects.filter(bot_version__bot=league.bot, match__state=Match.State.CONFIRMED).first()
    assert seat is not None
    here = f"/api/v1/matches/{seat.match.uuid}/logs"
    (log,) = [
        row for row in Caller(league.owner, "bot:logs").get(here).json()["items"] if row["bot"] == league.bot.slug
    ]
    assert (log["seat"], log["version"], log["cut"]) == (seat.index, 1, False)
    assert {f"{SECRET_WORD} said"} <= {line for piece in log["pieces"] for line in piece["text"].splitlines()}
    assert all(set(piece) == {"deal", "move", "text", "fault"} for piece in log["pieces"])
    assert problem(Caller(None).get(here)) == (401, "auth.needed")
    assert problem(Caller(a.a_user()).get(here)) == (404, "not_found")
    assert problem(Caller(a.a_user(is_staff=True), "admin", "bot:logs").get(here)) == (404, "not_found")
    assert problem(Caller(league.owner, "read").get(here)) == (403, "auth.scope_missing")
    elsewhere = Caller(league.owner, "bot:logs", bound=Bound("bot", league.failed.bot.uuid, "Broken"))
    assert problem(elsewhere.get(here)) == (403, "auth.bound_elsewhere")
    waiting = Match.objects.exclude(state=Match.State.CONFIRMED).filter(seats__bot_version__bot=league.bot).first()
    assert waiting is not None
    assert problem(Caller(league.owner).get(f"/api/v1/matches/{waiting.uuid}/logs")) == (404, "not_found")


def test_the_log_of_an_event_is_its_readers(league: League) -> None:
    here = f"/api/v1/tournaments/{league.finished.slug}/feed"
    page = Caller(None).get(f"{here}?limit=5").json()
    assert len(page["items"]) == 5
    newest = page["items"][0]
    assert newest["verb"].startswith(("tournament.", "stage.", "ladder."))
    assert newest["what"]
    following = Caller(None).get(page["next"]).json()["items"]
    assert max(row["id"] for row in following) < min(row["id"] for row in page["items"])
    every = Caller(None).get(f"{here}?limit=200").json()["items"]
    assert {row["by"] for row in every} == {None, "organiser", "kiri", "rival"}
    assert problem(Caller(None).get(f"/api/v1/tournaments/{league.private.slug}/feed")) == (404, "not_found")
    assert Caller(league.organiser).get(f"/api/v1/tournaments/{league.private.slug}/feed").status_code == 200


def test_a_round_says_why_everybody_sits_there(league: League) -> None:
    here = f"/api/v1/tournaments/{league.finished.slug}/rounds"
    found = Caller(None).get(f"{here}/1").json()
    assert (found["number"], found["matches"], found["done"]) == (1, 4, 4)
    assert found["drawn"]
    assert [row["table"] for row in found["pairings"]] == [1, 2]
    assert all(row["why"] for row in found["pairings"])
    assert problem(Caller(None).get(f"{here}/9")) == (404, "not_found")
    assert problem(Caller(None).get(f"/api/v1/tournaments/{league.private.slug}/rounds/1")) == (404, "not_found")


def test_a_bot_over_time_and_head_to_head(league: League) -> None:
    pools.fold_stale()
    rival = Seat.objects.filter(match__stage__tournament=league.finished).exclude(bot_version__bot=league.bot)
    other = rival.select_related("bot_version__bot")[0].bot_version
    assert other is not None
    here = f"/api/v1/bots/{league.bot.slug}/strength"
    found = Caller(None).get(f"{here}?vs={other.bot.slug}").json()
    assert found["pool"] in found["pools"]
    games = [point["games"] for point in found["points"]]
    assert games == sorted(games)
    for point in found["points"]:
        assert point["low"] < point["mean"] < point["high"]
    met = found["versus"]
    assert met["bot"] == other.bot.slug
    assert met["ahead"] + met["level"] + met["behind"] >= 2
    back = Caller(None).get(f"/api/v1/bots/{other.bot.slug}/strength?vs={league.bot.slug}").json()["versus"]
    assert (back["ahead"], back["behind"]) == (met["behind"], met["ahead"])
    for wrong in (f"{here}?vs=nobody", f"{here}?vs={league.bot.slug}", "/api/v1/bots/nobody/strength"):
        assert problem(Caller(None).get(wrong)) == (404, "not_found")
    unrated = Caller(None).get(f"/api/v1/bots/{league.failed.bot.slug}/strength").json()
    assert (unrated["pools"], unrated["pool"], unrated["points"], unrated["versus"]) == ([], None, [], None)


def test_people_are_those_whom_pages_list(league: League) -> None:
    a.a_user("nobody-knows-me")
    listed = Caller(None).get("/api/v1/people?q=ki").json()["items"]
    assert [row["username"] for row in listed] == ["kiri"]
    assert listed[0]["bots"] == 3
    found = Caller(None).get("/api/v1/people/kiri").json()
    assert league.bot.slug in found["bots"]
    assert (found["events"], found["ratings"]) == ([], [])
    runs = Caller(None).get("/api/v1/people/organiser").json()["events"]
    assert league.finished.slug in runs
    assert league.private.slug not in runs
    assert league.draft.slug not in runs
    assert problem(Caller(None).get("/api/v1/people/nobody")) == (404, "not_found")


def test_a_comparison_is_told_deal_set_by_deal_set() -> None:
    challenge = a_challenge()
    for number, deal_set in enumerate(DealSet.objects.filter(stage=challenge.stage).order_by("pk")[:3], start=1):
        ChallengeSet.objects.create(
            challenge=challenge, deal_set=deal_set, number=number, score="1/2", llr=0.1 * number
        )
    here, counts = f"/api/v1/challenges/{challenge.uuid}/deal-sets", []
    for limit in (1, 3):
        with CaptureQueriesContext(connection) as seen:
            page = Caller(None).get(f"{here}?limit={limit}").json()
        counts.append(len(seen))
    rows = page["items"]
    assert [row["number"] for row in rows] == list(range(1, len(rows) + 1))
    assert rows
    assert all(len(row["matches"]) == 2 and row["score"] == "1/2" for row in rows)
    assert counts[0] == counts[1]


@pytest.mark.thorough
def test_lists_that_are_made_as_a_whole_are_answered_in_pages(league: League) -> None:
    event = a_called_night(people=6)
    one, *others = [str(entry.uuid) for entry in event.entries.order_by("pk")]
    event.separated_pairs = [[one, other] for other in others]
    event.save()
    caller, here = Caller(event.created_by), f"/api/v1/tournaments/{event.slug}/pairs"
    whole = caller.get(here).json()
    assert ([row["other"] for row in whole["items"]], whole["next"], whole["prev"]) == (others, None, None)
    page, seen = caller.get(f"{here}?limit=2").json(), []
    assert page["prev"] is None
    while page["next"]:
        seen += page["items"]
        assert len(page["items"]) == 2
        page = caller.get(page["next"]).json()
    assert seen + page["items"] == whole["items"]
    assert len(caller.get(page["prev"]).json()["items"]) == 2
    assert len(caller.get(f"{here}?limit=5000").json()["items"]) == 5
    assert caller.get(f"{here}?cursor=99").json()["items"] == []
    for wrong in ("cursor=-1", "cursor=x", "limit=x", "cursor=99999999999"):
        assert problem(caller.get(f"{here}?{wrong}")) == (400, "request.invalid")


def test_the_crosstable_is_a_file_too(league: League) -> None:
    slug = league.finished.slug
    answer = Caller(None).get(f"/api/v1/tournaments/{slug}/files/crosstable.csv")
    rows = list(csv.DictReader(answer.content.decode().splitlines()))
    told = Caller(None).get(f"/api/v1/tournaments/{slug}/crosstable").json()["items"]
    met = {(row["entry"], cell["entry"]): cell["share"] for row in told for cell in row["against"] if cell["met"]}
    assert {(row["entry"], row["against_entry"]): row["share"] for row in rows} == {
        pair: decimal(Fraction(share)) for pair, share in met.items()
    }
    assert answer.content == Caller(None).get(f"/t/{slug}/files/crosstable.csv").content
    for wrong in ("crosstable.csv?stage=9", "crosstable.csv?stage=x"):
        assert problem(Caller(None).get(f"/api/v1/tournaments/{slug}/files/{wrong}")) == (404, "not_found")
