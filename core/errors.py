"""The root of what can go wrong in a tournament: the user's mistake, said with what to do."""

from engine.errors import DomainError


class TournamentError(DomainError):
    """A tournament's rule or state forbids it. `code` is stable ("entry.closed"), the message may change."""

    code = "tournament.error"
