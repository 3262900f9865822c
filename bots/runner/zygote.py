"""The launcher of sandboxed players: keeps one fork server, renews it now and then, notices when it is gone."""

from __future__ import annotations

import os
import secrets
import socket
from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from bots.errors import InfraFault
from bots.runner.channel import Channel
from bots.runner.control import PROGRAM, Control
from bots.runner.log import BotLog
from bots.runner.process import BotProcess, Exit
from bots.runner.sandboxed import SandboxedPlayer

if TYPE_CHECKING:
    from bots.runner.spec import Clock

RECYCLE_AFTER: Final = 400  # processes from one fork server
_NUMBER_BITS: Final = 62
"""Of a launch's number, drawn at random: a bot that finds its own in memory does not learn how many came before."""


class Zygote:
    """A launcher (`player.Launcher`). Use it in the main thread of the process that started it, and nowhere else:
    the fork server dies with the thread that starts it (PR_SET_PDEATHSIG).

    A fork server that died is replaced at the next launch; anyone who played on it gets InfraFault.
    """

    program = PROGRAM

    def __init__(self, *, recycle_after: int = RECYCLE_AFTER) -> None:
        self._recycle_after = recycle_after
        self._owner = os.getpid()
        self._players: set[SandboxedPlayer] = set()
        self._forked = 0  # processes, by the present fork server
        self._control: Control | None = None

    @classmethod
    def start(cls, *, recycle_after: int = RECYCLE_AFTER) -> Self:
        """Make a zygote whose fork server runs. Raises InfraFault if that cannot be, say outside the main thread."""
        zygote = cls(recycle_after=recycle_after)
        zygote._fork_server()
        return zygote

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """The pid of the fork server; 0 if there is none now."""
        return 0 if self._control is None else self._control.process.pid

    def launch(self, clock: Clock) -> SandboxedPlayer:
        """Return a locked process that has no source yet (`player.Launcher.launch`)."""
        control = self._fork_server()
        player = self._fork(control, clock, probe=False)
        player.lock(control.footprint)
        return player

    def probe(self, clock: Clock) -> tuple[bytes, Exit | None]:
        """Start a process that tries each layer as it puts it on: its report, and how it ended (`probe.run_probe`)."""
        control = self._fork_server()
        player = self._fork(control, clock, probe=True)
        try:
            end = player.end_of_probe(control.footprint)
            return player.log(), end
        finally:
            player.close()

    def exit_of(self, number: int) -> Exit:
        """Return how a dead process ended (`sandboxed.Reaper`)."""
        if self._control is None:
            raise InfraFault("sandbox.zygote", "the fork server is gone")
        return self._control.exit_of(number)

    def forget(self, player: SandboxedPlayer) -> None:
        """Drop a player that is closed (`sandboxed.Reaper`)."""
        self._players.discard(player)
        if self._control is not None:
            self._control.forget(player.process.number)

    def close(self) -> None:
        """End every player that is left, and the fork server. May be called twice."""
        for player in tuple(self._players):
            player.close()
        self._stop()

    def _fork(self, control: Control, clock: Clock, *, probe: bool) -> SandboxedPlayer:
        self._forked += 1
        number = secrets.randbits(_NUMBER_BITS)
        try:
            with ExitStack() as undo:
                ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
                undo.callback(ours.close)
                log = BotLog()
                undo.callback(log.close)
                with theirs:
                    pidfd = control.fork(number, theirs.fileno(), log.descriptor, probe=probe)
                undo.callback(os.close, pidfd)
                player = SandboxedPlayer(BotProcess(number, pidfd), Channel(ours), log, clock, self)
                # From here on the player owns all of it; on an error before, each descriptor is closed once.
                undo.pop_all()
        except OSError as error:
            raise InfraFault("sandbox.launch", f"no process for a bot: {error}; is a limit reached?") from error
        self._players.add(player)
        return player

    def _fork_server(self) -> Control:
        """Return the fork server that runs, started or renewed if need be."""
        # A worker that forks would share the control socket with its child, and both read each other's replies.
        if os.getpid() != self._owner:
            raise InfraFault("sandbox.launch", "this fork server belongs to another process; start one of your own")
        if self._control is not None and self._is_spent(self._control):
            self._stop()
        if self._control is None:
            self._control = Control(self.program)
            self._forked = 0
        return self._control

    def _is_spent(self, control: Control) -> bool:
        is_old = self._forked >= self._recycle_after
        # Only between matches: players of the present one would die with their fork server.
        return not control.is_alive() or (is_old and not self._players)

    def _stop(self) -> None:
        control, self._control = self._control, None
        if control is not None:
            control.stop()
