"""Bots that behave: what they get, what they can import, what they cannot disturb."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from bots.errors import BotFault
from bots.protocol.messages import LOG_CAP
from bots.runner.zygote import Zygote
from tests.bots.runner.seats import a_hello, an_observation, fault_of, seated

FIRST = "def choose(obs): return 0"


def said(zygote: Zygote, source: str, **options: Any) -> object:
    """Return what the bot prints, as JSON, when it is asked once."""
    with seated(zygote, source, **options) as bot:
        bot.ask()
        return json.loads(bot.log())


@pytest.mark.parametrize("answer", ["3", "obs['legal'][3]", "dict(obs['legal'][3])", "np.int64(3)"])
def test_an_answer_is_an_index_or_an_element(zygote: Zygote, answer: str) -> None:
    with seated(zygote, f"import numpy as np\ndef choose(obs): return {answer}") as bot:
        assert [bot.ask(), bot.ask()] == [3, 3]


def test_a_bot_may_spoil_its_own_copy_of_legal(zygote: Zygote) -> None:
    source = """
        def choose(obs):
            wanted = obs["legal"][5]
            obs["legal"].reverse()
            return wanted
    """
    with seated(zygote, source) as bot:
        assert bot.ask() == 5


def test_start_gets_the_hello_with_version_and_files(zygote: Zygote) -> None:
    source = """
        import json
        def start(hello): print(json.dumps(hello))
        def choose(obs): return 0
    """
    with seated(zygote, source) as bot:
        hello = json.loads(bot.log())
    assert hello["v"] == 1
    assert [path for path, _ in hello["files"]] == ["bot.py"]
    assert hello["me"] == "p0"


def test_random_numbers_come_from_the_hello(zygote: Zygote) -> None:
    source = """
        import json, random, numpy
        print(json.dumps([random.random(), numpy.random.random(), hash("a")]))
        def choose(obs): return 0
    """
    same = [said(zygote, source) for _ in range(2)]
    other = said(zygote, source, hello=a_hello("ff" * 16))
    assert same[0] == same[1]
    assert isinstance(other, list)
    assert isinstance(same[0], list)
    assert other[:2] != same[0][:2]
    assert other[2] == same[0][2], "hashes, and so the order of sets, are the same in every process"


def test_several_files_packages_and_assets(zygote: Zygote) -> None:
    source = """
        import json
        import hanami, values
        from search import tree
        from search.deep.leaf import LEAF
        print(json.dumps([values.BEST, tree.depth(), LEAF, len(hanami.asset("data/table.bin")), __name__, __file__]))
        def choose(obs): return 0
    """
    more = [
        ("values.py", b"BEST = 7"),
        ("search/__init__.py", b""),
        ("search/tree.py", b"from values import BEST\nfrom . import limit\ndef depth(): return BEST + limit.LIMIT"),
        ("search/limit.py", b"LIMIT = 2"),
        ("search/deep/leaf.py", b"LEAF = 'leaf'"),
        ("data/table.bin", bytes(150_000)),
        ("empty.txt", b""),
    ]
    assert said(zygote, source, more=more) == [7, 9, "leaf", 150_000, "bot", "bot.py"]


def test_an_unknown_asset_names_the_files_there_are(zygote: Zygote) -> None:
    fault = fault_of(zygote, "import hanami\nhanami.asset('missing.bin')")
    assert fault.code == "crash"
    assert "missing.bin" in str(fault.extra["log"])
    assert "bot.py" in str(fault.extra["log"])


def test_numpy_works_within_the_memory_of_a_bot(zygote: Zygote) -> None:
    source = """
        import json
        import numpy as np
        a = np.random.default_rng(1).random((300, 300))
        u, s, v = np.linalg.svd(a)
        is_svd = bool(np.allclose(u @ np.diag(s) @ v, a))
        is_fft = bool(np.allclose(np.fft.ifft(np.fft.fft(a)), a))
        print(json.dumps([is_svd, is_fft, float(np.ma.array([1.0]).sum())]))
        def choose(obs): return 0
    """
    assert said(zygote, source) == [True, True, 1.0]


@pytest.mark.parametrize("module", ["asyncio", "django", "celery", "bots.models", "tournaments", "pip", "sqlite3"])
def test_what_is_not_preloaded_cannot_be_imported(zygote: Zygote, module: str) -> None:
    fault = fault_of(zygote, f"import {module}\n{FIRST}")
    assert fault.code == "crash"
    assert "ModuleNotFoundError" in str(fault.extra["log"])


@pytest.mark.parametrize(
    ("attempt", "error"),
    [
        ("open('/etc/passwd')", "FileNotFoundError"),
        ("os.listdir('/')", "FileNotFoundError"),
        ("os.stat('/')", "FileNotFoundError"),
        ("os.fork()", "BlockingIOError"),
        ("threading.Thread(target=print).start()", "RuntimeError: can't start new thread"),
        ("socket.socket()", "PermissionError"),
        ("socket.socketpair()", "PermissionError"),
        ("os.pipe()", "PermissionError"),
        ("os.kill(1, 0)", "PermissionError"),
        ("mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)", "PermissionError"),
        ("time.clock_gettime((~os.getppid() << 3) | 2)", "PermissionError"),
        ("resource.setrlimit(resource.RLIMIT_CPU, (9, 9))", "not allowed to raise maximum limit"),
    ],
)
def test_the_forbidden_is_refused_and_the_bot_plays_on(zygote: Zygote, attempt: str, error: str) -> None:
    source = f"""
        import mmap, os, resource, socket, threading, time
        def choose(obs):
            try: {attempt}
            except Exception as error: print(f"{{type(error).__name__}}: {{error}}")
            else: print("it worked")
            return 1
    """
    with seated(zygote, source) as bot:
        assert bot.ask() == 1
        assert error in bot.log() or (error == "FileNotFoundError" and "PermissionError" in bot.log())


def test_nothing_survives_from_one_bot_to_the_next(zygote: Zygote) -> None:
    source = """
        import json, builtins, random
        print(json.dumps(hasattr(builtins, "marker") or hasattr(random, "marker")))
        builtins.marker = random.marker = True
        def choose(obs): return 0
    """
    assert [said(zygote, source) for _ in range(2)] == [False, False]


def test_the_log_is_capped_and_a_flood_is_no_fault(zygote: Zygote) -> None:
    source = """
        def choose(obs):
            for _ in range(3_000): print("x" * 100)
            return 0
    """
    with seated(zygote, source) as bot:
        assert [bot.ask(), bot.ask()] == [0, 0]
        assert LOG_CAP - 5_000 < len(bot.player.log()) <= LOG_CAP
        assert bot.player.log_size() <= LOG_CAP


def test_a_flood_past_the_sdk_is_cut_by_the_kernel(zygote: Zygote) -> None:
    source = """
        import os
        def choose(obs):
            try:
                while True: os.write(1, b"y" * 4096)
            except OSError: return 0
    """
    with seated(zygote, source) as bot:
        assert bot.ask() == 0
        assert bot.player.log_size() == LOG_CAP


def test_a_traceback_has_room_after_a_flood(zygote: Zygote) -> None:
    fault = fault_of(zygote, "print('x\\n' * 100_000)\ndef choose(obs): return 1 / 0")
    assert "ZeroDivisionError" in str(fault.extra["log"])


def test_log_offsets_tell_lines_of_moves_apart(zygote: Zygote) -> None:
    with seated(zygote, "def choose(obs):\n    print('move', obs['move'], end='')\n    return 0") as bot:
        sizes = [bot.player.log_size()]
        for move in range(2):
            bot.ask(an_observation(move=move))
            sizes.append(bot.player.log_size())
        log = bot.player.log()
    assert log[sizes[0] : sizes[1]] == b"move 0"
    assert log[sizes[1] : sizes[2]] == b"move 1"


def test_log_stays_readable_after_close(zygote: Zygote) -> None:
    with seated(zygote, "print('hello')\n" + FIRST) as bot:
        pass
    assert bot.log() == "hello\n"
    assert bot.player.log_size() == 6


def test_cpu_is_charged_to_the_bot_that_used_it(zygote: Zygote) -> None:
    source = """
        import time
        def choose(obs):
            end = time.process_time() + 0.05
            while time.process_time() < end: pass
            return 0
    """
    with seated(zygote, FIRST) as idle, seated(zygote, source) as busy:
        for _ in range(3):
            idle.ask()
            busy.ask()
            assert busy.player.spent_ms >= 50
        assert busy.player.cpu_ms >= 150
        assert idle.player.cpu_ms < 150


def test_asks_of_a_closed_bot_are_not_answered(zygote: Zygote) -> None:
    with seated(zygote, FIRST) as bot:
        bot.player.process.kill()
        with pytest.raises(Exception) as caught:
            bot.ask()
    assert not isinstance(caught.value, BotFault), "somebody else killed it, so the bot does not lose by it"


def test_a_bot_learns_neither_the_host_nor_where_things_are(zygote: Zygote) -> None:
    source = """
        import os, platform, sys
        frame = sys._getframe()
        while frame is not None:
            print(frame.f_code.co_filename, frame.f_locals.get("root"))
            frame = frame.f_back
        print({name: value for name, value in vars(sys).items() if name != "modules"})
        print(dict(os.environ), platform.uname(), platform.machine())
        for name, module in list(sys.modules.items()):
            if name.startswith(("bots", "engine", "hanami")): print(vars(module).get("__path__"), module.__spec__)
        def choose(obs): return 0
    """
    with seated(zygote, source) as bot:
        log = bot.log()
    assert "hanami/loop.py" in log
    assert str(Path(__file__).parents[3]) not in log
    assert socket.gethostname() not in log.replace("hanami", "")
