"""What a seat that is no person is told and asked, as in Protocol v1, pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from bots.protocol.messages import MAX_TO_BOT, VERSION
from engine.deck import bot_rng
from tables.play.fold import Fold

ROOM: Final = MAX_TO_BOT - 8_192
"""Bytes that events of the match may have in one question; the rest of the question needs much less than is left."""


def hello_to(fold: Fold, seat: int, *, match_id: str, clock: Mapping[str, Any], draw: int) -> dict[str, Any]:
    """Return the hello to a seat. draw: another number gives other random bytes; they say nothing about the decks."""
    return {
        "v": VERSION,
        "match": match_id,
        "ruleset": fold.match.ruleset.to_json(),
        "seats": fold.match.seats,
        "sides": list(fold.match.sides),
        "me": f"p{seat}",
        "clock": dict(clock),
        "rng": bot_rng(fold.match.seed, draw, seat).hex(),
    }


def question_to(fold: Fold, seat: int, *, match_id: str, preset: str, ms_left: int, since: int = 0) -> dict[str, Any]:
    """Return what the seat may know, with everything that was told since event `since`, as far as there is room."""
    match = fold.match
    # A long match: its first deals are left out, never part of the present one.
    while len(json.dumps(match.events[since:])) > ROOM and (later := _next_deal(match.events, since)) is not None:
        since = later
    return match.observation(seat, match_id=match_id, preset=preset, since=since, ms_left=ms_left)


def told_before(fold: Fold, seat: int, known: int) -> int:
    """Return how many public events a seat knows that has seen its questions up to number `known`; 0: none of them."""
    own = fold.heard[seat]
    return own[min(known, len(own)) - 1] if known > 0 and own else 0


def _next_deal(events: list[dict[str, Any]], since: int) -> int | None:
    """Return the index at which the next deal begins."""
    return next((index for index in range(since + 1, len(events)) if "deal" in events[index]), None)
