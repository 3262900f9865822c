"""Fragments of a table that are rendered once: a cached one is what would be rendered now."""

from __future__ import annotations

import time
from random import Random

import pytest
from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.utils import translation
from django.utils.safestring import SafeString

from engine.games import ruleset
from tables.models import LiveSeat, LiveTable
from tables.play.clocks import CLOCKS
from tables.play.fold import Fold, begin
from tables.view.drawn import drawn
from tables.view.masks import NOBODY
from tables.view.state import _seen
from tests.tables.players import FEW
from tests.tables.test_views import NOW, a_table_of
from tournaments.templatetags import fragment_cache


@pytest.fixture(autouse=True)
def _none_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fragment_cache, "_FRAGMENTS", fragment_cache.FragmentCache())


def board(fold: Fold, table: LiveTable, seats: list[LiveSeat], seat: int, sprite: str) -> str:
    context = {"live": table, "own": None, "sprite": sprite, **drawn(_seen(table, seats, seat, fold))}
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    return render_to_string("play/_part.html", {**context, "request": request})


@pytest.mark.parametrize(("preset", "seats"), FEW)
def test_what_is_cached_is_what_would_be_rendered(preset: str, seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(f"{preset}{seats}")
    fold = begin(ruleset(preset), seats, rng.randbytes(32), CLOCKS["casual"], NOW)
    table, rows = a_table_of(preset, seats)
    fragments = fragment_cache._FRAGMENTS
    for _each in range(40):
        seat, language, sprite = rng.randrange(NOBODY, seats), rng.choice(["en", "ja", "fr"]), rng.choice("ab")
        with translation.override(language):
            shown = board(fold, table, rows, seat, sprite)
            with monkeypatch.context() as alone:
                alone.setattr(fragment_cache, "_FRAGMENTS", fragment_cache.FragmentCache())
                assert board(fold, table, rows, seat, sprite) == shown
        question = fold.question
        if question is None:
            break
        fold._apply(question.legal[rng.randrange(len(question.legal))], 0)
        fold._play_on()
    assert fragments._fragments, "nothing was cached: nothing was compared"


def test_the_felt_escapes_what_people_wrote() -> None:
    fold = begin(ruleset("koikoi_nintendo"), 2, bytes(32), CLOCKS["casual"], NOW)
    table, rows = a_table_of("koikoi_nintendo", 2)
    rows[0].name = rows[1].name = """<b>"Kiri" & 'Momo'</b>"""
    shown = board(fold, table, rows, 0, "a")
    assert "<b>&quot;Kiri" not in shown
    assert '<b>"Kiri' not in shown
    assert shown.count("&lt;b&gt;") >= 4, "beside the cards and in the names of the seats"
    assert "&amp;lt;" not in shown, "once"


def test_two_readers_of_one_table_share_what_both_see() -> None:
    fold = begin(ruleset("koikoi_nintendo"), 2, bytes(32), CLOCKS["casual"], NOW)
    table, rows = a_table_of("koikoi_nintendo", 2)
    board(fold, table, rows, 0, "a")
    of_one = set(fragment_cache._FRAGMENTS._fragments)
    board(fold, table, rows, 1, "a")
    assert set(fragment_cache._FRAGMENTS._fragments) == of_one
    board(fold, table, rows, 1, "b")
    assert set(fragment_cache._FRAGMENTS._fragments) > of_one, "other cards are other pictures"


def test_a_fragment_is_cached_for_a_minute_and_never_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    fragments = fragment_cache.FragmentCache()
    fragments.set("plum", SafeString("plum"))
    now[0] += fragment_cache.TIMEOUT_S / 2
    assert fragments.get("plum") == "plum"
    now[0] += fragment_cache.TIMEOUT_S / 2
    assert fragments.get("plum") == "plum", "it was asked for"
    now[0] += fragment_cache.TIMEOUT_S
    assert (fragments.get("plum"), fragments._characters) == (None, 0)
    third = SafeString("x" * (fragment_cache.MAX_CHARACTERS // 3))
    for number in range(5):
        fragments.set(number, third)
    assert [fragments.get(number) is not None for number in range(5)] == [False, False, True, True, True]
