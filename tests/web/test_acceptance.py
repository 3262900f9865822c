"""Hanafuda Hawaii 2016 in browsers: 144 people, partners drawn, nine pools, four phones, double elimination of 16.

From the form of a new event to a copy made of its file. Slow: 283 results, every one through a page.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.builders import events as a
from tests.tournaments.pages.floor.test_club_night import PHONE, Hall, enter, press
from tournaments.models import Entry, Match, PartnerDraw, ResultReport, Round, Stage, StageEntry, Standing, Tournament
from tournaments.standings import store

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True), pytest.mark.timeout(900)]
PEOPLE = 144
CLUBS = ("Hilo", "Kona", "Maui", "Oahu", "Kauai")
EVEN = 1_440  # of twelve deals of 240 points each


@pytest.fixture
def hall(browser: Browser, live_site: str) -> Iterator[Hall]:
    """A hall with browsers; nothing may be wrong on any page that was looked at."""
    found = Hall(browser, live_site)
    yield found
    for context in found.contexts:
        context.close()
    assert found.wrong == []
    assert found.trouble.seen == []


def test_hanafuda_hawaii_from_the_form_to_a_copy_of_it(hall: Hall) -> None:
    desk = hall.open(a.a_user("organiser"))
    event = a_draft(hall, desk)
    everybody_comes(hall, desk, event)
    partners_are_drawn(hall, desk, event)
    the_pools_begin(hall, desk, event)
    by_four_phones(hall, desk, event)
    for number in range(1, 8):
        from_paper(hall, desk, event, 1, number)
        if number == 2:
            corrected(hall, desk, event, Match.objects.get(round__stage__order=1, round__number=1, table_no=1))
    the_best_go_on(hall, desk, event)
    the_knock_out(hall, desk, event)
    comes_back_from_its_file(hall, desk, event)


def a_draft(hall: Hall, desk: Page) -> Tournament:
    desk.goto(f"{hall.site}/t/new/")
    desk.get_by_label("How many people", exact=True).fill(str(PEOPLE))
    press(desk, "Show formats that fit")
    desk.get_by_role("link", name="Hanafuda Hawaii 2016").press("Enter")
    desk.wait_for_load_state()
    expect(desk.get_by_text("9 pools x 8 pairs, 252 matches, 7 rounds, 36 tables at once")).to_be_visible()
    hall.look(desk)
    press(desk, "Create the draft")
    press(desk, "Announce it")
    press(desk, "Open entries")
    return Tournament.objects.get()


def everybody_comes(hall: Hall, desk: Page, event: Tournament) -> None:
    people = [f"Person {n:03},{CLUBS[n % len(CLUBS)]}" for n in range(1, PEOPLE + 1)]
    desk.goto(f"{hall.site}/t/{event.slug}/entries/")
    desk.locator("#paste-list").fill("\n".join(["name,club", *people]))
    press(desk, "Add everybody")
    press(desk, "Check everybody in")
    expect(desk.get_by_text(f"{PEOPLE} people, {PEOPLE} checked in")).to_be_visible()


def partners_are_drawn(hall: Hall, desk: Page, event: Tournament) -> None:
    """The commitment is on the page before; what was drawn can be worked out again from what is on it afterwards."""
    desk.goto(f"{hall.site}/t/{event.slug}/partners/")
    committed = desk.locator("p.hash").first.inner_text().strip()
    hall.look(desk)
    press(desk, "Draw partners")
    expect(desk.get_by_text("72 teams are drawn.")).to_be_visible()
    hall.look(desk)
    draw = PartnerDraw.objects.get(undone_at=None, drawn_at__isnull=False)
    seed = bytes(draw.secret)
    assert (
        hashlib.sha256(seed).hexdigest() == committed.removeprefix("sha256:") == draw.commitment.removeprefix("sha256:")
    )
    assert seed.hex() in desk.content()
    lots = sorted(
        (hashlib.sha256(f"{seed.hex()} {each['entry']}".encode()).digest(), each["name"]) for each in draw.listed
    )
    names = [name for _lot, name in lots]
    assert draw.rule == PartnerDraw.Rule.LOTS
    assert teams_of(event) == {frozenset(names[n : n + 2]) for n in range(0, PEOPLE, 2)}


def teams_of(event: Tournament) -> set[frozenset[str]]:
    rows = Entry.objects.filter(tournament=event, members__isnull=False).distinct()
    return {frozenset(row.members.values_list("person__player__name", flat=True)) for row in rows}


def the_pools_begin(hall: Hall, desk: Page, event: Tournament) -> None:
    desk.goto(f"{hall.site}/t/{event.slug}/")
    press(desk, "Start")
    pools = Stage.objects.get(tournament=event, order=1)
    assert Match.objects.filter(stage=pools).count() == 252
    assert sorted(pools.groups.values_list("label", flat=True)) == list("ABCDEFGHI")
    desk.goto(f"{hall.site}/t/{event.slug}/desk/")
    press(desk, "Start round 1")
    hall.look(desk)
    assert Match.objects.filter(stage=pools, state=Match.State.CALLED).count() == 36


def by_four_phones(hall: Hall, desk: Page, event: Tournament) -> None:
    """Both sides of two tables send at the same moment: one pair of results agrees, the other is disputed and ruled."""
    desk.goto(f"{hall.site}/t/{event.slug}/print/1/?sheet=slips")
    links = desk.get_by_role("link", name="Open this table")
    phones = []
    for address in [str(links.nth(n).get_attribute("href")) for n in range(4)]:
        phone = hall.open(size=PHONE)
        phone.goto(address)
        phones.append(phone)
    for phone, points in zip(phones, ((1450, 1430), (1430, 1450), (1500, 1380), (1500, 1380)), strict=True):
        boxes = phone.get_by_role("group", name="Points").get_by_role("textbox")
        boxes.nth(0).fill(str(points[0]))
        boxes.nth(1).fill(str(points[1]))
    for phone in phones:
        phone.get_by_role("button", name="Send", exact=True).evaluate("button => { setTimeout(() => button.click()) }")
    expect(phones[0].locator("#table-state")).to_contain_text("The organiser checks both")
    expect(phones[2].locator("#table-state")).to_contain_text("is confirmed and counts")
    hall.look(phones[0])
    assert set(ResultReport.objects.values_list("match__table_no", flat=True)) == {1, 2}
    disputed = Match.objects.get(round__stage__tournament=event, round__number=1, table_no=1)
    desk.goto(f"{hall.site}/m/{disputed.uuid}/result/")
    said = ResultReport.objects.get(match=disputed, body__score=[1450, 1430])
    desk.get_by_label("Use report no.").select_option(str(said.version))
    desk.get_by_label("Why?").fill("Counted the cards again.")
    press(desk, "Decide")
    assert ResultReport.objects.get(match=disputed, state="confirmed").body["score"] == [1450, 1430]


def filled(blank: str) -> str:
    """The sheet of a round with points for every side that has none; nobody is level."""
    rows = list(csv.DictReader(io.StringIO(blank.lstrip("\ufeff"))))
    for number, row in enumerate(rows):
        lead = 5 + int(row["table"]) * 5
        row["points"] = row["points"] or str(EVEN + lead if number % 2 == 0 else EVEN - lead)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def from_paper(hall: Hall, desk: Page, event: Tournament, stage: int, number: int) -> None:
    """A round is called, unless it was, and typed in from paper slips."""
    desk.goto(f"{hall.site}/t/{event.slug}/desk/?stage={stage}&round={number}")
    call = desk.get_by_role("button", name=f"Start round {number}", exact=True)
    if call.count():
        call.press("Enter")
        desk.wait_for_load_state()
    blank = desk.request.get(f"{hall.site}/t/{event.slug}/results/{number}.csv?stage={stage}").text()
    desk.goto(f"{hall.site}/t/{event.slug}/results/{number}/?stage={stage}")
    desk.locator("#sheet-list").fill(filled(blank))
    press(desk, "Preview the entries")
    desk.get_by_role("button", name=re.compile(r"^Enter \d+ tables?$")).press("Enter")
    desk.wait_for_load_state()
    row = Round.objects.get(stage__tournament=event, stage__order=stage, number=number)
    assert row.state in ("complete", "locked")


def corrected(hall: Hall, desk: Page, event: Tournament, match: Match) -> None:
    """A result of round 1 turns out wrong when round 2 is played: everything that follows is shown, then done."""
    plans = list(Round.objects.filter(stage__order=1).order_by("number").values_list("plan", flat=True))
    enter(hall, desk, match, 1400, 1480)
    press(desk, "Preview change")
    hall.look(desk)
    desk.get_by_label("Why?").fill("The slip was misread.")
    press(desk, "Correct the result")
    assert ResultReport.objects.get(match=match, state="confirmed").body["score"] == [1400, 1480]
    assert plans == list(Round.objects.filter(stage__order=1).order_by("number").values_list("plan", flat=True))
    assert store.differences(match.stage) == []


def the_best_go_on(hall: Hall, desk: Page, event: Tournament) -> None:
    desk.goto(f"{hall.site}/t/{event.slug}/desk/?stage=1")
    press(desk, "Confirm final standings")
    desk.goto(f"{hall.site}/t/{event.slug}/draw/2/")
    hall.look(desk)
    assert desk.get_by_text(re.compile(r"^\s*place 1 of group")).count() == 9
    press(desk, "Draw the next stage")
    final = Stage.objects.get(tournament=event, order=2)
    came = StageEntry.objects.filter(stage=final)
    assert sorted(place or 0 for place in came.values_list("came_place", flat=True)) == [1] * 9 + [2] * 7


def the_knock_out(hall: Hall, desk: Page, event: Tournament) -> None:
    """Round after round as they fill themselves, with one correction after the second was; then signed."""
    number = 1
    while Round.objects.filter(stage__tournament=event, stage__order=2, number=number).exists():
        from_paper(hall, desk, event, 2, number)
        if number == 1:
            fed_anew(hall, desk, event)
        number += 1
    desk.goto(f"{hall.site}/t/{event.slug}/desk/?stage=2")
    press(desk, "Confirm and finish")
    event.refresh_from_db()
    assert event.state == Tournament.State.FINISHED
    winner = Standing.objects.get(stage__tournament=event, stage__order=2, after_round=0, row=1)
    assert Match.objects.filter(stage__order=2).count() in (30, 31)
    desk.goto(f"{hall.site}/t/{event.slug}/")
    expect(desk.get_by_text(f"{winner.entry.player.name} win")).to_be_visible()
    for path in ("standings/", "standings/?stage=all", "rounds/?stage=2", "crosstable/?stage=1", "feed/", ""):
        desk.goto(f"{hall.site}/t/{event.slug}/{path}")
        hall.look(desk)
    for stage in event.stages.all():
        assert store.differences(stage) == []


def fed_anew(hall: Hall, desk: Page, event: Tournament) -> None:
    """A match of the first round was the other way round: who lost it sits in the winners' bracket no more."""
    match = Match.objects.get(round__stage__order=2, round__number=1, table_no=1)
    winner = match.seats.get(index=0).entry
    beaten = match.seats.get(index=1).entry
    enter(hall, desk, match, 1300, 1580)
    press(desk, "Preview change")
    hall.look(desk)
    desk.get_by_label("Why?").fill("Turned round.")
    press(desk, "Correct the result")
    second = Round.objects.get(stage__order=2, number=2)
    met = [set(each.seats.values_list("entry", flat=True)) for each in Match.objects.filter(round=second)]
    assert winner is not None
    assert beaten is not None
    assert sum(winner.pk in each for each in met) == sum(beaten.pk in each for each in met) == 1
    assert store.differences(match.stage) == []


def comes_back_from_its_file(hall: Hall, desk: Page, event: Tournament) -> None:
    """The file is read in again as a copy, and the copy's file says the same."""
    first = download(hall, desk, event)
    desk.goto(f"{hall.site}/t/import/")
    desk.locator("#file").set_input_files({"name": "e.json", "mimeType": "application/json", "buffer": first})
    press(desk, "Check the file")
    hall.look(desk)
    press(desk, "Keep the copy")
    copy = Tournament.objects.exclude(pk=event.pk).get()
    again = download(hall, desk, copy)
    assert again == first


def download(hall: Hall, desk: Page, event: Tournament) -> bytes:
    answer = desk.request.get(f"{hall.site}/t/{event.slug}/files/event.json")
    assert answer.ok
    return answer.body()
