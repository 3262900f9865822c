"""A form that somebody sends, for the tests of who may send what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from accounts.models import User
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True)
class Scene:
    """An event with its people by role, and where the form is sent with which fields."""

    people: dict[str, User]
    path: str
    form: dict[str, str]
    event: Tournament


Post = tuple[Callable[[], Scene], frozenset[str]]
"""A form, and who may send it."""
