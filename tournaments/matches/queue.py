"""The queue: what is played now, what waits and how long, and the workers. Nothing here counts beyond 1,000 rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from operator import and_
from statistics import mean
from typing import Final

from django.db.models import Case, Exists, OuterRef, Prefetch, Q, QuerySet, Value, When, prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from bots.models import Channel, Check, Worker
from bots.selectors.faults import words_for
from bots.selectors.waiting import COUNTED, Amount, amount, amounts, before
from bots.selectors.workers import live_workers
from core.formats import experiments
from tournaments.matches.schedule import seats_named
from tournaments.models import Match, MatchTally, ResultReport, Role, Seat, Stage, Tournament

M = Match.State
SHOWN: Final = 40
# Columns that lines of matches show; nothing else is read of the wide rows.
LINE: Final = (
    *(
        "uuid",
        "priority",
        "state",
        "attempt",
        "faults",
        "fault_reason",
        "queued_at",
        "claimed_at",
        "seats_n",
        "table_no",
        "leg",
        "round__number",
    ),
    *(f"stage__tournament__{name}" for name in ("slug", "name", "visibility")),
    "stage__preset",
    "lease__worker__name",
)
NAMES: Final = (
    "index",
    "entry__player__name",
    "entry__player__bot__name",
    "entry__player__bot__emblem_card",
    "entry__player__bot__emblem_colour",
    "player__name",
)
MAXIMUM: Final = 80
MEASURED: Final = 50
REMEMBERED: Final = timedelta(minutes=10)
# Leases are renewed every 20 s (decision 0020), so a worker is silent after two that it missed.
SILENT: Final = timedelta(seconds=45)


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the queue: the matches that are played before it, and the seconds until it begins, about.

    seconds: None when nobody plays or nothing was played yet to estimate from.
    """

    ahead: Amount
    seconds: int | None

    @property
    def number(self) -> int:
        """Its place in numbers, from 1."""
        return self.ahead.n + 1

    @property
    def minutes(self) -> int:
        """The estimate in whole minutes, rounded up."""
        return -(-(self.seconds or 0) // 60)


@dataclass(frozen=True, slots=True)
class WorkerLine:
    """A worker process with the matches it plays now; `is_silent` if not heard of for a while. raw: its fault as it is,
    for operators; None for everybody else.
    """

    worker: Worker
    is_silent: bool
    playing: Sequence[Match]
    raw: str | None

    @property
    def is_draining(self) -> bool:
        """True if an operator wants it to take no more."""
        return self.worker.draining_at is not None

    @property
    def layers(self) -> list[tuple[str, bool]]:
        """Sandbox layers, each with whether it held when the worker probed it."""
        layers = self.worker.probe.get("layers", self.worker.probe)
        return [(str(name), bool(is_active)) for name, is_active in layers.items()] if isinstance(layers, dict) else []

    @property
    def open_layers(self) -> list[str]:
        """The layers that did not hold."""
        return [name for name, is_active in self.layers if not is_active]

    @property
    def why(self) -> str:
        """The fault of the worker in plain words; empty if there is none."""
        if self.open_layers and not self.worker.probe_ok:
            return gettext("Its sandbox failed a test, so it accepts no matches.")
        return words_for(self.worker.fault)


@dataclass(frozen=True, slots=True)
class Queue:
    """The queue page. running, waiting: those that were asked for, waiting ones with their place among all; waiting_n,
    paused_n, held_n: how many in all. show: "" everything, "mine" or "rated"; words: what was looked for by name.

    quarantined, quarantined_checks: the first of those that are held, for operators. empty_in: until the queue is
    empty, if known; last_at: when a worker finished a match last, None before the first.
    """

    running: Sequence[Match]
    waiting: Sequence[tuple[Place, Match]]
    waiting_n: Amount
    paused_n: Amount
    held_n: Amount
    checks: Sequence[Check]
    quarantined: Sequence[Match]
    quarantined_checks: Sequence[Check]
    workers: Sequence[WorkerLine]
    empty_in: Place
    last_at: datetime | None
    version: int
    show: str
    words: str

    @property
    def is_part(self) -> bool:
        """True if not everything was asked for."""
        return bool(self.show or self.words)

    @property
    def is_idle(self) -> bool:
        """True if everything was asked for, and nothing is being played, checked or waits."""
        return not (self.is_part or self.running or self.checks or self.waiting_n.n)

    @property
    def has_restarts(self) -> bool:
        """True if a match that is shown waiting was begun before."""
        return any(match.faults for _place, match in self.waiting)


def queue(viewer: User | None = None, show: str = "", words: str = "") -> Queue:
    """Read everything the queue page shows; eight queries (operators: eleven), each of a bounded number of rows.

    show: "mine" (my bots, events that I run) or "rated" (what counts on leaderboards); words: part of the name of a
    bot or a tournament. Each takes two queries more, both together the same two.
    """
    version = channel_version("q:")  # read first: what happens meanwhile is told again
    is_operator = viewer is not None and viewer.is_staff
    shelf = _wanted(viewer, show)
    # Of nobody "mine" is everything: only a shelf that was opened holds one's own matches alone.
    is_own = shelf is not None and show == "mine"
    parts = [part for part in (shelf, _named(words, is_own=is_own) if words else None) if part is not None]
    wanted = reduce(and_, parts) if parts else None
    running = in_play()
    shown = running if wanted is None else list(_in_order(Match.objects.filter(wanted, pk__in=[m.pk for m in running])))
    first = list(_in_order(waiting() if wanted is None else waiting().filter(wanted))[:SHOWN])
    seats = (
        Seat.objects.select_related("entry__player__bot", "player").only("match", *NAMES).order_by("match_id", "index")
    )
    prefetch_related_objects([*running, *shown, *first], Prefetch("seats", seats))
    waiting_n, paused_n, quarantined_n = amounts(waiting(), resting(), Match.objects.filter(state=M.QUARANTINED))
    lines = workers(running, is_operator=is_operator)
    played = _played()
    pace = _pace(played, sum(line.worker.probe_ok and not (line.is_silent or line.is_draining) for line in lines))
    return Queue(
        running=shown[:SHOWN],
        waiting=_placed(first, pace, is_all=wanted is None),
        waiting_n=waiting_n,
        paused_n=paused_n,
        held_n=quarantined_n,
        checks=_open_checks(),
        quarantined=_quarantined_matches() if is_operator else [],
        quarantined_checks=_quarantined_checks() if is_operator else [],
        workers=lines,
        empty_in=Place(waiting_n, _seconds(waiting_n.n, pace)),
        last_at=max((ended for _begun, ended in played), default=None),
        version=version,
        show=show if shelf is not None else "",
        words=words,
    )


def _wanted(viewer: User | None, show: str) -> Q | None:
    """Return the filter for what was asked for; None: everything.

    The viewer's own are looked for from their side: few.
    """
    if show == "rated":
        unrated = Q(stage__kind__in=experiments()) | Q(stage__tournament__visibility=Tournament.Visibility.PRIVATE)
        return ~unrated
    if show != "mine" or viewer is None:
        return None
    sat = Seat.objects.filter(entry__player__bot__owner=viewer, entry__tournament__state=Tournament.State.RUNNING)
    mine = sat.filter(match__state__in=(M.QUEUED, M.CLAIMED)).values("match")
    return Q(pk__in=mine) | Q(stage__tournament__in=Role.objects.filter(user=viewer).values("tournament"))


def _named(words: str, *, is_own: bool) -> Q:
    """Return the filter for matches of a tournament or a player with these words in its name.

    Names of private events are not searched, but by their own people: that something is found would tell of them.
    """
    # From the side of the names, once: asked of each match in turn, a name that nobody has reads the whole queue.
    seats = Seat.objects.filter(entry__player__name__holds=words, match__state__in=(M.QUEUED, M.CLAIMED))
    stages = Stage.objects.filter(tournament__name__holds=words)
    found = Q(pk__in=seats.values("match")) | Q(stage__in=stages.values("pk"))
    return found if is_own else found & Q(stage__tournament__visibility=Tournament.Visibility.PUBLIC)


def _in_order(rows: QuerySet[Match]) -> QuerySet[Match]:
    rows = rows.select_related("stage__tournament", "round", "lease__worker").only(*LINE)
    return rows.order_by("priority", "id")


def _placed(rows: Sequence[Match], pace: float | None, *, is_all: bool) -> list[tuple[Place, Match]]:
    """Return the matches with their places among everything that waits. One query, none where everything is shown."""
    keys = [match.pk for match in rows]
    if not is_all:
        keys = list(waiting().order_by("priority", "id").values_list("pk", flat=True)[:COUNTED])
    ahead = {pk: Amount(number, False) for number, pk in enumerate(keys)}
    # Beyond what is counted the place is "more than", which `Amount` says with its second value.
    found = [(ahead.get(match.pk, Amount(COUNTED, True)), match) for match in rows]
    return [(Place(amount_, _seconds(amount_.n, pace)), match) for amount_, match in found]


def in_play() -> list[Match]:
    """Return what is being played; of a claimed batch only what was begun."""
    rows = Match.objects.filter(state=M.CLAIMED, claimed_at__isnull=False)
    return list(
        rows.select_related("stage__tournament", "round", "lease__worker").order_by("claimed_at", "id")[:MAXIMUM]
    )


def is_played(preset: str) -> bool:
    """Return whether a match of this ruleset is being played."""
    return Match.objects.filter(state=M.CLAIMED, claimed_at__isnull=False, stage__preset=preset).exists()


def waiting() -> QuerySet[Match]:
    """Return matches that wait for a worker.

    Whether its event runs is asked of each match in turn, in the order of the queue: joined, the database would sort
    everything that waits in order to find the first few.
    """
    runs = Stage.objects.filter(pk=OuterRef("stage"), tournament__state=Tournament.State.RUNNING)
    # A CASE around EXISTS: PostgreSQL turns a bare EXISTS into a join, and sorts.
    rows = Match.objects.alias(runs=Case(When(Exists(runs), then=Value(True)), default=Value(False)))
    return rows.filter(state=M.QUEUED, runs=True).order_by("priority", "id")


def resting() -> QuerySet[Match]:
    """Return matches that wait until their event goes on; found by the stages that have some, which are few."""
    paused = MatchTally.objects.filter(state=M.QUEUED, stage__tournament__state=Tournament.State.PAUSED)
    return Match.objects.filter(state=M.QUEUED, stage__id__among=paused.values("stage"))


def _open_checks() -> list[Check]:
    rows = Check.objects.filter(state__in=(Check.State.QUEUED, Check.State.CLAIMED)).select_related("version__bot")
    return list(rows.order_by("priority", "id")[:SHOWN])


def _quarantined_matches() -> list[Match]:
    rows = Match.objects.filter(state=M.QUARANTINED).select_related("stage__tournament", "round").order_by("id")
    return list(rows.prefetch_related(seats_named())[:SHOWN])


def _quarantined_checks() -> list[Check]:
    rows = Check.objects.filter(state=Check.State.QUARANTINED).select_related("version__bot").order_by("id")
    return list(rows[:SHOWN])


def workers(running: Sequence[Match], *, is_operator: bool = False) -> list[WorkerLine]:
    """Return worker processes heard of lately, with those of the claimed matches that they play. One query."""
    now = timezone.now()
    rows = Worker.objects.filter(seen_at__gte=now - REMEMBERED).order_by("name")[: 4 * SHOWN]
    return [
        WorkerLine(
            worker=row,
            is_silent=row.seen_at < now - SILENT,
            playing=[match for match in running if match.lease and match.lease.worker_id == row.pk][:3],
            raw=row.fault if is_operator and row.fault else None,
        )
        for row in rows
    ]


def channel_version(name: str) -> int:
    """Return the newest number of a live channel, 0 before anything was published on it. One query."""
    return Channel.objects.filter(name=name).values_list("version", flat=True).first() or 0


def channel_versions(names: Sequence[str]) -> dict[str, int]:
    """Return the same of several channels, in their order. One query."""
    found = dict(Channel.objects.filter(name__in=names).values_list("name", "version"))
    return {name: found.get(name, 0) for name in names}


def place_in_queue(match: Match) -> Place | None:
    """Return the place of a match; None when it does not wait. Three queries."""
    if match.state != M.QUEUED:
        return None
    ahead = amount(waiting().filter(before(match)))
    return Place(ahead, seconds_for(ahead.n, live_workers().count()))


def seconds_for(matches: int, players: int) -> int | None:
    """Estimate the seconds until that many matches are played: at the pace of the last fifty, by `players` processes.

    None when nobody plays, or nothing was played yet. One query.
    """
    return _seconds(matches, _pace(_played(), players))


def _seconds(matches: int, pace: float | None) -> int | None:
    return round(matches * pace) if pace is not None else None


def _played() -> list[tuple[datetime, datetime]]:
    """Return when the last matches that workers played began and ended, the newest first. One query."""
    # Only what workers played (`attempt`), the newest by their keys: tables of people say nothing about the pace.
    last = ResultReport.objects.filter(attempt__isnull=False).order_by("-id")
    times = last.values_list("match__claimed_at", "match__finished_at")[:MEASURED]
    return [(begun, ended) for begun, ended in times if begun is not None and ended is not None]


def _pace(played: Sequence[tuple[datetime, datetime]], players: int) -> float | None:
    """Return the seconds from one match to the next while that many processes play."""
    times = [(ended - begun).total_seconds() for begun, ended in played]
    return mean(times) / players if players and times else None
