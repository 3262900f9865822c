"""greedy: takes what is worth most now, by card values alone; lays the cheapest card when nothing can be taken.

It never looks at yaku, at what is left on the field, or at the other seats.
"""

from typing import Any

import hanami


def choose(obs: dict[str, Any]) -> object:
    """The action that brings most points; of equal ones more cards; of cards to lay the cheapest.

    Where nothing is captured (bids, calls, discards) it does what is usual.
    """
    view = hanami.read(obs)

    def worth(index: int) -> tuple[int, int, float, int]:
        taken, laid = view.takes(view.legal[index]), view.lays(view.legal[index])
        return view.points(taken), taken.bit_count(), view.custom(view.legal[index]), -view.points(laid)

    return max(range(len(view.legal)), key=worth)
