"""What runs inside the zygote: a fresh interpreter that forks one child per bot and match and reaps it.

It never reads bot data, only descriptors pass through it, so its memory, which every child shares, holds nothing of
an earlier match (nor of how its bots ended: `reaping.py`). Requests and replies are JSON over the control socket; the
other end is `control.py`.
"""

from __future__ import annotations

import importlib
import json
import os
import select
import socket
import sys
from dataclasses import dataclass
from typing import Final

from bots.runner import preload
from bots.runner.child import Serve, run
from bots.runner.probe_child import run_probe_child
from bots.runner.reaping import Reaper
from bots.runner.sandbox import landlock, seccomp
from bots.runner.sandbox.process_flags import die_with_parent, no_new_privileges

_REQUEST_SIZE: Final = 1024
_PAGE: Final = os.sysconf("SC_PAGE_SIZE")


def main(control_fd: int, worker_pid: int, serve: str) -> None:
    """Load everything, lock, then fork on request until the worker closes the control socket.

    serve: "module:function" that a locked child runs, so that this package need not know the SDK. The module also has
    `rehearse`, which does once what every child would do first.
    """
    die_with_parent()
    if os.getppid() != worker_pid:
        sys.exit("the worker ended while its fork server started")
    preload.load_everything()
    module, _, function = serve.partition(":")
    program = importlib.import_module(module)
    loop: Serve = getattr(program, function)
    program.rehearse()
    size = _address_space()
    seccomp.code_here()
    preload.forget_paths()
    no_new_privileges()
    landlock.restrict()
    control = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET, fileno=control_fd)
    control.send(json.dumps({"ready": 1, "size": size}).encode())
    ForkServer(control, loop).run()


def _address_space() -> int:
    """Bytes of address space this process uses; also sees that it has one thread, as Landlock binds only that."""
    if len(os.listdir("/proc/self/task")) != 1:
        sys.exit("a library started a thread in the fork server; set its thread count to one")
    with open("/proc/self/statm", encoding="ascii") as statm:
        return int(statm.read().split()[0]) * _PAGE


@dataclass(frozen=True, slots=True)
class Child:
    """A running child: the number of its request, its pid and our pidfd for it."""

    number: int
    pid: int
    pidfd: int


class ForkServer:
    """Forks and reaps, one event at a time."""

    def __init__(self, control: socket.socket, serve: Serve) -> None:
        self._control = control
        self._serve = serve
        self._pid = os.getpid()
        self._reaper = Reaper(control)
        self._children: dict[int, Child] = {}
        self._poll = select.poll()
        self._poll.register(control, select.POLLIN)

    def run(self) -> None:
        """Until the worker closes the control socket; the children die with this process."""
        while True:
            for descriptor, _ in self._poll.poll():
                if descriptor in self._children:
                    self._reap(self._children.pop(descriptor))
                elif not self._request():
                    return

    def _request(self) -> bool:
        packet, descriptors, _, _ = socket.recv_fds(self._control, _REQUEST_SIZE, 2)
        if not packet:
            return False
        request = json.loads(packet)
        channel, log = descriptors
        try:
            self._start(request["id"], channel, log, probe=request["probe"])
        except OSError as error:
            self._control.send(json.dumps({"id": request["id"], "error": str(error)}).encode())
        os.close(channel)
        os.close(log)
        return True

    def _start(self, number: int, channel: int, log: int, *, probe: bool) -> None:
        pid = os.fork()
        if pid == 0:
            start = run_probe_child if probe else run
            start(channel, log, self._pid, self._serve)
        child = Child(number, pid, os.pidfd_open(pid))
        self._children[child.pidfd] = child
        self._poll.register(child.pidfd, select.POLLIN)
        socket.send_fds(self._control, [json.dumps({"id": number}).encode()], [child.pidfd])

    def _reap(self, child: Child) -> None:
        self._poll.unregister(child.pidfd)
        self._reaper.reap(child.pid, child.number)
        os.close(child.pidfd)
