"""Messages of the engine about things that do not exist: what is wrong, and what there is instead.

Bot authors and organizers read these sentences, and programs read `extra`; both are part of the contract.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from random import Random
from typing import Any

import pytest

from engine.action import Action
from engine.errors import BadOption, BadSeating, EngineError, IllegalAction
from engine.game import Game, Ruleset, State, game_of
from engine.games import GAMES, option_table, preset, register, ruleset, withdraw
from engine.games.koikoi import KOIKOI
from engine.games.koikoi import rules as koikoi_rules
from engine.games.nuki import NUKI
from engine.games.nuki import rules as nuki_rules
from engine.games.oibana import OIBANA
from engine.games.oibana import rules as oibana_rules
from engine.games.poka import POKA
from engine.games.poka import rules as poka_rules
from engine.games.sakura import SAKURA
from engine.games.sakura import rules as sakura_rules
from engine.match import Match
from tests.engine.nuki.tables import a_world
from tests.engine.worlds import seed_of

NAMES = {"sakura": "Sakura", "oibana": "Oi-bana", "nuki": "Nuki", "poka": "Poka", "koikoi": "Koi-Koi"}
PRESET = {"sakura": "hawaii", "oibana": "oibana", "nuki": "nuki88", "poka": "poka5", "koikoi": "koikoi_zoo"}
OTHER = {"sakura": "poka", "oibana": "sakura", "nuki": "sakura", "poka": "nuki", "koikoi": "poka"}
SEATS = {"sakura": 2, "oibana": 3, "nuki": 2, "poka": 2, "koikoi": 2}


def a_match(game: str) -> Match:
    return Match(ruleset(PRESET[game]), SEATS[game], seed_of("errors", game))


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("option", ["hikki", "ROUNDS", "x" * 80])
def test_an_unknown_option_is_named_with_the_known_ones(game: str, option: str) -> None:
    known = [info.id for info in option_table(game)]
    with pytest.raises(BadOption) as caught:
        Ruleset.from_json({"game": game, "options": {option: 1}})
    shown = f"{option!r:.60}"
    assert str(caught.value) == f"{NAMES[game]} has no option {shown}. Known: {', '.join(known)}."
    assert caught.value.extra == {"option": option, "allowed": known}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("option", [3, None, ("a", "b")])
def test_an_option_that_is_no_name_is_unknown_too(game: str, option: object) -> None:
    with pytest.raises(BadOption, match="has no option") as caught:
        game_of(game).read_options({option: 1})
    assert caught.value.extra["option"] == str(option)


def test_the_lowest_bid_is_not_above_the_highest() -> None:
    assert ruleset("oibana", bid_min=7, bid_max=7).options.rounds == 12
    with pytest.raises(BadOption) as caught:
        ruleset("oibana", bid_min=8, bid_max=7)
    assert str(caught.value) == "The lowest bid, 8, is above the highest, 7. Raise bid_max."
    assert caught.value.extra == {"option": "bid_min", "allowed": [7]}


def test_an_unknown_preset_is_named_with_the_known_ones() -> None:
    known = ["hawaii", "paradise", "french", "enwiki2020", "oibana", "nuki88", "poka5", "poka3"]
    known += ["koikoi_nintendo", "koikoi_fuda", "koikoi_zoo"]
    for name in ("havaii", None, 3, ["hawaii"]):
        with pytest.raises(BadOption) as caught:
            preset(name)
        assert str(caught.value) == f"There is no preset {name!r}. Known: {', '.join(known)}."
        assert caught.value.extra == {"option": "preset", "allowed": known}
    with pytest.raises(BadOption, match=r"There is no preset 'x{39}\. Known"):
        preset("x" * 60)


SEATINGS: list[tuple[str, dict[str, str], int, str, dict[str, object]]] = [
    ("oibana", {}, 2, "Oi-bana is for 3 to 6 players without teams, not for 2 with solo.",
     {"teams": "solo", "seats": 2, "allowed": [3, 4, 5, 6]}),
    ("oibana", {}, 7, "Oi-bana is for 3 to 6 players without teams, not for 7 with solo.",
     {"teams": "solo", "seats": 7, "allowed": [3, 4, 5, 6]}),
    ("oibana", {"teams": "2x2"}, 4, "Oi-bana is for 3 to 6 players without teams, not for 4 with 2x2.",
     {"teams": "2x2", "seats": 4, "allowed": [3, 4, 5, 6]}),
    ("nuki88", {}, 1, "Nuki cannot be seated with 1 players. Players: 2, 3 or 4, all for themselves.",
     {"teams": "solo", "seats": 1, "allowed": [2, 3, 4]}),
    ("nuki88", {}, 5, "Nuki cannot be seated with 5 players. Players: 2, 3 or 4, all for themselves.",
     {"teams": "solo", "seats": 5, "allowed": [2, 3, 4]}),
    ("poka5", {}, 3, "Poka is played by 2, not by 3.", {"teams": "solo", "seats": 3, "allowed": [2]}),
    ("koikoi_fuda", {}, 4, "Koi-Koi is played by 2, not by 4.", {"teams": "solo", "seats": 4, "allowed": [2]}),
    ("hawaii", {}, 8, "Teams solo cannot be seated with 8 players. Players for solo: [2, 3, 4, 5, 6, 7].",
     {"teams": "solo", "seats": 8, "allowed": [2, 3, 4, 5, 6, 7]}),
    ("hawaii", {"teams": "2x2"}, 6, "Teams 2x2 cannot be seated with 6 players. Players for 2x2: [4].",
     {"teams": "2x2", "seats": 6, "allowed": [4]}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "options", "seats", "message", "extra"), SEATINGS)
def test_seats_that_do_not_fit_are_named_with_those_that_do(
    name: str, options: dict[str, Any], seats: int, message: str, extra: dict[str, object]
) -> None:
    with pytest.raises(BadSeating) as caught:
        ruleset(name, **options).sides(seats)
    assert str(caught.value) == message
    assert caught.value.extra == extra


@pytest.mark.parametrize("game", GAMES)
def test_a_game_refuses_what_belongs_to_another(game: str) -> None:
    """A wrong object is a mistake of the caller, told by both names, never played with."""
    own, other = game_of(game), a_match(OTHER[game])
    options, world = other.ruleset.options, other.state
    strange = type(world).__name__
    with pytest.raises(TypeError, match=f"^not options of {NAMES[game]}: {type(options).__name__}$"):
        own.first_dealer(options, 2, lambda drawing: (0, 1))
    for ask in (
        lambda: own.play(world, Action.of("stop")),
        lambda: own.dealt(world, ()),
        lambda: own.observe(world, 0),
        lambda: own.observation(world, 0),
    ):
        with pytest.raises(TypeError, match=f"^not a world of {NAMES[game]}: {strange}$"):
            ask()
    observation = game_of(OTHER[game]).observe(world, 0)
    with pytest.raises(TypeError, match=f"^not an observation of {NAMES[game]}: {type(observation).__name__}$"):
        own.determinize(observation, Random(1))


@pytest.mark.parametrize("game", ["sakura", "oibana", "nuki", "koikoi"])
def test_the_lines_of_an_outcome_are_told_by_its_own_game(game: str) -> None:
    other = finished(a_match("poka").state)
    with pytest.raises(TypeError, match=f"^not an outcome of {NAMES[game]}: {type(other.outcome()).__name__}$"):
        game_of(game).lines(ruleset(PRESET[game]).options, other.outcome())


def finished(state: State) -> State:
    while not state.is_over:
        state.apply(state.legal_actions()[0])
    return state


@pytest.mark.parametrize("game", GAMES)
def test_a_deal_that_is_not_over_has_no_outcome(game: str) -> None:
    with pytest.raises(ValueError, match=r"^the deal is not over$"):
        a_match(game).state.outcome()


def test_a_registered_game_is_not_registered_again() -> None:
    with pytest.raises(ValueError, match=r"^poka: registered already$"):
        register(POKA)


@pytest.mark.parametrize(
    ("game", "taken"),
    [(SAKURA, "enwiki2020, french, hawaii, paradise"), (OIBANA, "oibana"), (NUKI, "nuki88"), (POKA, "poka3, poka5")],
)
def test_a_game_may_not_take_the_presets_of_another(game: Game, taken: str) -> None:
    twin = copy(game)
    vars(twin)["id"] = "renamed"
    with pytest.raises(ValueError, match=f"^{taken}: registered already$"):
        register(twin)
    assert "renamed" not in GAMES


def test_a_withdrawn_game_is_gone_until_it_is_registered_again() -> None:
    names = list(GAMES)
    withdraw(POKA)
    try:
        assert list(GAMES) == [name for name in names if name != "poka"]
        for name in ("poka5", "poka3", "poka_gomon", "poka_sanmon"):
            with pytest.raises(BadOption):
                preset(name)
    finally:
        register(POKA)
        withdraw(KOIKOI)  # comes after it in every list
        register(KOIKOI)
    assert list(GAMES) == names
    assert GAMES["poka"] is POKA
    assert (preset("poka_gomon").id, preset("poka_sanmon").id) == ("poka5", "poka3")


def test_a_position_without_randomness_cannot_shuffle() -> None:
    """Nuki shuffles hands back into the pile when two play of three; a position that was set up by hand cannot."""
    state = a_world(seats=3)
    with pytest.raises(EngineError, match=r"^This position has no randomness to shuffle the pile with\.$") as caught:
        state.shuffle("return", 0, 0)
    assert caught.value.code == "deal.shuffle"


@pytest.mark.parametrize(
    ("compiled", "other", "message"),
    [
        (lambda rules: sakura_rules.compile_rules(rules, 2), "poka5", "poka is not a game of the Sakura family"),
        (lambda rules: nuki_rules.compile_rules(rules, 2), "hawaii", "sakura is not Nuki"),
        (lambda rules: poka_rules.compile_rules(rules), "nuki88", "nuki is not Poka"),
        (lambda rules: koikoi_rules.compile_rules(rules), "poka5", "poka is not Koi-Koi"),
        (lambda rules: oibana_rules.compile_oibana(rules, 3), "hawaii", "not options of Oi-bana: SakuraOptions"),
    ],
)
def test_rules_are_worked_out_for_their_own_game(
    compiled: Callable[[Ruleset], object], other: str, message: str
) -> None:
    with pytest.raises(TypeError, match=f"^{message}$"):
        compiled(ruleset(other))


@pytest.mark.parametrize("game", GAMES)
def test_a_refused_action_is_named_with_what_is_legal(game: str) -> None:
    state = a_match(game).state
    asked = Action.of("call", word="cancel")
    with pytest.raises(IllegalAction) as caught:
        state.apply(asked)
    assert caught.value.action == asked
    assert caught.value.legal == state.legal_actions()
    assert str(caught.value).endswith(f"Legal now: {', '.join(map(str, state.legal_actions()))}.")
