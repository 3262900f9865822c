"""Checking a match and any record: without a browser what the server says, in Chromium what the script says (23)."""

from __future__ import annotations

import hashlib
import json
import re
from copy import deepcopy
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from playwright.sync_api import Page, expect

from core.replay.proof import prove
from engine.cards import CODES
from engine.deck import dealer_order, deck_order, further_order
from engine.record import record_hash
from engine.record_compact import compact
from tests.browser.looking import axe_violations, sideways
from tests.builders.matches_on_show import a_finished_match, a_match, a_stage
from tournaments.matches.records import proofs
from tournaments.models import DealSet, Match, Tournament
from tournaments.pages.matches import verifying
from tournaments.pages.matches.verifying import found_of

DONE = 'hanami-verify[data-state="done"]'
VERDICT_OK = 'class="vf-said vf-verdict ok"'


def record_of(client: Client, match: Match) -> dict[str, Any]:
    document: dict[str, Any] = client.get(f"/m/{match.uuid}/record.json").json()
    return document


def swapped(document: dict[str, Any], *, deal: int, one: int, other: int) -> tuple[dict[str, Any], str, str]:
    """The record with two cards of an order exchanged, counted from 1; what was at the first place and what is now."""
    copy = deepcopy(document)
    order = copy["record"]["deals"][deal - 1]["orders"][0]
    order[one - 1], order[other - 1] = order[other - 1], order[one - 1]
    return copy, order[other - 1], order[one - 1]


def pasted(client: Client, match: Match | None, text: str, **fields: Any) -> Any:
    return client.post(f"/m/{match.uuid}/verify/" if match else "/fairness/verify/", {"record": text, **fields})


# -- the server -------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_server_plays_a_match_again_once_and_ticks_every_line(client: Client, monkeypatch: Any) -> None:
    match = a_finished_match(seats=3, rounds=3)
    html = client.get(f"/m/{match.uuid}/verify/").content.decode()
    assert match.deal_set is not None
    assert match.deal_set.commit in html
    assert "Replay it on the server" in html
    played: list[str] = []
    examine = proofs.examine

    def counted(document: Any, seed: bytes | None) -> proofs.Proof:
        played.append(document["hash"])
        return examine(document, seed)

    monkeypatch.setattr(proofs, "examine", counted)
    for _again in range(3):
        html = client.get(f"/m/{match.uuid}/verify/?check=server").content.decode()
        assert VERDICT_OK in html
        assert html.count('<li class="ok">') == 14, "the three deals are summed up in one more"
        assert html.count("<details>\n<summary>3 deals") == 1
    assert len(played) == 1
    assert len(html.encode()) < 60_000


@pytest.mark.django_db
def test_a_seed_that_is_not_shown_yet_leaves_the_cards_open(client: Client) -> None:
    match = a_finished_match(rounds=1)
    DealSet.objects.update(revealed_at=None)
    html = client.get(f"/m/{match.uuid}/verify/?check=server").content.decode()
    assert "Shown once every leg of this deal set is over:" in html
    assert "The seed is not shown yet, so nobody can derive the cards." in html
    assert 'vf-verdict open"' in html
    assert "Nothing was rigged" not in html


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("state", "words"),
    [("queued", "This match is not finished"), ("void", "cancelled and counts for nobody")],
)
def test_what_is_not_played_says_so(client: Client, state: str, words: str) -> None:
    match = a_match(a_stage(), state=state)
    html = client.get(f"/m/{match.uuid}/verify/?check=server").content.decode()
    assert words in html
    assert "hanami-verify" not in html


@pytest.mark.django_db
def test_a_table_of_people_says_what_can_be_checked(client: Client) -> None:
    match = a_match(a_stage(), state="confirmed")
    Match.objects.filter(pk=match.pk).update(deal_set=None)
    html = client.get(f"/m/{match.uuid}/verify/").content.decode()
    assert "Nobody recorded the cards" in html
    assert "paper cards leave no seed and no record" in html


