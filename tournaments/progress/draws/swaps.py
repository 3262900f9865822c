"""Swaps: two people (or sides) of a round change places before their tables are called; a preview shows what breaks.

The tables that change are written again, so slips and codes printed for them are dead, as after a new draw.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from accounts.alphabet import name_key
from accounts.models import User
from accounts.phrasing import listed
from activity.journal import audit, publish
from core.errors import TournamentError
from core.formats.model import Plan, Pod, Quality, Reason
from core.formats.pools import Pools
from engine.words import gettext_noop
from tournaments.domain_events.stages import PlacesSwapped
from tournaments.lifecycle import locks
from tournaments.lifecycle.transitions import ORGANISERS, label, may
from tournaments.models import Entry, Match, Round, Stage, Tournament
from tournaments.pairing import plans as planning
from tournaments.progress.derive import fold_event
from tournaments.progress.draws.draw import write_tables
from tournaments.undo.recorder import undoable

R = Round.State
OPEN: Final = (R.PUBLISHED, R.PLAYING)
BY_HAND: Final = gettext_noop("%(one)s and %(other)s changed places by hand.")


@dataclass(frozen=True, slots=True)
class Swap:
    """An exchange of two entries of a round, as it would be.

    plans: this round and those after it, with their figures; touched: the tables that change; breaks: in words, what
    is worse than a draw would have it; hash: names exactly this, so that nothing else is written.
    """

    one: Entry
    other: Entry
    before: Quality
    plans: tuple[Plan, ...]
    touched: tuple[Pod, ...]
    breaks: tuple[str, ...]
    hash: str
    names: Mapping[str, str]

    @property
    def after(self) -> Quality:
        """The figures of the round after the exchange."""
        return self.plans[0].quality


def entries_of(round_row: Round) -> list[Entry]:
    """Return those who may change places: everybody in the plan whose table is not called, and the byes. By name."""
    plan = Plan.from_json(round_row.plan)
    waiting = Match.objects.filter(round=round_row, state=Match.State.READY).values_list("table_no", flat=True)
    free = {entry for pod in plan.pods if pod.table in set(waiting) for entry in pod.seats} | set(plan.byes)
    rows = Entry.objects.filter(tournament=round_row.stage.tournament_id, uuid__in=free).select_related("player")
    return sorted(rows, key=lambda entry: (name_key(entry.player.name), entry.pk))


def preview_swap(*, round_row: Round, by: User, one: str, other: str) -> Swap:
    """Work out what would follow if these entries (UUIDs) changed places. Writes nothing.

    Raises TournamentError "tournament.not_organiser", "swap.not_in_round", "swap.same", "swap.bracket",
    "swap.other_group", "swap.called" (a table of theirs is called or over), "swap.not_open".
    """
    stage = round_row.stage
    may(stage.tournament, by, ORGANISERS, "swap")
    require_open(round_row)
    two = _two(round_row, one, other)
    history = planning.history_of(stage)
    plan = next(each for each in history if each.round == round_row.number)
    changed, touched = _exchanged(plan, two)
    _require_waiting(round_row, touched)
    with_change = [changed if each.round == plan.round else each for each in history]
    _require_one_group(planning.pools_of(stage), two)
    # Later rounds, too: their figures count repeats, and this exchange may have made one.
    counted = [each for each in planning.counted(stage, with_change) if each.round >= plan.round]
    people = _people(stage)
    breaks = tuple(dict.fromkeys(_breaks(with_change, plan.round, touched, two, people)))
    text = json.dumps([plan.to_json(), changed.to_json(), sorted(breaks)], sort_keys=True)
    digest = hashlib.sha256(text.encode()).hexdigest()[:32]
    names = {uuid: entry.player.name for uuid, entry in people.items()}
    return Swap(*two, plan.quality, tuple(counted), touched, breaks, digest, names)


def require_open(row: Round) -> None:
    """Raise TournamentError "swap.bracket", "swap.not_open" for a round in which nobody can change places."""
    if row.stage.format.is_bracket:
        message = _("In a bracket the pairings follow from the seeds. Undo the draw and change the seeds.")
        raise TournamentError(message, code="swap.bracket")
    event = row.stage.tournament
    running = event.state in (Tournament.State.RUNNING, Tournament.State.PAUSED) and event.is_of_people
    if not running or row.stage.state != Stage.State.ACTIVE or row.state not in OPEN:
        message = _("You can only swap seats in a round that is published and not yet played.")
        raise TournamentError(message, code="swap.not_open")


def _two(row: Round, one: str, other: str) -> tuple[Entry, Entry]:
    if one == other:
        raise TournamentError(_("Choose two different people."), code="swap.same")
    found = {str(entry.uuid): entry for entry in _rows(row.stage, [one, other])}
    if set(found) != {one, other}:
        message = _("One of them no longer plays in this round. Check the tables again.")
        raise TournamentError(message, code="swap.not_in_round")
    return found[one], found[other]


def _rows(stage: Stage, uuids: Sequence[str]) -> list[Entry]:
    # From an address or a form: a text that is no UUID is an unknown entry, not an error of the server.
    try:
        wanted = [UUID(text) for text in uuids]
    except ValueError:
        return []
    rows = Entry.objects.filter(stage_entries__stage=stage, uuid__in=wanted)
    return list(rows.select_related("player", "tournament"))


def _exchanged(plan: Plan, two: tuple[Entry, Entry]) -> tuple[Plan, tuple[Pod, ...]]:
    """Return the plan with the two in each other's place, and the tables that changed."""
    one, other = (str(entry.uuid) for entry in two)
    instead = {one: other, other: one}
    drawn = {entry for pod in plan.pods for entry in pod.seats} | set(plan.byes)
    # Two byes that change places change nothing.
    if not {one, other} <= drawn or {one, other} <= set(plan.byes):
        message = _("One of them no longer plays in this round. Check the tables again.")
        raise TournamentError(message, code="swap.not_in_round")
    why = Reason("swap", BY_HAND, (("one", two[0].player.name), ("other", two[1].player.name)))
    pods = []
    for pod in plan.pods:
        seats = tuple(instead.get(entry, entry) for entry in pod.seats)
        # Locked: when the rounds are counted or drawn again this table stays as the organiser made it.
        pods.append(pod if seats == pod.seats else replace(pod, seats=seats, why=(why,), is_locked=True))
    byes = tuple(instead.get(entry, entry) for entry in plan.byes)
    touched = tuple(new for new, old in zip(pods, plan.pods, strict=True) if new != old)
    return replace(plan, pods=tuple(pods), byes=byes), touched


