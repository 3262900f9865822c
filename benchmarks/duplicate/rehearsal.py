"""A test of whether greedy and greedy with a habit can end a deal set unevenly, without playing it at the table.

Both are the same bot but for the decisions that the habit is about, and neither draws a random number. So if the habit
never answers otherwise than greedy in the match that greedy plays against itself, then that match is every match of the
deal set, regardless of who sits where, and its lead is exactly 0. Rehearsed in the engine alone, without observations,
protocol and records, by the very files of the bots: they read a `Glimpse` instead of a view.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

from benchmarks.duplicate.players import HABITS, files_of
from bots.runner.inprocess import UnsafeInProcessPlayer
from bots.sdk import Session, View
from bots.sdk.tables import values_of
from engine.action import Action
from engine.course import Course, MatchResult, SeedOrders
from engine.game import Ruleset, game_of

REHEARSED: Final = "greedy"
"""The house bot that draws no random numbers and reads no more of a view than a glimpse has."""
OPENING: Final = frozenset({"bid", "join"})
"""Kinds of decisions that are over for a deal when its first card is played."""
CARDS: Final = frozenset({"play", "hiki", "draw_only", "draw_take"})


class Glimpse(View):
    """Of a view what greedy looks at, right from the world: it looks at nothing that its seat may not know."""

    def __init__(self, course: Course, legal: tuple[Action, ...]) -> None:
        state: Any = course.state
        table = getattr(state, "table", None) or state
        seat = state.seat_to_act
        place = table.seat_to_act  # at Oi-bana's table the seats are others
        known: dict[str, Any] = {
            "known": state,
            "ruleset": course.ruleset,
            "seat": seat,
            "side": course.sides[seat],
            "hand": table.hands[place],
            "field": getattr(table, "field", 0),
            "mine": table.captured[place] if course.ruleset.game == "nuki" else 0,
            "pending": getattr(table, "pending", -1),
            "values": values_of(course.ruleset.game),
            "legal": legal,
        }
        # Straight into the dictionary: a view is made from an observation, which is what a rehearsal does without.
        self.__dict__.update(known)


class _Prompted(Session):
    """A session whose bots read glimpses."""

    course: Course
    actions: tuple[Action, ...]

    def read(self, obs: Mapping[str, Any]) -> View:
        """A glimpse of what is to be decided now; a habit may have struck some of the legal actions."""
        if len(obs["legal"]) == len(self.actions):
            return Glimpse(self.course, self.actions)
        return Glimpse(self.course, tuple(action for action in self.actions if action.to_json() in obs["legal"]))


class Actor(UnsafeInProcessPlayer):
    """A house bot that answers for every seat of a course in turn."""

    def __init__(self, name: str, rules: Ruleset, seats: int) -> None:
        super().__init__()
        self._session = self._prompted = _Prompted()
        self.kinds = frozenset(kind for habit in name.split("+")[1:] for kind, _, _ in HABITS[habit])
        self.load({"rng": "00" * 16, "ruleset": rules.to_json(), "seats": seats}, files_of(name).files)

    def answer(self, course: Course, legal: tuple[Action, ...]) -> int:
        """The index that the bot chooses for the seat to act."""
        self._prompted.course, self._prompted.actions = course, legal
        obs: dict[str, Any] = {"legal": legal}
        if self.kinds:  # greedy alone asks its view only
            obs = {"legal": [action.to_json() for action in legal], "bids": _bids(course)}
        assert self._choose is not None
        return int(str(self._choose(obs)))


def _bids(course: Course) -> list[int | None]:
    """The bids as an observation has them; empty where there is no auction."""
    return [None if bid < 0 else bid for bid in getattr(course.state, "bids", ())]


@lru_cache(maxsize=256)
def _actor(name: str, rules: Ruleset, seats: int) -> Actor:
    return Actor(name, rules, seats)


def can_be_rehearsed(players: tuple[str, ...]) -> bool:
    """Return whether all are `greedy`, with habits or without."""
    return all(player.split("+")[0] == REHEARSED for player in players if player)


@dataclass(frozen=True)
class Rehearsal:
    """The matches of one seed between some players, each of whom `can_be_rehearsed`."""

    players: tuple[str, ...]
    rules: Ruleset
    seats: int
    seed: bytes

    def may_differ(self) -> bool:
        """Return whether the second player would once answer otherwise than the first in the match that the first plays
        alone.

        False: every match between these two is the same one.
        """
        first, second = self._actors[:2]
        kinds, course = self._kinds, self._begin()
        while not course.is_over:
            legal, choice = course.legal_actions(), 0
            if self._is_settled(legal):
                return False
            if len(legal) > 1:
                choice = first.answer(course, legal)
                # Elsewhere both are the same bot: only these decisions need a second answer.
                if any(action.kind in kinds for action in legal) and second.answer(course, legal) != choice:
                    return True
            course.play_deal((legal[choice],))
        return False

    def results(self, tables: Sequence[tuple[int, ...]]) -> list[MatchResult]:
        """Return the result of each match. tables: per match who sits where, as numbers in `players`.

        Where the habits are about the opening only, matches with the same opening go on in the same way.
        """
        actors, known, found = self._actors, dict[tuple[Action, ...], MatchResult](), []
        for table in tables:
            course = self._begin()
            opening: list[Action] = []
            while not course.is_over and (legal := course.legal_actions()) and not self._is_settled(legal):
                choice = actors[table[course.seat_to_act]].answer(course, legal) if len(legal) > 1 else 0
                opening.append(legal[choice])
                course.play_deal((legal[choice],))
            key = tuple(opening)
            if key not in known:
                known[key] = self._ended(course, actors[0])
            found.append(known[key])
        return found

    def _ended(self, course: Course, actor: Actor) -> MatchResult:
        """The result when nobody's habit matters any more."""
        while not course.is_over:
            legal = course.legal_actions()
            course.play_deal((legal[actor.answer(course, legal) if len(legal) > 1 else 0],))
        return course.result()

    def _begin(self) -> Course:
        return Course(self.rules, self.seats, SeedOrders(self.seed, game_of(self.rules.game).deck))

    @cached_property
    def _actors(self) -> list[Actor]:
        return [_actor(player, self.rules, self.seats) for player in self.players if player]

    @cached_property
    def _kinds(self) -> frozenset[str]:
        """Return the kinds of decisions that the habits are about."""
        return frozenset[str]().union(*(actor.kinds for actor in self._actors))

    @cached_property
    def _ends_with_opening(self) -> bool:
        """Return whether no habit matters after the opening: they are about nothing else, and there is only one
        deal.
        """
        return self._kinds <= OPENING and getattr(self.rules.options, "rounds", 0) == 1

    def _is_settled(self, legal: Sequence[Action]) -> bool:
        """Return whether the match has come to where no habit matters any more."""
        return self._ends_with_opening and legal[0].kind in CARDS
