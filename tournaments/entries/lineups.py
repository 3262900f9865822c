"""Line-ups of teams whose members sit apart: a member for each board, from a round on, until it is changed.

A line-up is due before the draw: where a round follows from results, before that round is drawn; where all rounds are
drawn at once, before the round's tables are called. After that only a substitute can come (`entries.substitutes`).
What would change is shown first; then exactly that is written.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from activity.domain_events import DomainEvent
from activity.journal import audit, publish
from core.errors import TournamentError
from tournaments.domain_events.entries import LineupGiven, MemberLeft
from tournaments.entries.people import BEFORE, DURING
from tournaments.entries.team_building import end_row
from tournaments.entries.teams import read_team
from tournaments.lifecycle import locks
from tournaments.lifecycle.transitions import ORGANISERS, may
from tournaments.models import Entry, Match, Member, Seat, Tournament
from tournaments.pairing import lineups
from tournaments.pairing.lineups_query import Slot, playing_in, slot_of
from tournaments.progress.derive import fold_event
from tournaments.undo.recorder import undoable

E = Entry.State
# More than any number of a member: on the way to their new numbers nobody meets one that is taken.
ASIDE: Final = 1_000
FREE: Final = (E.ENTERED, E.ACTIVE, E.WITHDRAWN)


@dataclass(frozen=True, slots=True)
class Board:
    """One board before and after; None: nobody. number: from 1; those after the team's boards are reserves."""

    number: int
    before: Entry | None
    after: Entry | None

    @property
    def changes(self) -> bool:
        """True if somebody else sits there."""
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class Change:
    """Effect of a line-up. tables: seats that are drawn already and get somebody else: (round, table, board).

    later: true if something was set for rounds after this one, which it replaces. hash: names exactly this.
    """

    team: Entry
    slot: Slot
    boards: tuple[Board, ...]
    reserves: tuple[Entry, ...]
    tables: tuple[tuple[int, int, int], ...]
    later: bool
    hash: str

    @property
    def is_any(self) -> bool:
        """True if anything would be different."""
        return self.later or any(board.changes for board in self.boards)


def preview_lineup(
    *, team: Entry, by: User | None, people: Sequence[Entry | None], from_round: int | None = None
) -> Change:
    """Show what this line-up would change; writes nothing. people: by board, None where nobody sits.

    by: an organiser; None: the captain, as the address they came by has proved. from_round: None takes the first that
    is open. Raises TournamentError "tournament.not_organiser", "lineup.not_here", "team.gone", "lineup.over",
    "lineup.late", "lineup.round", "lineup.size", "lineup.twice", "lineup.not_member", "entry.closed".
    """
    with transaction.atomic():
        event = Tournament.objects.get(pk=team.tournament_id)
        return _change(event, team, by, people, from_round)


@undoable("lineup")
def set_lineup(
    *, team: Entry, by: User | None, people: Sequence[Entry | None], seen: str, from_round: int | None = None
) -> Change:
    """Write the line-up that was shown. seen: its hash. The same line-up twice changes nothing.

    Raises what `preview_lineup` raises, and "lineup.changed".
    """
    with transaction.atomic():
        locks.lock_standings(team.tournament)
        # The locks of an organiser's act, in the same order (`undo.recorder.hold`); a captain's line-up is not one.
        event = Tournament.objects.select_for_update(no_key=True).get(pk=team.tournament_id)
        change = _change(event, team, by, people, from_round)
        if not change.is_any:
            return change
        if change.hash != seen:
            message = _("Something changed in the meantime: check the line-up again, then set it.")
            raise TournamentError(message, code="lineup.changed")
        _write(change)
        _record(change.team, LineupGiven, by, {"round": change.slot.number, "stage": change.slot.stage.order})
    fold_event(event)
    return change


