"""Errors in the input of a fold."""

from core.errors import TournamentError


class StandingsError(TournamentError):
    """A result, rule or document that standings cannot be made of. Codes: "result.*", "spec.*", "table.*"."""
