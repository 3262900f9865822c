"""A private link opens one's own day and table, and nothing of anybody else; strangers and dead links learn nothing."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from tests.builders import boards, rotating
from tests.builders import events as a
from tests.builders.clubs import a_called_night, a_club_night, close_event, person, tables_of, totals
from tests.builders.mixed import a_running_mixed_event, at_tables
from tests.builders.teams import a_drawn_night
from tests.tournaments.entries.test_links import link_of
from tournaments.entries.links import link_token, renew_link, revoke_link
from tournaments.models import EntryLink, Match, ResultReport, Role, Seat, Tournament
from tournaments.progress.rounds import preview_next, publish_next
from tournaments.progress.run import start_tournament
from tournaments.scores.actions import Actor, submit_result
from tournaments.scores.slips import slip_token

pytestmark = pytest.mark.django_db
Become = Callable[[User | None], Client]


def a_phone(event: Tournament, name: str) -> Client:
    """A phone that has opened somebody's link."""
    phone = Client()
    assert phone.get(f"/e/{link_token(link_of(event, name))}/").status_code == 302
    return phone


def day_of(event: Tournament, name: str) -> str:
    return f"/e/my/{person(event, name).uuid}/"


def table_at(event: Tournament, name: str) -> Match:
    return next(match for match in tables_of(event) if match.seats.filter(entry=person(event, name)).exists())


def text(answer: object) -> str:
    assert isinstance(answer, HttpResponse)
    return re.sub(r"<[^>]+>", " ", answer.content.decode())


@pytest.mark.thorough
def test_the_link_becomes_a_cookie_and_leaves_no_trace() -> None:
    event = a_called_night()
    token = link_token(link_of(event, "Aiko"))
    phone = Client()
    answer = phone.get(f"/e/{token}/")
    assert answer.headers["Location"] == day_of(event, "Aiko")
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert "no-store" in answer.headers["Cache-Control"]
    page = phone.get(day_of(event, "Aiko"))
    assert token not in page.content.decode()
    assert phone.get("/e/").headers["Location"] == day_of(event, "Aiko")
    assert phone.post(f"/e/{token}/").status_code == 405


@pytest.mark.parametrize("token", ["made-up", "aaaaa-aaaaa-aaaaa-aaaaa", "x"])
def test_a_wrong_link_is_a_404_that_says_what_to_do(token: str, client: Client) -> None:
    answer = client.get(f"/e/{token}/")
    assert answer.status_code == 404
    assert "link.unknown" in answer.content.decode()
    assert "Scan the code of your card" in answer.content.decode()
    assert answer.headers["Referrer-Policy"] == "strict-origin"


@pytest.mark.thorough
def test_a_renewed_link_takes_the_day_and_its_tables_from_the_old_phone() -> None:
    event = a_called_night()
    old = link_token(link_of(event, "Aiko"))
    phone, match = a_phone(event, "Aiko"), table_at(event, "Aiko")
    phone.get(f"{day_of(event, 'Aiko')}table/{match.uuid}/")
    assert phone.get(f"/x/{match.uuid}/").status_code == 200
    renew_link(entry=person(event, "Aiko"), by=event.created_by)
    assert phone.get(f"/x/{match.uuid}/").status_code == 404
    assert phone.post(f"/x/{match.uuid}/report/", {"total_0": "130", "total_1": "110"}).status_code == 404
    for path in (f"/e/{old}/", day_of(event, "Aiko")):
        answer = phone.get(path)
        assert answer.status_code == 404
        assert "link.ended" in answer.content.decode()
    assert phone.post(f"{day_of(event, 'Aiko')}leave/").status_code == 404
    assert not ResultReport.objects.exists()


@pytest.mark.thorough
def test_one_reports_for_ones_own_table_and_no_other() -> None:
    event = a_called_night()
    phone, own = a_phone(event, "Aiko"), table_at(event, "Aiko")
    for match in tables_of(event):
        answer = phone.get(f"{day_of(event, 'Aiko')}table/{match.uuid}/")
        assert answer.status_code == (302 if match == own else 404)
        assert phone.get(f"/x/{match.uuid}/").status_code == (200 if match == own else 404)
    assert "Aiko" in text(phone.get(f"/x/{own.uuid}/"))
    page = phone.get(f"/x/{own.uuid}/").content.decode()
    boxes = re.findall(r'name="(total\w*)"', page)
    form = dict(zip(boxes, ("130", "110"), strict=True))
    assert phone.post(f"/x/{own.uuid}/report/", form).status_code == 302
    report = ResultReport.objects.get()
    side = own.seats.get(entry=person(event, "Aiko")).side
    assert report.body["side"] == side
    assert "same or different" in text(a_phone(event, other_at(own, "Aiko")).get(day_of(event, other_at(own, "Aiko"))))


def other_at(match: Match, name: str) -> str:
    return str(match.seats.exclude(entry__player__name=name).values_list("entry__player__name", flat=True)[0])


