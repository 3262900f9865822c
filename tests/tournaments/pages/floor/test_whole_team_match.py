"""A captains' team match by its pages: line-ups by the captains' links, substitutes, boards that make a result."""

from __future__ import annotations

from typing import Final

import pytest
from django.db.models import QuerySet
from playwright.sync_api import Page, expect

from tests.builders import events as a
from tests.tournaments.pages.floor.test_club_night import PHONE, Hall, hall
from tests.tournaments.pages.floor.test_whole_events import MAX_STEPS, created, next_step
from tournaments.models import Match, Round, Seat, Tournament
from tournaments.standings import store

__all__ = ["hall"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.timeout(600), pytest.mark.slow]
TEAMS: Final = ("Lyon A", "Lyon B", "Kyoto", "Hilo", "Kona")
BOARDS: Final = 3
CHOSEN: Final = {"seats": "2", "kind": "swiss", "rounds": "3", "boards": str(BOARDS), "team_score": "meetings"}


def people_of(team: str) -> list[str]:
    """Return the names of a team: one more than it has boards, the captain first."""
    return [f"{name} of {team}" for name in ("Ada", "Bo", "Cy", "Jim")]


def set_line_up(page: Page, board: int, name: str) -> None:
    """Put somebody on a board of the captain's page: preview, then set."""
    page.reload()
    page.get_by_label(f"Board {board}", exact=True).select_option(label=name)
    page.get_by_role("button", name="Preview the changes").click()
    page.get_by_role("button", name="Set this line-up").click()
    expect(page.get_by_role("status").first).to_contain_text("The line-up of")


def captains(hall: Hall, desk: Page, event: Tournament) -> dict[str, Page]:
    """Give every captain the address that the organiser has: phones without an account."""
    desk.goto(f"{hall.site}/t/{event.slug}/desk/")
    desk.get_by_role("link", name="Line-ups").first.click()
    hall.look(desk)
    phones = {}
    for team in TEAMS:
        address = desk.get_by_role("link", name=f"Captain's page {team}").get_attribute("href") or ""
        phones[team] = hall.open(size=PHONE)
        phones[team].goto(address)
        hall.look(phones[team])
    return phones


def on_board(event: Tournament, number: int, team: str, board: int) -> str:
    """Return who sits on a board of a team in a round."""
    return str(seats_of(event, number, team).get(board=board).player)


def seats_of(event: Tournament, number: int, team: str) -> QuerySet[Seat]:
    """Return the seats of a team in a round; none if it has the bye."""
    seats = Seat.objects.filter(match__round__number=number, match__stage__tournament=event)
    return seats.filter(entry__player__name=team)


def substitute(hall: Hall, desk: Page, event: Tournament) -> str:
    """Draw round 2; name Jim for Bo of a team that plays in it, and a new person for Kona; return Jim.

    A team that has the bye would have its substitute on no board.
    """
    desk.goto(f"{hall.site}/t/{event.slug}/desk/")
    expect(desk.locator("#step")).to_contain_text("captains can change theirs until then")
    desk.get_by_role("link", name="Draw the next round").click()
    desk.get_by_role("button", name="Publish it").click()
    expect(desk.get_by_role("status").first).to_be_visible()
    team = next(name for name in ("Hilo", "Lyon B") if seats_of(event, 2, name).exists())
    jim = f"Jim of {team}"
    desk.goto(f"{hall.site}/t/{event.slug}/partners/")
    desk.get_by_role("link", name=f"Change {team}").click()
    hall.look(desk)
    # The reserve by their typed name, as an organiser in a hurry does: nobody is there twice.
    desk.get_by_label("In place of").select_option(label=f"Bo of {team}")
    desk.get_by_label("Or a new person").fill(jim)
    desk.get_by_role("button", name="Name the substitute").click()
    expect(desk.get_by_role("status").first).to_contain_text(f"{jim} plays from round 2 on.")
    assert on_board(event, 2, team, 2) == jim
    assert event.entries.filter(player__name=jim).count() == 1
    desk.get_by_role("link", name="Change Kona").click()
    desk.get_by_label("In place of").select_option(label="Cy of Kona")
    desk.get_by_label("Or a new person").fill("Kai")
    desk.get_by_role("button", name="Name the substitute").click()
    expect(desk.get_by_role("status").first).to_contain_text("Kai plays from round 2 on.")
    return jim


def is_drawn(event: Tournament, number: int) -> bool:
    """Return whether a round is drawn and none of its tables called."""
    tables = Match.objects.filter(stage__tournament=event, round__number=number)
    return tables.filter(state=Match.State.READY).exists()


def is_over(event: Tournament, number: int) -> bool:
    """Return whether a round is the last one that is drawn, and all its tables have results."""
    rounds = Round.objects.filter(stage__tournament=event)
    results = Match.objects.filter(stage__tournament=event, round__number=number)
    return rounds.count() == number and not results.exclude(state=Match.State.CONFIRMED).exists()


def test_a_captains_match_from_the_form_to_the_last_standings(hall: Hall) -> None:
    desk = hall.open(a.a_user("organiser"))
    lines = [f"{name},{team}" for team in TEAMS for name in people_of(team)]
    event = created(desk, hall.site, "Captains' match", "\n".join(["name,team", *lines]), CHOSEN)
    phones = captains(hall, desk, event)
    set_line_up(phones["Kyoto"], 1, "Jim of Kyoto")
    steps, done, jim = 0, set[int](), ""
    while event.state != Tournament.State.FINISHED:
        assert steps < MAX_STEPS
        if is_drawn(event, 1) and 1 not in done:
            done.add(1)
            assert on_board(event, 1, "Kyoto", 1) == "Jim of Kyoto"
            # The line-up of a round that is drawn stays; the next one is open to the captain meanwhile.
            set_line_up(phones["Kyoto"], 1, "Ada of Kyoto")
            hall.look(phones["Kyoto"])
        if is_over(event, 1) and 2 not in done:
            done.add(2)
            jim = substitute(hall, desk, event)
        assert next_step(desk, hall.site, event), f"{desk.url} leads nowhere"
        hall.look(desk)
        steps += 1
        event.refresh_from_db()
    assert done == {1, 2}
    assert on_board(event, 1, "Kyoto", 1) == "Jim of Kyoto"
    # One of the two rounds after the first may be its bye.
    last = 3 if seats_of(event, 3, "Kyoto").exists() else 2
    assert on_board(event, last, "Kyoto", 1) == "Ada of Kyoto"
    assert all(store.differences(stage) == [] for stage in event.stages.all())
    read_by_everybody(hall, event, jim)


def read_by_everybody(hall: Hall, event: Tournament, jim: str) -> None:
    """Each board stands under the meeting of its teams, and the boards make the result of the team."""
    reader = hall.open(size=PHONE)
    reader.goto(f"{hall.site}/t/{event.slug}/rounds/?round=2")
    hall.look(reader)
    boards = Match.objects.filter(stage__tournament=event, round__number=2)
    assert boards.count() == 2 * BOARDS, "five teams: two meetings and a bye"
    expect(reader.get_by_text(jim).first).to_be_visible()
    for tab in ("standings/", "standings/?members=1", "ranking/"):
        reader.goto(f"{hall.site}/t/{event.slug}/{tab}")
        hall.look(reader)
    for team in TEAMS:
        expect(reader.get_by_role("row", name=team)).to_have_count(1)