@pytest.mark.django_db
def test_strangers_do_not_find_what_they_may_not_see(client: Client) -> None:
    match = a_finished_match(rounds=1)
    Tournament.objects.update(visibility="private")
    for path in ("", "?check=server"):
        assert client.get(f"/m/{match.uuid}/verify/{path}").status_code == 404
    assert pasted(client, match, "{}").status_code == 404


@pytest.mark.django_db
def test_journey_23_without_script_a_pasted_swapped_card_is_named(client: Client) -> None:
    match = a_finished_match(rounds=3)
    document = record_of(client, match)
    assert VERDICT_OK in pasted(client, match, json.dumps(document)).content.decode()
    copy, was, now = swapped(document, deal=2, one=7, other=20)
    names = {code: f"({code})" for code in CODES}
    for match_or_none in (match, None):
        html = pasted(client, match_or_none, json.dumps(copy)).content.decode()
        assert "The record does not prove itself" in html
        said = html.split("Deal 2, order 1, card 7: the seed gives ")[1].split("<")[0]
        assert said.index(names[was]) < said.index(names[now])
        assert f"The record does not prove itself: Deal 2, order 1, card 7: the seed gives {said}" in html
    copy["hash"] = record_hash(copy["record"])  # anyone who lies writes a new hash as well
    html = pasted(client, match, json.dumps(copy)).content.decode()
    assert "Deal 2, order 1, card 7: the seed gives " in html
    assert "proof.other_match" in html


@pytest.mark.django_db
def test_files_compact_records_and_typed_seeds_are_taken(client: Client) -> None:
    match = a_finished_match(rounds=2)
    document = record_of(client, match)
    seed = document["view"]["seed"]
    file = SimpleUploadedFile("m.json", json.dumps(document).encode())
    html = client.post("/fairness/verify/", {"file": file}).content.decode()
    assert VERDICT_OK in html
    assert "Nothing was rigged" not in html, "nobody knows when its commitment was published"
    small = compact(document, bytes.fromhex(seed))
    assert VERDICT_OK in pasted(client, None, json.dumps(small)).content.decode()
    document["view"]["seed"] = None
    assert 'vf-verdict open"' in pasted(client, None, json.dumps(document)).content.decode()
    assert VERDICT_OK in pasted(client, None, json.dumps(document), seed=f" {seed} ").content.decode()
    html = pasted(client, match, json.dumps(document)).content.decode()  # this page knows the seed
    assert VERDICT_OK in html
    assert "Nothing was rigged" in html


REFUSED = [
    ("", "proof.empty"), ("  \n", "proof.empty"), ("{", "proof.not_json"), ("[1, 2]", "proof.not_record"),
    ('"x"', "proof.not_record"), ('{"record": {}}', "proof.not_record"), ("[" * 50_000, "proof.not_json"),
    ('{"record": {"n": ' + "9" * 5000 + '}, "hash": ""}', "proof.not_json"), ("x" * 1_100_000, "proof.too_large"),
    ('{"compact": 1}', "record.version"), ("\0", "proof.not_json"),
]  # fmt: skip


@pytest.mark.django_db
@pytest.mark.parametrize(("text", "code"), REFUSED, ids=[f"{number}-{each[1]}" for number, each in enumerate(REFUSED)])
def test_what_is_no_record_is_refused_in_words_with_a_code(client: Client, text: str, code: str) -> None:
    reply = pasted(client, None, text)
    assert reply.status_code == 422
    html = reply.content.decode()
    assert f'<p class="code">{code}</p>' in html
    assert len(html) < 60_000


