"""The Redis of docker-compose.yml: nobody without the password, and with it no more than Celery and the site need."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis
import yaml
from kombu import Connection, Exchange, Queue
from kombu.transport.redis import Mutex

from tests.services.processes import ROOT, Project, end
from tests.services.redis_server import redis_binary

PASSWORD = "only-for-this-test"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


@pytest.fixture
def account(wait_until: Callable[..., Any]) -> Iterator[str]:
    """The address of a Redis that the command of docker-compose.yml has started."""
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    command = compose["services"]["redis"]["command"][-1].replace("$$", "$")
    port, folder = free_port(), Path(tempfile.mkdtemp(prefix="hanami-redis-"))
    programs = folder / "bin"
    programs.mkdir()
    (programs / "redis-server").symlink_to(redis_binary())
    environment = {**os.environ, "REDIS_PASSWORD": PASSWORD, "PATH": f"{programs}:{os.environ['PATH']}"}
    server = subprocess.Popen(
        ["sh", "-c", f"{command} --bind 127.0.0.1 --port {port}"],
        cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, process_group=0,
    )  # fmt: skip
    url = f"redis://hanami:{PASSWORD}@127.0.0.1:{port}/0"
    wait_until(lambda: _answers(url), 30, "Redis")
    yield url
    end(server)
    shutil.rmtree(folder, ignore_errors=True)


def _answers(url: str) -> bool:
    try:
        with redis.Redis.from_url(url) as connected:
            return bool(connected.ping())
    except redis.ConnectionError:
        return False


def test_nobody_comes_in_without_the_password(account: str) -> None:
    for stranger in (account.replace(f"hanami:{PASSWORD}@", ""), account.replace(PASSWORD, "wrong")):
        with redis.Redis.from_url(stranger) as connected, pytest.raises(redis.AuthenticationError):
            connected.get("hanami:swept_at")


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    "command",
    [
        ("EVAL", "return 1", "0"), ("CONFIG", "GET", "*"), ("ACL", "LIST"), ("KEYS", "*"), ("FLUSHALL",), ("MONITOR",),
        ("CLIENT", "LIST"), ("DEBUG", "SLEEP", "0"), ("REPLICAOF", "192.0.2.1", "6379"), ("SHUTDOWN",),
    ],
)  # fmt: skip
def test_the_account_cannot_look_around_or_change_the_server(account: str, command: tuple[str, ...]) -> None:
    with redis.Redis.from_url(account) as connected, pytest.raises(redis.exceptions.NoPermissionError):
        connected.execute_command(*command)


def keep_a_queue_that_ends(account: str) -> None:
    """Do what a worker's loop does each second for the queue of questions (`inspect ping`), until it went well once."""
    with Connection(account) as connection:
        channel: Any = connection.channel()
        queue = Queue("questions", Exchange("questions", type="fanout"), expires=60)(channel)
        queue.declare()
        queue.consume(no_ack=True)
        channel.maybe_refresh_binding_expiry()
        channel.sweep_bindings()


@pytest.mark.slow
def test_celery_and_the_site_can_work_with_it(account: str, project: Project) -> None:
    with redis.Redis.from_url(account) as connected:
        with Mutex(connected, "unacked_mutex", 10):
            pass  # what Celery's transport does when it gives back the messages of a worker that died
        keep_a_queue_that_ends(account)
        connected.publish("hanami:listeners", b"1")
        connected.set("hanami:rung:play", 1, nx=True, ex=30)
    worker = project.worker(extra={"HANAMI_REDIS_URL": account})
    worker.stop(30)
    assert worker.process.returncode == 0, worker.log()
    assert "NoPermissionError" not in worker.log()
