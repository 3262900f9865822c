"""Faults at the table, with real sandboxed bots: one seat forfeits, the others play on, the record verifies."""

from __future__ import annotations

import os
import re
import signal

import pytest

from bots.errors import InfraFault
from bots.protocol.messages import LOG_CAP
from bots.runner.spec import Clock
from bots.runner.table import Played, play
from bots.runner.zygote import Zygote
from bots.uploads.limits import MISSING_MODULES
from engine.record import verify
from tests.bots.matches import FIRST, LAST, a_bot, a_spec

CRASH_ON_THIRD = """
asked = 0
def choose(obs):
    global asked
    asked += 1
    print("asked", asked, "deal", obs["deal"], "move", obs["move"])
    if asked == 3:
        raise ValueError("the third is too much")
    return 0
"""
SLOW = """
def choose(obs):
    while True:
        pass
"""
QUICK = Clock("quick", load_ms=1000, move_ms=20, bank_ms=40, match_ms=60000, memory_mib=256)


def moves_of(played: Played) -> list[str]:
    return [move for deal in played.document["record"]["deals"] for move in deal["moves"]]


@pytest.mark.thorough
def test_a_crash_forfeits_at_its_move_and_the_first_actions_go_on(zygote: Zygote) -> None:
    played = play(a_spec(LAST, CRASH_ON_THIRD, LAST), zygote)
    (forfeit,) = played.forfeits
    deal, move, _ = played.seats[1].offsets[3]
    assert (forfeit.seat, forfeit.code, forfeit.deal, forfeit.move) == (1, "crash", deal, move)
    assert played.seats[1].code == "crash"
    assert b"the third is too much" in played.seats[1].log
    assert len(played.seats[1].offsets) == 4
    assert len(played.seats[0].offsets) > 40
    assert played.document["record"]["result"]["rank"][1] == 3
    assert verify(played.document, seed=a_spec(LAST, LAST, LAST).seed).ok


@pytest.mark.thorough
def test_log_offsets_belong_to_moves(zygote: Zygote) -> None:
    reading = play(a_spec(LAST, CRASH_ON_THIRD, LAST), zygote).seats[1]
    for before, (deal, move, end) in zip(reading.offsets, reading.offsets[1:]):
        assert reading.log[before[2] : end].startswith(b"asked ")
        assert b"deal %d move %d\n" % (deal, move) in reading.log[before[2] : end]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("source", "told"),
    [
        (
            "import os\ndef choose(obs): os.execv('/bin/sh', ['sh'])",
            "killed by SIGSYS; it made a forbidden system call",
        ),
        ("import os\nprint('bye', end='')\nos._exit(3)", "ended with exit code 3"),
        (SLOW, "more CPU time than its clock allows"),
        ("def choose(obs):\n    print('x' * 70_000)\n    return 99\n", "none of the"),
    ],
)
def test_the_last_line_of_the_log_says_why_a_seat_forfeited(zygote: Zygote, source: str, told: str) -> None:
    played = play(a_spec(FIRST, source, clock=QUICK), zygote)
    reading, (forfeit,) = played.seats[1], played.forfeits
    last = reading.log.decode().splitlines()[-1]
    assert last.startswith(f"hanami: forfeit, {forfeit.code}: ")
    assert told in last
    assert len(reading.log) <= LOG_CAP
    assert reading.offsets[-1] == (forfeit.deal, forfeit.move, len(reading.log))


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("source", "code", "deal"),
    [
        ("import nothing_like_this\n" + FIRST, "crash", 0),
        ("x = (1,\n", "crash", 0),
        ("pass\n", "crash", 0),
        ("def start(hello):\n    raise RuntimeError\n" + FIRST, "crash", 0),
        ("while True: pass\n", "timeout.cpu", 0),
        (SLOW, "timeout.cpu", 1),
        ("def choose(obs):\n    return 99\n", "illegal", 1),
        ("def choose(obs):\n    return {'play': '01.1', 'take': '12.1'}\n", "illegal", 1),
        ("def choose(obs):\n    return 'nonsense'\n", "illegal", 1),
        ("def choose(obs):\n    return True\n", "illegal", 1),
    ],
)
def test_each_kind_of_failure(zygote: Zygote, source: str, code: str, deal: int) -> None:
    played = play(a_spec(source, LAST, clock=QUICK, rounds=2), zygote)
    (forfeit,) = played.forfeits
    assert (forfeit.seat, forfeit.code, forfeit.deal) == (0, code, deal)
    assert verify(played.document).ok


@pytest.mark.thorough
def test_when_every_seat_forfeits_the_match_is_played_out(zygote: Zygote) -> None:
    played = play(a_spec("import nope\n", "def choose(obs):\n    return None\n", "1/0\n"), zygote)
    assert [forfeit.seat for forfeit in played.forfeits] == [0, 2, 1]
    assert len(played.document["record"]["deals"]) == 12
    assert verify(played.document).ok


def test_a_forfeited_seat_plays_the_first_legal_action_and_is_not_asked(zygote: Zygote) -> None:
    failed, honest = play(a_spec("1/0\n", LAST, LAST), zygote), play(a_spec(FIRST, LAST, LAST), zygote)
    assert moves_of(failed) == moves_of(honest)
    assert [(deal, move) for deal, move, _ in failed.seats[0].offsets] == [(0, 0)]


