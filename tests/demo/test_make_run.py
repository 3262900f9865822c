"""`make run` without the demo: starts, mends itself, keeps others out, ends without a trace, starts again.

Its first start finds all tables; that a start makes them is test_demo_leagues' first claim.
"""

import ctypes
import os
import re
import signal
import socket
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from tests.demo.running import Running
from tests.services.processes import Project
from tests.services.waiting import wait_until

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]
PIDFD_GETFD: Final = 438
"""The number of the system call; the C library has no function for it everywhere."""


@pytest.fixture(scope="module")
def running(make_run: Running) -> Running:
    """The installation of this module."""
    return make_run


def a_run(running: Running, *arguments: str, **environment: str) -> str:
    """Return what a further `scripts/run` says that cannot start."""
    project = Project({**running.settings(), **environment}, running.folder)
    started = project.start("further", "scripts/run", *arguments)
    assert started.process.wait(60) == 1, started.log()
    assert "Traceback" not in started.log()
    return started.log()


def test_everything_works_together(running: Running) -> None:
    wait_until(lambda: all(part["ok"] for part in running.ready_parts().values()), 60, "/readyz")
    assert running.ready_parts()["database"]["note"] == "sqlite"


def test_static_files_have_names_for_ever(running: Running) -> None:
    with urllib.request.urlopen(running.address + "/", timeout=20) as reply:
        page = reply.read().decode()
    sheet = re.search(r'href="(/static/site/site\.[0-9a-f]{12}\.css)"', page)
    assert sheet, page[:2000]
    with urllib.request.urlopen(running.address + sheet.group(1), timeout=20) as reply:
        assert "immutable" in reply.headers["Cache-Control"]


def test_an_answer_on_a_kept_connection_is_sent_at_once(running: Running) -> None:
    """TCP_NODELAY: without it the second part of an answer waits for the reader's delayed acknowledgement, 40 ms."""
    with socket.create_connection(("127.0.0.1", int(running.address.rpartition(":")[2]))) as reader:
        reader.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert reader.recv(4096).startswith(b"HTTP/1.1 200")
        with accepted(running.pid_of("scripts.web"), reader.getsockname()) as connection:
            assert connection.family == socket.AF_INET
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0


def accepted(server: int, reader: tuple[str, int]) -> socket.socket:
    """That process's own end of the connection from this address, as a descriptor of ours."""
    process = os.pidfd_open(server)
    try:
        for number in (int(each.name) for each in Path(f"/proc/{server}/fd").iterdir()):
            with suppress(OSError):  # closed since, or no socket, or one that nobody is at the other end of
                found = socket.socket(fileno=_duplicated(process, number))
                if found.getpeername() == reader:
                    return found
                found.close()
    finally:
        os.close(process)
    raise AssertionError(f"process {server} has no connection from {reader}")


def _duplicated(process: int, number: int) -> int:
    """pidfd_getfd: a descriptor of ours for what is open there under that number."""
    found = int(ctypes.CDLL(None, use_errno=True).syscall(PIDFD_GETFD, process, number, 0))
    if found < 0:
        raise OSError(ctypes.get_errno(), "pidfd_getfd")
    return found


def test_no_port_is_open_but_the_web_servers(running: Running) -> None:
    port = int(running.address.rpartition(":")[2])
    inodes = {link for pid in running.below() for link in _socket_inodes(pid)}
    listening = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for row in Path(table).read_text(encoding="ascii").splitlines()[1:]:
            cells = row.split()
            if cells[3] == "0A" and cells[9] in inodes:
                listening.add(int(cells[1].rpartition(":")[2], 16))
    assert listening == {port}


def _socket_inodes(pid: int) -> set[str]:
    found = set()
    try:
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            target = os.readlink(descriptor)
            if target.startswith("socket:["):
                found.add(target[8:-1])
    except OSError:
        return found
    return found


def test_a_second_start_is_kept_out_with_the_address_of_the_first(running: Running) -> None:
    assert f"already running here ({running.address}" in a_run(running)


def test_a_reset_is_refused_while_it_runs(running: Running) -> None:
    assert "Stop that one first" in a_run(running, "--reset")


def test_a_port_that_is_taken_is_named(running: Running) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        elsewhere = str(running.folder / "elsewhere")
        said = a_run(running, HANAMI_PORT=port, HANAMI_DATA_DIR=elsewhere)
    assert f"127.0.0.1:{port} cannot be used" in said
    assert "HANAMI_PORT" in said


def test_a_wrong_setting_is_named(running: Running) -> None:
    assert "HANAMI_WORKERS: 'many' is not allowed" in a_run(running, HANAMI_WORKERS="many")


@pytest.mark.parametrize("words", ["worker1@", "redis-server", "scripts.web", "beat"])
def test_a_killed_process_comes_back(running: Running, words: str) -> None:
    first = running.pid_of(words)
    os.kill(first, signal.SIGKILL)

    def is_back() -> bool:
        try:
            return running.pid_of(words) != first
        except (AssertionError, OSError):
            return False

    wait_until(is_back, 60, f"{words} to be started again")
    wait_until(lambda: all(part["ok"] for part in running.ready_parts().values() or [{"ok": False}]), 60, "/readyz")


def test_ctrl_c_leaves_nothing_and_the_next_start_keeps_the_data(running: Running) -> None:
    running.project.manage("createsuperuser", "--noinput", "--username", "kept", "--email", "kept@example.org")
    running.stop()
    assert running.run is not None
    assert "Nothing is left running" in running.run.log()
    running.start()
    program = "from accounts.models import User; print(User.objects.filter(username='kept').count(), 'kept')"
    assert "1 kept" in running.project.manage("shell", "--no-imports", "--command", program)


def test_a_killed_supervisor_takes_everything_along_and_a_start_follows(running: Running) -> None:
    assert running.run is not None
    running.run.kill()
    wait_until(lambda: not running.members(), 60, "every process of the installation to be gone")
    running.start()


def test_a_reset_starts_over(running: Running) -> None:
    running.stop()
    done = running.project.start("reset", "scripts/run", "--reset")
    assert done.process.wait(30) == 0, done.log()
    assert not (running.folder / "var" / "hanami.sqlite3").exists()
    assert (running.folder / "var" / "secret_key").exists()
