"""Rules that play: each clause and option of each preset has a moment in which the engine does what it says."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from core.replay.document import read
from core.rulebook.model import Example, example_of, examples
from core.rulebook.shown import document_of, drawings, packets
from core.rulebook.walk import opened
from engine.game import game_of
from engine.games import PRESETS, option_table, ruleset
from engine.notation import parse_move
from scripts.examples.topics import PROOFS, UNSEEN, topics, topics_of
from scripts.make_examples import main, shows
from tests.browser.looking import Trouble, axe_violations
from tournaments.pages.rules.clauses import verdict
from tournaments.pages.rules.stills import sentences

EVERY = [(preset, topic) for preset, found in examples().items() for topic in found]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_clause_and_option_has_an_example_or_a_reason(preset: str) -> None:
    game = game_of(PRESETS[preset].game)
    options = ruleset(preset).options
    rules = {clause.id for clause in game.words.clauses if clause.applies(options)}
    rules |= {info.id for info in option_table(game.id)}
    assert {topic for topic, _proof in topics_of(preset)} == rules
    unseen = {topic for at, topic in UNSEEN if at == preset}
    assert set(examples()[preset]) == rules - unseen
    assert unseen <= {info.id for info in option_table(game.id)}, "a clause always shows"


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("preset", PRESETS)
def test_the_engine_does_what_each_example_is_for(preset: str) -> None:
    wrong = [text for topic in topics() if topic.preset == preset and (text := shows(topic))]
    assert wrong == []


def test_a_proof_refuses_another_moment() -> None:
    """The proofs can fail: of two clauses neither takes the other's moment for its own."""
    topic = next(one for one in topics() if (one.preset, one.id) == ("hawaii", "gaji-block"))
    clauses, _options = PROOFS["sakura"]
    example = example_of("hawaii", "gaji-block")
    assert example is not None
    assert shows(replace(topic, proof=clauses["declaring-hiki"])) == "hawaii gaji-block: the example does not show it"
    assert shows(replace(topic, id="gaji-lock")) == "hawaii gaji-lock: has no example"


