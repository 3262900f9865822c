"""Results as the rules of a game have them: journeys 11 (yaku), 13 (a number opened), 15 (Basa) and 16 (Oi-bana)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.keyboard import Hands
from tests.builders import events as a
from tests.builders.clubs import NAMES, a_called_night, round_of, tables_of
from tests.tournaments.pages.floor.test_club_night import PHONE, Hall, hall
from tournaments.entries.people import add_list, check_in_all
from tournaments.matches.report_bodies import Claim
from tournaments.models import Entry, Match, ResultReport, Tournament
from tournaments.progress.rounds import call_round, preview_next, publish_next
from tournaments.progress.run import open_registration, publish_tournament, start_tournament
from tournaments.scores.actions import Actor, submit_result
from tournaments.scores.slips import slip_token

__all__ = ["hall"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(180)]


def at_table(hall: Hall, match: Match, side: int = 0) -> Page:
    """A phone that has scanned a side's slip."""
    phone = hall.open(size=PHONE)
    phone.goto(f"{hall.site}/e/{slip_token(match, side)}/")
    return phone


def confirmed(hall: Hall, match: Match) -> None:
    """The other side says the same."""
    other = at_table(hall, match, 1)
    other.get_by_role("button", name="Same").click()
    expect(other.locator("#table-state")).to_contain_text("is confirmed and counts")


@pytest.mark.slow
def test_journey_11_a_yaku_that_its_points_cannot_hold_is_explained_and_nothing_saved(hall: Hall) -> None:
    match = tables_of(a_called_night(people=4))[0]
    phone = at_table(hall, match)
    phone.get_by_text("Enter card points and yaku instead").click()
    boxes = phone.get_by_role("group", name="Deal 1").get_by_role("textbox")
    boxes.nth(0).fill("40")
    boxes.nth(1).fill("200")
    mine = phone.get_by_role("group", name=re.compile("^Yaku of")).first
    mine.get_by_role("checkbox", name="I", exact=True).check()
    phone.get_by_role("button", name="Send", exact=True).click()
    expect(phone.get_by_role("alert")).to_contain_text("45")
    expect(phone.get_by_role("alert")).to_contain_text("report.points_impossible")
    assert not ResultReport.objects.exists()
    assert mine.get_by_role("checkbox", name="I", exact=True).is_checked()
    hall.look(phone)
    boxes.nth(0).fill("45")
    boxes.nth(1).fill("195")
    phone.get_by_role("button", name="Send", exact=True).click()
    expect(phone.locator("#table-state")).to_contain_text("Your result is sent")
    assert ResultReport.objects.get().body["score"] == [45, 145]
    expect(phone.locator("#table-state")).to_contain_text("Deal 1:")
    hall.look(phone)


@pytest.mark.slow
def test_journey_13_and_15_a_margin_of_100_adds_two_and_the_number_opens_to_its_sum(hall: Hall) -> None:
    options = {"rounds": 3, "basa": True}
    event = a_called_night(people=4, preset="paradise", options=options)
    match = tables_of(event)[0]
    phone = at_table(hall, match)
    phone.get_by_text("Enter deal by deal instead").click()
    for deal, points in ((1, ("170", "70")), (2, ("100", "140")), (3, ("125", "115"))):
        boxes = phone.get_by_role("group", name=f"Deal {deal}").get_by_role("textbox")
        for box, text in zip((boxes.nth(0), boxes.nth(1)), points, strict=True):
            box.fill(text)
    phone.get_by_role("button", name="Send", exact=True).click()
    expect(phone.locator("#table-state")).to_contain_text("Your result is sent")
    confirmed(hall, match)
    assert [seat.victories for seat in match.seats.order_by("index")] == [3, 1]
    first = match.seats.get(index=0).entry
    assert first is not None
    second = the_rest_of_two_rounds(event, first)
    reader = hall.open()
    reader.goto(f"{hall.site}/t/{event.slug}/standings/")
    row = reader.get_by_role("row", name=first.player.name)
    number = row.locator("details.why > summary").first
    number.press("Enter")
    panel = row.locator("details.why[open] .panel").first
    lines = panel.locator("ul.terms > li")
    terms = [int(each.replace("−", "-")) for each in lines.get_by_role("link").all_inner_texts()]
    assert terms == [3, 2]  # the two of the deal that was won by 100 and one more; two deals of the second table
    assert sum(terms) == int(number.inner_text())
    assert lines.count() == len(terms), "every term leads somewhere"
    hall.look(reader)
    tables = [match, second]
    for table, link in zip(tables, lines.get_by_role("link").all(), strict=True):
        assert str(link.get_attribute("href")).startswith(f"/m/{table.uuid}/")
    lines.get_by_role("link").last.press("Enter")
    reader.wait_for_url(f"{hall.site}/m/{second.uuid}/**")
    expect(reader.locator("main")).to_contain_text(first.player.name)
    hall.look(reader)


