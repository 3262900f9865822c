"""Portraits: every game has its introduction, and pages show it in the reader's language."""

from __future__ import annotations

import html
import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.utils.translation import override

from core.rulebook.sources import OURS, TITLES, parts_of
from engine.game import Game
from engine.games import GAMES, PRESETS
from engine.options import OptionInfo
from tournaments.pages.rules.portraits import LUCK, portrait_of
from web.presets import event_title, ladder_name, preset_title

SOME = {"000 (does not know); older FW: both": ["000", "FW"], "rules.md 4.4": [OURS], "no source says": []}
SOME |= {"Nintendo; Fuda Wiki (DS, Koi-Koi Japan), Multipliers": ["Nintendo", "Fuda Wiki (DS, Koi-Koi Japan)"]}


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.id)
def test_a_game_is_introduced(game: Game) -> None:
    words, presets = game.words, {preset.id for preset in game.presets}
    portrait = words.portrait
    assert 40 <= len(portrait.minute.split()) <= 90, "read in a minute"
    assert set(portrait.special) == presets == set(words.ja)
    assert all(4 <= len(text.split()) <= 8 for text in portrait.special.values())
    assert 1 <= portrait.luck <= LUCK
    assert len(set(portrait.cards)) == 3


@pytest.mark.parametrize(("preset", "minutes"), [("hawaii", 60), ("koikoi_zoo", 40), ("poka5", 15), ("poka3", 10)])
def test_the_length_follows_from_deals_or_target(preset: str, minutes: int) -> None:
    assert portrait_of(preset).minutes == minutes


def test_figures_of_the_preset_stand_in_the_text() -> None:
    assert "takes 50 points" in portrait_of("hawaii").minute
    assert "first player with 3 points" in portrait_of("poka3").minute


def test_a_name_is_that_of_the_reader_s_language() -> None:
    assert preset_title("koikoi_zoo") == "Koi-Koi Japan"
    assert preset_title("gone88") == "gone88"
    with override("ja"):
        assert preset_title("poka3") == "ポカ・三文勝負"
        assert len({preset_title(preset) for preset in PRESETS}) == len(PRESETS)
    with override("fr"):
        assert preset_title("poka3") == "Poka: San-mon Shobu"


def test_an_official_ladder_is_named_in_the_reader_s_language() -> None:
    stored = ladder_name("poka3", datetime(2026, 11, 22, tzinfo=UTC))
    assert stored == "Poka: San-mon Shobu ladder, November 2026" == event_title(stored)
    with override("ja"):
        assert event_title(stored) == "ポカ・三文勝負番付、2026年11月"
        for other in ("My ladder, May 2026", "Hawaii ladder, Mai 2026", "Poka"):
            assert event_title(other) == other


@pytest.mark.django_db
def test_the_index_has_a_card_for_each_game_and_no_ids(client: Client) -> None:
    page = html.unescape(client.get("/rules/").content.decode())
    assert page.count('class="box game"') == len(GAMES)
    assert "/rules/compare/" in page
    main = re.sub(r"<[^>]+>", " ", page.split("<main")[1].split("</main>")[0])
    for preset in PRESETS.values():
        assert f'href="/rules/{preset.id}/"' in page
        assert portrait_of(preset.id).special in page
        assert preset.id not in main.split()
    assert "9 rules differ from Hawaii" in page


@pytest.mark.django_db
def test_a_japanese_reader_sees_japanese_names(client: Client) -> None:
    page = client.get("/rules/", headers={"Accept-Language": "ja"}).content.decode()
    assert "ポカ・三文勝負" in page
    assert "San-mon Shobu" not in page


@pytest.mark.parametrize(("citation", "sources"), SOME.items())
def test_a_citation_is_taken_apart(citation: str, sources: list[str]) -> None:
    parts = list(parts_of(citation))
    assert "".join(part.text for part in parts) == citation
    assert [part.source for part in parts if part.source] == sources


def test_every_source_is_known() -> None:
    cited = [clause.source for game in GAMES.values() for clause in game.words.clauses]
    infos: list[OptionInfo] = [info for game in GAMES.values() for info in game.options]
    found = {part.source for text in (*cited, *(info.source for info in infos)) for part in parts_of(text)}
    assert found - {"", OURS} == set(TITLES)
    assert [text for text in cited if not any(part.source for part in parts_of(text))] == []
