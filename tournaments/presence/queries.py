"""A person's presence as pages show it: what may be done about it now, and which rounds somebody sits out."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from accounts.alphabet import ByName
from tournaments.entries.people import BEFORE, DURING, GONE
from tournaments.models import Entry, Match, RequestedBye, Seat, Stage, StageEntry, Tournament
from tournaments.models.presence import PresenceSettings
from tournaments.pairing.departures import open_tables_of
from tournaments.pairing.lineups import NOT_BEGUN
from tournaments.presence.returning import may_come_back
from tournaments.presence.sitting_out import open_stage, worths_of
from tournaments.presence.substitutes import keeps_points, may_replace


@dataclass(frozen=True, slots=True)
class Bye:
    """A round that somebody sits out. worth: "0", "1/2" or "1"; is_drawn: it can no longer be taken back."""

    stage: Stage
    round: int
    worth: str
    is_drawn: bool


@dataclass(frozen=True, slots=True)
class Presence:
    """What may be done about a person now.

    rounds: still to be drawn, of a stage that looks who is there; paid: how many more of their byes count, and the
    worth of the next; keeps_points: whether a substitute goes on with their points; tables: where they sit without a
    result; loses_place: once something is drawn without them they cannot come back.
    """

    entry: Entry
    stage: Stage | None
    byes: tuple[Bye, ...]
    rounds: range
    paid: int
    may_leave: bool
    may_return: bool
    may_arrive: bool
    may_replace: bool
    keeps_points: bool
    tables: tuple[Match, ...]
    loses_place: bool

    @property
    def bye_worth(self) -> str:
        """What a requested bye is worth, in words."""
        return str(PresenceSettings.Worth(self.entry.tournament.bye_worth).label)

    @property
    def late_worth(self) -> str:
        """What a round missed at the beginning is worth, in words."""
        return str(PresenceSettings.Worth(self.entry.tournament.late_worth).label)


def presence_of(entry: Entry) -> Presence:
    """Return a person's presence now."""
    event, stage = entry.tournament, open_stage(entry.tournament)
    is_on = event.state in (*BEFORE, *DURING) and entry.state not in (*GONE, Entry.State.PARTNERED)
    rounds = _to_draw(stage) if is_on and entry.player.bot_id is None else range(0)
    has_played = stage is not None and Seat.objects.filter(entry=entry, match__stage=stage).exists()
    return Presence(
        entry=entry,
        stage=stage,
        byes=byes_of(entry, stage),
        rounds=rounds,
        paid=sum(worth > 0 for worth in worths_of(event, entry, rounds).values()),
        may_leave=is_on,
        may_return=may_come_back(entry),
        may_arrive=len(rounds) > 1 and not has_played,
        may_replace=may_replace(entry),
        keeps_points=keeps_points(event),
        tables=tuple(open_tables_of(entry)),
        loses_place=event.state in DURING and stage is not None and not stage.format.is_round_by_round,
    )


def _to_draw(stage: Stage | None) -> range:
    """Return the rounds of a stage that somebody can still sit out."""
    if stage is None or not stage.format.is_round_by_round:
        return range(0)
    return range(stage.rounds.count() + 1, stage.rounds_planned + 1)


def byes_of(entry: Entry, stage: Stage | None) -> tuple[Bye, ...]:
    """Return the rounds that an entry sits out or has sat out by arrangement, in order. Two queries."""
    if stage is None:
        return ()
    drawn = stage.rounds.count()
    rows = RequestedBye.objects.filter(entry=entry, stage=stage).order_by("round_number")
    return tuple(Bye(stage, row.round_number, row.worth, row.round_number <= drawn) for row in rows)


def reserves_of(event: Tournament) -> list[Entry]:
    """Return people who are entered and were never drawn: those on the waiting list last, in its order. One query."""
    rows = Entry.objects.filter(tournament=event, player__bot=None, members=None, stage_entries=None)
    rows = rows.filter(state__in=(Entry.State.ENTERED, Entry.State.WAITLISTED)).select_related("player")
    return sorted(rows, key=lambda row: (row.state == Entry.State.WAITLISTED, row.created_at, row.pk))


def places_to_take(event: Tournament) -> list[Entry]:
    """Return single people who are drawn and have not sat down at a table yet, by name: reserves may replace them.

    One query; none where people have partners.
    """
    if event.partners or event.boards or event.state not in DURING:
        return []
    begun = Seat.objects.filter(entry=OuterRef("pk"), match__stage__tournament=event, match__deal_set=None)
    begun = begun.exclude(match__state__in=NOT_BEGUN)
    rows = Entry.objects.filter(tournament=event, player__bot=None, state=Entry.State.ACTIVE)
    rows = rows.filter(~Exists(begun), Exists(StageEntry.objects.filter(entry=OuterRef("pk"))))
    return list(rows.select_related("player").order_by(ByName("player__name"), "pk"))


def sitting_out(stage: Stage | None) -> dict[str, list[int]]:
    """Return, by entry (its key as text), the rounds still to be drawn that they sit out. Two queries at most."""
    found: dict[str, list[int]] = {}
    if stage is not None and stage.format.is_round_by_round:
        rows = RequestedBye.objects.filter(stage=stage, round_number__gt=stage.rounds.count())
        for entry, number in rows.order_by("round_number").values_list("entry", "round_number"):
            found.setdefault(str(entry), []).append(number)
    return found
