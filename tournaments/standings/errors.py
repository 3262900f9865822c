"""What can be wrong with the input of a fold."""

from tournaments.errors import TournamentError


class StandingsError(TournamentError):
    """A result, rule or document that standings cannot be made of. Codes: "result.*", "spec.*", "table.*"."""
