"""sampler: guesses the hidden cards many times, plays promising actions to the end of the deal, takes the best.

1. A quick look ranks the actions: what they take, what they leave for others, what they leave for me. If one is clearly
   ahead it is played; otherwise the best few are candidates.
2. Each sampled world fits everything seen so far. In every world each candidate is played, and then all seats play the
   deal to its end by a greedy rule whose card values count yaku.
3. The candidate with the best mean lead, the quick look added, is played.
If nothing fits what was seen, it plays like `greedy`.
It counts samples and never looks at a clock, so the same `hello.rng` gives the same game.
Other numbers may come with the bot in `params.json`, for example {"worlds": 12}.
"""

import json
from contextlib import suppress
from typing import Any

import greedy  # type: ignore[import-not-found]  # packed beside this file
import hanami

PARAMS = {
    "worlds": 64,  # sampled for each decision
    "candidates": 4,  # actions that are played out at most
    "bids": 2,  # the same, of bids: usually the least and what it takes to play
    "clear": 20.0,  # an action behind by so much is no candidate
    "prior": 1.0,  # weight of the quick look against the mean of the playouts
    "threat": 0.6,  # of what others may take from the field
    "hope": 0.3,  # of what is left there for me
    "step0": 3.0,  # the first card of a yaku that nobody else has touched
    "step1": 12.0,  # the second
    "step2": 50.0,  # the last
    "deny": 0.7,  # of the step that a card would be for another side
    "urgent": 1.5,  # in playouts: of a card that others may take if I do not
    "yaku": 30.0,  # points of a yaku at the end of a playout: below 50, since far yaku are mostly luck
    "win": 10.0,  # points of a deal won, where deals are counted
    "stake": 40.0,  # the same in Oi-bana, where nothing else counts: but a lead of points is what makes it likely
}
EFFORT = {"oibana": 0.4, "nuki": 0.5, "poka": 2.0}  # of the worlds: deals take longer to play, or say less
SPOKEN_EFFORT = {"bid": 4.0, "join": 4.0, "call": 4.0, "declare": 4.0}  # times that: they are few
UNIT = {"oibana": 5.0, "poka": 10.0, "koikoi": 10.0}  # card points for a point, where a deal is worth few


def start(hello: dict[str, Any]) -> None:
    """Read other numbers, if any came with the bot."""
    with suppress(FileNotFoundError):
        PARAMS.update(json.loads(hanami.asset("params.json")))


def choose(obs: dict[str, Any]) -> object:
    """The index of the candidate that did best in the sampled worlds."""
    view = hanami.read(obs)
    look = all_looks(view)
    ranked = sorted(range(len(look)), key=look.__getitem__, reverse=True)
    best_look = look[ranked[0]]
    most = int(PARAMS["bids" if view.legal[0].kind == "bid" else "candidates"])
    candidates = [index for index in ranked[:most] if best_look - look[index] < PARAMS["clear"]]
    if len(candidates) == 1:
        return candidates[0]
    try:
        return best_of(view, candidates, look)
    except hanami.NoWorld:
        return greedy.choose(obs)


def best_of(view: hanami.View, candidates: list[int], look: list[float]) -> int:
    """The candidate that does best in the sampled worlds. Raises NoWorld."""
    effort: float = EFFORT.get(view.ruleset.game, 1.0) * SPOKEN_EFFORT.get(view.legal[-1].kind, 1.0)
    worlds = max(1, int(PARAMS["worlds"] * effort))
    totals = {index: PARAMS["prior"] * worlds * look[index] for index in candidates}
    policy = greedy_policy(view)
    for _ in range(worlds):
        world = view.determinize(hanami.rng)
        for index in candidates:
            totals[index] += success(view, view.playout(world, view.legal[index], policy))
    best: int = max(candidates, key=totals.__getitem__)
    return best


def all_looks(view: hanami.View) -> list[float]:
    """The quick look at every action. A cancel stands beside the best card, better or worse by what it is worth."""
    unit = UNIT.get(view.ruleset.game, 1.0)
    look = [quick_look(view, view.legal[index]) for index in view.plays]
    best = max(look, default=0.0)
    return look + [best + unit * view.custom(action) for action in view.legal[len(look) :]]


def success(view: hanami.View, outcome: hanami.Outcome) -> float:
    """Return what the end of a deal is worth: points and yaku ahead of the others' mean, and the win where
    wins count.
    """
    game, side, win = view.ruleset.game, view.side, 0.0
    if game == "oibana" and view.phase != "auction":  # the deal of two at the table, won or lost
        win = PARAMS["stake"] if outcome.winner == view.seat else 0.0
        side, outcome, game = outcome.players.index(view.seat), outcome.table, "sakura"
    elif view.ruleset.options.scoring == "victories":
        win = PARAMS["win"] * outcome.victories[side]
    if game == "sakura":
        gains = [points + PARAMS["yaku"] * len(yaku) for points, yaku in zip(outcome.points, outcome.yaku)]
    else:
        gains = [UNIT.get(game, 1.0) * score for score in outcome.score]
    own = gains.pop(side)
    lead: float = own - sum(gains) / len(gains) + win
    return lead


