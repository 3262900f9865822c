"""Queues of ladders, kept filled: as results come in, the next pods are drawn and written, a few at a time.

Drawn and written in one transaction under the event's lock, from what is stored: two processes that fill at once draw
one after the other, and the second finds the queue full. What a filling costs grows with the entries, not with the
matches played.

A version that is new to a ladder gets its first deal set at once, before the ladder's queue, also when that is full.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat
from random import Random
from typing import Final

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from activity import wake_ups
from activity.domain_events import DomainEvent
from activity.journal import publish, publish_queue_change
from bots.selectors.workers import idle_processes, live_workers
from core.formats import kinds
from core.formats.ladder import Contender as Rated
from core.formats.ladder import Ladder, LadderPod
from engine.deck import commitment, match_seed
from tournaments.domain_events.matches import MatchesQueued
from tournaments.lifecycle import locks
from tournaments.matches import priorities
from tournaments.matches.deal_sets import rules_of
from tournaments.models import DealSet, Entry, Match, RatingPool, Seat, Stage, StageEntry, Tournament
from tournaments.pairing import plans
from tournaments.progress import derive
from tournaments.ratings.ladders import ladder, newcomers
from tournaments.ratings.ladders.ladder import Contender

MINIMUM: Final = 16
# As many matches as a process claims at once.
A_PROCESS: Final = 64
# Deal sets beyond the first one that is not over: drawn by ratings that lack its result, and all that a fold goes
# through again.
AHEAD: Final = 256
# Deal sets drawn for each entry before results of theirs come.
AN_ENTRY: Final = 4


def running() -> QuerySet[Stage]:
    """Return ladders that go on."""
    rows = Stage.objects.filter(kind__in=kinds(lambda each: each.is_always_open), state=Stage.State.ACTIVE)
    return rows.filter(tournament__state=Tournament.State.RUNNING).select_related("tournament", "ruleset")


def begin(stage: Stage) -> int:
    """Begin a ladder that has just become active: no version is pinned, and its first pods are drawn and queued.

    Returns how many matches. Needs the transaction that started the event.
    """
    Entry.objects.filter(tournament=stage.tournament).update(bot_version=None)
    # The event's row is locked already. A fold that holds this lock now waits for no row of an event that does not run
    # yet.
    locks.lock_standings(stage.tournament)
    ladder.fold(stage)
    return fill(stage)


def are_waiting() -> bool:
    """Return whether a ladder has room in its queue, or newcomers, or may end."""
    return any(_is_over(stage) or _is_fillable(stage) for stage in running())


def go_on_all() -> int:
    """Fill the queue of every ladder, and close those that are over. Returns in how many something was done."""
    return sum(go_on(stage) for stage in running().order_by("pk"))


def go_on(stage: Stage) -> bool:
    """Draw what the queue of one ladder has room for, or close it. Returns whether this call did."""
    # Without the lock: most wake-ups find a full queue. `fill` works the room out again under it.
    if not _is_over(stage) and not _is_fillable(stage):
        return False
    with transaction.atomic():
        locks.lock_standings(stage.tournament)
        # It may have been paused, or closed, while this process waited.
        if not running().filter(pk=stage.pk).exists():
            return False
        drawn = fill(stage)
        if drawn:
            publish(MatchesQueued(stage.tournament.channel, matches=drawn))
            return True
        return _close_if_over(stage)


def fill(stage: Stage) -> int:
    """Draw and queue the newcomers' pods, and as many as there is room for. Returns how many matches.

    Needs the event's lock.
    """
    if _is_over(stage):
        return 0
    pool = ladder.pool_of(stage)
    room, fresh = _room(stage, pool), newcomers.waiting(stage, pool)
    if not room and not fresh:
        return 0
    contenders = ladder.contenders_of(stage, pool)
    # Asked before the contenders were read: since then one may have been suspended, or have come with another version.
    fresh = [name for name in fresh if any(str(item.entry.uuid) == name and not item.played for item in contenders)]
    pods = list(_drawn(stage, pool, contenders, [*fresh, *repeat(None, room - len(fresh))]))
    matches = _write(stage, pods, {str(item.entry.uuid): item for item in contenders})
    if matches:
        publish_queue_change()
        wake_ups.notify_on_commit("play", times=min(matches, idle_processes()))
    return matches


def _is_over(stage: Stage) -> bool:
    return stage.ends_at is not None and stage.ends_at <= timezone.now()


def _is_fillable(stage: Stage) -> bool:
    pool = ladder.pool_of(stage)
    return bool(_room(stage, pool) or newcomers.waiting(stage, pool))


def _room(stage: Stage, pool: RatingPool) -> int:
    """Return how many deal sets may be drawn now: none while half of the queue is still there."""
    entries = StageEntry.objects.filter(stage=stage, left_round=None).count()
    wanted = min(max(MINIMUM, A_PROCESS * live_workers().count()), AHEAD, AN_ENTRY * entries)
    waiting = ladder.open_matches(stage, pool).values("deal_set").distinct().count()
    # Half, so that one fold and one draw serve many matches instead of one each.
    if waiting > wanted // 2:
        return 0
    ahead = Match.objects.filter(stage=stage, deal_set__gt=pool.upto).values("deal_set").distinct().count()
    return max(0, min(wanted - waiting, AHEAD - ahead))


def _drawn(
    stage: Stage, pool: RatingPool, contenders: Sequence[Contender], wanted: Sequence[str | None]
) -> Iterator[LadderPod]:
    """Draw the next pods. Nobody who has played as often as was planned is drawn while others have not.

    wanted: for each pod the newcomer that it is drawn for; None: for the least sure.
    """
    quota, sides = stage.rounds_planned, pool.sides
    known = {str(item.entry.uuid): item for item in contenders}
    played = {name: item.played for name, item in known.items()}
    wanting = {name for name, count in played.items() if not quota or count < quota}
    drawing, inside = Ladder(), set[str]()
    # Part of every seed below: two fillings from the same ratings, one after the other, draw different pods.
    last = DealSet.objects.filter(stage=stage).order_by("-pk").values_list("pk", flat=True).first() or 0
    for number, newcomer in enumerate(wanted):
        if newcomer is not None and played[newcomer]:
            continue  # drawn as the opponent of another one
        # Entries that are done help out when too few still need matches; of them those that have played least.
        helpers = sorted(known.keys() - wanting - inside, key=lambda name: (played[name], known[name].seed))
        for name in [*sorted(wanting - inside), *helpers[: max(0, sides - len(wanting | inside))]]:
            _put(drawing, known[name])
            inside.add(name)
        if not wanting or len(inside) < sides:
            return
        # Seeded by the stage's secret: anybody can draw it again once that is shown.
        pod = drawing.draw(sides, Random(f"{plans.seed_of(stage)}/{last}/{number}"), newcomer)
        for name, _version in pod.seats:
            played[name] += 1
            if quota and played[name] >= quota and name in wanting:
                wanting.discard(name)
                inside.discard(name)
                drawing.remove(name)
        yield pod


def _put(drawing: Ladder, item: Contender) -> None:
    name = str(item.entry.uuid)
    drawing.put(Rated(name, str(item.version.pk), item.rating.mu, item.rating.sigma))
    for _each in range(item.under_way):
        drawing.under_way(name)


def _write(stage: Stage, pods: Sequence[LadderPod], known: Mapping[str, Contender]) -> int:
    sets, matches, seats, ahead = [], [], [], 0
    sides = rules_of(stage).sides(stage.seats_pref)
    for pod in pods:
        deal_set = DealSet(stage=stage)
        seed = match_seed(bytes(stage.secret or b""), bytes(stage.mix or b""), deal_set.uuid.bytes)
        deal_set.commit = commitment(seed)
        sets.append(deal_set)
        at_table = [known[name] for name, _version in pod.seats]
        for leg in range(1, _legs(stage, at_table) + 1):
            match = _match(stage, deal_set, leg, pod)
            matches.append(match)
            seats += _seats(match, at_table, sides)
        ahead = len(matches) if pod.newcomer else ahead  # newcomers' pods are the first ones
    _set_priorities(stage, matches[:ahead], matches[ahead:])
    DealSet.objects.bulk_create(sets)
    Match.objects.bulk_create(matches)
    Seat.objects.bulk_create(seats)
    return len(matches)


def _legs(stage: Stage, at_table: Sequence[Contender]) -> int:
    return len(at_table) if stage.legs == Stage.Legs.CYCLIC else 1


def _match(stage: Stage, deal_set: DealSet, leg: int, pod: LadderPod) -> Match:
    return Match(
        stage=stage,
        deal_set=deal_set,
        leg=leg,
        seats_n=stage.seats_pref,
        state=Match.State.QUEUED,
        queued_at=timezone.now(),
        why=" ".join(str(reason) for reason in pod.why)[:300],
    )


def _seats(match: Match, at_table: Sequence[Contender], sides: Sequence[int]) -> list[Seat]:
    """Seat the pod's own order in leg 1, and everybody one seat on in each further leg."""
    seats = []
    for index, side in enumerate(sides):
        one = at_table[(side + match.leg - 1) % len(at_table)]
        who = {"entry": one.entry, "player_id": one.entry.player_id, "bot_version": one.version}
        seats.append(Seat(match=match, index=index, side=side, version_n=one.version.n, **who))
    return seats


