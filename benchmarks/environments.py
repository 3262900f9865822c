"""Speed of the environments beside the nearest games of other projects: `python -m benchmarks.environments`.

One run measures everything in turns, one core, CPU time, medians of the slices. A step is one decision of a seat,
chosen at random among the legal ones. The rivals are installed by `pip install --no-deps -r requirements-bench.txt`; a
bar whose rival is not there is said to be not measured.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from benchmarks import rivals
from benchmarks.slices import Play, Speed, measure, table
from engine import is_compiled
from engine.batch import Batch
from engine.environments import aec, spiel
from engine.games import ruleset

ROWS: Final = 64
PGX_ROWS: Final = 4_096
PGX_STEPS: Final = 32
DEALS: Final = 100
TABLES: Final = (("koikoi_nintendo", 2), ("hawaii", 4), ("hawaii", 2))
AEC, MASKS, TENSORS, SPIEL = "AEC", "batch, masks", "batch, masks and tensors", "OpenSpiel adapter"


class Bar(NamedTuple):
    """A ratio that is held: the best of our tables of a kind to a rival, in pure Python and compiled (0: not held)."""

    ours: str
    rival: str
    pure: float
    compiled: float


BARS: Final = (
    Bar(AEC, "RLCard gin-rummy", 5, 10),
    Bar(AEC, "PettingZoo gin_rummy", 5, 10),
    Bar(AEC, "PettingZoo texas_holdem", 5, 10),
    Bar(TENSORS, "OpenSpiel oh_hell, tensors", 0, 1),
    Bar(MASKS, "OpenSpiel oh_hell", 0, 1),
    # Shown and not held: Pgx plays the smallest card game there is, as arrays alone.
    Bar(MASKS, "Pgx kuhn_poker", 0, 0),
    Bar(SPIEL, "OpenSpiel python_kuhn_poker", 5, 5),
)
STEPS_PER_SECOND: Final = 500_000
"""What a batch with masks has to reach on one core, compiled."""


def agents(make: Callable[[], Any]) -> Play:
    """An environment of PettingZoo, played as its own documentation does it: `last`, choose by the mask, `step`."""
    env, draw = make(), Random(1).random
    seeds = iter(range(1_000_000_000))

    def play() -> int:
        env.reset(seed=next(seeds))
        steps = 0
        for _agent in env.agent_iter():
            observation, _reward, terminated, truncated, _info = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = np.flatnonzero(observation["action_mask"])
            env.step(int(legal[int(draw() * len(legal))]))
            steps += 1
        return steps

    return play


def batch(preset: str, seats: int, *, observe: bool) -> Play:
    """A batch that chooses at random; every step writes the mask of each row, and its tensor."""
    deals = Batch(ruleset(preset), seats, ROWS, seed=1, observe=observe)

    def play() -> int:
        deals.step(deals.sample())
        return ROWS

    return play


def oh_hell_with_tensors() -> Play:
    """OpenSpiel's C++ game with the tensor of the player who decides."""
    game, draw = import_module("pyspiel").load_game("oh_hell"), Random(1).random

    def play() -> int:
        state, plies = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rivals.drawn(state.chance_outcomes(), draw()))
                continue
            np.asarray(state.information_state_tensor(), np.float32)
            legal = state.legal_actions()
            state.apply_action(legal[int(draw() * len(legal))])
            plies += 1
        state.returns()
        return plies

    return play


def pgx(name: str) -> Play:
    """Pgx on the CPU: many games at once in a compiled loop, a legal action drawn for each, ended ones begun again."""
    jax: Any = import_module("jax")
    env = import_module("pgx").make(name)
    begin, step = jax.vmap(env.init), jax.vmap(env.step)

    def once(state: Any, key: Any) -> tuple[Any, None]:
        chosen, fresh = jax.random.split(key)
        logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        moved = step(state, jax.random.categorical(chosen, logits, axis=1))
        new = begin(jax.random.split(fresh, PGX_ROWS))
        over = moved.terminated

        def pick(first: Any, second: Any) -> Any:
            return jax.numpy.where(over.reshape(-1, *[1] * (first.ndim - 1)), first, second)

        return jax.tree_util.tree_map(pick, new, moved), None

    loop = jax.jit(lambda state, keys: jax.lax.scan(once, state, keys)[0])
    holder = {"state": begin(jax.random.split(jax.random.PRNGKey(0), PGX_ROWS)), "turn": 0}

    def play() -> int:
        holder["turn"] += 1
        keys = jax.random.split(jax.random.PRNGKey(holder["turn"]), PGX_STEPS)
        holder["state"] = jax.block_until_ready(loop(holder["state"], keys))
        return PGX_ROWS * PGX_STEPS

    return play


