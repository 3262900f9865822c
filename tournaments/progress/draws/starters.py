"""Starters: the entries of a first stage, and the versions that bots play with."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F, OuterRef, Subquery
from django.utils import timezone

from bots.models import Bot, BotVersion
from bots.runner.spec import Clock
from tournaments.lifecycle.time_limits import clock_of
from tournaments.models import Entry, Stage, Tournament
from tournaments.pairing.lineups_query import teams_of
from tournaments.ratings.ladders.ladder import is_fit

Lineup = list[tuple[Entry, BotVersion | None]]


def chosen(tournament: Tournament, stage: Stage) -> tuple[Lineup, list[Entry]]:
    """Return who plays with which version, first come first, and who is entered but cannot play.

    The rest keeps waiting.

    Of people those play who are checked in; nobody else is dropped, as they may still come.
    """
    people = _people(tournament) if tournament.is_of_people else []
    if not tournament.has_bots:
        return people, []
    bots, dropped = _bots(tournament, stage, room=tournament.max_entries - len(people))
    return sorted([*people, *bots], key=_by_seed) if people else bots, dropped


def _by_seed(one: tuple[Entry, BotVersion | None]) -> tuple[bool, int, bool, float, int]:
    """Sort by seeds that were set, then first come first."""
    return (one[0].seed is None, one[0].seed or 0, *_standing_in_line(one[0]))


def _people(tournament: Tournament) -> Lineup:
    listed = teams_of(tournament) if tournament.partners else tournament.entries.filter(player__bot=None)
    here = listed.filter(state=Entry.State.ACTIVE)
    listed = here.select_related("player").order_by(F("seed").asc(nulls_last=True), "created_at", "pk")
    return [(entry, None) for entry in listed]


def _bots(tournament: Tournament, stage: Stage, room: int) -> tuple[Lineup, list[Entry]]:
    entries = Entry.objects.filter(tournament=tournament, state__in=(Entry.State.ENTERED, Entry.State.WAITLISTED))
    entries = entries.filter(player__bot__isnull=False)
    clock = clock_of(stage)
    found: Lineup = []
    dropped: list[Entry] = []
    # Sorted here: the waiting list comes after everybody who has a place, whenever they entered.
    ordered = sorted(entries.select_related("player__bot__active_version", "bot_version"), key=_standing_in_line)
    for entry in ordered:
        # A version that was pinned when entries closed; else the one that is active now.
        version = entry.bot_version or (entry.player.bot.active_version if entry.player.bot else None)
        if version is None or not _can_play(version, entry.player.bot, stage, clock):
            dropped.append(entry)
        elif len(found) < room:
            found.append((entry, version))
    return found, dropped


def _can_play(version: BotVersion, bot: Bot | None, stage: Stage, clock: Clock) -> bool:
    """Return whether a version may be drawn; a remote program was asked about rules and clock when it was entered."""
    if bot is not None and bot.remote:
        return stage.takes_programs and version.state == BotVersion.State.REMOTE and bot.suspended_at is None
    return is_fit(version, stage.preset, clock)


def pin_closed_entries() -> int:
    """Pin, for entries that the clock has closed, the version they closed with, no matter when the event starts.

    Part of the sweep. Returns how many were pinned.
    """
    unpinned = Entry.objects.filter(bot_version=None, state__in=(Entry.State.ENTERED, Entry.State.WAITLISTED))
    unpinned = unpinned.filter(player__bot__active_version__state=BotVersion.State.READY)
    closed = Tournament.objects.filter(state=Tournament.State.REGISTRATION, entries_close_at__lte=timezone.now())
    pinned = 0
    for pk in closed.filter(entries__in=unpinned).distinct().values_list("pk", flat=True):
        with transaction.atomic():
            # One event at a time under its row's lock, asked again: the start, which pins as well, takes the same lock.
            if closed.select_for_update().filter(pk=pk).exists():
                # One UPDATE with a sub-query: an owner may make another version active between a read and a write.
                active = Bot.objects.filter(player=OuterRef("player")).values("active_version")[:1]
                pinned += unpinned.filter(tournament=pk).update(bot_version=Subquery(active))
    return pinned


def _standing_in_line(entry: Entry) -> tuple[bool, float, int]:
    return (entry.state == Entry.State.WAITLISTED, entry.created_at.timestamp(), entry.pk)
