"""Teams whose members sit apart: draws, line-ups, empty boards, scores, corrections, leaving, a file and back."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest
from django.test import Client

from tests.builders import boards as b
from tests.builders.boards import refusal
from tournaments.entries.lineups import leave_team, preview_lineup, set_lineup
from tournaments.models import Entry, Match, ResultReport, Standing, Tournament
from tournaments.progress import undo

pytestmark = pytest.mark.django_db(transaction=True)
M = Match.State


@pytest.mark.slow
def test_board_meets_board_first_seats_alternate_and_a_swiss_goes_on_by_meetings() -> None:
    event = b.a_running_night(team_score="meetings")
    stage = b.stage_of(event)
    assert (event.boards, event.team_score, stage.scoring) == (3, "meetings", "place")
    tables = b.seated(event, 1)
    assert sorted(tables) == [1, 2, 3, 4, 5, 6]
    for first in (1, 4):
        meeting = [tables[first + step] for step in range(3)]
        assert [[board for _team, board, _who in table] for table in meeting] == [[1, 1], [2, 2], [3, 3]]
        teams = [[team for team, _board, _who in table] for table in meeting]
        assert teams[0] == teams[2] == teams[1][::-1]
        assert all(who == f"{team[:2]}{board}" for table in meeting for team, board, who in table)
    b.play_on(event)
    assert stage.rounds.count() == 3
    met = [{frozenset(team for team, *_ in table) for table in b.seated(event, n).values()} for n in (1, 2, 3)]
    assert len(set().union(*met)) == 6  # nobody met anybody twice
    rows = list(Standing.objects.filter(stage=stage, after_round=0).order_by("row"))
    names = [row.entry.player.name for row in rows]
    assert names == ["Boars", "Cranes", "Deer", "Geese"]
    assert [[str(value) for value in row.key[:2]] for row in rows] == [["3", "9"], ["2", "6"], ["1", "3"], ["0", "0"]]
    line = rows[0].explanation[0]
    assert line["tie_break"] == "meetings"
    assert [term["amount"] for term in line["terms"]] == ["1", "1", "1"]
    assert sum(Fraction(term["amount"]) for term in rows[1].explanation[1]["terms"]) == 6


@pytest.mark.slow
def test_a_line_up_is_shown_first_holds_from_a_round_on_and_is_refused_once_that_is_drawn() -> None:
    event = b.a_running_night(people=4)
    by, team = event.created_by, b.named(event, "Boars")
    people: list[Entry | None] = [b.named(event, "Bo4"), b.named(event, "Bo1"), None]
    assert refusal(lambda: preview_lineup(team=team, by=by, people=people, from_round=1)) == "lineup.late"
    seen = preview_lineup(team=team, by=by, people=people)
    assert (seen.slot.number, seen.is_any, seen.later) == (2, True, False)
    assert sorted(person.player.name for person in seen.reserves) == ["Bo2", "Bo3"]
    assert b.Member.objects.filter(team=team).count() == 4  # nothing is written by looking
    set_lineup(team=team, by=by, people=people, seen=seen.hash)
    set_lineup(team=team, by=by, people=people, seen="anything")  # the same twice changes nothing
    assert refusal(lambda: set_lineup(team=team, by=by, people=people[::-1], seen=seen.hash)) == "lineup.changed"
    b.play(event, 1)
    assert {who for own in b.seated(event, 1).values() for team, _n, who in own if team == "Boars"} == {
        "Bo1",
        "Bo2",
        "Bo3",
    }
    b.draw(event)
    sat = {board: who for own in b.seated(event, 2).values() for team, board, who in own if team == "Boars"}
    assert sat == {1: "Bo4", 2: "Bo1", 3: ""}
    b.play(event, 2)
    b.draw(event)
    sat = {board: who for own in b.seated(event, 3).values() for team, board, who in own if team == "Boars"}
    assert sat == {1: "Bo4", 2: "Bo1", 3: ""}
    assert refusal(lambda: preview_lineup(team=team, by=by, people=people)) == "lineup.over"


@pytest.mark.slow
def test_an_empty_board_is_a_no_show_as_soon_as_it_is_called_and_undo_takes_it_back() -> None:
    event = b.a_running_night(kind="round_robin", team_score="boards", rounds=1)
    leave_team(member=b.named(event, "Bo3"), by=event.created_by)
    waiting = b.call(event, 1)
    assert len(waiting) == 5
    empty = Match.objects.get(round=b.round_of(event, 1), state=M.CONFIRMED)
    report = ResultReport.objects.get(match=empty)
    assert (report.body["end"], report.body["score"]) == ("walkover", [0, 0])
    seats = {seat.player is None: seat for seat in empty.seats.all()}
    assert (seats[True].board, seats[True].place, seats[False].place) == (3, 2, 1)
    offer = undo.offered(event, event.created_by, None)
    assert offer is not None
    undo.undo(tournament=event, by=event.created_by, seen=offer.id)
    assert not Match.objects.filter(round=b.round_of(event, 1), state=M.CONFIRMED).exists()
    assert len(b.call(event, 1)) == 5


@pytest.mark.thorough
def test_nobody_reads_a_line_up_before_the_draw(client: Client) -> None:
    event = b.a_running_night(people=4)
    event.visibility = Tournament.Visibility.PUBLIC
    event.save()
    pages = ("partners/", "entries/", "rounds/", "standings/?members=1", "feed/", "files/event.json")

    def told() -> list[str]:
        return [re.sub(r"\d\d:\d\d:\d\d", "", client.get(f"/t/{event.slug}/{page}").content.decode()) for page in pages]

    before = told()
    team, by = b.named(event, "Boars"), event.created_by
    people: list[Entry | None] = [b.named(event, "Bo4"), b.named(event, "Bo3"), None]
    seen = preview_lineup(team=team, by=by, people=people)
    set_lineup(team=team, by=by, people=people, seen=seen.hash)
    after = told()
    assert json.loads(after[5])["members"] == json.loads(before[5])["members"]
    for name, old, new in zip(pages[:4], before, after, strict=False):
        assert names_in(new) == names_in(old), name
    assert "set the line-up of" in after[4]
    assert "Bo4" not in after[4]


def names_in(page: str) -> list[str]:
    """The members in the order in which a page names them."""
    return re.findall(r"\bBo\d\b", page)
