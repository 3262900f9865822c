"""Lists of programs, with their ratings among programs, which never mix with those of uploaded bots."""

from __future__ import annotations

from typing import Final

from django.db.models import Prefetch, QuerySet, TextField
from django.db.models.functions import Cast

from tables.models import Program
from tables.programs.presence import here
from tournaments.models import Rating, RatingPool

READ: Final = "remote_ratings"
"""Where a version has its ratings that were read beside it."""


def programs_listed(*, preset: str = "", words: str = "", is_here: bool = False) -> QuerySet[Program]:
    """Return programs, the newest first, each with `ratings_of`. preset: an id; words: in the name. Two queries."""
    rows = _with_ratings(Program.objects.order_by("-id"))
    if preset:
        # The list of ids as text: SQLite has no look into JSON that an index or a filter could use.
        rows = rows.annotate(text=Cast("presets", TextField())).filter(text__contains=f'"{preset}"')
    if words:
        rows = rows.filter(bot__name__holds=words)
    return rows.filter(here()) if is_here else rows


def program_of(slug: str) -> Program | None:
    """Return a program by its address, with `ratings_of`. Two queries."""
    return _with_ratings(Program.objects.filter(bot__slug=slug)).first()


def ratings_of(program: Program) -> list[Rating]:
    """Return the ratings of a program that was read here, the most played first."""
    return list(vars(program.version)[READ])


def _with_ratings(rows: QuerySet[Program]) -> QuerySet[Program]:
    of_programs = Rating.objects.filter(pool__who=RatingPool.Who.REMOTE, pool__stage=None).select_related("pool")
    ratings = Prefetch("version__ratings", queryset=of_programs.order_by("-events", "pk"), to_attr=READ)
    return rows.select_related("bot__owner", "bot__active_version", "version").prefetch_related(ratings)
