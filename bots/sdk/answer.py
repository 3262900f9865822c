"""From what `choose` returned to what the protocol sends: an index into `obs["legal"]`."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from reprlib import Repr
from typing import Final

NO_SUCH_ACTION: Final = -1
MAX_SHOWN: Final = 200
"""Characters of an answer that its author is shown."""


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


def mistake(choice: object, legal: Sequence[object]) -> str:
    """Say to the author what `choose` returned instead of an action, and what that usually means. One line."""
    kind = type(choice).__name__
    return (
        f"hanami: choose returned {_shown(choice)} ({kind}), which is none of the {len(legal)} legal actions. "
        f"{_hint(choice, len(legal))}\n"
    )


def _shown(choice: object) -> str:
    # Bounded at every level: a bot may return a list of a million entries, or an object whose repr fails.
    writer = Repr()
    writer.maxlevel, writer.maxstring, writer.maxother, writer.maxlong = 4, MAX_SHOWN, MAX_SHOWN, MAX_SHOWN
    return " ".join(writer.repr(choice).split())[:MAX_SHOWN]


def _hint(choice: object, count: int) -> str:
    if choice is None:
        return "Is there a path through choose without a return?"
    if isinstance(choice, bool):
        return "True and False are no index: return the action itself, or its number."
    if inspect.iscoroutine(choice):
        return "choose must be a plain function: write def, not async def."
    if hasattr(choice, "__index__"):
        return f"An index goes from 0 to {count - 1}; negative ones do not count from the end."
    if isinstance(choice, float):
        return "A number with a decimal point is no index: round it with int()."
    if isinstance(choice, str):
        return "A text is no action: return an element of obs['legal'], or its index as a number."
    if isinstance(choice, Mapping):
        return "An action has to be equal to one in obs['legal'], key by key."
    return "Return one element of obs['legal'] or of view.legal, or its index."
