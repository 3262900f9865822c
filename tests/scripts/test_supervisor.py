"""The supervisor restarts what dies and leaves nothing behind, whichever way it ends itself."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.supervisor import CommandFailed, Supervisor
from tests.services.processes import Project, Started
from tests.services.waiting import wait_until


def is_running(pid: int) -> bool:
    """Return whether a process with this number runs; one that is dead but not collected does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in ("Z", "X")


def family(folder: Path, name: str) -> list[int]:
    """The pids of a child and of the grandchild it started in a session of its own."""
    path = folder / name
    wait_until(path.exists, 20, f"{name} to start")
    return [int(pid) for pid in path.read_text(encoding="utf-8").split()]


def gone(pids: list[int]) -> bool:
    return not any(is_running(pid) for pid in pids)


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[Started]:
    here = Project({}, tmp_path)
    yield here.start("keeper", "-m", "tests.scripts.keeper", str(tmp_path))
    here.stop()


@pytest.mark.thorough
def test_a_killed_child_is_started_again(keeper: Started, tmp_path: Path) -> None:
    first = family(tmp_path, "steady")
    (tmp_path / "steady").unlink()
    os.kill(first[0], signal.SIGKILL)
    second = family(tmp_path, "steady")
    assert second[0] != first[0]
    keeper.wait_for_line("steady ended (SIGKILL); starting it again")


@pytest.mark.thorough
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_request_to_stop_ends_every_process(keeper: Started, tmp_path: Path, number: signal.Signals) -> None:
    pids = family(tmp_path, "steady") + family(tmp_path, "deaf")
    keeper.process.send_signal(number)
    wait_until((tmp_path / "stopped").exists, 20)
    assert keeper.process.wait(10) == 0
    wait_until(lambda: gone(pids), 10, "children and grandchildren to be gone")


def test_a_killed_supervisor_takes_its_children_along(keeper: Started, tmp_path: Path) -> None:
    pids = [family(tmp_path, "steady")[0], family(tmp_path, "deaf")[0]]
    keeper.kill()
    wait_until(lambda: gone(pids), 10, "children to be gone")
    for name in ("steady", "deaf"):  # a grandchild in a session of its own is its parent's business: see config.celery
        os.kill(family(tmp_path, name)[1], signal.SIGKILL)


@pytest.mark.slow
def test_a_failing_command_tells_what_it_said(tmp_path: Path) -> None:
    program = f"""
import sys
from pathlib import Path
from scripts.supervisor import Supervisor
Supervisor(Path({str(tmp_path)!r}), Path({str(tmp_path)!r})).run(
    "speak", [sys.executable, "-c", "import sys; print('no room left'); sys.exit(3)"], {{}})
"""
    here = Project({}, tmp_path)
    started = here.start("speaker", "-c", program)
    assert started.process.wait(30) == 1
    assert f"{CommandFailed.__name__}: speak ended with 3:\nno room left" in started.log()
    assert Supervisor.__doc__


def test_python_that_is_too_old_is_told_so(tmp_path: Path) -> None:
    program = "import sys; sys.version_info = (3, 9); sys.executable = ''; import os; os.environ['PATH'] = '/nowhere'\n"
    program += "from scripts.bootstrap import sufficient_python; sufficient_python()"
    started = Project({}, tmp_path).start("old", "-c", program)
    assert started.process.wait(30) == 1
    assert "Hanami needs Python 3.11 or newer" in started.log()
    assert sys.version_info >= (3, 11)
