"""Rows of finished matches: who has won, and that nobody has where the first place is shared."""

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.test import RequestFactory

from tests.builders import events as a
from tests.services.forging import forge
from tournaments.models import Match
from tournaments.pages.matches.rows import row_of


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("places", "marked"), [((1, 2), ["won", "soft"]), ((1, 1), [])])
@pytest.mark.django_db
def test_a_shared_first_place_has_no_star(places: tuple[int, int], marked: list[str], rf: RequestFactory) -> None:
    match = a.matches_of(a.a_running_event())[0]
    for index, place in enumerate(places):
        forge(match.seats.filter(index=index), place=place)
    row = row_of(Match.objects.get(pk=match.pk))
    request = rf.get("/")
    request.user = AnonymousUser()
    html = render_to_string("pages/_replay_rows.html", {"replays": [row]}, request)
    assert [word for word in ("won", "soft") if re.search(rf'<span class="[^"]*\b{word}\b', html)] == marked
    assert all(side.name in html for side in row.sides)


@pytest.mark.django_db
def test_the_reader_s_own_side_stands_first_and_is_never_grey(rf: RequestFactory) -> None:
    match = a.matches_of(a.a_running_event())[0]
    for index, place in enumerate((1, 2)):
        forge(match.seats.filter(index=index), place=place)
    winner, loser = (seat.entry.player for seat in match.seats.order_by("index") if seat.entry)
    row = row_of(Match.objects.get(pk=match.pk), lambda player: player == loser)
    assert [(side.name, side.won) for side in row.sides] == [(loser.name, False), (winner.name, True)]
    request = rf.get("/")
    request.user = AnonymousUser()
    html = render_to_string("pages/_replay_rows.html", {"replays": [row]}, request)
    assert not re.search(r"\bsoft\b", html.partition("</a>")[0])
    for player in (winner, loser):
        assert re.search(rf'<svg class="em"[^>]*>\s*<use[^>]*/>\s*</svg>\s*{re.escape(player.name)}<', html)
