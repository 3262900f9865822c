"""A ladder stage: its entries, their ratings, and the table that follows.

Units that organisers give and take count in the table and nowhere else: ratings follow from matches alone.

A ladder has no rounds and its entries no pinned version: each pod is played with what is active when it is drawn.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, NamedTuple

from django.db.models import Q, QuerySet
from django.utils import timezone

from bots.models import BotVersion
from bots.runner.spec import CLOCKS, Clock, suits
from core.ratings import model
from core.ratings.lines import born_of, name_of
from tournaments.lifecycle.time_limits import clock_of
from tournaments.models import Adjustment, Entry, Match, Rating, RatingPool, Stage, StageEntry, Standing
from tournaments.ratings import fold as rating
from tournaments.ratings import inputs as rating_inputs

CHUNK: Final = 500
FIGURE: Final = "rating"
SHOWN: Final = ("rank", "row", "key", "explanation", "input_hash")


class Rated(NamedTuple):
    """The part of a rating that a table needs: a thousand rows of these are read with every fold."""

    n: int
    mu: float
    sigma: float
    value: float
    events: int
    pending: int


class Gift(NamedTuple):
    """Units given, or taken where negative, to the hundredth."""

    units: Decimal
    reason: str


@dataclass(frozen=True, slots=True)
class Line:
    """An entry's place in the table. value: what it ranks by, to the hundredth: the rating as it is shown, and `given`.

    given: units given and taken by organisers; each with its reason in `gifts`. rating: None at first.
    """

    entry: int
    seed: int
    rank: int
    value: Decimal
    rating: Rated | None
    gifts: tuple[Gift, ...] = ()

    @property
    def given(self) -> Decimal:
        """The sum of the units given and taken."""
        return sum((gift.units for gift in self.gifts), Decimal(0))


@dataclass(frozen=True, slots=True)
class Contender:
    """An entry that may be drawn, with its version.

    played: deal sets drawn for this version so far. under_way: those of the entry that are not over.
    """

    entry: Entry
    seed: int
    version: BotVersion
    rating: model.Rating
    played: int
    under_way: int


def pool_of(stage: Stage) -> RatingPool:
    """Return the ratings of a ladder stage, made when they are first asked for."""
    sides = rating_inputs.sides_of(stage, stage.seats_pref)
    shape = {"preset": stage.preset, "seats": stage.seats_pref, "sides": sides}
    pool, _made = RatingPool.objects.get_or_create(stage=stage, defaults=shape)
    return pool


def fold(stage: Stage, matches: Sequence[str] | None = None, *, everything: bool = False) -> bool:
    """Bring ratings and table up to date. Returns whether anything changed. Needs the event's lock.

    matches: UUIDs of those that were confirmed since the last time; None: anything may have happened.
    """
    pool = pool_of(stage)
    if everything:
        rating.rebuild(pool)
    # Without matches everything may be different, and looking for it reads the stage; with them, one query by keys.
    else:
        pool.redo_from = _first_changed(pool, matches)
        rating.update_ratings(pool)
    return store(stage, lines_of(stage))


def _first_changed(pool: RatingPool, matches: Sequence[str] | None) -> int | None:
    if matches is None:
        return rating_inputs.first_changed(pool)
    affected = Match.objects.filter(uuid__in=matches, stage=pool.stage_id, deal_set__lte=pool.upto)
    return min(affected.values_list("deal_set", flat=True), default=None)


def lines_of(stage: Stage) -> list[Line]:
    """Return the table: by rating and what was given and taken, and of equals by seed."""
    # Values, not objects: a table of a thousand entries is read with every fold.
    ratings = Rating.objects.filter(pool__stage=stage).order_by("newest", "n")
    newest = {line: Rated(*figures) for line, *figures in ratings.values_list("line", *Rated._fields)}
    listed = StageEntry.objects.filter(stage=stage).values_list("entry", "seed")
    gifts = _gifts(stage)
    rows = [
        (_shown(newest.get(seed)) + sum((gift.units for gift in gifts.get(entry, ())), Decimal(0)), seed, entry)
        for entry, seed in listed
    ]
    rows.sort(key=lambda row: (-row[0], row[1]))
    ranks: dict[Decimal, int] = {}
    for place, (value, _seed, _entry) in enumerate(rows, 1):
        ranks.setdefault(value, place)
    return [
        Line(entry, seed, ranks[value], value, newest.get(seed), gifts.get(entry, ())) for value, seed, entry in rows
    ]


def _gifts(stage: Stage) -> dict[int, tuple[Gift, ...]]:
    """Return what counts of what was given and taken, by entry. One query."""
    rows = Adjustment.objects.filter(stage_entry__stage=stage, revoked_by=None).order_by("pk")
    found: dict[int, tuple[Gift, ...]] = {}
    for entry, units, reason in rows.values_list("stage_entry__entry", "units", "reason"):
        exact = Fraction(units)
        # To the hundredth, as values are shown: else rows with the same text would have different ranks.
        amount = Decimal(round(exact * 100)).scaleb(-2)
        found[entry] = (*found.get(entry, ()), Gift(amount, reason))
    return found


def _shown(row: Rated | None) -> Decimal:
    """Return the value as pages show it. Everybody begins at 0."""
    return Decimal(round(row.value * 100) if row is not None else 0).scaleb(-2)


def hash_of(lines: Iterable[Line]) -> str:
    """Return the SHA-256 of the ratings that a table is made of; no id of this installation is in it."""
    digest = hashlib.sha256(b"ladder/1\0")
    for line in lines:
        row = line.rating
        # hex() of a float is exact, so the hash does not depend on how many digits are printed.
        figures = (row.n, row.mu.hex(), row.sigma.hex(), row.events + row.pending) if row is not None else ()
        given = f" {[str(gift.units) for gift in line.gifts]}" if line.gifts else ""
        digest.update(f"{line.seed} {figures}{given}\n".encode())
    return digest.hexdigest()


def row_figures(line: Line, number: int) -> tuple[int, int, list[str]]:
    """Return the contents of a row: rank, place in the table, key."""
    return line.rank, number, [str(line.value)]


def _row(stage: Stage, line: Line, number: int, digest: str) -> Standing:
    rank, row, key = row_figures(line, number)
    fields = {"rank": rank, "row": row, "key": key, "explanation": [_explained(line)], "input_hash": digest}
    return Standing(stage=stage, after_round=0, entry_id=line.entry, **fields)


def _explained(line: Line) -> dict[str, Any]:
    terms = [{"round": 0, "match": "", "amount": str(gift.units), "note": gift.reason} for gift in line.gifts]
    return {"tie_break": FIGURE, "value": str(line.value), "terms": terms, "decided_against": []}


def store(stage: Stage, lines: Sequence[Line]) -> bool:
    """Write the rows that differ. Returns whether any did. Needs the event's lock."""
    standings = Standing.objects.filter(stage=stage, after_round=0)
    stored = {row[0]: row[1:] for row in standings.values_list("entry", "rank", "row", "key", "input_hash")}
    digest = hash_of(lines)
    # The usual case of a fold without news: one query and no write.
    if len(stored) == len(lines) and all(old[-1] == digest for old in stored.values()):
        return False
    numbered = list(enumerate(lines, 1))
    changed = [
        (line, number) for number, line in numbered if stored.get(line.entry, ())[:-1] != row_figures(line, number)
    ]
    if gone := stored.keys() - {line.entry for line in lines}:
        standings.filter(entry__in=gone).delete()
    Standing.objects.bulk_create(
        [_row(stage, line, number, digest) for line, number in changed],
        update_conflicts=True,
        unique_fields=["stage", "after_round", "entry"],
        update_fields=SHOWN,
        batch_size=CHUNK,
    )
    # Rows that did not move have the new hash, too: it names the table, not the row.
    standings.update(input_hash=digest, folded_at=timezone.now())
    return True


