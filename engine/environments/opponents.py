"""Policies for the seats that do not learn: a policy is a function of the episode and a source of chance.

Better ones can be passed in their place; a policy sees no more than its seat's typed observation if it asks for that.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

from engine.action import TRIPLE, Action
from engine.cards import BITS, MONTH_MASKS, VALUES, CardSet, members
from engine.episode import Episode
from engine.game import game_of

Policy: TypeAlias = Callable[[Episode, Random], int]
"""Chooses a legal number for the seat that decides."""


def random_policy(episode: Episode, rng: Random) -> int:
    """Any legal number, each equally likely."""
    return rng.choice(tuple(episode.choices))


def greedy_policy(episode: Episode, rng: Random) -> int:
    """The number whose action brings the most card points now; the first of equal ones, as `legal_actions` has them."""
    course = episode.course
    assert course is not None, "the episode has begun"
    field = _field(game_of(episode.ruleset.game).observe(course.state, episode.seat))
    gains = {number: max(gain(action, field) for action in actions) for number, actions in episode.choices.items()}
    return max(gains, key=gains.__getitem__)


def _field(observation: Any) -> CardSet:
    """Return the cards on the field; none where a game has no field, or none yet."""
    table = getattr(observation, "table", observation)
    found: CardSet = getattr(table, "field", 0)
    return found


def gain(action: Action, field: CardSet) -> int:
    """Return the card points that an action brings from this field; less than 0 for a card that it gives away.

    >>> from engine.cards import card_index, parse_cards
    >>> gain(Action.of("play", card_index("03.3")), parse_cards("03.1 05.1"))
    20
    """
    if action.kind != "play":
        return VALUES[action.take] if action.take >= 0 else 0
    if action.take >= 0:
        return VALUES[action.card] + VALUES[action.take]
    taken = field & MONTH_MASKS[action.card // 4] & ~BITS[action.card]
    if not taken or action.take not in (-1, TRIPLE):
        return -1 - VALUES[action.card]
    return VALUES[action.card] + sum(VALUES[card] for card in members(taken))
