"""Errors in the input of a rating."""

from core.errors import TournamentError


class RatingError(TournamentError):
    """A rating that cannot be worked out as asked. Codes: "rating.*", "interval.*"."""
