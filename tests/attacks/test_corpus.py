"""Every attack of the corpus ends in an outcome that is listed for it, and nobody notices a breach.

`pytest tests/attacks --corpus PATH` runs another corpus of the same format.
"""

from __future__ import annotations

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
from tests.attacks.referee import LAST, OUTCOMES, PLAYED
from tests.bots.runner.unprivileged import ROOT

MIB = 1 << 20


def health(report: dict[str, Any]) -> tuple[int, int]:
    return report["descriptors"], report["zygote"]


QUIET = Attack(
    ROOT / "tests" / "attacks",
    {"id": "quiet", "family": "none", "moves": 2, "runs": 1, "file": "quiet_bot.py", "expect": PLAYED, "also_ok": []},
)


def test_bot(worker: Worker, host: Host, bot_attack: Attack) -> None:
    before = worker.play(QUIET)
    host.breaches()
    report = worker.play(bot_attack)
    breaches = host.breaches()
    assert breaches == []
    own_action = not bot_attack.entry.get("own_action_may_be_anything")
    for game in report["games"]:
        assert game["outcome"] in bot_attack.accepted, game
        assert "BREACH:" not in game["log"]
        assert set(game["victim"]) == {0}, "the victim is untouched"
        assert LAST not in game["answers"] or not own_action
        assert game["log_size"] <= LOG_CAP
    after = worker.play(QUIET)
    assert health(after) == health(before), "the same fork server, no descriptor more"
    assert after["resident"] - before["resident"] < 16 * MIB
    assert after["games"][0]["outcome"] == PLAYED


@pytest.mark.parametrize("name", ["bot.zip", "bot.py"])
def test_upload(host: Host, upload_attack: Attack, name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.attacks.upload_judge", str(upload_attack.path), name],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    report = json.loads(done.stdout)
    assert report["code"].startswith("upload."), report
    assert report["kib"] < 64 * 1024
    assert report["cpu_s"] < 2
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


def test_every_outcome_of_the_manifest_can_happen(bot_attack: Attack) -> None:
    assert bot_attack.accepted <= {*OUTCOMES.values(), PLAYED}
