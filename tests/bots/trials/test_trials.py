"""Trials of an upload: the same matches for the same files, every fault found and told in words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from uuid import UUID

import pytest

from bots import trials
from bots.house import PLAYS, house_files
from bots.protocol.files import BotFiles
from bots.runner.spec import CLOCKS
from bots.runner.table import Played
from bots.runner.zygote import Zygote
from bots.trials import tables
from bots.trials.running import DECISIONS
from engine.game import game_of
from engine.games import PRESETS
from tests.bots.matches import FIRST, a_bot

LOADS_BADLY = "raise ValueError('no idea')\n"
CRASHES = "def choose(obs):\n    raise ValueError('no idea')\n"
ILLEGAL = "def choose(obs):\n    return 1000\n"
AT_FIVE_SEATS = "def choose(obs):\n    return 0 if len(obs['sides']) != 5 else 1 / 0\n"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Zygote]:
    with Zygote.start() as zygote:
        yield zygote


def a_candidate(source: str, *plays: str) -> trials.Candidate:
    return trials.Candidate(a_bot(source), plays or ("hawaii",))


def findings(candidate: trials.Candidate, sandbox: Zygote) -> list[trials.Finding]:
    return list(trials.run(candidate, sandbox))


@pytest.mark.thorough
def test_a_good_bot_goes_through_every_step(sandbox: Zygote) -> None:
    found = findings(a_candidate(FIRST, "hawaii", "poka5"), sandbox)
    assert [(one.id, one.ok) for one in found] == [
        (name, True) for name in ("start", "smoke.hawaii", "smoke.poka5", "states")
    ]
    states = found[-1]
    assert sum(one.asked for one in states.tried) >= DECISIONS
    assert {one.sitting.spec.preset for one in states.tried} == {"hawaii", "poka5"}
    assert {one.sitting.spec.seats for one in states.tried} >= {2, 3, 4, 5, 6, 7}
    assert len({one.sitting.seat for one in states.tried}) > 2
    assert str(sum(one.asked for one in states.tried)) in str(states.step()["message"])


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("source", "steps", "code", "where"),
    [
        (LOADS_BADLY, ["start"], "crash", "while loading"),
        (CRASHES, ["start", "smoke.hawaii"], "crash", "in deal 1, move"),
        (ILLEGAL, ["start", "smoke.hawaii"], "illegal", "in deal 1, move"),
        pytest.param(
            AT_FIVE_SEATS, ["start", "smoke.hawaii", "states"], "crash", "in deal 1, move", marks=pytest.mark.slow
        ),
    ],
)
def test_the_first_step_that_fails_is_the_last(
    sandbox: Zygote, source: str, steps: list[str], code: str, where: str
) -> None:
    found = findings(a_candidate(source), sandbox)
    assert [one.id for one in found] == steps
    assert [one.ok for one in found] == [True] * (len(steps) - 1) + [False]
    step = found[-1].step()
    assert step["code"] == code
    assert where in str(step["message"])
    assert found[-1].failed is not None
    if code == "crash":
        assert b"Traceback" in found[-1].failed.log


def test_a_game_of_two_has_tables_of_one_size(sandbox: Zygote) -> None:
    said = str(findings(a_candidate(FIRST, "koikoi_nintendo"), sandbox)[-1].step()["message"])
    assert " decisions at tables of 2 seats against random players" in said


def test_messages_are_said_in_any_language(sandbox: Zygote) -> None:
    failed = findings(a_candidate(LOADS_BADLY), sandbox)[-1]
    said = trials.render_message(failed.text, lambda message: f"<{message}>")
    assert said.startswith("<hawaii: crash <while loading>: <it raised an error")
    assert said.endswith("Repair the bot and upload it again.>")


@pytest.mark.slow
def test_the_same_files_get_the_same_matches(sandbox: Zygote) -> None:
    files = a_bot(FIRST)
    candidate = trials.Candidate(files, ("french",))
    one, two = (list(trials.run(candidate, sandbox)) for _ in range(2))
    hashes = [[tried.played.document["hash"] for tried in finding.tried] for finding in one]
    assert hashes == [[tried.played.document["hash"] for tried in finding.tried] for finding in two]
    other = trials.Candidate(BotFiles(files.files, "0" * 64), ("french",))
    assert tables.smoke(other, "french").spec.seed != tables.smoke(candidate, "french").spec.seed


def test_every_preset_has_its_tables() -> None:
    candidate = trials.Candidate(house_files("random"), PLAYS)
    sittings = list(islice(tables.states(candidate), 8 * len(PRESETS)))
    for name in PRESETS:
        low, high = game_of(PRESETS[name].game).seat_range
        seats = {each.spec.seats for each in sittings if each.spec.preset == name}
        assert seats == set(range(low, high + 1))
        smoke = tables.smoke(candidate, name)
        assert low <= smoke.spec.seats <= high
    assert all(each.spec.bots[each.seat] == candidate.files for each in sittings)


def test_who_takes_its_time_is_asked_less_often(sandbox: Zygote) -> None:
    *_, states = trials.run(a_candidate(FIRST), sandbox, patience_s=0)
    assert (states.id, states.ok, len(states.tried)) == ("states", True, 1)


BURNS = """
import time
def choose(obs):
    end = time.process_time() + 0.03
    while time.process_time() < end: pass
    return 0
