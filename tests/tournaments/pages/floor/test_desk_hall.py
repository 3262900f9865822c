"""The hall in real browsers: the round's clock, announcements, a code typed on a phone, results on a bad connection."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from playwright.sync_api import Page, Route, ViewportSize, expect

from tests.browser.looking import sideways
from tests.builders.clubs import a_called_night, a_club_night, round_of, tables_of
from tests.tournaments.pages.floor.test_club_night import PHONE, Hall, hall, press, report
from tests.tournaments.pages.floor.test_desk import a_phone, as_one
from tournaments.entries.people import add_list, check_in_all
from tournaments.floor.announcements import announce
from tournaments.models import ResultReport, Tournament
from tournaments.progress.round_clock import call_time, choose_minutes
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament
from tournaments.scores.slips import MAX_WRONG, slip_token, table_code

__all__ = ["hall"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(120)]


def a_timed_night(minutes: int = 40) -> Tournament:
    """Round 1 is called; rounds take that many minutes."""
    event = a_club_night()
    choose_minutes(tournament=event, by=event.created_by, minutes=minutes)
    start_tournament(tournament=event, by=event.created_by)
    call_round(round_row=round_of(event, 1), by=event.created_by)
    return event


def tools(desk: Page) -> None:
    """Open what the desk does with clock and board."""
    desk.get_by_text("Clock and announcements").click()


@pytest.mark.slow
def test_clock_and_board_are_live_on_projector_phone_and_page(hall: Hall) -> None:
    event = a_timed_night()
    match = tables_of(event)[0]
    desk, screen, phone, page = hall.open(event.created_by), hall.open(), hall.open(size=PHONE), hall.open()
    desk.goto(f"{hall.site}/t/{event.slug}/desk/")
    screen.goto(f"{hall.site}/t/{event.slug}/screen/")
    phone.goto(f"{hall.site}/e/{slip_token(match, 0)}/")
    page.goto(f"{hall.site}/t/{event.slug}/")
    for each in (desk, screen, phone, page):
        expect(each.get_by_role("timer")).to_contain_text(re.compile(r"3\d:\d\d"))
    tools(desk)
    hall.look(desk)
    desk.get_by_label("Make an announcement").fill("Dinner at seven <b>sharp</b>.")
    press(desk, "Announce this")
    for each in (screen, phone, page):
        expect(each.get_by_text("Dinner at seven <b>sharp</b>.")).to_be_visible()
    tools(desk)
    press(desk, "Stop the clock")
    for each in (screen, phone, page):
        expect(each.locator("#round-clock")).to_contain_text("The clock is stopped")
        hall.look(each)
    tools(desk)
    desk.get_by_role("button", name="Withdraw this").press("Enter")
    expect(desk.get_by_text("The announcement is withdrawn.")).to_be_visible()
    tools(desk)
    press(desk, "Call time now")
    for each in (screen, phone, page):
        expect(each.locator("#round-clock")).to_contain_text("Time: finish the deal")
        expect(each.get_by_text("Dinner at seven")).to_have_count(0)
        hall.look(each)


@pytest.mark.slow
def test_a_clock_counts_by_the_server_whatever_the_phone_thinks(hall: Hall) -> None:
    event = a_timed_night()
    phone = hall.open(size=PHONE)
    phone.clock.install(time="2020-02-02T12:00:00")
    phone.goto(f"{hall.site}/e/{slip_token(tables_of(event)[0], 0)}/")
    expect(phone.get_by_role("timer")).to_contain_text("39:")
    phone.clock.run_for("10:00")
    expect(phone.get_by_role("timer")).to_contain_text("29:")
    phone.clock.fast_forward("30:00")
    expect(phone.get_by_text("Time: finish the deal")).to_be_visible()
    expect(phone.get_by_role("timer")).to_be_hidden()


@pytest.mark.thorough
def test_without_script_the_end_of_the_round_is_there(hall: Hall) -> None:
    event = a_timed_night()
    plain = hall.browser.new_context(java_script_enabled=False)
    hall.contexts.append(plain)
    page = plain.new_page()
    page.goto(f"{hall.site}/t/{event.slug}/screen/")
    expect(page.locator(".ends")).to_contain_text("until")
    call_time(round_row=round_of(event, 1), by=event.created_by)
    page.reload()
    expect(page.get_by_text("Time: finish the deal")).to_be_visible()


@pytest.mark.slow
def test_a_code_is_typed_on_a_phone(hall: Hall) -> None:
    event = a_called_night()
    match = tables_of(event)[0]
    desk, phone = hall.open(event.created_by), hall.open(size=PHONE)
    desk.goto(f"{hall.site}/t/{event.slug}/print/1/?sheet=slips")
    code = table_code(match, 1)
    expect(desk.get_by_text(code, exact=True)).to_be_visible()
    hall.look(desk)
    phone.goto(hall.site)
    phone.get_by_role("link", name="I have a table code").click()
    hall.look(phone)
    phone.get_by_label("Code").fill("22-22-22")
    press(phone, "Open the table")
    expect(phone.get_by_role("alert")).to_contain_text("No open table has this code")
    hall.look(phone)
    phone.get_by_label("Code").fill(f"{code[:3]} {code[3:].lower()}")
    press(phone, "Open the table")
    phone.wait_for_url(f"{hall.site}/x/{match.uuid}/")
    name = match.seats.get(side=1).entry
    expect(phone.get_by_text(f"You report for {name.player.name if name else ''}")).to_be_visible()


@pytest.mark.slow
def test_every_sheet_to_print_fits(hall: Hall) -> None:
    event = a_called_night()
    desk = hall.open(event.created_by)
    for sheet in ("pairings", "names", "cards", "slips", "standings"):
        desk.goto(f"{hall.site}/t/{event.slug}/print/1/?sheet={sheet}")
        hall.look(desk)
    for width in (360, 1280):
        desk.set_viewport_size({"width": width, "height": 740})
        for path in ("print/1/", "print/1/?sheet=cards", "results/1/", "swap/1/"):
            desk.goto(f"{hall.site}/t/{event.slug}/{path}")
            assert sideways(desk) == [], (width, path)
    desk.goto(f"{hall.site}/t/{event.slug}/print/1/?sheet=slips")
    desk.emulate_media(media="print")
    slips = desk.locator(".slips > li")
    boxes = [slips.nth(n).bounding_box() for n in range(4)]
    assert len({round(box["x"]) for box in boxes if box}) == 1
    assert desk.pdf(format="A4").count(b"/Type /Page\n") == 2  # six slips, three a page


@pytest.mark.slow
def test_a_result_that_fails_on_the_way_is_sent_again_and_counts_once(hall: Hall) -> None:
    match = tables_of(a_called_night())[0]
    hall.trouble.allow = ("ERR_FAILED", "503")
    phone = hall.open(size=PHONE)
    phone.goto(f"{hall.site}/e/{slip_token(match, 0)}/")
    arrived: list[str] = []

    def lost(route: Route) -> None:
        """Lose the request once, lose the answer once, let a proxy answer once; then it works."""
        arrived.append(route.request.method)
        if len(arrived) == 1:
            route.abort()
        elif len(arrived) == 2:
            route.fetch(max_redirects=0)
            route.abort()
        elif len(arrived) == 3:
            route.fulfill(status=503, body="busy")
        else:
            route.continue_()

    phone.clock.install()
    phone.route("**/report/", lost)
    report(phone, 130, 110)
    waiting = phone.locator("[data-waiting]")
    expect(waiting).to_contain_text("1 result is waiting on this phone")
    hall.look(phone)
    for tries in (1, 2, 3):
        # The clock runs while the page is looked at: on a slow machine it has been sent again meanwhile.
        expect(waiting).to_have_attribute("data-tries", re.compile(f"[{tries}-3]"))
        phone.clock.run_for("00:21")
    expect(phone.locator("#table-state")).to_contain_text("Your result is sent", timeout=20_000)
    expect(waiting).to_be_hidden()
    assert phone.evaluate("() => Object.keys(localStorage)") == []
    assert arrived == ["POST"] * 4
    assert [each.body["score"] for each in ResultReport.objects.all()] == [[130, 110]]


@pytest.mark.slow
def test_a_kept_result_survives_the_page_and_waits_for_the_slip(hall: Hall) -> None:
    match = tables_of(a_called_night())[0]
    hall.trouble.allow = ("ERR_FAILED", "403")
    phone = hall.open(size=PHONE)
    slip = f"{hall.site}/e/{slip_token(match, 0)}/"
    phone.goto(slip)
    phone.route("**/report/", lambda route: route.abort())
    report(phone, 130, 110)
    expect(phone.get_by_text("1 result is waiting on this phone")).to_be_visible()
    phone.unroute("**/report/")
    phone.context.clear_cookies()
    phone.evaluate("() => dispatchEvent(new Event('online'))")
    expect(phone.get_by_text("Scan your slip again")).to_be_visible()
    assert not ResultReport.objects.exists()
    phone.goto(slip)
    expect(phone.locator("#table-state")).to_contain_text("Your result is sent")
    assert [each.body["score"] for each in ResultReport.objects.all()] == [[130, 110]]


@pytest.mark.thorough
def test_codes_that_are_wrong_too_often_wait(client: Client) -> None:
    event = a_called_night()
    assert "autofocus" in client.get("/x/").content.decode()
    for _guess in range(MAX_WRONG):
        assert client.post("/x/", {"code": "222222"}).status_code == 422
    answer = client.post("/x/", {"code": table_code(tables_of(event)[0], 0)})
    assert (answer.status_code, int(answer.headers["Retry-After"]) > 0) == (429, True)
    assert "code.rate" in answer.content.decode()
    elsewhere = client.post("/x/", {"code": table_code(tables_of(event)[0], 0)}, REMOTE_ADDR="198.51.100.7")
    assert elsewhere.headers["Location"] == f"/x/{tables_of(event)[0].uuid}/"


@pytest.mark.thorough
def test_what_stands_on_the_board_is_escaped_and_private_with_its_event() -> None:
    event = a_called_night(visibility="private")
    announce(tournament=event, by=event.created_by, text="<script>alert(1)</script>")
    assert as_one(None).get(f"/t/{event.slug}/").status_code == 404
    assert "announcement.make" not in as_one(None).get(f"/t/{event.slug}/feed/").content.decode()
    page = as_one(event.created_by).get(f"/t/{event.slug}/").content.decode()
    match = tables_of(event)[0]
    phone = a_phone(match, 0).get(f"/x/{match.uuid}/").content.decode()
    for text in (page, phone):
        assert "&lt;script&gt;alert(1)" in text
        assert "<script>alert" not in text


@pytest.mark.slow
def test_the_projector_turns_its_pages_and_can_be_stopped(hall: Hall) -> None:
    event = a_club_night()
    add_list(tournament=event, by=event.created_by, data="\n".join(f"Player {n:03}" for n in range(42)).encode())
    check_in_all(tournament=event, by=event.created_by)
    start_tournament(tournament=event, by=event.created_by)
    call_round(round_row=round_of(event, 1), by=event.created_by)
    screen = hall.open(size=ViewportSize(width=1280, height=420))
    screen.clock.install()
    screen.goto(f"{hall.site}/t/{event.slug}/screen/")
    rows = screen.locator("#screen-tables li")
    expect(screen.locator("[data-page]")).to_contain_text("1/")
    expect(rows.nth(0)).to_be_visible()
    expect(rows.last).to_be_hidden()
    hall.look(screen)
    screen.clock.run_for("00:16")
    expect(rows.nth(0)).to_be_hidden()
    expect(rows.last).to_be_visible()
    press(screen, "Stop turning pages")
    shown = screen.locator("[data-page]").inner_text()
    screen.clock.run_for("01:30")
    expect(screen.locator("[data-page]")).to_have_text(shown)
    press(screen, "Next page")
    expect(screen.locator("[data-page]")).not_to_have_text(shown)
    screen.set_viewport_size({"width": 3840, "height": 900})
    expect(rows.nth(0)).to_be_visible()
    expect(rows.last).to_be_visible()
    expect(screen.locator("[data-turning]")).to_be_hidden()
