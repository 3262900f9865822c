"""Versions that are new to a ladder: each plays its first deal set at once, before the rest of the ladder's queue.

An author who activates a version is to see how it plays within seconds, however many matches wait. Two bounds keep
that from being used to go before everybody else: how many versions may wait for their first result at a time, and how
many of one owner's came in within an hour. Who is beyond them is drawn and queued like everybody else (decision 0147).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from django.db.models import Exists, F, Min, OuterRef
from django.utils import timezone

from bots.models import BotVersion
from bots.services.uploading import UPLOADS_PER_HOUR
from tournaments.lifecycle.time_limits import clock_of
from tournaments.models import Rating, RatingPool, Seat, Stage, StageEntry
from tournaments.ratings.ladders import ladder

# More versions without a result there are only when a ladder begins: there everybody is new, and waits with the others.
MAX_UNPROVEN: Final = 32
# As many as may be uploaded, so that somebody who works on bots never meets it. It is for those who activate one old
# version after another.
AN_OWNER: Final = UPLOADS_PER_HOUR
PERIOD: Final = timedelta(hours=1)


def waiting(stage: Stage, pool: RatingPool) -> list[str]:
    """Return the entries (UUIDs) whose first deal set is to be drawn now, the oldest version first.

    One query where every version has a result; one or two more otherwise.
    """
    unproven = _unproven(stage, pool)
    if not unproven:
        return []
    drawn = _drawn(unproven)
    fresh = [row for row in unproven if _key(row) not in drawn]
    room = MAX_UNPROVEN - (len(unproven) - len(fresh))
    if not fresh or room <= 0:
        return []
    return [str(row.entry.uuid) for row in _within_quota(stage, fresh)[:room]]


def _unproven(stage: Stage, pool: RatingPool) -> list[StageEntry]:
    """Return the entries that may be drawn and whose version has no result here."""
    # By ratings, of which a version has one; of seats it has one for each match.
    rated = Rating.objects.filter(pool=pool, line=OuterRef("seed"), n=OuterRef("entry__player__bot__active_version__n"))
    rows = ladder.playing_entries(stage).filter(~Exists(rated), entry__player__bot__active_version__isnull=False)
    clock = clock_of(stage)
    ordered = rows.order_by("entry__player__bot__active_version")
    return [row for row in ordered if ladder.is_fit(_version(row), stage.preset, clock)]


def _drawn(rows: Sequence[StageEntry]) -> set[tuple[int, int]]:
    """Return entry and version of those that have a match: also one that is held or void, else they would get the next
    one at once.
    """
    seats = Seat.objects.filter(entry__in=[row.entry_id for row in rows])
    seats = seats.filter(bot_version__in=[_version(row).pk for row in rows])
    return {(entry or 0, version or 0) for entry, version in seats.values_list("entry", "bot_version").distinct()}


def _key(row: StageEntry) -> tuple[int, int]:
    return row.entry_id, _version(row).pk


def _version(row: StageEntry) -> BotVersion:
    bot = row.entry.player.bot
    assert bot is not None
    assert bot.active_version is not None
    return bot.active_version


def _within_quota(stage: Stage, fresh: Sequence[StageEntry]) -> list[StageEntry]:
    """Return those whose owners brought in fewer than `AN_OWNER` versions within the last hour."""
    brought = _brought_in(stage, {_owner(row) for row in fresh})
    found = []
    for row in fresh:
        brought[_owner(row)] += 1
        if brought[_owner(row)] <= AN_OWNER:
            found.append(row)
    return found


def _owner(row: StageEntry) -> int:
    bot = row.entry.player.bot
    assert bot is not None
    return bot.owner_id


def _brought_in(stage: Stage, owners: set[int]) -> Counter[int]:
    """Count the versions of each owner whose first deal set here was drawn within the last hour."""
    seats = Seat.objects.filter(match__stage=stage, entry__player__bot__owner__in=owners)
    firsts = seats.values("entry", "version_n", owner=F("entry__player__bot__owner")).annotate(
        drawn_at=Min("match__deal_set__created_at")
    )
    recent = firsts.filter(drawn_at__gte=timezone.now() - PERIOD)
    return Counter(recent.values_list("owner", flat=True))