def the_rest_of_two_rounds(event: Tournament, first: Entry) -> Match:
    """Enter every other table at the desk; of the second round the one at which `first` wins two deals of three."""
    actor, stage = Actor(user=event.created_by), event.stages.get()
    submit_result(match=tables_of(event)[1], actor=actor, claim=Claim(deals=((130, 110), (110, 130), (125, 115))))
    publish_next(stage=stage, by=event.created_by, seen=preview_next(stage=stage, by=event.created_by).hash)
    call_round(round_row=round_of(event, 2), by=event.created_by)
    own = Match.objects.get(round__number=2, stage=stage, seats__entry=first)
    for match in tables_of(event, 2):
        won, lost = (130, 110) if match.seats.filter(entry=first, index=0).exists() else (110, 130)
        submit_result(match=match, actor=actor, claim=Claim(deals=((won, lost), (lost, won), (won, lost))))
    return own


@pytest.mark.slow
def test_journey_16_oibana_seats_six_not_seven_and_its_ledger_is_even(hall: Hall) -> None:
    desk = hall.open(a.a_user("organiser"))
    hands = Hands(desk)
    desk.goto(f"{hall.site}/t/new/?template=oibana")
    hands.write("Name", "Oi-bana evening")
    desk.get_by_text("Fine-tune").click()
    desk.get_by_label("Seats at a table").select_option("7")
    hands.press("button", "Create the draft")
    expect(desk.get_by_text("tournament.bad_seating").first).to_be_visible()
    expect(desk.locator("main")).to_contain_text(re.compile("3.{1,6}6"))
    assert not Tournament.objects.exists()
    hall.look(desk)
    desk.get_by_label("Seats at a table").select_option("6")
    desk.get_by_label("Deals per match").fill("2")
    hands.press("button", "Create the draft")
    expect(desk.get_by_role("heading", name="Oi-bana evening")).to_be_visible()
    event = called(Tournament.objects.get())
    match = tables_of(event)[0]
    assert match.seats.count() == 6
    bids_are_entered(hall, event, match)
    points = [seat.points or 0 for seat in match.seats.order_by("index")]
    assert points == [0, 15 - 20, 20 - 15, 0, 0, 0]  # each time the loser pays what he bid
    reader = hall.open()
    reader.goto(f"{hall.site}/t/{event.slug}/standings/")
    shown = reader.locator("table.standings tbody tr td:nth-of-type(2) summary").all_inner_texts()
    assert sum(int(each.replace("−", "-")) for each in shown) == 0
    hall.look(reader)


def called(event: Tournament) -> Tournament:
    """The draft opened to six people, started, its first round called."""
    by = event.created_by
    publish_tournament(tournament=event, by=by)
    open_registration(tournament=event, by=by)
    add_list(tournament=event, by=by, data="\n".join(NAMES[:6]).encode())
    check_in_all(tournament=event, by=by)
    start_tournament(tournament=event, by=by)
    call_round(round_row=round_of(event, 1), by=by)
    return event


def bids_are_entered(hall: Hall, event: Tournament, match: Match) -> None:
    """Two deals by their bids: the winner is named, what is paid follows."""
    desk = hall.open(event.created_by)
    desk.goto(f"{hall.site}/m/{match.uuid}/result/")
    desk.get_by_text("Enter deal by deal instead").click()
    for deal, bids, winner in ((1, (10, 20, 15, 5, 1, 2), 2), (2, (10, 20, 15, 5, 1, 2), 3)):
        group = desk.get_by_role("group", name=f"Deal {deal}: bids")
        for number, bid in enumerate(bids):
            group.get_by_role("textbox").nth(number).fill(str(bid))
        group.get_by_label("Won by", exact=True).select_option(index=winner)
    hall.look(desk)
    desk.get_by_role("button", name="Enter it").click()
    expect(desk.get_by_text("is entered").first).to_be_visible()
    match.refresh_from_db()
