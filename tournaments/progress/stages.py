"""Stages of a chain: from closed ones to the next, whose entries are drawn without a transaction and written once.

The stored rows say what leads on: a stage that is planned while every stage before it is closed waits to begin. So
anyone who receives the wake-up begins it, and a process that dies in between leaves it to the next one. Nothing is
locked while it is drawn; it is written under the event's lock if the same entries still go on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from activity import wake_ups
from activity.domain_events import DomainEvent
from activity.journal import publish
from bots.selectors.workers import idle_processes
from core.errors import TournamentError
from core.formats import progression as pure
from core.formats.errors import FormatError
from core.formats.model import Constraint, Entrant, Plan, Reason
from core.formats.pools import Course, Pools
from core.standings import figures as carry
from core.standings.model import Scoring
from core.standings.ranking import FIRST
from engine.record import canonical
from tournaments.lifecycle import locks
from tournaments.lifecycle.transitions import act
from tournaments.models import Entry, Progression, Stage, StageEntry, Standing, Tournament
from tournaments.pairing import constraints
from tournaments.pairing import plans as planning
from tournaments.pairing.draw_settings import settings_of
from tournaments.pairing.pair_rules import rules_in
from tournaments.pairing.rotation import age_constraints
from tournaments.pairing.table_numbers import numbered
from tournaments.progress import derive
from tournaments.progress.draws import draw as drawing
from tournaments.ratings.entries import strengths_of
from tournaments.standings import store

# A correction during the draw changes who goes on; a third time is left to the next wake-up.
TRIES: Final = 3
# Columns of a table that may be carried over, and what they count as.
TOTALS: Final = {"points": "points", "above_mean": "points", "victories": "victories", "place": "place"}
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Comer:
    """An entry that goes on. entry: UUID; way: id of its `Progression`; group: of the stage before, across all stages.

    place: there, in its group. by_lots: only lots told it apart on the line. amounts: what it carries.
    """

    entry: str
    seed: int
    way: int
    group: str
    place: int
    by_lots: bool
    amounts: tuple[tuple[str, Fraction], ...]


@dataclass(frozen=True, slots=True)
class GoingOn:
    """The entries that go on to a stage, by seed. mix: the entrants' texts, as in every stage of the event."""

    stage: Stage = field(compare=False)
    mix: bytes
    comers: tuple[Comer, ...]
    reasons: tuple[Reason, ...]


def waiting() -> QuerySet[Stage]:
    """Return stages of running events that can begin: planned, and every stage that leads to them is closed."""
    advancement = Progression.objects.filter(target=OuterRef("pk"))
    planned = Stage.objects.filter(state=Stage.State.PLANNED, tournament__state=Tournament.State.RUNNING)
    # Without `Exists(ways)` every first stage would wait: it has no ways that are open.
    return planned.filter(Exists(advancement), ~Exists(advancement.exclude(source__state=Stage.State.CLOSED)))


def beginning() -> QuerySet[Stage]:
    """Return those that begin on their own: bots play, and neither the stage nor the event waits for the organiser."""
    return waiting().filter(waits=False).exclude(tournament__in=derive.drawn_by_hand())


def begin_waiting() -> int:
    """Begin every stage that waits and needs no organiser. Returns how many began.

    A stage that cannot be drawn holds up nobody else: the first such error is raised once all others are done.
    """
    done, broken = 0, []
    for stage in beginning().select_related("tournament", "ruleset").order_by("pk"):
        try:
            done += begin(stage)
        except Exception as error:
            log.exception("stage.broken", stage=str(stage.uuid))
            broken.append(error)
    if broken:
        raise broken[0]
    return done


def begin(stage: Stage, by: User | None = None, seen: str = "") -> bool:
    """Draw a stage from the final tables before it and open it. Returns whether this call did.

    seen: `digest` of what was previewed. Raises FormatError of the planners, TournamentError
    "tournament.too_many_matches", "stage.draw_changed" (others go on, or otherwise, than were seen).
    """
    for _try in range(TRIES):
        with transaction.atomic():
            locks.lock_standings(stage.tournament)
            _refold_sources(stage)
            going = going_on(stage)
        if seen and digest(going) != seen:
            message = _("Something changed in the meantime: check who advances now, then draw the stage.")
            raise TournamentError(message, code="stage.draw_changed")
        draw = _draw(going)
        with transaction.atomic():
            locks.lock_standings(stage.tournament)
            # Two that drew it at once have the same draw; the second finds the stage begun and writes nothing.
            if not waiting().filter(pk=stage.pk).exists():
                return False
            # Compared as values (`stage` is left out): who goes on, with which seeds, amounts and reasons.
            if going_on(stage) == going:
                _write(going, draw, by)
                return True
    return False


def _refold_sources(stage: Stage) -> None:
    """Recalculate the sources: stored tables may be lost at any time, and who goes on is read off them.

    Needs the lock.
    """
    for source in Stage.objects.filter(ways_out__target=stage).select_related("tournament", "ruleset").distinct():
        derive.recalculate(source)


