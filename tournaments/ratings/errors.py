"""What can be wrong with the input of a rating."""

from tournaments.errors import TournamentError


class RatingError(TournamentError):
    """A rating that cannot be worked out as asked. Codes: "rating.*", "interval.*"."""
