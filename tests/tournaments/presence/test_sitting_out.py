"""Rounds sat out by arrangement and late arrivals: who is drawn, what it is worth, where people see it."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from tests.builders.clubs import a_called_night, a_club_night, person, round_of
from tests.core.interchange.checker import verdict
from tests.services.databases import on_sqlite
from tests.tournaments.interchange.test_export_trf import report
from tests.tournaments.pages.floor.test_my_day import a_phone, day_of, text
from tests.tournaments.presence.test_returning import next_round, seated
from tests.tournaments.progress.test_people import finish_round, refused, stage_of, with_role
from tests.tournaments.progress.test_undo import restores
from tournaments.entries.links import make_links
from tournaments.entries.people import add_person, check_in, withdraw_person
from tournaments.interchange.export import document_of
from tournaments.models import Entry, EntryLink, RequestedBye, Standing, Tournament
from tournaments.presence.returning import bring_back
from tournaments.presence.settings import choose_presence
from tournaments.presence.sitting_out import arrive_for, ask_for_bye, cancel_bye, play_rounds, sit_out_rounds
from tournaments.progress.rounds import call_round
from tournaments.progress.run import start_tournament
from tournaments.standings import store

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]
Become = Callable[[User | None], Client]
HALF = Fraction(1, 2)


def choose(event: Tournament, **wanted: Any) -> None:
    """Choose settings on presence."""
    choose_presence(tournament=event, by=event.created_by, wanted=wanted)


def terms_of(event: Tournament, name: str, figure: str) -> list[tuple[int, str, str]]:
    """Round, amount and note of the terms of a figure of somebody's."""
    row = Standing.objects.get(stage=stage_of(event), after_round=0, entry=person(event, name))
    line = next(line for line in row.explanation if line["tie_break"] == figure)
    return [(term["round"], term["amount"], term.get("note", "")) for term in line["terms"]]


def link_of(event: Tournament, name: str) -> EntryLink:
    """Somebody's private link."""
    make_links(tournament=event, by=event.created_by)
    return EntryLink.objects.select_related("entry__player", "entry__tournament").get(
        entry=person(event, name), ended_at=None
    )


def test_who_sits_out_is_not_drawn_and_takes_no_bye_of_the_draw() -> None:
    event = a_called_night(rounds=4)
    ben, by = person(event, "Ben"), event.created_by
    assert sit_out_rounds(entry=ben, by=by, first=2, last=3) == {2: HALF, 3: 0}
    next_round(event)
    assert "Ben" not in seated(event, 2)
    assert str(ben.uuid) not in round_of(event, 2).plan["byes"]
    next_round(event)
    assert "Ben" not in seated(event, 3)
    next_round(event)
    finish_round(event, 4)
    assert "Ben" in seated(event, 4) or str(ben.uuid) in round_of(event, 4).plan["byes"]
    # The mean of a round of two tables with 130 and 110.
    assert (2, "120", "half") in terms_of(event, "Ben", "points")
    assert (3, "0", "absent") in terms_of(event, "Ben", "points")
    assert store.differences(stage_of(event)) == []


@pytest.mark.parametrize(("worth", "points"), [("0", "0"), ("1/2", "120"), ("1", "130")])
def test_a_requested_bye_is_worth_what_the_event_says(worth: str, points: str) -> None:
    event = a_called_night(rounds=3)
    choose(event, bye_worth=worth)
    sit_out_rounds(entry=person(event, "Ben"), by=event.created_by, first=2)
    choose(event, bye_worth="0")
    next_round(event)
    finish_round(event, 2)
    assert (2, points) in [term[:2] for term in terms_of(event, "Ben", "points")]


def test_only_so_many_count_and_only_until_a_round() -> None:
    event = a_called_night(rounds=5)
    ben, by = person(event, "Ben"), event.created_by
    choose(event, bye_limit=2, bye_until=4)
    assert sit_out_rounds(entry=ben, by=by, first=5) == {5: 0}
    assert sit_out_rounds(entry=ben, by=by, first=2, last=4) == {2: HALF, 3: HALF, 4: 0}
    assert sit_out_rounds(entry=ben, by=by, first=2, last=4) == {2: HALF, 3: HALF, 4: 0}
    assert play_rounds(entry=ben, by=by, first=2) == 1
    assert play_rounds(entry=ben, by=by, first=2) == 0
    assert sit_out_rounds(entry=person(event, "Aiko"), by=by, first=4, last=5) == {4: HALF, 5: 0}


