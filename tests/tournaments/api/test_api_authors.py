"""What authors ask of the API: what their bots run with, what plays where, what failed, and fields that are true."""

from __future__ import annotations

import platform

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import User
from bots.models import AuditEvent, Bot, BotVersion, Check, Meter
from bots.runner.spec import CLOCKS
from bots.services import house_account
from engine.cards import CODES
from engine.games import PRESETS
from tests.builders import events as a
from tests.builders.keys import Caller, problem
from tests.builders.leagues import League
from tests.services.forging import forge
from tournaments.models import Entry, Match, Player
from tournaments.ratings.ladders import house

pytestmark = pytest.mark.django_db


@pytest.fixture
def ann(db: None) -> User:
    return a.a_user("ann")


def test_the_service_says_what_bots_run_with() -> None:
    found = Caller(None).get("/api/v1/runtime").json()
    assert found["python"] == platform.python_version()
    assert found["numpy"]
    assert [clock["id"] for clock in found["clocks"]] == list(CLOCKS)
    assert (found["default_clock"], found["protocols"]) == ("standard", [1])


def test_cards_and_yaku_are_named_by_their_codes() -> None:
    cards = {card["code"]: card for card in Caller(None).get("/api/v1/cards").json()["items"]}
    assert tuple(cards) == CODES
    assert (cards["01.1"]["names"]["en"], cards["01.1"]["category"]) == ("Pine: Crane", "bright")
    assert cards["01.1"]["points"]["nuki"] == 20
    assert "nuki" not in cards["12.3"]["games"]
    for preset in PRESETS:
        rules = Caller(None).get(f"/api/v1/rules/{preset}").json()
        assert len(rules["cards"]) == (34 if preset == "nuki88" else 48)
    hawaii = Caller(None).get("/api/v1/rules/hawaii").json()
    assert {"id": "I", "cards": ["03.1", "08.1", "09.1"]}.items() <= hawaii["yaku"][0].items()
    assert hawaii["points"]["03.1"] == 20


def test_a_bot_plays_what_its_active_version_plays(ann: User) -> None:
    bot = a.a_bot(ann)
    forge(BotVersion.objects.filter(bot=bot), plays=["nuki88"])
    assert Caller(None).get(f"/api/v1/bots/{bot.slug}").json()["plays"] == ["nuki88"]
    Bot.objects.filter(pk=bot.pk).update(active_version=None, plays=["french"])
    assert Caller(None).get(f"/api/v1/bots/{bot.slug}").json()["plays"] == ["french"]


@pytest.mark.thorough
def test_only_a_match_with_a_record_names_one(league: League) -> None:
    matches = Caller(None).get(f"/api/v1/tournaments/{league.finished.slug}/matches").json()["items"]
    assert all(Caller(None).get(match["record"]).status_code == 200 for match in matches)
    played = Match.objects.filter(stage__tournament=league.finished)
    one = played.order_by("pk")[0]
    Match.objects.filter(pk=one.pk).update(state=Match.State.QUEUED)
    forge(one.reports.all(), record=None)
    Match.objects.filter(pk=one.pk).update(state=Match.State.CONFIRMED)
    assert Caller(None).get(f"/api/v1/matches/{one.uuid}").json()["record"] is None


def test_where_a_bot_plays(ann: User) -> None:
    bot, stage = a.a_bot(ann), house.open_ladder(house_account(), preset="hawaii", seats=2)
    house.enter_ready()
    (entry,) = Caller(None).get(f"/api/v1/bots/{bot.slug}/entries").json()["items"]
    assert entry == {
        "tournament": stage.tournament.slug,
        "name": stage.tournament.name,
        "tournament_state": "running",
        "official": True,
        "state": "active",
        "version": None,
        "rank": entry["rank"],
    }


def test_failed_checks_are_listed_for_their_owner_alone(ann: User) -> None:
    caller = Caller(ann)
    caller.post("/api/v1/bots", {"name": "Plum"})
    caller.upload("plum", b"import nothing_like_this\n")
    version = a.a_version(Bot.objects.get(slug="plum"), ready=False)
    check = Check.objects.get(version=version)
    result = {"ok": False, "steps": [], "matches": [{"forfeit": {"code": "illegal", "deal": 1, "move": 3, "seat": 0}}]}
    Check.objects.filter(pk=check.pk).update(state=Check.State.DONE, result=result)
    here = "/api/v1/bots/plum/failed-checks"
    second, first = caller.get(here).json()["items"]
    assert (second["id"], second["version"], second["code"], second["deal"], second["move"]) == (
        f"C{check.pk}", 2, "illegal", 1, 3,
    )  # fmt: skip
    assert (first["code"], "nothing_like_this" in first["error"]) == ("static", True)
    assert len(caller.get(f"{here}?version=1").json()["items"]) == 1
    assert problem(Caller(a.a_user()).get(here)) == (404, "not_found")
    assert problem(Caller(ann, "read").get(here)) == (403, "auth.scope_missing")


def test_a_token_says_what_it_may(ann: User) -> None:
    found = Caller(ann, "bot:write").get("/api/v1/me/token").json()
    assert (found["scopes"], found["current"]) == (["bot:write"], True)
    assert problem(Caller(None).get("/api/v1/me/token")) == (401, "auth.needed")


