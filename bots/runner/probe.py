"""At worker start: try what the sandbox forbids, layer by layer. A worker whose probe fails takes no match."""

from __future__ import annotations

import json
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bots.errors import BotError
from bots.runner.process import Exit
from bots.runner.sandbox import LAYERS
from bots.runner.spec import STANDARD
from bots.runner.zygote import Zygote

EVIDENCE: Final = "evidence"  # a forbidden call kills the process, and the fork server says of what
START: Final = "start"  # a process locks itself as for a match
_NOT_TRIED: Final = "not tried"


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """layers: whether each held, by name, with EVIDENCE and START. reason: what was wrong; empty if all is well."""

    ok: bool
    layers: dict[str, bool]
    reason: str


def run_probe(zygote: Zygote) -> ProbeReport:
    """Try every layer, a deadly call and a locked start, in processes of their own. Never raises for a bad sandbox."""
    wrong = dict.fromkeys((*(layer.name for layer in LAYERS), EVIDENCE, START), _NOT_TRIED)
    try:
        wrong |= _tried(*zygote.probe(STANDARD))
        zygote.launch(STANDARD).close()
        wrong[START] = ""
    except BotError as error:
        wrong[START] = str(error)
    return _report(wrong)


def _tried(report: bytes, end: Exit | None) -> dict[str, str]:
    """Return what was wrong with each layer, "" if nothing, from the probe's own report and its end."""
    is_killed = end is not None and end.signal == signal.SIGSYS
    evidence = "" if is_killed else f"ptrace was not answered with SIGSYS: {end or 'the probe did not end'}"
    try:
        layers = json.loads(report)
    except ValueError:
        return {EVIDENCE: f"{evidence}; it reported {report[:200]!r}"}
    return {**layers, EVIDENCE: evidence}


def _report(wrong: Mapping[str, str]) -> ProbeReport:
    reasons = [f"{name}: {what}" for name, what in wrong.items() if what]
    return ProbeReport(not reasons, {name: not what for name, what in wrong.items()}, "; ".join(reasons))
