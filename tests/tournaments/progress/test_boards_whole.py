"""Teams whose members sit apart, beside the main road: mixed tables, captains, corrections, files, refusals."""

from __future__ import annotations

import pytest

from tests.builders import boards as b
from tests.builders import events as a
from tests.builders.boards import refusal
from tournaments.entries.captains import captain_token, captains_of, read_captain
from tournaments.entries.lineups import leave_team, preview_lineup, set_lineup
from tournaments.entries.people import withdraw_person
from tournaments.entries.substitutes import substitute
from tournaments.interchange.export import event_json
from tournaments.interchange.files import event_file
from tournaments.interchange.imports import event as import_event
from tournaments.matches.report_bodies import Claim
from tournaments.models import Entry, Match, ResultReport, Seat, Standing
from tournaments.progress.corrections.results import correct_result, preview_correction
from tournaments.progress.rounds import close_stage
from tournaments.progress.run import start_tournament
from tournaments.standings import store
from tournaments.standings.boards import member_standings

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
M = Match.State


def test_tables_of_four_part_the_members_and_a_team_has_the_sum_of_its_boards() -> None:
    event = b.a_running_night(seats=4, kind="tables", rounds=2, boards=2, people=2, team_score="sum")
    stage = b.stage_of(event)
    for number in (1, 2):
        tables = b.seated(event, number)
        assert [len(own) for own in tables.values()] == [4, 4]
        assert all(len({team for team, _board, _who in own}) == 4 for own in tables.values())
        assert all(who == f"{team[:2]}{board}" for own in tables.values() for team, board, who in own)
    b.play_on(event)
    rows = list(Standing.objects.filter(stage=stage, after_round=0).order_by("row"))
    assert [row.entry.player.name for row in rows] == ["Boars", "Cranes", "Deer", "Geese"]
    assert [str(row.key[0]) for row in rows] == ["360", "280", "200", "120"]
    people = member_standings(stage)
    assert [(line.rank, line.name, line.team, line.boards) for line in people.lines][:3] == [
        (1, "Bo1", "Boars", "1"),
        (1, "Bo2", "Boars", "2"),
        (3, "Cr1", "Cranes", "1"),
    ]
    assert [line.row.value("points") for line in people.lines][:3] == [180, 180, 140]
    assert store.differences(stage) == []


def test_only_the_best_boards_of_a_round_count_and_the_others_are_shown_cut() -> None:
    event = b.a_running_night(team_score="best", team_best=2, scoring="cumulative", rounds=1)
    first = b.call(event, 1)
    for match, points in zip(first, ((120, 20), (100, 10), (80, 80), (5, 5), (15, 15), (25, 25)), strict=True):
        b.enter(event, match, *points)
    stage = b.stage_of(event)
    row = Standing.objects.get(stage=stage, after_round=0, row=1)
    terms = row.explanation[0]["terms"]
    assert sorted(int(term["amount"]) for term in terms if term.get("counted", True)) == sorted(
        sorted(int(term["amount"]) for term in terms)[1:]
    )
    assert [term["note"] for term in terms if not term.get("counted", True)] == ["cut"]


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["Bo1", "Bo1", "Bo2"], "lineup.twice"),
        (["Bo1", "Bo2"], "lineup.size"),
        ([None, None, None], "lineup.size"),
        (["Bo1", "Cr1", "Bo2"], "lineup.not_member"),
    ],
)
def test_a_line_up_that_cannot_be_is_refused(names: list[str | None], code: str) -> None:
    event = b.a_team_night()
    people = [b.named(event, name) if name else None for name in names]
    team = b.named(event, "Boars")
    assert refusal(lambda: preview_lineup(team=team, by=event.created_by, people=people)) == code


def test_a_captain_has_an_address_and_only_their_own_people() -> None:
    event = b.a_team_night(people=4)
    captain = captains_of(event)[b.named(event, "Boars").pk]
    token = captain_token(captain)
    assert captain.person.player.name == "Bo1"
    team = read_captain(token, event)
    people: list[Entry | None] = [b.named(event, name) for name in ("Bo2", "Bo1", "Bo4")]
    seen = preview_lineup(team=team, by=None, people=people)
    set_lineup(team=team, by=None, people=people, seen=seen.hash)
    assert read_captain(token, event) == team  # the board is another one, the captain is not
    leave_team(member=b.named(event, "Bo1"), by=event.created_by)
    assert refusal(lambda: read_captain(token, event)) == "captain.unknown"
    assert refusal(lambda: read_captain("made:up", event)) == "captain.unknown"


def test_at_a_table_of_four_the_others_play_without_the_empty_board() -> None:
    event = b.a_running_night(seats=4, kind="tables", rounds=1, boards=2, people=2)
    leave_team(member=b.named(event, "Bo2"), by=event.created_by)
    table = next(match for match in b.call(event, 1) if match.seats.filter(player=None).exists())
    gone = table.seats.get(player=None)
    points = [0 if seat.index == gone.index else 60 + 5 * seat.index for seat in table.seats.order_by("index")]
    b.enter(event, table, *points)
    gone.refresh_from_db()
    assert (gone.points, gone.place, gone.outcome) == (0, 4, Seat.Outcome.FORFEIT)
    others = table.seats.exclude(pk=gone.pk)
    assert sorted(seat.points or 0 for seat in others) == sorted(point for point in points if point)


