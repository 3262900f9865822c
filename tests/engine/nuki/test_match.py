"""Whole matches: ledger, carry, who deals next, redeals, records, the replay. rules.md 6.5, site.md 3."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from types import MappingProxyType
from typing import Any

import pytest

from engine.canonical import canonical
from engine.cards import INDEX, NUKI_DECK
from engine.deck import commitment
from engine.errors import BadOption
from engine.game import OptionValue, Step, game_of
from engine.games import ruleset
from engine.games.nuki import NUKI
from engine.games.nuki.scoring import NukiOutcome, next_dealer
from engine.games.nuki.state import NukiState
from engine.match import Match
from engine.record import rederive, verify, write
from engine.words import Words
from tests.engine.nuki.tables import DROP, VARIANTS, seed_of


def a_match(
    seats: int, number: int, *, rounds: int = 4, options: Mapping[str, OptionValue] = MappingProxyType({})
) -> Match:
    return Match(ruleset("nuki88", rounds=rounds, **options), seats, seed_of("match", seats, number))


def play_out(match: Match, dice: Random) -> Match:
    while not match.is_over:
        match.apply(dice.choice(match.legal_actions()))
    return match


def document_of(match: Match) -> dict[str, Any]:
    fair = {"stage": "sha256:00", "commit": commitment(match.seed), "deal_set": "d", "leg": 1}
    written = write(match, match_id="m", fair=fair, bots=[None] * match.seats, preset="nuki88")
    document: dict[str, Any] = json.loads(json.dumps(written))
    return document


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("variant", VARIANTS)
def test_ledger_carry_dealer_and_record(seats: int, variant: Mapping[str, OptionValue]) -> None:
    for number in range(3):
        match = play_out(a_match(seats, number, options=variant), Random(number))
        assert sum(match.totals) == 0
        assert match.deal == 4
        carry = 0
        for log, following in zip(match.deals, match.deals[1:], strict=False):
            outcome = log.outcome
            assert isinstance(outcome, NukiOutcome)
            assert log.mult == outcome.multiplier
            assert following.dealer == outcome.winner
            carry = outcome.carry["carry"]
            if carry:
                assert following.mult == 2
        document = document_of(match)
        assert rederive(document) == canonical(document["record"])
        found = verify(document, seed=match.seed)
        assert found.ok, found
        assert match.result().rank.count(1) == len(match.result().winners) >= 1


def test_the_replay_moves_every_card_from_where_it_is() -> None:
    """Following the steps alone, each card is always where the next step takes it from."""
    for number in range(12):
        match = play_out(a_match(2 + number % 3, number, options={"mizuten": True}), Random(number))
        for log in match.deals:
            places = dict.fromkeys((card for card in range(48) if NUKI_DECK >> card & 1), "p")
            for played in (log.dealt, *log.played):
                _follow(places, played.steps)
        state = match.state
        assert isinstance(state, NukiState)
        for seat, pile in enumerate(state.captured):
            assert {card for card, place in places.items() if place == f"c{seat}"} == {
                card for card in range(48) if pile >> card & 1
            }


def _follow(places: dict[int, str], steps: tuple[Step, ...]) -> None:
    for step in steps:
        assert places[step.card] == step.source, step
        places[step.card] = step.target


def nobody_plays(match: Match, times: int) -> None:
    for _ in range(times * match.seats):
        match.apply(DROP)


def test_a_deal_that_nobody_plays_is_dealt_again_and_not_counted() -> None:
    match = a_match(3, 1, rounds=1, options={"dropout_penalty": "hachi"})
    dealer = match.dealer
    nobody_plays(match, 2)
    assert (match.deal, match.dealer, match.state.seat_to_act, match.move) == (1, dealer, dealer, 6)
    state = match.state
    assert isinstance(state, NukiState)
    assert state.redeal >= 2
    redeals = [event for event in match.events if "redeal" in event]
    assert len(redeals) == 2
    assert redeals[-1]["field"]
    events: list[dict[str, Any]] = match.events
    misdeals = [note for event in events for note in event.get("ev", ()) if note["code"] == "misdeal"]
    assert misdeals == [{"code": "misdeal", "by": dealer}] * 2
    play_out(match, Random(3))
    document = document_of(match)
    orders = document["record"]["deals"][0]["orders"]
    assert [len(order) for order in orders[:3]] == [34, 34, 34]
    assert verify(document, seed=match.seed).ok


def test_a_record_with_another_return_is_found_out() -> None:
    match = a_match(4, 2, rounds=1)
    while not match.is_over:
        match.apply(match.legal_actions()[0])
    document = document_of(match)
    orders = document["record"]["deals"][0]["orders"]
    assert len(orders[-1]) == 14
    orders[-1][0], orders[-1][1] = orders[-1][1], orders[-1][0]
    assert not verify(document).ok


def test_who_always_drops_is_stopped_at_the_cap_and_the_record_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.course.MAX_MOVES", 300)
    match = a_match(3, 5, rounds=1)
    while not match.is_over:
        match.apply(DROP)
    assert (match.end, match.moves_total, match.deal) == ("cap", 300, 1)
    assert verify(document_of(match), seed=match.seed).ok


def test_the_winner_deals_next() -> None:
    assert next_dealer(0, 2) == 2
    assert next_dealer(1, None) == 1
    assert NUKI.next_dealer(ruleset("nuki88").options, 3, 0, 1) == 1


def test_the_ledger_decides_and_equal_ledgers_share() -> None:
    match = play_out(a_match(2, 9, rounds=1), Random(1))
    match.totals = [5, 5]
    assert NUKI.figures(match.ruleset.options, [5, -5], [0, 1], None) == [5, -5]


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"teams": "2x2"}, "no option 'teams'"), ({"mizuten": "yes"}, "true or false"),
        ({"dropout_penalty": "on"}, "off, hachi"), ({"rounds": 0}, "from 1"), ({3: 4}, "no option 3"),
    ],
)  # fmt: skip
def test_an_unknown_option_or_value_is_named(options: dict[Any, Any], named: str) -> None:
    with pytest.raises(BadOption, match=named):
        NUKI.read_options(options)


def test_every_option_value_is_explained() -> None:
    for info in NUKI.options:
        assert info.meaning
        assert info.source
        assert len(info.meanings) == len(info.allowed)
        assert info.kind == "number" or info.default in info.allowed


def test_every_event_line_phase_and_move_has_words() -> None:
    """The game's own words describe all that random matches bring."""
    words: Words = NUKI.words
    names = {combination.id for combination in words.combinations}
    for number in range(40):
        variant = VARIANTS[number % len(VARIANTS)]
        match = a_match(2 + number % 3, number, options=variant)
        dice = Random(number)
        while not match.is_over:
            action = dice.choice(match.legal_actions())
            state = match.state
            assert isinstance(state, NukiState)
            assert state.phase in words.phases
            assert action.kind in words.moves or f"{action.kind} {action.word}" in words.moves
            match.apply(action)
        for log in match.deals:
            for played in (log.dealt, *log.played):
                for note in played.notes:
                    said = words.events[str(note["code"])]
                    assert set(said.values) <= set(note)
                    assert "name" not in note or note["name"] in names
            assert log.outcome is not None
            assert {str(line["code"]) for line in NUKI.lines(match.ruleset.options, log.outcome)} <= set(words.lines)
    assert set(words.values) == {code for code, index in INDEX.items() if NUKI_DECK >> index & 1}
    assert sum(words.values.values()) == 211
    assert all(combination.name and combination.ja for combination in words.combinations)


def test_only_its_own_values_are_taken() -> None:
    sakura = Match(ruleset("hawaii", rounds=1), 2, bytes(32))
    with pytest.raises(TypeError, match="not a world of Nuki"):
        NUKI.observe(sakura.state, 0)
    with pytest.raises(TypeError, match="not options of Nuki"):
        NUKI.first_dealer(sakura.ruleset.options, 2, lambda number: [0, 1])
    while not sakura.is_over:
        sakura.apply(sakura.legal_actions()[0])
    with pytest.raises(TypeError, match="not an observation of Nuki"):
        NUKI.determinize(game_of("sakura").observe(sakura.state, 0), Random(0))
    outcome = sakura.deals[0].outcome
    assert outcome is not None
    with pytest.raises(TypeError, match="not an outcome of Nuki"):
        NUKI.lines(sakura.ruleset.options, outcome)
