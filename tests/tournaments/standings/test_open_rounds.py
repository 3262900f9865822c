"""Standings of a bracket while a round is on: what is still played has put nobody out."""

from __future__ import annotations

import pytest

from tests.builders.clubs import a_called_night, tables_of, totals
from tournaments.models import Match, Standing, Tournament
from tournaments.scores.actions import Actor, submit_result
from tournaments.standings import store

pytestmark = pytest.mark.django_db(transaction=True)


def places(event: Tournament) -> dict[str, str]:
    """The best place that each can still have."""
    rows = Standing.objects.filter(stage__tournament=event, after_round=store.NOW)
    return {name: str(key[0]) for name, key in rows.values_list("entry__player__name", "key")}


def names_at(match: Match) -> list[str]:
    return list(match.seats.order_by("index").values_list("entry__player__name", flat=True))


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["single_elim", "double_elim"])
def test_nobody_is_out_by_a_match_that_is_still_played(kind: str) -> None:
    event = a_called_night(people=8, kind=kind, rounds=1)
    first, *others = tables_of(event)
    submit_result(match=first, actor=Actor(user=event.created_by), claim=totals(80, 30))
    now = places(event)
    winner, loser = names_at(first)
    playing = [name for match in others for name in names_at(match)]
    # A person at a table can still be first, as the winner can; in a single elimination the loser cannot.
    assert {now[name] for name in (winner, *playing)} == {"1"}
    assert now[loser] == ("5" if kind == "single_elim" else "1")
