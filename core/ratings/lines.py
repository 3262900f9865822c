"""Lines of versions: a later version of a bot begins where the one before it stands, only less sure.

A name is "line/version", both with leading zeros, so that names sort as their numbers do and a fold of the same results
is the same wherever they are stored.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import sqrt

from core.ratings.fold import Born
from core.ratings.model import Params, Rating

NEW_VERSION = 0.5
"""The share of the first uncertainty that a new version adds to that of its predecessor."""


def name_of(line: int, version: int) -> str:
    """Return the name of a version. line: whose versions; version: from 1."""
    return f"{line:012}/{version:06}"


def read_name(name: str) -> tuple[int, int]:
    """Return (line, version) of a name."""
    line, _slash, version = name.partition("/")
    return int(line), int(version)


def heir(rating: Rating, params: Params) -> Rating:
    """Return where the next version begins: at the same strength, less surely, never less than at the very start."""
    # Variances add up: the change from one version to the next is taken for independent of what was known before.
    return Rating(rating.mu, min(params.sigma, sqrt(rating.sigma**2 + (NEW_VERSION * params.sigma) ** 2)))


def born_of(params: Params) -> Born:
    """Begin where the latest earlier version stands that is rated; the first one with the pool's own start."""

    def born(name: str, ratings: Mapping[str, Rating]) -> Rating:
        line, version = read_name(name)
        for earlier in range(version - 1, 0, -1):
            found = ratings.get(name_of(line, earlier))
            if found is not None:
                return heir(found, params)
        return params.start

    return born
