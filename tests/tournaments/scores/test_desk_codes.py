"""Six letters instead of a scan: every side has its own, only of an open table, and guessing is slow."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import override_settings
from django.utils import timezone

from bots.models import Meter
from tests.builders.clubs import a_called_night, round_of, tables_of
from tests.tournaments.progress.test_people import draw_next, finish_round, refused
from tournaments.models import Match, Tournament
from tournaments.progress.rounds import take_back_round
from tournaments.scores.slips import LETTERS, MAX_WRONG, RENEWED_FROM, WRONG_WITHIN, read_code, table_code

pytestmark = pytest.mark.django_db


@pytest.mark.thorough
def test_every_side_of_every_match_has_a_code_of_its_own() -> None:
    assert len(LETTERS) == len(set(LETTERS)) == 32
    assert not set("01OI") & set(LETTERS)
    codes = {table_code(Match(pk=pk), side) for pk in range(1, 1500) for side in range(7)}
    assert len(codes) == 1499 * 7
    assert {len(code) for code in codes} == {6}
    assert set("".join(codes)) == set(LETTERS)
    renewed = {table_code(Match(pk=1), side, renewal) for renewal in range(1, 1500) for side in range(7)}
    assert len(renewed | codes) == 2 * 1499 * 7
    last = {table_code(Match(pk=RENEWED_FROM - 1), 7), table_code(Match(pk=1), 7, RENEWED_FROM - 1)}
    assert len(last - {""}) == 2
    assert table_code(Match(pk=RENEWED_FROM), 0) == table_code(Match(pk=1), 0, RENEWED_FROM) == ""


def test_neighbours_tell_nothing_of_each_other_and_the_key_decides() -> None:
    one, two = (table_code(Match(pk=41), side) for side in (0, 1))
    assert sum(left == right for left, right in zip(one, two, strict=True)) <= 3
    with override_settings(SECRET_KEY="another key of an installation, long enough for it"):
        assert table_code(Match(pk=41), 0) != one


@pytest.mark.thorough
def test_a_code_opens_its_table_as_it_is_typed() -> None:
    match = tables_of(a_called_night())[0]
    for side in (0, 1):
        code = table_code(match, side)
        for typed in (code, code.lower(), f" {code[:3]} {code[3:]}", f"{code[:3]}-{code[3:]}"):
            assert read_code(typed, network="hall") == (match, side)
    for wrong in ("", "ABC", f"{code}A", table_code(match, 2), "０００OI1", "ßßßßßß"):
        with refused("code.unknown"):
            read_code(wrong, network="hall")


@pytest.mark.thorough
def test_it_is_good_for_its_round_only() -> None:
    event = a_called_night()
    first = table_code(tables_of(event)[0], 0)
    finish_round(event)
    assert read_code(first, network="hall")
    row = draw_next(event)
    second = table_code(tables_of(event, 2)[0], 0)
    assert read_code(second, network="hall")
    with refused("code.unknown"):
        read_code(first, network="hall")
    take_back_round(round_row=row, by=event.created_by)
    with refused("code.unknown"):
        read_code(second, network="hall")
    assert read_code(first, network="hall")
    draw_next(event)
    assert table_code(tables_of(event, 2)[0], 0) != second
    Tournament.objects.filter(pk=event.pk).update(state="finished")
    with refused("code.unknown"):
        read_code(table_code(round_of(event, 2).matches.all()[0], 0), network="hall")


@pytest.mark.thorough
def test_guessing_is_slow_and_right_codes_do_not_count() -> None:
    good = table_code(tables_of(a_called_night())[0], 0)
    for _wrong in range(MAX_WRONG):
        read_code(good, network="hall")
        with refused("code.unknown"):
            read_code("222222" if good != "222222" else "333333", network="hall")
    for typed in ("AAAAAA", good):
        with refused("code.rate"):
            read_code(typed, network="hall")
    assert read_code(good, network="another hall")
    Meter.objects.update(began_at=timezone.now() - WRONG_WITHIN - timedelta(seconds=1))
    assert read_code(good, network="hall")
