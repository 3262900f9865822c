"""Deal sets of a comparison: drawn a few at a time while its test is undecided, called off once it has decided.

Drawn and written in one transaction under the event's lock, as those of ladders are: two processes that fill at once
draw one after the other, and the second finds the queue full.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from activity import wake_ups
from activity.domain_events import DomainEvent
from activity.journal import audit, publish, publish_queue_change
from bots.models import BotVersion
from bots.selectors.workers import idle_processes, live_workers
from engine.deck import commitment, match_seed
from tournaments.domain_events.matches import MatchesQueued, MatchVoided
from tournaments.domain_events.programs import ComparisonDecided
from tournaments.lifecycle import locks
from tournaments.lifecycle.time_limits import clock_of
from tournaments.lifecycle.transitions import label, transition
from tournaments.matches import priorities
from tournaments.matches.deal_sets import rules_of
from tournaments.models import Challenge, DealSet, Entry, Match, Seat, Stage, Tournament
from tournaments.progress import derive
from tournaments.ratings.ladders.ladder import is_fit
from tournaments.standings import sequential_test

# With one worker, or none: enough that it does not wait for the next filling.
MINIMUM: Final = 16
# As many matches as a process claims at once.
A_PROCESS: Final = 64
# Matches beyond the last deal set that was judged: played in vain at most once the test decides.
AHEAD: Final = 256
State, Reason = Challenge.State, Challenge.Reason


def open_challenges() -> QuerySet[Challenge]:
    """Return comparisons whose stage is not closed: to be drawn on, or to be closed."""
    rows = Challenge.objects.filter(stage__state=Stage.State.ACTIVE, stage__tournament__state=Tournament.State.RUNNING)
    return rows.select_related("stage__tournament", "stage__ruleset", "candidate", "reference")


def are_waiting() -> bool:
    """Return whether one has room in its queue, or may end."""
    return any(_has_work(challenge) for challenge in open_challenges())


def go_on_all() -> int:
    """Fill the queue of every comparison, and close those that are decided. Returns in how many something was done."""
    return sum(go_on(challenge) for challenge in open_challenges().order_by("pk"))


def go_on(challenge: Challenge) -> bool:
    """Draw what the queue of one has room for, or end it. Returns whether this call did."""
    # Asked without the lock first: every wake-up comes by here, and mostly there is nothing to do.
    if not _has_work(challenge):
        return False
    with transaction.atomic():
        locks.lock_standings(challenge.stage.tournament)
        # And again under the lock: the process before us may have filled or closed it.
        found = open_challenges().filter(pk=challenge.pk).first()
        if found is None or not _has_work(found):
            return False
        if found.state == State.RUNNING and not _is_used_up(found):
            matches = fill(found)
            publish(MatchesQueued(found.stage.tournament.channel, matches=matches))
            return bool(matches)
        if found.state == State.RUNNING:
            end(found, Reason.CAP if _room_left(found) <= 0 else Reason.UNFIT)
        close(found)
        return True


def _has_work(challenge: Challenge) -> bool:
    return challenge.state != State.RUNNING or _is_used_up(challenge) or bool(_room(challenge))


def _is_used_up(challenge: Challenge) -> bool:
    """Return whether everything that was drawn is judged, and nothing more will be drawn."""
    last = DealSet.objects.filter(stage=challenge.stage_id).order_by("-pk").values_list("pk", flat=True).first() or 0
    return challenge.upto >= last and (_room_left(challenge) <= 0 or not _may_play(challenge))


def _may_play(challenge: Challenge) -> bool:
    """Return whether both may be drawn: neither suspended nor retired (tournaments.md section 9)."""
    stage = challenge.stage
    return all(is_fit(version, stage.preset, clock_of(stage)) for version in _both(challenge))


def _both(challenge: Challenge) -> tuple[BotVersion, BotVersion]:
    return challenge.candidate, challenge.reference


def _room_left(challenge: Challenge) -> int:
    return challenge.cap - DealSet.objects.filter(stage=challenge.stage_id).count()


def _room(challenge: Challenge) -> int:
    """Return how many deal sets may be drawn now: none while half of the queue is still there."""
    if not _may_play(challenge):
        return 0
    legs = sequential_test.legs_for(sequential_test.sides_of(challenge.stage))
    # At least two deal sets, so that a large table with many legs is drawn at all.
    wanted = max(2, min(max(MINIMUM, A_PROCESS * live_workers().count()), AHEAD) // legs)
    ahead = DealSet.objects.filter(stage=challenge.stage_id, pk__gt=challenge.upto).count()
    if ahead > wanted // 2:
        return 0
    return max(0, min(wanted - ahead, _room_left(challenge)))


def fill(challenge: Challenge) -> int:
    """Draw and queue as many deal sets as there is room for. Returns how many matches. Needs the event's lock."""
    stage = challenge.stage
    entries = list(Entry.objects.filter(tournament=stage.tournament_id).select_related("player").order_by("seed"))
    sets, matches, seats = [], [], []
    for _each in range(_room(challenge)):
        deal_set = DealSet(stage=stage)
        # The seed is not stored: it follows from the stage's secret and the uuid, which is new. Only its hash is, at
        # once.
        seed = match_seed(bytes(stage.secret or b""), bytes(stage.mix or b""), deal_set.uuid.bytes)
        deal_set.commit = commitment(seed)
        sets.append(deal_set)
        for leg, at_table in enumerate(seatings(challenge, entries), 1):
            match = _match(challenge, deal_set, leg)
            matches.append(match)
            seats += _seats(match, at_table, rules_of(stage).sides(stage.seats_pref))
    _set_priorities(stage, matches)
    DealSet.objects.bulk_create(sets)
    Match.objects.bulk_create(matches)
    Seat.objects.bulk_create(seats)
    if matches:
        publish_queue_change()
        # After the commit, or a worker could look before the rows are there.
        wake_ups.notify_on_commit("play", times=min(len(matches), idle_processes()))
    return len(matches)


