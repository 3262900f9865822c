"""What a seat may see: no card that it has not seen, however it looks; and everything that a renderer needs."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from django.utils import translation

from engine.cards import CODES, INDEX, members
from engine.course import SeedOrders
from engine.deck import commitment
from engine.game import game_of
from engine.games import GAMES, ruleset
from engine.match import Match
from tables.models import LiveSeat, LiveTable
from tables.play.clocks import CLOCKS
from tables.play.fold import Fold, begin
from tables.view.board import cards_of, deals_of, moves_of
from tables.view.masks import HIDDEN, NOBODY
from tables.view.seen import seen_by
from tables.view.state import _play, _seen
from tests.tables.players import ALL, FEW
from tournaments.pages.matches.matches import phrasebook_of

CODE = re.compile(r'"(\d\d\.\d)"')
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def codes_in(value: object) -> set[str]:
    return set(CODE.findall(json.dumps(value)))


def view_by(seat: int, fold: Fold, table: LiveTable, seats: list[LiveSeat]) -> dict[str, Any]:
    view = _play(table, _seen(table, seats, seat, fold), None)
    # The tracker names every card of every yaku; who holds one follows from the trays, which all see.
    view["board"] = {key: value for key, value in view["board"].items() if key != "yaku"}
    return view


@dataclass
class Spy:
    """All that one seat could have learned from the engine, by deal."""

    seat: int
    known: dict[int, set[str]]

    def look(self, match: Match) -> None:
        known = self.known.setdefault(match.deal, set())
        seen = match.observation(max(self.seat, 0), match_id="", preset="", since=0, ms_left=0)
        public = {
            key: seen[key] for key in ("field", "tray", "discard", "pile", "up", "pending", "removed") if key in seen
        }
        known |= codes_in(public) | (codes_in(seen["hand"]) if self.seat != NOBODY else set())
        deal = 0
        for event in match.events:
            if "deal" in event:
                deal = int(str(event["deal"]))
            self.known.setdefault(deal, set()).update(codes_in(event))

    def check(self, view: dict[str, Any], deal: int) -> None:
        later = [view["board"], view["turn"], view["deals"][-1], [one for one in view["moves"] if one["deal"] == deal]]
        assert codes_in(later) <= self.known[deal], (self.seat, codes_in(later) - self.known[deal])
        for one in view["deals"][:-1]:
            assert codes_in(one) <= self.known[one["number"]]
        for one in view["moves"]:
            assert codes_in(one) <= self.known[one["deal"]]


def a_table_of(preset: str, seats: int) -> tuple[LiveTable, list[LiveSeat]]:
    table = LiveTable(preset=preset, ruleset=ruleset(preset).canonical(), seats_n=seats, dealt_at=NOW, state="playing")
    return table, [LiveSeat(index=number, kind="person", name=f"Guest {number}") for number in range(seats)]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("preset", "seats"), [one if one in FEW else pytest.param(*one, marks=pytest.mark.slow) for one in ALL]
)
def test_no_seat_and_nobody_who_watches_sees_a_hidden_card(preset: str, seats: int) -> None:
    rng = Random(f"{preset}{seats}")
    fold = begin(ruleset(preset), seats, rng.randbytes(32), CLOCKS["casual"], NOW)
    table, rows = a_table_of(preset, seats)
    spies = [Spy(seat, {}) for seat in range(-1, seats)]
    for _each in range(150):
        for spy in spies:
            spy.look(fold.match)
            if not fold.match.is_over:
                spy.check(view_by(spy.seat, fold, table, rows), fold.match.deal)
        question = fold.question
        if question is None:
            break
        fold._apply(question.legal[rng.randrange(len(question.legal))], 0)
        fold._play_on()


class Swapped(SeedOrders):
    """The orders of a seed with two cards of one deal's order exchanged."""

    pair: tuple[str, str] = ("", "")

    def order(self, deal: int, redeal: int) -> tuple[int, ...]:
        one, other = (INDEX[code] for code in self.pair)
        swap = {one: other, other: one}
        return tuple(swap.get(card, card) for card in SeedOrders.order(self, deal, redeal))


