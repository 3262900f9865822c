"""Who comes into a ladder that runs, and who leaves it."""

from __future__ import annotations

from collections.abc import Iterable

from activity import wake_ups
from tournaments.models import Entry, Stage, StageEntry


def join(stage: Stage, entries: Iterable[Entry]) -> None:
    """Let entries in at the bottom; one that comes back stands where it stood. Needs the event's row lock."""
    for entry in entries:
        if entry.state != Entry.State.ENTERED:
            continue
        last = StageEntry.objects.filter(stage=stage).order_by("-seed").values_list("seed", flat=True).first() or 0
        row, _made = StageEntry.objects.get_or_create(stage=stage, entry=entry, defaults={"seed": last + 1})
        StageEntry.objects.filter(pk=row.pk).update(left_round=None)
        entry.state, entry.seed = Entry.State.ACTIVE, row.seed
        entry.save(update_fields=["state", "seed"])
    wake_ups.ring_on_commit("derive")


def leave(entry: Entry) -> None:
    """Nothing more is drawn for it; what is drawn is played, its results stay. Needs the event's row lock."""
    StageEntry.objects.filter(stage__tournament=entry.tournament_id, entry=entry).update(left_round=1)
