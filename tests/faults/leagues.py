"""Leagues that last long enough to be hurt, and what must hold of each of them afterwards."""

from __future__ import annotations

from typing import Final

from tests.services.commands import said
from tournaments.models import Match, ResultReport, Seat, Tournament

QUICK: Final = {"HANAMI_LEASE_S": "5"}
# About 15 ms a move: a match lasts seconds, so that a kill finds it in play.
TAKES_ITS_TIME: Final = b"def choose(obs):\n    for _ in range(300000):\n        pass\n    return 0\n"


def check_the_league(matches: int) -> None:
    """Every match confirmed once, every record right, nobody forfeited."""
    assert set(Match.objects.values_list("state", flat=True)) == {"confirmed"}
    assert Match.objects.count() == matches
    reports = ResultReport.objects.filter(state="confirmed").values_list("match", flat=True)
    assert len(reports) == len(set(reports)) == ResultReport.objects.count() == matches
    assert not Seat.objects.filter(outcome="forfeit").exists()
    assert f"{matches} of {matches} records verify" in said("verify_records")
    assert "0 tables differed" in said("refold", "--check")


def finished() -> bool:
    """Return whether every event is over."""
    return not Tournament.objects.exclude(state="finished").exists()


def in_play() -> Match | None:
    """A match that is being played just now."""
    return Match.objects.filter(state="claimed", claimed_at__isnull=False).first()