def test_what_is_refused() -> None:
    event = a_called_night(rounds=3)
    ben, by = person(event, "Ben"), event.created_by
    for first, last, code in (
        (1, 1, "presence.round_drawn"),
        (2, 9, "presence.no_round"),
        (3, 2, "presence.no_round"),
        (0, 2, "presence.round_drawn"),
    ):
        with refused(code):
            sit_out_rounds(entry=ben, by=by, first=first, last=last)
    with refused("tournament.not_organiser"):
        sit_out_rounds(entry=ben, by=with_role(event, "scorer"), first=2)
    withdraw_person(entry=ben, by=by)
    with refused("entry.gone"):
        sit_out_rounds(entry=ben, by=by, first=2)
    robin = a_called_night(people=4, kind="round_robin", name="Robin")
    with refused("presence.drawn_ahead"):
        sit_out_rounds(entry=person(robin, "Ben"), by=robin.created_by, first=2)
    assert not RequestedBye.objects.exists()


def test_undo() -> None:
    event = a_called_night(rounds=3)
    ben, by = person(event, "Ben"), event.created_by
    restores(event, lambda: sit_out_rounds(entry=ben, by=by, first=2, last=3))
    sit_out_rounds(entry=ben, by=by, first=2, last=3)
    restores(event, lambda: play_rounds(entry=ben, by=by, first=2))
    restores(event, lambda: choose(event, bye_worth="1", no_show_limit=2))


def test_settings_are_checked_and_walkovers_are_fixed_at_the_start() -> None:
    event = a_club_night()
    choose(event, walkover="share", walkover_share=40)
    for name, value in (("bye_worth", "2"), ("bye_limit", 21), ("no_show_limit", -1), ("late_worth", "1")):
        with refused(f"tournament.bad_{name}"):
            choose(event, **{name: value})
    start_tournament(tournament=event, by=event.created_by)
    with refused("presence.frozen"):
        choose(event, walkover="full")
    with refused("tournament.not_organiser"):
        choose_presence(tournament=event, by=with_role(event, "scorer"), wanted={"bye_limit": 2})
    choose(event, bye_limit=2, walkover="share")
    event.refresh_from_db()
    assert (event.bye_limit, event.walkover) == (2, "share")


def test_somebody_arrives_for_round_three_and_misses_two_for_what_the_event_gives() -> None:
    event = a_club_night(people=7, rounds=4)
    by = event.created_by
    choose(event, late_worth="1/2")
    check_in(entry=person(event, "Goro"), by=by, is_here=False)
    arrive_for(entry=person(event, "Goro"), by=by, round_number=3)
    start_tournament(tournament=event, by=by)
    call_round(round_row=round_of(event, 1), by=by)
    next_round(event)
    assert "Goro" not in seated(event, 1) | seated(event, 2)
    next_round(event)
    goro = str(person(event, "Goro").uuid)
    assert "Goro" in seated(event, 3) or goro in round_of(event, 3).plan["byes"]
    assert [term for term in terms_of(event, "Goro", "points") if term[0] < 3] == [
        (1, "120", "half"),
        (2, "120", "half"),
    ]
    with refused("presence.has_played"):
        arrive_for(entry=person(event, "Aiko"), by=by, round_number=4)


def test_a_late_entry_gets_the_rounds_before_it_as_the_event_says() -> None:
    event = a_called_night(rounds=4)
    by = event.created_by
    choose(event, late_worth="1/2")
    add_person(tournament=event, by=by, name="Late")
    choose(event, late_worth="0")
    add_person(tournament=event, by=by, name="Later")
    late = add_person(tournament=event, by=by, name="Last")
    Entry.objects.filter(pk=late.pk).update(state=Entry.State.ACTIVE)
    next_round(event)
    finish_round(event, 2)
    assert (1, "120", "half") in terms_of(event, "Late", "points")
    assert (1, "0", "absent") in terms_of(event, "Later", "points")
    assert store.differences(stage_of(event)) == []


