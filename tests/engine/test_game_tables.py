"""Data that the games state, held to what was checked against rules.md 1, 2, 4.2, 6 and 7 when it was kept."""

from __future__ import annotations

import json

import pytest

from engine.game import game_of
from engine.games import GAMES, PRESETS, option_table, ruleset
from engine.words import Clause
from tests.engine import game_tables
from tests.engine.test_told import first_difference


@pytest.mark.parametrize("game", GAMES)
def test_the_tables_say_what_they_said(game: str) -> None:
    """`python -m tests.engine.game_tables` keeps them again after a change that was meant."""
    kept = json.loads((game_tables.KEPT / f"{game}.json").read_text(encoding="utf-8"))
    assert first_difference(kept, game_tables.tables(game)) == ""


def test_every_game_has_tables() -> None:
    assert {path.stem for path in game_tables.KEPT.glob("*.json")} == set(GAMES)


def test_the_deal_chart_is_that_of_rules_1_5_and_3_4() -> None:
    kept = json.loads((game_tables.KEPT / "sakura.json").read_text(encoding="utf-8"))
    chart = {int(seats): (row["hand"], row["first"], row["field"]) for seats, row in kept["chart"].items()}
    assert chart == {2: (8, 4, 8), 3: (7, 4, 6), 4: (5, 3, 8), 5: (4, 2, 8), 6: (3, 2, 12), 7: (3, 2, 6)}


def test_what_follows_in_poka_is_the_next_month_and_the_ghosts() -> None:
    """rules.md 7.2: December is followed by January, anything follows a ghost, a ghost follows anything."""
    kept = json.loads((game_tables.KEPT / "poka.json").read_text(encoding="utf-8"))
    ghosts = {"01.1", "01.2", "02.1"}
    assert set(kept["ghosts"]) == ghosts
    for top, cards in kept["followers"].items():
        following = f"{int(top[:2]) % 12 + 1:02}"
        others = {code for code in kept["followers"] if code != top}
        assert set(cards) == {code for code in others if top in ghosts or code in ghosts or code[:2] == following}


@pytest.mark.parametrize("preset", PRESETS)
def test_the_clauses_of_the_rules_speak_of_options_there_are(preset: str) -> None:
    """Each names only values that an option has; under a preset's options some hold, and an `only` decides which."""
    game, options = game_of(PRESETS[preset].game), ruleset(preset).options
    allowed = {info.id: info.allowed for info in option_table(game.id)}
    for clause in game.words.clauses:
        assert all(not allowed[option] or set(values) <= set(allowed[option]) for option, values in clause.only.items())
        assert clause.applies(options) == all(getattr(options, option) in clause.only[option] for option in clause.only)
    assert any(clause.applies(options) for clause in game.words.clauses)


def test_a_clause_holds_only_with_all_its_values() -> None:
    clause = Clause("flip", "Flip", "The top card.", "000", only={"basa": (True,), "hiki": ("any_split", "off")})
    assert clause.applies(ruleset("hawaii", basa=True).options)
    assert not clause.applies(ruleset("hawaii").options)
    assert Clause("flip", "Flip", "The top card.", "000").applies(ruleset("hawaii").options)


@pytest.mark.parametrize("game", GAMES)
def test_every_sentence_is_said_and_names_its_values(game: str) -> None:
    """A sentence has words, and a place for each of its values."""
    words = game_of(game).words
    marks = [mark for several in words.marks.values() for mark in several]
    for said in (*words.moves.values(), *words.events.values()):
        assert said.text
        assert all(f"%({name})s" in said.text for name in said.values)
    assert all(f"%({name})s" in mark.text for mark in marks for name in mark.values)
    assert all((*words.lines.values(), *words.phases.values()))


@pytest.mark.parametrize("game", GAMES)
def test_every_combination_has_a_japanese_name_and_says_what_its_cards_do_not(game: str) -> None:
    """A yaku is its cards, with what else it is called in Sakura; any other says in words what it takes."""
    others = {"Yaku 1", "Yaku 2", "Yaku 3", "Yaku 4", "Yaku 5", "Three Scrolls", "Purple Slips", "Red Slips"}
    for one in game_of(game).words.combinations:
        assert one.ja
        assert not one.ja.isascii()
        assert one.text in (others if game in ("sakura", "oibana") else {""}) if one.cards else len(one.text) > 12
