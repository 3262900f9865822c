"""Results from paper as CSV: the sheet of a round, all of it or nothing, the wrong line named, twice and late."""

from __future__ import annotations

import pytest

from core.errors import TournamentError
from engine.errors import DomainError
from tests.builders import events as a
from tests.builders.clubs import a_called_night, round_of, tables_of, totals
from tests.tournaments.progress.test_people import refused, stage_of, with_role
from tournaments.floor.result_sheets import blank_sheet, enter_sheet, read_sheet
from tournaments.matches.deal_sets import rules_of
from tournaments.matches.report_bodies import Claim
from tournaments.models import Match, ResultReport, Tournament
from tournaments.pages.scores.claim_form import fields_for, read_claim
from tournaments.scores.actions import Actor, submit_result
from tournaments.standings import store

pytestmark = pytest.mark.django_db
HEADS = "table,side,points\n"


def lines(*rows: str) -> bytes:
    """A sheet of table, side, points."""
    return (HEADS + "\n".join(rows) + "\n").encode()


def entered(event: Tournament, data: bytes) -> int:
    """Look and enter."""
    row, by = round_of(event, 1), event.created_by
    return enter_sheet(round_row=row, by=by, data=data, seen=read_sheet(round_row=row, by=by, data=data).hash)


def confirmed(event: Tournament) -> list[list[int] | None]:
    """The confirmed score of each table."""
    reports = {each.match_id: each.body["score"] for each in ResultReport.objects.filter(state="confirmed")}
    return [reports.get(match.pk) for match in tables_of(event)]


def filled(event: Tournament) -> bytes:
    """The sheet of round 1 with 130 or 110 points in every line."""
    text = blank_sheet(round_row=round_of(event, 1), by=event.created_by).decode("utf-8-sig")
    head, *rows = text.splitlines()
    assert head == "table,side,name,points,absent"
    done = [f"{row[:-2]},{130 if row.split(',')[1] == '1' else 110}," for row in rows]
    return "\r\n".join([head, *done]).encode()


@pytest.mark.thorough
def test_the_sheet_of_a_round_is_filled_and_entered() -> None:
    event = a_called_night()
    row, by = round_of(event, 1), event.created_by
    sheet = read_sheet(round_row=row, by=by, data=filled(event))
    assert [(each.score, each.state, each.line) for each in sheet.tables] == [
        ((130, 110), "new", 2),
        ((130, 110), "new", 4),
        ((130, 110), "new", 6),
    ]
    assert (sheet.open_n, confirmed(event)) == (0, [None, None, None])
    assert entered(event, filled(event)) == 3
    assert confirmed(event) == [[130, 110]] * 3
    assert round_of(event, 1).state == "complete"
    assert store.differences(stage_of(event)) == []
    again = blank_sheet(round_row=row, by=by)
    assert again.decode("utf-8-sig").count(",130,") == 3
    assert {each.state for each in read_sheet(round_row=row, by=by, data=again).tables} == {"same"}
    assert entered(event, again) == 0
    assert ResultReport.objects.count() == 3


@pytest.mark.thorough
def test_a_part_of_the_round_and_tables_that_are_not_called() -> None:
    event = a_called_night()
    match = tables_of(event)[2]
    Match.objects.filter(pk=match.pk).update(state="ready")
    sheet = lines("1;1;130", "1;2;110", "3;2;−20", "3;1;210", "2;1;", "2;2;").replace(b",", b";")
    assert read_sheet(round_row=round_of(event, 1), by=event.created_by, data=sheet).open_n == 1
    assert entered(event, sheet) == 2
    assert confirmed(event) == [[130, 110], None, [210, -20]]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("rows", "code", "line"),
    [
        (("1,1,130", "1,2,111"), "report.points_impossible", 3),
        (("1,1,130", "1,2,110", "2,1,200", "2,2,100"), "report.points_impossible", 4),
        (("1,1,130", "1,2,"), "sheet.missing", 3),
        (("1,1,130",), "sheet.missing", 2),
        (("1,1,130", "1,2,many"), "sheet.number", 3),
        (("9,1,130", "9,2,110"), "sheet.table", 2),
        (("one,1,130",), "sheet.table", 2),
        (("1,3,130",), "sheet.side", 2),
        (("1,1,130", "1,1,110"), "sheet.twice", 3),
        (("1,1,130", "", "1,2,111"), "report.points_impossible", 4),
    ],
)
def test_a_line_that_cannot_be_is_named_and_nothing_is_entered(rows: tuple[str, ...], code: str, line: int) -> None:
    event = a_called_night()
    good = ("3,1,130", "3,2,110")
    with pytest.raises(TournamentError, match=f"Line {line}: ") as found:
        entered(event, lines(*rows, *good))
    assert (found.value.code, found.value.extra["line"]) == (code, line)
    assert not ResultReport.objects.exists()


