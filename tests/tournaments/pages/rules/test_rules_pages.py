"""The page of every preset says what its game's own data say: values, combinations, options."""

from __future__ import annotations

import html
import re

import pytest
from django.test import Client

from engine.cards import codes
from engine.game import game_of
from engine.games import PRESETS, option_table
from tournaments.pages.rules.rules import clauses_of, parts_of

pytestmark = pytest.mark.django_db


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("preset", PRESETS)
def test_a_page_shows_what_the_engine_plays(client: Client, preset: str) -> None:
    answer = client.get(f"/rules/{preset}/")
    page = html.unescape(answer.content.decode())
    words = game_of(PRESETS[preset].game).words
    assert answer.status_code == 200
    for info in option_table(PRESETS[preset].game):
        assert f'id="{info.id}"' in page
        assert info.meaning in page
    for found in words.combinations:
        assert found.name in page
        assert found.ja in page
        assert found.cards or found.text in page
    assert (f"together: {sum(words.values.values())}." in page) == bool(words.values)


@pytest.mark.parametrize("preset", ["hawaii", "poka3"])
def test_four_clauses_of_a_part_stand_in_one_row(client: Client, preset: str) -> None:
    page = client.get(f"/rules/{preset}/").content.decode()
    sizes = [len(clauses) for _title, clauses in parts_of(preset)]
    rows = re.findall(r'<div class="clauses( of-four)?">', page)
    assert [bool(four) for four in rows] == [size == 4 for size in sizes]


def test_poka_has_a_target_and_no_card_values(client: Client) -> None:
    page = client.get("/rules/poka3/").content.decode()
    assert "3 points win the match" in page
    assert "deals per match" not in page
    assert "What cards are worth" not in page


def test_nuki_counts_in_kan(client: Client) -> None:
    page = client.get("/rules/nuki88/").content.decode()
    assert "12 kan" in page
    assert "All 34 together: 211." in page


CLAUSES = {
    "hawaii": ("Hiki", "captures the four cards at once", "The scores of 12 deals are added"),
    "paradise": ("Hiki", "wins the match, regardless of points"),
    "french": ("As long as nobody has captured a Willow", "forbidden to the Lightning", "Teshi"),
    "enwiki2020": ("as wild as from the hand", "The next point card of the month"),
    "oibana": ("from 1 to 100", "The loser pays the loser's bid", "Hiki"),
    "nuki88": ("Sage lets it go on", "every payment of the deal counts twice", "16 captured chaff bring 12 kan"),
    "poka5": ("follow any card", "The first player with 5 points wins the match"),
    "poka3": ("The first player with 3 points wins the match",),
    "koikoi_nintendo": ("Koi-koi is called once in a deal", "Yaku of 7 points or more in all count twice"),
    "koikoi_fuda": ("Koi-koi may be called at every improvement", "January in the first deal"),
    "koikoi_zoo": ("What one player scores the other loses", "when a player has lost 30 points in all"),
}
"""Sentences that only hold under this preset's options."""


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("preset", CLAUSES)
def test_how_it_is_played_follows_the_options(client: Client, preset: str) -> None:
    page = html.unescape(client.get(f"/rules/{preset}/").content.decode())
    for sentence in CLAUSES[preset]:
        assert sentence in page
    assert ("Hiki" in page.split("All rules that can differ")[0]) == (preset in ("hawaii", "paradise", "oibana"))
    assert "%(" not in page


def test_how_it_is_played_stands_under_headings(client: Client) -> None:
    page = client.get("/rules/hawaii/").content.decode()
    titles = re.findall(r'<h3 class="part">(.+)</h3>', page)
    assert titles == ["Before the first card", "On your turn", "What the Lightning does", "Points and the match"]
    parts = page.split('<h3 class="part">')[1:]
    found = {title: re.findall(r'<section id="([a-z-]+)">', part) for title, part in zip(titles, parts, strict=True)}
    assert found["On your turn"] == ["turn", "empty-hand", "declaring-hiki"]
    assert [part[0] for part in found.values()] == ["deal", "turn", "gaji", "score"]