def shown(match: Match, seat: int) -> object:
    names = [str(number) for number in range(match.seats)]
    fold = Fold(match, CLOCKS["casual"], NOW, [0] * match.seats, [0] * match.seats)
    seen = seen_by(fold, seat, names, phrasebook_of("en", match.ruleset.game), match_id="", preset="")
    return [cards_of(seen), deals_of(seen), moves_of(seen, None)]


def hidden_pair(match: Match, seat: int, rng: Random) -> tuple[str, str]:
    """Two cards that the seat has not seen, one in another hand if there is one."""
    deck = {CODES[card] for card in members(game_of(match.ruleset.game).deck)}
    spy = Spy(seat, {})
    spy.look(match)
    unseen = sorted(deck - spy.known[match.deal])
    one, other = rng.sample(unseen, 2)
    return one, other


@pytest.mark.thorough
@pytest.mark.parametrize("game", sorted(GAMES))
def test_two_worlds_that_a_seat_cannot_tell_apart_look_the_same(game: str) -> None:
    same = 0
    for number in range(40):
        rng = Random(f"{game}{number}")
        preset, seats = rng.choice([one for one in ALL if ruleset(one[0]).game == game])
        seed, rules = rng.randbytes(32), ruleset(preset)
        one = Match(rules, seats, seed)
        if one.deal > 1:
            continue  # a deal that is over as it was dealt: what the seat held in it no observation repeats
        seat = rng.randrange(seats)
        orders = Swapped(seed, game_of(game).deck)
        object.__setattr__(orders, "pair", hidden_pair(one, seat, rng))
        same += _compare(one, Match(rules, seats, seed, orders=orders), seat, rng)
    assert same > 100, "the worlds part before anything is compared"


def _compare(one: Match, other: Match, seat: int, rng: Random) -> int:
    """Play both worlds alike while the seat is told the same; how often their views were compared."""
    compared = 0

    def obs(match: Match) -> object:
        return match.observation(seat, match_id="", preset="", since=0, ms_left=0)

    while obs(one) == obs(other) and one.deal == 1 and not one.is_over:
        assert shown(one, seat) == shown(other, seat)
        compared += 1
        both = [action for action in one.legal_actions() if action in other.legal_actions()]
        if one.seat_to_act != other.seat_to_act or not both:
            break
        action = rng.choice(both)
        one.apply(action)
        other.apply(action)
    return compared


def test_a_view_has_words_and_cards_in_three_languages() -> None:
    fold = begin(ruleset("koikoi_nintendo"), 2, bytes(32), CLOCKS["live"], NOW)
    table, rows = a_table_of("koikoi_nintendo", 2)
    question = fold.question
    assert question is not None
    texts: dict[str, Sequence[str]] = {}
    for language in ("en", "ja", "fr"):
        with translation.override(language):
            view = _play(table, _seen(table, rows, question.seat, fold), None)
            texts[language] = [choice["text"] for choice in view["turn"]["legal"]]
    assert len({tuple(found) for found in texts.values()}) == 3
    assert [choice["i"] for choice in view["turn"]["legal"]] == list(range(len(question.legal)))
    other = _play(table, _seen(table, rows, 1 - question.seat, fold), None)
    assert "legal" not in other["turn"]
    assert other["board"]["hands"][question.seat]["cards"] is None
    dealt = other["deals"][0]["fx0"]
    assert [card for card, source, target in dealt if target == f"h{question.seat}"] == [HIDDEN] * 8


def test_moves_that_the_reader_knows_are_not_sent_again() -> None:
    fold = begin(ruleset("hawaii"), 3, commitment(b"").encode()[:32], CLOCKS["casual"], NOW)
    table, rows = a_table_of("hawaii", 3)
    for _each in range(6):
        question = fold.question
        assert question is not None
        fold._apply(question.legal[0], 0)
        fold._play_on()
    whole = _play(table, _seen(table, rows, 0, fold), None)
    assert [one["told"] for one in whole["moves"]] == list(range(1, whole["told"] + 1))
    later = _play(table, _seen(table, rows, 0, fold), whole["told"] - 2)
    assert later["moves"] == whole["moves"][-2:]
    assert not later["resync"]
    assert _play(table, _seen(table, rows, 0, fold), whole["told"] + 9)["resync"]