def going_on(stage: Stage) -> GoingOn:
    """Return who goes on to a stage as the tables before it stand, and why. Reads only."""
    advancement = list(stage.ways_in.select_related("source").order_by("order"))
    mix = bytes(advancement[0].source.mix or b"") if advancement else b""
    lots = planning.rng_seed(stage, mix)
    comers: list[Comer] = []
    reasons: list[Reason] = []
    for rule in advancement:
        rows = _final_rows(rule.source)
        finishers = _finishers(rule.source, rows)
        found = pure.select(finishers, _pure(rule), lots=lots, from_seed=len(comers) + 1)
        amounts = {str(row.entry.uuid): _carried(row, rule.carry) for row in rows}
        tied = set(found.tied)
        comers += [
            Comer(item.entry, item.seed, rule.pk, item.group, item.place, item.entry in tied, amounts[item.entry])
            for item in found.seeded
        ]
        reasons += found.reasons
    return GoingOn(stage, mix, _reseeded(stage, comers, lots), tuple(dict.fromkeys(reasons)))


def _reseeded(stage: Stage, comers: Sequence[Comer], lots: str) -> tuple[Comer, ...]:
    """Sort in the order that the organiser asked for: by rank, by rating, by lots or by hand."""
    at = {item.entry: item for item in comers}
    order = constraints.in_order(list(at), constraints.seeding_of(stage), lots=lots)
    return tuple(replace(at[entry], seed=seed) for seed, entry in enumerate(order, start=1))


def digest(going: GoingOn) -> str:
    """Return a hash of who goes on, with which seed, and of the wishes for the draw: the draw follows from that."""
    event = going.stage.tournament
    wishes: list[Any] = [event.apart, constraints.fixed_tables(event)]
    # Added only where there are some, so that hashes of before pairs existed stay what they were.
    wishes += [constraints.pairs_of(event)] if constraints.pairs_of(event) else []
    wishes += [settings_of(going.stage)] if settings_of(going.stage) else []
    rules = rules_in(event, going.stage).values_list("kind", "one", "other", "round_number")
    wishes += [sorted(map(list, rules))] if rules else []
    of_ages = age_constraints(going.stage, [item.entry for item in going.comers])
    wishes += [[list(each.entries) for each in of_ages]] if of_ages else []
    comers = [[item.entry, item.seed, item.place] for item in going.comers]
    return hashlib.sha256(canonical({"comers": comers, "wishes": wishes})).hexdigest()[:32]


def plans_of(going: GoingOn) -> tuple[Plan, ...]:
    """Return the rounds that would be drawn now. Reads only; raises as `begin`."""
    return _draw(going).plans


def _pure(rule: Progression) -> pure.Progression:
    return pure.Progression(
        str(rule.source.uuid),
        str(rule.target_id),
        rule.first,
        rule.last,
        pure.SeedBy(rule.by),
        pure.Carry(rule.carry),
        rule.order,
        rule.most,
    )


def _final_rows(source: Stage) -> list[Standing]:
    """Return the final table, without those who have left or are suspended: the entries behind them move up."""
    rows = Standing.objects.filter(stage=source, after_round=store.NOW).order_by("row")
    return [row for row in rows.select_related("entry__bot_version") if planning.may_be_drawn(row.entry)]


def _finishers(source: Stage, rows: Sequence[Standing]) -> list[pure.Finisher]:
    listed = StageEntry.objects.filter(stage=source).values_list("entry", "group__number")
    groups = {entry: planning.group_name(source.order, number) for entry, number in listed}
    sizes = {name: list(groups.values()).count(name) for name in groups.values()}
    uneven = len(set(sizes.values())) > 1
    extra = set(source.tie_breaks) if source.edition == 1 else set()
    return [
        pure.Finisher(str(row.entry.uuid), row.rank, groups[row.entry_id], _value(row, extra, uneven)) for row in rows
    ]


def _value(row: Standing, extra: set[str], uneven: bool) -> tuple[Fraction, ...]:
    """Return the totals that the stage ranks by, in order: compared between groups.

    uneven: a result's worth on average.

    extra: those left out, the tie-breaks of the first edition.
    """
    lines = [line for line in row.explanation if line["tie_break"] in TOTALS and line["tie_break"] not in extra]
    figures = [Fraction(line["value"] or 0) for line in lines]
    if not uneven or not lines:
        return tuple(figures)
    # A bye counts as a result, a round sat out without a line does not: the mean is over what brought something.
    rounds = {term["round"] for term in lines[0]["terms"] if term["match"] or term.get("note") == "bye"}
    return tuple(figure / max(1, len(rounds)) for figure in figures)


def _carried(row: Standing, rule: str) -> tuple[tuple[str, Fraction], ...]:
    """Return what the pure core has an entry carry, by total; nothing that is zero."""
    lines = {TOTALS[line["tie_break"]]: line["value"] for line in row.explanation if line["tie_break"] in TOTALS}
    totals = {name: Fraction(value or 0) for name, value in lines.items()}
    points, victories, place = (totals.get(name, Fraction(0)) for name in ("points", "victories", "place"))
    brought = carry.carried("", carry.Carry(rule), points=points, victories=victories, place=place)
    amounts = {"points": brought.points, "victories": brought.victories, "place": brought.place}
    return tuple((name, Fraction(amount)) for name, amount in amounts.items() if amount)


