"""Ledgers of stages that this process caches: a confirmed result is added once, not added up again with all others.

A ledger is at a version of its event's channel. Rows of a channel are numbered in the order of their commits, so the
rows after its version name what a ledger lacks. An event that is not known to leave results alone (or a row that is
missing) has the ledger built again from everything that is stored; byes and adjustments are few and compared with what
is stored each time. A ledger only saves time: a process without one comes to the same table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final
from uuid import UUID

from django.db.models import Max, Prefetch, QuerySet

from activity.domain_events import Effect, class_of, uuid_or_nothing
from bots.models import Channel, Outbox
from core.standings.fold import table_of
from core.standings.ledger import Ledger
from core.standings.model import Adjustment, AdjustmentKind, MatchResult, Unplayed
from core.standings.table import Table
from tournaments.matches.records.results import has_places_of_the_game, result_of, spec_for
from tournaments.models import Match, ResultReport, Seat, Stage, Standing
from tournaments.pairing import inputs, plans

# Stages at once in one process; more than these are built again when their turn comes.
MAX_LEDGERS: Final = 16
# Rows of tables after rounds that a ledger keeps, so that a correction writes only those that it changes.
MAX_ROWS: Final = 4_000
MAX_ROUNDS: Final = 32_767
_cache: dict[UUID, LedgerCache] = {}


@dataclass(slots=True)
class LedgerCache:
    """now: everything confirmed. closed: the same up to round `closed_round`, the last that has stored rows.

    shown: the table whose rows this process stored last; past: the same after rounds, as far as they are kept.
    version: of the event's channel.
    """

    version: int
    now: Ledger
    closed: Ledger
    closed_round: int
    shown: Table | None = None
    past: dict[int, Table] = field(default_factory=dict)
    byes: dict[int, tuple[Unplayed, ...]] = field(default_factory=dict)
    adjustments: tuple[Adjustment, ...] = ()

    def table(self, stage: Stage) -> Table:
        """Return the table as it is now."""
        self._sync(self.now, inputs.NOW)
        self._place(self.now, stage, inputs.NOW)
        return table_of(self.now, plans.pools_of(stage))

    def table_after(self, stage: Stage, number: int) -> Table:
        """Return the table as it was after a round, which follows `closed_round`; that moves on."""
        for result in self.now.matches_of_rounds(self.closed_round + 1, number):
            self.closed.add(result)
        self.closed_round = number
        self._sync(self.closed, number)
        self._place(self.closed, stage, number)
        return table_of(self.closed, plans.pools_of(stage))

    def _place(self, ledger: Ledger, stage: Stage, after_round: int) -> None:
        """Put places first in a bracket, and where lives count."""
        if stage.format.ranks_by_bracket:
            results = ledger.matches_of_rounds(1, MAX_ROUNDS)
            ledger.set_placement(plans.placement(stage, results, after_round))

    def replace_shown(self, number: int, table: Table) -> Table | None:
        """Remember the table whose rows are stored after a round. Returns the one that was there before, if any."""
        if number == inputs.NOW:
            known, self.shown = self.shown, table
            return known
        known = self.past.pop(number, None)
        # Rounds beyond the bound are not kept; a correction of them writes their whole table.
        if sum(len(each.rows) for each in self.past.values()) + len(table.rows) <= MAX_ROWS:
            self.past[number] = table
        return known

    def open_again(self, number: int) -> None:
        """Open a closed round again that has another result: it and those after it are to be closed again."""
        self.closed, self.closed_round = Ledger(self.now.spec, self.now.seeds), number - 1
        for result in self.now.matches_of_rounds(1, self.closed_round):
            self.closed.add(result)
        if self.closed_round:
            self._sync(self.closed, self.closed_round)

    def copy(self) -> LedgerCache:
        """Return another one that holds the same."""
        return replace(self, now=self.now.copy(), closed=self.closed.copy(), byes=dict(self.byes), past=dict(self.past))

    def is_past_changed(self) -> bool:
        """Return whether units were given or taken for rounds whose rows were stored before that."""
        return bool(self.closed_round) and self._sync(self.closed, self.closed_round)

    def preview(self, stage: Stage) -> None:
        """Read what sits beside results, once for all tables of a fold; the plan of a complete round only once."""
        complete = inputs.complete_rounds(stage)
        self.byes = {number: unplayed for number, unplayed in self.byes.items() if number in complete}
        if unread := complete - self.byes.keys():
            self.byes |= inputs.unplayed_of(stage, unread)
        self.adjustments = tuple(inputs.adjustments(stage))

    def _sync(self, ledger: Ledger, after_round: int) -> bool:
        """Compare the ledger with what sits beside results up to a round. Returns whether it differed."""
        everything = after_round == inputs.NOW
        new_byes = ledger.set_unplayed(
            rest for number, unplayed in self.byes.items() for rest in unplayed if everything or number <= after_round
        )
        carried = AdjustmentKind.CARRY
        given = [
            # What was carried in counts from the beginning, so it is in the table after every round.
            item
            for item in self.adjustments
            if everything or item.kind is carried or (item.round or 0) <= after_round
        ]
        return ledger.set_adjustments(given) or new_byes


def ledgers_of(stage: Stage, *, reopen: bool = False) -> LedgerCache:
    """Return the stage's ledger, brought up to date. Needs the event's lock.

    reopen: built again from all that is stored, no round being closed yet.
    """
    # Read under the lock: a row that commits later has a higher version and is caught up with next time.
    newest = Channel.objects.filter(name=stage.tournament.channel).values_list("version", flat=True).first() or 0
    # Taken out first: if anything below raises, no half of a ledger stays.
    ledgers = _cache.pop(stage.uuid, None)
    if ledgers is None or reopen or not _fits(ledgers, stage) or not _catch_up(ledgers, stage, newest):
        before = ledgers
        ledgers = _from_everything(stage, newest, 0 if reopen else _stored_round(stage))
        if before is not None:  # what was stored last is compared with what is stored before it is relied on
            ledgers.shown, ledgers.past = before.shown, before.past | ledgers.past
    _cache[stage.uuid] = ledgers  # the last one used is the last one dropped
    while len(_cache) > MAX_LEDGERS:
        del _cache[next(iter(_cache))]
    return ledgers


def discard(stages: Iterable[UUID]) -> None:
    """Drop the ledgers of these stages: what they hold was folded in a transaction that was rolled back."""
    for stage in stages:
        _cache.pop(stage, None)


@contextmanager
def as_they_were(stages: Iterable[UUID]) -> Iterator[None]:
    """Discard what is calculated meanwhile: afterwards the cache is what it was before."""
    named = list(stages)
    # Copies take the place of the real ones meanwhile, because adding a result changes a ledger itself.
    saved = {stage: _cache[stage] for stage in named if stage in _cache}
    _cache.update({stage: ledgers.copy() for stage, ledgers in saved.items()})
    try:
        yield
    finally:
        discard(named)
        _cache.update(saved)


def results_of(stage: Stage) -> list[MatchResult]:
    """Return every confirmed match of a stage, from its confirmed report."""
    return _results(stage, confirmed(stage))


def confirmed(stage: Stage) -> QuerySet[ResultReport]:
    """Return the reports that count."""
    reports = ResultReport.objects.filter(match__stage=stage, state=ResultReport.State.CONFIRMED)
    return reports.filter(match__state=Match.State.CONFIRMED)


def _fits(ledgers: LedgerCache, stage: Stage) -> bool:
    """Return whether rules and entries are those it was begun with, and what it has closed is as it was and stored."""
    if ledgers.now.spec != spec_for(stage) or ledgers.now.seeds != inputs.seeds_of(stage):
        return False
    ledgers.preview(stage)
    return ledgers.closed_round == _stored_round(stage) and not ledgers.is_past_changed()


def _stored_round(stage: Stage) -> int:
    newest = Standing.objects.filter(stage=stage).aggregate(newest=Max("after_round"))["newest"]
    return int(newest or 0)


def _catch_up(ledgers: LedgerCache, stage: Stage, newest: int) -> bool:
    """Add what was confirmed since. Returns False if more has happened than that, or rows are missing."""
    rows = Outbox.objects.filter(channel=stage.tournament.channel, version__gt=ledgers.version, version__lte=newest)
    effects = [(effect_of(topic), match_of(payload)) for topic, payload in rows.values_list("topic", "payload")]
    # Versions have no gaps, so a smaller number of rows means that some were purged.
    if len(effects) != newest - ledgers.version or any(effect is Effect.UNKNOWN for effect, _match in effects):
        return False
    matches = [match for effect, match in effects if effect is not Effect.NONE]
    if not all(matches):
        return False  # a row that does not name its match: anything may be different
    corrected = {match for effect, match in effects if effect is Effect.CORRECTION}
    for result in _results(stage, confirmed(stage).filter(match__uuid__in=matches)) if matches else ():
        # A result of a closed round that no row calls a correction: the ledger does not know what has happened.
        if result.round <= ledgers.closed_round and result.match not in corrected:
            return False
        ledgers.now.add(result)
        if result.round <= ledgers.closed_round:
            ledgers.open_again(result.round)
    ledgers.version = newest
    return True


def effect_of(topic: str) -> Effect:
    """Return what a stored row does to results; a topic that this version does not know may do anything."""
    found = class_of(topic)
    return found.effect if found is not None else Effect.UNKNOWN


def match_of(payload: Mapping[str, object]) -> str:
    """Return the uuid of the match that a row of `Effect.RESULT` or `CORRECTION` names; "" where it names none."""
    return uuid_or_nothing(payload.get("match"))


def _from_everything(stage: Stage, version: int, last: int) -> LedgerCache:
    """Build a ledger of all that is stored, closed up to round `last` if that round's rows are of these very inputs."""
    spec, seeds = spec_for(stage), inputs.seeds_of(stage)
    ledgers = LedgerCache(version, Ledger(spec, seeds), Ledger(spec, seeds), 0)
    ledgers.preview(stage)
    for result in results_of(stage):
        ledgers.now.add(result)
    if last:
        table = ledgers.table_after(stage, last)
        stored = Standing.objects.filter(stage=stage, after_round=last).values_list("input_hash", flat=True)
        if set(stored) != {table.input_hash.removeprefix("sha256:")}:
            ledgers.closed, ledgers.closed_round = Ledger(spec, seeds), 0
    return ledgers


def _results(stage: Stage, reports: QuerySet[ResultReport]) -> list[MatchResult]:
    seats = Prefetch("match__seats", queryset=Seat.objects.select_related("entry").order_by("index"))
    rows = list(reports.select_related("match__deal_set", "match__round").prefetch_related(seats))
    legs = _legs(stage, {row.match.deal_set_id for row in rows})
    by_game = has_places_of_the_game(stage)
    return [
        result_of(row.match, row.match.seats.all(), row.body, legs=legs[row.match.deal_set_id], by_game=by_game)
        for row in rows
    ]


def _legs(stage: Stage, deal_sets: Iterable[int | None]) -> Counter[int | None]:
    """Count the legs of each of these deal sets that are not void."""
    matches = Match.objects.filter(stage=stage, deal_set__in=[each for each in deal_sets if each is not None])
    return Counter(matches.exclude(state=Match.State.VOID).values_list("deal_set", flat=True))
