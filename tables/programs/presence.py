"""Which programs are there: those whose stream is open, as the web processes note it some times a minute."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from django.db.models import Q
from django.utils import timezone

from tables.models import Program

NOTED_EVERY_S: Final = 15.0
"""Seconds between two notes of a web process: one statement for all of its streams."""
HERE_FOR: Final = timedelta(seconds=45)


def note_here(programs: Iterable[int]) -> None:
    """Note that these programs (their ids) are there. One statement."""
    Program.objects.filter(pk__in=list(programs)).update(seen_at=timezone.now())


def is_here(program: Program) -> bool:
    """Return whether a program would hear of a challenge."""
    return program.seen_at is not None and program.seen_at > timezone.now() - HERE_FOR


def here() -> Q:
    """Return the same as a condition on programs."""
    return Q(seen_at__gt=timezone.now() - HERE_FOR)
