"""10,000 random deals over 2 to 7 players, all team seatings, all presets and many other option values.

Each case plays whole matches; every few moves the deeper properties are looked at. Source: rules.md 10.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Final

import pytest

from engine.action import Action
from engine.cards import ALL, points
from engine.deck import commitment
from engine.errors import IllegalAction, Refusal
from engine.game import OptionValue, Ruleset
from engine.games import ruleset
from engine.games.sakura import SAKURA
from engine.games.sakura.observation import determinize, observe, to_json
from engine.games.sakura.options import SakuraOptions
from engine.games.sakura.outcome import SakuraOutcome
from engine.games.sakura.refusal import check_legality
from engine.games.sakura.state import SakuraState
from engine.match import Match
from engine.notation import format_move, parse_move
from engine.record import canonical, rederive, verify, write
from tests.engine.worlds import SAKURA_PRESETS, SEATINGS, VARIANTS, contents, is_partition, seed_of, shuffled_for, zones

ROUNDS: Final = 10
CASES: Final[list[tuple[str, Mapping[str, OptionValue], int, str]]] = [
    (preset, {}, seats, teams) for preset in SAKURA_PRESETS for seats, teams in SEATINGS
] + [
    ("hawaii", variant, seats, teams) for variant in VARIANTS for seats, teams in ((2, "solo"), (5, "solo"), (6, "3x2"))
]
MATCHES: Final = -(-10_000 // (ROUNDS * len(CASES)))

EVERY_ACTION: Final = [
    *(Action.of("play", card, take) for card in range(48) for take in (*range(-5, 0), *range(48))),
    *(Action.of("hiki", month=month) for month in range(1, 13)),
    *(Action.of(kind, take=take) for kind in ("draw_take", "blocked_choice") for take in (*range(-5, 0), *range(48))),
    Action.of("draw_only"),
]


def test_there_are_ten_thousand() -> None:
    assert len(CASES) * MATCHES * ROUNDS >= 10_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "options", "seats", "teams"), CASES, ids=lambda value: value if isinstance(value, str) else None
)
def test_random_deals(preset: str, options: Mapping[str, OptionValue], seats: int, teams: str) -> None:
    rules = ruleset(preset, **{"rounds": ROUNDS, **options, "teams": teams})
    for number in range(MATCHES):
        seed = seed_of(preset, sorted(options), seats, teams, number)
        match = Match(rules, seats, seed)
        _play(match, Random(seed))
        _check_outcomes(match)
        _check_record(match, seed, preset)


def _play(match: Match, rng: Random) -> None:
    """Play a match at random; every move keeps all cards, every twentieth or so is looked at closely."""
    while not match.is_over:
        state = match.state
        assert isinstance(state, SakuraState)
        assert is_partition(state)
        legal = match.legal_actions()
        assert legal, "somebody must decide, but nothing is legal"
        assert len(set(legal)) == len(legal)
        if rng.random() < 0.05:
            _check_actions(state, legal, rng)
            _check_knowledge(state, rng)
        match.apply(rng.choice(legal))


def _check_actions(state: SakuraState, legal: tuple[Action, ...], rng: Random) -> None:
    before = contents(state)
    for action in legal:
        twin = state.copy()
        twin.apply(action)
        assert is_partition(twin)
        assert Action.from_json(json.loads(json.dumps(action.to_json()))) is action
        assert parse_move(format_move(state.turn, action)) == (state.turn, action)
        assert state.resolve(action) is action
    for action in rng.sample(EVERY_ACTION, 25):
        _check_unlisted(state, action, legal)
    assert contents(state) == before, "a refusal or a copy changed the world"


def _check_unlisted(state: SakuraState, action: Action, legal: tuple[Action, ...]) -> None:
    """Check that what is not listed is refused with a code of rules 3.1, unless it is a shorthand of what is listed."""
    wanted = check_legality(state, action, state.turn)
    if isinstance(wanted, Action):
        assert wanted in legal
    else:
        assert action not in legal
        assert wanted.value in Refusal.__members__
        with pytest.raises(IllegalAction, match=wanted.value):
            state.apply(action)
    if action in legal:
        other = (state.turn + 1) % state.rules.seats
        with pytest.raises(IllegalAction, match="NOT_YOUR_TURN"):
            state.apply(action, seat=other)


def _check_knowledge(state: SakuraState, rng: Random) -> None:
    """Worlds that a seat cannot tell apart look the same to it; a sampled world is one of them."""
    for seat in range(state.rules.seats):
        seen = observe(state, seat)
        twin = shuffled_for(state, seat, rng)
        assert is_partition(twin)
        assert observe(twin, seat) == seen
        assert to_json(twin, seat) == to_json(state, seat)
        world = determinize(seen, rng)
        assert is_partition(world)
        assert observe(world, seat) == seen


def _check_outcomes(match: Match) -> None:
    """Values add up to 240, scores to what the yaku leave of them; each yaku is made once."""
    assert match.deal == ROUNDS
    options = match.ruleset.options
    assert isinstance(options, SakuraOptions)
    for log in match.deals:
        outcome = log.outcome
        assert isinstance(outcome, SakuraOutcome)
        yaku = [name for made in outcome.yaku for name in made]
        assert len(set(yaku)) == len(yaku)
        assert sum(outcome.victories) in ((1, 2, 3) if outcome.winner is not None else (0,))
        if outcome.reason == "played":
            lost = options.yaku_penalty * (match.side_count - 1) * len(yaku)
            assert sum(outcome.score) == sum(outcome.points) - lost
    state = match.state
    assert isinstance(state, SakuraState)
    if state.end == "played":
        _check_values(state, state.outcome())


def _check_values(state: SakuraState, outcome: SakuraOutcome) -> None:
    captured = sum(points(pile) for pile in state.captured)
    others = [cards for cards in zones(state) if cards not in state.captured]
    assert captured == sum(outcome.points)
    assert captured + sum(points(cards) for cards in others) == points(ALL) == 240


def _check_record(match: Match, seed: bytes, preset: str) -> None:
    """The record re-derives to the same bytes, from its own text as well, and verifies with and without the seed."""
    fair = {"stage": "sha256:00", "commit": commitment(seed), "deal_set": "d", "leg": 1}
    document = json.loads(json.dumps(write(match, match_id="m", fair=fair, bots=[None] * match.seats, preset=preset)))
    assert rederive(document) == canonical(document["record"])
    found = verify(document, seed=seed)
    assert found.ok, found


def test_every_option_value_is_played() -> None:
    """Presets and variants together use each value of each option that a deal can show."""
    used: dict[str, set[object]] = {}
    for preset, options, _, teams in CASES:
        played: Ruleset = ruleset(preset, **{**options, "teams": teams})
        for info in SAKURA.options:
            used.setdefault(info.id, set()).add(getattr(played.options, info.id))
    for info in SAKURA.options:
        assert set(info.allowed) <= used[info.id], info.id