@pytest.mark.django_db
def test_records_of_another_shape_are_answered_and_never_break_the_page(client: Client) -> None:
    match = a_finished_match(rounds=1)
    document = record_of(client, match)
    for path in (
        ["record", "deals"],
        ["record", "ruleset"],
        ["view", "deals"],
        ["record", "result"],
        ["record", "seats"],
    ):
        copy = deepcopy(document)
        copy[path[0]][path[1]] = {"x": [None]}
        html = pasted(client, match, json.dumps(copy)).content.decode()
        assert "The record does not prove itself" in html
    bad = SimpleUploadedFile("m.json", b"\xff\xfe\x00")
    assert b"proof.not_text" in client.post("/fairness/verify/", {"file": bad}).content
    assert b"proof.seed" in pasted(client, None, json.dumps(document), seed="xyz").content
    html = pasted(client, None, json.dumps({"record": {"x": "<b>y"}, "hash": "<script>"})).content.decode()
    assert "<script>" not in html


@pytest.mark.django_db
def test_nobody_burns_our_processor(client: Client, monkeypatch: Any) -> None:
    monkeypatch.setattr(proofs, "PER_HOUR", 2)
    match = a_finished_match(rounds=1)
    document = json.dumps(record_of(client, match))
    for _time in range(2):
        assert pasted(client, None, document).status_code == 200
    reply = pasted(client, None, document)
    assert reply.status_code == 429
    assert int(reply["Retry-After"]) > 0
    assert "proof.rate" in reply.content.decode()
    assert client.get(f"/m/{match.uuid}/verify/?check=server").status_code == 429
    assert client.get(f"/m/{match.uuid}/verify/").status_code == 200


@pytest.mark.django_db
def test_pages_lead_there_and_ask_little(client: Client, django_assert_max_num_queries: Any) -> None:
    match = a_finished_match(seats=7, rounds=2)
    assert f"/m/{match.uuid}/verify/" in client.get(f"/m/{match.uuid}/").content.decode()
    assert "/fairness/verify/" in client.get("/fairness/").content.decode()
    assert f"hanami verify hanami-{match.uuid}.json" in client.get(f"/m/{match.uuid}/verify/").content.decode()
    with django_assert_max_num_queries(10):
        client.get(f"/m/{match.uuid}/verify/")


# -- the browser ------------------------------------------------------------------------------------------------------

ORDERS = """async ([seed, games]) => {
  const { shuffled } = await import('/static/verify/deck.js');
  const bytes = Uint8Array.from(seed.match(/../g), (pair) => parseInt(pair, 16));
  return games.map(([label, first, second, cards]) => shuffled(label, bytes, first, second, cards));
}"""
DIGESTS = """async (sizes) => {
  const { sha256, hex } = await import('/static/verify/sha256.js');
  const { shake256 } = await import('/static/verify/shake256.js');
  return sizes.map((size) => {
    const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 37 + 11) & 255);
    return [hex(sha256(bytes)), hex(shake256(bytes, 300))];
  });
}"""
PUBLISHED = """async () => {
  const { sha256, hex } = await import('/static/verify/sha256.js');
  const { shake256 } = await import('/static/verify/shake256.js');
  const text = (words) => new TextEncoder().encode(words);
  return [hex(sha256(text(''))), hex(sha256(text('abc'))), hex(sha256(text('a'.repeat(1000000)))),
    hex(shake256(text(''), 32)), hex(shake256(text('abc'), 32))];
}"""
VECTORS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
    "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f",
    "483366601360a8771c6863080cc4114d8db44530f8f1e1ee4f94ea37e78b5739",
]
"""FIPS 180-4 (SHA-256 of "", "abc", a million times "a") and FIPS 202 (SHAKE-256 of "" and "abc", 32 bytes)."""
CANONICAL = """async (values) => {
  const { canonical, recordHash } = await import('/static/verify/deck.js');
  return values.map((value) => { try { return recordHash(value) } catch { return null } });
}"""


