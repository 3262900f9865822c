"""The program that checks a whole match, in the guide: it accepts records of every game and sees what was changed."""

from __future__ import annotations

import gc
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import pytest

from bots.house import house_files
from bots.runner.inprocess import InProcessLauncher
from bots.runner.table import play
from engine.canonical import canonical, record_hash
from engine.cards import CODES
from engine.course import SeedOrders
from engine.deck import commitment, deck_order
from engine.errors import BadRecord
from engine.game import OptionValue, game_of
from engine.games import PRESETS, ruleset
from engine.match import Match
from engine.record import verify, write
from engine.record_fair import nonce_hash, seed_from
from tests.bots.matches import a_bot, a_spec
from tests.docs.blocks import blocks
from tests.docs.programs import run

Document = dict[str, Any]
Names = dict[str, Any]
GUIDE = "docs/20-proof.md"
PROGRAM = [block for block in blocks() if block.file == GUIDE and block.kind == "python"]
ANY = "def choose(obs):\n    return (obs['move'] * 7 + obs['deal']) % len(obs['legal'])\n"
STAGE = hashlib.sha256(b"stage").digest()
NONCES = ("31" * 16, "plum and moon", "5a" * 32)


def seats_of(preset: str) -> range:
    low, high = game_of(PRESETS[preset].game).seat_range
    return range(low, high + 1)


SEATINGS = [(preset, seats) for preset in PRESETS for seats in seats_of(preset)]


def a_fair(seed: bytes) -> Document:
    return {"stage": commitment(STAGE), "commit": commitment(seed), "deal_set": "d", "leg": 1}


def documented(match: Match, preset: str, fair: Document) -> Document:
    """The document of a match as the service gives it once the seed is shown."""
    written = write(match, match_id="m1", fair=fair, bots=[None] * match.seats, preset=preset)
    found: Document = json.loads(json.dumps(written))
    found["view"]["seed"] = match.seed.hex()
    return found


def at_random(preset: str, seats: int, number: int, *, idle: float = 0.0, **options: OptionValue) -> Document:
    """A match in which everybody does anything; idle: how often the last legal action is preferred."""
    seed = hashlib.sha256(f"match {number}".encode()).digest()
    match, dice = Match(ruleset(preset, **options), seats, seed), Random(number)
    while not match.is_over:
        legal = match.legal_actions()
        match.apply(legal[-1] if dice.random() < idle else dice.choice(legal))
    return documented(match, preset, a_fair(seed))


def at_a_table() -> Document:
    """A match of three whose seed is made of a secret and the nonces of its seats."""
    deal_set = UUID(int=5)
    seed = seed_from(STAGE, NONCES, deal_set)
    match = Match(ruleset("hawaii", rounds=1), len(NONCES), seed)
    while not match.is_over:
        match.apply(match.legal_actions()[0])
    rows = [{"seat": f"p{n}", "hash": nonce_hash(text), "nonce": text, "by": "phrase"} for n, text in enumerate(NONCES)]
    more = {"deal_set": str(deal_set), "secret": STAGE.hex(), "nonces": rows}
    return documented(match, "hawaii", a_fair(seed) | more)