@pytest.mark.thorough
def test_columns_by_their_names_in_three_languages_and_a_sheet_that_slipped() -> None:
    event = a_called_night()
    first, second = (seat.entry.player.name for seat in tables_of(event)[0].seats.order_by("index") if seat.entry)
    sheet = f"得点\t名前\t卓\n130\t{first}\t1\n110\t{second.upper()}\t1\n"
    assert entered(event, sheet.encode("utf-16")) == 1
    with refused("sheet.name"):
        entered(event, f"table,side,name,points\n2,1,{first},130\n2,2,{second},110\n".encode())
    for wrong, code in (("", "sheet.empty"), ("points\n1\n", "sheet.heading"), ("1,1,130\n", "sheet.heading")):
        with refused(code):
            entered(event, wrong.encode())


@pytest.mark.thorough
def test_who_did_not_come_and_deals_won() -> None:
    event = a_called_night(preset="paradise", options={"rounds": 2, "chu": True})
    head = "table,side,points,won,absent\n"
    with refused("sheet.missing"):
        entered(event, f"{head}1,1,270,,\n1,2,160,1,\n".encode())
    sheet = f"{head}1,1,270,1,\n1,2,160,1,\n2,1,,,x\n2,2,,,\n"
    assert entered(event, sheet.encode()) == 2
    seats = [list(match.seats.order_by("index").values_list("victories", "outcome")) for match in tables_of(event)[:2]]
    assert seats[0] == [(1, "played"), (1, "played")]
    assert seats[1][0][1] == "forfeit"
    again = blank_sheet(round_row=round_of(event, 1), by=event.created_by)
    assert entered(event, again) == 0
    with refused("sheet.absent"):
        entered(event, f"{head}3,1,,,perhaps\n3,2,,,\n".encode())


@pytest.mark.thorough
def test_wrong_person_moved_meanwhile_and_what_was_reported_before() -> None:
    event = a_called_night()
    row, data = round_of(event, 1), filled(event)
    with refused("tournament.not_organiser"):
        read_sheet(round_row=row, by=a.a_user(), data=data)
    scorer = with_role(event, "scorer")
    seen = read_sheet(round_row=row, by=scorer, data=data).hash
    one, two, three = tables_of(event)
    submit_result(match=one, actor=Actor(side=0), claim=totals(150, 90))
    with refused("sheet.changed"):
        enter_sheet(round_row=row, by=scorer, data=data, seen=seen)
    sheet = read_sheet(round_row=row, by=scorer, data=data)
    assert [each.state for each in sheet.tables] == ["instead", "new", "new"]
    submit_result(match=one, actor=Actor(side=1), claim=totals(90, 150))
    with refused("sheet.disputed"):
        read_sheet(round_row=row, by=scorer, data=data)
    arbiter = with_role(event, "arbiter")
    seen = read_sheet(round_row=row, by=arbiter, data=data).hash
    assert enter_sheet(round_row=row, by=arbiter, data=data, seen=seen) == 3
    with refused("sheet.changed"):
        enter_sheet(round_row=row, by=arbiter, data=data, seen=seen)
    with refused("sheet.confirmed"):
        entered(event, data.replace(b",130,", b",100,"))
    Match.objects.filter(pk__in=[two.pk, three.pk]).update(state="void")
    with refused("sheet.void"):
        entered(event, data)


def test_a_table_that_cannot_be_entered_takes_the_others_with_it() -> None:
    event = a_called_night()
    row, by, data = round_of(event, 1), event.created_by, filled(event)
    seen = read_sheet(round_row=row, by=by, data=data).hash
    Tournament.objects.filter(pk=event.pk).update(state="cancelled")
    with pytest.raises(DomainError, match="Line 2: ") as found:
        enter_sheet(round_row=row, by=by, data=data, seen=seen)
    assert found.value.code == "report.not_running"
    assert not ResultReport.objects.exists()


@pytest.mark.thorough
def test_a_sheet_and_a_claim_by_deals_say_the_same() -> None:
    event = a_called_night(options={"rounds": 2})
    match = tables_of(event)[0]
    claim = Claim(deals=((130, 110), (100, 140)), winners=(None, None))
    submit_result(match=match, actor=Actor(user=event.created_by), claim=claim)
    again = blank_sheet(round_row=round_of(event, 1), by=event.created_by)
    assert [
        each.state for each in read_sheet(round_row=round_of(event, 1), by=event.created_by, data=again).tables
    ] == ["same"]


@pytest.mark.thorough
def test_one_deal_that_decides_is_told_by_its_points_alone() -> None:
    event = a_called_night(preset="paradise", options={"rounds": 1, "chu": True})
    assert entered(event, lines("1,1,190", "1,2,50")) == 1
    with refused("report.winner_needed"):
        entered(event, lines("2,1,120", "2,2,120"))
    first, second, _third = tables_of(event)
    assert list(first.seats.order_by("index").values_list("victories", flat=True)) == [2, 0]
    rules = rules_of(second.stage)
    level = read_claim({"d1_0": "120", "d1_1": "120", "w1": "1"}, fields_for(rules, 2))
    submit_result(match=second, actor=Actor(user=event.created_by), claim=level)
    assert list(second.seats.order_by("index").values_list("victories", flat=True)) == [0, 1]