def differences(stage: Stage) -> list[str]:
    """Describe where the stored rows differ from a fold of everything: empty when all is well."""
    pool = pool_of(stage)
    found = rating.differences(pool)
    lines = lines_of(stage)
    digest = hash_of(lines)
    wanted = {line.entry: (*row_figures(line, number), digest) for number, line in enumerate(lines, 1)}
    stored = Standing.objects.filter(stage=stage, after_round=0)
    is_same = wanted == {row[0]: row[1:] for row in stored.values_list("entry", "rank", "row", "key", "input_hash")}
    return found if is_same else [*found, f"{stage.tournament.slug}, {stage}, the table"]


def contenders_of(stage: Stage, pool: RatingPool) -> list[Contender]:
    """Return the entries that may be drawn now, by seed: neither gone nor suspended, with a version for these rules."""
    rows = list(playing_entries(stage))
    lines: dict[int, dict[int, Rating]] = {}
    for row in Rating.objects.filter(pool=pool):
        lines.setdefault(row.line, {})[row.n] = row
    under_way, unfolded = _under_way(stage, pool), _unfolded(stage, pool)
    found, clock = [], clock_of(stage)
    for listed in rows:
        version = listed.entry.player.bot.active_version if listed.entry.player.bot else None
        if version is not None and is_fit(version, stage.preset, clock):
            own, now = lines.get(listed.seed, {}), under_way.get(listed.entry_id, 0)
            stands = _rating_of(listed.seed, version.n, own)
            # Not `pending`: results wait for their fold while the queue is filled, and would be drawn once more.
            # Of this version alone: a new one gets matches of its own, however many its predecessors played.
            folded = own[version.n].events if version.n in own else 0
            played = folded + unfolded.get((listed.entry_id, version.n), 0)
            found.append(Contender(listed.entry, listed.seed, version, stands, played, now))
    return found


