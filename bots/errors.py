"""The errors of the bots app: a user's mistake, a bot's fault and our own fault are separate branches."""

from __future__ import annotations

from engine.errors import DomainError


class BotError(DomainError):
    """Root of everything that can go wrong with bots; `code` is stable, the message may change."""

    code = "bot.error"


class BotFault(BotError):
    """One bot failed in a match and its seat forfeits. `code`: a value of `bots.protocol.messages.Fault`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class InfraFault(BotError):
    """Our own fault: no seat forfeits, the match goes back to the queue with this as the reason.

    `code`: `sandbox.<what>`: lock, zygote, thread, launch, killed.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