def card_worths(view: hanami.View, side: int, trays: tuple[int, ...]) -> list[float]:
    """Return what each of the 48 cards is worth to a side: points, the step to a yaku, and the step denied to
    others.
    """
    steps = (*[0.0] * 4, PARAMS["step0"], PARAMS["step1"], PARAMS["step2"], 0.0)  # the last: nothing is missing
    worths = [value + 0.5 for value in view.values]
    for yaku in view.yaku.values():
        start = 7 - yaku.bit_count()
        own = (trays[side] & yaku).bit_count()
        theirs = max((tray & yaku).bit_count() for number, tray in enumerate(trays) if number != side)
        if own and theirs:
            continue
        for card in hanami.members(yaku):
            worths[card] += PARAMS["deny"] * steps[start + theirs] if theirs else steps[start + own]
    return worths


def quick_look(view: hanami.View, action: hanami.Action) -> float:
    """Return what an action takes, minus what others may then take from the field, plus what I may take there next
    time.
    """
    taken, laid = view.takes(action), view.lays(action)
    worths = card_worths(view, view.side, view.trays)
    total: float = sum((worths[card] for card in hanami.members(taken)), 0.0)
    trays = tuple(tray | taken if side == view.side else tray for side, tray in enumerate(view.trays))
    worths = card_worths(view, view.side, trays)
    field, hand = (view.field & ~taken) | laid, view.hand & ~(taken | laid)
    for month in hanami.MONTH_MASKS:
        if field & month:
            lying = [worths[card] for card in hanami.members(field & month)]
            prize = sum(lying) if len(lying) == 3 else max(lying)
            best_held_worth = max((worths[card] for card in hanami.members(hand & month)), default=-prize)
            unseen = max((worths[card] for card in hanami.members(view.unseen & month)), default=-2 * prize)
            risk = chance_that_others_match(view, (view.unseen & month).bit_count())
            total += PARAMS["hope"] * (1 - risk) * (prize + best_held_worth)
            total -= PARAMS["threat"] * risk * (prize + unseen / 2)
    return total


def chance_that_others_match(view: hanami.View, unseen: int) -> float:
    """Return how likely one of that many unseen cards is in an opponent's hand, or flipped by an opponent before my
    turn.
    """
    hidden: int = view.unseen.bit_count()
    theirs = sum(size + 1 for size, side in zip(view.hand_sizes, view.sides) if side != view.side)
    return 1 - float((1 - min(1.0, theirs / max(1, hidden))) ** unseen)


def greedy_policy(view: hanami.View) -> hanami.Policy:
    """The rule of the playouts: take what is worth most to the own side, most of all what others could take."""
    tables = [card_worths(view, side, view.trays) for side in range(len(view.trays))]
    months = [[[sum(table[4 * m + r] for r in range(4) if lying >> r & 1) for lying in range(16)] for m in range(12)]
              for table in tables]  # fmt: skip
    sides, urgent, has_table = view.sides, PARAMS["urgent"], view.ruleset.game == "oibana"

    def policy(world: hanami.State, legal: tuple[hanami.Action, ...]) -> hanami.Action:
        if legal[-1].kind in hanami.SPOKEN:
            usual = hanami.customary(world, legal)
            if usual.kind in hanami.SPOKEN:
                return usual
            legal = legal[:-1]  # all but the cancel
        side = sides[world.seat_to_act]
        if has_table:
            world = world.table
        worths, sums, field = tables[side], months[side], world.field
        known = world.hands[world.turn] | field
        for tray in world.captured:
            known |= tray
        best, most = legal[0], -1e9
        for action in legal:
            card, take, worth = action.card, action.take, 0.0
            if action.kind == "hiki":
                worth = sums[action.month - 1][15]
            elif take >= 0:
                keen = 1 + urgent if ~known >> (take & ~3) & 15 else 1
                worth = keen * worths[take] + (worths[card] if card >= 0 else 0.0)
            elif card >= 0 and take == -1:
                lying = field >> (card & ~3) & 15
                keen = 1 + urgent if ~known >> (card & ~3) & 15 else 1
                worth = keen * sums[card >> 2][lying] + worths[card] if lying else -worths[card]
            if worth > most:
                best, most = action, worth
        return best

    return policy