def seatings(challenge: Challenge, entries: Sequence[Entry]) -> list[list[Entry]]:
    """Return the seating leg by leg: each version once alone in every seat, the others its rival's copies.

    entries: by seed, all copies of the candidate first.
    """
    own = [entry for entry in entries if entry.bot_version_id == challenge.candidate_id]
    others = [entry for entry in entries if entry.bot_version_id == challenge.reference_id]
    sides = len(own) + 1
    legs = []
    # At two seats both roles are one: the second half would be the first again.
    for lone, rest in ((own[0], others), (others[0], own)) if sides > 2 else ((own[0], others),):
        legs += [[*rest[:seat], lone, *rest[seat:]] for seat in range(sides)]
    return legs


def _match(challenge: Challenge, deal_set: DealSet, leg: int) -> Match:
    return Match(
        stage=challenge.stage,
        deal_set=deal_set,
        leg=leg,
        seats_n=challenge.stage.seats_pref,
        state=Match.State.QUEUED,
        queued_at=timezone.now(),
        why=f"{challenge.candidate} is compared with {challenge.reference}."[:300],
    )


def _seats(match: Match, at_table: Sequence[Entry], sides: Sequence[int]) -> list[Seat]:
    seats = []
    for index, side in enumerate(sides):
        entry = at_table[side]
        who = {"entry": entry, "player_id": entry.player_id, "bot_version_id": entry.bot_version_id}
        seats.append(Seat(match=match, index=index, side=side, **who))
    return seats


def _set_priorities(stage: Stage, matches: Sequence[Match]) -> None:
    """Place them behind the comparison's own last one, and not before what is served now."""
    cost = priorities.estimated_ms(stage, stage.seats_pref, rules_of(stage).options.rounds)
    numbers = priorities.places(priorities.start_of(stage.tournament), (cost for _each in matches))
    for match, number in zip(matches, numbers, strict=True):
        match.priority = number


def end(challenge: Challenge, reason: str) -> None:
    """End a test that has not decided: inconclusive. Needs the event's lock."""
    sequential_test.decide(challenge, State.INCONCLUSIVE, reason)
    challenge.save(update_fields=["state", "reason", "decided_at"])


def close(challenge: Challenge) -> None:
    """Call off what is not played yet, show the seeds, close stage and event. Needs the event's lock.

    What was finished beyond the deal set that decided stays readable and counts for nothing.
    """
    stage, later = challenge.stage, list[DomainEvent]()
    void = transition(Match, "void")
    # Locked in the order of keys, after the event: a worker that records one of them has either finished or finds it
    # void.
    rows = Match.objects.filter(stage=stage, state__in=void.sources).select_for_update(of=("self",)).order_by("pk")
    open_matches = list(rows.only("uuid"))
    keys = [match.pk for match in open_matches]
    Match.objects.filter(pk__in=keys).update(state=void.target, lease=None, finished_at=timezone.now())
    later += [MatchVoided(match.channel, state=void.target) for match in open_matches]
    derive.reveal_deal_sets(stage)
    derive.settle(stage, later)
    derive.finish(stage.tournament, later)
    after = {"state": challenge.state, "reason": challenge.reason, "llr": round(challenge.llr, 3), "voided": len(keys)}
    audit(ComparisonDecided, label(stage), actor=None, channel=stage.tournament.channel, after=after)
    later.append(ComparisonDecided(stage.tournament.channel, challenge=str(challenge.uuid)))
    if keys:
        publish_queue_change()
    publish(*later)