def _seeded(going: GoingOn) -> list[pure.Seeded]:
    return [pure.Seeded(item.entry, item.seed, item.group, item.place, pure.Carry.NONE) for item in going.comers]


def _draw(going: GoingOn) -> drawing.Draw:
    """Draw the rounds that can be drawn; none if too few go on, which ends the stage at once."""
    stage = going.stage
    seed = planning.rng_seed(stage, going.mix)
    excused = planning.excused_in(stage)
    entrants = tuple(
        Entrant(item.entry, item.seed, score=_first(stage, item), excused=excused.get(item.entry, ()))
        for item in going.comers
    )
    pools: Pools = ()
    plans: tuple[Plan, ...] = ()
    if stage.groups_n > 1 and len(entrants) > 1:
        parts = pure.apart(_seeded(going), min(stage.groups_n, len(entrants)))
        pools = tuple(tuple(item.entry for item in part) for part in parts)
    clubs = _clubs(going)
    pairs = planning.constraints_about_pairs(stage, [item.entry for item in going.comers])
    wishes = (*constraints.club_constraints(clubs), *pairs, *_apart(going))
    try:
        plans = drawing.plans_for(stage, Course(entrants, (), (), pools, wishes), seed)
        plans = numbered(stage, constraints.explained(plans, clubs))
    except FormatError as error:
        # Too few to play is no error: the stage closes at once and the event goes on (decision 0034).
        if error.code not in planning.OVER:
            raise
    uuids = tuple(item.entry for item in entrants)
    return drawing.Draw(stage.tournament, stage, (), (), uuids, going.mix, seed, plans, pools)


def _clubs(going: GoingOn) -> list[tuple[str, str]]:
    """Read them as `pairing.constraints.clubs_in` does once the stage is written."""
    if not constraints.separates_clubs(going.stage.tournament) or not going.stage.format.honours_clubs:
        return []
    rows = Entry.objects.filter(uuid__in=[item.entry for item in going.comers]).exclude(player__club="")
    named = {str(uuid): club for uuid, club in rows.values_list("uuid", "player__club")}
    return [(item.entry, named[item.entry]) for item in going.comers if item.entry in named]


def _apart(going: GoingOn) -> tuple[Constraint, ...]:
    """Keep apart in a bracket those who shared a group, as the rows say once they are written: they meet late."""
    if not going.stage.format.is_bracket:
        return ()
    grouped = set(going.stage.ways_in.filter(source__groups_n__gt=1).values_list("pk", flat=True))
    mates = {item.entry for item in going.comers if item.way in grouped}
    return pure.constraints_apart([item for item in _seeded(going) if item.entry in mates])


def _first(stage: Stage, comer: Comer) -> Fraction:
    return dict(comer.amounts).get(FIRST[Scoring(stage.scoring)], Fraction(0))


def _write(going: GoingOn, draw: drawing.Draw, by: User | None) -> None:
    """Write entries, groups, rounds and matches of the stage, queued.

    Published last: that locks the event's channel.
    """
    later: list[DomainEvent] = []
    stage = going.stage
    entries = _write_entries(going, draw.pools)
    lots = [item.entry for item in going.comers if item.by_lots]
    payload = {"entries": len(entries), "stage": stage.order, "by_lots": lots}
    # `draw_seed` of an earlier draw, that an undo left, would give the new bracket the old lots.
    act(stage, "seed", by, changes={"mix": going.mix, "draw_seed": ""}, payload=payload, later=later)
    matches = drawing.open_stage(draw, entries, by, later)
    # Nobody to play: the table of those who came is final at once.
    if not draw.plans:
        derive.recalculate(stage)
        derive.settle(stage, later)
        derive.finish(stage.tournament, later)
    publish(*later)
    if stage.tournament.has_bots:
        wake_ups.notify_on_commit("play", times=min(matches, idle_processes()))


def _write_entries(going: GoingOn, pools: Pools) -> drawing.Pinned:
    stage = going.stage
    first = FIRST[Scoring(stage.scoring)]
    entries = {str(row.uuid): row for row in Entry.objects.filter(uuid__in=[item.entry for item in going.comers])}
    groups, strengths = drawing.write_groups(stage, pools), strengths_of(stage, entries.values())
    rows = [
        StageEntry(
            stage=stage,
            entry=entries[item.entry],
            seed=item.seed,
            group=groups.get(item.entry),
            came_by_id=item.way,
            came_place=item.place,
            by_lots=item.by_lots,
            strength=strengths.get(entries[item.entry].pk, ""),
            **_brought(dict(item.amounts), first),
        )
        for item in going.comers
    ]
    StageEntry.objects.bulk_create(rows, batch_size=drawing.CHUNK)
    return {uuid: (row, row.bot_version_id) for uuid, row in entries.items()}


def _brought(amounts: Mapping[str, Fraction], first: str) -> dict[str, Any]:
    also = {name: str(amount) for name, amount in amounts.items() if name != first}
    return {"carry_in": str(amounts.get(first, 0)), "carry_also": also}
