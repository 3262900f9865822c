"""Order of what the search of the whole site finds, and the words that are marked in it."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from guides.finding import hits_of
from tests.builders import events as a
from tests.tournaments.pairing.test_rated_seeds import a_pool, rated
from tournaments.pages.rules.finding import find_rules
from web.search_hits import Hit, distance, marked

pytestmark = pytest.mark.django_db


def test_what_begins_with_the_words_is_nearer_than_what_has_them_later() -> None:
    hits = [("Sa", ()), ("Sakura", ()), ("Old sage", ()), ("Hawaii", ("by Sato",)), ("Yasashii", ()), ("Pine", ())]
    assert [distance("sa", title, others) for title, others in hits] == [0, 1, 2, 3, 4, 5]
    assert distance("花", "花見", ()) == 1
    assert distance("見", "花見", ()) == 4


def test_whole_games_come_before_parts_of_others_that_hold_the_words() -> None:
    titles = [(hit.title, hit.note) for hit in find_rules("sa")]
    assert ("Poka: San-mon Shobu", "Poka") in titles[:3]
    assert ("Hawaii", "Sakura") in titles[:3]
    assert titles.index(("Hawaii", "Sakura")) < min(n for n, (title, _) in enumerate(titles) if "sake" in title)
    assert next(hit.title for hit in find_rules("hawaii")) == "Hawaii"


def test_a_rule_names_its_game_before_its_title() -> None:
    hits = [marked(hit, ["score"]) for hit in find_rules("score") if hit.title == "The score"]
    names = ["".join(text for text, _hit in hit.named) for hit in hits]
    assert "Hawaii: The score" in names
    assert "Koi-Koi (Nintendo): The score" in names
    assert len(set(names)) == len(names) > 2


def test_words_are_marked_where_one_begins_so_and_else_wherever_they_stand() -> None:
    hit = marked(Hit("Sakura Sasa", "", "Yasashii"), ["sa"])
    assert hit.named == (("Sa", True), ("kura ", False), ("Sa", True), ("sa", False))
    assert hit.parts == (("Ya", False), ("sa", True), ("shii", False))
    # A compound is one word to the eye.
    assert marked(Hit("Koi-Koi Japan", ""), ["koi"]).named == (("Koi-Koi", True), (" Japan", False))
    assert marked(Hit("<b>", "", parts=(("x", True),)), ["b"]).parts == (("x", True),)


@pytest.mark.parametrize("words", ["hawaii", "paradise", "nuki", "koikoi", "games bot"])
def test_every_guide_that_is_found_shows_what_was_looked_for(words: str) -> None:
    found = hits_of(words)
    shown = [f"{hit.title} {''.join(text for text, _hit in hit.parts)}".casefold() for hit in found]
    assert found
    assert [text for text in shown if not any(word in text for word in words.split())] == []


def test_what_is_named_exactly_so_stands_above_the_groups_and_not_in_them_too(client: Client) -> None:
    a.an_open_event(name="Hawaii tables")
    page = client.get("/search/?q=hAwaii").content.decode()
    links = re.findall(r'<a href="([^"]+)">\s*<mark>', page)
    assert links[0] == "/rules/hawaii/"
    assert page.index("/rules/hawaii/") < page.index('id="found-tournaments"')
    assert links.count("/rules/hawaii/") == 1
    assert 'class="box best"' not in client.get("/search/?q=hawai").content.decode()


def test_several_of_one_name_stand_above_the_groups_each_with_its_kind(client: Client) -> None:
    bot = a.a_bot(a.a_user("hawaii"), name="Hawaii")
    best = client.get("/search/?q=hawaii").content.decode().partition('class="box best"')[2].partition("</ul>")[0]
    assert re.findall(r'<a href="([^"]+)"', best) == [f"/b/{bot.slug}/", "/u/hawaii/", "/rules/hawaii/"]
    kinds = re.findall(r'<span lang="en">\s*(.*?)\s*</span>', best)
    assert kinds == ["Bot", "Person", "Ruleset"]
    a_yaku = client.get("/search/?q=poetry ribbons").content.decode().partition('class="box best"')[2]
    assert re.findall(r'<span lang="en">\s*(.*?)\s*</span>', a_yaku)[:1] == ["Rule"]


def test_a_bot_above_the_groups_has_its_rating_and_can_be_played_and_the_rest_are_more(client: Client) -> None:
    event = a.an_open_event()
    bot = a.a_bot(name="Quince")
    page = client.get("/search/?q=quince").content.decode()
    best = page.partition('class="box best"')[2].partition("</ul>")[0]
    assert (f'href="/play/?bot={bot.slug}">Play this bot<' in best, "Rating" in best) == (True, False)
    assert "More bots" not in page, "it is the only one"
    rated(a_pool(preset=event.stages.get().preset), bot.pk, 30, 1, version=bot.active_version)
    a.a_bot(name="Quince Light")
    page = client.get("/search/?q=quince").content.decode()
    best = page.partition('class="box best"')[2].partition("</ul>")[0]
    assert "<strong>27.0</strong>" in best
    assert '<h2 id="found-bots">More bots</h2>' in page
    assert ">Bots&nbsp;" in page, "the tab counts all of them"
    all_of_kind = client.get("/search/?q=quince&kind=bots").content.decode()
    assert '<h2 id="found-bots">Bots</h2>' in all_of_kind


def test_what_is_named_exactly_so_is_found_however_many_begin_so(client: Client) -> None:
    wanted = a.a_bot(a.a_user("old"), name="Quince")
    for n in range(8):
        a.a_bot(a.a_user(f"owner{n}"), name=f"Quince {n}")
    page = client.get("/search/?q=quince").content.decode()
    best = page.partition('class="box best"')[2].partition("</ul>")[0]
    assert re.findall(r'<a href="([^"]+)"', best) == [f"/b/{wanted.slug}/"]
    assert page.count(f'href="/b/{wanted.slug}/"') == 1


def test_one_thing_alone_is_no_empty_search(client: Client) -> None:
    bot = a.a_bot(a.a_user("old"), name="Zzquince")
    page = client.get("/search/?q=zzquince").content.decode()
    assert f'href="/b/{bot.slug}/"' in page
    assert "Nothing found" not in page
    assert 'class="tiles ways"' not in page


def test_every_group_marks_what_was_looked_for(client: Client) -> None:
    a.an_open_event(name="Sakura league")
    a.a_bot(a.a_user("sakurako"), name="Old Sakura")
    page = client.get("/search/?q=saKU").content.decode()
    for kind in ("tournaments", "bots", "people", "guides"):
        part = page.partition(f'id="found-{kind}"')[2].partition("</section>")[0]
        assert re.search(r"<mark>(?i:saku)</mark>", part), kind
    for n in range(7):
        a.a_bot(a.a_user(f"owner{n}"), name=f"Yasakura {n}")
    page = client.get("/search/?q=saku").content.decode()
    first = page.partition('id="found-bots"')[2].partition("<li")[2].partition("</li>")[0]
    assert "Yasakura" in re.sub("<[^>]+>", "", first), "a search with more results than fit keeps the order of the list"
    a.a_bot(a.a_user("first"), name="Sakura mochi")
    for path in ("/search/?q=saku", "/search/?q=saku&kind=bots"):
        page = client.get(path).content.decode()
        first = page.partition('id="found-bots"')[2].partition("<li")[2].partition("</li>")[0]
        assert "Sakura mochi" in re.sub("<[^>]+>", "", first), path