def ours() -> dict[str, Play]:
    """Our own contestants, by kind and table."""
    aec.register()
    spiel.register()
    found: dict[str, Play] = {}
    for preset, seats in TABLES:
        where = f"{preset}, {seats} seats"

        def make(preset: str = preset, seats: int = seats) -> Any:
            return aec.env(preset=preset, seats=seats)

        found[f"{AEC}: {where}"] = agents(make)
        found[f"{MASKS}: {where}"] = batch(preset, seats, observe=False)
        found[f"{TENSORS}: {where}"] = batch(preset, seats, observe=True)
        game = f"{spiel.NAME}(preset={preset},players={seats}"
        found[f"{SPIEL}: {where}, every card drawn"] = rivals.open_spiel(f"{game})")
        found[f"{SPIEL}: {where}, {DEALS} numbered deals"] = rivals.open_spiel(f"{game},deals={DEALS})")
    return found


def theirs() -> tuple[dict[str, Play], list[str]]:
    """The rivals that are here, and why others are not."""
    import_module("open_spiel.python.games")
    found: dict[str, Play] = {
        "OpenSpiel oh_hell": rivals.open_spiel("oh_hell"),
        "OpenSpiel oh_hell, tensors": oh_hell_with_tensors(),
        "OpenSpiel python_kuhn_poker": rivals.open_spiel("python_kuhn_poker"),
    }
    absent = []
    if find_spec("rlcard"):
        found["RLCard gin-rummy"] = rivals.rlcard("gin-rummy")
    else:
        absent.append("RLCard is not installed")
    classic = "pettingzoo.classic"
    if find_spec(f"{classic}.gin_rummy_v4"):
        found["PettingZoo gin_rummy"] = agents(import_module(f"{classic}.gin_rummy_v4").env)
    else:
        absent.append("PettingZoo of this version has no gin_rummy; its card game texas_holdem stands in")
    if find_spec("rlcard") and find_spec("pygame"):
        found["PettingZoo texas_holdem"] = agents(import_module(f"{classic}.texas_holdem_v4").env)
    else:
        absent.append("PettingZoo's texas_holdem needs rlcard and pygame-ce, which are not installed")
    if find_spec("pgx") and find_spec("jax"):
        found["Pgx kuhn_poker"] = pgx("kuhn_poker")
    else:
        absent.append("Pgx is not installed")
    return found, absent


def best(kind: str, speeds: dict[str, Speed]) -> str:
    """Return the quickest of our tables of a kind."""
    names = [name for name in speeds if name.startswith(f"{kind}: ")]
    return max(names, key=lambda name: speeds[name].plies_per_second)


def print_bars(speeds: dict[str, Speed]) -> None:
    """Every bar of the environments with what was measured for it."""
    rows = [("ours : theirs", "ratio of steps/s", "bar", "")]
    for bar in BARS:
        name, held = best(bar.ours, speeds), bar.compiled if is_compiled() else bar.pure
        ratio = speeds[name].ratio(speeds[bar.rival]) if bar.rival in speeds else None
        shown = "not measured" if ratio is None else f"{ratio:.2f}"
        verdict = "" if ratio is None or not held else "pass" if ratio >= held else "FAIL"
        rows.append((f"{name} : {bar.rival}", shown, f"{held:g}" if held else "-", verdict))
    print(table(rows))
    name = best(MASKS, speeds)
    reached = speeds[name].plies_per_second
    verdict = "pass" if reached >= STEPS_PER_SECOND else "FAIL"
    held_to = f"bar: {STEPS_PER_SECOND:,}, {verdict}" if is_compiled() else "no bar in pure Python"
    print(f"{name}: {reached:,.0f} steps/s ({held_to})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="slices of every contestant")
    parser.add_argument("--seconds", type=float, default=0.3, help="CPU time of a slice")
    options = parser.parse_args()
    print("engine:", "compiled" if is_compiled() else "pure Python")
    others, absent = theirs()
    speeds = measure(ours() | others, rounds=options.rounds, seconds=options.seconds)
    rows = [("", "steps/s", "games/s")]
    for name, speed in speeds.items():
        is_game = not name.startswith(("batch", "Pgx"))
        games = f"{speed.games_per_second:,.0f}" if is_game else ""
        rows.append((name, f"{speed.plies_per_second:,.0f}", games))
    print(table(rows))
    for reason in absent:
        print(f"not measured: {reason}; pip install --no-deps -r requirements-bench.txt")
    print_bars(speeds)


if __name__ == "__main__":
    main()
