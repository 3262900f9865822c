"""A contest: the seatings of its deal sets and the seed of each. Pure values; `kit.playing` plays them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from bots.runner.spec import CLOCKS, STANDARD, MatchSpec
from engine.deck import commitment
from engine.game import OptionValue, Ruleset, game_of
from engine.games import option_table, preset, ruleset
from kit.errors import BadCall
from kit.players import Player

ONE_DEAL: Final = 1


@dataclass(frozen=True, slots=True)
class Contest:
    """A number of deal sets between players. A deal set is one seed: every match of it has the same cards.

    duplicate: each set is played once from every seating; else once, the seatings taking turns. seating: player number
    per seat of the first match. sides: side per seat. both_alone: of two players at a larger table the second sits
    alone among the first as often as the first among the second.
    """

    preset: str
    rules: Ruleset
    players: tuple[Player, ...]
    seating: tuple[int, ...]
    sets: int
    duplicate: bool
    seed: str
    sides: tuple[int, ...]
    clock: str = "standard"
    both_alone: bool = False

    @property
    def seats(self) -> int:
        """Return how many sit at the table."""
        return len(self.seating)

    @property
    def counts(self) -> str:
        """Return what decides a match: `score` or `victories`."""
        return "victories" if self.rules.options.scoring == "victories" else "score"

    def seatings(self) -> tuple[tuple[int, ...], ...]:
        """Return who sits where in each leg of a deal set: everybody moves on one side at a time, each seating once."""
        by_side = [self.seating[self.sides.index(side)] for side in range(max(self.sides) + 1)]
        turned = [by_side[turn:] + by_side[:turn] for turn in range(len(by_side))]
        if self.both_alone:
            turned += [[1 - who for who in one] for one in turned]
        # Turning gives a seating twice where one player fills several sides; each is played once.
        return tuple(dict.fromkeys(tuple(one[side] for side in self.sides) for one in turned))

    def legs(self, number: int) -> list[tuple[int, tuple[int, ...]]]:
        """The matches of a deal set (from 0): (leg from 1, player number per seat)."""
        seatings = self.seatings()
        if self.duplicate:
            return list(enumerate(seatings, start=1))
        return [(1, seatings[number % len(seatings)])]

    @property
    def matches(self) -> int:
        """Return how many are played in all."""
        return sum(len(self.legs(number)) for number in range(self.sets))

    def spec(self, number: int, leg: int, seating: Sequence[int]) -> MatchSpec:
        """The match as the table wants it."""
        # From the number of the deal set alone: every leg of it has the same cards.
        seed = hashlib.sha256(f"hanami play/1 {self.seed} {number}".encode()).digest()[:16]
        # There is no stage at home, so the deal set's own commitment stands in for the stage's.
        commit = commitment(seed)
        return MatchSpec(
            match_id=f"{self.seed}-{number + 1}-{leg}",
            ruleset=self.rules,
            preset=self.preset,
            seats=self.seats,
            seed=seed,
            leg=leg,
            fair={"stage": commit, "commit": commit, "deal_set": f"{self.seed}-{number + 1}", "leg": leg},
            bots=tuple(self.players[who].files for who in seating),
            clock=CLOCKS[self.clock],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ContestSettings:
    """The contest that somebody typed. seats, preset: None for what fits the bots; rounds: deals a match, None for one
    where the game has a number of deals, 0 for as many as the preset has. clock: None for the longest that a bot
    declares. options: of the ruleset, as text.
    """

    deals: int
    seed: str
    duplicate: bool = False
    preset: str | None = None
    seats: int | None = None
    rounds: int | None = None
    clock: str | None = None
    both_alone: bool = False
    options: Mapping[str, str] = field(default_factory=dict)


def arrange(players: Sequence[Player], settings: ContestSettings) -> Contest:
    """The contest that is wished for. Raises BadOption, BadSeating, BadCall with what to do."""
    name = settings.preset or _common_preset(players)
    found = preset(name)
    options = {key: _option(found.game, key, value) for key, value in settings.options.items()}
    if _has_rounds(found.game) and "rounds" not in options and settings.rounds != 0:
        options["rounds"] = settings.rounds or ONE_DEAL
    rules = ruleset(name, **options)
    # The smallest table that the game, the teams and the named players allow.
    seats = settings.seats or max(game_of(found.game).seat_range[0], _least(options.get("teams")), len(players))
    sides = rules.sides(seats)
    return Contest(
        preset=found.id,
        rules=rules,
        players=tuple(players),
        seating=_seated(len(players), sides),
        sets=settings.deals,
        duplicate=settings.duplicate,
        seed=settings.seed,
        sides=sides,
        clock=settings.clock or longest_clock(players),
        both_alone=settings.both_alone,
    )


def longest_clock(players: Sequence[Player]) -> str:
    """Return the longest clock that a player declares, at least the standard: all play with it."""
    return max((STANDARD, *(one.clock for one in players)), key=lambda clock: clock.match_ms).id


def _common_preset(players: Sequence[Player]) -> str:
    """The first preset of the first player that all of them play."""
    for name in players[0].plays:
        if all(name in one.plays for one in players):
            return name
    plays = "; ".join(f"{one.name}: {', '.join(one.plays)}" for one in players)
    raise BadCall(f"There is no preset that all of them play ({plays}). Choose one with --preset.")


def _has_rounds(game: str) -> bool:
    return any(info.id == "rounds" for info in option_table(game))


def _option(game: str, name: str, value: str) -> OptionValue:
    """An option as its table reads it. Raises BadCall for one that the game lacks, BadOption for a wrong value."""
    infos = {info.id: info for info in option_table(game)}
    if name not in infos:
        raise BadCall(f"The rules have no option {name!r:.40}. Known are {', '.join(sorted(infos))}.")
    info = infos[name]
    words: Mapping[str, object] = {"true": True, "yes": True, "false": False, "no": False}
    typed: object = words.get(value.lower(), value) if info.kind == "flag" else value
    if info.kind == "number" and value.lstrip("-").isdecimal():
        typed = int(value)
    return info.read(typed)


def _least(teams: OptionValue | None) -> int:
    """Seats that a way of teaming up needs at least: `3x2` six."""
    if not isinstance(teams, str) or "x" not in teams:
        return 0
    first, _, second = teams.partition("x")
    return int(first) * int(second)


def _seated(players: int, sides: Sequence[int]) -> tuple[int, ...]:
    """Player number per seat: the first one alone, the others share what is left, in turn; partners are one player."""
    count = max(sides) + 1
    if players > count:
        raise BadCall(f"{players} bots do not fit {count} sides. Name more seats with --seats, or fewer bots.")
    others = max(1, players - 1)
    who = [side if side < players else 1 + (side - 1) % others for side in range(count)]
    return tuple(who[side] for side in sides)
