"""The guides on the site: listed, read, linked, found, safe, and only they."""

from __future__ import annotations

import re
from html import unescape
from io import BytesIO
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from PIL import Image
from playwright.sync_api import Page, expect

from guides.finding import LONG, WHOLE, find, hits_of, shortened
from guides.reading import read, reading_of
from guides.shelf import AUDIENCES, DECISIONS, Guide, shelf
from tests.docs.blocks import texts
from tests.services.processes import ROOT

pytestmark = pytest.mark.django_db
ALL = (*shelf().guides, *shelf().decisions)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def test_every_text_of_the_folder_is_listed_once() -> None:
    on_disk = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    listed = [guide.file for guide in ALL]
    assert sorted(listed) == sorted(on_disk - {"README.md", f"{DECISIONS}/README.md"})
    assert {guide.audience for guide in shelf().guides} == set(AUDIENCES)
    assert len({guide.name for guide in shelf().guides}) == len(shelf().guides)


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("guide", ALL, ids=lambda guide: guide.file)
def test_every_page_is_answered_with_its_title_and_no_link_is_dead(guide: Guide, client: Client) -> None:
    answer = client.get(guide.url)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert len(page) < 60_000
    reading = read(guide)
    assert reading.title
    assert reading.dead == ()
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for link in re.findall(r'href="([^"]+)"', reading.html):
        path, _mark, anchor = link.partition("#")
        if path.startswith("/docs/") or not path:
            target = next((other for other in ALL if other.url == path), guide if not path else None)
            assert target or path == "/docs/decisions/", link
            assert not anchor or target is None or anchor in {h.anchor for h in read(target).headings}, link


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("name", texts())
def test_no_link_of_the_files_is_dead(name: str) -> None:
    dead = []
    for link in LINK.findall((ROOT / name).read_text(encoding="utf-8")):
        path = link.partition("#")[0]
        if not link.startswith(("https://", "http://", "mailto:")) and path:
            where = (ROOT / name).parent / path
            dead += [] if where.exists() else [link]
    assert dead == []


@pytest.mark.thorough
def test_the_index_is_by_audience_and_its_neighbours_lead_on(client: Client) -> None:
    page = client.get("/docs/").content.decode()
    places = [page.index(f"<h2>{name}</h2>") for name in AUDIENCES]
    assert places == sorted(places)
    first, second, *_rest = shelf().guides
    page = client.get(second.url).content.decode()
    assert f'rel="prev" href="{first.url}"' in page
    assert f'rel="next" href="{shelf().guides[2].url}"' in page
    assert 'rel="prev"' not in client.get(first.url).content.decode()
    assert "0001" in client.get("/docs/decisions/").content.decode()


@pytest.mark.thorough
def test_groups_of_guides_are_folded_on_a_phone_only(live_site: str, page: Page) -> None:
    page.goto(f"{live_site}/docs/")
    expect(page.locator("#room-2")).to_be_visible()
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.locator("#room-1")).to_be_visible()
    expect(page.locator("#room-2")).to_be_hidden()
    page.locator("summary", has_text="Bot authors").click()
    expect(page.locator("#room-2")).to_be_visible()


@pytest.mark.thorough
def test_the_index_says_how_long_each_takes_to_read(client: Client) -> None:
    text = "# Long\n\n" + "word " * 700 + "\n\n```sh\n" + "run " * 100 + "\n```\n"
    assert reading_of(text, "long.md", shelf()).minutes == 4
    assert reading_of("# Short\n\nOne line.", "short.md", shelf()).minutes == 1
    page = " ".join(client.get("/docs/").content.decode().split())
    assert re.findall(r"(\d+) min to read", page).count("0") == 0
    assert page.count(" min to read") == len(shelf().guides)


def test_commands_of_a_guide_name_the_service_that_shows_it(client: Client) -> None:
    guide = shelf().named("write-your-first-bot")
    assert guide is not None
    page = client.get(guide.url, headers={"host": "testserver"}).content.decode()
    assert "http://testserver" in page
    assert "hanami.example.org" not in page
    assert "https://plum.example" in read(guide, "https://plum.example").html


