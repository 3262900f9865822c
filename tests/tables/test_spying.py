"""A spy at every seat: two worlds that differ only in cards which the spy has not seen answer alike, byte by byte.

One table is played twice over HTTP, the second time with two unseen cards exchanged. All that the spy may ask for is
compared: page, view, refusals, the match that there is not yet, the channels of the event stream, and what was logged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import product
from random import Random
from typing import Any

import pytest
import structlog
import time_machine
from django.db import transaction
from django.test import Client

from activity.models import Outbox
from engine.action import Action
from engine.course import SeedOrders
from engine.game import Ruleset, game_of
from engine.games import ruleset
from engine.match import Match
from tables.actions.answering import answer
from tables.actions.folding import _FOLDS
from tables.models import LiveTable
from tables.play import fold as folds
from tables.play.clocks import CLOCKS
from tables.play.fold import Fold, begin
from tables.receivers import SESSION_KEY
from tests.tables.players import ALL, a_table, again, guest
from tests.tables.test_views import Swapped, hidden_pair

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
QUICK = ("koikoi_nintendo", 2)
MOVES, ATTEMPTS = 8, 2
ONE, OTHER = b"1" * 32, b"2" * 32
"""Seeds by which a table knows in which world it is; the cards of both come from a third (`cards_of`)."""
TOKEN = re.compile(rb'name=\\?"csrfmiddlewaretoken\\?" value=\\?"[^"]+"')
OF_EACH_REQUEST = "X-Request-ID"


@dataclass(frozen=True)
class Step:
    """An answer: the seat, and its index in either world."""

    seat: int
    n: int
    index: tuple[int, int]


@pytest.fixture
def frozen() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


def cards_of(rules: Ruleset, seats: int) -> bytes:
    """Return the first seed whose first deal is played: one that is over as it was dealt leaves nothing to hide."""
    return next(seed for seed in (bytes([n]) * 32 for n in range(256)) if Match(rules, seats, seed).deal == 1)


def two_worlds(monkeypatch: pytest.MonkeyPatch, rules: Ruleset, seats: int, spy: int, rng: Random) -> None:
    """From now on a table whose seed is OTHER has two cards exchanged that the spy does not see at the beginning."""
    cards = cards_of(rules, seats)
    orders = Swapped(cards, game_of(rules.game).deck)
    object.__setattr__(orders, "pair", hidden_pair(Match(rules, seats, cards), spy, rng))

    def match_of(rules: Ruleset, seats: int, seed: bytes) -> Match:
        own = orders if seed == OTHER else SeedOrders(cards, game_of(rules.game).deck)
        return Match(rules, seats, ONE, orders=own)

    monkeypatch.setattr(folds, "Match", match_of)


def plan_of(rules: Ruleset, seats: int, spy: int, rng: Random) -> list[Step] | None:
    """Return answers that are possible in both worlds, as long as the spy is told the same in both.

    None: moves that nobody is asked for tell them apart at once.
    """
    worlds = [begin(rules, seats, seed, CLOCKS["casual"], NOW) for seed in (ONE, OTHER)]
    steps: list[Step] = []
    if not _look_alike(worlds, spy):
        return None
    while len(steps) < MOVES and _look_alike(worlds, spy):
        one, other = (world.question for world in worlds)
        if one is None or other is None or one.seat != other.seat:
            break
        both: list[Action] = [action for action in one.legal if action in other.legal]
        if not both:
            break
        action = rng.choice(both)
        indices = (one.legal.index(action), other.legal.index(action))
        steps.append(Step(one.seat, one.n, indices))
        for world, index in zip(worlds, indices, strict=True):
            world._answer(one.seat, index, 0)
            world._play_on()
    return steps if _look_alike(worlds, spy) else steps[:-1]


def _look_alike(worlds: list[Fold], spy: int) -> bool:
    one, other = (
        [
            world.match.observation(spy, match_id="", preset="", since=0, ms_left=0),
            world.match.deal,
            world.question and (world.question.seat, world.question.legal if world.question.seat == spy else 0),
        ]
        for world in worlds
    )
    return one == other and worlds[0].match.deal == 1


def heard(table: LiveTable, client: Client, *, is_all: bool) -> list[object]:
    """Return what a spy gets. is_all: also what is never there while a table is played."""
    here = f"/play/{table.uuid}/"
    asked = [
        client.get(here),
        client.get(f"{here}view/?part"),
        client.get(f"{here}view/?after=3"),
        client.post(f"{here}do/answer/", {"n": 999, "a": 0}, headers={"accept": "application/json"}),
        client.post(f"{here}do/nonce/", {"nonce": "0" * 32}, headers={"accept": "application/json"}),
    ]
    further = [f"/m/{table.uuid}/", f"/m/{table.uuid}/record.json", f"/api/v1/matches/{table.uuid}", "/play/"]
    asked += [client.get(path) for path in further if is_all]
    news = list(Outbox.objects.filter(channel=table.channel).order_by("version").values("version", "topic", "payload"))
    return [(one.status_code, TOKEN.sub(b"", one.content), _headers(one)) for one in asked] + [news]


def _headers(response: Any) -> list[tuple[str, str]]:
    return sorted((name, value) for name, value in response.headers.items() if name != OF_EACH_REQUEST)


def played(table: LiveTable, people: list[Any], clients: list[Client], spy: int, steps: list[Step], world: int) -> Any:
    """Play the steps in one world, and return all that the spy got; nothing of it stays."""
    found: list[object] = []
    _FOLDS._folds.clear()
    with transaction.atomic(), structlog.testing.capture_logs() as logs:
        for number in range(len(steps) + 1):
            found.append(heard(again(table), clients[spy], is_all=number in (0, len(steps))))
            if number < len(steps):
                step = steps[number]
                answer(table, people[step.seat], step.n, step.index[world])
        transaction.set_rollback(True)
    return [*found, logs]


@pytest.mark.thorough
@pytest.mark.django_db
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("frozen")
@pytest.mark.parametrize(
    ("preset", "seats"), [one if one == QUICK else pytest.param(*one, marks=pytest.mark.slow) for one in ALL]
)
def test_a_spy_hears_the_same_in_two_worlds(preset: str, seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    people = [guest(f"Guest {number}") for number in range(seats)]
    table, _people = a_table(preset, people)
    clients = [Client() for _each in people]
    for client, person in zip(clients, people, strict=True):
        session = client.session
        session[SESSION_KEY] = str(person.guest)
        session.save()
    compared = 0
    for spy, attempt in product(range(seats), range(ATTEMPTS)):
        rng = Random(f"{preset}{seats}{spy}{attempt}")
        with monkeypatch.context() as patched:
            two_worlds(patched, ruleset(preset), seats, spy, rng)
            steps = plan_of(ruleset(preset), seats, spy, rng)
            if steps is None:
                continue
            both = []
            for world, seed in enumerate((ONE, OTHER)):
                patched.setattr("tables.actions.folding.seed_of", lambda _table, _seats, seed=seed: seed)
                both.append(played(table, people, clients, spy, steps, world))
        assert both[0] == both[1]
        compared += 1 + len(steps)
    assert compared > seats, "the worlds part before anything is compared"
