"""One vector, start to end: by the adapter module of its game, `tests.engine.vectors.<game>`, or Sakura's here."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from engine.games import preset
from tests.engine.vectors.acting import Actor, Step
from tests.engine.vectors.facts import Facts, TableFacts
from tests.engine.vectors.files import Vector
from tests.engine.vectors.given import Given
from tests.engine.vectors.procedures import PROCEDURES


def run(vector: Vector) -> None:
    """Do the vector's actions and compare everything it expects. Raises AssertionError naming the first difference.

    A game other than Sakura has a module of its own beside this one, with the same function `run(vector)`.
    """
    game = preset(vector["preset"]).game
    if game == "sakura":
        run_sakura(vector)
    else:
        import_module(f"tests.engine.vectors.{game}").run(vector)


def run_sakura(vector: Vector) -> None:
    """The same for a preset of the Sakura family."""
    given = Given(vector)
    for facts in _facts(given):
        facts.check(vector["expect"])


def _facts(given: Given) -> list[Facts]:
    action, players = given.vector["action"], given.data.get("players")
    procedure = next((name for name in PROCEDURES if isinstance(action, dict) and name in action), None)
    if procedure is None:
        return [_played(given, action if isinstance(action, list) else [action])]
    known = set(action) - {procedure}
    assert not known, f"the adapter does not know {sorted(known)} beside {procedure}"
    if isinstance(players, list) and procedure not in ("deal", "seat", "validate"):
        return [PROCEDURES[procedure](_with_players(given, number)) for number in players]
    return [PROCEDURES[procedure](given)]


def _with_players(given: Given, players: int) -> Given:
    return Given({**given.vector, "given": {**given.data, "players": players}})


def _played(given: Given, entries: list[dict[str, Any]]) -> TableFacts:
    """Turns, one after another, until one is refused; a refusal that nobody expects fails."""
    state = given.position()
    before = state.copy()
    actor = Actor(state)
    steps: list[Step] = []
    expect = given.vector["expect"]
    for number, entry in enumerate(entries, start=1):
        last = number == len(entries)
        own = expect.get(f"step_{number}", {})
        refuse = bool(own.get("rejected") or (last and expect.get("rejected")) or expect.get("legal") is False)
        step = actor.run(entry, must_refuse=refuse)
        steps.append(step)
        if step.refused is not None:
            assert refuse, f"action {number} was refused: {step.refused.code}"
            assert last or own.get("rejected"), f"action {number} was refused before the last"
    return TableFacts(before, state.copy(), steps)