@pytest.mark.thorough
def test_the_browsers_own_hashes_and_decks_are_the_published_ones(live_site: str, page: Page) -> None:
    page.goto(f"{live_site}/fairness/verify/")
    assert page.evaluate(PUBLISHED) == VECTORS
    sizes = [0, 1, 55, 56, 63, 64, 119, 135, 136, 137, 272, 1000]
    for size, (sha, shake) in zip(sizes, page.evaluate(DIGESTS, sizes), strict=True):
        data = bytes((i * 37 + 11) & 255 for i in range(size))
        assert sha == hashlib.sha256(data).hexdigest()
        assert shake == hashlib.shake_256(data).hexdigest(300)
    seed = bytes(range(32))
    some = 0x5555_5555_5555
    cards = [code for index, code in enumerate(CODES) if some >> index & 1]
    asked = [("deck", 3, 1, list(CODES)), ("dealer", 0, 2, list(CODES)), ("return", 2, 0, cards)]
    ours = [deck_order(seed, 3, 1), dealer_order(seed, 2), further_order(seed, "return", 2, 0, some)]
    assert page.evaluate(ORDERS, [seed.hex(), asked]) == [[CODES[card] for card in order] for order in ours]
    plain = [{"b": [1, None, -7], "a": 'é\u2028"\\\n\x7f', "ﬀ": 1, "😀": 2, "": {}}, [], {"é": {"e": 1, "É": 2}}]
    assert page.evaluate(CANONICAL, plain) == [record_hash(value) for value in plain]
    assert page.evaluate(CANONICAL, [1.5, {"a": True}, [2**60]]) == [None, None, None]


@pytest.mark.slow
def test_journey_23_ticks_come_and_a_pasted_swapped_card_is_named(live_site: str, page: Page, client: Client) -> None:
    match = a_finished_match(seats=4, rounds=3)
    document = record_of(client, match)
    page.goto(f"{live_site}/m/{match.uuid}/")
    page.get_by_role("link", name="Verify it yourself").click()
    page.wait_for_selector(DONE)
    mine = page.locator("hanami-verify")
    expect(mine.get_by_role("status").locator("strong")).to_have_text("Nothing was rigged")
    assert mine.locator("li.ok").count() == 12
    expect(mine.get_by_text("Deal 2: every card")).to_be_hidden()
    mine.get_by_text("3 deals: every card").click()
    expect(mine.get_by_text("Deal 2: every card")).to_be_visible()
    copy, was, now = swapped(document, deal=3, one=9, other=40)
    copy["hash"] = record_hash(copy["record"])
    page.get_by_text("Check another copy").click()
    page.get_by_label("Record (JSON)").fill(json.dumps(copy))
    page.get_by_role("button", name="Check in this browser").click()
    found = page.locator("#pasted")
    expect(found).to_have_attribute("data-state", "bad")
    said = found.locator("li.bad li.bad", has_text="Deal 3, order 1, card 9: the seed gives").inner_text()
    assert said.index(f"({was})") < said.index(f"({now})")
    for text, words in (("{", "not JSON"), ("", "You have not pasted"), ('{"a": 1}', "not the record of a match")):
        page.get_by_label("Record (JSON)").fill(text)
        page.get_by_role("button", name="Check in this browser").click()
        expect(found.get_by_role("status")).to_contain_text(words)
    assert axe_violations(page) == []
    page.set_viewport_size({"width": 360, "height": 740})
    assert sideways(page) == []


CHECKS = """async ([documents, seed]) => {
  const { prove } = await import('/static/verify/proof.js');
  const { unhex } = await import('/static/verify/sha256.js');
  const { decks } = await (await fetch('/fairness/words/en.json')).json();
  return documents.map((one) => [...prove(one, unhex(seed), decks)].map(({ key, values, state, code, fault, told }) =>
    [key, values, state, code, fault, told]));
}"""


