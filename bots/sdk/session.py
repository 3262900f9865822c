"""State of the SDK for one bot in one match: its random numbers, its files, and everything that was seen."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any, Final

from bots.sdk.view import View
from engine.errors import BadSeating
from engine.game import Reader, Ruleset, game_of
from engine.games import option_table, preset, ruleset

_SEATINGS: Final = ("solo", "2x2", "3x2", "2x3")


class Session:
    """One bot in one match. In the sandbox there is one a process; in-process players have one each."""

    def __init__(self) -> None:
        self.rng = random.Random(0)
        self._files: Mapping[str, bytes] = {}
        self._ruleset: Ruleset | None = None
        self._reader: Reader | None = None

    def begin(self, hello: Mapping[str, Any], files: Mapping[str, bytes]) -> None:
        """Start a match: seed `rng` from `hello["rng"]`, keep the bot's files and forget what was seen before."""
        self.rng.seed(int(hello["rng"], 16))
        self._files = files
        self._open(Ruleset.from_json(hello["ruleset"]), hello["seats"])

    def _open(self, rules: Ruleset, seats: int) -> tuple[Ruleset, Reader]:
        self._ruleset = rules
        self._reader = game_of(rules.game).reader(rules, seats)
        return self._ruleset, self._reader

    def _opened(self, obs: Mapping[str, Any]) -> tuple[Ruleset, Reader]:
        """The match's rules and reader; without a hello (a stored observation at home) those of the preset."""
        if self._ruleset is not None and self._reader is not None:
            return self._ruleset, self._reader
        return self._open(_rules_like(obs), len(obs["sides"]))

    def note(self, obs: Mapping[str, Any]) -> None:
        """Keep the events of an observation. Called for every decision before `choose`; twice does no harm."""
        # Every decision, also those that a bot answers without `read`: `since` has each event once.
        self._opened(obs)[1].take(obs)

    def read(self, obs: Mapping[str, Any]) -> View:
        """The typed view of an observation, with the whole deal's history. See `View`."""
        rules, reader = self._opened(obs)
        known = reader.read(obs)
        return View(obs, known, tuple(reader.events), game_of(rules.game), rules)

    def asset(self, path: str) -> bytes:
        """The bytes of a file that was uploaded with the bot, such as "tables/values.json".

        Raises FileNotFoundError naming the files there are. Bots have no other files: `open` finds nothing.
        """
        if path not in self._files:
            known = ", ".join(sorted(self._files)) or "none"
            raise FileNotFoundError(f"no file {path!r} was uploaded with this bot; there are: {known}")
        return self._files[path]


def _rules_like(obs: Mapping[str, Any]) -> Ruleset:
    """The preset's rules with the seating that the observation's sides show."""
    sides, name = tuple(obs["sides"]), obs["preset"]
    knows_teams = any(info.id == "teams" for info in option_table(preset(name).game))
    for teams in _SEATINGS:
        rules = ruleset(name, teams=teams) if knows_teams else ruleset(name)
        try:
            found = rules.sides(len(sides))
        except BadSeating:
            continue
        if found == sides:
            return rules
    raise BadSeating(f"no seating of {obs['preset']} has the sides {sides}; pass the observation as it was sent")
