"""The program of the guide, which has nothing but HTTP, plays a rated match: two processes, two owners."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from subprocess import PIPE, Popen

import pytest

from tables.models import LiveTable, Program
from tests.services.processes import ROOT
from tests.services.waiting import wait_until
from tests.tables.programs.building import a_program, caller
from tournaments.models import Rating
from tournaments.ratings import pools

pytestmark = pytest.mark.django_db(transaction=True)
GUIDE = ROOT / "docs" / "24-remote-programs.md"
MAX_LINES = 60


def program_of_the_guide() -> str:
    found = re.search(r"```python live\n(# program.py.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def started(script: Path, program: Program, *more: str) -> Popen[bytes]:
    environment = {"HANAMI_TOKEN": caller(program).key, "PATH": ""}
    # -I: no module of this project can be imported, only the standard library.
    return Popen(
        [sys.executable, "-I", str(script), program.bot.slug, *more], env=environment, stdout=PIPE, stderr=PIPE
    )


def test_sixty_lines_with_nothing_but_http_play_a_rated_match(live_site: str, tmp_path: Path) -> None:
    source = program_of_the_guide()
    assert len(source.splitlines()) <= MAX_LINES
    script = tmp_path / "program.py"
    script.write_text(source.replace("https://hanami.example.org", live_site), encoding="utf-8")
    plum, crane = a_program("Plum", is_here=False), a_program("Crane", is_here=False)
    waits = started(script, plum)
    wait_until(lambda: Program.objects.filter(pk=plum.pk, seen_at__isnull=False).exists(), 30, "its stream")
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
