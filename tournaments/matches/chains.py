"""Stages as a chain: the entries that went on, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import OuterRef, Subquery

from tournaments.models import Entry, Progression, Stage, StageEntry, Tournament


@dataclass(frozen=True, slots=True)
class Came:
    """An entry that went on. group: label of its group in the stage before, "" where there was one only; place: there.

    carried: what it brings along of the figure that ranks first, "0" for nothing.
    """

    entry: Entry
    seed: int
    way: Progression
    place: int
    group: str
    by_lots: bool
    carried: str


@dataclass(frozen=True, slots=True)
class Pick:
    """An entry that would go on, by UUID, as it was worked out for a preview."""

    entry: str
    seed: int
    way: int
    place: int
    by_lots: bool
    carried: str


def ways_of(event: Tournament) -> list[Progression]:
    """Return every way between its stages, in the order in which they are played. One query."""
    rows = Progression.objects.filter(source__tournament=event).select_related("source", "target")
    return list(rows.order_by("source__order", "first"))


def groups_of(stage: Stage) -> dict[int, str]:
    """Return the group's label by entry; no query where everybody plays in one."""
    if stage.groups_n < 2:
        return {}
    rows = StageEntry.objects.filter(stage=stage, group__isnull=False)
    return dict(rows.values_list("entry", "group__label"))


def comers_of(stage: Stage) -> list[Came]:
    """Return the entries that came to a stage from those before it, by seed. One query, none for a first stage."""
    if stage.order == 1:
        return []
    # The group is the one of the stage before: it is what "second of group B" means beside the seed here.
    before = StageEntry.objects.filter(stage=OuterRef("came_by__source"), entry=OuterRef("entry"))
    rows = StageEntry.objects.filter(stage=stage, came_by__isnull=False).order_by("seed")
    rows = rows.select_related("entry__player__bot", "entry__bot_version", "came_by__source")
    return [
        Came(row.entry, row.seed, row.came_by, row.came_place or 0, row.mates or "", row.by_lots, row.carry_in)
        for row in rows.annotate(mates=Subquery(before.values("group__label")[:1]))
        if row.came_by is not None
    ]


def lines_for(picks: Sequence[Pick]) -> list[Came]:
    """Return the same for those who would go on. Three queries."""
    ways = Progression.objects.select_related("source").in_bulk([pick.way for pick in picks])
    rows = Entry.objects.filter(uuid__in=[pick.entry for pick in picks])
    entries = {str(row.uuid): row for row in rows.select_related("player__bot", "bot_version")}
    sources = {way.source_id for way in ways.values()}
    grouped = StageEntry.objects.filter(stage__in=sources, entry__in=entries.values(), group__isnull=False)
    labels = {(stage, entry): label for stage, entry, label in grouped.values_list("stage", "entry", "group__label")}
    return [
        Came(
            entries[pick.entry],
            pick.seed,
            ways[pick.way],
            pick.place,
            labels.get((ways[pick.way].source_id, entries[pick.entry].pk), ""),
            pick.by_lots,
            pick.carried,
        )
        for pick in picks
    ]
