"""yaku: completes its own yaku, denies the others theirs, and does not leave on the field what others can take.

An action is worth the cards it takes, minus what others may then take from the field, plus what can still be taken
there next time. A card is worth its points, the step it makes towards a yaku, and the step it denies.
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
    "threat": 0.7,  # of what others may take
    "hope": 0.3,  # of what is left for me
}


def start(hello: dict[str, Any]) -> None:
    """Read other weights, if any came with the bot."""
    with suppress(FileNotFoundError):
        WEIGHTS.update(json.loads(hanami.asset("params.json")))


def choose(obs: dict[str, Any]) -> object:
    """The index of the action that is worth most."""
    view = hanami.read(obs)
    return max(range(len(view.legal)), key=lambda index: action_worth(view, view.legal[index]))


def action_worth(view: hanami.View, action: hanami.Action) -> float:
    """What an action brings now, and what it leaves behind."""
    taken, laid = view.takes(action), view.lays(action)
    mine, others = view.mine, view.others
    total = 0.0
    for card in hanami.members(taken):
        total += card_worth(card, mine, others)
        mine |= 1 << card
    field, hand = (view.field & ~taken) | laid, view.hand & ~(taken | laid)
    for month in hanami.MONTH_MASKS:
        if field & month:
            total += month_worth(view, field & month, hand & month, view.unseen & month, mine)
    return total


def month_worth(view: hanami.View, lying: int, held: int, unseen: int, mine: int) -> float:
    """The hope minus the threat of one month on the field: what lies there, what I hold, what others may hold."""
    worths = [card_worth(card, mine, view.others) for card in hanami.members(lying)]
    best = sum(worths) if len(worths) == 3 else max(worths)
    risk = chance_that_others_match(view, unseen.bit_count())
    total = 0.0
    if unseen:
        partner = max(card_worth(card, mine, view.others) for card in hanami.members(unseen))
        total -= WEIGHTS["threat"] * risk * (best + partner / 2)
    if held:
        partner = max(card_worth(card, mine, view.others) for card in hanami.members(held))
        total += WEIGHTS["hope"] * (1 - risk) * (best + partner)
    return total


def chance_that_others_match(view: hanami.View, unseen: int) -> float:
    """How likely one of so many unseen cards is in an opponent's hand, or flipped by an opponent before my turn."""
    hidden: int = view.unseen.bit_count()
    theirs = sum(size + 1 for size, side in zip(view.hand_sizes, view.sides) if side != view.side)
    return 1 - float((1 - min(1.0, theirs / max(1, hidden))) ** unseen)


def card_worth(card: int, mine: int, others: tuple[int, ...]) -> float:
    """Points of a card, the step it is for me, and the step it would be for another side."""
    steps = (WEIGHTS["step0"], WEIGHTS["step1"], WEIGHTS["step2"], 0.0)
    worth: float = hanami.VALUES[card] + WEIGHTS["chaff"]
    for yaku in hanami.YAKU_OF[card]:
        own = (mine & yaku).bit_count()
        theirs = max((tray & yaku).bit_count() for tray in others)
        if not theirs:
            worth += steps[own]
        elif not own:
            worth += WEIGHTS["deny"] * steps[theirs]
    return worth
