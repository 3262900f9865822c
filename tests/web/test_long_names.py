"""Names of sixty letters without a space, five of them at a table: no page is wider than the screen."""

from __future__ import annotations

from typing import Final

import pytest
from playwright.sync_api import ViewportSize

from tests.browser.looking import sideways
from tests.builders import events as a
from tests.builders.clubs import round_of, tables_of, totals
from tests.tournaments.entries.test_links import link_of
from tests.tournaments.pages.floor.test_club_night import PHONE, Hall, hall
from tournaments.entries.links import link_token
from tournaments.entries.people import add_list, check_in_all
from tournaments.events.create import create_tournament
from tournaments.models import Tournament
from tournaments.progress.rounds import call_round
from tournaments.progress.run import open_registration, publish_tournament, start_tournament
from tournaments.scores.actions import Actor, dispute_result, submit_result
from tournaments.scores.slips import slip_token

__all__ = ["hall"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(180)]

NAMES: Final = tuple(letter + "o" * 59 for letter in "ABCDE")
WIDE: Final = ViewportSize(width=1280, height=800)


def a_night_of_long_names(**changes: object) -> Tournament:
    """Ten people, round 1 called."""
    by = a.a_user()
    asked: dict[str, object] = {"name": "N" * 60, "who": "people", "kind": "pods", "seats": 4, "rounds": 3}
    event = create_tournament(by=by, plan=a.a_plan(**{**asked, **changes}))
    publish_tournament(tournament=event, by=by)
    open_registration(tournament=event, by=by)
    lines = [f"{name},{'C' * 60}" for name in NAMES]
    add_list(tournament=event, by=by, data="\n".join(lines).encode())
    check_in_all(tournament=event, by=by)
    start_tournament(tournament=event, by=by)
    call_round(round_row=round_of(event, 1), by=by)
    return event


def too_wide(hall: Hall, event: Tournament, paths: list[str], size: ViewportSize) -> list[str]:
    """Pages of the organiser that are wider than the screen."""
    page, wrong = hall.open(event.created_by, size), []
    for path in paths:
        page.goto(hall.site + path)
        page.evaluate("() => document.querySelectorAll('details').forEach(each => { each.open = true })")
        wrong += [f"{size['width']} {path}: {each}" for each in sideways(page)]
    return wrong


@pytest.mark.slow
def test_a_table_of_five_fits_a_phone_before_and_after_a_report(hall: Hall) -> None:
    event = a_night_of_long_names()
    match = tables_of(event)[0]
    phone = hall.open(size=PHONE)
    phone.goto(f"{hall.site}/e/{slip_token(match, 0)}/")
    assert sideways(phone) == []
    submit_result(match=match, actor=Actor(side=1), claim=totals(40, 50, 60, 50, 40))
    phone.reload()
    assert sideways(phone) == []
    dispute_result(match=match, actor=Actor(side=0))
    phone.reload()
    assert sideways(phone) == []
    desk = [f"/t/{event.slug}/desk/", f"/t/{event.slug}/grid/", f"/t/{event.slug}/grid/1/", f"/m/{match.uuid}/result/"]
    assert too_wide(hall, event, desk, WIDE) + too_wide(hall, event, desk, PHONE) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pods", "single_elim", "round_robin"])
@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_no_page_of_an_event_is_wider_than_the_screen(hall: Hall, kind: str, size: ViewportSize) -> None:
    event = a_night_of_long_names(kind=kind, seats=4 if kind == "pods" else 2)
    first = tables_of(event)[0]
    score = (40, 50, 60, 50, 40) if kind == "pods" else (110, 130)
    submit_result(match=first, actor=Actor(user=event.created_by), claim=totals(*score))
    start = f"/t/{event.slug}/"
    sheets = [
        f"print/1/?sheet={each}" for each in ("pairings", "names", "cards", "slips", "scores", "standings", "rules")
    ]
    tabs = [
        "",
        "desk/",
        "entries/",
        "rounds/",
        "standings/",
        "feed/",
        "screen/",
        "undo/",
        "links/",
        "roles/",
        "wishes/",
    ]
    tabs += (
        ["results/1/", "swap/1/", "audit/", "bracket/"] if kind == "single_elim" else ["results/1/", "adjust/", "next/"]
    )
    paths = [start + each for each in (*tabs, *sheets)] + [f"/m/{first.uuid}/", f"/m/{first.uuid}/result/"]
    wrong = too_wide(hall, event, paths, size)
    phone = hall.open(size=size)
    phone.goto(f"{hall.site}/e/{link_token(link_of(event, NAMES[0]))}/")
    wrong += [f"my day: {each}" for each in sideways(phone)]
    assert wrong == []