@on_sqlite
def test_a_person_asks_by_their_own_link_if_the_event_allows_it() -> None:
    event = a_called_night(rounds=3)
    phone, here = a_phone(event, "Ben"), day_of(event, "Ben")
    assert "Sit out these rounds" not in text(phone.get(here))
    phone.post(f"{here}sit-out/", {"first": "2", "last": "2"})
    assert not RequestedBye.objects.exists()
    choose(event, byes_by_players=True)
    assert "Sit out these rounds" in text(phone.get(here))
    assert "You sit out round 2." in text(phone.post(f"{here}sit-out/", {"first": "2", "last": "2"}, follow=True))
    assert "worth a tie" in text(phone.get(here))
    assert "You play in round 2." in text(phone.post(f"{here}play-on/", {"first": "2"}, follow=True))
    phone.post(f"{here}sit-out/", {"first": "two", "last": "2"})
    assert not RequestedBye.objects.exists()


def test_the_link_is_asked_each_time() -> None:
    event = a_called_night(rounds=3)
    link = link_of(event, "Ben")
    with refused("presence.not_by_players"):
        ask_for_bye(link=link, first=2)
    choose(event, byes_by_players=True)
    assert ask_for_bye(link=link, first=2) == {2: HALF}
    assert cancel_bye(link=link, first=2) == 1
    EntryLink.objects.filter(pk=link.pk).update(ended_at="2026-01-01T00:00Z", ended_by=event.created_by)
    with refused("link.ended"):
        ask_for_bye(link=link, first=2)


def test_it_is_seen_by_everybody_and_told_by_files(as_user: Become) -> None:
    event = a_called_night(rounds=3)
    choose(event, bye_limit=3, no_show_limit=2)
    desk = as_user(event.created_by)
    uuid = str(person(event, "Ben").uuid)
    answer = desk.post(f"/t/{event.slug}/desk/sit-out/", {"entry": uuid, "first": "2", "last": "3"}, follow=True)
    assert "Ben sits out rounds 2, 3." in text(answer)
    assert "sits out rounds 2, 3" in text(desk.get(f"/t/{event.slug}/entries/"))
    assert "worth a tie" in text(desk.get(f"/t/{event.slug}/entries/{uuid}/presence/"))
    next_round(event)
    finish_round(event, 2)
    assert "Sit out: Ben (worth a tie)." in text(Client().get(f"/t/{event.slug}/rounds/?round=2"))
    assert "requested bye, counts as a tie" in text(Client().get(f"/t/{event.slug}/standings/"))
    policies = document_of(event, matches=False).tournament.policies
    assert policies["presence"] == {"bye_limit": 3, "no_show_limit": 2}
    assert policies["excused"] == {"1": {uuid: {"2": "1/2", "3": "1/2"}}}


def test_the_form_of_the_rules(as_user: Become) -> None:
    event = a_club_night()
    desk, path = as_user(event.created_by), f"/t/{event.slug}/presence/"
    form = {"bye_worth": "1", "bye_limit": "2", "bye_until": "", "late_worth": "1/2", "no_show_limit": "3"}
    assert desk.post(path, {**form, "walkover": "full", "walkover_share": "50"}).status_code == 302
    event.refresh_from_db()
    assert (event.bye_worth, event.bye_limit, event.late_worth) == ("1", 2, "1/2")
    assert (event.walkover, event.no_show_limit, event.substitutes_keep_points) == ("full", 3, False)
    answer = desk.post(path, {**form, "bye_limit": "many"})
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.content.decode()
    assert as_user(with_role(event, "scorer")).get(path).status_code == 404


def test_a_fide_report_names_the_requested_byes_and_its_checker_agrees(tmp_path: Path) -> None:
    event = a_called_night(people=6, rounds=4, kind="dutch")
    by = event.created_by
    sit_out_rounds(entry=person(event, "Ben"), by=by, first=2, last=3)
    withdraw_person(entry=person(event, "Chiyo"), by=by)
    next_round(event)
    bring_back(entry=person(event, "Chiyo"), by=by)
    next_round(event)
    finish_round(event, 3)
    found = report(event.slug, tmp_path / "3.trf")
    line = next(line for line in found.read_text("latin-1").splitlines() if line.startswith("001") and "Ben" in line)
    assert re.findall(r"0000 - (\w)", line) == ["H", "Z"]
    other = next(line for line in found.read_text("latin-1").splitlines() if line.startswith("001") and "Chiyo" in line)
    assert re.findall(r"0000 - (\w)", other)[:1] == ["Z"]
    judged = verdict(found)
    assert judged.passed, judged.output
