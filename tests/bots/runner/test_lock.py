"""Every layer, taken away in turn: no source is ever sent, and the probe says which one it was."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from bots.errors import InfraFault
from bots.runner.control import PROGRAM
from bots.runner.probe import EVIDENCE, START, run_probe
from bots.runner.probe_child import ATTEMPTS
from bots.runner.zygote import Zygote
from tests.bots.runner.broken import DOES_NOTHING, LIES, NAMES, PARTS, UNAVAILABLE, without, without_part
from tests.bots.runner.seats import EASY

Start = Callable[..., Zygote]


def test_the_layers_stand_in_their_order() -> None:
    assert NAMES == ["descriptors", "rlimits", "capabilities", "process_flags", "landlock", "seccomp"]
    assert set(ATTEMPTS) == set(NAMES), "each layer has an attempt in the probe"


def test_the_probe_is_content_with_a_whole_sandbox(zygote: Zygote) -> None:
    report = run_probe(zygote)
    assert report.ok, report.reason
    assert report.layers == dict.fromkeys([*NAMES, EVIDENCE, START], True)
    assert report.reason == ""


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "how",
    [
        pytest.param(UNAVAILABLE, id="unavailable", marks=pytest.mark.slow),
        pytest.param(DOES_NOTHING, id="does_nothing"),
    ],
)
def test_without_a_layer_no_source_is_sent(start_zygote: Start, name: str, how: str) -> None:
    zygote = start_zygote(without(name, how))
    with pytest.raises(InfraFault, match=name) as caught:
        zygote.launch(EASY)
    assert caught.value.code == "sandbox.lock"
    report = run_probe(zygote)
    assert not report.ok
    assert not report.layers[name]
    assert not report.layers[START]
    assert name in report.reason


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMES)
def test_the_probe_finds_out_a_layer_that_lies(start_zygote: Start, name: str) -> None:
    report = run_probe(start_zygote(without(name, LIES)))
    assert not report.ok
    assert not report.layers[name]


@pytest.mark.slow
@pytest.mark.parametrize("what", PARTS)
def test_the_probe_finds_out_a_missing_part(start_zygote: Start, what: str) -> None:
    """Also where the layer's own check is blind to it."""
    layer, _ = PARTS[what]
    report = run_probe(start_zygote(without_part(what)))
    assert not report.ok
    assert not report.layers[layer], report.reason


NO_KERNEL_LANDLOCK = "from bots.runner.sandbox import landlock; landlock._VERSION_FLAG = 255"


@pytest.mark.thorough
def test_the_fork_server_does_not_start_without_landlock(start_zygote: Start) -> None:
    class Old(Zygote):
        program = PROGRAM.replace("forkserver.main(", f"{NO_KERNEL_LANDLOCK}; forkserver.main(")

    with pytest.raises(InfraFault, match="Landlock is not available"):
        start_zygote(Old)


def test_the_probe_says_so_when_nothing_starts(start_zygote: Start) -> None:
    class Failing(Zygote):
        program = "raise SystemExit('broken installation')"

    report = run_probe(Failing())
    assert not report.ok
    assert "broken installation" in report.reason
    assert not any(report.layers.values())
