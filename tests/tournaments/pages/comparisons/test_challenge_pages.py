"""The pages of comparisons: asked for by a form, followed as they go on, with few queries however much is judged."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from bots.jobs.process import Process
from tests.builders import events as a
from tests.builders.challenges import a_bot_of_two_versions, a_challenge, matches_of, played_out, stage_of
from tournaments.comparisons import queries as challenges
from tournaments.comparisons.actions import stop_challenge
from tournaments.models import BotPolicy, Challenge, ChallengeSet, DealSet, Match, Seat, Tournament
from tournaments.standings import sequential_test

pytestmark = pytest.mark.django_db(transaction=True)
MAX_QUERIES = 10
LONG: dict[str, Any] = {"elo0": -20, "elo1": 20, "alpha": 0.01, "beta": 0.01}


def seen(client: Client, path: str, status: int = 200) -> str:
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(path)
    assert answer.status_code == status, path
    assert len(queries) <= MAX_QUERIES, [each["sql"] for each in queries.captured_queries]
    return answer.content.decode()


def queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code == 200
    return len(captured)


def judged_sets(challenge: Challenge, scores: list[int]) -> None:
    """Add judged deal sets, each with what the candidate won of two legs; without records."""
    matches = matches_of(challenge, state="queued")
    for number, won in enumerate(scores):
        for leg in (0, 1):
            match = matches[2 * number + leg]
            own = Seat.objects.get(match=match, bot_version=challenge.candidate).index
            places = {own: 1 if won > leg else 2, 1 - own: 2 if won > leg else 1}
            for index, place in places.items():
                Seat.objects.filter(match=match, index=index).update(place=place, points=0, outcome="played")
            Match.objects.filter(pk=match.pk).update(state=Match.State.CONFIRMED, finished_at=timezone.now())
    sequential_test.evaluate(stage_of(challenge))
    challenge.refresh_from_db()


def form_of(challenge_of: Any, **changes: Any) -> dict[str, Any]:
    old, new = challenge_of.versions.order_by("n")
    wanted = {"candidate": new.uuid, "reference": old.uuid, "rival": "", "preset": "hawaii", "seats": 2, "deals": 1}
    return {**wanted, "question": "better", "sure": "0.05", "cap": 100, **changes}


def test_asking_by_the_form(client: Client) -> None:
    bot = a_bot_of_two_versions()
    old, new = bot.versions.order_by("n")
    assert client.get("/c/new/").status_code == 302
    client.force_login(bot.owner)
    link = f"/c/new/?candidate={new.uuid}&amp;reference={old.uuid}"
    for tab in ("", "versions/"):
        assert seen(client, f"/b/{bot.slug}/{tab}").count(link) == 1, "in the head; beside the older version"
    page = seen(client, link.replace("&amp;", "&"))
    assert f'<option value="{new.uuid}" selected>' in page
    assert f'<option value="{old.uuid}" selected>' in page
    answer = client.post("/c/new/", form_of(bot))
    made = Challenge.objects.get()
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/c/{made.uuid}/")
    assert (made.elo0, made.elo1, made.cap) == (0, 20, 100)
    assert client.post("/c/new/", form_of(bot)).headers["Location"] == f"/c/{made.uuid}/"
    assert Challenge.objects.count() == 1


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("changes", "word"), [
    ({"reference": ""}, "Choose one of your versions"),
    ({"reference": "", "rival": "nobody"}, "Nobody else has a bot of that name"),
    ({"question": "own"}, "Give both bounds"),
    ({"question": "own", "elo0": 5, "elo1": 1}, "tournament.bad_elo1"),
    ({"cap": 3}, "greater than or equal to 10"),
    ({"preset": "oibana"}, "tournament.bad_seating"),
    ({"preset": "french", "deals": ""}, "challenge.preset_not_played"),
])  # fmt: skip
def test_what_the_form_refuses(client: Client, changes: dict[str, Any], word: str) -> None:
    bot = a_bot_of_two_versions()
    client.force_login(bot.owner)
    answer = client.post("/c/new/", form_of(bot, **changes))
    assert answer.status_code == 422
    assert word in answer.content.decode()
    assert not Tournament.objects.exists()


def test_a_rival_is_named_by_the_end_of_its_address(client: Client) -> None:
    bot, rival = a_bot_of_two_versions(), a.a_bot()
    client.force_login(bot.owner)
    assert f"/c/new/?rival={rival.slug}" in seen(client, f"/b/{rival.slug}/")
    assert f'value="{rival.slug}"' in seen(client, f"/c/new/?rival={rival.slug}")
    assert client.post("/c/new/", form_of(bot, reference="", rival=f"/b/{rival.slug}/")).status_code == 302
    assert Challenge.objects.get().reference == rival.active_version


def test_nobody_without_a_version_is_asked(client: Client) -> None:
    client.force_login(a.a_user())
    page = seen(client, "/c/new/")
    assert "Upload a bot" in page
    assert "<fieldset" not in page


@pytest.mark.thorough
def test_every_state_of_a_comparison(client: Client) -> None:
    challenge = a_challenge(**LONG)
    path = f"/c/{challenge.uuid}/"
    queued = seen(client, path)
    assert "Queued: no match has begun yet." in queued
    assert "plot-title" not in queued
    judged_sets(challenge, [2, 1, 1, 0, 2, 2])
    running = seen(client, path)
    for word in (
        "Not decided yet.",
        "Pairs won 3, even 2, lost 1.",
        "polyline",
        "replay of leg 2",
        "Most decisive deal sets",
    ):
        assert word in running, word
    assert running.count("<desc") == 1
    assert "Stop</button>" not in running
    client.force_login(challenge.by)
    assert "Stop</button>" in seen(client, path)
    assert client.post(f"{path}do/stop/").status_code == 302
    assert client.post(f"{path}do/stop/").status_code == 409
    assert "Inconclusive: it was stopped" in seen(client, path)
    assert client.post(f"{path}do/start/").status_code == 404
    event = Tournament.objects.get()
    assert client.get(f"/t/{event.slug}/").headers["Location"] == path
    for tab in ("standings/", "rounds/", "crosstable/", "entries/", "feed/", "files/event.json"):
        assert client.get(f"/t/{event.slug}/{tab}").status_code == 404, tab


@pytest.mark.thorough
def test_the_answers_in_words(client: Client) -> None:
    won, lost = (a_challenge(elo0=0, elo1=400) for _each in range(2))
    judged_sets(won, [2] * 7)
    judged_sets(lost, [0] * 7)
    assert "Decided: " in seen(client, f"/c/{won.uuid}/")
    assert "is stronger than" in seen(client, f"/c/{won.uuid}/")
    assert "is not stronger than" in seen(client, f"/c/{lost.uuid}/")
    assert "95 % interval" in seen(client, f"/c/{won.uuid}/")


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("state", "estimate", "says"),
    [
        ("not_stronger", [0.34, 0.25, 0.42], "Decided: {c} is weaker than {r}."),
        ("not_stronger", [0.48, 0.41, 0.55], "Decided: {c} is not stronger than {r} by the margin you chose."),
        ("not_stronger", [0.52, 0.51, 0.53], "Decided: {c} is stronger than {r}, but not by the margin you chose."),
        ("inconclusive", [0.34, 0.25, 0.42], "{c} is weaker than {r}: the whole interval lies below 0."),
        ("inconclusive", [0.66, 0.58, 0.75], "{c} is stronger than {r}: the whole interval lies above 0."),
        ("inconclusive", [0.48, 0.41, 0.55], "Inconclusive: "),
        ("running", [0.34, 0.25, 0.42], "Queued: no match has begun yet."),
    ],
)
def test_an_interval_on_one_side_of_zero_says_who_is_weaker(
    client: Client, state: str, estimate: list[float], says: str
) -> None:
    challenge = a_challenge(**LONG)
    Challenge.objects.filter(pk=challenge.pk).update(
        state=state,
        reason="" if state == "running" else "cap",
        decided_at=None if state == "running" else timezone.now(),
        estimate=estimate,
    )
    page = seen(client, f"/c/{challenge.uuid}/")
    answer = page.partition('data-say="')[2].partition('"')[0]
    assert answer.startswith(says.format(c=challenge.candidate, r=challenge.reference))
    # The line above must not say less, or something else, than the headline does.
    line = page.partition('id="state-line"')[2].partition("</p>")[0]
    assert "decided" not in line
    assert ("Ended" in line) == (state != "running")
    # Why a test had no answer is said nowhere else where the interval lies on one side of 0.
    assert ("all deal sets are played" in line) == (state == "inconclusive")


def test_matches_that_do_not_count_are_accounted_for(client: Client) -> None:
    challenge = a_challenge(**LONG)
    judged_sets(challenge, [0, 0, 2])
    rest = matches_of(challenge, state="queued")
    Match.objects.filter(pk=rest[0].pk).update(state=Match.State.CONFIRMED, finished_at=timezone.now())
    Match.objects.filter(pk__in=[each.pk for each in rest[1:]]).update(state=Match.State.VOID)
    Challenge.objects.filter(pk=challenge.pk).update(state="inconclusive", reason="stopped", decided_at=timezone.now())
    page = " ".join(seen(client, f"/c/{challenge.uuid}/").split())
    assert f"3 of at most {challenge.cap} deal sets count, 6 matches." in page
    assert "1 more match was finished, but not its whole deal set before the end: it does not count." in page
    assert "0 playing" not in page


def test_a_decisive_deal_set_names_who_won_it(client: Client) -> None:
    challenge = a_challenge(**LONG)
    judged_sets(challenge, [0, 1, 2])
    page = " ".join(seen(client, f"/c/{challenge.uuid}/").split())
    assert f"Deal set 1: {challenge.reference} won 2 : 0" in page
    assert f"Deal set 3: {challenge.candidate} won 2 : 0" in page
    assert "0 %" not in page.partition('id="decisive"')[2].partition("</section>")[0]


@pytest.mark.slow
def test_pages_do_not_ask_more_of_more(client: Client) -> None:
    challenge = a_challenge(**LONG)
    path = f"/c/{challenge.uuid}/"
    judged_sets(challenge, [2, 0, 1])
    before = queries(client, path)
    fill = [DealSet(stage=stage_of(challenge), commit="") for _each in range(2_000)]
    DealSet.objects.bulk_create(fill)
    rows = [ChallengeSet(challenge=challenge, deal_set=each, number=number, score="1/2", llr=number / 1000)
            for number, each in enumerate(fill, 10)]  # fmt: skip
    ChallengeSet.objects.bulk_create(rows)
    assert queries(client, path) == before <= MAX_QUERIES
    Challenge.objects.filter(pk=challenge.pk).update(judged=2_009)
    page = challenges.challenge_page(challenge.uuid)
    assert len(page.points) < 2 * challenges.POINTS
    assert page.points[-1][0] == 2_009
    assert len(client.get(path).content) < 60_000
    client.force_login(challenge.by)
    one = queries(client, "/c/?whose=mine")
    for _each in range(2):
        a_challenge(**LONG)
        bot = a_bot_of_two_versions()
        a_challenge(bot, reference=a.a_bot().active_version)
    assert queries(client, "/c/") <= one <= MAX_QUERIES


@pytest.mark.thorough
def test_whose_comparisons_are_listed(client: Client) -> None:
    own, rival = a_challenge(), a.a_bot(name="Kiri")
    between = a_challenge(a_bot_of_two_versions(), reference=rival.active_version)
    anonymous = seen(client, "/c/")
    assert (str(between.uuid) in anonymous, str(own.uuid) in anonymous) == (True, False)
    client.force_login(own.by)
    assert str(own.uuid) in seen(client, "/c/")
    assert str(between.uuid) not in seen(client, "/c/?whose=mine")
    client.force_login(rival.owner)
    assert str(between.uuid) in seen(client, "/c/?whose=mine")
    assert "No comparison found." in seen(client, "/c/?q=nobody")
    assert str(between.uuid) in seen(client, "/c/?q=kiri")


@pytest.mark.slow
def test_its_data(client: Client, process: Process) -> None:
    challenge = a_challenge(elo0=0, elo1=5, cap=10)
    played_out(process, challenge)
    rows = list(csv.DictReader(io.StringIO(client.get(f"/c/{challenge.uuid}/data.csv").content.decode())))
    assert [int(row["number"]) for row in rows] == list(range(1, 11))
    document = json.loads(client.get(f"/c/{challenge.uuid}/data.json").content)
    assert document["counts"] == challenge.counts
    assert document["deal_sets"][-1]["llr"] == document["llr"] == challenge.llr
    assert [row["score"] for row in rows] == [each["score"] for each in document["deal_sets"]]
    for uuid in document["deal_sets"][0]["matches"]:
        page = seen(client, f"/m/{uuid}/")
        assert str(challenge.candidate) in page
        assert str(challenge.reference) in page
    assert client.get(f"/c/{challenge.uuid}/data.exe").status_code == 404
    assert "replay of leg 1" in seen(client, f"/c/{challenge.uuid}/")


def test_an_owner_s_policy(client: Client) -> None:
    bot = a.a_bot()
    form = {"challenges": "nobody", "in_ladders": ""}
    client.force_login(a.a_user())
    assert client.post(f"/b/{bot.slug}/policy/", form).status_code == 404
    assert "policy/" not in seen(client, f"/b/{bot.slug}/")
    client.force_login(bot.owner)
    assert "policy/" in seen(client, f"/b/{bot.slug}/")
    assert client.post(f"/b/{bot.slug}/policy/", form).status_code == 302
    policy = BotPolicy.objects.get(bot=bot)
    assert (policy.challenges, policy.in_ladders) == ("nobody", False)
    client.post(f"/b/{bot.slug}/policy/", {"challenges": "everything"})
    assert BotPolicy.objects.get(bot=bot).challenges == "nobody"


def test_stopping_by_an_operator(client: Client) -> None:
    challenge = a_challenge()
    client.force_login(a.a_user(is_staff=True))
    assert "Stop</button>" in seen(client, f"/c/{challenge.uuid}/")
    stop_challenge(challenge=challenge, by=challenge.by)
    client.force_login(a.a_user())
    assert client.post(f"/c/{challenge.uuid}/do/stop/").status_code == 403


def test_while_there_is_none_the_list_shows_what_a_comparison_gives(client: Client) -> None:
    page = seen(client, "/c/")
    assert "Is the new version really stronger?" in page
    assert (page.count("/c/new/"), 'id="q"' in page) == (1, False), "one way on, and nothing to filter"
    searched = seen(client, "/c/?q=plum")
    assert 'id="q"' in searched
    assert "No comparison found." in searched
