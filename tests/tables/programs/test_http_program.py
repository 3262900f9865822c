"""The program of the guide, which has nothing but HTTP, plays a rated match, and a round of an event."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from subprocess import PIPE, Popen

import pytest

from tables.actions.answering import answer
from tables.actions.sitters import Sitter
from tables.events.seats import sit_reserved
from tables.models import LiveTable, Program
from tables.play.shuffle import of_service
from tests.services.processes import ROOT
from tests.services.waiting import wait_until
from tests.tables.players import again, folded, guest
from tests.tables.programs.building import a_program, caller
from tests.tables.programs.test_events import an_event, called, table_at
from tournaments.models import Match, Rating, Standing
from tournaments.ratings import pools

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.thorough]
GUIDE = ROOT / "docs" / "24-remote-programs.md"
MAX_LINES = 60


def program_of_the_guide() -> str:
    found = re.search(r"```python live\n(# program.py.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def script_for(live_site: str, folder: Path) -> Path:
    source = program_of_the_guide()
    assert len(source.splitlines()) <= MAX_LINES
    script = folder / "program.py"
    script.write_text(source.replace("https://hanami.example.org", live_site), encoding="utf-8")
    return script


def started(script: Path, program: Program, *more: str) -> Popen[bytes]:
    environment = {"HANAMI_TOKEN": caller(program).key, "PATH": ""}
    # -I: no module of this project can be imported, only the standard library.
    return Popen(
        [sys.executable, "-I", str(script), program.bot.slug, *more], env=environment, stdout=PIPE, stderr=PIPE
    )


def is_heard(program: Program) -> bool:
    return Program.objects.filter(pk=program.pk, seen_at__isnull=False).exists()


def answered(table: LiveTable, me: Sitter, index: int) -> LiveTable:
    """The table after one more answer: one's own, or that of the program, which is waited for."""
    question = folded(table).question
    if question is not None and question.seat == index:
        return answer(table, me, question.n, 0)
    wait_until(lambda: again(table).answered > table.answered, 30, "its answer")
    return again(table)


def test_sixty_lines_with_nothing_but_http_play_a_rated_match(live_site: str, tmp_path: Path) -> None:
    script = script_for(live_site, tmp_path)
    plum, crane = a_program("Plum", is_here=False), a_program("Crane", is_here=False)
    waits = started(script, plum)
    wait_until(lambda: is_heard(plum), 30, "its stream")
    asks = started(script, crane, plum.bot.slug)
    for process in (waits, asks):
        said, complained = process.communicate(timeout=120)
        assert process.returncode == 0, complained.decode()
        assert b"'rank':" in said
    table = LiveTable.objects.get()
    assert (table.state, table.rated) == (LiveTable.State.FINISHED, True)
    assert not table.answers.exclude(code="").exists()
    pools.fold_stale()
    assert set(Rating.objects.values_list("version", flat=True)) == {plum.version_id, crane.version_id}


def test_the_same_lines_play_a_round_of_an_event(live_site: str, tmp_path: Path) -> None:
    plum = a_program("Plum", is_here=False)
    event = an_event(plum)
    process = started(script_for(live_site, tmp_path), plum)
    wait_until(lambda: is_heard(plum), 30, "its stream")
    (match,) = called(event)
    index, me = match.seats.get(bot_version=None).index, guest("Aiko")
    sit_reserved(table_at(match), me, of_service(), [index])
    wait_until(lambda: table_at(match).state == "playing", 30, "the program at its seat")
    table = table_at(match)
    while table.state == "playing":
        table = answered(table, me, index)
    said, complained = process.communicate(timeout=60)
    assert process.returncode == 0, complained.decode()
    assert b"'rank':" in said
    wait_until(lambda: Match.objects.get(pk=match.pk).state == "confirmed", 30, "the result")
    assert not table.answers.exclude(code="").exists()
    assert Standing.objects.filter(stage=match.stage, after_round=1).count() == 2
