"""The knowledge of a seat at a place, held to the engine's own observations: never more, and what was shown stays."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from core.replay.document import Replay, read
from core.replay.knowledge import is_blind, known_at
from core.replay.reducer import position_at
from engine.cards import CODES, GAJI
from engine.game import game_of
from engine.games import PRESETS, option_table, ruleset
from engine.match import Match
from engine.record import write

GAJI_CODE = CODES[GAJI]
TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("hawaii", 3, {}), ("hawaii", 4, {"teams": "2x2"}), ("french", 4, {}), ("enwiki2020", 3, {}),
    ("hawaii", 3, {"blocked_gaji": "retarget_leave_or_return"}), ("oibana", 4, {}), ("nuki88", 3, {}),
    ("nuki88", 4, {"mizuten": True}), ("poka5", 2, {}),
]  # fmt: skip


def played(preset: str, seats: int, options: dict[str, Any], number: int) -> tuple[Replay, dict[tuple[int, int], Any]]:
    """A match as a replay, and the hands that the engine lets each seat see by (deal, move)."""
    if any(info.id == "rounds" for info in option_table(PRESETS[preset].game)):
        options = {**options, "rounds": 2}
    rng = random.Random(number)
    match = Match(ruleset(preset, **options), seats, number.to_bytes(32, "big"))
    seen: dict[tuple[int, int], Any] = {}
    game = game_of(match.ruleset.game)
    while not match.is_over:
        seen[match.deal, match.move] = [game.observation(match.state, seat) for seat in range(seats)]
        legal = match.legal_actions()
        wild = [action for action in legal if preset == "french" and action.kind == "play" and action.card == GAJI]
        match.apply(rng.choice(wild or legal))
    fair = {"stage": "sha256:00", "commit": "sha256:00", "deal_set": "d", "leg": 1}
    return read(write(match, match_id="m", fair=fair, bots=["sha256:00"] * seats, preset=preset)), seen


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("preset", "seats", "options"), TABLES)
def test_every_card_is_seen_or_unseen_and_nothing_hidden_is_told(
    preset: str, seats: int, options: dict[str, Any]
) -> None:
    for number in range(4):
        replay, seen = played(preset, seats, options, number)
        for (deal, move), observed in seen.items():
            here = replay.deals[deal - 1]
            position = position_at(replay, here, move)
            for seat in range(seats):
                known = known_at(replay, here, move, seat)
                own = [] if known.is_blind else position.hands[seat]
                assert sorted(own) == sorted(observed[seat]["hand"])
                assert known.is_blind == is_blind(replay, here, move, seat)
                hidden = [card for other, hand in enumerate(position.hands) if other != seat for card in hand]
                for other, hand in enumerate(known.hands):
                    assert set(hand) <= set(position.hands[other])
                told = {card for other, hand in enumerate(known.hands) if other != seat for card in hand}
                in_hands = {card for other, hand in enumerate(position.hands) for card in hand}
                assert not set(known.pile) & in_hands
                assert not set(known.unseen) & (set(own) | told | set(known.pile))
                left = len(hidden) - len(told) + position.pile - len(known.pile)
                mine = len(position.hands[seat]) - len(own)
                assert len(known.unseen) == left + mine - len(set(known.hands[seat]) - set(own))


@pytest.mark.slow
def test_shown_cards_stay_known_while_they_are_held() -> None:
    """Teyaku in Nuki and Poka; nothing where nothing is shown. (A block is too rare to come about here.)"""
    for preset, seats, options in TABLES:
        shown = 0
        for number in range(12):
            replay, _seen = played(preset, seats, options, number)
            for deal in replay.deals if not shown else ():
                for move in range(len(deal.moves) + 1):
                    shown += sum(map(len, known_at(replay, deal, move, 0).hands[1:]))
        assert bool(shown) == (preset in ("nuki88", "poka5")), preset


def test_the_card_that_forbids_a_triple_is_known_until_it_is_played() -> None:
    replay, _seen = played("french", 2, {}, 65)
    deal = replay.deals[0]
    move, event = next(
        (one.number, event) for one in deal.moves for event in one.events if event["code"] == "forbidden"
    )
    seat, card = event["by"], event["card"]
    assert known_at(replay, deal, move - 1, 1 - seat).hands[seat] == ()
    assert known_at(replay, deal, move, 1 - seat).hands[seat] == (card,)
    gone = next(one.number for one in deal.moves[move:] if any(effect.card == card for effect in one.effects))
    assert known_at(replay, deal, gone - 1, 1 - seat).hands[seat] == (card,)
    assert known_at(replay, deal, gone, 1 - seat).hands[seat] == ()


def test_a_lightning_taken_back_is_known_to_all() -> None:
    """A block is too rare to come about by chance: a move of somebody who holds the Lightning stands for it."""
    deal, move, replay = next(
        (deal, move, replay)
        for replay, _seen in (played("hawaii", 3, {}, number) for number in range(20))
        for deal in replay.deals
        for move in deal.moves
        if GAJI_CODE in position_at(replay, deal, move.number).hands[move.seat]
    )
    taken_back = replace(move, action={"blocked_choice": "return"})
    moves = tuple(taken_back if one is move else one for one in deal.moves)
    stranger = (move.seat + 1) % 3
    assert known_at(replay, deal, move.number, stranger).hands[move.seat] == ()
    assert known_at(replay, replace(deal, moves=moves), move.number, stranger).hands[move.seat] == (GAJI_CODE,)


def test_what_a_seat_gave_back_to_the_pile_it_knows() -> None:
    replay, _seen = played("oibana", 4, {}, 1)
    deal = replay.deals[0]
    gave = {effect.source: effect.card for move in deal.moves for effect in move.effects if effect.target == "p"}
    assert gave
    move = next(move.number for move in deal.moves if any(effect.target == "p" for effect in move.effects))
    for zone in gave:
        assert known_at(replay, deal, move, int(zone[1:])).pile
    player = next(seat for seat in range(4) if f"h{seat}" not in gave)
    assert known_at(replay, deal, move, player).pile == ()
