"""From what `choose` returned to what the protocol sends: an index into `obs["legal"]`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

NO_SUCH_ACTION: Final = -1


def index_of(choice: object, legal: Sequence[object]) -> int:
    """The index of `choice` in `legal`; NO_SUCH_ACTION (-1, a forfeit as `illegal`) when it is not there.

    choice: an index (0 .. len(legal) - 1; anything with `__index__`, as numpy integers have, but no bool) or an
    element of `legal`, equal in every key. An `engine` Action is taken by its JSON form.
    """
    # True is an int, but `return card in hand` is a mistake and not a choice of the action 1.
    if isinstance(choice, bool):
        return NO_SUCH_ACTION
    if hasattr(choice, "__index__"):
        index = int(choice.__index__())
        return index if 0 <= index < len(legal) else NO_SUCH_ACTION
    form = getattr(choice, "to_json", None)
    wanted = form() if callable(form) else choice
    if isinstance(wanted, Mapping):
        wanted = dict(wanted)
    # By equality of all keys, so a bot may return the very dict it was shown or one that it built.
    return legal.index(wanted) if wanted in legal else NO_SUCH_ACTION
