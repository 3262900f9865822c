"""Errors in the input of a planner."""

from core.errors import TournamentError


class FormatError(TournamentError):
    """A stage that cannot be planned as asked. Codes: "format.*", "seats.*", "entries.*", "plan.*", "constraint.*"."""
