"""Consequences of results: standings, rounds, reveals, the end of stages and events.

Driven by the outbox: a confirmed match leaves an unsent row; anyone who receives the wake-up folds that event under
its lock and marks the row. Doing it again, or with nothing new, changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import structlog
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from activity import stuck, wake_ups
from activity.domain_events import DomainEvent, Effect, topics_that_update_standings
from activity.journal import publish
from bots.domain_events import CheckChanged, VersionActivated
from bots.models import Outbox
from tournaments.domain_events.stages import StandingsChanged
from tournaments.lifecycle import locks
from tournaments.lifecycle.transitions import act, act_on_rounds
from tournaments.models import DealSet, Match, Round, Stage, Standing, Tournament
from tournaments.ratings import pools
from tournaments.ratings.ladders import ladder
from tournaments.standings import ledger_cache, level_matches, sequential_test, store

OF_VERSIONS: Final = (VersionActivated.topic, CheckChanged.topic)
"""News after which a bot may play with another version: the first one is active once it has passed its check."""
SETTLED: Final = (Match.State.CONFIRMED, Match.State.VOID)
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Folded:
    """events: how many had news. may_go_on: true if a stage of theirs may have its next round, or its end, now.

    busy: how many of them were left to another process, which has their lock: look again soon. versions: true if a bot
    may play with another version than before, which ladders draw for.
    """

    events: int
    may_go_on: bool
    busy: int = 0
    versions: bool = False


def work_waits() -> bool:
    """Return whether an outbox row waits to be folded in."""
    return Outbox.objects.filter(_is_cause(), sent_at=None).exists()


def _is_cause() -> Q:
    """Filter the rows of the outbox that standings and rounds follow."""
    return Q(topic__in=topics_that_update_standings(), channel__startswith="t:")


def derive_waiting() -> Folded:
    """Fold every event with news. Listeners are served by the channels' versions already.

    An event that cannot be folded holds up nobody else: the first such error is raised once all others are folded.
    """
    waiting = Outbox.objects.filter(_is_cause(), sent_at=None)
    # Sorted, so that two workers take the events in one order; each is a transaction of its own.
    channels = sorted(set(waiting.values_list("channel", flat=True)))
    broken: list[Exception] = []
    may_go_on, busy = False, 0
    for channel in channels:
        try:
            may_go_on |= derive(channel, waits=False)
        except locks.StandingsBusy:
            busy += 1
        except Exception as error:
            log.exception("derive.broken", channel=channel)
            broken.append(error)
            # An error of the connection says nothing about this event: it is not reported as stuck.
            if not isinstance(error, stuck.AWAY):
                stuck.record_channel(stuck.STANDINGS, channel, error)
    unsent = Outbox.objects.filter(sent_at=None)
    # Before what nothing follows from, and counted as it is marked: a row that comes in between is there the next time.
    versions = unsent.filter(topic__in=OF_VERSIONS).update(sent_at=timezone.now())
    # What nothing follows from is marked here in one statement, so that the partial index of unsent rows stays small.
    unsent.exclude(_is_cause()).exclude(topic__in=OF_VERSIONS).update(sent_at=timezone.now())
    if broken:
        raise broken[0]
    return Folded(len(channels), may_go_on, busy, versions=versions > 0)


def derive(channel: str, *, waits: bool = True) -> bool:
    """Fold one event, alone: under an advisory lock on PostgreSQL, under the write transaction on SQLite.

    Returns what `refresh` does. waits: wait for another holder of the lock; if False, raises StandingsBusy.
    """
    may_go_on = False
    with transaction.atomic():
        tournament = Tournament.objects.filter(slug=channel.removeprefix("t:")).first()
        causes = Outbox.objects.filter(_is_cause(), sent_at=None, channel=channel)
        if tournament is not None:
            # A fold far from the database takes seconds: another worker plays on meanwhile instead of standing in line.
            (locks.lock_standings if waits else locks.claim_standings)(tournament)
        # Read under the lock: what another process folded while this one waited is no news any more.
        news = list(causes.values_list("pk", "topic", "payload"))
        if tournament is not None and news:
            matches = [ledger_cache.match_of(payload) for _pk, _topic, payload in news]
            # A result alone can be folded on top of the ledger; any other news (a correction, a round) has it read
            # everything.
            only_results = all(ledger_cache.effect_of(topic) is Effect.RESULT for _pk, topic, _payload in news)
            may_go_on = refresh(tournament, matches if only_results and all(matches) else None)
        # Marked in the transaction of the fold: if that fails, the rows stay unsent and are folded next time. By their
        # keys: a row that came after the list was read was not folded.
        Outbox.objects.filter(pk__in=[pk for pk, _topic, _payload in news]).update(sent_at=timezone.now())
        stuck.clear_channel(stuck.STANDINGS, channel)
    return may_go_on


def fold_event(event: Tournament) -> None:
    """Update standings and rounds at once, without a worker."""
    with transaction.atomic():
        locks.lock_standings(event)
        refresh(event)


def refresh(tournament: Tournament, matches: Sequence[str] | None = None, *, calls: bool = True) -> bool:
    """Do everything that follows from the results as they are. Needs the lock.

    matches: UUIDs of those that were confirmed since the last time; None: anything may have happened. calls: whether
    waiting matches are called to tables that are free, where that happens without hands.
    Published at the very end: publishing locks the event's channel, and workers that record results wait for that.
    Returns whether a stage may go on from here.
    """
    later: list[DomainEvent] = []
    may_end = may_go_on = matches is None
    all_done = False
    # By their order: what a stage leads to may close in the same call.
    for stage in tournament.stages.exclude(state__in=(Stage.State.PLANNED, Stage.State.CLOSED)).order_by("order"):
        reveal_deal_sets(stage, matches)
        if stage.flows:
            _draw_ready(stage, later)
        completed = complete_rounds(stage, later)
        may_go_on |= completed
        may_go_on |= stage.format.is_open_ended
        if recalculate(stage, matches=matches):
            later.append(news_of(stage))
        all_done |= completed
        if completed and not stage.format.needs_results and closes_alone(stage):
            settle(stage, later)
            may_end = True
    if may_end:
        finish(tournament, later)
    if calls and tournament.calls_alone:
        _call_waiting(tournament, later)
    pools.mark(tournament, matches)
    publish(*later)
    if all_done and tournament.is_mixed and tournament.goes_on_alone:
        wake_ups.notify_on_commit("derive")  # the last table may have been one of people, confirmed without a worker
    return may_go_on


def _draw_ready(stage: Stage, later: list[DomainEvent]) -> None:
    """Draw the matches of a bracket that flows whose sides are known, and the extra deals of level ones."""
    # Imported here: what is drawn is written by modules that call this one.
    from tournaments.progress.draws import flow

    level_matches.play_on(stage, later)
    flow.draw_ready(stage, later)


def _call_waiting(tournament: Tournament, later: list[DomainEvent]) -> None:
    """Call waiting matches to the tables that are free."""
    from tournaments.progress import stations

    # Read again: the event may have been paused since the caller read it.
    stations.fill(Tournament.objects.get(pk=tournament.pk), later)


def drawn_by_hand() -> QuerySet[Tournament]:
    """Return events whose rounds and stages an organiser draws: those that do not go on alone."""
    return Tournament.objects.filter(Q(who=Tournament.Who.PEOPLE) | Q(draws=Tournament.Draws.ORGANISER))


def closes_alone(stage: Stage) -> bool:
    """Return whether the stage ends without hands. Where people play, the standings nobody plays on from are signed."""
    event = stage.tournament
    return event.goes_on_alone and (not event.is_of_people or stage.ways_out.exists())


def reveal_deal_sets(stage: Stage, matches: Sequence[str] | None = None) -> None:
    """Reveal the seeds of deal sets (of these matches; None: all) whose legs are all done."""
    open_legs = Match.objects.filter(deal_set=OuterRef("pk")).exclude(state__in=SETTLED)
    hidden = DealSet.objects.filter(~Exists(open_legs), stage=stage, revealed_at=None)
    if matches is not None:
        concerned = Match.objects.filter(uuid__in=matches, deal_set__isnull=False)
        # By keys: of a ladder with 100,000 deal sets only those of the new matches are looked at.
        hidden = hidden.filter(pk__in=list(concerned.values_list("deal_set", flat=True)))
    hidden.update(revealed_at=timezone.now())


def complete_rounds(stage: Stage, later: list[DomainEvent]) -> bool:
    """Complete rounds whose matches are all confirmed or void, and lock those that the next round follows.

    A round of a bracket goes on while a match that ended level waits for a decision. Returns whether every round of
    the stage is complete.
    """
    open_matches = Match.objects.filter(round=OuterRef("pk")).exclude(state__in=SETTLED)
    done = stage.rounds.filter(~Exists(open_matches)).exclude(state__in=(Round.State.DRAFT, Round.State.LOCKED))
    states = dict(stage.rounds.order_by("number").values_list("number", "state"))
    rows = list(done.defer("plan", "quality").select_related("stage__tournament").order_by("number"))
    if stage.flows:
        rows = _without_gaps(rows, states)
    # A table can be confirmed before anything marked its round as being played: it passes through that state.
    act_on_rounds([row for row in rows if row.state == Round.State.PUBLISHED], "play", later)
    playing = [row for row in rows if row.state == Round.State.PLAYING]
    waiting = level_matches.rounds_blocked(stage, {row.number for row in playing}, later)
    if stage.flows and waiting:
        waiting = {row.number for row in playing if row.number >= min(waiting)}
    act_on_rounds([row for row in playing if row.number not in waiting], "complete", later)
    followed = [row for row in rows if states.get(row.number + 1, Round.State.DRAFT) != Round.State.DRAFT]
    act_on_rounds([row for row in followed if row.number not in waiting], "lock", later)
    # `act_on_rounds` has changed the rows in memory, so the states are known without reading them again.
    states.update((row.number, row.state) for row in rows)
    return bool(states) and all(state in store.COMPLETE for state in states.values())


def _without_gaps(done: list[Round], states: dict[int, str]) -> list[Round]:
    """Return the rounds before which every round is done or complete: one that flows may still get another match."""
    closed = {row.number for row in done} | {number for number, state in states.items() if state in store.COMPLETE}
    last = next((number for number in sorted(states) if number not in closed), max(states, default=0) + 1)
    return [row for row in done if row.number < last]


def news_of(stage: Stage) -> DomainEvent:
    """Return the event that tells listeners of changed standings."""
    return StandingsChanged(stage.tournament.channel, stage=str(stage.uuid))


@transaction.atomic
def refold(stage: Stage, *, everything: bool = False) -> bool:
    """Call `recalculate`, and publish if anything changed. Needs the lock."""
    changed = recalculate(stage, everything=everything)
    if changed:
        publish(news_of(stage))
    return changed


def recalculate(stage: Stage, *, everything: bool = False, matches: Sequence[str] | None = None) -> bool:
    """Bring the stored standings up to date: now, and after each round that has become complete.

    everything: from all that is stored, also the rounds that have rows already. matches: as of `refresh`, which a
    ladder goes by. Returns whether anything changed.
    """
    if stage.format.ranks_by_rating:
        return ladder.fold(stage, matches, everything=everything)
    if stage.format.stands_alone:
        return False
    if stage.format.is_experiment:
        return sequential_test.evaluate(stage)
    ledgers = ledger_cache.ledgers_of(stage, reopen=everything)
    tables = {store.NOW: ledgers.table(stage)}
    for number, state in stage.rounds.order_by("number").values_list("number", "state"):
        if state not in store.COMPLETE:
            break  # the table after a round needs every round before it
        # Tables of closed rounds are stored and do not change by results of later ones.
        if number > ledgers.closed_round:
            tables[number] = ledgers.table_after(stage, number)
    return store.store_tables(stage, tables, ledgers)


def settle(stage: Stage, later: list[DomainEvent]) -> None:
    """Close the stage after its last round, and show its secret. Nothing of a bot stage is ever disputed."""
    if stage.state == Stage.State.ACTIVE:
        act(stage, "settle", None, later=later)
    if stage.state == Stage.State.SETTLING:
        last = stage.rounds.order_by("-number").first()
        if last is not None and last.state == Round.State.COMPLETE:
            act(last, "lock", None, later=later)
        act(stage, "close", None, changes={"revealed_at": timezone.now()}, later=later)


def finish(tournament: Tournament, later: list[DomainEvent]) -> None:
    """Finish the event when all its stages are closed. A paused one waits until it is resumed."""
    # Read again: it may have been paused or cancelled since the caller read it.
    tournament.refresh_from_db()
    if tournament.state != Tournament.State.RUNNING:
        return
    stages = list(tournament.stages.order_by("order"))  # the last one decides the event
    if stages and all(stage.state == Stage.State.CLOSED for stage in stages):
        final = Standing.objects.filter(stage=stages[-1], after_round=store.NOW).first()
        signed = {"standings": final.input_hash if final else ""}
        act(tournament, "finish", None, changes={"finished_at": timezone.now()}, payload=signed, later=later)
