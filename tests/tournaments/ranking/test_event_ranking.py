"""The ranking of a whole event: finalists first, equals shared, those who left marked, in few queries."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.builders import events as a
from tests.builders.clubs import a_called_night, a_club_night, tables_of, totals
from tests.builders.seasons import a_finished_event
from tests.tournaments.pages.events.test_files import table
from tests.tournaments.progress.test_people_chains import a_night, play_and_close, stage_no
from tournaments.entries.people import withdraw_person
from tournaments.lifecycle.event_plan import AdvancementPlan, StagePlan
from tournaments.models import Entry, Match, Stage, StageEntry, Standing, Tournament
from tournaments.progress.stage_actions import draw_stage
from tournaments.ranking.event_ranking import BEGINNING, beginning_of, ranking_of
from tournaments.ranking.figures import ranking_table
from tournaments.ranking.set_prizes import PrizePlan, set_prizes
from tournaments.ranking.words import explanation_of, standing_words
from tournaments.scores.actions import Actor, submit_result
from tournaments.standings.queries import leaders

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]
CUP: dict[str, Any] = {
    "kind": "swiss",
    "rounds": 1,
    "groups": 1,
    "stage_name": "Swiss",
    "min_entries": 4,
    "then": (StagePlan(kind="single_elim", name="Final", waits=True),),
    "ways": (AdvancementPlan(source=1, target=2, last=2),),
}


def a_cup(**changes: Any) -> Tournament:
    """Six people; the Swiss round is signed, the final of two waits."""
    event = a_night(people=6, **{**CUP, **changes})
    play_and_close(event, 1)
    return event


def shown(event: Tournament) -> list[tuple[int | None, bool, str, int | None]]:
    return [(line.rank, line.shared, str(line.stage), line.place) for line in ranking_of(event).lines]


def test_who_reached_the_final_stands_before_those_who_did_not() -> None:
    event = a_cup()
    assert shown(event) == [(1, True, "Swiss", 1)] * 3 + [(4, True, "Swiss", 4)] * 3
    draw_stage(tournament=event, by=event.created_by, order=2)
    finalists = set(StageEntry.objects.filter(stage=stage_no(event, 2)).values_list("entry", flat=True))
    open_final = ranking_of(event)
    assert {line.entry.pk for line in open_final.lines[:2]} == finalists
    assert [line.rank for line in open_final.lines[2:]] == [3, 4, 4, 4]
    assert not open_final.is_final
    play_and_close(event, 2)
    event.refresh_from_db()
    over = ranking_of(event)
    assert [(line.rank, str(line.stage), line.place) for line in over.lines[:3]] == [
        (1, "Final", 1), (2, "Final", 2), (3, "Swiss", 1),
    ]  # fmt: skip
    assert over.is_final
    assert over.first == over.lines[:1]
    words = explanation_of(over)
    assert words[:2] == ["Places 1 to 2: by the standings of “Final”.", "Places 3 to 6: by the standings of “Swiss”."]
    assert standing_words(over.lines[0]) == "Final, place 1"


def test_the_table_has_the_figures_that_rank_and_the_stage_where_there_are_several(client: Client) -> None:
    event = a_cup()
    draw_stage(tournament=event, by=event.created_by, order=2)
    play_and_close(event, 2)
    ranking = ranking_of(event)
    table = ranking_table(ranking, ranking.lines)
    assert (table.columns, table.has_stages) == (("Points", "Victories"), True)
    assert [figure.shown for figure in table.rows[0][1]] == ["130", "1"]
    page = client.get(f"/t/{event.slug}/ranking/").content.decode()
    assert page.count('class="reached"') == 6
    assert page.count('<span class="medal ') == 3
    # Those of a stage that ranks by something else have a figure of their own kind, below one head.
    row = Standing.objects.get(stage=stage_no(event, 2), after_round=0, rank=1)
    row.explanation[1] |= {"tie_break": "wins", "value": "1"}
    row.save()
    ranking = ranking_of(event)
    mixed = ranking_table(ranking, ranking.lines)
    assert (mixed.columns, [figure.name for figure in mixed.rows[0][1]]) == ((), ["Tables won"])


def test_a_long_ranking_has_pages(client: Client) -> None:
    names = {f"Player {row:02}": row for row in range(1, 54)}
    event = a_finished_event(a.a_user(), names)
    first, second, far = (
        client.get(f"/t/{event.slug}/ranking/{query}").content.decode() for query in ("", "?page=2", "?page=9")
    )
    assert re.findall(r"Player \d\d", first.partition("<tbody>")[2]) == list(names)[:50]
    assert re.findall(r"Player \d\d", second.partition("<tbody>")[2]) == list(names)[50:]
    assert 'rel="next" href="?page=2"' in first
    assert "Page 2 of 2" in far


def test_an_event_of_one_stage_says_what_it_ranks_by(client: Client) -> None:
    event = a_called_night(people=4)
    for match in tables_of(event):
        submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(140, 100))
    page = client.get(f"/t/{event.slug}/ranking/").content.decode()
    assert "Ranked by: Points, " in page
    assert "Last stage" not in page
    assert "medal-1" not in page, "nobody has won yet"


def test_finalists_whose_final_has_not_begun_stand_first_and_are_level() -> None:
    event = a_cup()
    draw_stage(tournament=event, by=event.created_by, order=2)
    # A stage of which nothing counts: its table was never stored.
    Standing.objects.filter(stage=stage_no(event, 2)).delete()
    lines = ranking_of(event).lines
    assert [(line.rank, line.shared, line.place) for line in lines[:3]] == [(1, True, None)] * 2 + [(3, False, 1)]
    assert standing_words(lines[0]) == "Final, no result yet"


def test_who_withdrew_keeps_a_place_and_who_was_disqualified_has_none() -> None:
    event = a_night(people=4, kind="round_robin", groups=1, then=(), ways=(), min_entries=4, stage_name="")
    play_and_close(event, 1)
    ranked = [line.entry for line in ranking_of(event).lines]
    Entry.objects.filter(pk=ranked[1].pk).update(state=Entry.State.DISQUALIFIED)
    Entry.objects.filter(pk=ranked[2].pk).update(state=Entry.State.WITHDRAWN)
    lines = ranking_of(event).lines
    assert [(line.entry.pk, line.rank, str(line.departure)) for line in lines] == [
        (ranked[0].pk, 1, ""),
        (ranked[2].pk, 2, "withdrawn"),
        (ranked[3].pk, 3, ""),
        (ranked[1].pk, None, "disqualified"),
    ]
    words = " ".join(explanation_of(ranking_of(event)))
    assert "Those who withdrew keep the place" in words
    assert "Disqualified entries have no place." in words


def test_the_first_of_each_group_share_a_place() -> None:
    event = a_night(people=6, groups=2, then=(), ways=())
    play_and_close(event, 1)
    lines = ranking_of(event).lines
    assert [(line.rank, line.group) for line in lines] == [(1, "A"), (1, "B"), (3, "A"), (3, "B"), (5, "A"), (5, "B")]
    assert explanation_of(ranking_of(event))[0] == "Places 1 to 6: by the place in their group of “Pools”."


def many(event: Tournament, entries: int) -> None:
    """Rows of a chain with this many entries, as they are after its first stage."""
    stage = event.stages.get(order=1)
    entry = Entry.objects.filter(tournament=event).select_related("player")[0]
    players = [type(entry.player)(name=f"Person {n}", kind="human", club=f"Club {n}") for n in range(entries)]
    type(entry.player).objects.bulk_create(players)
    made = Entry.objects.bulk_create(
        Entry(tournament=event, player=player, entered_by=event.created_by) for player in players
    )
    StageEntry.objects.bulk_create(StageEntry(stage=stage, entry=row, seed=100 + n) for n, row in enumerate(made))
    Standing.objects.bulk_create(
        Standing(stage=stage, entry=row, rank=10 + n, row=10 + n, input_hash="0" * 64) for n, row in enumerate(made)
    )


def test_five_hundred_entries_take_no_more_queries(client: Client) -> None:
    event = a_cup()
    many(event, 500)
    with CaptureQueriesContext(connection) as seen:
        ranking = ranking_of(event)
        assert len({line.entry.player.name for line in ranking.lines}) == 506
    assert len(seen) == 3, [each["sql"][:200] for each in seen.captured_queries]
    for path in ("ranking/", "ranking/poster-a4/"):
        with CaptureQueriesContext(connection) as seen:
            assert client.get(f"/t/{event.slug}/{path}").status_code == 200
        assert len(seen) <= 10, [each["sql"][:200] for each in seen.captured_queries]


def test_the_file_of_one_stage_has_the_whole_ranking_and_no_formula(client: Client) -> None:
    event = a_night(people=2, kind="swiss", rounds=1, groups=1, min_entries=2, then=(), ways=(), listed='=1+1\n"Ben"')
    match = Match.objects.get(stage__tournament=event)
    client.force_login(event.created_by)
    play_and_close(event, 1)
    assert match.table_no == 1
    data = client.get(f"/t/{event.slug}/files/standings.csv?stage=all&bom=1").content
    assert data.startswith(b"\xef\xbb\xbf")
    assert b",'=1+1," in data
    rows = table(client, f"/t/{event.slug}/files/standings.csv?stage=all")
    assert {(row["rank"], row["shared"], row["status"]) for row in rows} == {("1", "0", ""), ("2", "0", "")}


def test_the_page_shows_places_links_and_posters(client: Client) -> None:
    waiting = a_club_night(people=4)
    assert ranking_of(waiting).lines == ()
    assert "There is no ranking yet" in client.get(f"/t/{waiting.slug}/ranking/").content.decode()
    event = a_called_night(people=4)
    here = f"/t/{event.slug}/ranking/"
    for match in tables_of(event):
        submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(140, 100))
    page = client.get(here).content.decode()
    assert "Provisional" in page
    assert f"/t/{event.slug}/standings/?stage=1&amp;explain=" in page
    assert f"/t/{event.slug}/files/standings.csv?stage=all&amp;bom=1" in page
    menu = page.partition('<summary class="btn">Poster</summary>')[2].partition("</details>")[0]
    assert [f"poster-{paper}/" in menu for paper in ("a4", "a3", "letter")] == [True] * 3
    chosen = client.get(f"{here}poster-a3/?places=3").content.decode().partition('class="choose"')[2]
    current = re.findall(r'<a [^>]*aria-current="page">\s*(.*?)</a>', chosen.partition('<div class="poster')[0])
    assert current == ["A3", "First 3 places"]
    for paper in ("a4", "a3", "letter"):
        poster = client.get(f"{here}poster-{paper}/?places=1").content.decode()
        assert f'class="poster {paper} x' in poster
        assert poster.count('<tr class="leads">') == 2
        fan = poster.partition('class="fan"')[2].partition("</p>")[0]
        assert fan.count("<svg") == 5
        assert re.findall(r'<th scope="col" class="figure"><span>(.*?)<', poster) == ["Points"]
        assert re.findall(r'<td class="figure">(.*?)<', poster) == ["140", "140"]
    for wrong in ("poster-a5/", "poster-a4/?places=0", "poster-a4/?places=x", "poster-a4/?places=9999999"):
        assert client.get(here + wrong).status_code == 404


def test_a_poster_of_a_bracket_shows_no_figures_that_do_not_order_it(client: Client) -> None:
    event = a_called_night(people=4, kind="single_elim", seats=2, rounds=1)
    poster = client.get(f"/t/{event.slug}/ranking/poster-a4/").content.decode()
    assert "<tbody>" in poster
    assert 'class="figure"' not in poster


def test_a_stranger_sees_no_ranking_of_a_private_event(client: Client) -> None:
    event = a_called_night(people=4, visibility="private")
    for path in ("ranking/", "ranking/poster-a4/", "files/standings.csv?stage=all"):
        assert client.get(f"/t/{event.slug}/{path}").status_code == 404
    client.force_login(event.created_by)
    assert client.get(f"/t/{event.slug}/ranking/").status_code == 200


def test_a_stage_that_was_called_off_ranks_nobody() -> None:
    event = a_cup()
    stage = stage_no(event, 1)
    seats = {"seats_min": 2, "seats_pref": 2, "seats_max": 2, "scoring": stage.scoring}
    like = {"kind": stage.kind, "ruleset": stage.ruleset, "preset": stage.preset}
    void = Stage.objects.create(tournament=event, order=101, state=Stage.State.VOID, **like, **seats)
    entry = Entry.objects.filter(tournament=event)[0]
    Standing.objects.create(stage=void, entry=entry, rank=1, row=1, input_hash="0" * 64)
    assert len(ranking_of(event).lines) == 6


def test_who_leaves_during_the_event_is_marked() -> None:
    event = a_cup()
    gone = Entry.objects.filter(tournament=event).order_by("pk")[5]
    withdraw_person(entry=gone, by=event.created_by)
    assert [str(line.departure) for line in ranking_of(event).lines if line.entry.pk == gone.pk] == ["withdrawn"]


def test_the_page_of_an_event_that_is_over_names_the_first_three_and_leads_on(client: Client) -> None:
    event = a_cup()
    assert 'id="ending"' not in client.get(f"/t/{event.slug}/").content.decode()
    draw_stage(tournament=event, by=event.created_by, order=2)
    play_and_close(event, 2)
    event.refresh_from_db()
    at_end, by = {"publish": "end"}, event.created_by
    set_prizes(tournament=event, by=by, changes=at_end, categories=(), prizes=[PrizePlan("A fan")])
    with CaptureQueriesContext(connection) as seen:
        page = client.get(f"/t/{event.slug}/").content.decode()
    assert len(seen) <= 14, [each["sql"][:200] for each in seen.captured_queries]
    ending = page.partition('id="ending"')[2].partition("</section>")[0]
    names = [line.entry.player.name for line in ranking_of(event).lines[:3]]
    assert f"{names[0]} wins." in ending
    podium = ending.partition('<ol class="podium">')[2].partition("</ol>")[0]
    assert [podium.count(name) for name in names] == [1, 1, 1]
    assert podium.count('class="score"') == podium.count('class="unit">points<') == 2  # only who met there
    assert podium.count("<span>Final</span>") == 2
    for link in (f"/t/{event.slug}/ranking/", "#prizes", "#downloads"):
        assert link in ending
    assert "certificates" not in ending
    client.force_login(event.created_by)
    assert f"/t/{event.slug}/certificates/" in client.get(f"/t/{event.slug}/").content.decode()


@pytest.mark.parametrize("seed", range(12))
def test_the_first_rows_of_a_table_tell_the_same_first_places(seed: int) -> None:
    """Of any table with shared ranks, some of whose people have withdrawn and one of whom may be disqualified."""
    chance = Random(seed)
    ranks = [1]
    for row in range(2, chance.randint(2, 14)):
        ranks.append(ranks[-1] if chance.random() < 0.4 else row)
    event = a_finished_event(a.a_user(), {f"Player {row:02}": rank for row, rank in enumerate(ranks)})
    entries = list(Entry.objects.filter(tournament=event).order_by("seed"))
    gone = chance.sample(entries, k=len(entries) // 3)
    Entry.objects.filter(pk__in=[each.pk for each in gone]).update(state=Entry.State.WITHDRAWN)
    out = chance.choice([*entries, None])
    Entry.objects.filter(pk=out.pk if out else 0).update(state=Entry.State.DISQUALIFIED)
    stages, whole = list(event.stages.all()), ranking_of(event)
    top = leaders(stages[-1], limit=BEGINNING)
    found = beginning_of(event, stages, top)
    assert (found is None) == (out in [row.entry for row in top])
    if found is not None:
        assert found.podium == whole.podium
        assert (len(found.first) == 1) == (len(whole.first) == 1)
        assert found.is_final
        assert found.first[:1] == whole.first[:1] or len(whole.first) > 1


def test_a_rating_is_a_decimal_number_and_no_fraction(client: Client) -> None:
    event = a_finished_event(a.a_user(), {"Aiko": 1, "Ben": 2, "Chiyo": 3})
    Stage.objects.filter(tournament=event).update(kind="ladder")
    for row, value in zip(Standing.objects.filter(stage__tournament=event).order_by("row"), ("12.55", "10.03", "-0.2")):
        row.explanation = [{"tie_break": "rating", "value": value, "terms": [], "decided_against": []}]
        row.save()
    page = client.get(f"/t/{event.slug}/").content.decode()
    ending = " ".join(re.sub(r"<[^>]+>", " ", page.partition('id="ending"')[2].partition("</section>")[0]).split())
    assert "Rating (lower bound) 12.6, 2.5 ahead of Ben." in ending
    assert "\N{MINUS SIGN}0.2 Rating" in ending


@pytest.mark.parametrize(
    ("ranks", "words"),
    [
        ((1, 1, 3), "Aiko and Ben share first place."),
        ((1, 1, 1), "Aiko, Ben and Chiyo share first place."),
        ((1,) * 10, "10 share first place."),
    ],
)
def test_those_who_share_the_first_place_have_a_headline(client: Client, ranks: tuple[int, ...], words: str) -> None:
    names = ["Aiko", "Ben", "Chiyo", *(f"Player {n}" for n in range(4, 11))]
    event = a_finished_event(a.a_user(), dict(zip(names, ranks, strict=False)))
    assert f"<strong>{words}</strong>" in client.get(f"/t/{event.slug}/").content.decode()


@pytest.mark.parametrize(
    ("ranks", "cards", "others"),
    [
        ((1, 2, 3, 4), 3, []),
        ((1, 1, 3, 3, 3, 3), 2, ["Shared 3rd P3, P4, P5, P6"]),
        ((1, 2, 2, 2), 1, ["Shared 2nd P2, P3, P4"]),
        ((1, 2, 3, 3), 2, ["Shared 3rd P3, P4"]),
        ((1, 1, 1, 1), 0, []),  # the headline names them
        ((1, 2, 2, 2, 2, 2, 2), 1, []),  # more than a line holds
        ((1, 1, 3, 3, 3, 3, 3), 2, []),
    ],
)
def test_three_cards_at_most_stand_on_the_podium(
    client: Client, ranks: tuple[int, ...], cards: int, others: list[str]
) -> None:
    event = a_finished_event(a.a_user(), {f"P{n}": rank for n, rank in enumerate(ranks, 1)})
    ending = client.get(f"/t/{event.slug}/").content.decode().partition('id="ending"')[2].partition("</section>")[0]
    assert ending.partition('<ol class="podium">')[2].partition("</ol>")[0].count("<li") == cards
    lines = re.findall(r'<p class="others">(.*?)</p>', ending, re.DOTALL)
    assert [" ".join(re.sub(r"<[^>]+>", " ", line).split()) for line in lines] == others
    assert "P1 and P2 share first place." in ending or ranks.count(1) != 2


@pytest.mark.parametrize(
    ("ranks", "places"),
    [
        ((1, 2, 3), ["1st", "2nd", "3rd"]),
        ((1, 1, 3), ["Shared 1st", "Shared 1st", "3rd"]),
        ((1, 2, 2), ["1st", "Shared 2nd", "Shared 2nd"]),
    ],
)
def test_a_step_names_its_place_in_words(client: Client, ranks: tuple[int, ...], places: list[str]) -> None:
    """Above a score "1=" would read as one more figure."""
    event = a_finished_event(a.a_user(), {f"P{n}": rank for n, rank in enumerate(ranks, 1)})
    page = client.get(f"/t/{event.slug}/").content.decode()
    podium = page.partition('<ol class="podium">')[2].partition("</ol>")[0]
    found = re.findall(r'class="place[^"]*">([^<]+)<', podium)
    assert found == places


def test_a_step_says_what_parted_it_from_the_same_score(client: Client) -> None:
    event = a_finished_event(a.a_user(), {"Aiko": 1, "Ben": 1, "Chiyo": 3})
    for row, value in zip(Standing.objects.filter(stage__tournament=event).order_by("row"), "998", strict=True):
        figures = (("place", "3"), ("bh", value))
        row.explanation = [{"tie_break": name, "value": n, "terms": [], "decided_against": []} for name, n in figures]
        row.save()
    page = client.get(f"/t/{event.slug}/").content.decode()
    podium = page.partition('<ol class="podium">')[2].partition("</ol>")[0]
    assert re.findall(r"(\d) Buchholz", podium) == ["9", "9", "8"]


@pytest.mark.parametrize(("people", "rows", "is_said"), [(8, 8, False), (9, 5, True)])
def test_a_short_final_table_is_whole_and_a_long_one_says_that_it_is_cut(
    client: Client, people: int, rows: int, is_said: bool
) -> None:
    event = a_finished_event(a.a_user(), {f"Player {n}": n for n in range(1, people + 1)})
    top = client.get(f"/t/{event.slug}/").content.decode().partition('<section id="top"')[2].partition("</table>")[0]
    assert top.count('<th scope="row">') == rows
    assert ("<caption>" in top) == is_said
