"""The kit and a real service: what is sent, what is told, what is played alike."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from accounts.tokens import make_token
from bots.house import house_files
from bots.jobs import checks
from bots.jobs.process import Process
from bots.models import BotVersion, Check
from bots.services import activate, upload_version
from bots.services.uploading import DEFAULT_PLAYS as OF_THE_SERVICE
from engine.deck import match_seed
from kit.home import DEFAULT_PLAYS, read_bot
from tests.builders import events as a
from tests.kit.conftest import Type
from tournaments.matches import play
from tournaments.models import Match, ResultReport
from tournaments.progress import derive
from tournaments.progress.run import start_tournament

pytestmark = pytest.mark.django_db(transaction=True)
GOOD = "def choose(obs):\n    print('move', obs['move'])\n    return 0\n"
FAILS = "def choose(obs):\n    print('move', obs['move'])\n    return 0 if obs['move'] < 9 else {}['x']\n"


def test_what_a_bot_plays_that_says_nothing() -> None:
    assert DEFAULT_PLAYS == OF_THE_SERVICE


def unmeasured(steps: Sequence[dict[str, Any]]) -> list[str]:
    """Return the words about each step, without the milliseconds that the slowest decision took that time."""
    return [re.sub(r"took \d+ (ms|of the)", r"took few \1", step["message"]) for step in steps]


@pytest.mark.slow
def test_new_test_submit_twice_is_one_version(
    type_in: Type, signed_in: Any, process: Process, live_site: str, at_home: Path
) -> None:
    assert (at_home / "config" / "account.json").stat().st_mode & 0o777 == 0o600
    assert type_in("new", "plum").code == 0
    tested = type_in("test", "plum", "--json")
    assert tested.code == 0
    first = type_in("submit", "plum", "-m", "first try", "--json")
    assert first.code == 0, first.out
    assert (first.json["n"], first.json["state"]) == (1, "checking")
    assert first.json["queue"]["place"] == 1
    assert first.json["url"] == f"{live_site}/b/{first.json['bot']}/v/1/"
    assert checks.play_waiting(process) == 1
    again = type_in("submit", "plum", "-m", "first try", "--wait")
    assert again.code == 0, again.err
    assert "v1" in again.out
    assert "ok    smoke.hawaii" in again.out
    assert "v1 is ready, and it is the one that plays." in again.out
    version = BotVersion.objects.get()
    assert (version.n, version.note, version.bot.name, version.bot.owner) == (1, "first try", "plum", signed_in)
    assert version.hash == tested.json["hash"]
    kept = Check.objects.get().result["steps"]
    assert unmeasured(kept) == unmeasured(tested.json["steps"])
    assert type_in("play", "v1", "house:random", "--deals", "1").code == 2  # not from here: from the bot's folder


@pytest.mark.slow
def test_a_failed_check_is_told_and_repeated(
    type_in: Type, my_bot: Callable[..., Path], signed_in: Any, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = my_bot(FAILS)
    monkeypatch.chdir(folder)
    assert type_in("submit", "-m", "hopeful").code == 0
    assert checks.play_waiting(process) == 1
    found = type_in("submit", "-m", "hopeful", "--wait")
    assert found.code == 1
    assert "FAIL  smoke.hawaii" in found.out
    check = Check.objects.get()
    again = type_in("repro", f"C{check.pk}", "--json")
    assert (again.code, again.json["code"]) == (1, "crash")
    assert "KeyError: 'x'" in again.json["log"]
    my_bot(GOOD)
    assert type_in("repro", f"C{check.pk}").code == 0
    sent = type_in("submit", "-m", "mended", "--json")
    assert sent.json["n"] == 2
    assert type_in("ab", "v1", "v2", "--deals", "2", "--json").json["new"] == "v2"


def a_played_match(owner: Any, folders: Sequence[Path], process: Process) -> Match:
    """A match of the bots of two folders, as they would be sent, played by the service."""
    versions = []
    for folder, by in zip(folders, (owner, a.a_user()), strict=True):
        local = read_bot(folder)
        versions.append(upload_version(owner=by, filename=local.filename, data=local.data, name=local.name))
    BotVersion.objects.update(state=BotVersion.State.READY)
    for version in versions:
        version.refresh_from_db()
        activate(version=version, by=version.bot.owner)
    event = a.an_open_event(options={"rounds": 2})
    a.entered(event, [version.bot for version in versions])
    start_tournament(tournament=event, by=event.created_by)
    while play.play_batch(process):
        pass
    derive.derive_waiting()
    return Match.objects.order_by("pk")[0]


@pytest.mark.slow
def test_a_match_of_the_service_is_played_alike_at_home(
    type_in: Type, my_bot: Callable[..., Path], process: Process
) -> None:
    """The same seed, the same bots: the same record, byte for byte."""
    sampler = dict(house_files("sampler").files)
    folders = [my_bot(GOOD, "mine"), my_bot(sampler["bot.py"].decode(), "rival")]
    (folders[1] / "greedy.py").write_bytes(sampler["greedy.py"])
    match = a_played_match(a.a_user(), folders, process)
    record = ResultReport.objects.get(match=match, state="confirmed").record
    assert record is not None
    assert match.deal_set is not None
    document = json.loads(record.data())
    secret, mix = bytes(match.stage.secret or b""), bytes(match.stage.mix or b"")
    document["view"]["seed"] = match_seed(secret, mix, match.deal_set.uuid.bytes).hex()
    Path("served.json").write_text(json.dumps(document), encoding="utf-8")
    first = document["record"]["seats"][0]["bot"] == f"sha256:{read_bot(folders[0]).files.version_hash}"
    names = ["mine", "rival"] if first else ["rival", "mine"]
    found = type_in("play", *names, "--like", "served.json", "--json")
    assert (found.code, found.json["hash"]) == (0, document["hash"]), found.out
    turned = type_in("play", *reversed(names), "--like", "served.json")
    assert turned.code == 1
    assert type_in("verify", "served.json").code == 0


@pytest.mark.thorough
def test_a_failure_in_a_match_is_listed_shown_and_repeated(
    type_in: Type, my_bot: Callable[..., Path], signed_in: Any, process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = my_bot(FAILS)
    match = a_played_match(signed_in, [folder, my_bot(GOOD, "rival")], process)
    monkeypatch.chdir(folder)
    listed = type_in("logs", "--json")
    assert listed.code == 0, listed.out
    failure = listed.json["failures"][0]
    assert failure["match"] == str(match.uuid)
    last = type_in("logs", "--last-failure")
    assert "KeyError: 'x'" in last.out
    assert f"hanami repro {failure['id']}" in last.out
    again = type_in("repro", failure["id"], "--json")
    assert (again.code, again.json["code"]) == (1, "crash")
    assert (again.json["at"]["deal"], again.json["at"]["move"]) == (failure["deal"], failure["move"])
    shown = type_in("logs", "--last-failure", "--json").json["failure"]
    for part in ("hand", "field", "tray", "legal", "since"):
        assert again.json["observation"][part] == shown["observation"][part]
    told = type_in("replay", f"{match.uuid}#d1m2", "--all")
    assert told.code == 0, told.err
    assert "move 2 of" in told.out


@pytest.mark.thorough
def test_refusals_of_the_service_are_told(
    type_in: Type, signed_in: Any, live_site: str, my_bot: Callable[..., Path]
) -> None:
    my_bot(GOOD)
    wrong = type_in("login", live_site, "--token", "hf_" + "x" * 40, "--json")
    assert wrong.code == 3
    assert f"Compare the token with {live_site}/me/tokens/" in wrong.json["error"]["message"]
    assert "hanami login" in wrong.json["error"]["message"]
    assert type_in("submit", "mine").code == 0  # what was kept before is kept still
    away = type_in("submit", "mine", "--server", "http://127.0.0.1:9", "--json")
    assert away.code == 3
    missing = type_in("replay", "00000000-0000-0000-0000-000000000000")
    assert missing.code == 3


@pytest.mark.thorough
def test_a_token_without_the_scope_is_refused(
    type_in: Type, live_site: str, my_bot: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    my_bot(GOOD)
    _, key = make_token(user=a.a_user("kimo"), name="reader", scopes=["read"])
    monkeypatch.setenv("HANAMI_SERVER", live_site)
    monkeypatch.setenv("HANAMI_TOKEN", key)
    found = type_in("submit", "mine", "--json")
    assert (found.code, found.json["error"]["code"]) == (3, "auth.scope_missing")
