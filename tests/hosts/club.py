"""A club of five hosts: database, Redis, web (with beat and sender) and two workers, each with one cable."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tests.hosts.network import MASK, NETWORK, Host, Network, inside
from tests.services.postgres import FRUGAL, Postgres
from tests.services.processes import ROOT, Project, Started
from tests.services.redis_server import Redis

PORT: Final = 8000
ALLOWED: Final = f"host all all {NETWORK}.0/{MASK} trust\n"


@dataclass
class Club:
    """Everything is on, but no process of the project runs. project: its processes, on the club's servers."""

    network: Network
    postgres: Postgres
    redis: Redis
    project: Project
    workers: list[Started] = field(default_factory=list)

    def __getitem__(self, name: str) -> Host:
        return self.network.hosts[name]

    def start_servers(self) -> None:
        """Database and Redis on their hosts."""
        self.start_database()
        self.start_redis()

    def start_database(self) -> None:
        with inside(self["db"].namespace):
            self.postgres.start()

    def start_redis(self) -> None:
        with inside(self["redis"].namespace):
            self.redis.start()

    def worker(
        self, number: int, *, script: str = "", processes: int = 1, extra: dict[str, str] | None = None
    ) -> Started:
        """A worker on host `worker<number>`. script: a file to begin with instead of Celery."""
        name = f"worker{number}"
        with inside(self[name].namespace):
            if script:
                begun = self.project.start(name, script, f"{name}@{name}", extra=extra)
                begun.wait_for_line(" ready.")
            else:
                begun = self.project.worker(name=name, concurrency=processes, extra=extra)
        self.workers.append(begun)
        return begun

    def web(self) -> Started:
        """Web, beat and sender on host `web`."""
        with inside(self["web"].namespace):
            listening = socket.create_server((self["web"].address, PORT))
            descriptor = listening.fileno()
            web = self.project.start("web", "-m", "scripts.web", str(descriptor), pass_fds=(descriptor,))
            listening.close()
            self.project.beat()
            self.project.sender()
        return web

    def answer(self, path: str) -> int:
        """The status of a page, asked for on the host of the web."""
        with inside(self["web"].namespace), socket.create_connection((self["web"].address, PORT), timeout=40) as link:
            link.sendall(f"GET {path} HTTP/1.0\r\nHost: localhost\r\n\r\n".encode())
            return int(link.makefile("rb").readline().split()[1])


def a_club(stack: ExitStack, folder: Path, *, round_trip_ms: float = 0, lease_s: int = 20) -> Club:
    """Five hosts, which go with the stack. folder: in its `postgres` a cluster may lie already.

    round_trip_ms: between the workers and everything else.
    """
    folder.chmod(0o711)  # PostgreSQL runs as an ordinary account
    network = stack.enter_context(Network(folder))
    for number, name in enumerate(("db", "redis", "web"), start=2):
        network.host(name, number)
    for number in (1, 2):
        network.host(f"worker{number}", 10 + number, round_trip_ms=round_trip_ms)
    db, cache = network.hosts["db"], network.hosts["redis"]
    postgres = Postgres(folder / "postgres", options=(*FRUGAL, f"listen_addresses={db.address}"))
    redis = Redis(folder / "redis", address=cache.address)
    environment = {
        "HANAMI_DATABASE_URL": f"postgresql://hanami@{db.address}:5432/hanami",
        "HANAMI_REDIS_URL": f"redis://{cache.address}:6379/0",
        "HANAMI_DATA_DIR": str(folder / "var"),
        "HANAMI_STATIC_DIR": str(folder / "static"),
        "HANAMI_LEASE_S": str(lease_s),
        "HANAMI_SWEEP_S": "5",
        "HANAMI_DB_POOL": "4",
        "HANAMI_LOG_LEVEL": "INFO",
    }
    club = Club(network, postgres, redis, Project(environment, folder))
    for stop in (redis.stop, postgres.stop, club.project.stop):
        stack.callback(stop)
    return club


def let_in(postgres: Postgres) -> None:
    """The hosts of the network may connect. Needs the cluster."""
    with (postgres.data / "pg_hba.conf").open("a", encoding="ascii") as file:
        file.write(ALLOWED)


__all__ = ["ROOT", "Club", "a_club", "let_in"]
