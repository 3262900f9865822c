"""A new event: cards of events that are held often, the summary beside the form, and the sheet to share."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from tests.browser.looking import axe_violations, log_in, sideways
from tests.builders import events as a
from tests.builders.events import an_open_event
from tests.builders.registrations import an_event_with_registration
from tests.tournaments.pages.events.test_form_for_people import names_on, sent_by
from tournaments.models import Tournament
from tournaments.pages.events.templates import TEMPLATES

pytestmark = pytest.mark.django_db
HAWAII = "/t/new/?template=hawaii2016&people=16"


def figures(client: Client, address: str, **changes: str) -> str:
    """Return what the summary says of the form at an address, with these changes."""
    form = client.get(address).context["form"]
    answer = client.post(address, {**sent_by(form), "act": "summary", **changes})
    assert answer.status_code == 200
    assert "<form" not in answer.content.decode(), "the summary alone"
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


@pytest.mark.thorough
def test_every_template_is_a_card_with_a_drawing_and_what_it_comes_to(client: Client) -> None:
    client.force_login(a.a_user())
    cards = {card.key: card for card in client.get("/t/new/").context["offers"]}
    assert set(cards) == {key for key in TEMPLATES if not key.startswith("bots")}
    assert cards["hawaii2016"].sentence.startswith("16 people, ")
    assert re.search(r"\d+ rounds, \d+\xa0h\xa0\d\d$", cards["hawaii2016"].sentence)
    assert [len(side) for side in cards["poka"].drawing] == [1, 1]
    assert [len(side) for side in cards["hawaii2016"].drawing] == [2, 2], "partners lie together"
    assert [len(side) for side in cards["swiss4"].drawing] == [1, 1, 1, 1]
    assert len({card.drawing for card in cards.values()}) == len(cards)
    more = {card.key: card for card in client.get("/t/new/?people=40&tables=10").context["offers"]}
    assert more["swiss4"].sentence.startswith("40 people, ")
    chosen = client.get(f"/t/new/{more['swiss4'].address.partition('#')[0]}")
    assert chosen.context["form"].initial["max_entries"] == 40
    bots = {card.key: card for card in client.get("/t/new/?for=bots").context["offers"]}
    assert set(bots) == {key for key in TEMPLATES if key.startswith("bots")}
    assert bots["bots"].sentence.startswith("16 bots, ")
    assert bots["bots"].sentence.endswith("matches")


def test_the_page_of_every_field_shows_a_few_cards_and_folds_the_others(client: Client) -> None:
    client.force_login(a.a_user())
    answer = client.get("/t/new/?for=both")
    shown, folded = ([card.key for card in answer.context[name]] for name in ("offers", "folded"))
    assert (len(shown), sorted(shown + folded)) == (4, sorted(TEMPLATES))
    page = answer.content.decode()
    few, _, rest = page.partition('id="often"')[2].partition("</section>")[0].partition("<summary>9 more</summary>")
    assert (few.count('class="drawn"'), rest.count('class="drawn"'), rest.count("<h3>")) == (4, 0, 9)
    chosen = client.get("/t/new/?for=both&template=nuki").context
    assert [card.key for card in chosen["offers"] if card.is_chosen] == ["nuki"]
    assert client.get("/t/new/?for=bots").context["folded"] == []


@pytest.mark.parametrize(("chosen", "title"), [("bots", "bots"), ("both", "people and bots")])
def test_a_form_says_for_whom_and_leads_to_the_others(client: Client, chosen: str, title: str) -> None:
    client.force_login(a.a_user())
    page = client.get(f"/t/new/?for={chosen}").content.decode()
    assert re.findall(r"<h1>\s*(.*?)\s*</h1>", page) == [f"Create a tournament for {title}"]
    ways = re.findall(r'href="\?for=(\w+)"( aria-current="page")?', page.partition('class="chips"')[2])
    assert ways == [(each, ' aria-current="page"' * (each == chosen)) for each in ("people", "bots", "both")]


def test_what_a_form_comes_to_untouched_is_said_to_be_so(client: Client) -> None:
    client.force_login(a.a_user())
    assert "If you change nothing" in client.get("/t/new/?for=both").content.decode()
    said = figures(client, "/t/new/?for=both", max_entries="8")
    assert "The event so far" in said
    assert "If you change nothing" not in said


def test_what_is_held_often_fits_in_an_evening(client: Client) -> None:
    client.force_login(a.a_user())
    hours = {card.key: card.hours for card in client.get("/t/new/").context["offers"]}
    # Everybody against everybody takes an afternoon; as it was held in 2016, with twelve deals to a match, a day.
    assert (hours.pop("paradise") < 6, hours.pop("hawaii2016") < 10) == (True, True)
    assert {key: length for key, length in hours.items() if not 2 <= length <= 4.5} == {}


@pytest.mark.thorough
def test_a_form_that_begins_from_a_card_shows_what_most_set_and_folds_game_and_format(client: Client) -> None:
    client.force_login(a.a_user())
    page = client.get(HAWAII).content.decode()
    before = page[page.index('<form method="post" class="fields"') : page.index('id="fine-tune"')]
    when_and_where = {"name", "starts_at", "time_zone", "venue", "description"}
    entries = {"min_entries", "max_entries", "entries_close_at", "visibility"}
    assert names_on(before) - {"csrfmiddlewaretoken"} == when_and_where | entries
    chosen = page[page.index('<details class="box answered"') :].partition("</summary>")[0]
    assert "Hanafuda Hawaii 2016" in chosen
    assert "for 16 people, " in chosen
    assert '<details class="more tune" id="fine-tune">' in page
    assert 'id="fine-tune" open' in client.get("/t/new/?for=people&format=own").content.decode()
    form = client.get(HAWAII).context["form"]
    wrong = client.post(HAWAII, {**sent_by(form), "seats": "9"})
    assert 'id="fine-tune" open' in wrong.content.decode()
    nameless = client.post(HAWAII, {**sent_by(form), "name": "", "venue": "Clubhouse", "max_entries": "9999"})
    assert nameless.status_code == 422
    assert 'id="fine-tune">' in nameless.content.decode()
    assert 'value="Clubhouse"' in nameless.content.decode()


@pytest.mark.thorough
def test_the_summary_follows_the_form_and_saves_nothing(client: Client) -> None:
    client.force_login(a.a_user())
    said = figures(client, HAWAII, time_zone="Europe/Paris", starts_at="2030-05-04T10:00")
    assert re.search(r"\d+ matches · \d+ tables · ends about \d\d:\d\d", said)
    fewer = figures(client, HAWAII, option_rounds="1", time_zone="Europe/Paris", starts_at="2030-05-04T10:00")
    assert said != fewer
    assert "about" in figures(client, HAWAII)
    late = figures(client, HAWAII, time_zone="Europe/Paris", starts_at="2030-05-04T22:00")
    assert re.search(r"ends about 5 May \d\d:\d\d", late)
    assert "Correct first: Maximum entries." in figures(client, HAWAII, max_entries="many")
    assert not Tournament.objects.exists()


def test_the_summary_says_how_many_people_make_the_entries_and_each_figure_once(client: Client) -> None:
    client.force_login(a.a_user())
    page = client.get("/t/new/?template=hawaii2016&people=16").content.decode()
    said = page.partition('id="summary"')[2].partition("</aside>")[0]
    assert "16 people make 8 pairs, drawn on the day" in said
    assert "entries" not in said
    assert said.count("\xa0h\xa0") == 2, "the usual time and the long one"


@pytest.mark.thorough
def test_the_summary_of_bots_counts_every_leg_and_no_tables(client: Client) -> None:
    client.force_login(a.a_user())
    said = figures(client, "/t/new/?template=bots&people=8")
    assert "112 matches · 14 rounds" in said or "matches" in said
    assert "table" not in said
    once = figures(client, "/t/new/?template=bots&people=8", legs="single")
    counts = [int(re.findall(r"(\d+) matches", text)[0]) for text in (said, once)]
    assert counts[0] == 2 * counts[1]
    assert "12 deal sets for each" in figures(client, "/t/new/?template=bots_ladder&people=8")


def test_a_refusal_of_the_plan_stands_in_the_summary(client: Client) -> None:
    client.force_login(a.a_user())
    said = figures(client, "/t/new/?template=oibana&people=16", seats="7")
    assert "matches" not in said
    assert "7" in said


def test_without_script_the_preview_shows_the_same_figures(client: Client) -> None:
    client.force_login(a.a_user())
    form = client.get(HAWAII).context["form"]
    page = client.post(HAWAII, {**sent_by(form), "name": "Spring", "act": "preview"}).content.decode()
    assert 'class="figures"' in page
    assert 'value="Spring"' in page
    assert not Tournament.objects.exists()


def shared(client: Client, event: Tournament) -> str:
    """Return the words of the sheet."""
    page = client.get(f"/t/{event.slug}/share/").content.decode()
    return " ".join(re.sub(r"<[^>]+>", " ", page[page.index("<article") : page.index("</article>")]).split())


def test_the_sheet_says_what_when_where_and_how(client: Client) -> None:
    event = an_event_with_registration()
    Tournament.objects.filter(pk=event.pk).update(venue="Clubhouse", starts_at=timezone.now() + timedelta(days=3))
    said = shared(client, event)
    assert event.name in said
    assert "Clubhouse" in said
    assert "Scan the code, or register at this address." in said
    assert f"/t/{event.slug}/register" in said
    page = client.get(f"/t/{event.slug}/share/").content.decode()
    assert page.count("<svg") > 5, "the code is drawn into the page"
    bots = an_open_event(name="Moon league")
    assert "Enter your bot at this address." in shared(client, bots)
    assert "to be announced" in shared(client, bots)
    began = datetime(2026, 5, 4, 12, tzinfo=UTC)
    Tournament.objects.filter(pk=bots.pk).update(state="finished", started_at=began)
    assert "When 4 May 2026 How" in shared(client, bots)
    assert "Follow the results at this address." in shared(client, bots)


def test_a_private_event_has_a_sheet_without_a_code_and_strangers_have_none(client: Client) -> None:
    event = an_open_event(visibility="private")
    assert client.get(f"/t/{event.slug}/share/").status_code == 404
    client.force_login(event.created_by)
    page = client.get(f"/t/{event.slug}/share/").content.decode()
    assert "there is no code to scan" in page
    assert "code-box" not in page


@pytest.fixture(params=[(1280, 900, "light"), (360, 740, "dark")], ids=["desk", "phone"])
def organiser(browser: Browser, live_site: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A browser in which an organiser is logged in."""
    width, height, scheme = request.param
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
    )
    log_in(context, live_site, a.a_user("organiser"))
    yield context.new_page()
    context.close()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_summary_changes_while_somebody_types(organiser: Page, live_site: str) -> None:
    page = organiser
    page.goto(f"{live_site}/t/new/?template=hawaii2016&people=40")
    summary = page.locator("#summary .figures")
    first = summary.inner_text()
    page.get_by_label("Begins").fill("2030-05-04T10:00")
    expect(summary).to_contain_text("ends about")
    page.get_by_text("Fine-tune").click()
    page.get_by_label("Deals per match").fill("2")
    expect(summary).not_to_have_text(first)
    expect(page.get_by_label("Deals per match")).to_be_focused()
    expect(page.get_by_label("Advancing per table")).to_be_visible()
    page.locator("#id_template").select_option("")
    expect(page.get_by_label("Advancing per table")).to_be_hidden()
    expect(page.get_by_label("Match for third place")).to_be_hidden()
    page.get_by_label("Format", exact=True).select_option("single_elim")
    expect(page.get_by_label("Match for third place")).to_be_visible()
    expect(page.get_by_label("Rounds", exact=True)).to_be_hidden()
    assert axe_violations(page) + sideways(page) == []


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_sheet_and_the_cards_fit_their_screens(organiser: Page, live_site: str) -> None:
    event = an_event_with_registration()
    found = []
    for path in ("/t/new/", "/t/new/?for=bots", "/t/new/?for=both", HAWAII, f"/t/{event.slug}/share/"):
        organiser.goto(live_site + path)
        if "for=" in path:
            expect(organiser.get_by_label("Name", exact=True)).to_be_in_viewport()
        found += [f"{path}: {each}" for each in axe_violations(organiser) + sideways(organiser)]
    assert found == []
