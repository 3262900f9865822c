"""sampler: guesses the hidden cards many times, plays promising actions to the end of the deal, takes the best.

1. A quick look ranks the actions; the best few are candidates.
2. Each sampled world fits everything seen so far. In every world each candidate is played, and then all seats play the
   deal to its end by a greedy rule whose card values count yaku.
3. The candidate with the best mean lead wins; the quick look breaks what chance leaves open.
It counts samples and never looks at a clock, so the same `hello.rng` gives the same game.
Other numbers may come with the bot in `params.json`, for example {"worlds": 12}.
"""

import json
from contextlib import suppress
from typing import Any

import hanami

PARAMS = {
    "worlds": 48,  # sampled for each decision
    "candidates": 4,  # actions that are played out
    "prior": 1.0,  # weight of the quick look, in points
    "threat": 0.5,  # what a card left on the field costs in the quick look
    "step0": 3.0,  # the first card of a yaku that nobody else has touched
    "step1": 12.0,  # the second
    "step2": 50.0,  # the last
    "deny": 0.7,  # of the step that a card would be for another side
    "win": 20.0,  # points that winning the deal is worth when deals are counted, not points
}


def start(hello: dict[str, Any]) -> None:
    """Read other numbers, if any came with the bot."""
    with suppress(FileNotFoundError):
        PARAMS.update(json.loads(hanami.asset("params.json")))


def choose(obs: dict[str, Any]) -> object:
    """The index of the candidate that did best in the sampled worlds."""
    view = hanami.read(obs)
    tables = [card_worths(side, view.trays) for side in range(len(view.trays))]
    look = [quick_look(view, action, tables[view.side]) for action in view.legal]
    ranked = sorted(range(len(look)), key=look.__getitem__, reverse=True)
    candidates = ranked[: int(PARAMS["candidates"])]
    if len(candidates) == 1:
        return candidates[0]
    worlds = int(PARAMS["worlds"])
    totals = {index: PARAMS["prior"] * worlds * look[index] for index in candidates}
    policy = greedy_policy(tables, view.sides)
    for _ in range(worlds):
        world = view.determinize(hanami.rng)
        for index in candidates:
            totals[index] += success(view, view.playout(world, view.legal[index], policy))
    return max(candidates, key=totals.__getitem__)


def success(view: hanami.View, outcome: hanami.Outcome) -> float:
    """What the end of a deal is worth: the lead over the others' mean, and the win where wins are counted."""
    others = [score for side, score in enumerate(outcome.score) if side != view.side]
    lead: float = outcome.score[view.side] - sum(others) / len(others)
    if view.ruleset.options.scoring == "victories":
        lead = lead / 2 + PARAMS["win"] * outcome.victories[view.side]
    return lead


def card_worths(side: int, trays: tuple[int, ...]) -> list[float]:
    """What each of the 48 cards is worth to a side: points, the step to a yaku, and the step denied to others."""
    steps = (PARAMS["step0"], PARAMS["step1"], PARAMS["step2"], 0.0)
    worths = [value + 0.5 for value in hanami.VALUES]
    for yaku in hanami.YAKU.values():
        own = (trays[side] & yaku).bit_count()
        theirs = max((tray & yaku).bit_count() for number, tray in enumerate(trays) if number != side)
        if own and theirs:
            continue
        for card in hanami.members(yaku):
            worths[card] += PARAMS["deny"] * steps[theirs] if theirs else steps[own]
    return worths


def quick_look(view: hanami.View, action: hanami.Action, worths: list[float]) -> float:
    """What an action takes, minus the best of each month that it leaves for cards nobody has seen."""
    taken, laid = view.takes(action), view.lays(action)
    total = sum((worths[card] for card in hanami.members(taken)), 0.0)
    field = (view.field & ~taken) | laid
    for month in hanami.MONTH_MASKS:
        unseen = (view.unseen & month).bit_count()
        if unseen and field & month:
            best = max(worths[card] for card in hanami.members(field & month))
            total -= PARAMS["threat"] * best * min(unseen, 3) / 3
    return total


def greedy_policy(tables: list[list[float]], sides: tuple[int, ...]) -> hanami.Policy:
    """The rule of the playouts: take what is worth most to the own side; lay what is worth least."""
    months = [[[sum(table[4 * m + r] for r in range(4) if lying >> r & 1) for lying in range(16)] for m in range(12)]
              for table in tables]  # fmt: skip

    def policy(world: hanami.State, legal: tuple[hanami.Action, ...]) -> hanami.Action:
        side, field = sides[world.turn], world.field
        worths, sums = tables[side], months[side]
        best, most = legal[0], -1e9
        for action in legal:
            card, take = action.card, action.take
            if action.kind == "hiki":
                worth = sums[action.month - 1][15]
            elif take >= 0:
                worth = worths[take] + (worths[card] if card >= 0 else 0.0)
            elif card >= 0 and take == -1:
                lying = field >> (card & ~3) & 15
                worth = sums[card >> 2][lying] + worths[card] if lying else -worths[card]
            else:
                worth = 0.0
            if worth > most:
                best, most = action, worth
        return best

    return policy
