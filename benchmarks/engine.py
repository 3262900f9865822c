"""Speed of the engine beside its public rivals, in random play. `python -m benchmarks.engine`.

One run measures everything, in turns, one core, CPU time, medians of the slices; so the ratios hold on any machine. A
game of ours is one deal, from the seed's verifiable order to its outcome; every action is checked. The rivals are
installed by `pip install --no-deps -r requirements-bench.txt`; without them only our own figures are printed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Callable
from itertools import count
from random import Random

import zstandard

from benchmarks import rivals
from benchmarks.slices import Play, Speed, measure, table
from engine import is_compiled
from engine.course import Course
from engine.deck import commitment, deck_order, further_order
from engine.game import DealStart, Ruleset, State, game_of
from engine.games import ruleset
from engine.match import Match
from engine.notation import parse_move
from engine.record import write
from engine.record_compact import compact, read_compact, retrace_compact
from engine.record_read import read_document
from engine.record_replay import RecordOrders

SEED = hashlib.sha256(b"benchmark").digest()
TABLES = {
    "hawaii": 4, "paradise": 2, "french": 3, "enwiki2020": 4, "oibana": 4, "nuki88": 3, "poka5": 2, "poka3": 2,
    "koikoi_nintendo": 2, "koikoi_fuda": 2, "koikoi_zoo": 2,
}  # fmt: skip
MAIN, OBSERVED, BATCH = "hawaii, 4 seats", "hawaii, 4 seats, observed", "hawaii, 4 seats, batch playout"
BARS: tuple[tuple[str, str, str, float, float], ...] = (
    (MAIN, "oh_hell", "plies", 0.5, 1.5),
    (MAIN, "hearts", "games", 1.4, 1.4),
    (MAIN, "gin_rummy", "plies", 6.0, 6.0),
    (OBSERVED, "oh_hell, observed", "plies", 0.8, 0.8),
    (OBSERVED, "RLCard uno", "plies", 1.4, 1.4),
    (OBSERVED, "RLCard gin-rummy", "plies", 5.0, 5.0),
    (BATCH, "oh_hell", "plies", 0.0, 2.2),
)
"""Ours, theirs, what is compared, and the least ratio: in pure Python, and compiled."""


def deals(preset: str, seats: int) -> Callable[[], State]:
    """The next deal of a ruleset at every call, dealt from the seed."""
    rules, game, numbers = ruleset(preset), game_of(ruleset(preset).game), count(1)

    def shuffle_in(number: int) -> Callable[[str, int, int], tuple[int, ...]]:
        return lambda label, nth, cards: further_order(SEED, label, number, nth, cards)

    def deal() -> State:
        state, number, redeal = None, next(numbers), 0
        while state is None:
            # The verifiable order is part of every game of ours: a rival's shuffle is in its figures as well.
            order = deck_order(SEED, number, redeal, game.deck)
            start = DealStart(rules, seats, number % seats, number, order, redeal, shuffle_in(number), {}, (0,) * seats)
            state, redeal = game.new_deal(start), redeal + 1
        return state

    return deal


def checked(preset: str, seats: int) -> Play:
    """Every action through the checked `apply`."""
    deal, draw = deals(preset, seats), Random(1).random

    def play() -> int:
        state, plies = deal(), 0
        while legal := state.legal_actions():
            state.apply(legal[int(draw() * len(legal))])
            plies += 1
        state.outcome()
        return plies

    return play


def observed(preset: str, seats: int) -> Play:
    """The same, the seat to act choosing from its typed observation."""
    deal, draw, game = deals(preset, seats), Random(1).random, game_of(ruleset(preset).game)

    def play() -> int:
        state, plies = deal(), 0
        while not state.is_over:
            legal = game.observe(state, state.seat_to_act).legal
            state.apply(legal[int(draw() * len(legal))])
            plies += 1
        state.outcome()
        return plies

    return play


def batch(preset: str, seats: int) -> Play:
    """Whole deals played out by the library itself."""
    deal, draw = deals(preset, seats), Random(1).random

    def play() -> int:
        state = deal()
        plies = state.play_out(draw)
        state.outcome()
        return plies

    return play


def a_match(rules: Ruleset, seats: int) -> tuple[Match, str]:
    """A match of random play, and the observation of it whose JSON is nearest to 1.2 KB."""
    match, dice, best = Match(rules, seats, SEED), Random(3), ""
    while not match.is_over:
        since = max(0, match.event_count - 2 * seats)
        obs = match.observation(match.seat_to_act, match_id="m", preset="hawaii", since=since, ms_left=1000)
        best = min(best, json.dumps(obs), key=lambda text: abs(len(text) - 1200))
        match.apply(dice.choice(match.legal_actions()))
    return match, best


def records() -> tuple[dict[str, Play], str]:
    """Re-deriving a record of 12 deals and 4 seats, what it is measured by, and what the record weighs."""
    match, text = a_match(ruleset("hawaii"), 4)
    bots = ["sha256:" + hashlib.sha256(bytes([seat])).hexdigest() for seat in range(4)]
    fair = {"stage": "sha256:" + "5" * 64, "commit": commitment(SEED), "deal_set": "d41c" * 8, "leg": 0}
    document = write(match, match_id="7" * 32, fair=fair, bots=bots, preset="hawaii")
    small = compact(document, SEED)
    reading, packed, obs = read_document(document), read_compact(small), json.loads(text)
    moves = [[parse_move(move)[1] for move in deal.moves] for deal in reading.deals]

    def retrace() -> int:
        course = Course(reading.ruleset, 4, RecordOrders(reading))
        for actions in moves:
            course.play_deal(actions)
        return course.deal

    def dumps() -> int:
        # Every play returns the units that are counted: here one, once the work is done.
        return len(json.dumps(obs)) and 1

    def shuffled() -> int:
        order = list(range(48))
        Random(SEED).shuffle(order)
        return 1

    plays: dict[str, Play] = {
        "a record from its orders": retrace,
        "a compact one from its seed": lambda: retrace_compact(packed).deal,
        # A yardstick that every machine has: the bar on records is a multiple of it, not a time.
        f"json.dumps of {len(text)} bytes": dumps,
        "verifiable order": lambda: len(deck_order(SEED, 1)) and 1,
        "Random(seed), shuffle": shuffled,
    }
    return plays, weight(small)


def weight(small: object) -> str:
    """Return the weight of a compact record in words, plain and as it is kept."""
    text = json.dumps(small, separators=(",", ":"))
    return f"{len(text)} bytes, {len(zstandard.compress(text.encode(), 19))} under zstd (bar: 1536)"


def contestants() -> dict[str, Play]:
    """Ours in every game, then the rivals that are installed."""
    ours = {f"{preset}, {seats} seats": checked(preset, seats) for preset, seats in TABLES.items()}
    ours |= {f"{preset}, {seats} seats, observed": observed(preset, seats) for preset, seats in TABLES.items()}
    ours |= {f"{preset}, {seats} seats, batch playout": batch(preset, seats) for preset, seats in TABLES.items()}
    theirs: dict[str, Play] = {}
    absent = rivals.missing()
    if "pyspiel" not in absent:
        theirs |= {name: rivals.open_spiel(name) for name in ("oh_hell", "hearts", "gin_rummy")}
        theirs["oh_hell, observed"] = rivals.open_spiel("oh_hell", observed=True)
    if "rlcard" not in absent:
        theirs |= {f"RLCard {name}": rivals.rlcard(name) for name in ("uno", "gin-rummy")}
    return ours | theirs


def print_speeds(speeds: dict[str, Speed]) -> None:
    rows = [("", "plies/s", "games/s")]
    rows += [
        (name, f"{speed.plies_per_second:,.0f}", f"{speed.games_per_second:,.0f}") for name, speed in speeds.items()
    ]
    print(table(rows))


def print_bars(speeds: dict[str, Speed]) -> None:
    """The ratios that the engine is held to, where the rival was measured."""
    rows = [("ours : theirs", "of", "ratio", "bar")]
    for own, rival, what, pure, quick in BARS:
        # 0.0 in BARS: in pure Python the line is not held to anything.
        bar = quick if is_compiled() else pure
        if rival in speeds and bar:
            ratio = speeds[own].ratio(speeds[rival]) if what == "plies" else speeds[own].games_ratio(speeds[rival])
            rows.append((f"{own} : {rival}", f"{what}/s", f"{ratio:.2f}", f"{bar:.1f}"))
    print(table(rows))


def print_records(speeds: dict[str, Speed], weighs: str) -> None:
    """Milliseconds of the record's re-deriving, and the two ratios that it is held to."""
    by_name = list(speeds.items())
    (_, retrace), (_, small), (name, dumps), (_, order), (_, shuffle) = by_name
    for label, speed in by_name:
        print(f"{label:28} {1e6 / speed.games_per_second:10.1f} us")
    print(f"a record of 12 deals, 4 seats, from its orders, in {name}: {dumps.games_ratio(retrace):.1f} (bar: 30)")
    print(f"a compact one, its orders from the seed: {dumps.games_ratio(small):.1f}; it weighs {weighs}")
    print(f"verifiable order to Random(seed), shuffle: {shuffle.games_ratio(order):.2f} (bar: 0.6)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, help="slices of every contestant")
    parser.add_argument("--seconds", type=float, default=0.2, help="CPU time of a slice")
    options = parser.parse_args()
    print("engine:", "compiled" if is_compiled() else "pure Python")
    plays, weighs = records()
    print_records(measure(plays, rounds=options.rounds, seconds=options.seconds / 2), weighs)
    speeds = measure(contestants(), rounds=options.rounds, seconds=options.seconds)
    print_speeds(speeds)
    absent = rivals.missing()
    if absent:
        print(f"not installed: {', '.join(absent)}; pip install --no-deps -r requirements-bench.txt")
    print_bars(speeds)


if __name__ == "__main__":
    main()