@undoable("lineup")
def leave_team(*, member: Entry, by: User, from_round: int | None = None) -> Member:
    """Take a member out of a team that sits apart; their board is empty until somebody else is put there.

    Raises TournamentError "tournament.not_organiser", "lineup.not_here", "team.no_member", "team.gone", "lineup.over",
    "lineup.late", "entry.closed".
    """
    with transaction.atomic():
        locks.lock_standings(member.tournament)
        event = Tournament.objects.select_for_update(no_key=True).get(pk=member.tournament_id)
        may(event, by, ORGANISERS, "lineup")
        row = Member.objects.select_related("team__player", "person__player").filter(person=member, until_round=None)
        found = row.first()
        if found is None:
            message = _("They no longer play for a team. Reload the page.")
            raise TournamentError(message, code="team.no_member")
        slot = _slot(event, found.team, from_round)
        end_row(found, slot.stage.order, slot.number)
        Entry.objects.filter(pk=member.pk).update(state=E.WITHDRAWN)
        lineups.reseat(found.team, slot.stage, slot.number)
        details = {"member": found.person.player.name, "round": slot.number, "stage": slot.stage.order}
        _record(found.team, MemberLeft, by, details)
    fold_event(event)
    return found


def _change(
    event: Tournament, team: Entry, by: User | None, people: Sequence[Entry | None], from_round: int | None
) -> Change:
    if by is not None:
        may(event, by, ORGANISERS, "lineup")
    row = _team(event, team)
    slot = _slot(event, row, from_round)
    now, following = members_in(row, slot), _later(row, slot).select_related("person__player").order_by("number", "pk")
    known = {member.person_id: member.person for member in (*now, *following)}
    _validate_lineup(event, row, people, known, is_captain=by is None)
    seated = {member.number: member.person for member in now}
    boards = tuple(Board(number, seated.get(number), person) for number, person in enumerate(people, start=1))
    placed = {person.pk for person in people if person is not None}
    reserves = tuple(person for pk, person in known.items() if pk not in placed)
    later = bool(following)
    tables = tuple(_tables(row, slot, boards))
    parts = [row.pk, slot.stage.order, slot.number, later, tables, [member.pk for member in now]]
    after = [board.after.pk if board.after else 0 for board in boards]
    digest = hashlib.sha256(json.dumps([*parts, after]).encode()).hexdigest()[:32]
    return Change(row, slot, boards, reserves, tables, later, digest)


def _team(event: Tournament, team: Entry) -> Entry:
    if not event.boards:
        message = _("Teams have no boards in this event, so there are no line-ups.")
        raise TournamentError(message, code="lineup.not_here")
    row = read_team(team)
    if event.state not in (*BEFORE, *DURING) or row.state not in (E.ENTERED, E.ACTIVE):
        message = _("%(name)s no longer plays, so you cannot change its line-up.")
        raise TournamentError(message % {"name": row.player.name}, code="entry.closed")
    return row


def _slot(event: Tournament, team: Entry, wanted: int | None) -> Slot:
    """Return the round from which it may hold. Raises "lineup.over", "lineup.late"."""
    slot = slot_of(event)
    if slot is None:
        message = _("Every round is drawn or called, so no line-up is open. You can still name a substitute.")
        raise TournamentError(message, code="lineup.over")
    if wanted is not None and wanted < slot.number:
        message = _(
            "It is too late for round %(n)s: set line-ups before the draw, here before round %(next)s. For a "
            "table that has not begun, the organiser can name a substitute."
        )
        shown = {"n": wanted, "next": slot.number}
        raise TournamentError(message % shown, code="lineup.late", extra={"next": slot.number})
    if wanted is not None and wanted > slot.last:
        message = _("This stage has %(last)s rounds. Choose one of those that are still open.")
        raise TournamentError(message % {"last": slot.last}, code="lineup.round", extra={"last": slot.last})
    return Slot(slot.stage, wanted or slot.number, slot.last)


def members_in(team: Entry, slot: Slot) -> list[Member]:
    """Return the members who play for a team in a round, by board."""
    rows = Member.objects.filter(playing_in(slot.stage.order, slot.number), team=team)
    return list(rows.select_related("person__player").order_by("number"))


