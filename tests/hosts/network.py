"""Hosts on one machine: network namespaces on a bridge, cables that can be pulled, and far away ones.

Nothing of it is seen outside: the bridge is in a namespace, too, and no address of the machine's own is on it.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from scripts import compiler, namespaces
from tests.services.processes import end, tied_to_us

PLACE: Final = Path("/run/netns")
PREFIX: Final = "hanami"
NETWORK: Final = "10.77.0"
MASK: Final = 24
SOURCE: Final = Path(__file__).with_name("relay.c")
UNSEGMENTED: Final = ("tx", "off", "tso", "off", "gso", "off", "gro", "off")


class NoNetwork(RuntimeError):
    """Hosts cannot be made here; the message says what to type."""


def run(*command: str) -> str:
    """Run a command to its end and return what it said. Raises NoNetwork with its own words."""
    try:
        done = subprocess.run(list(command), check=False, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except FileNotFoundError as missing:
        raise NoNetwork(f"{missing}\n{namespaces.TYPE_THIS}") from missing
    if done.returncode != 0:
        raise NoNetwork(f"{' '.join(command)}: {done.stderr.strip()}\n{namespaces.TYPE_THIS}")
    return done.stdout


@contextmanager
def inside(namespace: str) -> Iterator[None]:
    """Put what this thread starts or connects to in the block into that namespace."""
    library = ctypes.CDLL(None, use_errno=True)
    here = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    there = os.open(PLACE / namespace, os.O_RDONLY)
    try:
        _enter(library, there)
        yield
    finally:
        _enter(library, here)
        os.close(here)
        os.close(there)


def _enter(library: ctypes.CDLL, descriptor: int) -> None:
    if library.setns(descriptor, 0):
        raise NoNetwork(f"{os.strerror(ctypes.get_errno())}\n{namespaces.TYPE_THIS}")


@dataclass
class Host:
    """A machine of its own: a namespace with one cable to the bridge. address: of it there."""

    name: str
    namespace: str
    hub: str
    address: str

    @property
    def plug(self) -> str:
        """The bridge's end of the cable."""
        return f"p-{self.name}"

    def pull(self) -> None:
        """Nothing gets in or out any more, and nobody is told."""
        run("ip", "-n", self.hub, "link", "set", self.plug, "down")

    def put_back(self) -> None:
        run("ip", "-n", self.hub, "link", "set", self.plug, "up")


@dataclass
class Network:
    """A bridge and the hosts on it. folder: for the relay's program."""

    folder: Path
    hosts: dict[str, Host] = field(default_factory=dict)
    relays: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def hub(self) -> str:
        return f"{PREFIX}-{os.getpid()}-hub"

    def __enter__(self) -> Network:
        _remove_what_dead_runs_left()
        run("ip", "netns", "add", self.hub)
        run("ip", "-n", self.hub, "link", "add", "bridge", "type", "bridge")
        run("ip", "-n", self.hub, "link", "set", "bridge", "up")
        return self

    def __exit__(self, *_error: object) -> None:
        for relay in self.relays:
            end(relay, signal.SIGKILL)
        for namespace in (*(host.namespace for host in self.hosts.values()), self.hub):
            run("ip", "netns", "delete", namespace)

    def host(self, name: str, number: int, *, round_trip_ms: float = 0) -> Host:
        """One more host, with the address `10.77.0.<number>`, so far away from the bridge."""
        host = Host(name, f"{PREFIX}-{os.getpid()}-{name}", self.hub, f"{NETWORK}.{number}")
        run("ip", "netns", "add", host.namespace)
        self.hosts[name] = host
        run("ip", "-n", host.namespace, "link", "set", "lo", "up")
        self._cable(host.plug, "eth0", host.namespace)
        run("ip", "-n", host.namespace, "addr", "add", f"{host.address}/{MASK}", "dev", "eth0")
        if round_trip_ms:
            self._relay(host, round_trip_ms)
        else:
            run("ip", "-n", self.hub, "link", "set", host.plug, "master", "bridge")
        return host

    def _cable(self, here: str, there: str, namespace: str) -> None:
        run("ip", "-n", self.hub, "link", "add", here, "type", "veth", "peer", "name", there, "netns", namespace)
        run("ip", "-n", self.hub, "link", "set", here, "up")
        run("ip", "-n", namespace, "link", "set", there, "up")

    def _relay(self, host: Host, round_trip_ms: float) -> None:
        """Its cable ends at a program, which hands on what comes to another one that ends at the bridge."""
        self._cable(f"q-{host.name}", f"r-{host.name}", self.hub)
        run("ip", "-n", self.hub, "link", "set", f"r-{host.name}", "master", "bridge")
        with inside(host.namespace):
            run("ethtool", "-K", "eth0", *UNSEGMENTED)
        with inside(self.hub):
            for name in (host.plug, f"q-{host.name}", f"r-{host.name}"):
                run("ethtool", "-K", name, *UNSEGMENTED)
            relay = subprocess.Popen(
                [str(self._program()), host.plug, f"q-{host.name}", str(round(round_trip_ms * 500))],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                process_group=0,
                preexec_fn=tied_to_us(signal.SIGKILL),
            )
        self.relays.append(relay)
        assert relay.stdout is not None
        if relay.stdout.readline() != b"relays\n":
            raise NoNetwork("the relay did not start")

    def _program(self) -> Path:
        program = self.folder / "relay"
        if not program.exists():
            found = compiler.found()
            if found is None:
                raise NoNetwork(compiler.TYPE_THIS)
            run(found, "-O2", "-o", str(program), str(SOURCE))
        return program

    def round_trip_ms(self, one: Host, other: Host, port: int) -> float:
        """The shortest of five round trips between two hosts: to connect takes one."""
        with inside(one.namespace):
            return min(_connecting_ms(other.address, port) for _each in range(5))


def _connecting_ms(address: str, port: int) -> float:
    began = time.monotonic()
    socket.create_connection((address, port), timeout=5).close()
    return (time.monotonic() - began) * 1000


def _remove_what_dead_runs_left() -> None:
    for path in PLACE.glob(f"{PREFIX}-*-*"):
        pid = path.name.split("-")[1]
        if pid.isdecimal() and not Path(f"/proc/{pid}").exists():
            run("ip", "netns", "delete", path.name)
