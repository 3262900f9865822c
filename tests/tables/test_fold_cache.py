"""What a process keeps of tables, and what pages are told so that they need not ask again."""

from __future__ import annotations

import json
import threading
import time
from datetime import UTC, datetime
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils.safestring import SafeString

from activity.models import Channel
from engine.games import ruleset
from tables.actions import fold_cache
from tables.play.clocks import CLOCKS
from tables.play.fold import Fold, begin
from tests.services.waiting import wait_until
from tests.tables.players import folded
from tests.tables.test_pages import JSON, two_guests
from tournaments.templatetags import fragment_cache


def a_fold(rows: int = 0) -> Fold:
    fold = begin(ruleset("koikoi_nintendo"), 2, bytes(32), CLOCKS["casual"], datetime.now(UTC))
    fold.rows = rows
    return fold


def test_a_fold_is_kept_for_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    cache = fold_cache.FoldCache()
    cache.put("plum", a_fold(5))
    now[0] += fold_cache.TIMEOUT_S / 2
    cache.put("crane", a_fold(5))
    assert cache.pop("plum") is not None
    assert cache.pop("plum") is None, "it belongs to its taker"
    cache.put("plum", a_fold(5))
    now[0] += fold_cache.TIMEOUT_S
    cache.put("moon", a_fold(5))
    assert [cache.pop(each) is not None for each in ("plum", "crane", "moon")] == [False, False, True]
    assert cache._rows == 0


def test_no_more_answers_than_that_are_kept() -> None:
    cache = fold_cache.FoldCache()
    for number in range(5):
        cache.put(str(number), a_fold(fold_cache.MAX_ROWS // 3))
    assert [cache.pop(str(number)) is not None for number in range(5)] == [False, False, True, True, True]


def whose_check() -> object:
    """Return the cache whose timer runs this thread."""
    timer = threading.current_thread()
    assert isinstance(timer, threading.Timer)
    return timer.function.__self__  # type: ignore[attr-defined]  # a timer's function is the method of a cache


def test_a_process_of_which_nobody_asks_anything_lets_go_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    returned: list[object] = []
    for name, value in (("TIMEOUT_S", 0.2), ("CHECK_EVERY_S", 0.05)):
        monkeypatch.setattr(fold_cache, name, value)
    monkeypatch.setattr(fold_cache, "return_memory", lambda **_how: returned.append(whose_check()))
    cache = fold_cache.FoldCache()
    # Built first: one that takes longer than TIMEOUT_S would be put after memory went back.
    for number, fold in enumerate([a_fold() for _ in range(4)]):
        cache.put(str(number), fold)
    # The cache of the process itself may return memory at the same moment.
    wait_until(lambda: any(one is cache for one in returned), 10, "memory that goes back")
    # A check that finds folds starts the next one under the lock.
    with cache._lock:
        assert not cache._folds
        assert cache._timer is None


def test_memory_goes_back_after_many_folds_while_others_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    now, returned = [100.0], list[tuple[float, bool]]()
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(fold_cache, "MANY", 3)
    monkeypatch.setattr(fold_cache, "return_memory", lambda is_at_rest: returned.append((now[0], is_at_rest)))
    monkeypatch.setattr(fold_cache.FoldCache, "_check_later", lambda _cache, _wait_s: None)
    cache = fold_cache.FoldCache()
    for number in range(6):
        cache.put(str(number), a_fold())
        now[0] += fold_cache.TIMEOUT_S / 4
        cache._check()
    assert returned == [(100.0 + fold_cache.TIMEOUT_S * 6 / 4, False)], "after the third that was let go of"
    now[0] += fold_cache.TIMEOUT_S
    cache._check()
    assert returned[1:] == [(now[0], True)], "nobody waits any more"


@pytest.mark.django_db
def test_an_answer_brings_the_news_of_itself_along(django_capture_on_commit_callbacks: Any) -> None:
    table, clients = two_guests()
    question = folded(table).question
    assert question is not None
    address = f"/play/{table.uuid}/"
    with django_capture_on_commit_callbacks(execute=True):
        form = {"n": question.n, "a": 0}
        reply = clients[question.seat].post(f"{address}do/answer/?part&after=0", form, **JSON)
    heard = Channel.objects.get(name=table.channel).version
    assert reply.headers["X-Hanami-Version"] == str(heard)
    again = clients[question.seat].post(f"{address}do/answer/?part&after=0", form, **JSON)
    assert (again.status_code, "X-Hanami-Version" in again.headers) == (200, False), "nothing was told"
    # The same for every `after`: what the answer has brought is not fetched again.
    known: dict[str, Any] = {"HTTP_IF_NONE_MATCH": reply.headers["ETag"]}
    for after in ("", "&after=0", f"&after={reply.json()['told']}"):
        assert clients[question.seat].get(f"{address}view/?part{after}", **known).status_code == 304
    assert clients[1 - question.seat].get(f"{address}view/?part", **known).status_code == 200
    assert "X-Hanami-Version" not in clients[0].get(f"{address}view/").headers


@pytest.mark.django_db
def test_the_page_says_what_it_shows() -> None:
    table, clients = two_guests()
    html = clients[0].get(f"/play/{table.uuid}/").content.decode()
    first = json.loads(unescape(html.split('data-first="')[1].split('"')[0]))
    view = clients[0].get(f"/play/{table.uuid}/view/", HTTP_IF_NONE_MATCH=first["etag"])
    assert view.status_code == 304, "nothing is fetched that the page shows"
    assert set(first["view"]) == {"state", "me", "version", "told", "times", "paused_at", "turn"}
    assert set(first["view"]["turn"]) == {"seat", "asked_at"}
    assert Client().get(f"/play/{table.uuid}/view/", HTTP_IF_NONE_MATCH=first["etag"]).status_code == 200


def test_the_fragments_of_a_table_are_evicted_with_its_fold(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    monkeypatch.setattr(fold_cache, "return_memory", lambda **_how: None)
    fragments = fragment_cache.FragmentCache()
    monkeypatch.setattr(fragment_cache, "_FRAGMENTS", fragments)
    folds = fold_cache.FoldCache()
    monkeypatch.setattr(fold_cache.FoldCache, "_check_later", lambda _cache, _wait_s: None)
    folds.put("plum", a_fold())
    now[0] += 1
    fragments.set("tray", SafeString("<ul></ul>"))
    now[0] += fold_cache.TIMEOUT_S - 1
    folds._check()
    assert not folds._folds
    assert fragments.get("tray") is None
    assert not fragments._characters
