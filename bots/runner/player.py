"""The two contracts between a table and a bot, which sandboxed and in-process players fulfil."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from bots.runner.spec import Clock


class Player(Protocol):
    """One bot in one match: load once, ask in turn, close. After a BotFault only log and close make sense."""

    @property
    def cpu_ms(self) -> float:
        """CPU milliseconds charged to the bot so far, loading and the time between its turns included."""

    @property
    def spent_ms(self) -> float:
        """CPU milliseconds charged by the last load or ask, the time since the one before included."""

    def load(self, hello: Mapping[str, object], files: Sequence[tuple[str, bytes]]) -> None:
        """Send the bot its hello and source and wait until it is ready. Raises BotFault or InfraFault."""

    def ask(self, q: int, obs: Mapping[str, object], allowance_ms: int) -> int:
        """The index into obs["legal"] that the bot chose for decision `q` (1, 2, 3 .. through the match).

        allowance_ms: CPU time it may cost, counted from the end of the last ask (so thinking while others move is
        charged too); the match limit of the clock holds besides. Raises BotFault or InfraFault.
        """

    def log(self) -> bytes:
        """Return what the bot printed so far, at most LOG_CAP bytes, as it is: escape it where it is shown."""

    def log_size(self) -> int:
        """The offset in the log after what was printed so far."""

    def close(self) -> None:
        """End the bot and free what it held; the log stays readable. May be called twice."""


class Launcher(Protocol):
    """Makes players, one per seat and match."""

    def launch(self, clock: Clock) -> Player:
        """A fresh, locked bot process without any source yet. Raises InfraFault if there is none to be had."""

    def close(self) -> None:
        """End every player that is left, and the launcher."""
