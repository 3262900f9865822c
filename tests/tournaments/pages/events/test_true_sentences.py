"""What the pages of a tournament say is true in every state: before it begins, while it runs, after its end."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from bots.emblems import emblem_of
from bots.models import Bot
from bots.templatetags.hanami import amount
from core.standings.tiebreaks import TIE_BREAKS
from tests.builders import events as a
from tests.builders.clubs import a_called_night, a_club_night, close_event, tables_of, totals
from tests.builders.ladders import a_ladder
from tests.builders.leagues import League
from tests.tournaments.pages.events.test_bracket_pages import a_bracket, call, enter, shown
from tests.tournaments.pages.floor.test_desk import as_one
from tests.tournaments.progress.test_cascade import draw_next, tables
from tournaments.models import Entry, Match, Round, Stage, Standing, Tournament
from tournaments.pages.events import event as events
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]


def read(client: Client, event: Tournament, tab: str = "") -> str:
    """The words of a page, each blank once."""
    answer = client.get(f"/t/{event.slug}/{tab}")
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def part(page: str, name: str) -> str:
    """The part of a page with this id."""
    return page.partition(f'id="{name}"')[2].partition("</section>")[0]


def test_a_finished_event_has_a_podium_and_no_news_of_its_beginning(league: League, as_user: Become) -> None:
    page = read(as_user(league.organiser), league.finished)
    assert "Last action:" not in page
    assert "Pause the event" not in page
    assert '<progress class="bar"' not in page
    assert " matches" in part(page, "state-line").partition("</p>")[0]
    ending = part(page, "ending")
    places = re.findall(r'<li class="p(\d)">', ending)
    assert (len(places) >= 3, places[0], places == sorted(places)) == (True, "1", True)
    # The trophy of each place is the card of its own emblem, as in the list beside it.
    names = re.findall(r'<strong class="name">.*?>([^<]+)</a>', ending)
    assert re.findall(r"#c(\d{4})\"", ending) == [emblem_of(name).card.replace(".", "0") for name in names]
    # The cards of a run decide whether the first two have met, and whether they alone have the first two ranks.
    best = [row.entry for row in Standing.objects.filter(stage__tournament=league.finished, after_round=0, rank__lte=2)]
    met = Match.objects.filter(seats__entry=best[0]).filter(seats__entry=best[1])
    assert ("Deciding match" in ending) is (len(best) == 2 and met.exists())
    assert "Best deal" in ending


def test_entries_of_a_finished_event_have_a_final_rank(league: League, client: Client) -> None:
    page = read(client, league.finished, "entries/")
    assert "4 entries played" in page
    assert "playing" not in page.partition('id="entries"')[2]
    ranks = re.findall(r"<strong(?: class=\"won\")?>\s*(\d=?)\s*</strong>", page.partition('id="entries"')[2])
    rows = Standing.objects.filter(stage__tournament=league.finished, after_round=0)
    counted = Counter(rows.values_list("rank", flat=True))
    # The cards of the league differ from run to run, and so does whether two of them end level.
    shown = {rank: f"{rank}=" if n > 1 else str(rank) for rank, n in counted.items()}
    assert sorted(ranks) == sorted(shown[rank] for rank in counted.elements())
    assert "in play" in read(client, league.running, "entries/")


def test_entries_of_a_finished_event_have_the_figure_that_orders_them(league: League, client: Client) -> None:
    rows = Standing.objects.filter(stage__tournament=league.finished, after_round=0).order_by("row")
    page = read(client, league.finished, "entries/")
    name = TIE_BREAKS[rows[0].explanation[0]["tie_break"]].name
    shown = re.findall(rf'<td class="num figure" data-label="{name}">\s*<strong>([^<]+)</strong>', page)
    assert shown == [amount(row.explanation[0]["value"]) for row in rows]
    order = page.partition("<dt>Ordered by</dt>")[2].partition("</dd>")[0]
    assert re.findall("<li>([^<]+)</li>", order) == [TIE_BREAKS[each["tie_break"]].name for each in rows[0].explanation]
    running = read(client, league.running, "entries/")
    assert f'data-label="{name}"' not in running, "while it runs seeds order them"
    assert "Ordered by" not in running


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("state", ["running", "finished"])
def test_entries_of_a_ladder_stand_in_the_order_of_its_own_rating(
    client: Client, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    stage = a_ladder(bots=2).stages.get()
    for place, entry in enumerate(Entry.objects.filter(tournament=stage.tournament).order_by("-seed")):
        told: list[dict[str, object]] = [{"tie_break": "rating", "value": ("1111/100", "-7/2")[place], "terms": []}]
        row = {"rank": place + 1, "row": place + 1, "explanation": told}
        Standing.objects.update_or_create(stage=stage, after_round=0, entry=entry, defaults=row)
    Tournament.objects.filter(pk=stage.tournament_id).update(state=state)
    page = read(client, stage.tournament, "entries/")
    figure = re.compile(r'data-label="Rating \(lower bound\)"> <strong>([^<]+)<')
    assert figure.findall(page) == ["11.1", "\N{MINUS SIGN}3.5"]
    assert "the rating of this ladder <span" in page.partition("<dt>Ordered by</dt>")[2].partition("</dd>")[0]
    assert page.count(">Rating (lower bound)<") == 1, "not that of today as well, by which they are not ordered"
    assert ('scope="col">Rank<' in page, 'scope="col">Owner<' in page, ">all by " in page) == (True, True, False)
    monkeypatch.setattr(events, "ENTRIES_AT_ONCE", 1)
    pages = [read(client, stage.tournament, f"entries/?page={number}") for number in (1, 2)]
    shown = [figure.findall(each) for each in pages]
    assert shown == [["11.1"], ["\N{MINUS SIGN}3.5"]], "also over several pages"


@pytest.mark.thorough
def test_the_owner_of_all_ranked_entries_is_said_once_above_them(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = a_ladder(bots=2).stages.get().tournament
    owner = a.a_user()
    Bot.objects.filter(player__entries__tournament=event).update(owner=owner)
    page = read(client, event, "entries/")
    assert ('scope="col">Owner<' in page, page.count(owner.shown_name)) == (False, 1)
    assert f"<span>all by {owner.shown_name}</span>" in page
    monkeypatch.setattr(events, "ENTRIES_AT_ONCE", 1)
    page = read(client, event, "entries/")
    assert ('scope="col">Owner<' in page, ">all by " in page) == (True, False), "of the other page it is not known"


def test_announcing_a_draft_is_told_as_what_it_would_do(league: League, as_user: Become) -> None:
    page = read(as_user(league.organiser), league.draft)
    assert "Announcing makes the event visible to everybody" in page
    assert "only its organisers can see it" in page


def test_what_cannot_start_yet_says_why_and_its_button_is_shut(league: League, as_user: Become) -> None:
    page = read(as_user(league.organiser), league.open)
    assert '<button disabled aria-describedby="why-not-start">Start</button>' in page
    assert "more entry is needed first" in page.partition('id="why-not-start"')[2].partition("</p>")[0]


def test_an_organiser_has_one_bar_with_what_is_next_and_the_rest_in_its_menu(league: League, as_user: Become) -> None:
    page = read(as_user(league.organiser), league.open)
    bar = page[page.index('class="organise"') : page.index('id="progress"')]
    before, more = bar.split('id="organise-more"')
    assert "Share</a>" in before
    assert re.findall(r'href="/t/[^/]+/(\w+)/">', more)[:4] == ["edit", "rehearsal", "undo", "cancel"]
    assert 'id="undo"' not in page, "its box is on the dashboard"
    assert page.count('class="note next"') == 1
    assert page.count("Sheet to share") == 1, "in the menu"


@pytest.mark.thorough
def test_nothing_is_queued_where_people_sit_at_tables(as_user: Become) -> None:
    event = a_club_night(people=4)
    answer = as_user(event.created_by).post(f"/t/{event.slug}/do/start/", follow=True)
    words = answer.content.decode()
    assert "round 1 is drawn" in words
    assert "queued" not in words


@pytest.mark.thorough
def test_nobody_leads_before_a_result_counts(client: Client) -> None:
    event = a_called_night(people=4, kind="swiss", rounds=2)
    top = part(read(client, event), "top")
    assert ("Leading now" in top, 'class="first"' in top) == (False, False)
    assert "No result counts yet" in top
    standings = read(client, event, "standings/")
    assert "No result counts yet" in standings
    assert "<tbody>" not in standings
    submit_result(match=tables_of(event)[0], actor=Actor(user=event.created_by), claim=totals(130, 110))
    assert "Leading now" in part(read(client, event), "top")
    assert "<tbody>" in read(client, event, "standings/")


@pytest.mark.thorough
def test_the_wall_shows_standings_once_a_result_counts(as_user: Become) -> None:
    event = a_called_night(people=4, kind="swiss", rounds=2)
    client = as_user(event.created_by)
    assert "Top of the standings" not in read(client, event, "screen/")
    submit_result(match=tables_of(event)[0], actor=Actor(user=event.created_by), claim=totals(130, 110))
    assert "Top of the standings" in read(client, event, "screen/")


def test_a_ladder_has_no_full_bar_while_it_runs(client: Client) -> None:
    event = a_ladder(bots=4, rounds=3)
    Match.objects.filter(stage__tournament=event).update(state="confirmed")
    progress = part(read(client, event), "progress")
    assert "so far" in progress
    assert "<progress" not in progress


@pytest.mark.thorough
def test_people_have_no_decks_committed(client: Client) -> None:
    page = read(client, a_called_night(people=4))
    assert "<dt>Decks</dt>" not in page


def test_the_check_of_a_failed_version_did_not_succeed(league: League, as_user: Become) -> None:
    version = league.failed
    page = " ".join(as_user(league.rival).get(f"/b/{version.bot.slug}/v/{version.n}/").content.decode().split())
    owner = " ".join(as_user(version.bot.owner).get(f"/b/{version.bot.slug}/v/{version.n}/").content.decode().split())
    head = owner.partition("<h2> Check")[2].partition("</h2>")[0]
    assert "failed" in head
    assert "state ok" not in head
    assert "The check failed" in owner
    assert "The check failed" not in page


def test_a_version_that_is_checked_has_no_empty_heading(as_user: Become) -> None:
    bot = a.a_bot(ready=False)
    page = as_user(bot.owner).get(f"/b/{bot.slug}/v/1/").content.decode()
    assert "<h2>Visibility</h2>" not in page


def champion_box(stage: Stage) -> str:
    """The box at the right end of the drawing."""
    page = as_one(None).get(f"/t/{stage.tournament.slug}/bracket/").content.decode()
    return page.partition('<g class="champion')[2].partition("<text")[0]


@pytest.mark.thorough
def test_the_second_of_a_bracket_is_no_loser_who_is_out(as_user: Become) -> None:
    stage = a_bracket("single_elim", 4, third_place=True)
    call(stage, 1)
    for match in tables(stage, 1):
        enter(stage, match)
    bracket = shown(as_one(None), stage)
    assert bracket.best.short == ""
    assert "icons.svg#cup" in champion_box(stage)
    while not bracket.champion:
        number = Round.objects.filter(stage=stage).count()
        if all(match.state == "confirmed" for match in tables(stage, number)):
            draw_next(stage)
            number += 1
        call(stage, number)
        for match in tables(stage, number):
            enter(stage, match)
        bracket = shown(as_one(None), stage)
    texts = {line.id: line.text for each in bracket.rounds for line in each.lines}
    final = next(text for name, text in texts.items() if name.startswith("W2"))
    assert "Player 001 wins the bracket" in final
    assert "Player 002 is second" in final
    assert "is out" not in final
    assert bracket.best.short == "Player 001"
    assert "emblems.svg#" in champion_box(stage)
    mine = as_user(stage.tournament.created_by).get("/").content.decode().partition('id="my-events"')[2]
    assert "Champion: Player 001" in mine.partition("</section>")[0]
    assert " leads" not in mine.partition("</section>")[0]


@pytest.mark.thorough
def test_who_wins_the_first_match_of_a_bracket_is_no_champion(as_user: Become) -> None:
    stage = a_bracket("single_elim", 4)
    call(stage, 1)
    enter(stage, tables(stage, 1)[0])
    organiser = as_user(stage.tournament.created_by)
    for path in ("/", f"/t/{stage.tournament.slug}/", "/t/?when=mine"):
        assert "Champion: Player" not in organiser.get(path).content.decode(), path


@pytest.mark.thorough
def test_most_points_among_those_still_in_a_bracket_make_no_champion(as_user: Become) -> None:
    stage = a_bracket("single_elim", 4)
    call(stage, 1)
    for match, points in zip(tables(stage, 1), ((180, 60), (130, 110)), strict=True):
        submit_result(match=match, actor=Actor(user=stage.tournament.created_by), claim=totals(*points))
    first, second = Standing.objects.filter(stage=stage, after_round=0).order_by("row")[:2]
    assert (first.rank, second.rank, second.key[0]) == (1, 2, first.key[0])
    organiser = as_user(stage.tournament.created_by)
    for path in ("/", f"/t/{stage.tournament.slug}/"):
        assert "Champion: Player" not in organiser.get(path).content.decode(), path
    band = read(organiser, stage.tournament).partition('class="band"')[2].partition("</div> </div>")[0]
    assert '<p class="stands"> Final </p>' in band
    assert re.search(r'<p class="leads">Player 00\d – Player 00\d</p>', band)
    assert 'class="won"' not in organiser.get("/t/?when=mine").content.decode()


@pytest.mark.thorough
def test_what_ended_level_in_deals_says_by_which_points_it_was_decided() -> None:
    stage = a_bracket("single_elim", 4, scoring="round_victory")
    call(stage, 1)
    match = tables(stage, 1)[0]
    enter(stage, match)
    match.seats.update(victories=6)
    bracket = shown(as_one(None), stage)
    text = next(line.text for each in bracket.rounds for line in each.lines if line.row and line.row.pk == match.pk)
    assert "6 : 6, Player 001 by 100 : 80 points" in text


@pytest.mark.thorough
def test_an_event_of_people_that_is_over_says_who_came_where(as_user: Become) -> None:
    event = a_called_night(people=4, kind="swiss", rounds=1)
    for match in tables_of(event):
        submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(130, 110))
    close_event(tournament=event, by=event.created_by)
    for reader in (None, event.created_by):
        entries = read(as_user(reader), event, "entries/").partition('id="entries"')[2]
        assert "checked in" not in entries
        assert "rank 1" in entries