def test_a_member_is_replaced_at_a_table_that_has_not_begun_while_the_other_boards_play() -> None:
    event = b.a_running_night()
    tables = b.call(event, 1)
    own = {seat.board: seat.match for seat in Seat.objects.filter(match__in=tables, entry__player__name="Boars")}
    b.enter(event, own[1], 100, 50)
    team, by = b.named(event, "Boars"), event.created_by
    member = substitute(team=team, by=by, member=b.named(event, "Bo2"), name="Newcomer")
    assert (member.number, member.from_round) == (2, 1)
    assert own[2].seats.get(entry=team).player == member.person.player
    later = substitute(team=team, by=by, member=b.named(event, "Bo1"), name="Another")
    assert (later.number, later.from_round) == (1, 2)


def test_a_team_that_leaves_is_drawn_no_more_and_its_open_boards_are_no_shows() -> None:
    event = b.a_running_night(kind="round_robin", team_score="meetings", rounds=1)
    b.play(event, 1)
    withdraw_person(entry=b.named(event, "Cranes"), by=event.created_by)
    b.play_on_from(event, 2)
    stage = b.stage_of(event)
    walked = ResultReport.objects.filter(match__stage=stage, body__end="walkover").count()
    assert walked == 6
    rows = {row.entry.player.name: row for row in Standing.objects.filter(stage=stage, after_round=0)}
    assert len(rows["Cranes"].explanation[1]["terms"]) == 9
    assert store.differences(stage) == []


def test_a_correction_at_one_board_moves_the_teams() -> None:
    event = b.a_running_night(count=2, rounds=1, team_score="meetings")
    for match in b.call(event, 1):
        first = match.seats.get(index=0).entry
        assert first is not None
        b.enter(event, match, *((90, 50) if first.player.name == "Boars" else (50, 90)))
    stage = b.stage_of(event)

    def leader() -> str:
        return Standing.objects.select_related("entry__player").get(stage=stage, after_round=0, row=1).entry.player.name

    assert leader() == "Boars"
    for match in Match.objects.filter(round=b.round_of(event, 1)).order_by("table_no")[:2]:
        old = [seat.points or 0 for seat in match.seats.order_by("index")]
        claim = Claim(totals=tuple(reversed(old)))
        seen = preview_correction(match=match, by=event.created_by, claim=claim)
        correct_result(match=match, by=event.created_by, claim=claim, reason="Mixed up", seen=seen.hash)
    assert leader() == "Cranes"
    assert store.differences(stage) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"team_score": "meetings", "people": 4, "count": 5},
        {"seats": 4, "kind": "pods", "rounds": 2, "boards": 3, "count": 5, "team_score": "best", "team_best": 2},
    ],
)
def test_an_event_of_teams_that_sit_apart_goes_out_to_a_file_and_back(changes: dict[str, object]) -> None:
    event = b.a_running_night(**changes)
    team = b.named(event, "Deer")
    names = ["De3", "De1", None]
    people = [b.named(event, name) if name else None for name in names]
    seen = preview_lineup(team=team, by=event.created_by, people=people)
    set_lineup(team=team, by=event.created_by, people=people, seen=seen.hash)
    b.play_on(event)
    close_stage(stage=b.stage_of(event), by=event.created_by)
    event.refresh_from_db()
    data = event_json(event)
    copy = import_event.write(import_event.validate_event(data), by=a.a_user(), slug="copy")
    assert event_json(copy) == data
    assert store.differences(b.stage_of(event)) == []
    table = event_file(copy, "pairings.csv", {}).content.decode().splitlines()
    assert table[0].endswith("team,board")
    assert any(line.endswith("Deer,1") and ",De3," in line for line in table)
    assert any(line.endswith("Deer,3") and "De2" not in line for line in table[1:])


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"boards": 1}, "tournament.bad_boards"),
        ({"who": "bots", "partners": ""}, "tournament.bad_boards"),
        ({"kind": "single_elim"}, "tournament.bad_boards"),
        ({"kind": "tables"}, "tournament.bad_boards"),
        ({"team_score": "loudest"}, "tournament.bad_team_score"),
        ({"team_score": "best", "team_best": 3}, "tournament.bad_team_best"),
        ({"team_score": "meetings", "kind": "pods", "seats": 4}, "tournament.bad_team_score"),
        ({"team_score": "boards", "scoring": "cumulative"}, "tournament.bad_scoring"),
    ],
)
def test_what_teams_that_sit_apart_cannot_have_is_refused(changes: dict[str, object], code: str) -> None:
    assert refusal(lambda: b.a_team_night(**changes)) == code  # type: ignore[arg-type]  # fields by name


def test_too_few_teams_for_a_table_are_named() -> None:
    event = b.a_team_night(seats=5, kind="tables", count=3, boards=4, people=4, rounds=1)
    assert refusal(lambda: start_tournament(tournament=event, by=event.created_by)) == "entries.too_few"
