"""The account of a match: the same as ever, and every step of it possible. site.md 3 and 6, rules.md 3.6."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from engine.cards import CardSet, card_set, codes, members
from engine.game import Json, Played, State, game_of
from engine.games import PRESETS, ruleset
from engine.games.koikoi.state import KoiKoiState
from engine.games.nuki.state import NukiState
from engine.games.oibana.history import Reader as OibanaReader
from engine.games.oibana.observation import OibanaObservation
from engine.games.oibana.position import NOBODY
from engine.games.oibana.rules import compile_oibana
from engine.games.oibana.state import OibanaState
from engine.games.poka.state import PokaState
from engine.games.sakura.rules import compile_rules
from engine.games.sakura.state import SakuraState
from engine.match import Match
from tests.engine import transcripts
from tests.engine.transcripts import TOLD, Case, choose

BY_NAME = {case.name: case for case in transcripts.cases()}
Zones = dict[str, CardSet]


def test_every_preset_is_told() -> None:
    assert {path.stem for path in TOLD.glob("*.json")} == set(BY_NAME)
    assert {case.preset for case in BY_NAME.values()} == set(PRESETS)


def first_difference(one: Any, other: Any, where: str = "") -> str:
    """Return where two JSON values differ first, and how."""
    if isinstance(one, dict) and isinstance(other, dict) and list(one) == list(other):
        pairs = [(f"{where}.{key}", one[key], other[key]) for key in one]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(f"{where}[{index}]", one[index], other[index]) for index in range(len(one))]
    else:
        return "" if one == other and type(one) is type(other) else f"{where}: {one!r:.200} is now {other!r:.200}"
    return next((found for name, first, second in pairs if (found := first_difference(first, second, name))), "")


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("name", BY_NAME)
def test_a_match_is_told_as_ever(name: str) -> None:
    """Records, replays and bots of all times are made for this. `python -m tests.engine.transcripts` writes it
    again.
    """
    kept = json.loads((TOLD / f"{name}.json").read_text(encoding="utf-8"))
    assert first_difference(kept, transcripts.told(BY_NAME[name])) == ""


def of_sakura(state: SakuraState, names: tuple[int, ...]) -> Zones:
    """names: of its seats."""
    hands = {f"h{names[seat]}": hand for seat, hand in enumerate(state.hands)}
    trays = {f"c{names[side] if len(names) == 2 else side}": tray for side, tray in enumerate(state.captured)}
    return {**hands, **trays, "f": state.field, "x": state.removed}


def of_oibana(state: OibanaState) -> Zones:
    hands = {f"h{seat}": hand for seat, hand in enumerate(state.hands)}
    return {**hands, **(of_sakura(state.table, state.players) if state.table else {})}


def of_nuki(state: NukiState) -> Zones:
    hands = {f"h{seat}": hand for seat, hand in enumerate(state.hands)}
    return {**hands, **{f"c{seat}": tray for seat, tray in enumerate(state.captured)}, "f": state.field}


def of_poka(state: PokaState) -> Zones:
    return {"h0": state.hands[0], "h1": state.hands[1], "d": card_set(state.discard)}


def of_koikoi(state: KoiKoiState) -> Zones:
    return {
        "h0": state.hands[0],
        "h1": state.hands[1],
        "c0": state.captured[0],
        "c1": state.captured[1],
        "f": state.field,
    }


def zones_of(state: State) -> Zones:
    """Return where the cards of a world lie, but for the pile; a card that waits for a choice is still in it."""
    if isinstance(state, SakuraState):
        return of_sakura(state, tuple(range(len(state.hands))))
    if isinstance(state, OibanaState):
        return of_oibana(state)
    if isinstance(state, NukiState):
        return of_nuki(state)
    if isinstance(state, KoiKoiState):
        return of_koikoi(state)
    assert isinstance(state, PokaState)
    return of_poka(state)


def follow(places: dict[int, str], played: Played) -> None:
    assert all(isinstance(part, tuple) for part in (played.steps, played.notes, played.orders, played.also))
    for step in played.steps:
        assert places[step.card] == step.source, (step, codes(1 << step.card))
        places[step.card] = step.target


def waiting(state: State) -> int:
    """A flipped card, or the Gaji between a block and what becomes of it; -1 if there is none."""
    table = state.table if isinstance(state, OibanaState) else state
    return table.pending if isinstance(table, (SakuraState, NukiState, KoiKoiState)) else -1


def check_places(places: dict[int, str], state: State) -> None:
    """The steps so far lead to the position; a waiting card may be between two places."""
    between = waiting(state)
    for zone, cards in zones_of(state).items():
        told = card_set(card for card, place in places.items() if place == zone and card != between)
        assert codes(told) == codes(cards & ~(1 << between if between >= 0 else 0)), zone


def check_match(case: Case) -> None:
    match, dice = Match(ruleset(case.preset, **case.options), case.seats, b"steps %d" % case.number), Random(3)
    deck = game_of(match.ruleset.game).deck
    while not match.is_over:
        number, state = match.deal, match.state
        places = dict.fromkeys(members(deck), "p")
        follow(places, match.deals[-1].dealt)
        check_places(places, state)
        while match.deal == number and not match.is_over:
            match.apply(choose(match, dice))
            follow(places, match.deals[number - 1].played[-1])
            check_places(places, state)


@pytest.mark.parametrize("name", BY_NAME)
def test_the_steps_lead_from_each_position_to_the_next(name: str) -> None:
    """A replay that follows the steps shows hands, trays and field as they are, and moves no card that is absent."""
    check_match(BY_NAME[name])


@pytest.mark.parametrize("name", BY_NAME)
def test_events_say_what_moves_did(name: str) -> None:
    """Each public event that has a `by` is a move of the record, in its order; deals are announced and closed."""
    match, _ = transcripts.play(BY_NAME[name])
    told = [event for event in match.events if "by" in event]
    made = [(seat, action) for log in match.deals for seat, action in log.moves if _is_public(action.kind)]
    assert [event["by"] for event in told] == [f"p{seat}" for seat, _ in made]
    for event, (_, action) in zip(told, made, strict=True):
        assert {key: event[key] for key in action.to_json()} == action.to_json()
    numbers = [[event[key] for event in match.events if key in event] for key in ("deal", "deal_end")]
    assert numbers == [list(range(1, match.deal + 1))] * 2


def _is_public(kind: str) -> bool:
    """A stop in Poka and the choice between two triplets in Nuki are nobody's business (rules.md 6.2, 11)."""
    return kind not in ("stop", "triplet")


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("name", BY_NAME)
def test_a_reader_keeps_the_events_of_the_deal_and_how_deals_ended(name: str) -> None:
    """`events` and `deal_ends` of every seat's reader, also one that is asked twice with the same dict."""
    case = BY_NAME[name]
    match, dice = Match(ruleset(case.preset, **case.options), case.seats, b"reader %d" % case.number), Random(5)
    game = game_of(match.ruleset.game)
    readers: list[Any] = [game.reader(match.ruleset, case.seats) for _ in range(case.seats)]
    assert [(reader.events, reader.deal_ends) for reader in readers] == [([], [])] * case.seats
    since = [0] * case.seats
    while not match.is_over:
        seat = match.seat_to_act
        obs = ask(match, seat, since[seat])
        since[seat] = match.event_count
        assert readers[seat].read(obs) == readers[seat].read(obs) == game.observe(match.state, seat)
        assert readers[seat].events == of_this_deal(match)
        assert readers[seat].deal_ends == [event for event in match.events if "deal_end" in event]
        match.apply(choose(match, dice))
    for seat, reader in enumerate(readers):
        last = reader.read(ask(match, seat, since[seat]))
        assert not isinstance(last, OibanaObservation) or last.turn == match.state.seat_to_act == NOBODY
        assert reader.deal_ends == [event for event in match.events if "deal_end" in event]