@pytest.mark.slow
def test_the_script_finds_what_the_server_finds(live_site: str, page: Page, client: Client) -> None:
    """The twins, over honest and changed records of every kind of game: the same checks, codes, places, cards."""
    page.goto(f"{live_site}/fairness/verify/")
    for table in (
        {"seats": 3},
        {"seats": 4, "preset": "oibana"},
        {"preset": "poka5"},
        {"seats": 3, "preset": "nuki88"},
    ):
        document = record_of(client, a_finished_match(rounds=3, **table))
        seed = document["view"]["seed"]
        documents = [document, swapped(document, deal=1, one=5, other=9)[0]]
        for path, value in (
            (("record", "deals", 0, "orders", 0, 3), "12.4"), (("record", "deals", 0, "orders", 0, 0), 7),
            (("record", "result", "rank"), [9] * 4), (("record", "result", "score", 0), "x"), (("view", "deals"), None),
            (("record", "fair", "commit"), "sha256:1"), (("view", "deals", 0, "total", 0), 12345), (("hash",), None),
            (("view", "deals", 0, "fx0", 0, 0), "12.4"), (("record", "deals"), 5), (("record",), None),
            (("record", "forfeits"), [{"seat": 1, "deal": 1, "move": 1, "code": "crash"}]),
        ):  # fmt: skip
            copy: Any = deepcopy(document)
            place = copy
            for step in path[:-1]:
                place = place[step]
            place[path[-1]] = value
            documents.append(copy)
        theirs = page.evaluate(CHECKS, [documents, seed])
        for one, found in zip(documents, theirs, strict=True):
            ours = [
                [check.key, dict(check.values), check.state, check.code, check.fault, dict(check.details)]
                for check in prove(one, bytes.fromhex(seed))
            ]
            assert found == json.loads(json.dumps(ours))


@pytest.mark.django_db
def test_a_proof_in_words_says_more_than_that_the_hash_is_wrong() -> None:
    proof = proofs.examine({"record": {}, "hash": "x"}, None)
    found = found_of(proof)
    assert found.state == "bad"
    assert found.headline == "Something does not fit"
    assert found.lines[0].fault.endswith("Something was changed.")
    assert found.summary.startswith("The record does not prove itself: A part is missing")


def monster(**parts: Any) -> dict[str, Any]:
    """A record that fits in a letter and would take minutes, or all memory, to check."""
    record = {"seats": [{"side": 0}], "deals": [], "draws": [], "forfeits": [], "ruleset": {"options": {}}, **parts}
    return {"record": record, "hash": "", "view": {"deals": [{"lines": []}]}}


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


HUGE = {"score": [0] * 100_000, "victories": [], "rank": [1] * 100_000}
MONSTERS = [
    json.dumps(monster(seats=[{"side": 10**11}])), json.dumps(monster(seats=[{"side": "99999999999"}])),
    json.dumps(monster(result=HUGE)), json.dumps(monster(seats=[{"side": 0}] * 50_000)),
    json.dumps(monster(draws=[[]] * 200_000)),
    json.dumps(monster(deals=[{"orders": [], "score": [0] * 60_000}])),
    json.dumps(monster(deals=[{"orders": [[]] * 200_000}])),
    json.dumps(monster(deals=[{"orders": [[]] * 5_000}] * 40)),
    json.dumps({**monster(), "view": {"deals": [{"fx0": [["a", "p", "b"]] * 40_000, "moves": []}]}}),
    *(f'{{"record": {{"x": {nested(depth)}}}, "hash": {nested(depth)}}}' for depth in (17, 500, 900, 930)),
]  # fmt: skip


@pytest.mark.django_db
def test_what_no_match_can_be_is_refused_before_it_costs_anything(client: Client, monkeypatch: Any) -> None:
    monkeypatch.setattr(verifying, "prove_pasted", pytest.fail)
    for text in MONSTERS:
        reply = pasted(client, None, text)
        assert reply.status_code == 422
        assert re.search("proof.not_(record|json)", reply.content.decode())


@pytest.mark.django_db
def test_half_a_character_breaks_no_page(client: Client) -> None:
    match = a_finished_match(rounds=1)
    document = record_of(client, match)
    document["hash"] = "\ud800"
    document["view"]["deals"][0]["fx0"][0][0] = "\udfff"
    for page in (match, None):
        assert "proof.not_json" in pasted(client, page, json.dumps(document)).content.decode()
