"""The page of every preset says what its game's own data say: values, combinations, options."""

from __future__ import annotations

import html

import pytest
from django.test import Client

from engine.game import game_of
from engine.games import PRESETS, option_table

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("preset", PRESETS)
def test_a_page_shows_what_the_engine_plays(client: Client, preset: str) -> None:
    answer = client.get(f"/rules/{preset}/")
    page = html.unescape(answer.content.decode())
    words = game_of(PRESETS[preset].game).words
    assert answer.status_code == 200
    for info in option_table(PRESETS[preset].game):
        assert f'id="{info.id}"' in page
        assert info.meaning in page
    for found in words.combinations:
        assert found.name in page
        assert found.ja in page
        assert found.cards or found.text in page
    assert (f"together: {sum(words.values.values())}." in page) == bool(words.values)


def test_poka_has_a_target_and_no_card_values(client: Client) -> None:
    page = client.get("/rules/poka3/").content.decode()
    assert "3 points win the match" in page
    assert "deals a match" not in page
    assert "What cards are worth" not in page


def test_nuki_counts_in_kan(client: Client) -> None:
    page = client.get("/rules/nuki88/").content.decode()
    assert "12 kan" in page
    assert "All 34 together: 211." in page
