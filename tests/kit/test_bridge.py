"""`hanami bridge`: programs in four languages play, and a network that is cut loses no answer and doubles none."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread

import pytest

from kit.account import Account
from kit.bridging import Bridge, Orders
from kit.commands.new import LANGUAGES
from kit.errors import BotFailed
from kit.executables import Executable
from kit.remote import Remote
from scripts.languages import is_there
from tables.models import Answer, LiveTable, Program
from tests.builders.keys import Caller
from tests.kit.conftest import Type
from tests.kit.cutting import Cable
from tests.services.waiting import wait_until
from tests.tables.programs.building import a_program, caller

FIRST = """\
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    print(json.dumps({"ready": 1} if "hello" in told else {"q": told["q"], "a": 0}), flush=True)
"""
OBS = {"legal": [{"play": "01.1"}, {"play": "02.1"}], "field": ["02.2", None]}


def a_file(folder: Path, source: str, name: str = "mine.py") -> list[str]:
    (folder / name).write_text(source, encoding="utf-8")
    return [sys.executable, str(folder / name)]


@pytest.fixture
def bridges() -> Iterator[list[Bridge]]:
    """Bridges that run; all are stopped at the end."""
    running: list[Bridge] = []
    yield running
    for bridge in running:
        bridge.remote.stop.set()


def run(
    bridges: list[Bridge], site: str, program: Program, command: list[str], orders: Orders, said: list[str]
) -> Thread:
    """A bridge in a thread of its own."""
    remote = Remote(Account(site, caller(program).key), stop=Event(), on_cut=said.append)
    bridge = Bridge(remote, command, orders, said.append)
    bridges.append(bridge)
    thread = Thread(target=bridge.run, daemon=True)
    thread.start()
    return thread


def until_here(program: Program) -> None:
    wait_until(lambda: Program.objects.filter(pk=program.pk, seen_at__isnull=False).exists(), 30, "its stream")


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_two_bridges_play_a_match(live_site: str, tmp_path: Path, bridges: list[Bridge]) -> None:
    plum, crane = a_program("Plum", is_here=False), a_program("Crane", is_here=False)
    command, said = a_file(tmp_path, FIRST), list[str]()
    first = run(bridges, live_site, plum, command, Orders(matches=1), said)
    until_here(plum)
    orders = Orders(challenge=(plum.bot.slug,), preset="koikoi_nintendo", rated=True, matches=1)
    second = run(bridges, live_site, crane, command, orders, said)
    for thread in (first, second):
        thread.join(120)
        assert not thread.is_alive(), said
    table = LiveTable.objects.get()
    assert (table.state, table.rated) == (LiveTable.State.FINISHED, True)
    assert not Answer.objects.exclude(code="").exists()
    assert {seat.drawn_by for seat in table.seats.all()} == {"program"}
    assert [bridge.failed for bridge in bridges] == [[], []]
    assert [len(bridge.done) for bridge in bridges] == [1, 1]


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_a_network_that_is_cut_loses_no_answer_and_doubles_none(
    live_site: str, tmp_path: Path, bridges: list[Bridge]
) -> None:
    """The line is cut in the middle of the match: once before a reply comes back, once with every stream."""
    plum, crane = a_program("Plum", is_here=False), a_program("Crane", is_here=False)
    command, said = a_file(tmp_path, FIRST), list[str]()
    run(bridges, live_site, plum, command, Orders(matches=1), said)
    until_here(plum)
    with Cable(live_site) as cable:
        orders = Orders(challenge=(plum.bot.slug,), preset="koikoi_nintendo", matches=1)
        thread = run(bridges, cable.address, crane, command, orders, said)
        wait_until(lambda: Answer.objects.count() >= 6, 60, "some answers")
        cable.lose_next_reply()
        wait_until(lambda: cable.lost, 60, "an answer whose reply was lost")
        before = Answer.objects.count()
        cable.cut()
        cable.mend()
        wait_until(lambda: Answer.objects.count() >= before + 6, 60, "answers after the cut")
        thread.join(120)
    table = LiveTable.objects.get()
    assert table.state == LiveTable.State.FINISHED, said
    assert not Answer.objects.exclude(code="").exists(), "nobody ran out of time, nobody left"
    numbers = list(Answer.objects.filter(table=table).order_by("n").values_list("n", flat=True))
    assert numbers == list(range(len(numbers)))
    assert any("Error" in line or "ended" in line for line in said)


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_a_program_that_breaks_leaves_its_table_and_the_bridge_goes_on(
    live_site: str, tmp_path: Path, bridges: list[Bridge]
) -> None:
    plum, crane = a_program("Plum", is_here=False), a_program("Crane", is_here=False)
    said: list[str] = []
    run(bridges, live_site, plum, a_file(tmp_path, FIRST), Orders(), said)
    until_here(plum)
    broken = a_file(tmp_path, FIRST.replace('"a": 0', '"a": 99'), "broken.py")
    orders = Orders(challenge=(plum.bot.slug,), preset="koikoi_nintendo")
    run(bridges, live_site, crane, broken, orders, said)
    table = wait_until(lambda: LiveTable.objects.filter(state="finished").first(), 60, "the end")
    assert Answer.objects.get(table=table, index=None).code == "left"
    wait_until(lambda: bridges[1].failed, 10, "what the bridge says of it")
    assert not bridges[1].remote.stop.is_set()


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("raise SystemExit(3)", "exit code 3"),
        ("print('hello', flush=True)\nimport sys; sys.stdin.read()", "no object of JSON"),
        ("print('{}', flush=True)\nimport sys; sys.stdin.read()", "ready"),
    ],
)
def test_a_program_that_is_not_ready_says_why(tmp_path: Path, source: str, said: str) -> None:
    process = Executable(a_file(tmp_path, source))
    try:
        with pytest.raises(BotFailed, match=said):
            process.greet({"v": 1})
    finally:
        process.close()


def test_a_silent_program_is_not_waited_for_longer_than_its_clock(tmp_path: Path) -> None:
    process = Executable(a_file(tmp_path, "import sys; print('{\"ready\":1}', flush=True); sys.stdin.read()"))
    try:
        process.greet({"v": 1})
        with pytest.raises(BotFailed, match="within 0 s"):
            process.ask(1, OBS, 0.05)
    finally:
        process.close()


TOOLS = {"python": sys.executable, "javascript": "node", "c": "cc", "rust": "rustc"}
HERE = [language for language in LANGUAGES if is_there(TOOLS[language])]
"""Languages whose compiler is there and runs; `make test-slow` installs those that are not."""


def built(type_in: Type, at_home: Path, language: str) -> list[str]:
    """Write the template of a language, build it as it says, and return the command that starts it."""
    made = type_in("new", "mine", "--remote", language)
    assert made.code == 0, made.err
    folder, found = at_home / "mine", LANGUAGES[language]
    if found.build:
        # As the template's own text says, word by word.
        subprocess.run(found.build.split(), cwd=folder, check=True, timeout=300)
        assert found.build in (folder / found.file).read_text(encoding="utf-8")
    starts = {"python": [sys.executable], "javascript": ["node"]}
    return [*starts.get(language, []), str(folder / found.command)]


@pytest.mark.thorough(keep=1)
@pytest.mark.parametrize("language", HERE)
def test_a_template_is_built_and_answers(type_in: Type, at_home: Path, language: str) -> None:
    process = Executable(built(type_in, at_home, language))
    try:
        process.greet({"v": 1, "match": "x"})
        many = [{"play": f"{month:02}.1", "take": ["a, ]", '\\"']} for month in range(1, 9)]
        found = {process.ask(n, {**OBS, "legal": many}, 20) for n in range(1, 9)}
        assert found <= set(range(8))
        assert process.ask(9, OBS, 20) in (0, 1)
    finally:
        process.close()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("language", HERE)
def test_a_template_plays_a_whole_match(
    live_site: str, type_in: Type, at_home: Path, bridges: list[Bridge], language: str
) -> None:
    plum, crane = a_program("Plum", is_here=False), a_program("Crane", is_here=False)
    said: list[str] = []
    run(bridges, live_site, plum, a_file(at_home, FIRST), Orders(matches=1), said)
    until_here(plum)
    orders = Orders(challenge=(plum.bot.slug,), preset="hawaii", rated=True, matches=1)
    thread = run(bridges, live_site, crane, built(type_in, at_home, language), orders, said)
    thread.join(180)
    assert LiveTable.objects.get().state == LiveTable.State.FINISHED, said
    assert not Answer.objects.exclude(code="").exists()


def test_what_cannot_be_started_is_said_before_anything_is_asked(type_in: Type) -> None:
    found = type_in("bridge", "./nothing-here", "--server", "http://127.0.0.1:1")
    assert found.code == 2
    assert "no program that can be started" in found.err
    found = type_in("bridge", sys.executable, "--seek", "--server", "http://127.0.0.1:1")
    assert (found.code, "Which rules?" in found.err) == (2, True)


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_a_token_that_can_only_play_is_enough_to_sign_in(
    live_site: str, type_in: Type, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = a_program()
    found = type_in("login", live_site, "--token", caller(program).key)
    assert (found.code, "lacks" in found.err) == (0, False)
    monkeypatch.setenv("HANAMI_TOKEN", Caller(program.bot.owner, "bot:logs").key)
    found = type_in("bridge", sys.executable, "--server", live_site, "--matches", "1")
    assert (found.code, "lacks bot:play" in found.err) == (2, True)


@pytest.mark.thorough
@pytest.mark.django_db(transaction=True)
def test_the_command_plays_and_says_so(
    live_site: str, type_in: Type, at_home: Path, bridges: list[Bridge], monkeypatch: pytest.MonkeyPatch
) -> None:
    plum, crane = a_program("Plum", is_here=False), a_program("Crane", is_here=False)
    run(bridges, live_site, plum, a_file(at_home, FIRST), Orders(matches=1), [])
    until_here(plum)
    monkeypatch.setenv("HANAMI_TOKEN", caller(crane).key)
    more = ("--challenge", plum.bot.slug, "--preset", "hawaii", "--matches", "1", "--json")
    found = type_in("bridge", "mine.py", "--server", live_site, *more)
    assert found.code == 0, found.err
    assert len(found.json["matches"]) == 1
