"""Ratings from confirmed results: a fold in the order in which deal sets were made, kept in rows.

The cost of a result depends on who sat at its table and on how many deal sets beyond the first unfinished one are
done, never on how many were played before: the rows are the state of the fold. The effect of each deal set is stored
as well, so that a fold can be taken up before any of them when one changes (decision 0043).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from django.db.models import Min, OuterRef, Q, Subquery
from django.utils import timezone

from core.ratings import model
from core.ratings.fold import Fold
from core.ratings.lines import born_of, name_of
from core.ratings.model import Change, Checkpoint, Event, Params
from tournaments.models import Rating, RatingEvent, RatingPool
from tournaments.ratings import inputs
from tournaments.ratings.inputs import Window

PARAMS: Final = Params()
BATCH_SIZE: Final = 500
WRITTEN: Final = (
    "entry",
    "version",
    "mu",
    "sigma",
    "value",
    "settled_mu",
    "settled_sigma",
    "events",
    "pending",
    "newest",
)


def update_ratings(pool: RatingPool) -> bool:
    """Fold in what is finished by now. Returns whether a rating changed. Needs the pool's lock."""
    # A change beyond `upto` needs no rewinding: that part is folded provisionally each time.
    changed = pool.redo_from is not None and pool.redo_from <= pool.upto
    if changed:
        rewind(pool, pool.redo_from or 0)
    while True:
        window = inputs.window(pool, BATCH_SIZE)
        changed |= _fold_window(pool, window)
        if window.is_last:
            break
    pool.is_stale, pool.redo_from, pool.folded_at = False, None, timezone.now()
    pool.save()
    return changed


def rebuild(pool: RatingPool) -> None:
    """Delete everything and fold all again. Needs the pool's lock."""
    pool.ratings.all().delete()
    pool.rated.all().delete()
    pool.upto, pool.seq, pool.redo_from = 0, 0, None
    update_ratings(pool)


def rewind(pool: RatingPool, number: int) -> None:
    """Rewind to before the deal set of that id: what came later is deleted, every rating is as it was then."""
    doomed = RatingEvent.objects.filter(pool=pool, deal_set__gte=number)
    # Read before the delete, after which nothing says who was touched.
    touched = set(doomed.values_list("line", "n"))
    first = doomed.aggregate(first=Min("seq"))["first"]
    doomed.delete()
    remaining = RatingEvent.objects.filter(pool=pool, line=OuterRef("line"), n=OuterRef("n")).order_by("-nth")
    for line in sorted({line for line, _n in touched}):
        rows = Rating.objects.filter(pool=pool, line=line).annotate(
            last_nth=Subquery(remaining.values("nth")[:1]),
            last_mu=Subquery(remaining.values("mu_after")[:1]),
            last_sigma=Subquery(remaining.values("sigma_after")[:1]),
            last_set=Subquery(remaining.values("deal_set")[:1]),
        )
        for row in rows:
            _put_back(row)
    pool.upto = number - 1
    pool.seq = first - 1 if first is not None else pool.seq
    Rating.objects.filter(pool=pool, events=0).delete()


def _put_back(row: Rating) -> None:
    annotated = vars(row)
    row.events, row.newest = annotated["last_nth"] or 0, annotated["last_set"] or 0
    if row.events:
        row.settled_mu, row.settled_sigma = annotated["last_mu"], annotated["last_sigma"]
    row.pending = 1  # all that it shows is made again with the next window
    row.save()


def _fold_window(pool: RatingPool, window: Window) -> bool:
    rows = _rows_of(pool, window)
    settled = {name: model.Rating(row.settled_mu, row.settled_sigma) for name, row in rows.items() if row.events}
    before = {name: (row.mu, row.sigma, row.events, row.pending) for name, row in rows.items()}
    params = params_of(pool)
    start = Checkpoint(pool.upto, pool.seq, settled, inputs.days_of(pool, settled))
    fold = Fold(params, start=start, born=born_of(params))
    changes = fold.put(window.contents)
    _make_missing(pool, window, rows, fold)
    _write_changes(pool, window, rows, changes)
    _show(window, rows, fold)
    pool.upto, pool.seq = max(pool.upto, fold.upto), pool.seq + len({change.seq for change in changes})
    now = {name: (row.mu, row.sigma, row.events, row.pending) for name, row in rows.items()}
    touched = [row for name, row in rows.items() if before.get(name) != now[name]]
    Rating.objects.bulk_create(
        touched,
        update_conflicts=True,
        unique_fields=["pool", "line", "n"],
        update_fields=WRITTEN,
        batch_size=BATCH_SIZE,
    )
    # A rating without a result is none: what counted for it does not count any more.
    Rating.objects.filter(pool=pool, events=0, pending=0).delete()
    return bool(touched)


