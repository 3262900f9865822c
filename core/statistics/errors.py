"""Errors in the input of a test or an estimate."""

from core.errors import TournamentError


class StatisticsError(TournamentError):
    """A test or estimate that cannot be made as asked. Codes: "sprt.*", "elo.*"."""