def _validate_lineup(
    event: Tournament, team: Entry, people: Sequence[Entry | None], known: dict[int, Entry], *, is_captain: bool
) -> None:
    chosen = [person for person in people if person is not None]
    if not chosen or len(people) != event.boards:
        message = _("A team here has %(n)s boards: choose a player for each; at least one must be filled.") % {
            "n": event.boards
        }
        raise TournamentError(message, code="lineup.size", extra={"boards": event.boards})
    names = [person.player.name for person in chosen]
    if len({person.pk for person in chosen}) < len(chosen):
        twice = next(name for name in names if names.count(name) > 1)
        message = _("%(name)s cannot sit on two boards at once.") % {"name": twice}
        raise TournamentError(message, code="lineup.twice")
    for person in chosen:
        free = person.tournament_id == event.pk and person.state in FREE and not person.members.exists()
        if person.pk not in known and (is_captain or not free):
            message = _("%(name)s does not play for %(team)s. Ask the organiser to name them as a substitute.")
            shown = {"name": person.player.name, "team": team.player.name}
            raise TournamentError(message % shown, code="lineup.not_member")


def _later(team: Entry, slot: Slot) -> QuerySet[Member]:
    after = Q(from_stage__gt=slot.stage.order) | Q(from_stage=slot.stage.order, from_round__gt=slot.number)
    return Member.objects.filter(after, team=team)


def _tables(team: Entry, slot: Slot, boards: Sequence[Board]) -> Iterator[tuple[int, int, int]]:
    """Yield tables that are drawn, and on which somebody else would sit."""
    other = [board.number for board in boards if board.changes]
    seats = Seat.objects.filter(match__stage=slot.stage, entry=team, board__in=other, match__state=Match.State.READY)
    rows = seats.filter(match__round__number__gte=slot.number).order_by("match__round__number", "match__table_no")
    for number, table, board in rows.values_list("match__round__number", "match__table_no", "board"):
        yield number or 0, table or 0, board or 0


def _write(change: Change) -> None:
    """Store the line-up: rows that go on stay; others end where the new ones begin; later ones are deleted."""
    team, slot = change.team, change.slot
    wanted = {board.after.pk: board.number for board in change.boards if board.after is not None}
    wanted |= {person.pk: len(change.boards) + at for at, person in enumerate(change.reserves, start=1)}
    _later(team, slot).delete()
    now = members_in(team, slot)
    staying = {member.person_id for member in now if wanted.get(member.person_id) == member.number}
    fresh = [member for member in now if (member.from_stage, member.from_round) == (slot.stage.order, slot.number)]
    moving = [member for member in fresh if member.person_id not in staying]
    staying |= {member.person_id for member in moving}
    for member in now:
        if member.person_id not in staying:
            # Ended before new ones are inserted: the database allows one open row for a person and for a number.
            end_row(member, slot.stage.order, slot.number)
        elif member.until_round is not None:
            member.until_stage = member.until_round = None
            member.save(update_fields=["until_stage", "until_round"])
    _renumber(moving, wanted)
    Member.objects.bulk_create(
        Member(team=team, person_id=person, number=number, from_stage=slot.stage.order, from_round=slot.number)
        for person, number in wanted.items()
        if person not in staying
    )
    Entry.objects.filter(pk__in=wanted).exclude(state=E.PARTNERED).update(state=E.PARTNERED)
    lineups.reseat(team, slot.stage, slot.number)


def _renumber(rows: Sequence[Member], wanted: Mapping[int, int]) -> None:
    """Give rows that begin in this very round other numbers; on the way nobody has a number that somebody holds."""
    Member.objects.filter(pk__in=[member.pk for member in rows]).update(number=F("number") + ASIDE)
    for member in rows:
        member.number = wanted[member.person_id]
    Member.objects.bulk_update(rows, ["number"])


def _record(team: Entry, verb: type[DomainEvent], by: User | None, details: dict[str, object]) -> None:
    """Publish that a line-up was given; the seating itself is public only with the draw."""
    after = {"entry": str(team.uuid), "name": team.player.name, **details}
    channel = team.tournament.channel
    audit(verb, f"entry:{team.uuid}", actor=by, channel=channel, after=after)
    publish(verb.of(channel, after))
