"""The page of partners: the commitment before, the draw after, teams by hand, substitutes; who may do what."""

from __future__ import annotations

import hashlib
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from tests.builders import events as a
from tests.builders.clubs import a_club_night, person, round_of, tables_of, totals
from tests.builders.teams import a_drawn_night, a_pairs_night, called, teams
from tests.tournaments.progress.test_people import with_role
from tournaments.entries.people import add_list
from tournaments.models import Entry, PartnerDraw, Tournament
from tournaments.pages.entries.teams import ACTS
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament
from tournaments.scores.actions import Actor, submit_result
from tournaments.scores.slips import slip_token

pytestmark = pytest.mark.django_db
BACKEND = "django.contrib.auth.backends.ModelBackend"


def as_one(user: User | None) -> Client:
    """A client of its own."""
    client = Client()
    if user is not None:
        client.force_login(user, backend=BACKEND)
    return client


def page_of(client: Client, event: Tournament, query: str = "") -> str:
    """The page of partners as text."""
    answer = client.get(f"/t/{event.slug}/partners/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.thorough
def test_the_commitment_is_shown_first_and_the_seed_hashes_to_it() -> None:
    event = a_pairs_night()
    client = as_one(event.created_by)
    before = page_of(client, event)
    (shown,) = re.findall(r"sha256:([0-9a-f]{64})", before)
    seed = bytes(PartnerDraw.objects.get(tournament=event).secret).hex()
    assert seed not in before
    answer = client.post(f"/t/{event.slug}/partners/draw/", {"seen": "1", "who": "here", "rule": "lots"}, follow=True)
    after = answer.content.decode()
    assert "4 teams are drawn." in after
    assert seed in after
    assert hashlib.sha256(bytes.fromhex(seed)).hexdigest() == shown
    for name in teams(event):
        assert name.replace("&", "&amp;") in after
    stranger = page_of(as_one(None), event)
    assert seed in stranger
    assert '<form method="post"' not in re.sub(r"(?s)<header.*?</header>|<footer.*?</footer>", "", stranger)


@pytest.mark.thorough
def test_a_new_draw_and_its_reason_stand_in_the_log() -> None:
    event = a_drawn_night()
    client = as_one(event.created_by)
    sent = {"seen": "2", "who": "here", "rule": "lots", "redraw": "1", "reason": "Two came with partners"}
    client.post(f"/t/{event.slug}/partners/draw/", sent)
    again = client.post(f"/t/{event.slug}/partners/draw/", sent, follow=True).content.decode()
    assert "partners.already_drawn" in again
    assert PartnerDraw.objects.filter(tournament=event, undone_at=None).exclude(drawn_at=None).count() == 1
    log = as_one(None).get(f"/t/{event.slug}/feed/").content.decode()
    assert "drew partners" in log
    assert "Two came with partners" in log
    shown = page_of(as_one(None), event, "?draw=1")
    assert "undone: Two came with partners" in shown


@pytest.mark.thorough
def test_teams_are_made_named_changed_and_taken_apart_on_the_page() -> None:
    event = a_pairs_night(names="Aiko\nBen\nChiyo\nDai")
    client = as_one(event.created_by)
    here = f"/t/{event.slug}/partners"
    pair = {"person1": str(person(event, "Ben").uuid), "person2": str(person(event, "Aiko").uuid), "name": ""}
    client.post(f"{here}/make/", pair)
    team = teams(event)["Ben & Aiko"]
    assert called(team) == ["Ben", "Aiko"]
    client.post(f"{here}/rename/", {"team": str(team.uuid), "name": "Plum"})
    assert "Rename" in page_of(client, event, f"?team={team.uuid}")
    client.post(f"{here}/break/", {"team": str(team.uuid)})
    assert teams(event) == {}
    twice = client.post(f"{here}/break/", {"team": str(team.uuid)})
    assert twice.status_code == 404


@pytest.mark.thorough
def test_a_substitute_is_named_on_the_page_and_reports_by_the_slip_of_the_team() -> None:
    event = a_drawn_night()
    client = as_one(event.created_by)
    start_tournament(tournament=event, by=event.created_by)
    call_round(round_row=round_of(event, 1), by=event.created_by)
    for match in tables_of(event):
        submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(130, 110))
    team = next(iter(teams(event).values()))
    captain, partner = called(team)
    sent = {"team": str(team.uuid), "member": str(person(event, partner).uuid), "person": "", "name": "Ike"}
    answer = client.post(f"/t/{event.slug}/partners/substitute/", sent, follow=True).content.decode()
    assert "Ike plays from round 2 on." in answer
    match = next(match for match in tables_of(event, 2) if match.seats.filter(entry=team).exists())
    side = match.seats.filter(entry=team).values_list("side", flat=True)[0]
    call_round(round_row=round_of(event, 2), by=event.created_by)
    phone = Client()
    phone.get(f"/e/{slip_token(match, side)}/")
    table = phone.get(f"/x/{match.uuid}/").content.decode()
    assert f"You report for {team.player.name} ({captain} + Ike)." in table.replace("&amp;", "&")
    sheet = client.get(f"/t/{event.slug}/print/2/", {"sheet": "names"}).content.decode()
    assert "Ike" in sheet
    assert captain in sheet


