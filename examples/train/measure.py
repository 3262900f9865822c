"""Measure the bot against house bots: duplicate deal sets of one deal, each played from both seats.

    python -m examples.train.measure var/train --sets 1000 --against sampler yaku greedy random

Goes on where it stopped: `measured.jsonl` in the folder has a line for each deal set, of the very version it was played
with. The interval is 95 %, the deal set its unit. `Elo`: by place share. Plays in this process, UNSAFE: one's own bot
and house bots only; `hanami play` does the same in the sandbox.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import log10, sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Final

from bots.house import house_files
from bots.protocol.files import BotFiles
from bots.protocol.messages import VERSION
from bots.runner.inprocess import UnsafeInProcessLauncher
from bots.runner.spec import MatchSpec
from bots.runner.table import play
from bots.uploads.version import version_hash
from core.statistics import decide
from engine.deck import commitment
from examples.train.make_bot import files_of
from examples.train.net import Net
from examples.train.teacher import PRESET, RULES, SEATS

_LAUNCHER: Final = UnsafeInProcessLauncher()


@dataclass(frozen=True)
class Set:
    """A deal set: points ahead and place share of the bot, means of both legs; CPU ms a move of both players."""

    lead: float
    share: float
    ms: float
    other_ms: float


def student(folder: Path) -> BotFiles:
    """Return the trained bot as it would be uploaded."""
    files = [
        (name, content) for name, content in files_of(Net.load(folder / "net.npz")).items() if name != "hanami.toml"
    ]
    return BotFiles(tuple(files), version_hash(files, VERSION, (PRESET,)))


def play_set(number: int, bots: tuple[BotFiles, BotFiles]) -> Set:
    """Play a deal set; its number is its seed."""
    seed = number.to_bytes(32, "big")
    commit, leads, shares = commitment(seed), [], []
    ms: tuple[list[float], list[float]] = ([], [])
    for leg, order in enumerate(((0, 1), (1, 0)), start=1):
        spec = MatchSpec(
            match_id=f"measure-{number}-{leg}",
            ruleset=RULES,
            preset=PRESET,
            seats=SEATS,
            seed=seed,
            leg=leg,
            fair={"stage": commit, "commit": commit, "deal_set": str(number), "leg": leg},
            bots=tuple(bots[who] for who in order),
        )
        played = play(spec, _LAUNCHER)
        if played.forfeits:
            raise RuntimeError(played.seats[played.forfeits[0].seat].log.decode())
        score = played.document["record"]["result"]["score"]
        mine, other = order.index(0), order.index(1)
        leads.append(score[mine] - score[other])
        shares.append((leads[-1] > 0) + (leads[-1] == 0) / 2)
        for who, seat in zip(order, played.seats, strict=True):
            ms[who].append(seat.cpu_ms / max(1, len(seat.offsets) - 1))
    return Set(fmean(leads), fmean(shares), fmean(ms[0]), fmean(ms[1]))


def measure(folder: Path, against: Iterable[str], sets: int, say: Callable[[str], object]) -> None:
    """Play what is missing, and say what came of it."""
    mine, path = student(folder), folder / "measured.jsonl"
    for name in against:
        bots, found = (mine, house_files(name)), _known(path, mine.version_hash, name)
        began = time.monotonic()
        with path.open("a", encoding="utf-8") as file:
            for number in range(len(found), sets):
                found.append(play_set(number, bots))
                line = {"version": mine.version_hash, "against": name, **found[-1].__dict__}
                file.write(json.dumps(line) + "\n")
                file.flush()
        say(line_of(name, found) + f"  ({time.monotonic() - began:.0f} s)")


def _known(path: Path, version: str, name: str) -> list[Set]:
    """Return what was played before with the same version, in the order of the deal sets."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    rows: list[dict[str, Any]] = [json.loads(line) for line in lines]
    mine = [row for row in rows if (row.pop("version"), row.pop("against")) == (version, name)]
    return [Set(**row) for row in mine]


def line_of(name: str, sets: list[Set]) -> str:
    """Write the result against one bot."""
    lead, share = [each.lead for each in sets], [each.share for each in sets]
    ms, other = fmean(each.ms for each in sets), fmean(each.other_ms for each in sets)
    # By what the bot got of the two legs: nothing, half, one, one and a half, two.
    pairs = [sum(round(4 * each) == count for each in share) for count in range(5)]
    return (
        f"{name:8} {len(sets):5} sets  points ahead {fmean(lead):+.2f} ± {width(lead):.2f}"
        f"  place share {fmean(share):.3f} ± {width(share):.3f}  Elo {elo(fmean(share)):+.0f}"
        f"  {ms:.2f} ms a move, {name} {other:.2f}"
        f"  not worse by 20 Elo: {decide(pairs, -20, 0)}; better: {decide(pairs, 0, 20)}"
    )


def width(values: list[float]) -> float:
    """Return half of the 95 % interval of the mean."""
    return 1.96 * stdev(values) / sqrt(len(values)) if len(values) > 1 else float("inf")


def elo(share: float) -> float:
    """Return the difference in Elo that a place share stands for."""
    share = min(max(share, 0.001), 0.999)
    return 400 * log10(share / (1 - share))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets", type=int, default=1_000)
    parser.add_argument("--against", nargs="+", default=["sampler", "yaku", "greedy", "random"])
    options = parser.parse_args()
    measure(options.folder, options.against, options.sets, lambda line: print(line, flush=True))


if __name__ == "__main__":
    main()
