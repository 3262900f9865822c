"""The rule that partners are a number of years apart in age: kept by draws, counted where not; no age is shown."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from bots.models import AuditEvent
from core.formats import ages
from engine.errors import DomainError
from tests.builders import events as a
from tests.builders.registrations import an_event_with_registration, letters, link_in_mail, registered
from tests.builders.rotating import EVERYBODY, a_rotating_night, play, round_of, stage_of, tables
from tests.builders.teams import a_pairs_night, called, teams
from tests.services.databases import on_sqlite
from tournaments.entries.birth_years import AgeOutlook, age_outlook, require_apart, years_of
from tournaments.entries.corrections import correct_entry, history_of
from tournaments.entries.partners import draw_partners
from tournaments.entries.people import add_list, add_person
from tournaments.interchange.export import event_json
from tournaments.interchange.imports import event as importing
from tournaments.interchange.imports.actions import import_event
from tournaments.models import BirthYear, Entry, PartnerDraw, Registration, Tournament
from tournaments.pairing.constraints_actions import choose_age_gap
from tournaments.progress.rounds import preview_next
from tournaments.progress.run import cancel_tournament, start_tournament
from tournaments.registration.purge import RETENTION, purge_expired_years
from tournaments.registration.queries import answers_csv

pytestmark = pytest.mark.django_db
YEARS = (1938, 1944, 1951, 1956, 1978, 1985, 1990, 2001)
LIST = "name,born\n" + "\n".join(f"{name},{year}" for name, year in zip(EVERYBODY, YEARS, strict=False))


def years_in(kept: object) -> set[str]:
    """The years of birth in what was kept, dates too; not those four digits within a random id."""
    return {str(year) for year in YEARS} & set(re.findall(r"(?<![\w-])\d{4}(?!\w)", str(kept)))


def refused(code: str) -> pytest.RaisesExc[DomainError]:
    """The refusal with this code."""
    return pytest.RaisesExc(DomainError, check=lambda error: error.code == code)


def gaps(event: Tournament) -> list[int]:
    """The years between the partners of every team."""
    people = {each.player.name: each for each in Entry.objects.filter(tournament=event).select_related("player")}
    years = years_of(people.values())
    pairs = ([years[people[name].pk] for name in called(team)] for team in teams(event).values())
    return [max(pair) - min(pair) for pair in pairs]


def test_partners_are_drawn_so_many_years_apart() -> None:
    event = a_pairs_night(names=LIST, age_gap=20)
    draw_partners(tournament=event, by=event.created_by, seen=1)
    assert min(gaps(event)) >= 20
    draw = PartnerDraw.objects.get(tournament=event, number=1)
    assert (draw.age_gap, draw.too_close) == (20, 0)
    assert not years_in(draw.listed)


@pytest.mark.thorough
def test_where_it_cannot_be_kept_as_few_pairs_as_possible_break_it_and_organisers_read_which() -> None:
    event = a_pairs_night(names=LIST.replace("2001", "1940"), age_gap=20)
    singles = list(Entry.objects.filter(tournament=event).select_related("player"))
    before = age_outlook(event, singles, [])
    assert before == AgeOutlook(gap=20, unknown=(), fewest=1, broken=())
    draw_partners(tournament=event, by=event.created_by, seen=1)
    assert PartnerDraw.objects.get(tournament=event, number=1).too_close == 1
    client, path = Client(), f"/t/{event.slug}/partners/"
    client.force_login(event.created_by)
    mine = client.get(path).content.decode()
    assert 'id="ages"' in mine
    public = Client().get(path).content.decode()
    assert 'id="ages"' not in public
    # As a word: four figures may stand in a hash or a token by chance.
    assert [year for year in (*YEARS, 1940) if re.search(rf"\b{year}\b", public)] == []


@pytest.mark.thorough
@on_sqlite
def test_rotating_partners_keep_the_rule_and_the_preview_says_what_it_costs(client: Client) -> None:
    event = a_rotating_night(age_gap=20)
    by = event.created_by
    people = {each.player.name: each for each in Entry.objects.filter(tournament=event).select_related("player")}
    for name, year in zip(EVERYBODY, YEARS, strict=False):
        correct_entry(entry=people[name], by=by, changes={"born": year})
    start_tournament(tournament=event, by=by)
    years = {str(each.uuid): each.birth.year for each in Entry.objects.filter(tournament=event).select_related("birth")}
    for match in tables(event, 1):
        sides: dict[int, list[int]] = {}
        for seat in match.seats.select_related("entry"):
            sides.setdefault(seat.side, []).append(years[str(seat.entry and seat.entry.uuid)])
        assert not any(ages.pairs_too_close(side, 20) for side in sides.values())
    plan = round_of(event, 1).plan
    assert "apart.ages" in str(plan)
    assert not years_in(plan)
    client.force_login(by)
    sent = {"verb": "settings", "part": "ages", "age_gap": "45"}
    assert "Saved" in client.post(f"/t/{event.slug}/wishes/", sent, follow=True).content.decode()
    play(event, 1)
    drawn = preview_next(stage=stage_of(event), by=by)
    assert drawn.plan is not None
    page = client.get(f"/t/{event.slug}/next/").content.decode()
    assert "only organisers see this" in page
    assert "without the rule about ages" in page


def test_a_list_gives_years_to_people_and_to_partners_in_one_line() -> None:
    event = a_pairs_night(names="name,born\nAiko & Ben,1950 & 1980\nChiyo,2001\nDai,", age_gap=20)
    years = years_of(Entry.objects.filter(tournament=event))
    named = {each.player.name: years.get(each.pk) for each in Entry.objects.filter(tournament=event, members=None)}
    assert named == {"Aiko": 1950, "Ben": 1980, "Chiyo": 2001, "Dai": None}
    by = event.created_by
    for data, code in ((b"name,born\nEmi,19", "csv.born"), (b"name,born\nEmi & Fumi,1950", "csv.born")):
        with refused(code):
            add_list(tournament=event, by=by, data=data)
    with refused("entry.bad_birth_year"):
        add_list(tournament=event, by=by, data=b"name,born\nEmi,2099")
    with refused("entry.bad_birth_year"):
        add_person(tournament=event, by=by, name="Emi", born=1850)


def test_a_year_is_corrected_and_its_history_has_no_year() -> None:
    event = a_pairs_night(names="name,born\nAiko,1950", age_gap=20)
    entry, by = Entry.objects.get(tournament=event), event.created_by
    correct_entry(entry=entry, by=by, changes={"born": 1951})
    assert entry.birth.year == 1951
    assert [each.changes for each in history_of(entry)] == [(("born", "••••", "••••"),)]
    correct_entry(entry=entry, by=by, changes={"born": None})
    assert not BirthYear.objects.exists()
    assert not any(word in str(list(AuditEvent.objects.values("before", "after"))) for word in ("1950", "1951"))


@pytest.mark.thorough
def test_the_registration_asks_for_the_year_and_shows_it_to_organisers_alone(client: Client) -> None:
    event = an_event_with_registration(kind="rotation", seats=4, options={"teams": "2x2"}, age_gap=20)
    path = f"/t/{event.slug}/register/"
    assert 'name="born"' in client.get(path).content.decode()
    with refused("registration.birth_year"):
        registered(event, "Aiko")
    sent = {"name": "Aiko", "email": "aiko@example.org", "born": "1948"}
    assert client.post(path, sent).status_code == 302
    letters()
    own = link_in_mail()
    client.post(own, {"act": "confirm"})
    entry = Entry.objects.get(tournament=event)
    assert entry.birth.year == Registration.objects.get().birth_year == 1948
    client.post(own, {"act": "edit", "name": "Aiko", "born": "1949"})
    entry = Entry.objects.get(pk=entry.pk)
    assert entry.birth.year == 1949
    client.force_login(event.created_by)
    assert "1949" in client.get(f"/t/{event.slug}/registrations/").content.decode()
    assert b"1949" in answers_csv(event)
    for public in ("", "entries/", "log/", "export.json"):
        assert b"1949" not in Client().get(f"/t/{event.slug}/{public}").content


def test_partners_by_choice_keep_the_rule_or_are_refused() -> None:
    event = a_pairs_night(names=LIST, age_gap=20)
    people = {each.player.name: each for each in Entry.objects.filter(tournament=event).select_related("player")}
    require_apart(event, [people[EVERYBODY[0]], people[EVERYBODY[7]]])
    with refused("partners.too_close"):
        require_apart(event, [people[EVERYBODY[0]], people[EVERYBODY[1]]])


def test_the_rule_needs_people_with_partners_and_bounds() -> None:
    night, alone = a_pairs_night(names=""), an_event_with_registration()
    for event, years in ((night, 81), (night, -1), (alone, 20)):
        with refused("tournament.bad_age_gap"):
            choose_age_gap(tournament=event, by=event.created_by, years=years)
    choose_age_gap(tournament=night, by=night.created_by, years=20)
    night.refresh_from_db()
    assert night.age_gap == 20
    with refused("tournament.bad_age_gap"):
        an_event_with_registration(age_gap=20)


@pytest.mark.thorough
def test_a_draw_under_the_rule_goes_out_as_a_file_without_years_and_comes_back() -> None:
    event = a_pairs_night(names=LIST, age_gap=20)
    by = event.created_by
    draw_partners(tournament=event, by=by, seen=1)
    cancel_tournament(tournament=event, by=by, reason="Rain")
    event.refresh_from_db()
    data = event_json(event)
    assert not any(f'"{year}"' in data.decode() or f": {year}" in data.decode() for year in YEARS)
    copy = import_event(by=a.a_user(), checked=importing.validate_event(data))
    assert (copy.age_gap, event_json(copy)) == (20, data)
    forged = json.loads(data)
    forged["draws"][0]["teams"].reverse()
    with refused("event.draw"):
        importing.validate_event(json.dumps(forged).encode())


def test_years_are_deleted_a_month_after_the_event() -> None:
    event = a_pairs_night(names=LIST, age_gap=20)
    assert purge_expired_years() == 0
    ended = timezone.now() - RETENTION - timedelta(days=1)
    Tournament.objects.filter(pk=event.pk).update(state=Tournament.State.FINISHED, finished_at=ended)
    assert purge_expired_years() == len(YEARS)
    assert not BirthYear.objects.exists()