@pytest.mark.thorough
def test_the_search_needs_every_word_and_puts_headings_first(client: Client) -> None:
    found = find("limits")
    assert (found[0].guide.name, found[0].heading) == ("bot-reference", "Limits")
    assert find("limits zzyzx") == []
    assert find("   ") == []
    assert len(find("a")) == 30
    assert all(any(part.hit for part in found.excerpt) or found.heading for found in find("plum"))
    (of_table,) = [found for found in find("bush warbler") if found.heading == "The 48 cards"]
    assert "".join(part.text for part in of_table.excerpt).startswith("02.1 · Plum: Bush Warbler · animal"), "a row"
    assert not any(part.hit for found in find("eset") for part in found.excerpt), "only the beginnings of words"
    marked = [part for found in find("koi") for part in found.excerpt]
    assert any(part.hit and part.text == "Koi-Koi" for part in marked)
    assert not any(part.text == "-" for part in marked), "one piece, as in the titles"
    page = client.get("/docs/", {"q": "DUPLICATE sets"}).content.decode()
    assert "<mark>" in page
    assert "/docs/duplicates-and-the-sequential-test/" in page
    assert "No passage contains" in client.get("/docs/", {"q": "zzyzx"}).content.decode()
    hostile = client.get("/docs/", {"q": "<script>alert(1)</script>" * 20})
    assert b"<script>alert" not in hostile.content


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"A plum stands here. {'It is red. ' * 30}", f"A plum stands here. {'It is red. ' * 16}".strip()),
        (
            f"The plum of choosing.py {'word ' * 23}goes on, {'word ' * 30}",
            f"The plum of choosing.py {'word ' * 23}goes on …",
        ),
        (f"A plum, {'word ' * 22}(of {'word ' * 30})", f"A plum, {'word ' * 22}".strip() + " …"),
        (f"A plum {'word ' * 60}", f"A plum {'word ' * 32}".strip() + " …"),
        (f"Before it. {'Word ' * 3}a plum.", f"{'Word ' * 3}a plum."),
    ],
)
def test_an_excerpt_ends_with_a_sentence_or_else_with_a_clause_or_a_word(text: str, shown: str) -> None:
    found = shortened(text, re.compile("plum"))
    assert found == shown
    assert len(found) <= (WHOLE if found.endswith(".") else LONG + len(" …"))


@pytest.mark.parametrize("language", ["fr", "ja"])
def test_readers_of_other_languages_are_told_that_it_is_english(language: str, client: Client) -> None:
    page = client.get("/docs/the-kit/", headers={"Accept-Language": language}).content.decode()
    assert f'<html lang="{language}"' in page
    assert '<article class="guide-text" lang="en">' in page
    assert 'class="note"' in page
    assert 'class="note"' not in client.get("/docs/the-kit/", headers={"Accept-Language": "en"}).content.decode()


@pytest.mark.parametrize(
    "path",
    ["nothing", "README", "..", "%2e%2e", "..%2fREADME", "%2e%2e%2fconfig%2fsettings.py", "decisions/..%2f02",
     "decisions/README", "images", "hanafuda-tournament-1.schema.json", "02-write-your-first-bot.md", "%00"],
)  # fmt: skip
def test_no_address_opens_another_file(path: str, client: Client) -> None:
    answer = client.get(f"/docs/{path}/")
    assert answer.status_code in (400, 404)
    assert b"SECRET_KEY" not in answer.content


def test_a_text_cannot_put_code_into_a_page() -> None:
    text = (
        "# 3. T\n\n<script>alert(1)</script>\n\n[a](javascript:alert(1)) [b](../config/settings.py) "
        "![c](../var/secret_key)\n\n| x | y |\n|---|--:|\n| 1 | 2 |\n\n## Main\n\n## Main\n\n```sh\n</code><b>\n```\n"
    )
    found = reading_of(text, "99-t.md", shelf())
    assert "<script" not in found.html
    assert "<b>" not in found.html
    assert 'href="javascript' not in found.html
    assert "style=" not in found.html
    assert found.title == "T"
    assert found.dead == ("../config/settings.py", "../var/secret_key")
    assert [heading.anchor for heading in found.headings] == ["main-1", "main-2"]
    assert 'data-label="Y"' in found.html


def test_code_is_coloured_without_styles_and_is_copied_as_it_was() -> None:
    code = 'def f(x):  # <why>\n    return "a&b" + 1\n'
    text = f"# 1. T\n\n*For: authors. Read `this`.*\n\n```python\n{code}```\n\n```none\n<b>\n```\n"
    html = reading_of(text, "99-t.md", shelf()).html
    assert '<span class="hk">def</span> <span class="hf">f</span>' in html
    assert '<span class="hc"># &lt;why&gt;</span>' in html
    assert "style=" not in html
    shown = html.split("<code")[2].split(">", 1)[1].split("</code>")[0]
    assert unescape(re.sub(r"<[^>]+>", "", shown)) == code
    assert "&lt;b&gt;" in html
    assert '<p class="lede">Read <code>this</code>.</p>' in html


def test_a_word_after_a_command_is_no_word_of_the_shell() -> None:
    html = reading_of("# T\n\n```sh\nhanami test mybot\n```\n", "99-t.md", shelf()).html
    assert "hanami test mybot\n</code>" in html


