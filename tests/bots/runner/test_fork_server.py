"""The fork server: its life, its end, and that nothing is left behind."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from bots.errors import BotFault, InfraFault
from bots.runner.player import Launcher, Player
from bots.runner.zygote import Zygote
from tests.bots.runner.seats import EASY, seated

FIRST = "def choose(obs): return 0"
Start = Callable[..., Zygote]
ROOT = Path(__file__).parents[3]


def open_descriptors(pid: int | str = "self") -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


@pytest.mark.slow
def test_fifty_matches_leave_nothing_behind(zygote: Zygote) -> None:
    with seated(zygote, FIRST) as bot:
        bot.ask()
    before = open_descriptors(), open_descriptors(zygote.pid)
    for _ in range(50):
        with seated(zygote, FIRST) as one, seated(zygote, FIRST) as other:
            assert one.ask() == other.ask() == 0
    with seated(zygote, FIRST):
        pass
    assert open_descriptors() == before[0]
    assert open_descriptors(zygote.pid) <= before[1] + 1  # the last child may not be reaped yet


def test_close_ends_the_process(zygote: Zygote) -> None:
    player = zygote.launch(EASY)
    pid = player.process.pid
    player.close()
    player.close()
    assert not is_running(pid)


def test_children_are_reaped(zygote: Zygote, wait_until: Callable[..., Any]) -> None:
    player = zygote.launch(EASY)
    pid = player.process.pid
    player.close()
    wait_until(lambda: not Path(f"/proc/{pid}").exists(), 60, "the fork server reaps its child")


@pytest.mark.thorough
def test_death_of_the_fork_server_is_our_fault_and_the_next_match_has_a_new_one(
    start_zygote: Start, wait_until: Callable[..., Any]
) -> None:
    zygote = start_zygote()
    with seated(zygote, "def choose(obs): return 1") as bot:
        bot.ask()
        first = zygote.pid
        os.kill(first, signal.SIGKILL)
        wait_until(lambda: not is_running(bot.player.process.pid), 60, "the bot is gone, too")
        with pytest.raises(InfraFault) as caught:
            bot.ask()
        assert caught.value.code == "sandbox.zygote"
    with seated(zygote, "def choose(obs): return 1") as bot:
        assert bot.ask() == 1
    assert zygote.pid not in {0, first}


@pytest.mark.thorough
def test_bots_die_with_the_fork_server(start_zygote: Start, wait_until: Callable[..., Any]) -> None:
    zygote = start_zygote()
    with seated(zygote, FIRST) as bot:
        os.kill(zygote.pid, signal.SIGKILL)
        wait_until(lambda: not is_running(bot.player.process.pid), 60, "the bot is gone")


@pytest.mark.slow
def test_it_is_renewed_after_so_many_processes_but_never_under_a_match(start_zygote: Start) -> None:
    zygote = start_zygote(recycle_after=3)
    first = zygote.pid
    with seated(zygote, FIRST), seated(zygote, FIRST), seated(zygote, FIRST), seated(zygote, FIRST) as fourth:
        assert zygote.pid == first
        assert fourth.ask() == 0
    with seated(zygote, FIRST) as fifth:
        assert zygote.pid != first
        assert fifth.ask() == 0


def test_it_refuses_to_start_outside_the_main_thread() -> None:
    caught: list[InfraFault] = []

    def start() -> None:
        try:
            Zygote.start()
        except InfraFault as fault:
            caught.append(fault)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert [fault.code for fault in caught] == ["sandbox.thread"]


def test_a_forked_copy_of_the_worker_may_not_use_it(zygote: Zygote) -> None:
    pid = os.fork()
    if pid == 0:
        try:
            zygote.launch(EASY)
        except InfraFault:
            os._exit(7)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7


def test_it_is_a_launcher_of_players(zygote: Zygote) -> None:
    launcher: Launcher = zygote
    player: Player = launcher.launch(EASY)
    player.close()


@contextlib.contextmanager
def few_descriptors(spare: int) -> Iterator[None]:
    """This process can open `spare` more and no more."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (open_descriptors() + 50, limits[1]))
    taken: list[int] = []
    try:
        with contextlib.suppress(OSError):
            while True:
                taken.append(os.dup(2))
        for _ in range(spare):
            os.close(taken.pop())
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        for each in taken:
            os.close(each)


def launch_code(zygote: Zygote) -> str:
    """The fault that a launch ends with, if any."""
    try:
        zygote.launch(EASY).close()
    except InfraFault as fault:
        return fault.code
    return ""


def test_a_full_table_of_descriptors_is_our_fault(zygote: Zygote) -> None:
    before = open_descriptors()
    codes = []
    for spare in range(8):
        with few_descriptors(spare):
            codes.append(launch_code(zygote))
        assert open_descriptors() == before
    assert set(codes[:4]) == {"sandbox.launch"}
    assert codes[-1] == ""


def test_an_interpreter_that_is_not_there_is_our_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    before = open_descriptors()
    with pytest.raises(InfraFault, match="does not start"):
        Zygote.start()
    assert open_descriptors() == before