def test_the_file_is_checked_by_its_script(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scripts.make_examples.topics", lambda: [one for one in topics() if one.preset == "poka3"])
    assert main(["--check"]) == 0
    assert "every example shows its rule" in capsys.readouterr().out


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(("preset", "topic"), EVERY)
def test_a_document_says_what_the_engine_does_with_its_moves(preset: str, topic: str) -> None:
    """Its moves, read as text, make the engine move the same cards and tell the same events."""
    example = examples()[preset][topic]
    document: Any = document_of(example)
    match = opened(preset, example.seats, example.number, example.teams)
    for record, view in zip(document["record"]["deals"], document["view"]["deals"], strict=True):
        for text, shown in zip(record["moves"], view["moves"], strict=True):
            seat, action = parse_move(text)
            log = match.deals[-1]
            assert (log.number, match.seat_to_act) == (record["n"], seat)
            match.apply(action)
            played = log.played[-1]
            assert list(played.notes) == shown["ev"]
            assert len(played.steps) == len(shown["fx"])
    last = document["record"]["deals"][-1]
    assert (last["n"], len(last["moves"])) == (example.deal, example.move)
    assert 0 <= example.before <= example.move
    assert all(sentences(document, example))


def test_how_cards_were_dealt_and_drawn_is_told_from_the_game() -> None:
    halves = [(packet.target, packet.count) for packet in packets(_example("enwiki2020", "deal_pattern"))]
    assert [count for _zone, count in halves] == [4, 4, 4, 4, 4, 4]
    assert [zone[0] for zone, _count in halves] == ["f", "h", "h", "f", "h", "h"]
    assert sorted(packet.count for packet in packets(_example("hawaii", "deal_pattern"))) == [8, 8, 8]
    assert [len(one.cards) for one in drawings(_example("hawaii", "first_dealer_tie"))][:2] == [2, 2]
    assert len(drawings(_example("french", "first_dealer_tie"))) == 1


def test_the_end_of_a_match_and_of_the_deal_before_are_told() -> None:
    told = {topic: verdict(_document("hawaii", topic)) for topic in ("match", "final_tie", "turn")}
    assert re.fullmatch(r"The match is over: Kimo \S+, Lani \S+\. (Kimo|Lani) wins it\.", told["match"])
    assert told["final_tie"].endswith("Kimo, Lani win it together.")
    assert told["turn"] == ""
    figures = re.findall(r"(\d+)", verdict(_document("paradise", "scoring")))
    assert sum(map(int, figures)) == 12, "deals won, not points"
    over, dealt = sentences(_document("hawaii", "dealer_succession"), _example("hawaii", "dealer_succession"))
    winner = re.search(r"(\w+) wins it", over)
    assert winner is not None
    assert dealt.startswith(f"{winner[1]} deals the cards of deal 2")


def _document(preset: str, topic: str) -> Any:
    return document_of(_example(preset, topic))


def _example(preset: str, topic: str) -> Example:
    found = example_of(preset, topic)
    assert found is not None
    return found


@pytest.mark.thorough(keep=1)
@pytest.mark.django_db
@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_s_page_plays_all_of_them(client: Client, preset: str) -> None:
    page = client.get(f"/rules/{preset}/").content.decode()
    assert len(page.encode()) < 60_000
    for topic in examples()[preset]:
        assert f'id="{topic}"' in page
        assert f'href="/rules/{preset}/{topic}/"' in page
    ids = [part.split('"')[0] for part in page.split(' id="')[1:]]
    assert len(ids) == len(set(ids)), "an address means one place"


@pytest.mark.thorough(keep=1)
@pytest.mark.django_db
@pytest.mark.parametrize("preset", PRESETS)
def test_a_rule_is_read_without_script_from_before_to_after(client: Client, preset: str) -> None:
    topic = list(examples()[preset])[1]
    example = examples()[preset][topic]
    answer = client.get(f"/rules/{preset}/{topic}/")
    page = html.unescape(answer.content.decode())
    assert len(answer.content) < 60_000
    assert f'data-deal="{example.deal}" data-move="{example.before}"' in page
    assert f'data-until="{example.deal}.{example.move}"' in page
    document: Any = document_of(example)
    # Among the moves the end of a deal is small.
    read_aloud = re.sub("</?small>", "", page)
    for sentence in sentences(document, example):
        assert read_aloud.count(sentence) >= 2, "beside the table and among the moves"
    after = html.unescape(client.get(f"/rules/{preset}/{topic}/?d={example.deal}&m={example.move}").content.decode())
    assert f'data-move="{example.move}"' in after
    assert "data-until" not in after
    assert client.get(f"/rules/{preset}/{topic}/record.json").json() == document
    assert read(document).names[0] == "Kimo"


@pytest.mark.django_db
def test_a_rule_stands_beside_its_table_and_one_deal_has_no_score_by_deals(client: Client) -> None:
    page = client.get("/rules/hawaii/gaji-block/").content.decode()
    assert page.index("<h1>") < page.index('class="rp-felt"') < page.index('class="rp-rule"')
    assert 'class="rp-score"' not in page
    assert 'class="rp-score"' in client.get("/rules/koikoi_fuda/next-dealer/").content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(("topic", "is_still"), [("deal", True), ("gaji", False)])
def test_a_rule_without_a_move_has_no_controls(client: Client, topic: str, is_still: bool) -> None:
    shown = client.get(f"/rules/hawaii/{topic}/").content.decode()
    assert shown.count('class="rp still"') == is_still


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_what_does_not_move_is_drawn_without_steps_and_tabs(page: Page, live_site: str) -> None:
    for topic, is_still in (("deal", True), ("gaji", False)):
        page.goto(f"{live_site}/rules/hawaii/{topic}/")
        page.wait_for_selector("hanami-replay[data-state=ready]")
        for part in (".rp-bar", ".rp-tabs", ".rp-moves"):
            assert page.locator(part).is_visible() is not is_still, (topic, part)
        assert page.locator(".rp-table").is_visible()


@pytest.mark.django_db
def test_what_is_no_rule_is_not_found(client: Client) -> None:
    for path in ("hawaii/nothing", "hawaii/basa", "koikoi/hiki", "hawaii/gaji-from-pile", "compare/hiki"):
        assert client.get(f"/rules/{path}/").status_code == 404, path
        assert client.get(f"/rules/{path}/record.json").status_code == 404, path


WATCH = """
() => {
  window.heard = [];
  for (const region of document.querySelectorAll('[data-rp="say"]'))
    new MutationObserver(() => { if (region.textContent) window.heard.push(region.textContent); })
      .observe(region, { childList: true, characterData: true, subtree: true });
}
"""


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_block_is_played_by_keyboard_and_said_once(page: Page, live_site: str, trouble: Trouble) -> None:
    """Journey 1: Rules, Hawaii, the block, Play: "takes all four" is announced."""
    page.goto(f"{live_site}/rules/")
    page.get_by_role("link", name="Hawaii", exact=True).press("Enter")
    page.locator("#gaji-block").get_by_role("link", name="Play").press("Enter")
    page.wait_for_selector("hanami-replay[data-state=ready]")
    page.evaluate(WATCH)
    expect(page.locator("[data-rp=say]").filter(has_text="takes all four")).to_have_count(1)
    expect(page.locator("[data-rp=words]")).to_contain_text("takes all four")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-rp=say]").filter(has_text="takes all four")).to_have_count(1)
    heard = page.evaluate("window.heard")
    assert [("takes all four" in each) for each in heard] == [True, False, True]
    assert axe_violations(page) == []


def test_pages_say_what_four_of_a_month_do_who_deals_next_and_what_the_lightning_takes_of_three(client: Client) -> None:
    said = {preset: client.get(f"/rules/{preset}/").content.decode() for preset in ("hawaii", "french", "oibana")}
    assert "dealt to the field, the dealer captures them" in said["hawaii"]
    assert "dealt to the field, the player who leads captures them" in said["oibana"]
    assert "dealt to the field, the deal is void" in said["french"]
    assert "The winner of a deal deals the next one" in said["hawaii"]
    assert "right deals next and plays first, regardless of who won" in said["french"]
    assert "it takes that one and leaves two" in said["hawaii"]
    assert "it takes all three" in said["french"]


@pytest.mark.parametrize("preset", [preset for preset in PRESETS if PRESETS[preset].game != "poka"])
def test_every_preset_says_what_four_of_a_month_on_the_field_do_and_who_deals_next(preset: str) -> None:
    options = ruleset(preset).options
    told = " ".join(clause.text for clause in game_of(PRESETS[preset].game).words.clauses if clause.applies(options))
    assert re.search(r"[Ff]our cards of a month (are dealt to|on) the field", told)
    assert re.search(r"deals? (the )?next|deals next", told)
