"""The felts of the home page: of which moment of a match their figures are; how old the page says they are."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from bots.models import Bot
from tests.builders import events as a
from tests.builders.matches_on_show import a_finished_match
from tests.tournaments.pairing.test_rated_seeds import rated
from tests.web.test_home import felts_of, read
from tournaments.models import Match, MatchTally, RatingPool, Seat, Standing
from tournaments.people.own import MATCHES

pytestmark = pytest.mark.django_db


def test_the_felt_says_of_which_moment_its_figures_are(client: Client) -> None:
    a_finished_match(seats=2, preset="nuki88", rounds=2)
    page = read(client)
    newest, best = (felt for _, felt in felts_of(page))
    assert not re.search(r"</b>\s*<span>", newest), "one score: that of the result"
    for felt in (best, newest):
        assert re.search(
            r'<p class="felt-when">\s*Deal \d+ of 2\s*· Nuki Hachi-hachi\s*(·\s*<time.*?</time>\s*)?</p>', felt
        )
    assert len(re.findall(r"</b>\s*<span>[+−0]", best)) == 2, "what the deal brought"
    assert "Final result" in best
    told = best.partition('class="felt-told small">')[2].partition("</p>")[0]
    assert not re.search(r" [=−\d]|= |teyaku|dekiyaku", told), told


def test_what_a_deal_shows_is_told_before_how_its_match_ended(client: Client) -> None:
    a_finished_match(seats=2, rounds=2)
    felt = felts_of(read(client))[0][1]
    assert re.search(r'felt-told small">\s*<span class="soft">At this moment: ?</span>', felt)
    assert felt.index("felt-told") < felt.index("Final result")


@pytest.mark.parametrize(
    ("preset", "label", "unit"), [("paradise", "Deals won", ""), ("hawaii", "Final result", "points")]
)
def test_a_result_says_what_it_counts(client: Client, preset: str, label: str, unit: str) -> None:
    a_finished_match(seats=2, preset=preset, rounds=2)
    for _, felt in felts_of(read(client)):
        words = " ".join(re.sub(r"<[^>]+>", " ", felt.partition("felt-words")[2]).split())
        assert f"{label}: " in words
        assert re.search(rf"\d {unit} Watch →$" if unit else r"\d Watch →$", words), words


def test_nothing_is_live_that_ended_long_ago(client: Client) -> None:
    ladder = a.a_running_event(kind="ladder", rounds=8, name="Plum ladder")
    a_finished_match(seats=2, rounds=1)
    MatchTally.objects.create(stage=ladder.stages.get(), state="playing", n=1)
    quiet = 'data-quiet="yes"'
    assert quiet not in read(client)
    Match.objects.filter(state="confirmed").update(finished_at=timezone.now() - timedelta(minutes=20))
    page = read(client)
    assert quiet in page
    assert re.search(r"last match\s+<time[^>]*>20\sminutes ago<", page)


def test_ladders_of_one_s_own_have_cards_that_say_one_s_place(client: Client) -> None:
    ladders = [a.a_running_event(kind="ladder", rounds=8, name=f"{name} ladder") for name in ("Plum", "Iris")]
    for ladder in ladders:
        rated(RatingPool.objects.get(stage=ladder.stages.get()), 1, 30, 5, entry=ladder.entries.first())
    own = ladders[0].entries.order_by("pk").last()
    assert own is not None
    assert own.player.bot is not None
    Standing.objects.filter(entry=own, after_round=0).update(rank=7)
    rows = re.findall(r'<th scope="row">.*?</th>', read(client), re.DOTALL)
    assert ["Iris" in rows[0], "my place" in "".join(rows)] == [True, False], "the newest first, and nobody's place"
    client.force_login(own.player.bot.owner, backend="django.contrib.auth.backends.ModelBackend")
    page = read(client)
    rows = re.findall(r'<th scope="row">.*?</th>', page, re.DOTALL)
    assert ["Iris" in row for row in rows] == [True], "one's own has a card"
    assert " % played" not in page, "the matches of a ladder have no end"
    assert "my place: 7" in page.partition('id="my-events"')[2].partition("</ul>")[0]
    client.logout()
    Match.objects.filter(pk=a.matches_of(ladders[0])[0].pk).update(state="confirmed", finished_at=timezone.now())
    rows = re.findall(r'<th scope="row">.*?</th>', read(client), re.DOTALL)
    assert "Plum" in rows[0], "what is played most today"


def test_a_single_bot_fills_the_list_of_one_s_last_matches(client: Client) -> None:
    matches = [a_finished_match(rounds=1) for _ in range(MATCHES + 1)]
    version = matches[0].seats.select_related("bot_version__bot").get(index=0).bot_version
    assert version is not None
    owner = a.a_user("plumber")
    Bot.objects.filter(pk=version.bot_id).update(owner=owner, active_version=version)
    Seat.objects.filter(match__in=matches, index=0).update(bot_version=version)
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    page = read(client)
    shown = {str(match.uuid) for match in matches if str(match.uuid) in page}
    assert shown == {str(match.uuid) for match in matches[1:]}, "the newest, one of them on the felt"


def test_last_places_are_in_the_order_in_which_the_matches_ended(client: Client) -> None:
    matches = [a_finished_match(rounds=1) for _ in range(3)]
    version = matches[0].seats.select_related("bot_version__bot").get(index=0).bot_version
    assert version is not None
    owner = a.a_user("plumber")
    Bot.objects.filter(pk=version.bot_id).update(owner=owner, active_version=version)
    for place, match in enumerate(matches, 1):  # played side by side: the one that was made first ended last
        Seat.objects.filter(match=match, index=0).update(bot_version=version, place=place)
        Match.objects.filter(pk=match.pk).update(finished_at=timezone.now() - timedelta(minutes=place))
    Match.objects.filter(pk=matches[2].pk).update(finished_at=None)
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    form = read(client).partition('<ol class="form"')[2].partition("</ol>")[0]
    assert re.findall(r"<li[^>]*>(\d)</li>", form) == ["1", "2", "3"]