@pytest.mark.thorough
def test_a_link_of_one_opens_nobody_elses_day_and_no_desk() -> None:
    event = a_called_night()
    phone = a_phone(event, "Aiko")
    assert phone.get(day_of(event, "Ben")).status_code == 404
    assert phone.post(f"{day_of(event, 'Ben')}leave/").status_code == 404
    assert person(event, "Ben").state == "active"
    for tab in ("desk/", "links/", "links/cards/", "roles/", "print/1/", "adjust/"):
        assert phone.get(f"/t/{event.slug}/{tab}").status_code in (302, 404), tab
    assert phone.post(f"/t/{event.slug}/desk/leave/", {"entry": str(person(event, "Ben").uuid)}).status_code == 302
    assert person(event, "Ben").state == "active"


@pytest.mark.slow
def test_strangers_and_scorers_get_no_link(as_user: Become) -> None:
    event = a_called_night()
    tokens = [link_token(link_of(event, name)) for name in ("Aiko", "Ben")]
    scorer, rival = a.a_user(), a.a_user()
    Role.objects.create(user=scorer, tournament=event, role=Role.Kind.SCORER)
    for reader in (scorer, rival):
        for path in ("links/", "links/cards/", f"links/?show={person(event, 'Aiko').uuid}"):
            assert as_user(reader).get(f"/t/{event.slug}/{path}").status_code == 404
        for verb in ("make", "renew", "revoke"):
            form = {"entry": str(person(event, "Aiko").uuid)}
            as_user(reader).post(f"/t/{event.slug}/links/{verb}/", form)
    assert link_token(link_of(event, "Aiko")) == tokens[0]
    readers: tuple[User | None, ...] = (None, rival, scorer, event.created_by)
    for person_reading in readers:
        for path in ("", "entries/", "rounds/", "standings/", "feed/", "desk/", "links/"):
            page = as_user(person_reading).get(f"/t/{event.slug}/{path}").content.decode()
            assert not any(token in page or token.replace("-", "") in page.upper() for token in tokens), path


@pytest.mark.thorough
def test_the_organiser_shows_prints_renews_and_takes_away(as_user: Become) -> None:
    event = a_called_night()
    desk, aiko = as_user(event.created_by), person(event, "Aiko")
    here = f"/t/{event.slug}/links/"
    assert "Make 6 missing links" in desk.get(here).content.decode()
    assert "6 links are made" in desk.post(f"{here}make/", follow=True).content.decode()
    token = link_token(link_of(event, "Aiko"))
    assert f"/e/{token}/" in desk.get(f"{here}?show={aiko.uuid}").content.decode()
    cards = desk.get(f"{here}cards/")
    assert cards.content.decode().count("<svg") >= 6
    assert "no-store" in cards.headers["Cache-Control"]
    assert desk.get(f"{here}cards/?one={aiko.uuid}").content.decode().count('class="who"') == 1
    shown = desk.post(f"{here}renew/", {"entry": str(aiko.uuid)}, follow=True).content.decode()
    assert "has a new link" in shown
    assert token not in shown
    assert link_token(link_of(event, "Aiko")) in shown
    desk.post(f"{here}revoke/", {"entry": str(aiko.uuid)})
    assert not aiko.links.filter(ended_at=None).exists()
    assert "Aiko" not in re.findall(r'class="who">([^<]*)<', desk.get(f"{here}cards/").content.decode())


@pytest.mark.thorough
def test_the_day_goes_from_check_in_to_the_final_place() -> None:
    event = a_club_night(rounds=1)
    event.entries.update(state="entered")
    phone, here = a_phone(event, "Aiko"), day_of(event, "Aiko")
    assert "The event has not begun" in text(phone.get(here))
    assert "You are checked in" in text(phone.post(f"{here}here/", follow=True))
    event.entries.update(state="active")
    start_tournament(tournament=event, by=event.created_by)
    match = table_at(event, "Aiko")
    page = text(phone.get(here))
    assert f"Table {match.table_no}" in page
    assert other_at(match, "Aiko") in page
    for each in tables_of(event):
        submit_result(match=each, actor=Actor(user=event.created_by), claim=totals(130, 110))
    assert re.search(r"Place \d of 6", text(phone.get(here)))
    close_event(tournament=event, by=event.created_by)
    final = text(phone.get(here))
    assert "this is your final place" in final
    assert "Drop out" not in final


@pytest.mark.thorough
def test_dropping_out_is_asked_first_and_can_be_taken_back() -> None:
    event = a_called_night()
    phone, here = a_phone(event, "Aiko"), day_of(event, "Aiko")
    assert "tables that are already drawn stay" in text(phone.get(here))
    asked = text(phone.get(f"{here}leave/"))
    assert "is already drawn: play it" in asked
    assert person(event, "Aiko").state == "active"
    assert "You have left" in text(phone.post(f"{here}leave/", follow=True))
    assert "You stay in the event" in text(phone.post(f"{here}stay/", follow=True))
    assert phone.get(f"{here}stay/").status_code == 404


