"""Whole matches played at random by the real engine, and their documents."""

import random
from dataclasses import dataclass
from typing import Any

from engine.cards import CODES, CardSet, codes
from engine.games import ruleset
from engine.games.sakura.state import SakuraState
from engine.match import Match
from engine.record import write

SEATINGS: list[tuple[int, str, dict[str, Any]]] = [
    (2, "hawaii", {}),
    (3, "paradise", {"basa": True, "chu": True}),
    (4, "hawaii", {}),
    (4, "hawaii", {"teams": "2x2"}),
    (5, "paradise", {}),
    (6, "hawaii", {"teams": "3x2"}),
    (6, "hawaii", {"teams": "2x3"}),
    (7, "hawaii", {}),
]
NAMES = ("Plum", "Kiri", "Lani", "Kimo", "Nohea <b>", "Aki & Sons", "100 %(who)s")
FAIR = {"stage": "sha256:00", "commit": "sha256:00", "deal_set": "d", "leg": 1}


@dataclass(frozen=True)
class Places:
    """The places of the cards as the engine itself says, in the order of the cards' codes."""

    hands: list[list[str]]
    trays: list[list[str]]
    field: list[str]
    pile: int
    out: list[str]
    up: str | None


def places(state: Any) -> Places:
    """The engine's own state; a blocked Gaji is still in its hand, a flipped card that waits is turned up."""
    assert isinstance(state, SakuraState)
    pending = state.pending
    hands: list[CardSet] = list(state.hands)
    if pending >= 0 and not state.pending_flip:
        hands[state.turn] |= 1 << pending
    up = CODES[pending] if pending >= 0 and state.pending_flip else None
    return Places(
        [codes(hand) for hand in hands],
        [codes(tray) for tray in state.captured],
        codes(state.field),
        state.pile_left,
        codes(state.removed),
        up,
    )


@dataclass
class Game:
    """A finished match: its document, and the engine's places by (deal, move)."""

    document: dict[str, Any]
    places: dict[tuple[int, int], Places]


def play(seats: int, preset: str, overrides: dict[str, Any], *, seed: int, rounds: int = 2) -> Game:
    """Play a match of random moves. The last position of a deal is taken from a copy, before the next is dealt."""
    rng = random.Random(seed)
    match = Match(ruleset(preset, **{**overrides, "rounds": rounds}), seats, seed.to_bytes(16, "big"))
    seen: dict[tuple[int, int], Places] = {}
    while not match.is_over:
        seen[match.deal, match.move] = places(match.state)
        action = rng.choice(match.legal_actions())
        after = match.state.copy()
        after.apply(action)
        seen[match.deal, match.move + 1] = places(after)
        match.apply(action)
    document: Any = write(match, match_id="m", fair=FAIR, bots=["sha256:00"] * seats, preset=preset)
    document["view"]["names"] = list(NAMES[:seats])
    return Game(document, seen)


def games() -> list[tuple[tuple[int, str, dict[str, Any]], int]]:
    """Every seating with a few seeds."""
    return [(seating, 100 * number + seed) for number, seating in enumerate(SEATINGS) for seed in range(3)]
