"""The sandbox asks for no privilege: the same guarantees as an ordinary user."""

from __future__ import annotations

import json

import pytest

from bots.runner.probe import EVIDENCE, START
from bots.runner.sandbox import LAYERS
from tests.bots.runner.unprivileged import run_unprivileged

PROGRAM = """
import json, os
from bots.runner.probe import run_probe
from bots.runner.zygote import Zygote
from tests.bots.runner.seats import fault_of, seated

FAULTS = {
    "crash": "import os\\ndef choose(obs): os.execv('/bin/sh', ['sh'])",
    "timeout.cpu": "def choose(obs):\\n    while True: pass",
    "memory": "def choose(obs): return bytearray(500 << 20)",
    "illegal": "def choose(obs): return None",
}
with Zygote.start() as zygote:
    report = run_probe(zygote)
    with seated(zygote, "def choose(obs): return 4") as bot:
        answer = [bot.ask() for _ in range(3)]  # it rests in between: that, too, takes no privilege
    codes = {code: fault_of(zygote, source, allowance_ms=200).code for code, source in FAULTS.items()}
print(json.dumps({"uid": os.getuid(), "layers": report.layers, "answer": answer, "codes": codes}))
"""


@pytest.mark.thorough
def test_an_ordinary_user_has_the_whole_sandbox() -> None:
    said = json.loads(run_unprivileged(PROGRAM))
    assert said["uid"] != 0
    assert said["layers"] == dict.fromkeys([*(layer.name for layer in LAYERS), EVIDENCE, START], True)
    assert said["answer"] == [4, 4, 4]
    assert all(code == wanted for wanted, code in said["codes"].items())


EVERY_PART = """
import json, os
from bots.runner.probe import run_probe
from tests.bots.runner.broken import LIES, NAMES, PARTS, without, without_part

def found(kind, layer):
    with kind() as zygote:
        report = run_probe(zygote)
    return not report.ok and not report.layers[layer]

has_rights = int(open("/proc/self/status").read().partition("CapEff:")[2].split()[0], 16) != 0
layers = [name for name in NAMES if name != "capabilities" or has_rights]  # who has none has none to lose
seen = {name: found(without(name, LIES), name) for name in layers}
seen |= {what: found(without_part(what), layer) for what, (layer, _) in PARTS.items()}
print(json.dumps({"uid": os.getuid(), "seen": seen}))
"""


@pytest.mark.slow
def test_an_ordinary_user_finds_out_whatever_is_missing() -> None:
    """Each layer and each part of one, taken away in turn: no worker would take a match."""
    said = json.loads(run_unprivileged(EVERY_PART))
    assert said["uid"] != 0
    assert len(said["seen"]) > 25
    assert [what for what, is_seen in said["seen"].items() if not is_seen] == []
