"""A planned event in the words of a rehearsal, and rehearsing it: in a worker, or at once for a command."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from math import sqrt
from statistics import pstdev
from typing import Any, Final

import structlog
from django.db import transaction

from activity.journal import publish
from bots.jobs.process import is_stopping
from core.formats import progression as pure
from core.simulation import Course, Pace, Part, Rehearsal, Scores, rehearse
from core.standings.model import Scoring
from engine.errors import DomainError
from engine.game import game_of
from tournaments.domain_events.tournaments import RehearsalChanged
from tournaments.matches.deal_sets import rules_of
from tournaments.matches.records.results import spec_for
from tournaments.models import Entry, Progression, Stage, Tournament
from tournaments.pairing import lineups_query, plans
from tournaments.pairing.scores import past_scores
from tournaments.simulation import jobs as rehearsals
from tournaments.simulation.jobs import Asked, Job

# A rehearsal ends after this time with what it has: others wait for this process.
BUDGET_S: Final = 20.0
PUBLISH_EVERY_S: Final = 1.0
# Spread of the length of matches, as a share of it.
SPREAD: Final = 0.18
IN_PLAY: Final = (Entry.State.ENTERED, Entry.State.ACTIVE)
log = structlog.get_logger(__name__)


def stages_of(event: Tournament) -> list[Stage]:
    """Return the chain with its rules."""
    return list(event.stages.select_related("ruleset", "tournament").order_by("order"))


def entries_so_far(event: Tournament) -> int:
    """Return how many are entered now: teams where people share a side, with singles counted as teams of their size."""
    if event.partners:
        teams = lineups_query.teams_of(event).filter(state__in=IN_PLAY).count()
        return teams + lineups_query.singles_of(event).count() // lineups_query.team_size(event)
    return Entry.objects.filter(tournament=event, state__in=IN_PLAY).count()


def plan_hash(event: Tournament) -> str:
    """Return a hash of the plan of an event: every stage's set-up and every way. The entries are no part of it."""
    fields = ("order", "kind", "seats_min", "seats_pref", "seats_max", "rounds_planned", "advance", "third_place")
    also = ("scoring", "tie_breaks", "bye_policy", "legs", "groups_n")
    stages = [
        {
            **{name: getattr(stage, name) for name in fields + also},
            "ruleset": stage.ruleset.sha256,
            # Only where it is so, so that hashes of before keep naming the plans they were made of.
            **({"flows": True} if stage.flows else {}),
            **({"consolation": True} if stage.consolation else {}),
        }
        for stage in stages_of(event)
    ]
    advancement = [asdict(_rule(rule)) for rule in _rules(event)]
    text = json.dumps({"stages": stages, "ways": advancement}, sort_keys=True)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def course_of(event: Tournament, asked: Asked) -> Course:
    """Return the whole event as the rehearsal plays it."""
    stages = stages_of(event)
    pace = Pace(
        match=asked.match_minutes,
        spread=asked.match_minutes * SPREAD,
        change=asked.change_minutes,
        tables=asked.tables,
        tables_an_arbiter=asked.tables_an_arbiter,
    )
    parts = tuple(_part(stage) for stage in stages)
    return Course(asked.entries, parts, tuple(map(_rule, _rules(event))), scores=scores_of(stages[0]), pace=pace)


def _part(stage: Stage) -> Part:
    shape = plans.shape_of(stage)
    return Part(
        name=str(stage.order),
        kind=stage.kind,
        seats=shape.seats,
        rounds=shape.rounds,
        advance=shape.advance,
        third_place=shape.third_place,
        consolation=shape.consolation,
        groups=stage.groups_n,
        spec=replace(spec_for(stage), lots_seed="rehearsal"),
        deals=deals_of(stage) if stage.scoring == Scoring.ROUND_VICTORY else 0,
        sides=shape.sides,
        flows=stage.flows,
    )


def _rules(event: Tournament) -> list[Progression]:
    advancement = Progression.objects.filter(source__tournament=event).select_related("source", "target")
    return list(advancement.order_by("target__order", "order"))


def _rule(rule: Progression) -> pure.Progression:
    return pure.Progression(
        str(rule.source.order),
        str(rule.target.order),
        rule.first,
        rule.last,
        pure.SeedBy(rule.by),
        pure.Carry(rule.carry),
        rule.order,
        rule.most,
    )