@pytest.mark.thorough
def test_a_lost_fork_server_costs_nobody_anything(zygote: Zygote) -> None:
    pulses = 0

    def heartbeat() -> None:
        nonlocal pulses
        pulses += 1
        if pulses == 20:
            os.kill(zygote.pid, signal.SIGKILL)

    with pytest.raises(InfraFault):
        play(a_spec(FIRST, LAST), zygote, heartbeat=heartbeat)
    assert play(a_spec(FIRST, LAST), zygote).forfeits == ()


def test_what_pulse_raises_ends_the_match(zygote: Zygote) -> None:
    class LeaseGone(Exception):
        pass

    def heartbeat() -> None:
        raise LeaseGone

    with pytest.raises(LeaseGone):
        play(a_spec(FIRST, LAST), zygote, heartbeat=heartbeat)


def test_the_number_of_bots_must_be_the_number_of_seats(zygote: Zygote) -> None:
    spec = a_spec(FIRST, LAST)
    short = type(spec)(**{name: getattr(spec, name) for name in spec.__slots__} | {"bots": (a_bot(),)})
    with pytest.raises(ValueError, match="2 seats"):
        play(short, zygote)


def test_modules_called_missing_by_the_static_check_are_missing(zygote: Zygote) -> None:
    probe = f"""
for name in {sorted(MISSING_MODULES)}:
    try:
        __import__(name)
    except ImportError:
        continue
    print(name)
"""
    played = play(a_spec(probe + FIRST, FIRST, rounds=1), zygote)
    assert played.forfeits == ()
    assert played.seats[0].log == b""


def test_usual_imports_and_folders_of_modules_work(zygote: Zygote) -> None:
    source = "from __future__ import annotations\nimport numpy as np, tree\nprint(tree.X + int(np.int64(1)))\n" + FIRST
    bot = a_bot(source, tree__py=b"from lib.deep import Y as X\n", **{"lib/deep__py": b"Y = 3\n"})
    played = play(a_spec(bot, FIRST, rounds=1), zygote)
    assert (played.forfeits, played.seats[0].log) == ((), b"4\n")


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize(
    ("answer", "shown", "hint"),
    [
        ("None", "None (NoneType)", "without a return"),
        ("-1", "-1 (int)", "from 0 to"),
        ("'0'", "'0' (str)", "no action"),
        ("0.0", "0.0 (float)", "int()"),
        ("True", "True (bool)", "no index"),
        ("{'play': '13.1'}", "{'play': '13.1'} (dict)", "key by key"),
        ("obs['legal'][:1]", "(list)", "one element"),
    ],
)
def test_an_answer_that_is_no_action_is_shown_to_its_author(zygote: Zygote, answer: str, shown: str, hint: str) -> None:
    log = play(a_spec(f"def choose(obs):\n    return {answer}\n", FIRST), zygote).seats[0].log.decode()
    assert f"choose returned {'' if shown.startswith('(') else shown}" in log
    assert shown in log
    assert hint in log
    assert "none of the" in log.splitlines()[-1]


def test_an_answer_is_shown_in_short_and_a_coroutine_is_explained(zygote: Zygote) -> None:
    source = "async def choose(obs):\n    return 0\n"
    assert "async def" in play(a_spec(source, FIRST), zygote).seats[0].log.decode()
    huge = "def choose(obs):\n    return ['x' * 100_000] * 100_000\n"
    assert len(play(a_spec(huge, FIRST), zygote).seats[0].log) < 2_000


def test_a_timeout_tells_its_figures_and_the_lines_that_were_running(zygote: Zygote) -> None:
    source = "def choose(obs):\n    print('thinking')\n    return search(0)\n\n\n"
    source += "def search(n):\n    while True:\n        n += 1\n"
    played = play(a_spec(source, FIRST, clock=QUICK), zygote)
    log = played.seats[0].log.decode()
    lines = log.splitlines()
    assert lines[0] == "thinking"
    at = next(n for n, line in enumerate(lines) if "it was here" in line)
    assert re.fullmatch(r"  bot.py, line [78], in search", lines[at + 1])
    assert lines[at + 2] == "  bot.py, line 3, in choose"
    assert lines[at + 3] == lines[-1]
    assert re.search(r"more CPU time than its clock allows: [\d,]+ of [\d,]+ ms$", lines[-1])
    assert "/" not in log, "no path of this machine"
    assert played.seats[0].offsets[-1][2] == len(played.seats[0].log)


@pytest.mark.thorough
def test_a_bot_that_turned_the_question_off_times_out_all_the_same(zygote: Zygote) -> None:
    for handler in ("signal.SIG_IGN", "signal.SIG_DFL", "lambda *_: None"):
        head = f"import signal\nsignal.signal(signal.SIGUSR1, {handler})\n"
        source = head + "\n\ndef choose(obs):\n    while True:\n        pass\n"
        (forfeit,) = play(a_spec(source, FIRST, clock=QUICK), zygote).forfeits
        assert forfeit.code.startswith("timeout.")


def test_a_file_that_cannot_be_opened_leads_to_the_assets(zygote: Zygote) -> None:
    played = play(a_spec("import numpy as np\nW = np.load('w.npy')\n" + FIRST, FIRST), zygote)
    log = played.seats[0].log.decode()
    assert "Error" in log
    assert "hanami.asset(path)" in log
    assert "hanami.asset(path)" not in play(a_spec(CRASH_ON_THIRD, LAST), zygote).seats[0].log.decode()
