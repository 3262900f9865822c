"""Scripted people at tables: they sit down, show their nonces and answer what they are asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from uuid import uuid4

from engine.games import PRESETS
from engine.record_fair import nonce_hash
from tables.actions.answering import answer
from tables.actions.dealing import show_nonce
from tables.actions.folding import dealt
from tables.actions.opening import TablePlan, open_table, sit_down
from tables.actions.sitters import Sitter
from tables.models import Answer, LiveTable
from tables.play.clocks import CLOCKS, Clock
from tables.play.fold import Fold, Question
from tables.play.shuffle import of_browser

Chooser = Callable[[Question], int]


def guest(name: str = "Plum") -> Sitter:
    return Sitter(name, guest=uuid4())


def nonce_of(seat: int) -> str:
    return f"{seat:064x}"


def seats_of(preset: str) -> list[int]:
    """Every number of seats at which a preset can be played."""
    from engine.errors import BadSeating
    from engine.game import game_of
    from engine.games import ruleset

    rules, found = ruleset(preset), []
    low, high = game_of(rules.game).seat_range
    for seats in range(low, high + 1):
        try:
            rules.sides(seats)
        except BadSeating:
            continue
        found.append(seats)
    return found


FEW = [("koikoi_nintendo", 2), ("hawaii", 4), ("nuki88", 3), ("oibana", 3), ("poka5", 2)]
"""One of each game; all the others are slow."""
ALL = [(preset, seats) for preset in PRESETS for seats in seats_of(preset)]


def a_table(
    preset: str = "koikoi_nintendo", sitters: Sequence[Sitter] = (), *, clock: Clock = CLOCKS["casual"], **more: object
) -> tuple[LiveTable, list[Sitter]]:
    """A table at which everybody sits, dealt."""
    people = list(sitters) or [guest("Plum"), guest("Crane")]
    plan = TablePlan(preset=preset, seats=len(people), clock=clock, **more)  # type: ignore[arg-type]
    table = open_table(people[0], plan, of_browser(nonce_hash(nonce_of(0))))
    for number, person in enumerate(people[1:], start=1):
        sit_down(table, person, of_browser(nonce_hash(nonce_of(number))))
    for number, person in enumerate(people):
        show_nonce(table, person, nonce_of(number))
    return again(table), people


def again(table: LiveTable) -> LiveTable:
    return LiveTable.objects.get(pk=table.pk)


def folded(table: LiveTable) -> Fold:
    """The table as its rows say, without anything that a process remembers."""
    fold = dealt(table, list(table.seats.order_by("index")))
    fold.take(Answer.objects.filter(table=table).order_by("n"))
    return fold


def at_random(seed: object) -> Chooser:
    rng = Random(str(seed))
    return lambda question: rng.randrange(len(question.legal))


def play_on(table: LiveTable, people: Sequence[Sitter], choose: Chooser, *, moves: int = 10_000) -> LiveTable:
    """Answer up to `moves` questions, each by the seat that is asked."""
    for _each in range(moves):
        table = again(table)
        if table.state != LiveTable.State.PLAYING:
            break
        question = folded(table).question
        assert question is not None
        answer(table, people[question.seat], question.n, choose(question))
    return again(table)
