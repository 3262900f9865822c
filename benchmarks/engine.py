"""Speed of the engine: plies per second in Sakura (hawaii), random play. `python -m benchmarks.engine`.

For 2 and 4 players one run prints every figure, so that ratios hold on any machine: unchecked playouts, checked play,
play with the typed observation, play with the observation JSON of a bot, whole matches with record, verification.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from random import Random

from engine.deck import commitment, deck_order
from engine.games import ruleset
from engine.games.sakura.observation import determinize, observe
from engine.games.sakura.rules import compile_rules
from engine.games.sakura.start import new_deal
from engine.games.sakura.state import SakuraState
from engine.match import Match
from engine.record import verify, write

SEED = bytes(32)


def deals(players: int, count: int) -> list[SakuraState]:
    """Fresh deals, dealt before the clock starts."""
    rules = compile_rules(ruleset("hawaii"), players)
    found = (new_deal(rules, 0, deck_order(SEED, number)) for number in range(1, count + 1))
    return [state for state in found if state is not None]


def unchecked(state: SakuraState, dice: Random) -> int:
    plies, draw = 0, dice.random
    while not state.is_over:
        legal = state.legal_actions()
        state.apply_unchecked(legal[int(draw() * len(legal))])
        plies += 1
    return plies


def checked(state: SakuraState, dice: Random) -> int:
    plies, draw = 0, dice.random
    while not state.is_over:
        legal = state.legal_actions()
        state.apply(legal[int(draw() * len(legal))])
        plies += 1
    return plies


def with_observation(state: SakuraState, dice: Random) -> int:
    plies, draw = 0, dice.random
    while not state.is_over:
        legal = observe(state, state.turn).legal
        state.apply_unchecked(legal[int(draw() * len(legal))])
        plies += 1
    return plies


def with_sampled_world(state: SakuraState, dice: Random) -> int:
    plies, draw = 0, dice.random
    while not state.is_over:
        seen = observe(state, state.turn)
        determinize(seen, dice)
        state.apply_unchecked(seen.legal[int(draw() * len(seen.legal))])
        plies += 1
    return plies


def measure(play: Callable[[SakuraState, Random], int], players: int, count: int) -> float:
    """Plies per second of the best of three runs."""
    best = 0.0
    for run in range(3):
        dice, states = Random(run), deals(players, count)
        start = time.perf_counter()
        plies = sum(play(state, dice) for state in states)
        best = max(best, plies / (time.perf_counter() - start))
    return best


def matches(players: int, count: int) -> tuple[float, float, float]:
    """Plies per second of matches with bot observations, and records written and verified per second."""
    plies, playing, writing, verifying = 0, 0.0, 0.0, 0.0
    for number in range(count):
        dice, start = Random(number), time.perf_counter()
        match = Match(ruleset("hawaii"), players, SEED)
        since = [0] * players
        while not match.is_over:
            seat = match.seat_to_act
            match.observation(seat, match_id="m", preset="hawaii", since=since[seat], ms_left=1000)
            since[seat] = match.event_count
            match.apply(dice.choice(match.legal_actions()))
        plies, playing, start = plies + match.moves_total, playing + time.perf_counter() - start, time.perf_counter()
        bots = [None] * players
        document = write(match, match_id="m", fair={"commit": commitment(SEED)}, bots=bots, preset="hawaii")
        writing, start = writing + time.perf_counter() - start, time.perf_counter()
        assert verify(document, seed=SEED).ok
        verifying += time.perf_counter() - start
    return plies / playing, count / writing, count / verifying


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=2000, help="deals per run")
    options = parser.parse_args()
    ways = {
        "playout, unchecked": unchecked,
        "checked": checked,
        "with typed observation": with_observation,
        "with a sampled world": with_sampled_world,
    }
    for players in (2, 4):
        base = 0.0
        for name, play in ways.items():
            speed = measure(play, players, options.deals)
            base = base or speed
            print(f"{players} players  {name:28} {speed:>10,.0f} plies/s  {speed / base:5.2f}")
        speed, written, verified = matches(players, max(1, options.deals // 100))
        print(f"{players} players  {'match, observation JSON':28} {speed:>10,.0f} plies/s  {speed / base:5.2f}")
        print(f"{players} players  records of 12 deals: {written:,.0f} written, {verified:,.0f} verified per second")


if __name__ == "__main__":
    main()