def test_the_search_of_the_whole_site_looks_for_no_code() -> None:
    text = (
        "# T\n\nCall `plum --fast` or `plum`.\n\n```\nplum\n```\n\n"
        "| a | b |\n|---|---|\n| `02.1` | Plum tree |\n| plum | a tree |\n"
    )
    (section,) = reading_of(text, "x.md", shelf()).sections
    assert section.prose == ["Call  or plum.", "A · B", "", "plum · a tree"]
    assert [find("plum") != [], hits_of("plum")] == [True, []], "it stands in examples alone"
    assert "The games, for bots: Sakura" in [hit.title for hit in hits_of("sakura")]
    assert hits_of("duplicate sets"), "words of sentences"


def test_a_picture_leads_to_itself_and_is_moved_where_it_is_wider_than_its_place(client: Client) -> None:
    page = client.get("/docs/run-a-club-night/").content.decode()
    place = (
        '<p class="shot" data-sideways=""><a href="/static/docs/guide-create.webp"><img src="/static/docs/guide-create.'
    )
    assert place in page


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_picture_is_as_large_as_it_was_taken_on_a_phone(page: Page, live_site: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{live_site}/docs/run-a-club-night/")
    picture = page.locator(".shot img").first
    picture.scroll_into_view_if_needed()
    assert picture.evaluate("each => each.offsetWidth") == 1040
    assert page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_picture_has_its_place_on_a_phone_before_it_is_loaded(page: Page, live_site: str) -> None:
    page.set_viewport_size({"width": 360, "height": 740})
    page.route("**/standings-wide*.webp", lambda route: route.abort())
    page.goto(f"{live_site}/docs/read-the-standings/")
    picture = page.locator(".shot img").first
    place = [int(str(picture.get_attribute(name))) for name in ("width", "height")]
    assert picture.evaluate("each => [each.offsetWidth, each.offsetHeight]") == place


def test_pictures_are_served_with_their_size(client: Client) -> None:
    page = client.get("/docs/read-the-standings/").content.decode()
    found = re.search(r'<img src="/static/docs/standings-wide\.webp" alt="[^"]+" width="(\d+)" height="(\d+)"', page)
    assert found is not None
    served = client.get("/static/docs/standings-wide.webp")
    data = served.getvalue()
    assert Image.open(BytesIO(data)).size == (int(found[1]), int(found[2]))
    served.close()


def test_the_guide_for_organisers_has_steps_and_names_pages_as_people_see_them() -> None:
    guide = shelf().named("run-a-club-night")
    assert guide is not None
    found = read(guide)
    for part in ("Create it", "Add people", "Start", "The next round", "Confirm and finish"):
        assert f">{part}</h2>\n<ol>" in found.html, f"{part} begins with steps"
    assert found.html.count("<img") == 3
    assert "/t/&lt;event&gt;" not in found.html


def test_the_image_of_a_deployment_has_the_guides() -> None:
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert "COPY docs ./docs" in dockerfile
    assert dockerfile.index("COPY docs") < dockerfile.index("collectstatic")
    assert Path(settings.DOCS_DIR) == ROOT / "docs"


def test_a_link_that_is_a_paragraph_is_a_button() -> None:
    text = "# T\n\n[Play](https://hanami.example.org/learn/)\n\nOr [read](09-the-kit.md).\n"
    html = reading_of(text, "99-t.md", shelf()).html
    assert '<p><a href="https://hanami.example.org/learn/" class="btn main">Play</a></p>' in html
    assert html.count("btn") == 1


def test_the_head_of_a_table_begins_with_a_capital() -> None:
    html = reading_of("# T\n\n| you want | `do` |\n|---|---|\n| rest | stop |\n", "99-t.md", shelf()).html
    assert '<th scope="col">You want</th>\n<th scope="col"><code>do</code></th>' in html


def test_the_path_of_a_page_leads_there(client: Client) -> None:
    text = (
        "# T\n\nAt `/learn/`, not `/nowhere/`, not `/ops/` of operators; [all of `/data/`](09-the-kit.md), `/a b/`.\n"
    )
    html = reading_of(text, "99-t.md", shelf()).html
    assert re.findall(r'<a href="([^"]+)"><code>', html) == ["/learn/"]
    assert html.count("<a ") == 2, "no link within a link"
    assert "<code>/nowhere/</code>" in html
    named = {path for guide in ALL for path in re.findall(r'<a href="([^"]+)"><code>', read(guide).html)}
    assert [path for path in sorted(named) if client.get(path).status_code not in {200, 302}] == []
