"""The whole of an event of pairs: partners drawn, pools, double elimination, final tables, out to a file and back."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest

from tests.builders import events as a
from tests.builders.teams import called, teams
from tournaments.entries.partners import draw_partners
from tournaments.entries.people import add_list, check_in_all
from tournaments.entries.teams_query import member_table
from tournaments.events.create import create_tournament
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as import_event
from tournaments.matches.report_bodies import Claim
from tournaments.models import Entry, Match, Member, PartnerDraw, Round, Seat, Stage, Standing, Tournament
from tournaments.pages.events.create_form import EventForm
from tournaments.pages.events.templates import initial_of
from tournaments.progress.rounds import call_round, close_stage, preview_next, publish_next, waits_for_draw
from tournaments.progress.run import open_registration, publish_tournament, start_tournament
from tournaments.progress.stage_actions import draw_stage
from tournaments.scores.actions import Actor, submit_result

pytestmark = pytest.mark.django_db(transaction=True)
M = Match.State
PUBLIC = {"visibility": "public"}


def hawaii(people: int) -> Tournament:
    """The template as the form makes it, everybody entered, partners drawn with clubs apart, started."""
    initial, _sentence = initial_of("hawaii2016", str(people))
    bare = EventForm(initial=initial)
    sent = {name: bare[name].value() for name in bare.fields}
    form = EventForm({name: value for name, value in sent.items() if value not in (None, False, "")} | PUBLIC)
    assert form.is_valid(), form.errors
    by = a.a_user()
    event = create_tournament(by=by, plan=form.plan())
    publish_tournament(tournament=event, by=by)
    open_registration(tournament=event, by=by)
    names = "\n".join(f"Person {number},Club {number % 11}" for number in range(people))
    add_list(tournament=event, by=by, data=f"name,club\n{names}".encode())
    check_in_all(tournament=event, by=by)
    draw_partners(tournament=event, by=by, seen=1, rule="clubs")
    start_tournament(tournament=event, by=by)
    return event


def play_rounds(event: Tournament, stage: Stage, random: Random) -> None:
    """Every table of a stage, round by round, drawn on as long as that goes. No two points are level.

    In a bracket that flows the tables of the next round are there as soon as their sides are known.
    """
    while True:
        for row in Round.objects.filter(stage=stage).order_by("number").select_related("stage__tournament"):
            if row.matches.filter(state=M.READY).exists():
                call_round(round_row=row, by=event.created_by)
                enter_all(event, row, random)
        stage.refresh_from_db()
        if stage.matches.filter(state=M.READY).exists():
            continue
        if not waits_for_draw(stage):
            return
        seen = preview_next(stage=stage, by=event.created_by)
        if seen.plan is None:
            return
        publish_next(stage=stage, by=event.created_by, seen=seen.hash)


def enter_all(event: Tournament, row: Round, random: Random) -> None:
    """A result at every table that was called: both sides send it, at every tenth a scorer types it in."""
    for match in row.matches.filter(state=M.CALLED).order_by("table_no"):
        points = 5 * random.randint(125, 220)
        claim = Claim(totals=random.choice([(points, 1200 - points), (1195 - points, points)]))
        if match.table_no and match.table_no % 10 == 0:
            submit_result(match=match, actor=Actor(user=event.created_by), claim=claim)
            continue
        submit_result(match=match, actor=Actor(side=0), claim=claim)
        submit_result(match=match, actor=Actor(side=1), claim=claim)


def check_seats(event: Tournament) -> None:
    """In every match two teams sit opposite each other, each member on the seat of their number."""
    lineups = {team.pk: called(team) for team in teams(event).values()}
    seats = Seat.objects.filter(match__stage__tournament=event).order_by("match", "index")
    by_match: dict[int, list[tuple[int, int, str]]] = {}
    for match, side, entry, name in seats.values_list("match_id", "side", "entry_id", "player__name"):
        by_match.setdefault(match, []).append((side, entry, name))
    for rows in by_match.values():
        assert [side for side, _entry, _name in rows] == [0, 1, 0, 1]
        for side in (0, 1):
            own = [(entry, name) for each, entry, name in rows if each == side]
            assert len({entry for entry, _name in own}) == 1
            assert [name for _entry, name in own] == lineups[own[0][0]]


def a_whole_event(people: int) -> Tournament:
    """Played to its end."""
    event, random = hawaii(people), Random(people)
    pools, final = event.stages.select_related("tournament", "ruleset").order_by("order")
    play_rounds(event, pools, random)
    close_stage(stage=pools, by=event.created_by)
    draw_stage(tournament=event, by=event.created_by, order=2)
    final.refresh_from_db()
    play_rounds(event, final, random)
    close_stage(stage=final, by=event.created_by)
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    return event


@pytest.mark.slow
@pytest.mark.parametrize(
    ("people", "pools", "pool", "matches", "cut"),
    [
        (20, 2, 5, 20, 4),
        pytest.param(144, 9, 8, 252, 16, marks=pytest.mark.timeout(1200)),
    ],
)
def test_hawaii_from_the_draw_of_partners_to_the_champions_and_back_from_a_file(
    people: int, pools: int, pool: int, matches: int, cut: int
) -> None:
    event = a_whole_event(people)
    first, last = event.stages.order_by("order")
    check_seats(event)
    assert first.matches.count() == matches
    sizes = Counter(first.stage_entries.values_list("group__label", flat=True))
    assert sorted(sizes.values()) == [pool] * pools
    played = Counter(Seat.objects.filter(match__stage=first, index__lt=2).values_list("entry", flat=True))
    assert set(played.values()) == {pool - 1}
    assert last.stage_entries.count() == cut
    assert 2 * cut - 2 <= last.matches.exclude(state=M.VOID).count() <= 2 * cut - 1
    ranks = list(Standing.objects.filter(stage=last, after_round=0).values_list("rank", flat=True))
    assert ranks.count(1) == 1
    check_members(event, first)
    data = event_json(event)
    copy = import_event.write(import_event.validate_event(data), by=a.a_user(), slug="copy")
    assert event_json(copy) == data
    assert Member.objects.filter(team__tournament=copy).count() == people
    assert PartnerDraw.objects.filter(tournament=copy).count() == 2


def check_members(event: Tournament, stage: Stage) -> None:
    """Check that everybody has what their team has: both sat at all of its tables."""
    table = {row.name: row for row in member_table(Stage.objects.select_related("tournament").get(pk=stage.pk))}
    assert len(table) == Entry.objects.filter(tournament=event, state=Entry.State.PARTNERED).count()
    for team in teams(event).values():
        own = Seat.objects.filter(match__stage=stage, entry=team, match__state=M.CONFIRMED, index__lt=2)
        points = sum(seat.points or 0 for seat in own)
        for name in called(team):
            assert (table[name].points, table[name].played, table[name].team) == (points, own.count(), team.player.name)


@pytest.mark.thorough
def test_a_file_whose_draw_does_not_follow_from_its_seed_is_refused() -> None:
    event = hawaii(24)
    Match.objects.filter(stage__tournament=event).update(state=M.VOID)
    event.state = Tournament.State.CANCELLED
    event.save()
    draw = PartnerDraw.objects.get(tournament=event, number=1)
    data = event_json(event)
    import_event.validate_event(data)
    told = json.loads(data)
    one, other = told["draws"][0]["teams"][:2]
    one[1], other[1] = other[1], one[1]
    for broken in (
        json.dumps(told).encode(),
        data.replace(bytes(draw.secret).hex().encode(), bytes(32).hex().encode()),
    ):
        with pytest.raises(Exception, match="draw of partners does not follow") as refused:
            import_event.validate_event(broken)
        assert getattr(refused.value, "code", "") == "event.draw"