def deals_of(stage: Stage) -> int:
    """Return how many deals a match has by its rules; at least 1."""
    return max(1, int(rules_of(stage).options.rounds))


def scores_of(stage: Stage) -> Scores:
    """Return shapes of past matches under the same rules, else what a deal is worth by the rules."""
    sheet = game_of(stage.ruleset.game).scoresheet
    past = past_scores(stage)
    if past is not None:
        mean, apart = past
        return Scores(mean=mean, skill=0.4 * (pstdev(apart) or 1.0), step=sheet.step, past=apart)
    deals = deals_of(stage)
    shape = plans.shape_of(stage)
    sides = len(set(shape.sides)) or shape.seats.pref
    mean = deals * sheet.shared * 2 / sides
    return Scores(mean=mean, skill=6.0 * deals, noise=40.0 * sqrt(deals), step=sheet.step)


def rehearse_now(event: Tournament, asked: Asked, heartbeat: Callable[[int], bool] | None = None) -> Rehearsal:
    """Play it. The same for the same plan and question. Raises FormatError of the planners."""
    return rehearse(course_of(event, asked), runs=asked.runs, seed=plan_hash(event), heartbeat=heartbeat)


def work_off() -> bool:
    """Play one rehearsal that waits. Returns whether there was one."""
    for uuid in rehearsals.waiting():
        job = rehearsals.claim(uuid)
        if job is not None:
            _work(uuid, job)
            return True
    return False


def _work(uuid: str, job: Job) -> None:
    event = Tournament.objects.filter(uuid=uuid).first()
    # A rehearsal that killed its worker a few times is not given to the next one.
    if event is None or job.tries > rehearsals.TRIES:
        _end(event, uuid, replace(job, state=rehearsals.FAILED, code="rehearsal.lost"))
        return
    mine = replace(job, plan=plan_hash(event))  # as it is now, not as it was when it was asked for
    try:
        heartbeat = Heartbeat(event, uuid, mine)
        rehearsal = rehearse_now(event, mine.asked, heartbeat)
        if heartbeat.has_to_stop:
            heartbeat.release()
        elif not heartbeat.is_superseded:
            _end(event, uuid, replace(mine, state=rehearsals.DONE, done=rehearsal.runs, told=_plain(rehearsal)))
    except DomainError as refused:
        _end(event, uuid, replace(mine, state=rehearsals.FAILED, code=refused.code, message=str(refused)))
    except Exception:
        log.exception("rehearsal.broken", event=uuid)
        _end(event, uuid, replace(mine, state=rehearsals.FAILED, code="rehearsal.broken"))


class Heartbeat:
    """A callback after each run: renews the lease, publishes progress, ends what takes too long or nobody wants."""

    def __init__(self, event: Tournament, uuid: str, job: Job) -> None:
        self.event, self.uuid, self.job = event, uuid, job
        self.ends_at = time.monotonic() + BUDGET_S
        self.published_at = time.monotonic()
        self.has_to_stop = self.is_superseded = False

    def __call__(self, done: int) -> bool:
        """Return whether to go on."""
        now = time.monotonic()
        if is_stopping():
            self.has_to_stop = True
            return False
        if now - self.published_at >= PUBLISH_EVERY_S:
            self.published_at = now
            if not rehearsals.write(self.uuid, replace(self.job, done=done)):
                self.is_superseded = True
                return False
            _log_progress(self.event, done)
        return now < self.ends_at

    def release(self) -> None:
        """Return the job: this worker was asked to end; another one begins again, and it counts as no try."""
        fresh = replace(self.job, state=rehearsals.WAITS, done=0, tries=self.job.tries - 1)
        rehearsals.write(self.uuid, fresh)


def _end(event: Tournament | None, uuid: str, job: Job) -> None:
    if rehearsals.write(uuid, job) and event is not None:
        _log_progress(event, job.done)


def _log_progress(event: Tournament, done: int) -> None:
    """Notify the page of the rehearsal."""
    with transaction.atomic():
        publish(RehearsalChanged(event.channel, runs=done))


def _plain(rehearsal: Rehearsal) -> dict[str, Any]:
    return asdict(rehearsal)