def _require_waiting(row: Round, touched: Sequence[Pod]) -> None:
    tables = Match.objects.filter(round=row, table_no__in=[pod.table for pod in touched])
    # Also a table that is ready but was reported before: an undo put it back, and its reports cannot be deleted.
    if tables.filter(~Q(state=Match.State.READY) | Q(reports__isnull=False)).exists():
        message = _(
            "One of their tables is already called, so you cannot swap them. Name a substitute, or cancel the match."
        )
        raise TournamentError(message, code="swap.called")


def _require_one_group(groups: Pools, two: tuple[Entry, Entry]) -> None:
    one, other = (str(entry.uuid) for entry in two)
    if groups and not any({one, other} <= set(members) for members in groups):
        message = _("They play in different groups. Choose two people from the same group.")
        raise TournamentError(message, code="swap.other_group")


def _people(stage: Stage) -> dict[str, Entry]:
    rows = Entry.objects.filter(stage_entries__stage=stage).select_related("player")
    return {str(entry.uuid): entry for entry in rows}


def _breaks(
    plans: Sequence[Plan], number: int, touched: Sequence[Pod], two: tuple[Entry, Entry], people: Mapping[str, Entry]
) -> Iterator[str]:
    """Describe what is worse now: repeated meetings, club mates together, a second bye."""
    ids = {str(entry.uuid) for entry in two}
    for pod in touched:
        for one, other in combinations(pod.seats, 2):
            if not ids & {one, other}:
                continue
            shown = {"one": people[one].player.name, "other": people[other].player.name, "table": pod.table}
            met = [plan.round for plan in plans if plan.round != number and _meet(plan, one, other)]
            if met:
                again = {**shown, "rounds": listed(met)}
                yield _("Table %(table)s: %(one)s and %(other)s also meet in round %(rounds)s.") % again
            clubs = {" ".join(people[each].player.club.split()).casefold() for each in (one, other)}
            if len(clubs) == 1 and clubs != {""}:
                club = {**shown, "club": people[one].player.club}
                yield _("Table %(table)s: %(one)s and %(other)s are both of %(club)s.") % club
    byes = next(plan.byes for plan in plans if plan.round == number)
    for entry in sorted(ids & set(byes)):
        if any(entry in plan.byes for plan in plans if plan.round != number):
            yield _("%(name)s has a second bye.") % {"name": people[entry].player.name}


def _meet(plan: Plan, one: str, other: str) -> bool:
    return any({one, other} <= set(pod.seats) for pod in plan.pods)


@undoable("swap")
def swap_places(*, round_row: Round, by: User, one: str, other: str, seen: str) -> Swap:
    """Write the exchange that was shown. seen: its hash; anything else is refused.

    Raises what `preview_swap` raises, and "swap.changed".
    """
    stage = round_row.stage
    with transaction.atomic():
        locks.lock_standings(stage.tournament)
        row = Round.objects.select_related("stage__tournament").get(pk=round_row.pk)
        # Every table of the round, so that none is called between this preview and the write.
        list(Match.objects.select_for_update().filter(round=row).values_list("pk", flat=True))
        found = preview_swap(round_row=row, by=by, one=one, other=other)
        if found.hash != seen:
            message = _("Something changed in the meantime: check it again, then decide.")
            raise TournamentError(message, code="swap.changed")
        _write(row, found)
        names = [found.one.player.name, found.other.player.name]
        after = {"round": row.number, "entries": names, "text": " – ".join(names), "breaks": list(found.breaks)}
        channel = stage.tournament.channel
        audit(PlacesSwapped, label(row), actor=by, channel=channel, after=after)
        publish(PlacesSwapped(channel, round=row.number))
    fold_event(stage.tournament)
    return found


def _write(row: Round, found: Swap) -> None:
    """Write the plans with their figures, and the changed tables again."""
    for plan in found.plans:
        document = plan.to_json()
        Round.objects.filter(stage=row.stage, number=plan.round).update(plan=document, quality=document["quality"])
    tables = [pod.table for pod in found.touched]
    # Deleted and made again, not reseated: printed slips of a table that changed must not open it any more.
    Match.objects.filter(round=row, table_no__in=tables).delete()
    row.refresh_from_db()
    write_tables(row, replace(found.plans[0], pods=found.touched))
