"""The search of the whole site: what it finds, for whom, and what it never shows to those who may not know of it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from playwright.sync_api import Browser, Page, expect

from accounts.models import User
from bots.templatetags.hanami import breakable
from tests.browser.keyboard import Hands
from tests.builders import events as a
from tests.builders.leagues import League
from tests.services.databases import on_sqlite
from tests.services.waiting import wait_until
from tournaments.events.create import create_tournament
from tournaments.invitations.answers import accept_invitation
from tournaments.invitations.people import invite_person
from tournaments.models import Invitation, Tournament

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]
MAX_QUERIES = 10
HITS = re.compile(r'<ul class="plain found">(.*?)</ul>', re.DOTALL)
ARROWS = "each => ['::before', '::after'].map((end) => getComputedStyle(each, end).width)"
LINK = re.compile(r'<a href="([^"]+)">')


def hits(client: Client, query: str) -> list[str]:
    """Return the addresses that a search leads to."""
    page = client.get(f"/search/?{query}").content.decode()
    return [link for part in HITS.findall(page) for link in LINK.findall(part)]


def test_code_breaks_after_its_commas_and_numbers_do_not() -> None:
    assert breakable("f(players=3,deals=100) of 1,000, all") == "f(players=3,\u200bdeals=100) of 1,000, all"


@pytest.mark.thorough
def test_every_kind_is_found_by_a_part_of_its_name(client: Client) -> None:
    owner = a.a_user("matsukiri")
    event = a.an_open_event(name="Matsukiri league")
    bot = a.a_bot(owner, name="Old Matsukiri")
    assert hits(client, "q=matsuKI") == [f"/t/{event.slug}/", f"/b/{bot.slug}/", "/u/matsukiri/"]
    assert hits(client, "q=matsuKIRI") == ["/u/matsukiri/", f"/t/{event.slug}/", f"/b/{bot.slug}/"], "a whole name"
    assert hits(client, "q=hawaii&kind=rules")[0] == "/rules/hawaii/"
    assert "/docs/the-kit/" in " ".join(hits(client, "q=kit&kind=guides"))
    assert hits(client, "q=matsukiri&kind=bots") == [f"/b/{bot.slug}/"]


def test_what_is_for_developers_is_a_kind_of_its_own_after_the_guides(client: Client) -> None:
    page = client.get("/search/?q=webhook").content.decode()
    assert re.findall(r'<h2 id="found-(\w+)"', page) == ["guides", "developers"]
    guides, developers = (hits(client, f"q=webhook&kind={kind}") for kind in ("guides", "developers"))
    assert any(link.startswith("/docs/use-the-api/") for link in guides)
    assert any(link.startswith("/docs/decisions/") for link in developers)
    assert any(link.startswith("/docs/architecture/") for link in developers)
    operating = ("decisions", "architecture", "operate", "getting-started", "glossary", "how-a-match-is-played")
    assert [link for link in guides if link.startswith(tuple(f"/docs/{each}" for each in operating))] == []
    assert [link for link in developers if not link.startswith(tuple(f"/docs/{each}" for each in operating))] == []


def test_rules_are_found_in_the_language_of_the_reader(client: Client) -> None:
    japanese = client.get("/search/?q=役&kind=rules", headers={"Accept-Language": "ja"}).content.decode()
    assert "/rules/" in "".join(HITS.findall(japanese))
    assert hits(client, "q=plum&kind=rules")[0] == hits(client, "q=warbler&kind=rules")[0] == "/rules/#month-2"
    assert any("#gaji" in link for link in hits(client, "q=lightning&kind=rules"))


def test_a_kind_is_headed_by_its_name_and_the_way_to_all_of_it(client: Client) -> None:
    page = client.get("/search/?q=rating").content.decode()
    guides = page.partition('aria-labelledby="found-guides"')[2].partition("</section>")[0]
    head, _mark, rows = guides.partition('<ul class="plain found">')
    assert re.findall(r">\s*(Guides|Show all)<", head) == ["Guides", "Show all"]
    assert "Show all" not in rows
    assert "<svg" not in guides, "a picture that all have says nothing"


def test_a_month_stands_above_everything_with_its_cards_and_yaku(client: Client) -> None:
    page = client.get("/search/?q=pine").content.decode()
    top = page[page.index('<section class="box month"') :]
    top = top[: top.index("</section>")]
    month, _yaku, of_yaku = top.partition('class="plain yaku"')
    assert re.findall(r"#c(\d{4})", month) == ["0101", "0102", "0103", "0104"]
    five, poetry, *_others = of_yaku.split("<li>")[1:]
    assert re.findall(r"#c(\d{4})", five) == ["0101", "0301", "0801", "1101", "1201"], "a yaku has all its cards"
    assert re.findall(r"#c\d\d(\d{2})", poetry)
    assert "<mark>Pine</mark>" in month, "what was looked for is marked here as well"
    assert ('href="/rules/#month-1"' in top, "Five Brights" in top, "Boar" in top) == (True, True, False)
    assert "/rules/#month-1" not in hits(client, "q=pine"), "once is enough"
    assert ('name="q" value="pine"' in page, "data-search-all" in page) == (True, False), "one field, with the words"
    assert "6f1b2c3d" not in page
    assert '<section class="box month"' not in client.get("/search/?q=poetry").content.decode()


@pytest.mark.thorough
@on_sqlite
def test_nothing_private_is_found_by_those_who_may_not_know_of_it(as_user: Become) -> None:
    by, invited, stranger = a.a_user("runs-it"), a.a_user("is-asked"), a.a_user("stranger")
    plan = a.a_plan(name="Secret garden A")
    draft = create_tournament(by=by, plan=plan)
    private = a.an_open_event(name="Secret garden B", visibility="private")
    unlisted = a.an_open_event(name="Secret garden C", visibility="unlisted")
    public = a.an_open_event(name="Open garden D")
    invite_person(tournament=private, by=private.created_by, username=invited.username)

    def found(reader: User | None) -> set[str]:
        return {link for kind in ("", "&kind=tournaments") for link in hits(as_user(reader), f"q=garden{kind}")}

    def links(*events: Tournament) -> set[str]:
        return {f"/t/{event.slug}/" for event in events}

    assert found(None) == found(stranger) == links(public)
    assert found(invited) == links(public), "an invitation that waits for its answer is no list's business"
    assert found(by) == links(draft, public)
    assert found(private.created_by) == links(private, public)
    assert found(unlisted.created_by) == links(unlisted, public)
    accept_invitation(invitation=Invitation.objects.get(user=invited), user=invited)
    assert found(invited) == links(private, public)


@pytest.mark.thorough
def test_people_without_anything_public_are_not_found(client: Client) -> None:
    a.a_user("hidden-hanae")
    gone = a.a_bot(a.a_user("gone-hanae")).owner
    assert hits(client, "q=hanae") == ["/u/gone-hanae/"]
    User.objects.filter(pk=gone.pk).update(is_active=False)
    assert hits(client, "q=hanae") == []


@pytest.mark.thorough
def test_a_search_asks_little_however_much_there_is(league: League, as_user: Become) -> None:
    for n in range(30):
        a.a_bot(a.a_user(f"plum{n}"), name=f"Plum {n}")
    client = as_user(league.organiser)
    for query in ("", "?q=plum", "?q=plum&kind=bots&page=2", "?q=plum&kind=people", "?q=plum&kind=guides"):
        with CaptureQueriesContext(connection) as seen:
            assert client.get(f"/search/{query}").status_code == 200
        assert len(seen) <= MAX_QUERIES, query


@pytest.mark.thorough
def test_what_is_called_so_comes_first_and_then_what_begins_so(client: Client) -> None:
    owner = a.a_user("many")
    named = {name: a.a_bot(owner, name=name).slug for name in ("Quince", "Quince Light", "Old Quince")}
    assert hits(client, "q=quINCE") == [f"/b/{named[name]}/" for name in ("Quince", "Quince Light", "Old Quince")]


@pytest.mark.thorough
def test_one_kind_comes_in_pages(client: Client) -> None:
    owner = a.a_user("many")
    for n in range(25):
        a.a_bot(owner, name=f"Quince {n}")
    first = client.get("/search/?q=quince").content.decode()
    assert len(LINK.findall(HITS.findall(first)[0])) == 5
    assert "?q=quince&amp;kind=bots" in first
    assert len(hits(client, "q=quince&kind=bots")) == 20
    assert len(hits(client, "q=quince&kind=bots&page=2")) == 5
    assert hits(client, "q=quince&kind=bots&page=nonsense") == hits(client, "q=quince&kind=bots")
    assert hits(client, "q=quince&kind=nonsense") == hits(client, "q=quince")


def test_an_empty_search_says_what_to_do_and_a_vain_one_what_it_looked_for(client: Client) -> None:
    empty = client.get("/search/").content.decode()
    assert "Type a part of a name" in empty
    ways = empty[empty.index('<ul class="tiles ways">') :]
    assert LINK.findall(ways[: ways.index("</ul>")]) == ["/t/", "/b/", "/u/", "/rules/", "/docs/"]
    vain = client.get("/search/", {"q": "<b>nobody"}).content.decode()
    said = "no tournament, bot or person is called “&lt;b&gt;nobody”, and no rule or guide mentions it."
    assert f"Nothing found: {said}" in vain
    assert 'class="empty"' in vain
    assert ways[: ways.index("</ul>")] in vain, "the same ways on"
    assert 'class="tabs"' not in vain, "one tab leads nowhere"
    of_bots = client.get("/search/", {"q": "nobody", "kind": "bots"}).content.decode()
    assert ("Nothing is called “nobody”." in of_bots, 'class="tabs"' in of_bots) == (True, True)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_slash_leads_to_the_search_from_a_page_without_one(page: Page, live_site: str) -> None:
    a.a_bot(name="Evening plum")
    page.goto(f"{live_site}/rules/")
    page.keyboard.press("/")
    expect(page.get_by_label("Search everything")).to_be_focused()
    page.keyboard.type("evening")
    page.keyboard.press("Enter")
    Hands(page).press("link", "Evening plum")
    expect(page.get_by_role("heading", name="Evening plum")).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{live_site}/rules/")
    page.keyboard.press("/")
    page.wait_for_url("**/search/")
    expect(page.locator(".by-key")).to_be_hidden()
    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_search_works_without_script(browser: Browser, live_site: str) -> None:
    a.a_bot(name="Evening plum")
    plain = browser.new_page(java_script_enabled=False)
    plain.goto(f"{live_site}/rules/")
    plain.get_by_label("Search everything").fill("evening")
    plain.get_by_label("Search everything").press("Enter")
    expect(plain.get_by_role("link", name="Evening plum")).to_be_visible()
    plain.close()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_what_was_found_of_a_kind_ends_with_its_last_line(page: Page, live_site: str) -> None:
    for n in range(3):
        a.a_bot(a.a_user(f"owner{n}"), name=f"Yaku {n}")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{live_site}/search/?q=yaku")
    cards = page.locator(".finds > section")
    assert cards.count() == 4
    left = cards.evaluate_all("all => all.map((each) => Math.round(each.getBoundingClientRect().left))")
    assert left[0] == left[1] < left[2]
    edges = "each => [each.getBoundingClientRect().left, each.getBoundingClientRect().right]"
    assert cards.last.evaluate(edges) == page.locator(".finds").evaluate(edges), "the developers' below both columns"
    # Two lines of an excerpt, one of a name.
    assert max(page.locator(".found > li").evaluate_all("all => all.map((each) => each.offsetHeight)")) < 100


@pytest.mark.django_db(transaction=True)
def test_a_strip_of_tabs_has_an_arrow_where_it_goes_on(browser: Browser, live_site: str) -> None:
    """Without a script: at its end on a phone, at its beginning once it was moved, and nowhere where all tabs fit."""
    phone = browser.new_page(java_script_enabled=False, viewport={"width": 360, "height": 740})
    phone.goto(f"{live_site}/t/{a.an_open_event().slug}/")
    tabs = phone.locator(".tabs[data-sideways]")
    assert tabs.evaluate(ARROWS) == ["0px", "60px"]
    tabs.evaluate("each => each.scrollTo({left: 9999, behavior: 'instant'})")

    def is_at_its_end() -> bool:
        # A picture makes Chromium draw: a page that nothing moves any more draws no frame in which arrows could change.
        phone.screenshot()
        return bool(tabs.evaluate(ARROWS) == ["60px", "0px"])

    wait_until(is_at_its_end, 30, "the arrow to change its side")
    phone.set_viewport_size({"width": 1280, "height": 900})
    assert tabs.evaluate("each => getComputedStyle(each, '::after').content") == "none"
    phone.close()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("tab", "moved"), [("", False), ("entries", False), ("rounds", False), ("feed", True)])
def test_the_tab_that_is_shown_is_whole_and_the_strip_moves_only_for_one_without_room(
    browser: Browser, live_site: str, tab: str, moved: bool
) -> None:
    phone = browser.new_page(java_script_enabled=False, viewport={"width": 360, "height": 740})
    phone.goto(f"{live_site}/t/{a.an_open_event().slug}/{tab}")
    tabs = phone.locator(".tabs[data-sideways]")
    # The picture of a whole page is a window of another height, at which nothing may move either.
    for is_whole in (False, True):
        phone.screenshot(full_page=is_whole)
        assert (tabs.evaluate("each => each.scrollLeft") > 0) == moved
        here = tabs.locator("[aria-current]").evaluate("each => each.getBoundingClientRect().toJSON()")
        assert here["left"] >= (60 if moved else 8)
        assert here["right"] <= (352 if moved else 300)
    phone.close()
