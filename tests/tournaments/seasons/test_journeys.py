"""A season and its clubs from the first form to the next season, by pages alone, on both databases."""

from __future__ import annotations

import re
from decimal import Decimal
from html import unescape
from typing import Final

import pytest
from django.test import Client
from django.utils.html import strip_tags

from accounts.models import User
from tests.builders import events as a
from tests.builders.clubs import a_called_night, close_event, person, tables_of, totals
from tests.builders.seasons import SEASON_FIELDS, a_finished_event, in_order
from tests.services.databases import on_both
from tournaments.models import Season, Tournament
from tournaments.scores.actions import Actor, submit_result
from tournaments.seasons.updating import follow_news

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]
BACKEND: Final = "django.contrib.auth.backends.ModelBackend"
ROW: Final = re.compile(r"<tr[^>]*>(.*?)</tr>", re.DOTALL)
CELL: Final = re.compile(r"<t[hd][^>]*>(.*?)</t[hd]>", re.DOTALL)
FACTORS: Final = slice(2, 5)


def client_of(user: User | None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user, backend=BACKEND)
    return client


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, (path, answer.status_code)
    return answer.content.decode()


def cells_of(html: str) -> list[list[str]]:
    """Return the words of the cells of all tables, row by row."""
    rows = ROW.findall(html)
    return [[" ".join(unescape(strip_tags(cell)).split()) for cell in CELL.findall(row)] for row in rows]


def a_played_night() -> Tournament:
    """Make a night of four people that was played to its end."""
    event = a_called_night(people=4, rounds=1)
    for name in ("Aiko", "Ben"):
        player = person(event, name).player
        player.club = "Café Lyon"
        player.save(update_fields=["club"])
    for table in tables_of(event):
        submit_result(match=table, actor=Actor(user=event.created_by), claim=totals(140, 80))
    close_event(tournament=event, by=event.created_by)
    return event


def total_is_explained(client: Client, season: Season, name: str) -> None:
    """Check the page of a person's total with nothing but a pencil: each line, and the sum of those that count."""
    who = season.people.get(name=name)
    table = cells_of(page(client, f"/seasons/{season.slug}/people/{who.uuid}/"))
    lines = [row for row in table if row and "counted" in row[0]]
    assert len(lines) == who.events_n
    counted = Decimal(0)
    for row in lines:
        given, weight, left = (Decimal(cell.removeprefix("× ")) for cell in row[FACTORS])
        brings = Decimal(row[5])
        assert abs(given * weight * left - brings) <= Decimal("0.005"), row
        counted += 0 if "not counted" in row[0] else brings
    assert counted == Decimal(next(row for row in table if row[0] == "Total")[-1])
    assert counted == Decimal(who.total) / 100


@on_both
def test_a_season_from_its_form_to_the_next_one(database: str) -> None:
    by = a.a_user()
    owner, stranger = client_of(by), client_of(None)
    rules = {**SEASON_FIELDS, "best": "2", "decay": "event", "loss": "10"}
    assert owner.post("/seasons/new/", rules)["Location"].endswith("/events/")
    season = Season.objects.get()
    here = f"/seasons/{season.slug}/"
    nights = (("Aiko", "Ben", "Chiyo"), ("Ben", "Aiko", "Chiyo"), ("Chiyo", "Aiko", "Ben"))
    for days, names in enumerate(nights):
        event = a_finished_event(by, in_order(*names), days=days, name=f"Night {days}")
        weight = "2" if days == 1 else "1"
        assert owner.post(f"{here}events/", {"event": f"/t/{event.slug}/", "weight": weight}).status_code == 302
    # Ben: 6.5 x 0.81 + 10 x 2 x 0.9; Aiko: 10 x 0.81 + 6.5 x 2 x 0.9; Chiyo: 3 x 2 x 0.9 + 10. The third is dropped.
    table = [row for row in cells_of(page(stranger, f"{here}?division=2")) if len(row) > 2]
    assert [(row[0], row[1].split()[0], row[2].split()[0]) for row in table[1:4]] == [
        ("1", "Ben", "23.27"),
        ("2", "Aiko", "19.8"),
        ("3", "Chiyo", "15.4"),
    ]
    for name in ("Aiko", "Ben", "Chiyo"):
        total_is_explained(stranger, season, name)
    chiyo = season.people.get(name="Chiyo")
    assert owner.post(f"{here}do/assign/", {"person": chiyo.uuid, "division": "1"}).status_code == 302
    run = page(owner, f"{here}run/")
    assert "Who would change divisions now" in run
    assert [row[:3] for row in cells_of(run) if len(row) == 3][1:] == [
        ["Chiyo", "First", "▼down Second"],
        ["Ben", "Second", "▲up First"],
    ]
    assert owner.post(f"{here}do/close/").status_code == 302
    assert "no event can be added" in page(owner, f"{here}events/")
    made = owner.post(f"{here}next/", {"name": "Club league 2028"})["Location"]
    following = Season.objects.get(previous=season)
    assert (made, page(owner, made).count("Club league 2028") > 0) == (f"/seasons/{following.slug}/events/", True)
    divisions = following.people.order_by("name").values_list("name", "division__name")
    assert dict(divisions) == {"Ben": "First"}


@on_both
def test_a_club_from_a_night_to_its_page(database: str) -> None:
    guest = client_of(a.a_user("guest"))
    event = a_played_night()
    season = Season.objects.get(slug=_a_season_that_counts(client_of(event.created_by), event))
    follow_news()
    assert season.people.filter(row__gt=0).count() == 4
    clubs = page(guest, "/clubs/?q=cafe")
    assert re.findall(r'<a href="/clubs/([^"]+)/">([^<]+)</a>', clubs) == [("cafe-lyon", "Café Lyon")]
    assert "2 entries" in " ".join(clubs.split())
    assert guest.post("/clubs/cafe-lyon/join/").status_code == 302
    club = page(guest, "/clubs/cafe-lyon/")
    rows = {row[0].split()[0]: row[1:] for row in cells_of(club) if len(row) == 4}
    assert (rows["Aiko"][:2], rows["Ben"][:2], rows["guest"]) == (["1", "1"], ["1", "1"], ["0", "0", "0"])
    assert f"/t/{event.slug}/" in club
    (line,) = [row for row in cells_of(page(guest, f"/seasons/{season.slug}/clubs/")) if "Café Lyon" in row]
    totals_of = season.people.filter(club="Café Lyon").values_list("total", flat=True)
    assert (line[0], Decimal(line[2]), line[3]) == ("1", Decimal(sum(totals_of)) / 100, "2")


def _a_season_that_counts(owner: Client, event: Tournament) -> str:
    """Make a season by its form and add an event. Returns its address."""
    owner.post("/seasons/new/", {**SEASON_FIELDS, "measure": "points", "place_points": "", "other_points": ""})
    season = Season.objects.get()
    assert owner.post(f"/seasons/{season.slug}/events/", {"event": event.slug}).status_code == 302
    return season.slug
