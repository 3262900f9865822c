"""The program of the zygote: a fresh interpreter that forks one child per bot and match and reaps it.

It never reads bot data, only descriptors pass through it, so its memory, which every child shares, holds nothing of
an earlier match (nor of how its bots ended: `reaping.py`). Requests and replies are JSON over the control socket; the
other end is `control.py`.
"""

from __future__ import annotations

import importlib
import json
import os
import select
import signal
import socket
import sys
from dataclasses import asdict, dataclass
from typing import Final

from bots.runner import preload
from bots.runner.child import Serve, run, settle
from bots.runner.probe_child import run_probe_child
from bots.runner.process import Footprint
from bots.runner.reaping import Reaper
from bots.runner.sandbox import landlock, seccomp
from bots.runner.sandbox.process_flags import die_with_parent, no_new_privileges

_REQUEST_SIZE: Final = 1024
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True, slots=True)
class Born:
    """The outfit of a forked child: the descriptors of its channel and its log, and whether it is the probe's."""

    channel: int
    log: int
    probe: bool


def main(control_fd: int, worker_pid: int, serve: str) -> None:
    """Load everything, lock, then fork on request until the worker closes the control socket.

    serve: "module:function" that a locked child runs, so that this package need not know the SDK. The module also has
    `rehearse`, which does once what every child would do first.

    A child comes back here from `ForkServer.run` and goes on from this frame. A bot can look at the frames below its
    own, so nothing that names the worker, other children or requests may be left in them.
    """
    control, loop = _prepared(control_fd, worker_pid, serve)
    del control_fd, worker_pid, serve
    server_pid = os.getpid()
    born = ForkServer(control).run()
    # In the child. Locals of this frame could be read by the bot through `sys._getframe`: they are deleted before it
    # starts.
    if born is not None:
        settle(born.channel, born.log, server_pid)
        start = run_probe_child if born.probe else run
        del born, control, server_pid
        start(loop)


def _prepared(control_fd: int, worker_pid: int, serve: str) -> tuple[socket.socket, Serve]:
    """Do everything that is done once, say on the control socket that this server is ready, and return that."""
    # First the flag, then the look at the parent: a worker that dies in between is noticed by one of the two.
    die_with_parent()
    if os.getppid() != worker_pid:
        sys.exit("the worker ended while its fork server started")
    # A worker that was started with nohup ignores this signal, and what it starts would, too: bots are to behave alike
    # however their worker was started.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    preload.load_everything()
    module, _, function = serve.partition(":")
    program = importlib.import_module(module)
    loop: Serve = getattr(program, function)
    # Before the footprint is measured: pages that the rehearsal writes to do not count against a bot's own memory.
    program.rehearse()
    footprint = _footprint()
    # Made once, for all children, and before Landlock: it reads /proc/self/maps (`seccomp.stack_start`).
    seccomp.code_here()
    preload.forget_paths()
    no_new_privileges()
    # After the last import, as nothing can be opened from here on; children inherit the restriction.
    landlock.restrict()
    control = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, fileno=control_fd)
    control.send(json.dumps({"ready": 1, **asdict(footprint)}).encode())
    return control, loop


def _footprint() -> Footprint:
    """Measure this process; also see that it has one thread, as Landlock binds only the calling one."""
    if len(os.listdir("/proc/self/task")) != 1:
        sys.exit("a library started a thread in the fork server; set its thread count to one")
    with open("/proc/self/statm", encoding="ascii") as statm:
        size = int(statm.read().split()[0]) * _PAGE
    with open("/proc/self/smaps_rollup", encoding="ascii") as rollup:
        sums = dict(line.split(":") for line in rollup if line.endswith(" kB\n"))
    kib = {name: int(value.split()[0]) for name, value in sums.items()}
    return Footprint(size, kib["Anonymous"] << 10, kib["Rss"] << 10)


@dataclass(frozen=True, slots=True)
class Child:
    """A running child: the number of its request, its pid and our pidfd for it."""

    number: int
    pid: int
    pidfd: int


class ForkServer:
    """Forks and reaps, one event at a time."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._reaper = Reaper(control)
        self._children: dict[int, Child] = {}
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)

    def run(self) -> Born | None:
        """Serve until the worker closes the control socket, and return None; the children die with this process.

        It also returns in each child, with what that is given.
        """
        while True:
            for descriptor, _ in self._poll.poll():
                # Children are watched by their pidfds in the same poll: no SIGCHLD handler, which would interrupt a
                # fork.
                if descriptor in self._children:
                    self._reap(self._children.pop(descriptor))
                    continue
                packet, descriptors, _, _ = socket.recv_fds(self._control, _REQUEST_SIZE, 2)
                if not packet:
                    return None
                request = json.loads(packet)
                channel, log = descriptors
                if self._is_forked(request["id"], channel, log):
                    return Born(channel, log, request["probe"])

    def _is_forked(self, number: int, channel: int, log: int) -> bool:
        """Fork. True in the child, which keeps the two descriptors."""
        try:
            pid = os.fork()
            if pid == 0:
                return True
            self._register(number, pid)
        except OSError as error:
            self._control.send(json.dumps({"id": number, "error": str(error)}).encode())
        os.close(channel)
        os.close(log)
        return False

    def _register(self, number: int, pid: int) -> None:
        child = Child(number, pid, os.pidfd_open(pid))
        self._children[child.pidfd] = child
        self._poll.register(child.pidfd, select.POLLIN)
        # The pidfd is opened here, by the parent: until it reaps the child no other process can take that pid.
        socket.send_fds(self._control, [json.dumps({"id": number}).encode()], [child.pidfd])

    def _reap(self, child: Child) -> None:
        self._poll.unregister(child.pidfd)
        self._reaper.reap(child.pid, child.number)
        os.close(child.pidfd)
