"""The domain events of tournaments. Importing the package registers all of them."""

from tournaments.domain_events import (
    entries,
    invitations,
    matches,
    programs,
    ranking,
    registration,
    seasons,
    stages,
    tournaments,
)

__all__ = [
    "entries",
    "invitations",
    "matches",
    "programs",
    "ranking",
    "registration",
    "seasons",
    "stages",
    "tournaments",
]
