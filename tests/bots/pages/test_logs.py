"""A bot's private log beside the moves: whose it is, where the traceback stands, and that it is harmless to read."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from playwright.sync_api import Browser, expect

from accounts.models import User
from bots.jobs.process import Process
from bots.models import Blob
from tests.browser.looking import axe_violations, log_in, sideways
from tests.builders import events as a
from tests.builders.leagues import play
from tournaments.matches.records.logs import MAX_BYTES, MAX_PIECES, SeatLog, logs_of, seat_log
from tournaments.models import Match, Role, Seat

Become = Callable[[User | None], Client]
CRASHES = b"""
print("loaded well")
asked = 0
def choose(obs):
    global asked
    asked += 1
    print("asked", asked, "in deal", obs["deal"])
    if asked == 3:
        raise ValueError("lost in the <b>peonies</b>")
    return 0
"""
NEVER_LOADS = b"print('so far so good')\nraise KeyError('no garden')\n"
SILENT_CRASH = b"import os\ndef choose(obs):\n    os._exit(3)\n"


def a_match(process: Process, *sources: bytes) -> Match:
    """A match of these bots, really played."""
    a.a_running_event(sources=sources, options={"rounds": 2})
    play(process)
    return Match.objects.select_related("stage__tournament").get(state="confirmed")


def log_of(match: Match, index: int) -> SeatLog:
    seat = match.seats.select_related("bot_version__bot__owner", "log").get(index=index)
    assert seat.bot_version is not None
    return next(iter(logs_of([seat], seat.bot_version.bot.owner)))


def crashed(match: Match) -> Seat:
    return match.seats.select_related("bot_version__bot__owner").get(outcome="forfeit")


@pytest.mark.thorough
@pytest.mark.django_db
def test_the_traceback_stands_at_the_deal_and_move_of_the_forfeit(player: Process) -> None:
    match = a_match(player, CRASHES, a.FIRST)
    seat = crashed(match)
    assert seat.fault is not None
    log = log_of(match, seat.index)
    pieces = [piece for part in log.deals for piece in part.pieces]
    assert (pieces[0].deal, pieces[0].text) == (0, "loaded well")
    assert [piece.text for piece in pieces[1:3]] == ["asked 1 in deal 1", "asked 2 in deal 1"]
    last = pieces[-1]
    assert (last.deal, last.move, last.is_fault) == (seat.fault["deal"], seat.fault["move"], True)
    assert last.text.startswith("asked 3 in deal 1\nTraceback (most recent call last)")
    assert last.text.endswith("ValueError: lost in the <b>peonies</b>")
    assert [part.is_fault for part in log.deals] == [False, True]


@pytest.mark.thorough(keep=1)
@pytest.mark.django_db
@pytest.mark.parametrize(("source", "said"), [(NEVER_LOADS, "KeyError: 'no garden'"), (SILENT_CRASH, "")])
def test_a_forfeit_stands_in_the_log_even_where_nothing_was_printed(player: Process, source: bytes, said: str) -> None:
    match = a_match(player, source, a.FIRST)
    seat = crashed(match)
    (part,) = log_of(match, seat.index).deals
    assert part.pieces[-1].is_fault
    assert part.pieces[-1].text.endswith(said)
    assert seat.fault is not None
    assert part.deal == seat.fault["deal"]


@pytest.mark.thorough
@pytest.mark.django_db
def test_only_the_owner_reads_it_and_it_is_escaped(player: Process, as_user: Become) -> None:
    match = a_match(player, CRASHES, a.FIRST)
    seat = crashed(match)
    assert seat.bot_version is not None
    assert seat.fault is not None
    event = match.stage.tournament
    director, operator, rival = a.a_user(), a.a_user(is_staff=True), match.seats.exclude(pk=seat.pk).get().bot_version
    assert rival is not None
    Role.objects.create(user=director, tournament=event, role=Role.Kind.DIRECTOR)
    for reader in (None, event.created_by, director, operator, rival.bot.owner):
        page = as_user(reader).get(f"/m/{match.uuid}/").content.decode()
        assert "peonies" not in page
        assert "asked 1" not in page
    page = as_user(seat.bot_version.bot.owner).get(f"/m/{match.uuid}/").content.decode()
    assert "lost in the &lt;b&gt;peonies&lt;/b&gt;" in page
    place = f"?d={seat.fault['deal']}&amp;m={seat.fault['move']}&amp;s={seat.index + 1}#replay"
    fault = re.search(r'<li [^>]*class="fault"[^>]*>(.*?)</li>', page, re.DOTALL)
    assert fault is not None
    assert f'<a href="{place}">' in fault[1]
    assert "the bot’s program crashed" in fault[1]


def a_seat(data: bytes, marks: list[list[int]], fault: dict[str, object] | None = None) -> Seat:
    return Seat(index=0, log=Blob.objects.put(data), log_marks=marks, fault=fault)


@pytest.mark.django_db
def test_what_steers_a_terminal_or_the_direction_of_writing_is_shown_as_a_sign() -> None:
    log = seat_log(a_seat("a\x1b[2Jb\x00c\u202ed\u2066e\r\nf\tg\xff".encode("latin-1", "replace"), []))
    text = log.deals[0].pieces[0].text
    assert not any(ord(char) < 32 and char not in "\n\t" for char in text)
    bidi = seat_log(a_seat("a\u202eb\u2066c".encode(), [])).deals[0].pieces[0].text
    assert bidi == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c"


@pytest.mark.django_db
def test_a_long_log_is_cut_at_its_beginning_and_keeps_the_forfeit() -> None:
    marks = [[1, move, move * 10] for move in range(1, MAX_PIECES + 51)]
    data = b"0123456789" * (MAX_PIECES + 50)
    fault: dict[str, object] = {"code": "crash", "deal": 1, "move": MAX_PIECES + 50}
    log = seat_log(a_seat(data, marks, fault))
    assert log.is_cut
    (part,) = log.deals
    assert len(part.pieces) == MAX_PIECES
    assert part.pieces[-1].is_fault
    wide = seat_log(a_seat(b"x" * (MAX_BYTES * 2), [[1, 1, 5], [2, 1, MAX_BYTES * 2]]))
    assert wide.is_cut
    assert sum(len(piece.text) for part in wide.deals for piece in part.pieces) == MAX_BYTES


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_an_owner_without_script_goes_from_the_traceback_to_the_replay_there(
    browser: Browser, live_site: str, process: Process
) -> None:
    match = a_match(process, CRASHES, a.FIRST)
    seat = crashed(match)
    assert seat.bot_version is not None
    assert seat.fault is not None
    context = browser.new_context(java_script_enabled=False, viewport={"width": 360, "height": 740})
    log_in(context, live_site, seat.bot_version.bot.owner)
    page = context.new_page()
    page.goto(f"{live_site}/m/{match.uuid}/")
    here = page.locator("li.fault")
    expect(here.locator("pre")).to_contain_text("ValueError: lost in the <b>peonies</b>")
    expect(here).to_be_visible()
    here.get_by_role("link").first.click()
    assert f"d={seat.fault['deal']}&m={seat.fault['move']}" in page.url
    expect(page.get_by_text(f"move {seat.fault['move']} of").first).to_be_visible()
    expect(page.locator("li.fault[aria-current=true]")).to_be_visible()
    context.close()
    seeing = browser.new_page(viewport={"width": 360, "height": 740})
    log_in(seeing.context, live_site, seat.bot_version.bot.owner)
    seeing.goto(f"{live_site}/m/{match.uuid}/")
    assert (axe_violations(seeing), sideways(seeing)) == ([], [])
    seeing.close()
