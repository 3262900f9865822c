"""Speed and quality of drawn rounds: `python -m benchmarks.formats`.

The bars: 10 s a round for 5,000 entries in pairs, 0.5 s for 500 at tables of six.

Measured in CPU time of this process, so a busy machine changes little. Results are drawn from fixed strengths and the
same in every run. The public reference for pairs is gacrux (FIDE Dutch), on fields as large as it pairs in a minute;
at three seats and more there is none.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Final

from core.formats import schedule
from core.formats.model import Entrant, Finished, Plan, Pod, Seats

PAIRS: Final = Seats(2, 2, 2)
SIXES: Final = Seats(5, 6, 6)
FOURS: Final = Seats(4, 4, 4)
SEED: Final = "benchmark"
PAIRS_BAR, PODS_BAR = 10.0, 0.5


def results(turn: int, pods: Sequence[Pod], rng: Random) -> list[Finished]:
    """Places by strength and luck, shared by nobody; scores are place shares."""
    ends = []
    for pod in pods:
        form = {entry: -int(entry[1:]) / 100 + rng.gauss(0, 10) for entry in pod.seats}
        order = sorted(pod.seats, key=lambda entry: form[entry], reverse=True)
        places = tuple(order.index(entry) + 1 for entry in pod.seats)
        shares = tuple(Fraction(len(order) - place, len(order) - 1) for place in places)
        ends.append(Finished(turn, pod.table, places, shares, (False,) * len(order)))
    return ends


def rounds(kind: str, count: int, turns: int, seats: Seats) -> Iterator[tuple[Plan, float]]:
    """Each round of an event with the seconds that drawing it took."""
    rng = Random(SEED)
    entrants = [Entrant(f"e{number:05}", number) for number in range(1, count + 1)]
    plans: list[Plan] = []
    finished: list[Finished] = []
    for turn in range(1, turns + 1):
        start = time.process_time()
        drawn = schedule(kind, entrants, turns, seats, SEED, history=plans, finished=finished)[0]
        spent = time.process_time() - start
        plans.append(drawn)
        ends = results(turn, drawn.pods, rng)
        finished += ends
        won: Counter[str] = Counter()
        for pod, end in zip(drawn.pods, ends, strict=True):
            won.update(dict(zip(pod.seats, end.scores, strict=True)))
        won.update(dict.fromkeys(drawn.byes, Fraction(1)))
        entrants = [replace(item, score=item.score + won[item.entry]) for item in entrants]
        yield drawn, spent


def event(title: str, kind: str, count: int, turns: int, seats: Seats, bar: float | None = None) -> float:
    """Print one event; returns the seconds of all its rounds."""
    drawn = list(rounds(kind, count, turns, seats))
    seconds = [spent for _plan, spent in drawn]
    last = drawn[-1][0]
    against = f"  bar {bar:g} s: {'held' if max(seconds) < bar else 'MISSED'}" if bar else ""
    print(f"{title:<46} {sum(seconds):7.2f} s in all, slowest round {max(seconds):6.2f} s{against}")
    quality = last.quality
    print(f"{'':<46} meetings again: {quality.repeats} (no schedule has fewer than {last.certificate.bound})")
    print(f"{'':<46} last round: {last.reasons[0]}")
    return sum(seconds)


def tables() -> None:
    """Forty at tables of four over seven rounds, drawn at once."""
    start = time.process_time()
    last = schedule("tables", [Entrant(f"e{at:02}", at) for at in range(40)], 7, FOURS, SEED)[-1]
    spent = time.process_time() - start
    print(f"{'fixed tables, 40 at fours, 7 rounds':<46} {spent:7.2f} s: {last.reasons[0]}")
    gap = last.certificate.repeats - last.certificate.bound
    print(f"{'':<46} bound {last.certificate.bound}, found {last.certificate.repeats}: gap {gap}")


def main() -> None:
    """Everything, or with --short fields that take seconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="smaller fields, to see that it runs")
    short = parser.parse_args().short
    large, medium, small = (500, 60, 40) if short else (5_000, 1_000, 200)
    event(f"Swiss of pairs, {large:,} entries, 9 rounds", "swiss", large, 9, PAIRS, PAIRS_BAR)
    for count in (small, medium):
        ours = event(f"Swiss of pairs, {count:,} entries, 5 rounds", "swiss", count, 5, PAIRS)
        theirs = event(f"gacrux (FIDE Dutch), {count:,} entries, 5 rounds", "dutch", count, 5, PAIRS)
        print(f"{'':<46} gacrux takes {theirs / ours:.1f} times as long; its rules are more and stricter")
    event(f"Swiss tables, {large // 10:,} entries at sixes, 8 rounds", "pods", large // 10, 8, SIXES, PODS_BAR)
    tables()


if __name__ == "__main__":
    main()