@pytest.mark.thorough
def test_a_member_reads_partner_table_and_result_and_asks_to_leave(as_user: Become) -> None:
    event = a_drawn_night()
    start_tournament(tournament=event, by=event.created_by)
    phone, here = a_phone(event, "Aiko"), day_of(event, "Aiko")
    member = person(event, "Aiko").memberships.get()
    partner = member.team.members.exclude(pk=member.pk).get().person.player.name
    page = text(phone.get(here))
    assert "Table" in page
    assert partner in page
    assert "the organiser names a substitute" in page
    phone.post(f"{here}leave/")
    desk = as_user(event.created_by).get(f"/t/{event.slug}/entries/").content.decode()
    assert "asks to leave a team" in desk
    assert "asks to leave" in as_user(event.created_by).get(f"/t/{event.slug}/links/").content.decode()


@pytest.mark.thorough
def test_a_private_event_is_open_to_its_entrants_by_their_links() -> None:
    event = a_called_night(visibility="private")
    phone = a_phone(event, "Aiko")
    for tab in ("", "rounds/", "standings/"):
        assert phone.get(f"/t/{event.slug}/{tab}").status_code == 200
        assert Client().get(f"/t/{event.slug}/{tab}").status_code == 404
    assert "My page" in text(phone.get(f"/t/{event.slug}/"))
    revoke_link(entry=person(event, "Aiko"), by=event.created_by)
    assert phone.get(f"/t/{event.slug}/").status_code == 404


@pytest.mark.thorough
def test_a_private_event_is_open_to_the_holder_of_a_slip() -> None:
    event = a_called_night(visibility="private")
    match = tables_of(event)[0]
    phone = Client()
    assert phone.get(f"/e/{slip_token(match, 0)}/").status_code == 302
    here = phone.get(f"/x/{match.uuid}/").content.decode()
    links = {link for link in re.findall(r'href="(/[^"#]*)"', here) if link.startswith(f"/t/{event.slug}/")}
    pages = {link.partition("?")[0] for link in links}
    assert {f"/t/{event.slug}/", f"/t/{event.slug}/rounds/", f"/t/{event.slug}/standings/"} <= pages
    links.add(f"/m/{tables_of(event)[1].uuid}/")
    for link in links:
        assert phone.get(link).status_code == 200, link
        assert Client().get(link).status_code == 404, link
    other = a_called_night(visibility="private", name="Another night")
    assert phone.get(f"/t/{other.slug}/").status_code == 404
    assert phone.get(f"/m/{tables_of(other)[0].uuid}/").status_code == 404
    assert phone.get(f"/t/{event.slug}/desk/").status_code in (302, 404)


@pytest.mark.thorough
def test_the_day_takes_ten_queries_at_most_however_many_rounds() -> None:
    event = a_called_night()
    phone, address = a_phone(event, "Aiko"), day_of(event, "Aiko")

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            phone.get(address)
        return len(queries)

    before = asked()
    for match in tables_of(event):
        submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(130, 110))
    stage = event.stages.get()
    publish_next(stage=stage, by=event.created_by, seen=preview_next(stage=stage, by=event.created_by).hash)
    assert asked() == before
    assert before <= 10


@pytest.mark.thorough
def test_who_sits_apart_from_their_team_reads_their_own_board() -> None:
    event = boards.a_running_night()
    seat = Seat.objects.filter(match__stage__tournament=event, player__isnull=False).select_related("player", "match")[
        0
    ]
    assert seat.player is not None
    page = text(a_phone(event, seat.player.name).get(day_of(event, seat.player.name)))
    assert f"Table {seat.match.table_no}" in page
    others = seat.match.seats.exclude(pk=seat.pk).values_list("player__name", flat=True)
    assert all(name in page for name in others)


@pytest.mark.thorough
def test_partners_of_a_round_are_named_where_they_rotate() -> None:
    event = rotating.a_running_night()
    match = rotating.tables(event, 1)[0]
    me, partner = match.seats.filter(side=match.seats.get(index=0).side).values_list("entry__player__name", flat=True)
    page = text(a_phone(event, me).get(day_of(event, me)))
    assert re.search(rf"With\s+{partner}", page)
    assert f"Table {match.table_no}" in page


@pytest.mark.thorough
def test_among_bots_only_people_have_links_and_read_whom_they_meet() -> None:
    event = a_running_mixed_event()
    match = at_tables(event)[0]
    seats = match.seats.select_related("entry__player")
    me, *others = sorted((seat.entry.player for seat in seats if seat.entry), key=lambda player: player.bot_id or 0)
    page = text(a_phone(event, me.name).get(day_of(event, me.name)))
    assert all(other.name in page for other in others)
    assert event.entries.filter(player__bot=None).count() == EntryLink.objects.count()
