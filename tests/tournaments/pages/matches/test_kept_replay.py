"""A replay is worked out once for everybody who looks at the same place of it in the same way."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client

from accounts.cards import COOKIE
from core.replay.table import table_at
from tests.builders import events as a
from tests.builders.matches_on_show import a_finished_match
from tournaments.models import Player

pytestmark = pytest.mark.django_db


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every place that was worked out."""
    seen: list[Any] = []

    def noted(replay: Any, place: Any, *given: Any) -> Any:
        seen.append(place)
        return table_at(replay, place, *given)

    monkeypatch.setattr("tournaments.pages.matches.matches.table_at", noted)
    return seen


def shown(client: Client, address: str, **headers: str) -> str:
    page = client.get(address, headers=headers).content.decode()
    return page.partition("<hanami-replay")[2].partition("</hanami-replay>")[0]


@pytest.mark.thorough
def test_the_second_reader_gets_what_the_first_was_shown(drawn: list[Any]) -> None:
    match = a_finished_match(seats=2, rounds=2)
    first = shown(Client(), f"/m/{match.uuid}/?d=1&m=3")
    reader = Client()
    reader.force_login(a.a_user())
    assert shown(reader, f"/m/{match.uuid}/?d=1&m=3") == first
    assert len(drawn) == 1
    assert first


@pytest.mark.thorough
def test_another_place_view_language_or_card_is_drawn_for_itself(drawn: list[Any]) -> None:
    match = a_finished_match(seats=2, rounds=2)
    looks = [shown(Client(), f"/m/{match.uuid}/{query}") for query in ("", "?d=1&m=1", "?d=2&m=1", "?d=1&m=1&s=2")]
    looks.append(shown(Client(), f"/m/{match.uuid}/", **{"accept-language": "ja"}))
    choosy = Client()
    choosy.cookies[COOKIE] = "contrast"
    looks += [shown(choosy, f"/m/{match.uuid}/"), shown(Client(), f"/m/{match.uuid}/embed/")]
    assert len(set(looks)) == len(looks) == len(drawn)


def test_a_name_that_is_taken_away_is_gone_at_once(drawn: list[Any]) -> None:
    match = a_finished_match(seats=2, rounds=1)
    named = Player.objects.filter(pk=Player.objects.filter(entries__seats__match=match)[0].pk)
    named.update(name="Kirigirisu")
    assert "Kirigirisu" in shown(Client(), f"/m/{match.uuid}/")
    named.update(name="Somebody else")
    page = shown(Client(), f"/m/{match.uuid}/")
    assert "Somebody else" in page
    assert "Kirigirisu" not in page
    assert len(drawn) == 2


def test_what_is_drawn_is_kept_apart_from_all_else() -> None:
    match = a_finished_match(seats=2, rounds=1)
    shown(Client(), f"/m/{match.uuid}/")
    assert any("template.cache.replay" in key for key in keys_of("template_fragments"))
    assert not any("template.cache" in key for key in keys_of("default"))


def keys_of(name: str) -> list[str]:
    """The keys that a cache in this process keeps."""
    kept: Any = caches[name]
    return list(kept._cache)
