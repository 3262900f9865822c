"""A bot for benchmarks: another house bot (its file `house.py`) with one habit, told in `habit.json`.

A habit is a list of rules [kind, word, way]; the first that fits the legal actions decides:
"always": the action of that kind (and word, where one is named) is taken whenever it is legal; "never": it is struck
from the legal actions as long as others remain; "enough": the lowest bid that is at the table now.
"""

import json
from typing import Any

import hanami
import house  # type: ignore[import-not-found]  # packed beside this file

AT_THE_TABLE = 2
HABIT: list[list[str]] = []


def start(hello: dict[str, Any]) -> None:
    """Learn the habit, and let the house bot begin."""
    HABIT[:] = json.loads(hanami.asset("habit.json"))
    if hasattr(house, "start"):
        house.start(hello)


def choose(obs: dict[str, Any]) -> object:
    """Return what the habit says, else what the house bot chooses."""
    legal = obs["legal"]
    allowed = list(range(len(legal)))
    for kind, word, way in HABIT:
        found = [index for index in allowed if kind in legal[index] and word in ("", legal[index][kind])]
        if way == "never":
            allowed = [index for index in allowed if index not in found] or allowed
        elif found:
            return enough(obs, found) if way == "enough" else found[0]
    choice = house.choose({**obs, "legal": [legal[index] for index in allowed]})
    return allowed[hanami.index_of(choice, [legal[index] for index in allowed])]


def enough(obs: dict[str, Any], bids: list[int]) -> int:
    """The lowest bid above the second highest one, or the highest there is."""
    made = sorted((bid for bid in obs["bids"] if bid is not None), reverse=True)
    wanted = made[AT_THE_TABLE - 1] + 1 if len(made) >= AT_THE_TABLE else 0
    return next((index for index in bids if obs["legal"][index]["bid"] >= wanted), bids[-1])
