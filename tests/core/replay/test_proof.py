"""The proof of a record: every honest one passes, every changed one is caught where it was changed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from core.replay.proof import BAD, OK, OPEN, Check, prove
from engine.deck import commitment
from engine.games import PRESETS, option_table, ruleset
from engine.match import Match
from engine.record import record_hash, write
from tests.services.processes import ROOT

RECORDS = sorted((ROOT / "tests" / "data" / "records").glob("*.json"))
SEATS = {
    "nuki88": (2, 3, 4), "oibana": (3, 4, 6), "poka3": (2,), "poka5": (2,),
    "koikoi_nintendo": (2,), "koikoi_fuda": (2,), "koikoi_zoo": (2,),
}  # fmt: skip
TABLES = [(preset, seats) for preset in PRESETS for seats in SEATS.get(preset, (2, 4, 7))]
SEED = bytes(range(32))


def played(preset: str, seats: int, number: int = 0, **options: Any) -> tuple[dict[str, Any], bytes]:
    """A record of random moves with the seed of its decks."""
    if any(info.id == "rounds" for info in option_table(PRESETS[preset].game)):
        options["rounds"] = 4
    seed, rng = bytes([number]) + SEED[1:], random.Random(number)
    match = Match(ruleset(preset, **options), seats, seed)
    while not match.is_over:
        match.apply(rng.choice(match.legal_actions()))
    fair = {"stage": "sha256:00", "commit": commitment(seed), "deal_set": "d", "leg": 1}
    return write(match, match_id="m", fair=fair, bots=["sha256:00"] * seats, preset=preset), seed


def faults(document: dict[str, Any], seed: bytes | None = None) -> list[Check]:
    return [check for check in prove(document, seed) if check.state == BAD]


def rehashed(document: dict[str, Any]) -> dict[str, Any]:
    return {**document, "hash": record_hash(document["record"])}


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("preset", "seats"), TABLES)
def test_every_honest_record_passes_with_and_without_its_seed(preset: str, seats: int) -> None:
    for number in range(6):
        document, seed = played(preset, seats, number)
        assert faults(document, seed) == faults(document) == []
        assert next(check.key for check in prove(document, None) if check.state == OPEN) == "decks"


@pytest.mark.thorough
def test_thrown_in_and_reshuffled_orders_are_followed() -> None:
    """Deals thrown in, cards returned and piles made again, until each was seen."""
    seen: set[int] = set()
    for number in range(40):
        for preset, seats in (("nuki88", 3), ("oibana", 3), ("poka5", 2)):
            document, seed = played(preset, seats, number)
            assert faults(document, seed) == []
            seen |= {len(deal["orders"]) for deal in document["record"]["deals"]}
    assert {1, 2, 3} <= seen


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_records_of_version_one_pass(path: Any) -> None:
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert faults(kept["document"], bytes.fromhex(kept["seed"])) == []


def swap(row: list[Any], one: int, other: int) -> None:
    row[one], row[other] = row[other], row[one]


def test_a_swapped_card_is_named_with_its_place_even_under_a_new_hash() -> None:
    document, seed = played("hawaii", 3)
    true = list(document["record"]["deals"][2]["orders"][0])
    swap(document["record"]["deals"][2]["orders"][0], 10, 30)
    assert [check.key for check in faults(document, seed)][:2] == ["hash", "deal"]
    (found, *_rest) = faults(rehashed(document), seed)
    assert (found.code, found.fault) == ("record.order", "wrong_card")
    assert found.details == {"deal": 3, "order": 1, "place": 11, "expected": true[10], "found": true[30]}


def test_a_card_put_in_anothers_place_is_named_too() -> None:
    document, seed = played("paradise", 4)
    order = document["record"]["deals"][0]["orders"][0]
    wrong = {"expected": order[5], "found": order[6], "place": 6}
    order[5] = order[6]
    assert wrong.items() <= faults(rehashed(document), seed)[0].details.items()


def test_a_card_of_a_shuffle_inside_a_deal_is_named() -> None:
    document, seed = played("oibana", 4)
    order = document["record"]["deals"][0]["orders"][1]
    swap(order, 3, 4)
    found = faults(rehashed(document), seed)[0]
    assert (found.details["deal"], found.details["order"], found.details["place"]) == (1, 2, 4)


CHANGES: list[tuple[str, str, Callable[[dict[str, Any]], Any]]] = [
    ("record.commit", "wrong_commit", lambda d: d["record"]["fair"].update(commit="sha256:00")),
    ("record.order", "wrong_draw", lambda d: swap(d["record"]["draws"][0], 0, 1)),
    ("record.orders", "wrong_length", lambda d: d["record"]["deals"][1]["orders"][0].pop()),
    ("record.malformed", "wrong_shape", lambda d: d["record"]["deals"][1]["orders"].append(["99.9"])),
    ("view.order", "wrong_dealt", lambda d: d["view"]["deals"][0]["fx0"][0].__setitem__(0, "12.4")),
    ("view.lines", "wrong_lines", lambda d: d["view"]["deals"][0]["lines"][0].update(v=77)),
    ("view.total", "wrong_total", lambda d: d["view"]["deals"][1]["total"].__setitem__(0, 1000)),
    ("record.sum", "wrong_score", lambda d: d["record"]["result"]["score"].__setitem__(1, 9999)),
    ("record.sum", "wrong_victories", lambda d: d["record"]["result"]["victories"].__setitem__(1, 99)),
    ("record.rank", "wrong_place", lambda d: d["record"]["result"].update(rank=[3, 3])),
    ("record.malformed", "wrong_shape", lambda d: d["view"].pop("deals")),
]


@pytest.mark.parametrize(("code", "fault", "change"), CHANGES, ids=[fault for _code, fault, _change in CHANGES])
def test_what_was_changed_is_what_is_said(code: str, fault: str, change: Callable[[dict[str, Any]], Any]) -> None:
    document, seed = played("hawaii", 2)
    change(document)
    found = faults(rehashed(document), seed)
    assert (code, fault) in [(check.code, check.fault) for check in found]


def test_a_card_turned_up_out_of_turn_is_named_with_its_move() -> None:
    document, seed = played("hawaii", 2)
    moves = document["view"]["deals"][1]["moves"]
    at, step = next((move, step) for move in moves for step in move["fx"] if step[1] == "p")
    expected, step[0] = step[0], "06.3" if step[0] != "06.3" else "06.4"
    (found,) = faults(document, seed)
    assert found.details == {"deal": 2, "move": at["m"], "expected": expected, "found": step[0]}


def test_forfeits_come_last_the_later_before_the_earlier() -> None:
    document, seed = played("hawaii", 4)
    record = document["record"]
    record["forfeits"] = [
        {"seat": 2, "deal": 1, "move": 3, "code": "crash"},
        {"seat": 0, "deal": 2, "move": 1, "code": "crash"},
    ]
    left = sorted((1, 3), key=lambda side: -record["result"]["score"][side])
    rank = [3, 0, 4, 0]
    rank[left[0]], rank[left[1]] = 1, 2
    record["result"]["rank"] = rank
    assert faults(rehashed(document), seed) == []
    swap(rank, 0, 2)
    assert faults(rehashed(document), seed)[0].code == "record.rank"


HOSTILE: list[Any] = [
    {}, {"record": None}, {"record": [], "view": 3, "hash": 1}, {"record": {"deals": 5}, "view": {"deals": {}}},
    {"record": {"ruleset": {"game": "sakura"}, "draws": [5], "deals": [{"orders": [None]}], "fair": []}, "view": None},
    {"record": {"ruleset": {"game": []}, "draws": {}, "deals": "x", "fair": {"commit": {}}}, "view": []},
    {"record": {"x": 1.5}, "hash": "sha256:00", "view": {"deals": [[]]}}, {"record": {"x": "\ud800"}},
]  # fmt: skip


@pytest.mark.parametrize("document", HOSTILE)
def test_nothing_that_anybody_sends_breaks_it(document: dict[str, Any]) -> None:
    assert any(check.state == BAD for check in prove(document, SEED))
    assert all(check.state in (OK, BAD, OPEN) for check in prove(deepcopy(document), None))
