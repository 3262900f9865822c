"""Rehearsal of the fork server before its first bot: everything that every bot's process does first.

The interpreter adapts code to what it runs and fills caches as it goes. Done here it is done for all the processes
forked later, which share the memory; left to them, each does it again in pages of its own. It leaves nothing of a
match: rules, observations and random numbers are the same every time, and `hello.rng` sets the numbers again.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Mapping
from typing import Any, Final

from bots.protocol import messages
from bots.sdk import Session, module_for
from bots.sdk.source import BotFinder
from engine.game import game_of
from engine.games import PRESETS, ruleset
from engine.match import Match

Answer = Callable[[Callable[[dict[str, Any]], object], Session, bytes], bytes]

_TIMES: Final = 10  # code is adapted after eight runs
_MOVES: Final = 4
_BOT: Final = b"def choose(obs): return obs['legal'][0]\n"
_RNG: Final = "00" * 16


def rehearse(reseed: Callable[[str], None], answer: Answer) -> None:
    """Load a bot and have it answer a few times, in each game. reseed, answer: the loop's own."""
    for preset in {each.game: name for name, each in PRESETS.items()}.values():
        for _ in range(_TIMES):
            _one_bot(preset, reseed, answer)


def _one_bot(preset: str, reseed: Callable[[str], None], answer: Answer) -> None:
    rules = ruleset(preset)
    match = Match(rules, game_of(rules.game).seat_range[0], bytes(16))
    hello = _hello(match)
    reseed(hello["rng"])
    session = Session()
    session.begin(hello, {messages.ENTRY: _BOT})
    module_for(session)
    choose = _loaded()
    for number in range(_MOVES):
        obs = match.observation(match.seat_to_act, match_id="", preset=preset, since=0, ms_left=1)
        answer(choose, session, messages.decision_packet(number, obs))
        match.apply(match.legal_actions()[0])


def _hello(match: Match) -> Any:
    """Return the hello as a bot gets it."""
    hello: Mapping[str, object] = {
        "match": "", "ruleset": match.ruleset.to_json(), "seats": match.seats, "sides": list(match.sides), "me": "p0",
        "clock": {}, "rng": _RNG,
    }  # fmt: skip
    read: Any = messages.read_object(messages.hello_packet(hello, [(messages.ENTRY, _BOT)]), "hello")["hello"]
    messages.read_files(read["files"])
    return read


def _loaded() -> Callable[[dict[str, Any]], object]:
    """`choose` of a bot, compiled as every bot is."""
    spec = BotFinder({messages.ENTRY: _BOT}).find_spec(messages.ENTRY.removesuffix(".py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    choose: Callable[[dict[str, Any]], object] = module.choose
    return choose
