"""Any sequence of what an organiser may do with a bracket keeps it sound, and undo restores what was before."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from core.formats.elimination import Bracket, BracketShape, Ended, State, advance, bracket, join, places
from core.formats.errors import FormatError
from tests.core.formats.knockouts import decided, drawn_as, names, result, shapes

Past = tuple[Bracket, tuple[Ended, ...], tuple[str, ...]]


class Organiser(RuleBasedStateMachine):
    """The draw, the results that hold, who left; and what they were before each action."""

    def __init__(self) -> None:
        super().__init__()
        self.draw = bracket(["a", "b"], BracketShape())
        self.results: tuple[Ended, ...] = ()
        self.gone: tuple[str, ...] = ()
        self.past: list[tuple[Past, Bracket]] = []
        self.late = 0

    @property
    def now(self) -> Bracket:
        return advance(self.draw, self.results, self.gone)

    def remember(self) -> None:
        self.past.append(((self.draw, self.results, self.gone), self.now))

    @initialize(shape=shapes())
    def start(self, shape: tuple[int, BracketShape]) -> None:
        count, how = shape
        self.draw = drawn_as(min(count, 14), how) or bracket(names(6), BracketShape())

    @precondition(lambda self: self.now.ready)
    @rule(seed=st.integers(0, 999))
    def report(self, seed: int) -> None:
        rng = Random(seed)
        self.remember()
        self.results = (*self.results, result(rng.choice(self.now.ready), rng))

    @precondition(lambda self: self.now.level)
    @rule(seed=st.integers(0, 999))
    def decide(self, seed: int) -> None:
        """An extra deal of a match that ended level."""
        self.remember()
        first = self.now.level[0].id
        rng = Random(seed)
        self.results = tuple(decided(item, rng) if item.match == first else item for item in self.results)

    @precondition(lambda self: self.results)
    @rule(seed=st.integers(0, 999), is_kept=st.booleans())
    def correct(self, seed: int, is_kept: bool) -> None:
        """Another result of a match; what lies above it and no longer fits is void, or kept as it was played."""
        rng = Random(seed)
        self.remember()
        chosen = rng.choice(self.results)
        changed = result(self.now.match(chosen.match), rng)
        self.results = tuple(changed if item == chosen else item for item in self.results)
        while stale := self.now.stale:
            first = stale[0]
            if is_kept:
                self.results = tuple(
                    replace(item, stands=True) if item.match == first else item for item in self.results
                )
                is_kept = False
            else:
                self.results = tuple(item for item in self.results if item.match != first)

    @rule(seed=st.integers(0, 999))
    def withdraw(self, seed: int) -> None:
        left = [entry for entry in self.draw.entries if entry not in self.gone]
        if left:
            self.remember()
            self.gone = (*self.gone, Random(seed).choice(left))

    @precondition(lambda self: not any(item.stands for item in self.results))
    @rule()
    def come_late(self) -> None:
        try:
            joined = join(self.now, f"late-{self.late}")
        except FormatError as error:
            if error.code != "bracket.no_bye":
                raise
            return
        self.remember()
        self.late += 1
        self.draw = joined

    @precondition(lambda self: self.past)
    @rule()
    def undo(self) -> None:
        (self.draw, self.results, self.gone), before = self.past.pop()
        assert self.now == before

    @invariant()
    def nothing_is_stale_and_nobody_sits_twice(self) -> None:
        now = self.now
        assert not now.stale
        if not any(item.stands for item in self.results):
            assert not now.doubled
            assert not {item.entry for item in places(now)} & {name for match in now.ready for name in match.entries}
        assert all(len(set(match.entries)) == len(match.entries) for match in now.matches)

    @invariant()
    def it_is_over_or_something_can_be_played_or_decided(self) -> None:
        now = self.now
        assert now.is_over or now.ready or now.level
        if now.is_over and not any(item.stands for item in self.results):
            assert sorted(item.entry for item in places(now)) == sorted(now.entries)

    @invariant()
    def what_was_written_down_gives_the_same(self) -> None:
        again = Bracket.from_json(self.draw.to_json())
        assert advance(again, reversed(self.results), self.gone).matches == self.now.matches
        assert all(match.state is not State.FINISHED or match.order for match in self.now.matches)


TestOrganiser = Organiser.TestCase
TestOrganiser.settings = settings(max_examples=20, stateful_step_count=20, deadline=None)
