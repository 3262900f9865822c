"""A tournament of every preset: made with the form, played by house bots in the real sandbox, finished and proved."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from django.test import Client

from bots.house import HOUSE, PLAYS, house_files
from bots.jobs import checks
from bots.jobs.process import Process
from bots.models import Bot, Check
from bots.services import install_house_bot
from engine.deck import match_seed
from engine.game import game_of
from engine.games import PRESETS, option_table
from engine.record import verify
from tests.builders import events as a
from tests.services.forging import forge
from tournaments.events.create import create_tournament
from tournaments.lifecycle.event_plan import EventPlan
from tournaments.matches import play
from tournaments.models import Match, ResultReport, Seat, Stage, Standing, Tournament
from tournaments.pages.events.create_form import EventForm
from tournaments.progress import derive
from tournaments.progress.run import open_registration, publish_tournament, start_tournament

pytestmark = pytest.mark.django_db(transaction=True)

TABLES = [
    (name, seats)
    for name, preset in PRESETS.items()
    for seats in range(game_of(preset.game).seat_range[0], game_of(preset.game).seat_range[1] + 1)
    if preset.game != "sakura" or seats in (2, 7)
]


def asked_for(preset: str, seats: int, legs: str = "single") -> EventPlan:
    """Return the plan that the form makes of the fewest words: a name, the preset, seats, and short matches."""
    has_rounds = any(info.id == "rounds" for info in option_table(PRESETS[preset].game))
    short = {"option_rounds": 1} if has_rounds else {"option_target": 1}
    sent = {"name": f"All of {preset}", "preset": preset, "seats": seats, "rounds": 1, "scoring": "", "legs": legs}
    form = EventForm(
        {**sent, **short, "min_entries": 2, "max_entries": 16, "entries_per_owner": 16, "visibility": "public"}
    )
    assert form.is_valid(), form.errors
    return form.plan()


def house_bots(count: int) -> list[Bot]:
    """Return that many bots of the house, all strategies in turn."""
    house = a.a_user("house")
    names = [list(HOUSE)[-1 - number % len(HOUSE)] for number in range(count)]
    return [
        install_house_bot(owner=house, name=f"{name} {number}", files=house_files(name).files, plays=PLAYS)
        for number, name in enumerate(names)
    ]


def a_house_league(plan: EventPlan, entries: int) -> Tournament:
    """A started event of house bots."""
    by = a.a_user()
    event = create_tournament(by=by, plan=plan)
    publish_tournament(tournament=event, by=by)
    open_registration(tournament=event, by=by)
    a.entered(event, house_bots(entries))
    return start_tournament(tournament=event, by=by)


def play_out(event: Tournament, process: Process) -> None:
    """Play every match, then derive what follows."""
    while play.play_batch(process):
        pass
    derive.derive_waiting()
    event.refresh_from_db()


def documents(stage: Stage) -> list[dict[str, object]]:
    """The records of all matches, each proved with its own seed."""
    found = []
    for report in ResultReport.objects.select_related("match__deal_set", "record"):
        assert report.record is not None
        assert report.match.deal_set is not None
        document = json.loads(report.record.data())
        seed = match_seed(bytes(stage.secret or b""), bytes(stage.mix or b""), report.match.deal_set.uuid.bytes)
        assert verify(document, seed=seed).ok
        found.append(document)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "seats"), TABLES)
def test_a_league_of_every_preset_finishes_and_every_record_verifies(
    process: Process, client: Client, preset: str, seats: int
) -> None:
    event = a_house_league(asked_for(preset, seats), seats)
    play_out(event, process)
    stage = Stage.objects.get()
    assert (event.state, stage.state) == ("finished", "closed")
    assert set(Match.objects.values_list("state", "attempt")) == {("confirmed", 1)}
    assert list(Seat.objects.filter(fault__isnull=False).values_list("index", "fault")) == []
    assert len(documents(stage)) == Match.objects.count() >= 1
    assert Standing.objects.filter(after_round=0).count() == seats
    for page in ("", "rounds/", "standings/", "crosstable/", "feed/"):
        assert client.get(f"/t/{event.slug}/{page}").status_code == 200
    assert client.get(f"/m/{Match.objects.latest('pk').uuid}/").status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "seats"), [("oibana", 4), ("nuki88", 4)])
def test_tables_shrink_and_grow_as_far_as_the_game_goes(process: Process, preset: str, seats: int) -> None:
    plan = replace(asked_for(preset, seats), rounds=2, options={"rounds": 6})  # not every deal is contested
    event = a_house_league(plan, 7)
    play_out(event, process)
    low, high = game_of(PRESETS[preset].game).seat_range
    assert event.state == "finished"
    assert {low <= match.seats_n <= high for match in Match.objects.all()} == {True}
    ledger = [seat.raw_points for seat in Seat.objects.all()]
    assert any(ledger)
    assert sum(points or 0 for points in ledger) == 0
    assert Standing.objects.filter(after_round=0).count() == 7


@pytest.mark.slow
@pytest.mark.parametrize("preset", PRESETS)
def test_duplicate_deals_go_round_the_seats_of_every_preset(process: Process, preset: str) -> None:
    seats = game_of(PRESETS[preset].game).seat_range[0]
    event = a_house_league(asked_for(preset, seats, "cyclic"), seats)
    play_out(event, process)
    assert event.state == "finished"
    found = documents(Stage.objects.get())
    assert len(found) == seats
    sat = list(Seat.objects.order_by("match_id", "index").values_list("index", "entry_id"))
    assert len(set(sat)) == seats * seats


@pytest.mark.slow
def test_poka_counts_matches_won(process: Process, client: Client) -> None:
    event = a_house_league(replace(asked_for("poka3", 2), rounds=3), 4)
    play_out(event, process)
    won = {entry.pk: Seat.objects.filter(entry=entry, place=1).count() for entry in event.entries.all()}
    rows = Standing.objects.filter(after_round=0).order_by("row")
    assert [int(row.key[0]) for row in rows] == sorted(won.values(), reverse=True)
    assert {row.entry_id: int(row.key[0]) for row in rows} == won
    assert "the standings count matches won" in client.get(f"/t/{event.slug}/standings/").content.decode()


@pytest.mark.thorough
def test_nuki_pages_count_kan(process: Process, client: Client) -> None:
    event = a_house_league(asked_for("nuki88", 2), 2)
    play_out(event, process)
    best = max(seat.raw_points or 0 for seat in Seat.objects.filter(match__stage__tournament=event))
    for page in ("standings/", "rounds/"):
        assert re.search(rf"[> ]{best / 10:g} kan\b", client.get(f"/t/{event.slug}/{page}").content.decode())
    assert "10 points are 1 kan" in client.get(f"/t/{event.slug}/").content.decode()


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("preset", PRESETS)
def test_what_the_rules_count_ranks_the_table(preset: str) -> None:
    seats = game_of(PRESETS[preset].game).seat_range[0]
    create_tournament(by=a.a_user(), plan=asked_for(preset, seats))
    stage = Stage.objects.get()
    own = {"paradise": "round_victory", "poka5": "place", "poka3": "place"}
    assert stage.scoring == own.get(preset, "cumulative")
    low, high = game_of(PRESETS[preset].game).seat_range
    assert low <= stage.seats_min <= stage.seats_pref <= stage.seats_max <= high


@pytest.mark.slow
def test_the_check_of_an_upload_plays_every_preset_it_declares(process: Process) -> None:
    bot = a.a_bot(ready=False)
    forge(bot.versions.all(), plays=list(PRESETS))
    assert checks.play_waiting(process) == 1
    check = Check.objects.get()
    assert check.state == Check.State.DONE
    assert check.result["ok"], check.result
    played = {match["preset"]: match for match in check.result["matches"]}
    assert set(played) == set(PRESETS)
    for name, match in played.items():
        low, high = game_of(PRESETS[name].game).seat_range
        assert low <= match["seats"] <= high
        assert match["deals"] >= 1
        assert match["forfeit"] is None
