"""What can be wrong with a file that is read, or with an event that is to be written."""

from tournaments.errors import TournamentError


class InterchangeError(TournamentError):
    """A file or an event that cannot be carried over. Codes: "trf.*"."""