def test_a_bot_is_renamed_and_its_address_follows_while_nothing_names_it(ann: User) -> None:
    caller = Caller(ann)
    caller.post("/api/v1/bots", {"name": "Plmu"})
    caller.post("/api/v1/bots", {"name": "Other"})
    assert problem(caller.patch("/api/v1/bots/plmu", {"name": "Other"})) == (422, "bot.name_taken")
    renamed = caller.patch("/api/v1/bots/plmu", {"name": "Plum"}).json()
    assert (renamed["name"], renamed["slug"]) == ("Plum", "plum")
    assert caller.upload("plum", a.FIRST).status_code == 201
    bot = Bot.objects.get(slug="plum")
    Player.objects.create(bot=bot, name="Plum", kind=Player.Kind.BOT)
    later = caller.patch("/api/v1/bots/plum", {"name": "Kiri"}).json()
    assert (later["name"], later["slug"]) == ("Kiri", "plum")
    assert Player.objects.get(bot=bot).name == "Kiri"
    assert problem(Caller(a.a_user()).patch("/api/v1/bots/plum", {"name": "Mine"})) == (404, "not_found")
    assert AuditEvent.objects.filter(verb="bot.rename").count() == 2


def test_a_bot_is_deleted_while_it_has_no_version(ann: User) -> None:
    caller = Caller(ann)
    caller.post("/api/v1/bots", {"name": "Plum"})
    assert problem(Caller(a.a_user()).delete("/api/v1/bots/plum")) == (404, "not_found")
    assert caller.delete("/api/v1/bots/plum").status_code == 204
    assert problem(caller.get("/api/v1/bots/plum")) == (404, "not_found")
    caller.post("/api/v1/bots", {"name": "Plum"})
    caller.upload("plum", a.FIRST)
    assert problem(caller.delete("/api/v1/bots/plum")) == (409, "bot.has_versions")


def test_organisers_invite_house_bots_and_nobody_else_does(ann: User) -> None:
    event = a.an_open_event(entries_per_owner=1)
    bot = a.a_bot()
    Bot.objects.filter(pk=bot.pk).update(house=True)
    here = f"/api/v1/tournaments/{event.slug}/entries"
    assert problem(Caller(ann).post(here, {"bot": bot.slug})) == (403, "entry.not_owner")
    organiser = Caller(event.created_by)
    assert organiser.post(here, {"bot": bot.slug}).status_code == 201
    own = a.a_bot(event.created_by)
    assert organiser.post(here, {"bot": own.slug}).status_code == 201, "house bots do not count as one's own"
    assert Entry.objects.filter(tournament=event).count() == 2


def test_a_version_declares_its_clock_and_enters_nothing_shorter(ann: User) -> None:
    bot = a.a_bot(ann)
    assert bot.active_version is not None
    BotVersion.objects.filter(pk=bot.active_version.pk).update(clock="deep")
    assert Caller(ann).get(f"/api/v1/bots/{bot.slug}/versions/1").json()["clock"] == "deep"
    short, long = a.an_open_event(), a.an_open_event(clock="deep")
    caller = Caller(ann)
    refused = caller.post(f"/api/v1/tournaments/{short.slug}/entries", {"bot": bot.slug})
    assert problem(refused) == (422, "entry.clock")
    assert caller.post(f"/api/v1/tournaments/{long.slug}/entries", {"bot": bot.slug}).status_code == 201
    house.open_ladder(house_account(), preset="hawaii", seats=2)
    house.enter_ready()
    assert not Entry.objects.filter(player__bot=bot).exclude(tournament=long).exists()


@pytest.mark.thorough
def test_files_that_were_sent_before_are_no_upload_of_the_hour(ann: User) -> None:
    caller = Caller(ann)
    caller.post("/api/v1/bots", {"name": "Plum"})
    assert caller.upload("plum", a.FIRST, key="k").headers["RateLimit"].startswith('"upload";r=9;')
    assert caller.upload("plum", a.FIRST, key="k").headers["RateLimit"].startswith('"upload";r=9;')
    assert caller.upload("plum", a.FIRST).headers["RateLimit"].startswith('"upload";r=9;')
    for n in range(9):
        assert caller.upload("plum", a.FIRST + b"# %d\n" % n).status_code == 201
    refused = caller.upload("plum", a.FIRST + b"# more\n")
    assert problem(refused) == (429, "rate.limited")
    assert "10 an hour" in refused.json()["title"]
    assert "UTC" in refused.json()["title"]
    assert refused.headers["RateLimit"].startswith('"upload";r=0;')
    # What is known is answered as ever: by its key, and by its bytes.
    assert caller.upload("plum", a.FIRST, key="k").headers["Idempotent-Replayed"] == "true"
    assert caller.upload("plum", a.FIRST).status_code == 200
    # What was refused was a try for its owner, and no version.
    assert BotVersion.objects.filter(bot__slug="plum").count() == 10
    assert Meter.objects.get(name=f"upload:{ann.pk}").n == 13


@pytest.mark.thorough
def test_uploads_that_are_refused_leave_the_hour_its_ten(ann: User) -> None:
    caller = Caller(ann)
    caller.post("/api/v1/bots", {"name": "Plum"})
    foreign = a.a_bot()
    assert caller.upload("plum", a.FIRST, key="k").status_code == 201
    refused = {
        "without a key": caller.client.post(
            "/api/v1/bots/plum/versions", {"file": SimpleUploadedFile("bot.py", a.WAITS)}, headers=caller.headers({})
        ),
        "a used key": caller.upload("plum", a.WAITS, key="k"),
        "somebody else's": caller.upload(foreign.slug, a.WAITS),
        "missing": caller.upload("none", a.WAITS),
        "no source": caller.upload("plum", b""),
    }
    assert [answer.status_code for answer in refused.values()] == [400, 409, 404, 404, 422]
    for what, answer in refused.items():
        assert answer.headers["RateLimit"].startswith('"upload";r=9;'), what
    # The tries themselves are writes of the token.
    assert Meter.objects.get(name__startswith="api.write:token").n == 7
