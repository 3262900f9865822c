"""greedy: takes what is worth most now, by card values alone; lays the cheapest card when nothing can be taken.

It never looks at what is left on the field, nor at the other seats' cards; of combinations only at those that are paid
to who captures them (the dekiyaku of Nuki). Bids, calls and discards are those of highest worth: `hanami.custom`.
"""

from typing import Any

import hanami


def choose(obs: dict[str, Any]) -> object:
    """The action that brings most points; of equal ones more cards; of cards to lay the cheapest."""
    view = hanami.read(obs)
    answer = view.spoken()
    if answer is not None:
        return answer

    def worth(index: int) -> tuple[int, int, int]:
        taken, laid = view.takes(view.legal[index]), view.lays(view.legal[index])
        return view.brings(taken), taken.bit_count(), -view.points(laid)

    return max(view.plays, key=worth)
