"""Facts of each game in its match page, with script and without: bids, kan, multiplier, ghosts, claims."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page

from bots.models import Blob
from engine.cards import parse_cards
from engine.game import game_of
from engine.games import PRESETS
from engine.games.nuki.dekiyaku import DEKIYAKU
from engine.games.nuki.teyaku import TEYAKU, claims_of
from engine.games.poka.teyaku import teyaku_of
from tests.browser.looking import axe_violations, sideways
from tests.builders.matches_on_show import NAMES, a_finished_match
from tournaments.models import Match, ResultReport

READY = 'hanami-replay[data-state="ready"]'
SEATS = {"french": 4, "enwiki2020": 3, "oibana": 4, "nuki88": 4, "poka5": 2, "poka3": 2, "koikoi_zoo": 2}
TAGS = re.compile(r"<[^>]+>")


def deals_of(match: Match) -> list[dict[str, Any]]:
    """The deals of the record, both halves of each as one."""
    report = ResultReport.objects.get(match=match)
    assert isinstance(report.record, Blob)
    document = json.loads(report.record.data())
    return [
        {**one, "view": two} for one, two in zip(document["record"]["deals"], document["view"]["deals"], strict=True)
    ]


def moves_with(deal: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """The actions of a deal that have this key."""
    return [move["a"] for move in deal["view"]["moves"] if key in move["a"]]


def events_of(deal: dict[str, Any], code: str) -> list[tuple[int, dict[str, Any]]]:
    """(move, event) of a deal by code."""
    return [(move["m"], event) for move in deal["view"]["moves"] for event in move["ev"] if event["code"] == code]


class Shown:
    """The replay of a match at a place, as it is drawn: by the server alone, or by the script."""

    def __init__(self, read: Callable[[Match, int, int], dict[str, str]]) -> None:
        self.read = read

    def at(self, match: Match, deal: int, move: int) -> dict[str, str]:
        """The text of the parts: `words`, `table`, `text`, `strip`."""
        return self.read(match, deal, move)


@pytest.fixture(params=["server", "script"])
def shown(request: pytest.FixtureRequest, live_site: str) -> Shown:
    """The page without a script, and the page that the script has taken over."""
    if request.param == "server":
        return Shown(_plain)
    page: Page = request.getfixturevalue("page")

    def with_script(match: Match, deal: int, move: int) -> dict[str, str]:
        page.goto("about:blank")
        page.goto(f"{live_site}/m/{match.uuid}/#d{deal}m{move}")
        page.wait_for_selector(READY)
        page.keyboard.press("t")  # nobody sees it before
        page.locator('[data-rp="text"] dt').first.wait_for()
        return {name: " ".join((page.locator(f'[data-rp="{name}"]').text_content() or "").split()) for name in PARTS}

    return Shown(with_script)


PARTS = {"words": "</p>", "table": '<div class="rp-bar">', "text": "</dl>", "strip": "</section>"}
"""Parts of the viewer, with what follows each in the page."""


def _plain(match: Match, deal: int, move: int) -> dict[str, str]:
    html = Client().get(f"/m/{match.uuid}/?d={deal}&m={move}").content.decode()
    found = {}
    for name, end in PARTS.items():
        part = html.split(f'data-rp="{name}"', 1)[1].split(">", 1)[1].split(end, 1)[0]
        part = re.sub(r"\s*(</?d[dt]>)\s*", r"\1", part)  # what the script makes has no space between elements
        found[name] = " ".join(unescape(TAGS.sub("", part)).split())
    return found


def seat_text(text: str, name: str) -> str:
    """Return what the table as text notes of one seat. A name of a player has no space after it there, a flower's
    has.
    """
    found = re.search(rf"{name}(?! )(.*?)Hand: ", text)
    assert found, (name, text)
    return found[1]


@pytest.mark.slow
def test_oibana_shows_bids_who_plays_and_who_pays(shown: Shown) -> None:
    match = a_finished_match(seats=4, preset="oibana", rounds=2)
    deal = deals_of(match)[0]
    bids = {int(move["by"][1:]): move["bid"] for move in moves_with(deal, "bid")}
    players = sorted(bids, key=lambda seat: -bids[seat])[:2]  # bids stand in time: of equal ones the earlier is higher
    page = shown.at(match, 1, 4)
    assert f"{NAMES[players[0]]} leads" in page["words"] or f"{NAMES[players[1]]} leads" in page["words"]
    for seat, bid in bids.items():
        role = "plays" if seat in players else "watches"
        assert f"bid {bid}. {role}." in seat_text(page["text"], NAMES[seat])
        assert f"bid {bid} · {role}" in page["table"]
    winner = int(deal["winner"][1:])
    loser = next(seat for seat in players if seat != winner)
    end = shown.at(match, 1, len(deal["moves"]))
    assert f"so {NAMES[loser]} pays {bids[loser]}" in end["words"]
    assert f"{NAMES[winner]} wins deal 1" in end["table"]
    assert f"stake {bids[loser]} from {NAMES[loser]}" in end["table"]
    assert f"stake −{bids[loser]} to {NAMES[winner]}" in end["table"]


@pytest.mark.slow
def test_nuki_shows_who_plays_the_multiplier_teyaku_calls_and_kan(shown: Shown) -> None:
    match = a_finished_match(seats=4, preset="nuki88", rounds=12)
    deals = deals_of(match)
    large = next(deal for deal in deals if deal["view"]["mult"] == 2 and events_of(deal, "begin"))
    move, begun = events_of(large, "begin")[0]
    page = shown.at(match, large["n"], move)
    assert "Large field: ×2" in page["table"]
    assert "Large field: ×2." in page["text"]
    assert f"Deal {large['n']} ×2" in page["strip"]
    for seat in range(4):
        answer = {"play": "plays", "drop": "dropped out"}
        said = {int(one["by"][1:]): answer[one["join"]] for one in moves_with(large, "join")}
        assert f"{said.get(seat, 'forced out')}." in seat_text(page["text"], NAMES[seat])
    assert all(NAMES[int(seat[1:])] in page["words"] for seat in begun["active"])
    claimed, (move, event) = next((deal, events_of(deal, "teyaku")[0]) for deal in deals if events_of(deal, "teyaku"))
    page = shown.at(match, claimed["n"], move)
    name = next(teyaku.en for teyaku in TEYAKU if teyaku.id == event["name"])
    assert f"claims {name} for {event['kan']} kan" in page["words"]
    assert f"{name}, {event['kan']} kan." in seat_text(page["text"], NAMES[event["by"]])
    called = next(deal for deal in deals if any(one["call"] == "shoubu" for one in moves_with(deal, "call")))
    end = shown.at(match, called["n"], len(called["moves"]))
    assert "calls shoubu: the deal ends" in end["words"]
    assert "shoubu" in end["table"]
    winner = int(called["winner"][1:])
    assert f"{NAMES[winner]} wins deal {called['n']}" in end["table"]
    assert any(f"; yaku {made.en} " in end["table"] for made in DEKIYAKU)
    total = called["view"]["total"][winner]
    assert f"Total {total} ({total / 10:g} kan)".replace("-", "−") in end["table"]


@pytest.mark.slow
def test_poka_shows_ghosts_chains_passes_and_the_discards(shown: Shown) -> None:
    match = a_finished_match(seats=2, preset="poka5")
    deals = deals_of(match)
    ghosts = ("01.1", "01.2", "02.1")
    deal, ghost = next(
        (deal, move) for deal in deals for move in deal["view"]["moves"] if move["a"].get("discard") in ghosts
    )
    page = shown.at(match, deal["n"], ghost["m"])
    assert "(ghost)" in page["words"]
    assert "card points" not in page["table"]
    flipped = next(move for deal in deals[:1] for move in deal["view"]["moves"] if "flip" in move["a"])
    page = shown.at(match, 1, flipped["m"])
    assert "both have passed: " in page["words"]
    assert "is turned up" in page["words"]
    laid = [step for step in deals[0]["view"]["fx0"] if step[2] == "d"]
    laid += [step for move in deals[0]["view"]["moves"][: flipped["m"]] for step in move["fx"] if step[2] == "d"]
    assert f"Discards: {len(laid)}" in page["table"]
    assert f"Discards: {len(laid)}" in page["text"]
    assert "has passed" not in page["table"], "passes are counted from nothing"
    assert "has passed" in shown.at(match, 1, flipped["m"] - 1)["table"]
    end = shown.at(match, 1, len(deals[0]["moves"]))
    assert re.search(r"wins deal 1.*(empty hand \+1|All Out \+2|[A-Z][a-z ]+ \+[25])", end["table"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "code", "words"),
    [("french", "end_claim", "who used the Lightning, claims"), ("enwiki2020", "transfer", "who used the Lightning")],
)
def test_sakura_shows_what_the_lightning_brings(shown: Shown, preset: str, code: str, words: str) -> None:
    match = a_finished_match(seats=SEATS[preset], preset=preset, rounds=12)
    deal, move, event = next(
        (deal, move, event)
        for deal in deals_of(match)
        for move, event in events_of(deal, code)
        if event["cards" if code == "end_claim" else "card"]
    )
    page = shown.at(match, deal["n"], move)
    assert words in page["words"]
    assert NAMES[event["side"]] in page["words"]


@pytest.mark.slow
@pytest.mark.parametrize("preset", SEATS)
@pytest.mark.parametrize("width", [360, 1280])
def test_every_game_fits_and_has_no_barrier(live_site: str, page: Page, preset: str, width: int) -> None:
    match = a_finished_match(seats=SEATS[preset], preset=preset, rounds=2)
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{live_site}/m/{match.uuid}/#d1m5")
    page.wait_for_selector(READY)
    assert sideways(page) == []
    assert axe_violations(page) == []


# -- rules pages -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1280])
def test_the_rules_pages_fit_and_have_no_barrier(live_site: str, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for path in ("/rules/", *(f"/rules/{preset}/" for preset in PRESETS)):
        page.goto(live_site + path)
        assert sideways(page) == [], path
        assert axe_violations(page) == [], path


def test_the_engine_agrees_with_the_pictures() -> None:
    for found in game_of("nuki").words.combinations:
        if found.example:
            claims = claims_of(found.example)
            assert found.id in {claim.id for claim in claims.both}
    for found in game_of("poka").words.combinations:
        assert found.example
        shown = teyaku_of(found.example)
        assert (shown.kind.id if shown else "all_out") == found.id
    assert parse_cards("01.1") & game_of("poka").words.combinations[1].example
