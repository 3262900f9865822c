"""One fork server process as the worker holds it: its start, its control socket, its end."""

from __future__ import annotations

import contextlib
import json
import os
import select
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Final

from bots.errors import InfraFault
from bots.runner.process import Exit, Footprint
from bots.runner.reaping import is_end, read_end
from engine import compiled

SERVE: Final = "bots.sdk.loop:serve"
# What the library wants to do in every forked child (new locks, new random numbers) is of no use here, and touches many
# pages that children otherwise share: the fork server has one thread, and a bot's numbers come from its hello.
PROGRAM: Final = (
    "import sys; root, engine, control, worker, serve = sys.argv[1:]; "
    "import os; os.register_at_fork = lambda **hooks: None; sys.path.insert(0, root); "
    "from bots.runner import preload; sys.path.pop(0); sys.meta_path.insert(0, preload.NeutralFinder(root, engine)); "
    "from bots.runner import forkserver; forkserver.main(int(control), int(worker), serve)"
)
# Counted by the dots: installed as the kit, this module lies deeper. The engine may be installed elsewhere.
_ROOT: Final = str(Path(__file__).resolve().parents[__name__.count(".")])
_ENGINE_ROOT: Final = str(compiled.HERE.parent)
# Not -I, which would ignore PYTHONHASHSEED: the environment is ours alone, so -s -P isolate as well.
_OPTIONS: Final = ("-s", "-P", "-B")
# Nothing is inherited: the worker's environment names its database and broker, and their passwords. One thread for
# numpy, because the fork server must have a single one (`forkserver._footprint`).
_ENVIRONMENT: Final = {
    "PYTHONHASHSEED": "0",
    "LANG": "C.UTF-8",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
_START_S: Final = 60.0
_REPLY_S: Final = 20.0
_STOP_S: Final = 10.0
# Replies are short: an id and an error, or the fixed record of reaping.py.
_MESSAGE_SIZE: Final = 1024


class Control:
    """A running fork server. Every method that talks to it raises InfraFault `sandbox.zygote` when it is gone."""

    def __init__(self, program: str = PROGRAM) -> None:
        if threading.current_thread() is not threading.main_thread():
            raise InfraFault("sandbox.thread", "start the fork server from the main thread: it dies with its starter")
        # In memory, not a pipe: nobody reads it while the server runs, and a full pipe would block it.
        self._errors = os.memfd_create("fork server errors", os.MFD_CLOEXEC)
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process = self._spawned(program, theirs.fileno())
        # Polled beside the socket: children hold the server's end of the socket open, so its death alone closes
        # nothing.
        self._pidfd = os.pidfd_open(self.process.pid)
        self._poll = select.poll()
        for descriptor in (self._socket.fileno(), self._pidfd):
            self._poll.register(descriptor, select.POLLIN)
        self._exits: dict[int, Exit] = {}
        self._running: set[int] = set()
        self.footprint = self._started()

    def _spawned(self, program: str, theirs: int) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                [sys.executable, *_OPTIONS, "-c", program, _ROOT, _ENGINE_ROOT, str(theirs), str(os.getpid()), SERVE],
                env=_ENVIRONMENT,
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                pass_fds=(theirs,),
                # A Ctrl-C at the worker's terminal must not reach the bots: the match in play is finished first.
                start_new_session=True,
            )
        except OSError as error:
            self._socket.close()
            os.close(self._errors)
            raise InfraFault("sandbox.zygote", f"the fork server does not start: {error}") from error

    def _started(self) -> Footprint:
        try:
            ready, _ = self._receive(_START_S)
            return Footprint(ready["size"], ready["data"], ready["resident"])
        except InfraFault:
            self.stop()
            raise

    def is_alive(self) -> bool:
        """Return whether the process still runs."""
        return self.process.poll() is None

    def fork(self, number: int, channel: int, log: int, *, probe: bool) -> int:
        """Have the server fork a child that gets these two descriptors; return the child's pidfd."""
        request = json.dumps({"id": number, "probe": probe}).encode()
        try:
            socket.send_fds(self._socket, [request], [channel, log])
        except OSError as error:
            raise self._gone() from error
        while True:
            message, descriptors = self._receive(_REPLY_S)
            if message.get("id") == number:
                break
            for late in descriptors:  # the answer to a request that was given up
                os.close(late)
        if not descriptors:
            why = message.get("error", "its descriptor did not arrive")
            raise InfraFault("sandbox.launch", f"no process for a bot: {why}; is a limit of this machine reached?")
        self._running.add(number)
        return descriptors[0]

    def exit_of(self, number: int) -> Exit:
        """Return how the dead child ended."""
        while number not in self._exits:
            self._receive(_REPLY_S)
        return self._exits[number]

    def forget(self, number: int) -> None:
        """Drop how this child ended: nobody will ask for it."""
        self._running.discard(number)
        self._exits.pop(number, None)

    def _receive(self, seconds: float) -> tuple[dict[str, Any], list[int]]:
        """The next message; the end of a child is kept and read as an empty one."""
        ready = [descriptor for descriptor, _ in self._poll.poll(seconds * 1000)]
        if not ready:
            raise InfraFault("sandbox.zygote", f"the fork server said nothing for {seconds:.0f} s")
        if self._socket.fileno() not in ready:  # it died while forking: the child keeps the socket open
            raise self._gone()
        try:
            packet, descriptors, _, _ = socket.recv_fds(self._socket, _MESSAGE_SIZE, 1)
        except OSError as error:
            raise self._gone() from error
        if not packet:
            raise self._gone()
        if is_end(packet):
            number, end = read_end(packet)
            # The end of a child that nobody asks for is dropped: its figures would pile up.
            if number in self._running:
                self._exits[number] = end
            # Read as a message without an id, so that `fork` goes on waiting for its own reply.
            return {}, descriptors
        message: dict[str, Any] = json.loads(packet)
        return message, descriptors

    def _gone(self) -> InfraFault:
        """Return the fault for a fork server that is gone, with the last line it wrote."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(_STOP_S)
        last_line = os.pread(self._errors, 4096, 0).decode(errors="replace").strip().splitlines()[-1:]
        return InfraFault("sandbox.zygote", f"the fork server is gone: {' '.join(last_line) or 'it last_line nothing'}")

    def stop(self) -> None:
        """End the fork server; its children die with it."""
        self._socket.close()
        self.process.kill()
        self.process.wait(_STOP_S)
        os.close(self._pidfd)
        os.close(self._errors)
