"""Every attack of the corpus ends in an outcome that is listed for it, and nobody notices a breach.

`pytest tests/attacks --corpus PATH` runs another corpus of the same format.
"""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import sys
from typing import Any

import pytest

from bots.protocol.messages import LOG_CAP
from tests.attacks.conftest import Worker
from tests.attacks.corpus_option import Attack
from tests.attacks.host import Host
from tests.attacks.referee import LAST, OUTCOMES, PLAYED, REFUSED
from tests.bots.runner.unprivileged import ROOT

MIB = 1 << 20
SECONDS = 60  # none of ours takes two; a hang is told apart from a slow machine


def health(report: dict[str, Any]) -> tuple[int, int]:
    return report["descriptors"], report["zygote"]


QUIET = Attack(
    ROOT / "tests" / "attacks", {"id": "quiet", "kind": "bot", "moves": 2, "file": "quiet_bot.py", "expect": PLAYED}
)


def judged(attack: Attack, name: str) -> dict[str, Any]:
    """Return what became of the attack as an upload of this name, within time and memory."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.attacks.upload_judge", attack.entry["kind"], str(attack.path), name],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    report: dict[str, Any] = json.loads(done.stdout)
    assert report["kib"] < 64 * 1024
    assert report["cpu_s"] < 2
    return report


def check_game(attack: Attack, game: dict[str, Any]) -> None:
    """One game ended as it may, and nothing was seen that must not be."""
    assert game["outcome"] in attack.accepted, game
    assert "BREACH:" not in game["log"]
    assert set(game["victim"]) == {0}, f"the victim is untouched: {game}"
    assert LAST not in game["answers"] or attack.entry.get("own_action_may_be_anything")
    assert game["log_size"] <= LOG_CAP


def check_the_worker(before: dict[str, Any], after: dict[str, Any]) -> None:
    """It is as it was before the attack."""
    assert health(after) == health(before), "the same fork server, no descriptor more"
    assert after["resident"] - before["resident"] < 16 * MIB
    assert after["games"][0]["outcome"] == PLAYED


@pytest.mark.timeout(600)
def test_bot(worker: Worker, host: Host, bot_attack: Attack) -> None:
    if REFUSED in bot_attack.accepted and judged(bot_attack, "bot.py")["code"]:
        return  # it never comes to play
    before = worker.play(QUIET)
    host.breaches()
    report = worker.play(bot_attack)
    assert host.breaches() == []
    for game in report["games"]:
        check_game(bot_attack, game)
    check_the_worker(before, worker.play(QUIET))


@pytest.mark.parametrize("name", ["bot.zip", "bot.py"])
def test_upload(host: Host, upload_attack: Attack, name: str) -> None:
    """Refused under every name, unless the manifest lets it be accepted: then it is played, and contained."""
    report = judged(upload_attack, name)
    assert host.breaches() == []
    if report["code"]:
        assert report["code"].startswith("upload.")
        assert REFUSED in upload_attack.accepted or not name.endswith(report["kind"]), report["code"]
        return
    assert upload_attack.accepted != {REFUSED}, "it was taken"
    for ordinary in (False, True):
        with contextlib.closing(Worker(host, ordinary=ordinary)) as worker:
            for game in worker.play(upload_attack, report["files"])["games"]:
                check_game(upload_attack, game)
            assert host.breaches() == []


def test_the_harness_is_not_blind() -> None:
    """A file, a contact and a process are noticed: a blind harness would pass every corpus."""
    host = Host(process="hanaseen")
    sleeper = [sys.executable, "-c", "import sys; print(flush=True); sys.stdin.read()", "hanaseen"]
    with subprocess.Popen(sleeper, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        (host.scratch / "hana_breach_seen").write_text("")
        address: Any = host.probe()["tcp"]
        socket.create_connection(tuple(address)).close()
        assert [breach.split()[0] for breach in host.breaches()] == ["file", "listener", "process"]
        process.kill()
    assert host.breaches() == []
    host.close()


def test_every_outcome_of_a_bot_can_happen(bot_attack: Attack) -> None:
    assert bot_attack.accepted <= {*OUTCOMES.values(), PLAYED, REFUSED}


def test_every_outcome_of_an_upload_can_happen(upload_attack: Attack) -> None:
    assert upload_attack.accepted <= {*OUTCOMES.values(), PLAYED, REFUSED}
