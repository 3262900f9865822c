"""Pages of teams that sit apart: as few queries for many teams as for few; who may look at line-ups; places change."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from core.formats.model import Plan
from tests.builders import boards as b
from tests.builders import events as a
from tests.builders.boards import refusal
from tournaments.entries.captains import captain_token, captains_of
from tournaments.models import Match, Tournament
from tournaments.progress.draws.swaps import preview_swap, swap_places
from tournaments.progress.rounds import call_round

pytestmark = pytest.mark.django_db(transaction=True)
MAXIMUM = 9
"""With the query for the reader's session there are ten."""
PAGES = ("rounds/", "standings/", "standings/?members=1", "crosstable/", "partners/", "lineups/", "print/1/", "desk/")


def queries_of(event: Tournament, client: Client) -> dict[str, int]:
    """Return how many queries each page takes, the session's and the reader's own left out."""
    found = {}
    for page in PAGES:
        client.get(f"/t/{event.slug}/{page}")
        with CaptureQueriesContext(
            connection,
        ) as seen:
            assert client.get(f"/t/{event.slug}/{page}").status_code == 200
        found[page] = sum("django_session" not in query["sql"] for query in seen.captured_queries)
    return found


@pytest.mark.slow
def test_pages_take_as_many_queries_for_six_teams_as_for_two(client: Client) -> None:
    few = b.a_running_night(count=2, rounds=1)
    many = b.a_running_night(count=6, rounds=1, people=5)
    for event in (few, many):
        b.play(event, 1)
    client.force_login(few.created_by)
    of_few = queries_of(few, client)
    client.force_login(many.created_by)
    of_many = queries_of(many, client)
    assert of_many == of_few
    assert {page: n for page, n in of_many.items() if n > MAXIMUM} == {}


@pytest.mark.thorough
def test_line_ups_are_the_organiser_s_and_the_captain_s_alone(client: Client) -> None:
    event = b.a_team_night()
    own = f"/t/{event.slug}/lineups/"
    token = captain_token(captains_of(event)[b.named(event, "Boars").pk])
    assert client.get(own).status_code == 302
    assert client.get(f"{own}{token}/").status_code == 200
    assert (
        client.get(f"{own}{token}x/").status_code == 404 or b"captain.unknown" in client.get(f"{own}{token}x/").content
    )
    client.force_login(a.a_user())
    assert client.get(own).status_code == 404
    assert client.post(f"{own}part/", {"member": "x"}).status_code == 404
    client.force_login(event.created_by)
    assert client.get(own).status_code == 200


@pytest.mark.thorough
@pytest.mark.parametrize("changes", [{}, {"seats": 4, "kind": "pods", "boards": 2, "people": 2}])
def test_two_teams_change_places_with_all_their_boards(changes: dict[str, int]) -> None:
    event = b.a_running_night(count=5 if changes else 4, **changes)
    by, row = event.created_by, b.round_of(event, 1)
    plan = Plan.from_json(row.plan)
    one, other = plan.pods[0].seats[0], next(team for team in plan.pods[-1].seats if team not in plan.pods[0].seats[:1])
    before = b.seated(event, 1)
    seen = preview_swap(round_row=row, by=by, one=one, other=other)
    swap_places(round_row=row, by=by, one=one, other=other, seen=seen.hash)
    names = {str(each.uuid): name for name, each in b.teams(event).items()}
    instead = {names[one]: names[other], names[other]: names[one]}
    wanted = {n: [(instead.get(team, team), board) for team, board, _who in own] for n, own in before.items()}
    after = b.seated(event, 1)
    assert {n: [(team, board) for team, board, _who in own] for n, own in after.items()} == wanted
    assert all(who == f"{team[:2]}{board}" for own in after.values() for team, board, who in own)
    call_round(round_row=b.round_of(event, 1), by=by)
    assert Match.objects.filter(round=row, state=Match.State.CALLED).count() == len(plan.pods)
    assert refusal(lambda: preview_swap(round_row=row, by=by, one=one, other=other)) == "swap.called"