def params_of(pool: RatingPool) -> Params:
    """Return the constants of a pool."""
    return model.PEOPLE if inputs.is_of_people(pool) else PARAMS


def _rows_of(pool: RatingPool, window: Window) -> dict[str, Rating]:
    """Return the ratings of everybody in the window, of earlier versions, and of those with provisional results."""
    lines = {member.line for member in window.members.values()}
    rows = Rating.objects.filter(Q(pending__gt=0) | Q(line__in=lines), pool=pool)
    return {name_of(row.line, row.n): row for row in rows}


def _make_missing(pool: RatingPool, window: Window, rows: dict[str, Rating], fold: Fold) -> None:
    start = PARAMS.start
    for name in {*fold.provisional(), *fold.ratings} - rows.keys():
        member = window.members[name]
        rows[name] = Rating(
            pool=pool,
            line=member.line,
            n=member.n,
            mu=start.mu,
            sigma=start.sigma,
            value=start.shown,
            settled_mu=start.mu,
            settled_sigma=start.sigma,
        )


def _write_changes(pool: RatingPool, window: Window, rows: Mapping[str, Rating], changes: Iterable[Change]) -> None:
    log = []
    for change in changes:
        row, event = rows[change.entry], window.contents[change.event]
        assert isinstance(event, Event)
        row.events, row.newest = row.events + 1, change.event
        row.settled_mu, row.settled_sigma = change.after
        log.append(_line_of(pool, row, change, event))
    RatingEvent.objects.bulk_create(log, batch_size=BATCH_SIZE)


def _line_of(pool: RatingPool, row: Rating, change: Change, event: Event) -> RatingEvent:
    place = next(rank for side, rank in zip(event.sides, event.ranks, strict=True) if change.entry in side)
    return RatingEvent(
        pool=pool,
        line=row.line,
        n=row.n,
        seq=change.seq,
        nth=row.events,
        deal_set=change.event,
        place=place,
        of=len(event.sides),
        mu_before=change.before.mu,
        sigma_before=change.before.sigma,
        mu_after=change.after.mu,
        sigma_after=change.after.sigma,
    )


def _show(window: Window, rows: Mapping[str, Rating], fold: Fold) -> None:
    """Fill in what pages show: with everything counted in that is finished."""
    beyond = [event for number, event in window.contents.items() if number > fold.upto and isinstance(event, Event)]
    pending = Counter(entry for event in beyond for side in event.sides for entry in side)
    newest = {
        entry: event.number
        for event in sorted(beyond, key=lambda each: each.number)
        for side in event.sides
        for entry in side
    }
    shown = fold.provisional()
    for name, row in rows.items():
        rating = shown.get(name, PARAMS.start)
        row.mu, row.sigma, row.value = rating.mu, rating.sigma, rating.shown
        row.pending, row.newest = pending[name], newest.get(name, row.newest)
        member = window.members.get(name)
        if member is not None:
            row.entry_id, row.version_id = member.entry, member.version


def differences(pool: RatingPool) -> list[str]:
    """Name the rated whose stored rating differs from a fold of everything that is stored: empty when all is well."""
    window = inputs.everything(pool)
    params = params_of(pool)
    fold = Fold(params, born=born_of(params))
    changes = fold.put(window.contents)
    shown = fold.provisional()
    events = Counter(change.entry for change in changes)
    wanted = {name: (*shown[name], *fold.ratings.get(name, PARAMS.start), events[name]) for name in shown}
    stored = {
        name_of(row.line, row.n): (row.mu, row.sigma, row.settled_mu, row.settled_sigma, row.events)
        for row in pool.ratings.all()
    }
    names = sorted(name for name in wanted.keys() | stored.keys() if wanted.get(name) != stored.get(name))
    log = {(change.seq, change.entry): (*change.before, *change.after) for change in changes}
    stored_log = {
        (row.seq, name_of(row.line, row.n)): (row.mu_before, row.sigma_before, row.mu_after, row.sigma_after)
        for row in pool.rated.all()
    }
    return [f"{pool}: {name}" for name in names] + ([] if log == stored_log else [f"{pool}: what the results did"])