"""


@pytest.mark.slow
def test_a_trial_has_a_limit_as_a_whole(sandbox: Zygote) -> None:
    """However little each move takes; one that loads costs something, too."""
    candidate = trials.Candidate(a_bot(BURNS), ("hawaii", "french", "paradise"))
    *_, last = trials.run(candidate, sandbox, cpu_s=0.2)
    step = last.step()
    assert (last.id, last.ok, step["code"], len(last.tried)) == ("limit", False, "timeout.cpu", 1)
    assert "the limit for all is 0" in str(step["message"])
    whole = list(trials.run(candidate, sandbox, cpu_s=60, patience_s=0))
    assert [one.id for one in whole] == ["start", "smoke.hawaii", "smoke.french", "smoke.paradise", "states"]


def test_what_there_is_no_time_for_is_left_out(sandbox: Zygote) -> None:
    """That is our load, for nobody can sleep."""
    candidate = trials.Candidate(a_bot(FIRST), ("hawaii", "french"))
    found = list(trials.run(candidate, sandbox, wall_s=0))
    assert [(one.id, one.ok) for one in found] == [("start", True), ("smoke.hawaii", True)]


def test_a_bot_cannot_tell_a_trial_by_the_names_of_its_matches() -> None:
    candidate = trials.Candidate(house_files("random"), PLAYS)
    specs = [tables.smoke(candidate, PLAYS[0]).spec, *(each.spec for each in islice(tables.states(candidate), 3))]
    names = {word for spec in specs for word in (spec.match_id, str(spec.fair["deal_set"]))}
    assert len(names) == 2 * len(specs)
    assert all(UUID(name).version == 4 for name in names)


def test_a_judge_may_stop_it(sandbox: Zygote) -> None:
    class Doubt(Exception):
        pass

    def doubts(_played: Played) -> None:
        raise Doubt

    with pytest.raises(Doubt):
        list(trials.run(a_candidate(FIRST), sandbox, check_clock=doubts))


def test_a_finding_names_the_error_and_a_source_that_does_not_compile_its_line(sandbox: Zygote) -> None:
    crash = findings(a_candidate(CRASHES), sandbox)[-1]
    assert "it raised an error (ValueError: no idea)" in str(crash.step()["message"])
    broken = findings(a_candidate("def choose(obs)\n    return 0\n"), sandbox)[-1]
    assert "SyntaxError" in str(broken.step()["message"])
    assert broken.failed is not None
    assert b'File "bot.py", line 1' in broken.failed.log
    assert b"importlib" not in broken.failed.log


@pytest.mark.thorough
def test_a_candidate_is_tried_with_the_clock_that_it_declares(sandbox: Zygote) -> None:
    slow = "import time\nuntil = time.process_time() + 1.3\nwhile time.process_time() < until:\n    pass\n" + FIRST
    assert findings(a_candidate(slow), sandbox)[-1].code.startswith("timeout.")
    deep = trials.Candidate(a_bot(slow), ("hawaii",), CLOCKS["deep"])
    start = next(iter(trials.run(deep, sandbox)))
    assert (start.ok, "5000 ms" in str(start.step()["message"])) == (True, True)
