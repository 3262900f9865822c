"""Records: written, read, played again, verified; every fault is named. site.md 3."""

from __future__ import annotations

import copy
import hashlib
import json
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import ENGINE_VERSION
from engine.canonical import canonical, record_hash
from engine.cards import points, set_of
from engine.deck import commitment
from engine.errors import BadRecord, EngineError
from engine.games import ruleset
from engine.match import Match
from engine.record import Verification, rederive, verify, write
from tests.engine.examples import examples
from tests.engine.worlds import seed_of

RECORDS: Final = Path(__file__).parents[1] / "data" / "records"
SEED: Final = seed_of("record")
Document = dict[str, Any]


@cache
def _text(preset: str, seats: int, teams: str, forfeit: bool) -> str:
    match = Match(ruleset(preset, rounds=3, teams=teams), seats, SEED)
    dice = Random(5)
    gone = -1
    while not match.is_over:
        if forfeit and gone < 0 and (match.deal, match.move) == (2, 3):
            gone = match.seat_to_act
            match.forfeit(gone, "timeout.cpu")
        legal = match.legal_actions()
        match.apply(legal[0] if match.seat_to_act == gone else dice.choice(legal))
    fair = {"stage": "sha256:0c9e", "commit": commitment(SEED), "deal_set": "d41c", "leg": 1}
    ms = [list(range(len(log.moves))) for log in match.deals]
    bots = [f"sha256:{seat}" for seat in range(seats)]
    return json.dumps(write(match, match_id="m8fk2", fair=fair, bots=bots, preset=preset, ms=ms))


def a_document(preset: str = "hawaii", seats: int = 3, teams: str = "solo", *, forfeit: bool = False) -> Document:
    document: Document = json.loads(_text(preset, seats, teams, forfeit))
    return document


def rehashed(document: Document) -> Document:
    """The same with the hash of what it says now, as a forger would send it."""
    return {**document, "hash": record_hash(document["record"])}


def test_the_parts_of_a_document() -> None:
    document = a_document()
    inner = document["record"]
    assert list(document) == ["record", "hash", "view"]
    assert list(inner) == ["v", "match", "engine", "ruleset", "fair", "seats", "draws", "deals", "forfeits", "result"]
    assert (inner["v"], inner["match"], inner["engine"]) == (1, "m8fk2", ENGINE_VERSION)
    assert inner["ruleset"]["hash"] == ruleset("hawaii", rounds=3).hash
    assert inner["seats"][1] == {"side": 1, "bot": "sha256:1"}
    assert list(inner["deals"][0]) == ["n", "dealer", "orders", "moves", "score", "winner", "victories"]
    assert list(inner["result"]) == ["end", "score", "victories", "rank"]
    assert list(document["view"]) == ["preset", "names", "bots", "seed", "deals"]
    assert document["view"]["deals"][0]["moves"][1]["ms"] == 1


