"""yaku: completes its own yaku, denies the others theirs, and does not leave on the field what others can take.

An action is worth the cards it takes, minus the best card of each month that it leaves for cards nobody has seen.
A card is worth its points, the step it makes towards a yaku, and the step it denies. Bids, calls and discards are those
of highest worth: `hanami.custom`.
Other weights may come with the bot in `params.json`, for example {"deny": 1.0}.
"""

import json
from contextlib import suppress
from typing import Any

import hanami

WEIGHTS = {
    "step0": 3.0,  # the first card of a yaku that nobody else has touched
    "step1": 12.0,  # the second
    "step2": 50.0,  # the last: the yaku is made
    "deny": 0.7,  # of the step that a card would be for another side
    "chaff": 0.5,  # any card at all
    "threat": 0.5,  # of what others may take, when three cards that match it are unseen
}


def start(hello: dict[str, Any]) -> None:
    """Read other weights, if any came with the bot."""
    with suppress(FileNotFoundError):
        WEIGHTS.update(json.loads(hanami.asset("params.json")))


def choose(obs: dict[str, Any]) -> object:
    """The index of the action that is worth most."""
    view = hanami.read(obs)
    answer = view.spoken()
    return max(view.plays, key=lambda index: action_worth(view, view.legal[index])) if answer is None else answer


def action_worth(view: hanami.View, action: hanami.Action) -> float:
    """Return what an action brings now, minus what it leaves for others."""
    taken, laid = view.takes(action), view.lays(action)
    mine, others = view.mine, view.others
    total = 0.0
    for card in hanami.members(taken):
        total += card_worth(view, card, mine, others)
        mine |= 1 << card
    field = (view.field & ~taken) | laid
    for month in hanami.MONTH_MASKS:
        unseen = (view.unseen & month).bit_count()
        if unseen and field & month:
            best = max(card_worth(view, card, mine, others) for card in hanami.members(field & month))
            total -= WEIGHTS["threat"] * best * unseen / 3
    return total


def card_worth(view: hanami.View, card: int, mine: int, others: tuple[int, ...]) -> float:
    """Points of a card, the step it is for me, and the step it would be for another side."""
    steps = {1: WEIGHTS["step2"], 2: WEIGHTS["step1"], 3: WEIGHTS["step0"]}
    worth: float = view.values[card] + WEIGHTS["chaff"]
    for yaku in view.yaku.values():
        if not yaku >> card & 1:
            continue
        own = (mine & yaku).bit_count()
        theirs = max((tray & yaku).bit_count() for tray in others)
        if not theirs:
            worth += steps.get(yaku.bit_count() - own, 0.0)
        # With cards on both sides the yaku is dead: it is worth nothing to either.
        elif not own:
            worth += WEIGHTS["deny"] * steps.get(yaku.bit_count() - theirs, 0.0)
    return worth
