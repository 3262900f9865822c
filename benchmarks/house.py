"""Is each house bot stronger than the one before? Two-seat duplicate matches: every deal set is played from both seats.

    python -m benchmarks.house [--sets 100] [--first 0] [--processes 2] [--presets hawaii] [--pairs sampler:yaku]

A deal set is one seed; its two matches share every deal and swap the seats. Its value is the mean of the two legs, so
the deal set is the unit and the 95 % interval is clustered by it. Prints, for the stronger bot against the weaker, the
mean place share (1/2 = equal) and the difference in what the preset counts, per match. Exit code 1 if an interval
reaches down to zero. Plays in this process, UNSAFE and without clocks: house bots only.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, pairwise
from multiprocessing import Pool
from statistics import fmean, stdev

from bots.house import HOUSE, VARIANTS, house_files
from bots.runner.inprocess import UnsafeInProcessLauncher
from bots.runner.spec import MatchSpec
from bots.runner.table import play
from engine.deck import commitment
from engine.games import ruleset

LADDER = tuple(HOUSE)
PAIRS: tuple[tuple[str, str], ...] = tuple((stronger, weaker) for weaker, stronger in pairwise(LADDER))
Z95 = 1.96
QUICK_SETS, SLOW_SETS = 500, 150
"""Deal sets of a pair, and of a pair with a sampler, which thinks a hundred times as long."""


@dataclass(frozen=True)
class Duel:
    """One deal set to play: `first` against `second`, both ways round."""

    preset: str
    first: str
    second: str
    number: int


@dataclass(frozen=True)
class Verdict:
    """What a deal set says of `first`: place share minus 1/2, and the difference in points or victories, per match."""

    share: float
    lead: float
    cpu_ms: float
    asked: int


files_of = cache(house_files)
"""A bot as it was when the benchmark started, whatever is edited meanwhile."""


def play_duel(duel: Duel) -> Verdict:
    """Play both legs of a deal set."""
    seed = hashlib.sha256(f"benchmarks.house {duel.number}".encode()).digest()[:16]
    legs = [play_leg(duel, seed, leg) for leg in (1, 2)]
    return Verdict(
        fmean(leg.share for leg in legs),
        fmean(leg.lead for leg in legs),
        sum(leg.cpu_ms for leg in legs),
        sum(leg.asked for leg in legs),
    )


def play_leg(duel: Duel, seed: bytes, leg: int) -> Verdict:
    """One match; in the second leg the seats are swapped."""
    seats = (duel.first, duel.second) if leg == 1 else (duel.second, duel.first)
    commit = commitment(seed)
    spec = MatchSpec(
        match_id=f"duel-{duel.number}-{leg}",
        ruleset=ruleset(duel.preset),
        preset=duel.preset,
        seats=2,
        seed=seed,
        leg=leg,
        fair={"stage": commit, "commit": commit, "deal_set": str(duel.number), "leg": leg},
        bots=tuple(files_of(name) for name in seats),
    )
    played = play(spec, UnsafeInProcessLauncher())
    if played.forfeits:
        raise RuntimeError(f"{duel}: {played.forfeits[0]}, {played.seats[played.forfeits[0].seat].log.decode()}")
    me = leg - 1
    result = played.document["record"]["result"]
    figures = result["victories" if spec.ruleset.options.scoring == "victories" else "score"]
    ranks = result["rank"]
    share = 0.5 if ranks[0] == ranks[1] else float(ranks[me] == 1)
    seat = played.seats[me]
    return Verdict(share - 0.5, figures[me] - figures[1 - me], seat.cpu_ms, len(seat.offsets) - 1)


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Mean and half width of its 95 % interval; one value per deal set."""
    return fmean(values), Z95 * stdev(values) / len(values) ** 0.5


def report(preset: str, pair: tuple[str, str], verdicts: Sequence[Verdict]) -> bool:
    """Print one line; whether both intervals lie above zero."""
    share, share_width = interval([verdict.share for verdict in verdicts])
    lead, lead_width = interval([verdict.lead for verdict in verdicts])
    think = sum(verdict.cpu_ms for verdict in verdicts) / sum(verdict.asked for verdict in verdicts)
    holds = share > share_width and lead > lead_width
    unit = "victories" if ruleset(preset).options.scoring == "victories" else "points"
    verdict_word = "holds" if holds else "NOT SHOWN"
    print(
        f"{preset:9} {pair[0]:>8} > {pair[1]:8} {len(verdicts):4} sets",
        f"  place share {share + 0.5:.3f} ± {share_width:.3f}",
        f"  lead {lead:+8.2f} ± {lead_width:6.2f} {unit:9} {think:6.2f} ms a move   {verdict_word}",
        flush=True,
    )
    return holds


def pair_of(text: str) -> tuple[str, str]:
    """`stronger:weaker`, names of house bots or variants."""
    first, _, second = text.partition(":")
    for name in (first, second):
        if name not in HOUSE and name not in VARIANTS:
            raise argparse.ArgumentTypeError(f"no house bot {name!r}; there are {', '.join([*HOUSE, *VARIANTS])}")
    return first, second


def sets_for(pair: tuple[str, str]) -> int:
    """How many deal sets tell this pair apart in bearable time."""
    return SLOW_SETS if any(name.startswith("sampler") for name in pair) else QUICK_SETS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, help=f"deal sets a pair (default {QUICK_SETS}, with a sampler {SLOW_SETS})")
    parser.add_argument("--first", type=int, default=0, help="number of the first deal set: others than last time")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--presets", nargs="+", default=["hawaii", "paradise"])
    parser.add_argument("--pairs", nargs="+", type=pair_of, default=PAIRS)
    options = parser.parse_args()
    started = time.monotonic()
    print("every deal set from both seats; ± is the 95 % interval clustered by deal set")
    all_hold = True
    for name in chain(*options.pairs):
        files_of(name)
    with Pool(options.processes) as pool:
        for preset in options.presets:
            for pair in options.pairs:
                sets = options.sets or sets_for(pair)
                duels = [Duel(preset, pair[0], pair[1], options.first + number) for number in range(sets)]
                all_hold &= report(preset, pair, pool.map(play_duel, duels, chunksize=1))
    print(f"{time.monotonic() - started:.0f} s")
    return 0 if all_hold else 1


if __name__ == "__main__":
    sys.exit(main())