def is_fit(version: BotVersion, preset: str, clock: Clock) -> bool:
    """Return whether a version may be drawn: it passed its check, is not suspended, and plays these rules and clock."""
    is_ready = version.state == BotVersion.State.READY and version.benched_at is None
    return is_ready and preset in version.plays and suits(CLOCKS[version.clock], clock)


def playing_entries(stage: Stage) -> QuerySet[StageEntry]:
    """Return the entries that have not left, by seed, each with its active version."""
    rows = StageEntry.objects.filter(stage=stage, left_round=None, entry__state=Entry.State.ACTIVE)
    return rows.select_related("entry__player__bot__active_version").order_by("seed")


def _rating_of(seed: int, version: int, own: dict[int, Rating]) -> model.Rating:
    """Return the rating of a version, or the one it would begin with."""
    known = {name_of(seed, row.n): model.Rating(row.mu, row.sigma) for row in own.values()}
    name = name_of(seed, version)
    return known.get(name) or born_of(rating.PARAMS)(name, known)


def open_matches(stage: Stage, pool: RatingPool) -> QuerySet[Match]:
    """Return matches that are not over. All of them are of deal sets after the last one that is folded in."""
    done = (Match.State.CONFIRMED, Match.State.VOID, Match.State.QUARANTINED)
    after = Match.objects.filter(stage=stage, deal_set__gt=pool.upto)
    return after.exclude(state__in=done)


def _under_way(stage: Stage, pool: RatingPool) -> dict[int, int]:
    """Count the open deal sets of each entry."""
    seats = open_matches(stage, pool).filter(~Q(seats__entry=None)).values_list("deal_set", "seats__entry").distinct()
    return dict(Counter(entry for _deal_set, entry in seats))


def _unfolded(stage: Stage, pool: RatingPool) -> dict[tuple[int, int], int]:
    """Count the deal sets of each version of an entry, open or played, after the last one whose figures are final."""
    nothing = (Match.State.VOID, Match.State.QUARANTINED)
    drawn = Match.objects.filter(stage=stage, deal_set__gt=pool.upto).exclude(state__in=nothing)
    # DISTINCT: with several legs an entry sits several times in one deal set.
    seats = drawn.filter(~Q(seats__entry=None)).values_list("deal_set", "seats__entry", "seats__version_n").distinct()
    return dict(Counter((entry, version or 0) for _deal_set, entry, version in seats))
