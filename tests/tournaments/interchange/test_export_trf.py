"""A Swiss league of bots as a FIDE report, judged by the outside checker after every round."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from bots.jobs.process import Process
from tests.builders import events as a
from tests.core.interchange.checker import tie_breaks, verdict
from tests.tournaments.progress.test_advancing import GREEDY, play_on
from tournaments.matches import play
from tournaments.models import Entry, Round, Standing, Tournament
from tournaments.progress import derive
from tournaments.progress.draws import next_round

pytestmark = pytest.mark.django_db(transaction=True)


def report(slug: str, path: Path, turn: int = 0) -> Path:
    call_command("export_trf", slug, "--round", str(turn), "--output", str(path))
    return path


@pytest.mark.slow
def test_the_outside_checker_accepts_a_league_in_every_round(process: Process, tmp_path: Path) -> None:
    tie = ("bh", "bhc1", "sb")
    event = a.a_running_event(
        sources=[a.FIRST, GREEDY, a.CRASHES] * 3,
        kind="dutch",
        rounds=4,
        scoring="place",
        tie_breaks=tie,
        bye_policy="full",
    )
    process.seconds = 0.01
    play.play_batch(process)
    gone = Entry.objects.order_by("pk")[4]
    Entry.objects.filter(pk=gone.pk).update(state=Entry.State.WITHDRAWN)
    play_on(process)
    assert Tournament.objects.get().state == "finished"
    for turn in range(1, Round.objects.count() + 1):
        found = verdict(report(event.slug, tmp_path / f"{turn}.trf", turn))
        assert found.passed, found.output
    figures = tie_breaks(tmp_path / "4.trf", ("PTS", "BH", "BH/C1", "SB"))
    for row in Standing.objects.filter(after_round=4).select_related("entry"):
        assert row.entry.seed is not None
        assert [Fraction(value) for value in row.key] == figures[row.entry.seed], row.entry


@pytest.mark.thorough
def test_the_report_of_a_running_league_is_printed(
    process: Process, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    event = a.a_running_event(bots=4, kind="swiss", rounds=2)
    process.seconds = 0.1
    play.play_batch(process)
    derive.derive_waiting()
    next_round.advance_waiting()
    call_command("export_trf", event.slug)
    assert capsysbinary.readouterr().out.startswith(b"012 Plum league")


def test_what_a_report_cannot_tell_is_refused(process: Process) -> None:
    event = a.a_running_event(bots=4, kind="tables", seats=4)
    with pytest.raises(CommandError, match=r"trf\.kind"):
        call_command("export_trf", event.slug)
    with pytest.raises(CommandError, match="no stage 2"):
        call_command("export_trf", event.slug, "--stage", "2")