@pytest.mark.thorough
def test_standings_show_teams_and_members() -> None:
    event = a_drawn_night()
    start_tournament(tournament=event, by=event.created_by)
    call_round(round_row=round_of(event, 1), by=event.created_by)
    for match in tables_of(event):
        submit_result(match=match, actor=Actor(user=event.created_by), claim=totals(140, 100))
    shown = as_one(None).get(f"/t/{event.slug}/standings/").content.decode()
    assert "Members" in shown
    _teams, _caption, members = shown.partition("Results of each member's sides")
    for name in ("Aiko", "Hana"):
        assert f">{name}<" in members


@pytest.mark.thorough
@pytest.mark.parametrize("role", ["director", "arbiter", "scorer", "stranger", "nobody"])
def test_every_form_by_every_role(role: str) -> None:
    event = a_drawn_night()
    user = {"nobody": None, "stranger": a.a_user()}[role] if role in ("nobody", "stranger") else with_role(event, role)
    team = str(next(iter(teams(event).values())).uuid)
    rows = Entry.objects.order_by("pk").values_list("uuid", "state", "player__name")
    before, client = list(rows.all()), as_one(user)
    sent = {"seen": "2", "number": "1", "team": team, "member": team, "name": "Ike", "reason": "Why", "redraw": "1"}
    for verb in ACTS:
        answer = client.post(f"/t/{event.slug}/partners/{verb}/", sent)
        assert answer.status_code == (404 if role == "stranger" else 302), verb
        if role == "director":
            break
    assert (list(rows.all()) != before) == (role == "director")


@pytest.mark.thorough
def test_few_queries_however_many_teams() -> None:
    event = a_pairs_night(names="\n".join(f"Person {number}" for number in range(40)))
    client = as_one(event.created_by)
    client.post(f"/t/{event.slug}/partners/draw/", {"seen": "1", "who": "here", "rule": "clubs"})
    for path in ("partners/", "entries/"):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            client.get(f"/t/{event.slug}/{path}")
        assert len(queries) <= 12, [query["sql"][:90] for query in queries]


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("sent", [{"seen": "99999"}, {"seen": "x"}, {"team": "' OR 1=1"}, {"team": "0" * 36}])
def test_what_no_form_sends_is_not_found_or_refused(sent: dict[str, str]) -> None:
    event = a_drawn_night()
    client = as_one(event.created_by)
    verb = "draw" if "seen" in sent else "break"
    assert client.post(f"/t/{event.slug}/partners/{verb}/", sent).status_code == 404
    assert len(teams(event)) == 4


def test_there_is_no_such_page_where_nobody_has_partners() -> None:
    event = a_club_night()
    assert as_one(event.created_by).get(f"/t/{event.slug}/partners/").status_code == 404
    assert as_one(event.created_by).post(f"/t/{event.slug}/partners/draw/", {"seen": "1"}).status_code == 404


PAGES = (
    "",
    "entries/",
    "partners/",
    "rounds/",
    "standings/",
    "crosstable/",
    "feed/",
    "screen/",
    "audit/",
    "rehearsal/",
)
DESK = ("desk/", "print/1/", "print/1/?sheet=names", "print/1/?sheet=cards", "results/1/", "results/1.csv", "swap/1/")
FILES = ("files/event.json", "files/entries.csv", "files/pairings.csv", "files/matches.csv", "files/calendar.ics")


@pytest.mark.slow
@pytest.mark.parametrize("started", [False, True])
def test_no_page_or_file_holds_the_seed_of_a_draw_that_is_to_come(started: bool) -> None:
    event = a_drawn_night()
    hidden = bytes(PartnerDraw.objects.get(tournament=event, drawn_at=None).secret).hex()
    if started:
        start_tournament(tournament=event, by=event.created_by)
    paths = [*PAGES, *FILES, *(DESK if started else ())]
    for user in (None, with_role(event, "scorer"), event.created_by):
        client = as_one(user)
        for path in paths:
            answer = client.get(f"/t/{event.slug}/{path}")
            assert answer.status_code < 500, path
            text = b"".join(answer).decode(errors="replace") if answer.streaming else answer.content.decode()
            assert hidden not in text, path
            organised = user == event.created_by
            assert not organised or answer.status_code == 200, (path, answer.status_code)


def test_a_member_finds_their_table_by_their_name() -> None:
    event = a_drawn_night()
    start_tournament(tournament=event, by=event.created_by)
    match = tables_of(event)[1]
    seat = match.seats.select_related("player").order_by("index")[2]
    assert seat.player is not None
    shown = as_one(None).get(f"/t/{event.slug}/entries/", {"q": seat.player.name}).content.decode()
    assert f"round 1, table {match.table_no}" in shown
    assert shown.count("round 1, table") == 2, "the person, and the team that is called like its members"


@pytest.mark.thorough
def test_no_draw_is_announced_that_will_never_be() -> None:
    """Teams that are entered are not drawn, and nobody is once the event runs."""
    entered = a_pairs_night(partners="entered", names="")
    by = entered.created_by
    add_list(tournament=entered, by=by, data=b"Aiko & Ben\nChiyo & Dai")
    assert "We have committed to draw" not in page_of(as_one(by), entered)
    assert "We have committed to draw" not in page_of(as_one(None), entered)
    drawn = a_pairs_night()
    assert "We have committed to draw" in page_of(as_one(None), drawn)
    Tournament.objects.filter(pk=drawn.pk).update(state="running")
    assert "We have committed to draw" not in page_of(as_one(None), drawn)