def test_it_does_not_start_with_a_program_that_fails(start_zygote: Start) -> None:
    class Failing(Zygote):
        program = "raise SystemExit('no numbers library')"

    with pytest.raises(InfraFault, match="no numbers library"):
        start_zygote(Failing)


WORKER = """
import sys, time
from bots.runner.zygote import Zygote
from tests.bots.runner.seats import seated
with Zygote.start() as zygote, seated(zygote, "def choose(obs): return 0") as bot:
    print(zygote.pid, bot.player.process.pid, flush=True)
    sys.stdin.read()
"""


@pytest.mark.thorough
def test_kill_of_the_worker_takes_fork_server_and_bots_with_it(wait_until: Callable[..., Any]) -> None:
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT, text=True
    )
    assert worker.stdout is not None
    assert worker.stdin is not None
    with worker.stdin, worker.stdout:
        pids = [int(pid) for pid in worker.stdout.readline().split()]
        assert len(pids) == 2
        assert all(is_running(pid) for pid in pids)
        worker.kill()
        worker.wait()
        wait_until(lambda: not any(is_running(pid) for pid in pids), 60, "fork server and bot are gone")


@pytest.mark.thorough
def test_the_environment_of_the_worker_does_not_reach_a_bot(
    start_zygote: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_PASSWORD", "secret")
    zygote = start_zygote()
    assert b"secret" not in Path(f"/proc/{zygote.pid}/environ").read_bytes()
    with seated(zygote, "import os\nprint(sorted(os.environ))\n" + FIRST) as bot:
        assert "DATABASE_PASSWORD" not in bot.log()


def memory_of(pid: int) -> Iterator[bytes]:
    """Everything that a process may write to, which is all that its children get of it."""
    maps = Path(f"/proc/{pid}/maps").read_text().splitlines()
    with open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for line in maps:
            span, rights, *_, name = [*line.split(), ""]
            if "rw" not in rights or name.startswith("[v"):
                continue
            start, end = (int(each, 16) for each in span.split("-"))
            memory.seek(start)
            yield memory.read(end - start)


def test_the_fork_server_holds_nothing_of_a_bot(zygote: Zygote) -> None:
    marker = "needle" + "7" * 20
    with seated(zygote, f"MARK = {marker!r}\n" + FIRST) as bot:
        bot.ask()
    assert not any(marker.encode() in block for block in memory_of(zygote.pid))


@pytest.mark.slow
def test_the_fork_server_does_not_know_how_a_bot_ended(start_zygote: Start) -> None:
    """Else one match could tell the next something: by the CPU time or the memory that its bot took."""
    zygote = start_zygote()
    source = "import os\nheld = bytearray(61 << 20)\ndef choose(obs): os._exit(77)"
    with seated(zygote, source) as bot:
        with pytest.raises(BotFault):
            bot.ask()
        end = zygote.exit_of(bot.player.process.number)
    assert os.waitstatus_to_exitcode(end.status) == 77
    assert end.cpu_ms > 1
    assert end.max_rss_kib > 61 * 1024
    traces = [struct.pack("=4q", end.max_rss_kib, 0, 0, 0), struct.pack("=d", end.cpu_ms), str(end.cpu_ms).encode()]
    fresh = start_zygote()  # what stands in this one, too, stood there before: "23.4" may be a version of something
    known = {trace for trace in traces if any(trace in block for block in memory_of(fresh.pid))}
    for block in memory_of(zygote.pid):
        assert not any(trace in block for trace in traces if trace not in known)


def test_no_memory_is_shared_between_bots(zygote: Zygote) -> None:
    """Memory shared for writing by the fork server would be a blackboard for all its children, so for all matches."""
    maps = Path(f"/proc/{zygote.pid}/maps").read_text().splitlines()
    assert [line for line in maps if line.split()[1].startswith("rw") and "s" in line.split()[1]] == []


LOOKS_BELOW = """
    import gc, os, sys
    def choose(obs):
        frame, found = sys._getframe(), []
        while frame is not None:
            found += [(frame.f_code.co_name, name, value) for name, value in frame.f_locals.items()]
            frame = frame.f_back
        own = {os.getpid(), os.getppid()}
        for place, name, value in found:
            if type(value) is int and value > 3 and value not in own: print(place, name, value)
        for each in gc.get_objects():
            if type(each).__module__.endswith("forkserver"): print(type(each))
        return 0
"""


def test_a_bot_finds_nothing_of_the_fork_server_in_the_frames_below(zygote: Zygote) -> None:
    """Neither other processes nor launches."""
    with seated(zygote, FIRST), seated(zygote, LOOKS_BELOW) as bot:
        bot.ask()
        assert bot.log() == ""


def test_launches_are_not_counted_by_their_numbers(zygote: Zygote) -> None:
    with seated(zygote, FIRST) as one, seated(zygote, FIRST) as other:
        assert abs(one.player.process.number - other.player.process.number) > 1_000
