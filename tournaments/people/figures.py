"""Lines on a person's page that apps above this one have to say: live tables are played there, not here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from accounts.models import User

Figure = Callable[[User], str]
"""Returns one sentence about a person in the reader's language, "" for none."""
_figures: Final[list[Figure]] = []


def register(figure: Figure) -> None:
    """Add a line to the pages of all people. Called once, when the app above is ready."""
    _figures.append(figure)


def figures_of(person: User) -> list[str]:
    """Return the sentences about a person."""
    return [text for figure in _figures if (text := figure(person))]