def checked(document: Document, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Names:
    """Run the program of the guide in a folder that holds the record."""
    monkeypatch.chdir(folder)
    Path("record.json").write_text(json.dumps(document), encoding="utf-8")
    return run(PROGRAM)


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Names:
    """What the program of the guide defines; it was run over a good record."""
    with pytest.MonkeyPatch.context() as patch:
        return checked(at_a_table(), tmp_path_factory.mktemp("proof"), patch)


# what it accepts


@pytest.mark.thorough(keep=1)
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("preset", "seats"), SEATINGS)
def test_it_accepts_a_match_of_bots(
    preset: str, seats: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    has_rounds = any(info.id == "rounds" for info in game_of(PRESETS[preset].game).options)
    short: dict[str, Any] = {"rounds": 2} if has_rounds else {"target": 1}
    bots = [a_bot(ANY), *[house_files("random")] * (seats - 1)]
    spec = a_spec(*bots, preset=preset, number=seats, **short)
    played = play(spec, InProcessLauncher())
    document = played.document
    document["view"]["seed"] = spec.seed.hex()
    assert played.forfeits == ()
    checked(document, tmp_path, monkeypatch)
    gc.collect()
    assert f"moves, {document['hash']}" in capsys.readouterr().out


def whole(document: Document) -> int:
    """The most orders of the whole deck that one deal of a record has."""
    deals = document["record"]["deals"]
    return max(sum(len(order) == len(deal["orders"][0]) for order in deal["orders"]) for deal in deals)


THROWN_IN = [
    ("hawaii", 3, 101, {"field_quad": "redeal", "rounds": 1}),
    ("hawaii", 6, 101, {"field_quad": "redeal", "gaji_at_deal": "discard", "rounds": 1}),
    ("koikoi_nintendo", 2, 82, {"rounds": 1}),
    ("koikoi_fuda", 2, 479, {"rounds": 1}),
    ("koikoi_zoo", 2, 10, {"rounds": 1}),
    ("nuki88", 2, 456, {"rounds": 1}),
    ("nuki88", 4, 1, {"rounds": 40}),
]


@pytest.mark.parametrize(("preset", "seats", "number", "options"), THROWN_IN)
def test_it_accepts_a_deal_that_was_thrown_in(
    preset: str, seats: int, number: int, options: dict[str, Any], names: Names
) -> None:
    document = at_random(preset, seats, number, **options)
    assert whole(document) > 1
    names["check"](document)


def test_it_accepts_an_auction_that_is_held_again(names: Names) -> None:
    seed = hashlib.sha256(b"match 95").digest()
    match = Match(ruleset("oibana", field_quad="redeal", rounds=1), 3, seed)
    while not match.is_over:
        match.apply(match.legal_actions()[0])
    document = documented(match, "oibana", a_fair(seed))
    assert [len(order) for order in document["record"]["deals"][0]["orders"]] == [48, 32, 48, 32]
    names["check"](document)


def test_it_accepts_a_pile_that_is_formed_again(names: Names) -> None:
    document = at_random("poka3", 2, 222, idle=0.95)
    assert len(document["record"]["deals"][0]["orders"]) > 1
    assert whole(document) == 1
    names["check"](document)


@pytest.mark.parametrize("tie", ["redraw", "value_then_redraw", "rank_then_redraw"])
def test_it_accepts_a_second_drawing_of_the_dealer(tie: str, names: Names) -> None:
    document = at_random("hawaii", 5, 2 if tie == "redraw" else 5, first_dealer_tie=tie, rounds=1)
    assert len(document["record"]["draws"]) > 1
    names["check"](document)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("seats", range(2, 8))
def test_it_accepts_every_way_of_dealing(seats: int, names: Names) -> None:
    names["check"](at_random("enwiki2020", seats, seats, dealer_succession="rotate"))
    names["check"](at_random("hawaii", seats, seats, deal_pattern="packets"))
    if seats in seats_of("oibana"):
        names["check"](at_random("oibana", seats, seats, deal_pattern="halves"))


@pytest.mark.parametrize(("teams", "seats"), [("2x2", 4), ("3x2", 6), ("2x3", 6)])
def test_it_accepts_teams(teams: str, seats: int, names: Names) -> None:
    names["check"](at_random("hawaii", seats, 3, teams=teams, field_quad="dealer_captures"))


def test_it_accepts_the_nonces_of_a_table(names: Names) -> None:
    document = at_a_table()
    assert verify(document, seed=bytes.fromhex(document["view"]["seed"])).ok
    names["check"](document)


# what it refuses


def turn_a_bit(document: Document) -> None:
    seed = bytearray.fromhex(document["view"]["seed"])
    seed[-1] ^= 1
    document["view"]["seed"] = seed.hex()


def commit_to_another(document: Document) -> None:
    turn_a_bit(document)
    document["record"]["fair"]["commit"] = commitment(bytes.fromhex(document["view"]["seed"]))


def swap_in_an_order(document: Document) -> None:
    order = document["record"]["deals"][-1]["orders"][0]
    order[3], order[-1] = order[-1], order[3]


def swap_what_was_dealt(document: Document) -> None:
    steps = document["view"]["deals"][0]["fx0"]
    steps[0][0], steps[-1][0] = steps[-1][0], steps[0][0]


def deal_to_another_hand(document: Document) -> None:
    steps = document["view"]["deals"][0]["fx0"]
    steps[0][2], steps[-2][2] = steps[-2][2], steps[0][2]


def swap_in_a_drawing(document: Document) -> None:
    drawn = document["record"]["draws"][0]
    drawn[0], drawn[1] = drawn[1], drawn[0]


def let_another_deal(document: Document) -> None:
    deal = document["record"]["deals"][0]
    deal["dealer"] = "p1" if deal["dealer"] == "p0" else "p0"


def drop_a_move(document: Document) -> None:
    document["record"]["deals"][0]["moves"].pop()


def add_an_order(document: Document) -> None:
    """The next order that the seed gives, which nobody needed."""
    deal, game = document["record"]["deals"][0], game_of(document["record"]["ruleset"]["game"])
    number = sum(len(order) == len(deal["orders"][0]) for order in deal["orders"])
    order = deck_order(bytes.fromhex(document["view"]["seed"]), 1, number, game.deck)
    deal["orders"].append([CODES[card] for card in order])


def move_from_elsewhere(document: Document) -> None:
    moves = [move for deal in document["view"]["deals"] for move in deal["moves"]]
    step = [step for move in moves for step in move["fx"]][-1]
    step[1] = "d" if step[1] != "d" else "f"


def tell_another_seat(document: Document) -> None:
    document["view"]["deals"][0]["moves"][0]["a"]["by"] = "p6"


def tell_another_flip(document: Document) -> None:
    moves = [move for deal in document["view"]["deals"] for move in deal["moves"]]
    shown = next((move["a"] for move in moves if "flip" in move["a"]), moves[0]["a"])
    shown["flip"] = "01.1" if shown.get("flip") != "01.1" else "01.2"


def win_more(document: Document) -> None:
    document["record"]["result"]["score"][0] += 1


def change_an_option(document: Document) -> None:
    options = document["record"]["ruleset"]["options"]
    options["first_dealer_tie"] = "nobody"


CHANGES = (
    turn_a_bit, commit_to_another, swap_in_an_order, swap_what_was_dealt, deal_to_another_hand, swap_in_a_drawing,
    move_from_elsewhere, tell_another_seat, tell_another_flip,
    let_another_deal, drop_a_move, add_an_order, win_more, change_an_option,
)  # fmt: skip
OF_EVERY_GAME = {"hawaii": 3, "enwiki2020": 2, "oibana": 4, "nuki88": 3, "poka5": 2, "koikoi_nintendo": 2}


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
@pytest.mark.parametrize("preset", OF_EVERY_GAME)
def test_it_refuses_a_change_though_the_hash_is_made_to_fit(
    preset: str, change: Callable[[Document], None], names: Names
) -> None:
    document = at_random(preset, OF_EVERY_GAME[preset], 1)
    names["check"](document)
    change(document)
    document["hash"] = record_hash(document["record"])
    with pytest.raises((names["Wrong"], ValueError)):
        names["check"](document)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("preset", OF_EVERY_GAME)
def test_it_refuses_every_move_with_another_card(preset: str, names: Names) -> None:
    document = at_random(preset, OF_EVERY_GAME[preset], 2)
    dice = Random(preset)
    moves = document["record"]["deals"][-1]["moves"]
    cards = [(number, place) for number, move in enumerate(moves) for place, sign in enumerate(move) if sign == "."]
    assert cards
    for number, place in cards:
        kept, card = moves[number], moves[number][place - 2 : place + 2]
        other = dice.choice([each for each in names["NUKI"] if each != card])
        moves[number] = kept[: place - 2] + other + kept[place + 2 :]
        document["hash"] = record_hash(document["record"])
        with pytest.raises(names["Wrong"]):
            names["check"](document)
        moves[number] = kept


def test_it_refuses_every_bit_of_the_seed(names: Names) -> None:
    document = at_random("hawaii", 2, 1, rounds=1)
    seed = bytes.fromhex(document["view"]["seed"])
    for bit in range(8 * len(seed)):
        document["view"]["seed"] = (int.from_bytes(seed) ^ 1 << bit).to_bytes(len(seed)).hex()
        with pytest.raises(names["Wrong"], match="the seed"):
            names["check"](document)


@dataclass(frozen=True, slots=True)
class Stacked(SeedOrders):
    """A dealer who draws as the seed says and then deals other decks."""

    def order(self, deal: int, redeal: int) -> tuple[int, ...]:
        return deck_order(bytes(32), deal, redeal, self.cards)


@pytest.mark.parametrize("preset", OF_EVERY_GAME)
def test_it_refuses_decks_that_the_seed_does_not_give(preset: str, names: Names) -> None:
    seats, seed = OF_EVERY_GAME[preset], bytes([1]) * 32
    rules = ruleset(preset)
    match = Match(rules, seats, seed, orders=Stacked(seed, game_of(rules.game).deck))
    while not match.is_over:
        match.apply(match.legal_actions()[0])
    document = documented(match, preset, a_fair(seed))
    with pytest.raises(names["Wrong"], match="an order of deck"):
        names["check"](document)


def test_it_refuses_another_hash(names: Names) -> None:
    document = at_random("koikoi_zoo", 2, 1)
    document["record"]["match"] = "m2"
    with pytest.raises(names["Wrong"], match="the hash"):
        names["check"](document)


@pytest.mark.parametrize("change", ["nonce", "hash", "secret", "deal_set", "stage"])
def test_it_refuses_another_part_in_the_shuffle(change: str, names: Names) -> None:
    document = at_a_table()
    fair = document["record"]["fair"]
    row = fair["nonces"][1]
    if change == "nonce":
        row["nonce"], row["hash"] = "a rose", nonce_hash("a rose")
    else:
        part = row if change == "hash" else fair
        part[change] = part[change].translate(str.maketrans("01", "10"))
    document["hash"] = record_hash(document["record"])
    with pytest.raises(names["Wrong"]):
        names["check"](document)


# the hash


@pytest.mark.parametrize(
    "value", [{"b": [1, None], "a": "é"}, {"Z": '\n"\\', "z": -3, "\U0001f338": "\u2028"}, [], "月"]
)
def test_its_hash_is_that_of_the_engine(value: object, names: Names) -> None:
    assert names["record_hash"](value) == record_hash(value)


@pytest.mark.parametrize("value", [{"a": True}, [1.0], {"a": {"b": [False]}}, {1: 2}])
def test_it_hashes_nothing_that_the_engine_does_not(value: object, names: Names) -> None:
    with pytest.raises(BadRecord):
        canonical(value)
    with pytest.raises(names["Wrong"]):
        names["record_hash"](value)
