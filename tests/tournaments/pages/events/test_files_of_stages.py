"""Files of every stage of a chain, and of the whole event; a link to a round names its stage."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from icalendar import Calendar

from core.interchange import trf
from tests.builders.clubs import a_called_night, close_event, tables_of, totals
from tests.tournaments.pages.events.test_files import table
from tests.tournaments.progress.test_people_chains import a_night, play_and_close
from tournaments.interchange.reports import trf_of
from tournaments.lifecycle.event_plan import AdvancementPlan, StagePlan
from tournaments.models import Entry, Match, Tournament
from tournaments.progress.stage_actions import draw_stage
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db
CUP: dict[str, Any] = {
    "kind": "swiss",
    "rounds": 1,
    "groups": 1,
    "stage_name": "Swiss",
    "min_entries": 4,
    "then": (StagePlan(kind="single_elim", name="Knock-out", waits=True),),
    "ways": (AdvancementPlan(source=1, target=2, last=2),),
}


@pytest.fixture
def cup() -> Tournament:
    """Six people: a Swiss round, signed; the first two go on to a final, which waits."""
    event = a_night(people=6, **CUP)
    play_and_close(event, 1)
    return event


@pytest.mark.slow
def test_the_page_offers_the_standings_of_every_stage_and_of_the_event(cup: Tournament, client: Client) -> None:
    here = f"/t/{cup.slug}/"
    links = re.findall(rf'href="({here}files/[^"]+)"', client.get(here).content.decode())
    asked = [link.partition("standings.csv")[2] for link in links if "standings.csv" in link]
    assert asked == ["?stage=1&amp;bom=1", "?stage=all&amp;bom=1"]
    assert f"{here}files/report-1.trf" in links
    for link in links:
        assert client.get(link.replace("&amp;", "&")).status_code == 200, link


@pytest.mark.thorough
def test_standings_of_all_stages_that_are_over_are_offered(cup: Tournament, client: Client) -> None:
    draw_stage(tournament=cup, by=cup.created_by, order=2)
    play_and_close(cup, 2)
    here = f"/t/{cup.slug}/files/standings.csv"
    links = re.findall(rf'href="{here}([^"]+)">([^<]+)<', client.get(f"/t/{cup.slug}/").content.decode())
    assert [(link, name.strip()) for link, name in links] == [
        ("?stage=1&amp;bom=1", "Standings: Swiss"),
        ("?stage=2&amp;bom=1", "Standings: Knock-out"),
        ("?stage=all&amp;bom=1", "Standings: Whole event"),
    ]
    assert [len(table(client, f"{here}?stage={stage}")) for stage in (1, 2)] == [6, 2]


@pytest.mark.slow
def test_the_whole_event_is_ranked_in_one_table(cup: Tournament, client: Client) -> None:
    here = f"/t/{cup.slug}/files/standings.csv"
    rows = table(client, f"{here}?stage=all")
    ranks = [(row["rank"], row["stage"], row["stage_name"], row["place"]) for row in rows]
    assert ranks == [("1", "1", "Swiss", "1")] * 3 + [("4", "1", "Swiss", "4")] * 3
    assert len({row["entry"] for row in rows}) == 6
    assert client.get(f"/api/v1/tournaments/{cup.slug}/files/standings.csv?stage=all").status_code == 200
    assert client.get(f"{here}?stage=all&round=1").status_code == 404
    assert client.get(f"{here}?stage=each").status_code == 404


@pytest.mark.thorough
def test_a_calendar_and_a_match_lead_to_the_round_of_their_stage(cup: Tournament, client: Client) -> None:
    calendar = Calendar.from_ical(client.get(f"/t/{cup.slug}/files/calendar.ics").content)
    urls = [str(each["url"]) for each in calendar.walk("VEVENT") if "rounds" in str(each.get("url", ""))]
    assert urls == [f"http://testserver/t/{cup.slug}/rounds/?stage=1&round=1"]
    match = Match.objects.filter(stage__tournament=cup).first()
    assert match is not None
    assert f'/t/{cup.slug}/rounds/?stage=1&amp;round=1"' in client.get(f"/m/{match.uuid}/").content.decode()


@pytest.mark.thorough
def test_ranks_of_a_report_follow_its_points(transactional_db: None) -> None:
    """An event ranked by points: who lost 900 to 1,000 is before who won 600 to 500, but not in a report of wins."""
    event = a_called_night(people=4, kind="swiss", rounds=1, scoring="cumulative", options={"rounds": 12})
    first, second = tables_of(event)
    for match, claim in ((first, totals(1000, 900)), (second, totals(600, 500))):
        submit_result(match=match, actor=Actor(user=event.created_by), claim=claim)
    close_event(tournament=event, by=event.created_by)
    stage = event.stages.select_related("tournament", "ruleset").get()
    read = trf.read(trf_of(stage))
    points = read.points()
    by_rank = sorted(read.players, key=lambda player: player.rank)
    assert [points[player.number] for player in by_rank] == [1, 1, 0, 0]
    won = Entry.objects.filter(seats__match__in=(first, second), seats__place=1)
    winners = won.order_by("seats__match__table_no").values_list("player__name", flat=True)
    assert [player.name for player in by_rank][:2] == list(winners)