@pytest.mark.parametrize("preset", PRESETS)
def test_no_heading_stands_over_nothing(preset: str) -> None:
    parts = list(parts_of(preset))
    assert [line.id for _title, lines in parts for line in lines] == [each.id for each in clauses_of(preset)]
    assert all(lines for _title, lines in parts)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_clause_can_be_said_under_every_option(preset: str) -> None:
    game = game_of(PRESETS[preset].game)
    known = {info.id for info in option_table(game.id)}
    for clause in game.words.clauses:
        assert set(clause.only) <= known
        assert set(re.findall(r"%\((\w+)\)s", clause.text)) <= known
        assert clause.source


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("preset", "rows"),
    [
        ("hawaii", ["2 8 8 24", "3 7 6 21", "4 5 8 20", "5 4 8 20", "6 3 12 18", "7 3 6 21"]),  # rules.md 1.5
        ("nuki88", ["2 7 6 14", "3 7 6 7", "4 7 6 0"]),  # rules.md 6.1
        ("oibana", ["3 8 24", "4 8 16", "5 8 8", "6 8 0"]),  # rules.md 5
        ("poka5", ["2 6 1 35"]),  # rules.md 7.1
        ("koikoi_zoo", ["2 8 8 24"]),
    ],
)
def test_the_deal_chart_is_that_of_the_rules(client: Client, preset: str, rows: list[str]) -> None:
    page = client.get(f"/rules/{preset}/").content.decode()
    body = page.split('<table class="chart">')[1].split("</table>")[0].split("<tbody>")[1]
    found = [" ".join(re.findall(r"\d+", re.sub(r"<[^>]+>", " ", row))) for row in body.split("</tr>")[:-1]]
    assert found == rows


@pytest.mark.parametrize(
    ("preset", "brights", "viewing", "missing"),
    [("koikoi_nintendo", 10, 5, 1), ("koikoi_fuda", 15, 5, 0), ("koikoi_zoo", 10, 1, 3)],
)
def test_a_yaku_is_worth_what_the_options_say(
    client: Client, preset: str, brights: int, viewing: int, missing: int
) -> None:
    """Cards of the Month, Teshi and Kuttsuki do not count everywhere."""
    page = client.get(f"/rules/{preset}/").content.decode()
    tiles = {name: html.unescape(part) for part in page.split('<li class="tile">')[1:]
             for name in re.findall(r"<h4>\s*([^<]+?)\s*<", part)[:1]}  # fmt: skip
    assert f"{brights} points" in tiles["Five Brights"]
    assert f">{viewing} point" in tiles["Flower Viewing"]
    assert page.count("Does not count by these rules.") == missing


def test_japanese_names_are_marked_as_japanese(client: Client) -> None:
    for preset, ja in (("hawaii", "さくら"), ("nuki88", "抜き八八"), ("poka5", "五文勝負"), ("poka3", "三文勝負")):
        page = client.get(f"/rules/{preset}/").content.decode()
        assert re.search(rf'lang="ja">[^<]*{ja}', page)
    assert 'lang="ja">い<' in client.get("/rules/hawaii/").content.decode()
    for path in ("/rules/koikoi_nintendo/", "/rules/", "/learn/"):
        page = client.get(path, headers={"accept-language": "ja"}).content.decode()
        assert not re.search(r'([^\s>]+)\s+<span[^>]*lang="ja">\1<', page), path
    assert 'lang="ja">松<' in client.get("/rules/").content.decode()


@pytest.mark.thorough
def test_each_preset_names_the_codes_of_its_cards_and_yaku(client: Client) -> None:
    for preset, found in PRESETS.items():
        page = client.get(f"/rules/{preset}/").content.decode().partition('id="codes"')[2]
        game = game_of(found.game)
        for code in (*codes(game.deck), *(each.id for each in game.words.combinations)):
            assert f"<code>{html.escape(code)}</code>" in page, (preset, code)
        assert "/docs/cards/" in page


def test_only_the_options_that_a_ruleset_has_for_itself_stand_open(client: Client) -> None:
    page = client.get("/rules/french/").content.decode()
    opened, folded = page.split("9 rules differ from Hawaii")[1].split('<details class="all-options">')
    assert (opened.count("<tr id="), opened.count('id="hiki"')) == (9, 1)
    assert folded.split("</details>")[0].count("<tr id=") == len(option_table("sakura")) - 9
    base = client.get("/rules/hawaii/").content.decode()
    assert "differ from" not in base.split("All rules that can differ")[1]


def test_what_a_yaku_counts_is_one_point_or_many(client: Client) -> None:
    page = client.get("/rules/koikoi_nintendo/").content.decode()
    assert {">1 point<", ">10 points<"} <= set(re.findall(r">\d+ points?<", page))
    assert "1 points" not in page