def test_the_hash_is_of_the_canonical_record() -> None:
    document = a_document()
    text = json.dumps(document["record"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert document["hash"] == "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def test_the_ways_of_the_cards_lead_to_the_score() -> None:
    """One small reducer shows the deal: from fx alone the trays come out as the engine has them."""
    view = a_document()["view"]
    for deal in view["deals"]:
        place: dict[str, str] = {}
        for card, source, target in [*deal["fx0"], *(step for move in deal["moves"] for step in move["fx"])]:
            assert place.get(card, "p") == source
            place[card] = target
        for line in deal["lines"]:
            if line["code"] == "cards":
                tray = [card for card, zone in place.items() if zone == f"c{line['side']}"]
                assert line["v"] == points(set_of(tray))


def test_running_totals_and_lines_add_up() -> None:
    document = a_document("paradise", 4, "2x2")
    running = [0, 0]
    for deal, shown in zip(document["record"]["deals"], document["view"]["deals"], strict=True):
        running = [old + new for old, new in zip(running, deal["score"], strict=True)]
        assert shown["total"] == running
        for side, score in enumerate(deal["score"]):
            assert sum(line["v"] for line in shown["lines"] if line["side"] == side) == score


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("forfeit", [False, True])
@pytest.mark.parametrize("preset", ["hawaii", "paradise", "french", "enwiki2020"])
@pytest.mark.parametrize(("seats", "teams"), [(2, "solo"), (4, "2x2"), (7, "solo")])
def test_a_document_proves_itself(preset: str, seats: int, teams: str, forfeit: bool) -> None:
    document = a_document(preset, seats, teams, forfeit=forfeit)
    assert verify(document, seed=SEED) == verify(document)
    assert verify(document) == Verification(True, "record.ok", "", "Every deal, sum and card checks out.")
    assert rederive(document) == canonical(document["record"])


@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.json")), ids=lambda path: path.stem)
def test_golden_records_re_derive_for_ever(path: Path) -> None:
    """Bytes written once and never changed: an engine that gets others has changed the rules or the format."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    document = kept["document"]
    seed = bytes.fromhex(kept["seed"])
    assert rederive(document) == canonical(document["record"])
    assert record_hash(document["record"]) == document["hash"] == kept["hash"]
    assert verify(document, seed=seed).ok


def test_there_are_golden_records() -> None:
    assert len(list(RECORDS.glob("*.json"))) >= 4


def test_served_names_and_seed_do_not_matter() -> None:
    document = a_document()
    document["view"].update(names=["Plum", "Kiri", "Yuki"], bots=["plum@7", "kiri@3", None], seed=SEED.hex())
    document["view"]["deals"][0]["moves"][0]["ms"] = 99
    assert verify(document).ok


def _set(document: Document, path: str, value: object) -> Document:
    changed = copy.deepcopy(document)
    holder: Any = changed
    *way, last = [int(part) if part.isdigit() else part for part in path.split("/")]
    for part in way:
        holder = holder[part]
    holder[last] = value
    return changed


@pytest.mark.parametrize(
    ("path", "value", "code", "where"),
    [
        ("record/result/score/0", 999, "record.score", "result, score 1"),
        ("record/result/rank/0", 3, "record.rank", "result, rank 1"),
        ("record/result/end", "cap", "record.end", "result, end"),
        ("record/deals/1/score/2", 1, "record.score", "deal 2, score 3"),
        ("record/deals/1/winner", None, "record.winner", "deal 2, winner"),
        ("record/deals/0/dealer", "p9", "record.dealer", "deal 1, dealer"),
        ("record/deals/0/n", 2, "record.n", "deal 1, n"),
        ("record/deals/0/moves/4", "p0 01.1*12.4", "record.move", "deal 1, move 5"),
        ("record/deals/0/moves/0", "nonsense", "record.move", "deal 1, move 1"),
        ("record/deals/0/moves", [], "record.move", "deal 2, move 1"),
        ("record/deals/2/moves", [], "record.move", "deal 3, move 1"),
        ("record/deals/0/orders", [], "record.orders", "deal 1"),
        ("record/deals/0/orders/0", ["01.1"], "record.orders", "deal 1"),
        ("record/deals/0/orders/0/3", "13.1", "record.card", "deal 1, order 1"),
        ("record/draws", [], "record.draws", "draws"),
        ("record/draws/0", ["01.1"], "record.draws", "draws"),
        ("record/seats/0/side", 1, "record.side", "seats 1, side"),
        ("record/seats", [], "record.seats", "seats"),
        ("record/ruleset/options/hiki", "maybe", "record.ruleset", "ruleset"),
        ("record/ruleset/options/rounds", 4, "record.ruleset", "ruleset"),
        ("record/ruleset/game", "chess", "record.ruleset", "ruleset"),
        ("record/engine", "one", "record.malformed", "engine"),
        ("record/v", 2, "record.version", "v"),
        ("record/forfeits", [{"seat": 9, "deal": 1, "move": 1, "code": "x"}], "record.forfeit", "forfeit 1"),
        ("record/forfeits", [{"seat": 0, "deal": 9, "move": 1, "code": "x"}], "record.forfeit", "forfeit 1"),
        ("record/extra", 1, "record.extra", "extra"),
        ("view/deals/1/moves/2/fx/0/2", "c9", "view.fx", "deal 2, move 3, fx 1, to"),
        ("view/deals/1/total/0", 5, "view.total", "deal 2, total 1"),
        ("view/deals/0/lines/0/v", 5, "view.v", "deal 1, lines 1, v"),
        ("view/deals/0/fx0/7/0", "01.1", "view.fx0", "deal 1, fx0 8, card"),
        ("view/deals/0/mult", 2, "view.mult", "deal 1, mult"),
        ("view/deals", [], "view.deals", "deal 1"),
    ],
)
def test_the_first_difference_is_named(path: str, value: object, code: str, where: str) -> None:
    found = verify(rehashed(_set(a_document(), path, value)))
    assert not found.ok
    assert (found.code, found.where) == (code, where), found


def test_a_change_without_the_hash_is_seen_first() -> None:
    found = verify(_set(a_document(), "record/result/score/0", 999))
    assert (found.code, found.where) == ("record.hash", "hash")


def test_a_swapped_card_is_named_with_the_seed() -> None:
    document = a_document()
    order = document["record"]["deals"][1]["orders"][0]
    order[46], order[47] = order[47], order[46]
    found = verify(rehashed(document), seed=SEED)
    assert (found.code, found.where) == ("record.order", "deal 2, card 47")
    assert order[46] in found.message


def test_another_seed_is_not_the_one_committed_to() -> None:
    assert verify(a_document(), seed=bytes(32)).code == "record.commit"


def test_a_forfeited_seat_must_play_the_first_legal_action() -> None:
    document = a_document(forfeit=True)
    assert document["record"]["forfeits"][0]["deal"] == 2
    document["record"]["forfeits"][0].update(deal=1, move=1)
    found = verify(rehashed(document))
    assert found.code == "record.forfeit"


def test_a_record_of_older_rules_is_checked_for_its_sums_only(monkeypatch: pytest.MonkeyPatch) -> None:
    document = a_document()
    document["record"]["engine"] = "0.9.3"
    assert verify(rehashed(document)).code == "record.engine"
    monkeypatch.setattr("engine.record.OLDER_RULES", frozenset({"0.9"}))
    found = verify(rehashed(document), seed=SEED)
    assert (found.ok, found.code) == (True, "record.older_engine")
    document["record"]["result"]["score"][0] += 5
    assert verify(rehashed(document)).code == "record.sum"


def test_a_running_match_is_not_written() -> None:
    match = Match(ruleset("hawaii"), 2, SEED)
    with pytest.raises(EngineError, match="still being played"):
        write(match, match_id="m", fair={}, bots=[None, None], preset="hawaii")


@pytest.mark.thorough
def test_a_capped_match_has_an_open_deal() -> None:
    match = Match(ruleset("hawaii", rounds=1000), 2, SEED)
    while not match.is_over:
        match.apply(match.legal_actions()[0])
    fair = {"commit": commitment(SEED)}
    document = json.loads(json.dumps(write(match, match_id="m", fair=fair, bots=[None, None], preset="hawaii")))
    assert document["record"]["result"]["end"] == "cap"
    assert document["record"]["deals"][-1]["score"] is None
    assert verify(document, seed=SEED).ok


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just("01.1") | st.just("p0 03.3"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.thorough
@given(JUNK)
def test_junk_is_not_a_record(junk: object) -> None:
    found = verify(junk)
    assert not found.ok
    assert found.code.startswith("record.")
    with pytest.raises(BadRecord):
        rederive(junk)


@pytest.mark.thorough
@examples(150)
@given(st.randoms(use_true_random=False), JUNK, st.booleans())
def test_junk_anywhere_in_a_record_fails_closed(dice: Random, junk: object, rehash: bool) -> None:
    """Anything replaces any part: a code, never another exception; and not ok, unless it says the same."""
    document = a_document("hawaii", 2)
    holder: Any = document
    way: list[object] = []
    while True:
        key: Any = dice.choice(sorted(holder)) if isinstance(holder, dict) else dice.randrange(len(holder))
        way.append(key)
        if not isinstance(holder[key], dict | list) or not holder[key] or dice.random() < 0.2:
            break
        holder = holder[key]
    same = type(holder[key]) is type(junk) and holder[key] == junk
    holder[key] = junk
    if rehash:
        with suppress(BadRecord):
            document = rehashed(document)
    found = verify(document)
    served = way[:2] in (["view", "names"], ["view", "bots"], ["view", "seed"], ["view", "preset"]) or way[-1] == "ms"
    label = way[:2] in (["record", "match"], ["record", "fair"]) or way[-1] == "bot" or way == ["hash"]
    assert not found.ok or same or served or (rehash and label), (way, junk, found)


def test_canonical_json() -> None:
    assert canonical({"b": [1, None, "é"], "a": {}}) == '{"a":{},"b":[1,null,"é"]}'.encode()
    for bad in (1.5, True, float("nan"), {1: 2}, {"a": (1,)}, "\ud800", b"x", 10**5000):
        with pytest.raises(BadRecord):
            canonical([bad])
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(BadRecord):
        canonical(deep)