def test_a_reader_of_oibana_has_the_rules_of_its_table_though_caches_forget() -> None:
    """Rules are compared by identity; between two matches of a long process those of the table may be compiled
    again.
    """
    rules = ruleset("oibana")
    compiled = compile_oibana(rules, 4)
    compile_rules.cache_clear()
    assert OibanaReader(rules, 4)._table.rules is compiled.table


def test_what_was_taken_in_is_not_taken_in_again() -> None:
    """A reader may be given an observation only to take in its events."""
    for case in BY_NAME.values():
        match = Match(ruleset(case.preset, **case.options), case.seats, b"take %d" % case.number)
        seat, game = match.seat_to_act, game_of(match.ruleset.game)
        obs, reader = ask(match, seat, 0), game.reader(match.ruleset, case.seats)
        reader.take(obs)
        assert reader.events == match.events
        assert reader.read(obs) == game.observe(match.state, seat)
        assert reader.events == match.events


def ask(match: Match, seat: int, since: int) -> Any:
    return json.loads(
        json.dumps(match.observation(seat, match_id="m", preset=match.ruleset.game, since=since, ms_left=100))
    )


def of_this_deal(match: Match) -> list[Json]:
    first = max(index for index, event in enumerate(match.events) if "deal" in event)
    return match.events[first:]
