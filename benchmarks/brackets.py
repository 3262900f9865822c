"""Brackets, ladders, ratings and rehearsals: `python -m benchmarks.brackets`.

CPU time of this process, so a busy machine changes little; results are drawn from fixed seeds and the same in every
run. The rating fold stands beside bare calls of openskill, the library it uses: what is on top of them is our cost.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from random import Random
from typing import Final

from openskill.models import PlackettLuce

from core.formats.elimination import Bracket, BracketShape, Kind, advance, bracket, places
from core.formats.elimination.advance import chalk
from core.formats.ladder import Contender, Ladder
from core.formats.model import Seats
from core.formats.progression import Progression
from core.ratings.fold import Fold
from core.ratings.model import Event, Slot
from core.simulation import Course, Part, rehearse

PAIR: Final = Seats(2, 2, 2)
FIELD: Final = 1_000
TEN_MILLION: Final = 10_000_000


def spent(work: Callable[[], object]) -> float:
    """Return the CPU seconds of this process that the work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def brackets() -> None:
    """Drawing, and one result put in, which works everything out again."""
    print("double elimination at two seats        draw      one result   who is placed where")
    for count in (16, 128, 512):
        order = [f"e{number:04}" for number in range(count)]
        made: list[Bracket] = []
        draw = spent(lambda order=order, made=made: made.append(bracket(order, BracketShape(Kind.DOUBLE))))  # type: ignore[misc]  # binds loop values
        strength = {entry: number for number, entry in enumerate(order)}
        ended = [chalk(match, strength) for match in made[0].ready]
        put = spent(lambda made=made, ended=ended: advance(made[0], ended))  # type: ignore[misc]  # binds loop values
        placed = spent(lambda made=made: places(made[0]))  # type: ignore[misc]  # binds loop values
        print(f"  {count:4} entries {draw * 1000:20.1f} ms {put * 1000:12.2f} ms {placed * 1000:12.1f} ms")


def events(seats: int, count: int) -> list[Event]:
    """Matches of a field of FIELD, in random order of places."""
    rng = Random(seats)
    names = [f"bot-{number:04}" for number in range(FIELD)]
    return [
        Event(number, tuple((name,) for name in rng.sample(names, seats)), tuple(range(1, seats + 1)))
        for number in range(count)
    ]


def ratings(count: int) -> None:
    """A fold from scratch, a correction in the past, and bare openskill."""
    print(f"rating fold of {count:,} events of {FIELD:,} entries")
    for seats in (2, 4, 7):
        history: dict[int, Event | Slot] = {event.number: event for event in events(seats, count)}
        pool = Fold(every=10_000)
        fold = spent(lambda pool=pool, history=history: pool.put(history))  # type: ignore[misc]  # binds loop values
        # A correction in the past: the fold rewinds to the checkpoint before it.
        late = count - 1_000
        again = spent(lambda pool=pool, late=late: pool.put({late: Slot.SKIPPED}))  # type: ignore[misc]  # binds loop values
        model = PlackettLuce()
        ranks = [float(rank) for rank in range(1, seats + 1)]

        def bare(model: PlackettLuce = model, ranks: list[float] = ranks) -> None:
            for _ in range(2_000):
                model.rate([[model.rating(mu=25.0, sigma=8.0)] for _ in ranks], ranks=ranks)

        alone = spent(bare) / 2_000
        each = fold / count
        print(
            f"  {seats} seats: {each * 1e6:5.1f} us an event ({alone * 1e6:.1f} us openskill alone); ten million"
            f" {each * TEN_MILLION / 60:.1f} min; a correction 1,000 events back {again:.2f} s"
        )


def ladders(draws: int) -> None:
    """Pods drawn one at a time."""
    print("ladder pods of four")
    for count in (1_000, 10_000, 100_000):
        rng, ladder = Random(1), Ladder()
        for number in range(count):
            ladder.put(Contender(f"bot-{number:06}", "v1", rng.gauss(25, 8), rng.uniform(1, 8)))

        def draw(ladder: Ladder = ladder, rng: Random = rng) -> None:
            for _ in range(draws):
                ladder.finished(ladder.draw(4, rng))

        print(f"  {count:7,} entries {spent(draw) / draws * 1e6:8.1f} us a pod")


def rehearsals(runs: int) -> None:
    """The acceptance event, and others of its size."""
    pools = Part("pools", "round_robin", PAIR, groups=9)
    final = Part("final", "double_elim", PAIR)
    courses = {
        "nine pools of eight, double elimination of 16": Course(
            72, (pools, final), (Progression("pools", "final", 1, 2, most=16),)
        ),
        "40 at tables of four, 7 rounds": Course(40, (Part("all", "tables", Seats(4, 4, 4), rounds=7),)),
        "64 in a Swiss of 6 rounds": Course(64, (Part("all", "swiss", PAIR, rounds=6),)),
    }
    print(f"rehearsals of {runs} runs")
    for name, course in courses.items():
        start = time.process_time()
        rehearsal = rehearse(course, runs=runs)
        each = (time.process_time() - start) / runs
        rounds = " + ".join(f"{part.rounds[1]:.1f}" for part in rehearsal.parts)
        print(
            f"  {name}: {each * 1000:.0f} ms a run; {rounds} rounds, {rehearsal.hours[1]:.1f} h, at most"
            f" {max(part.tables for part in rehearsal.parts)} tables;"
            f" the strongest wins {rehearsal.strongest_wins[0]:.0%}"
        )


def main() -> None:
    """All of it; --short for a look."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="a tenth of the work")
    short = parser.parse_args().short
    brackets()
    ratings(3_000 if short else 30_000)
    ladders(1_000 if short else 10_000)
    rehearsals(3 if short else 30)


if __name__ == "__main__":
    main()