def _set_priorities(stage: Stage, first: Sequence[Match], others: Sequence[Match]) -> None:
    """Place the first ones where the queue is now, the others behind the ladder's own last."""
    # By the index over the stage's deal sets: Max() would read the matches of a whole ladder.
    newest = Match.objects.filter(stage=stage).order_by("-deal_set", "-leg").values_list("priority", flat=True).first()
    # The newest may be a newcomer's, which went before others: those are still open, and of these there are few.
    waiting = ladder.open_matches(stage, ladder.pool_of(stage)).aggregate(last=Max("priority"))
    last = max(newest or 0, waiting["last"] or 0)
    now = priorities.first_queued(priorities.running())
    cost = priorities.estimated_ms(stage, stage.seats_pref, rules_of(stage).options.rounds)
    if newest is None:
        # Everybody is new to a ladder that begins: it takes its turn among the other events.
        first, others = (), [*first, *others]
    at = last if now is None else now
    # The same number for all, and that of the first one: where many events share the workers, one match's cost further
    # on means as many matches as there are events. Of equal numbers the earlier match is first.
    for match in first:
        match.priority = at
    places = priorities.places(max(last, at), (cost for _each in others))
    for match, number in zip(others, places, strict=True):
        match.priority = number


def _close_if_over(stage: Stage) -> bool:
    """Close the ladder when its time is up, or nobody who can play has matches left, and its last match is over."""
    pool = ladder.pool_of(stage)
    if ladder.open_matches(stage, pool).exists():
        return False
    # A ladder with an end goes on until then: a bot may come back, or another one enter.
    if not _is_over(stage) and stage.ends_at is not None:
        return False
    later: list[DomainEvent] = []
    ladder.fold(stage)
    derive.settle(stage, later)
    derive.finish(stage.tournament, later)
    publish(*later)
    return True
