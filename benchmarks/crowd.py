"""Rows by the hundred thousand, for pages that must not notice them: copies of a small league that was really played.

One statement makes all copies of a row (PostgreSQL alone). Keys follow from their number, so that copies fit together
by construction; no trigger runs for each of them, and the sums that triggers keep are counted once at the end. What is
copied stays as it was but for names, addresses, places and times; nothing is folded. Only pages may look at it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from django.db import connection, transaction
from django.db.models import F, Max, Model
from django.utils import timezone

from accounts.models import User
from bots.models import AuditEvent, Bot, BotVersion
from tests.builders.leagues import League
from tournaments import tallies
from tournaments.models import (
    Challenge,
    Delivery,
    Follow,
    Match,
    Notice,
    Player,
    Rating,
    RatingEvent,
    RatingPool,
    StageEntry,
    Standing,
    Tournament,
)

FEW: Final = 20
"""One in that many bots and events belongs to one and the same person: thousands, which is many for one."""


@dataclass(frozen=True, slots=True)
class Copies:
    """Rows that were made: those with the keys `before` + 1 to `before` + `n`."""

    before: int
    n: int

    @property
    def key(self) -> str:
        """Return in SQL the key of the copy number `i`."""
        return f"{self.before} + i"

    @property
    def numbers(self) -> str:
        """Return in SQL the numbers of all copies."""
        return so_many(self.n)


def so_many(n: int) -> str:
    """Return in SQL: rows `i` from 1."""
    return f"generate_series(1, {max(0, n)}) AS i"


def last_key(model: type[Model]) -> int:
    """The highest key of a table."""
    return model._base_manager.aggregate(last=Max("pk"))["last"] or 0


def copies(like: Model, over: str, **changes: str) -> Copies:
    """A row like this one for every row of `over`, a relation in SQL with a column `i` that counts from 1.

    changes: by column, an expression in SQL. The row that is copied is called `its`.
    """
    quote, table = connection.ops.quote_name, like._meta.db_table
    before = last_key(type(like))
    values = {"id": f"{before} + i", "uuid": "gen_random_uuid()", **changes}
    columns = [str(field.column) for field in like._meta.concrete_fields]
    # A column that was renamed would otherwise be copied as it was, in silence.
    unknown = set(changes) - set(columns)
    assert not unknown, f"{table} has no {unknown}"
    chosen = ", ".join(values.get(column, f"its.{quote(column)}") for column in columns)
    named = ", ".join(quote(column) for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({named}) SELECT {chosen} FROM {table} its, {over} WHERE its.id = {like.pk}"
        )
        made = Copies(before, cursor.rowcount)
        # The sequence knows nothing of keys that were written by number.
        cursor.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), {max(1, before + made.n)})")
    return made


@contextmanager
def quickly() -> Iterator[None]:
    """No trigger runs meanwhile, where this account may say so: no key is looked up, sums are counted at the end."""
    with transaction.atomic(), connection.cursor() as cursor:
        # Only a superuser may; and where it is on already, the outer caller counts at the end.
        cursor.execute("SELECT current_setting('is_superuser'), current_setting('session_replication_role')")
        if cursor.fetchone() != ("on", "origin"):
            yield
            return
        cursor.execute("SET LOCAL session_replication_role = replica")
        yield
        cursor.execute("SET LOCAL session_replication_role = origin")
        for each in tallies.TALLIED:
            tallies.recount(connection, each)


@contextmanager
def unindexed_names() -> Iterator[None]:
    """The indexes that names are searched by are made again afterwards: one that grows name by name takes minutes."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexname, indexdef FROM pg_indexes WHERE indexdef LIKE '%hanami_pairs%'")
        found = cursor.fetchall()
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # what waits to be checked at the end holds its tables
        for name, _made in found:
            cursor.execute(f"DROP INDEX {name}")
        yield
        for _name, made in found:
            cursor.execute(made)
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def grow(league: League, rows: int) -> None:
    """Add rows until every list of the site has about that many."""
    with quickly(), unindexed_names():
        persons = people(league, rows)
        bots(league, rows, owners=persons)
        events(league, rows, runners=persons)
        entries(league, rows)
        played = matches(league, rows, "confirmed", league.finished)
        matches(league, rows, "queued", league.running)
        failures(played)
        acts(league, rows)
        ratings(rows)
        rated(league, rows)
        comparisons(rows)
        news(league, rows)


def people(league: League, rows: int) -> Copies:
    """People with a name, some more than bots and events, so that each has an owner."""
    name = f"lpad(({last_key(User)} + i)::text, 6, '0')"
    return copies(
        league.rival,
        so_many(rows + 100 - User.objects.count()),
        username=f"'person-' || {name}",
        display_name=f"'Person ' || {name}",
    )


def bots(league: League, rows: int, *, owners: Copies | None = None) -> None:
    """Bots, each with a version, its check and a player, all of one owner. owners: of nearly all of them, one each."""
    have, version = Bot.objects.count(), league.bot.versions.get(n=1)
    number, over = f"lpad((i + {have - 1})::text, 6, '0')", so_many(rows - have)
    # Most have one bot each, and one person has thousands: lists of one's own must not notice that either.
    owner = {"owner_id": f"CASE WHEN i % {FEW} = 0 THEN its.owner_id ELSE {owners.key} END"} if owners else {}
    named = {"name": f"'Plum ' || {number}", "slug": f"'plum-' || {number}"}
    with quickly():
        made = copies(league.bot, over, active_version_id=f"{last_key(BotVersion)} + i", **named, **owner)
        versions = copies(version, over, bot_id=made.key)
        copies(version.check_run, over, version_id=versions.key, lease_id="NULL")
        copies(Player.objects.get(bot=league.bot), over, bot_id=made.key, name=named["name"])


def events(league: League, rows: int, *, runners: Copies) -> None:
    """Finished events, each with its stage and its owner: of one in twenty the organiser."""
    have, event = Tournament.objects.count(), league.finished
    number, over = f"lpad((i + {have - 1})::text, 6, '0')", so_many(rows - have)
    by = f"CASE WHEN i % {FEW} = 0 THEN {league.organiser.pk} ELSE {runners.key} END"
    named = {"name": f"'Spring league ' || {number}", "slug": f"'spring-' || {number}"}
    made = copies(event, over, created_by_id=by, **named)
    copies(event.stages.get(), over, tournament_id=made.key)
    copies(event.roles.get(role="owner"), over, tournament_id=made.key, user_id=by)


def entries(league: League, rows: int) -> None:
    """Entries of the finished event, with their places, and of the one that is open."""
    stage, like = league.finished.stages.get(), league.finished.entries.order_by("id")[0]
    have = league.finished.entries.count()
    place = Standing.objects.get(stage=stage, after_round=0, entry=like)
    there = StageEntry.objects.get(stage=stage, entry=like)
    free = (
        "(SELECT player.id AS player, bot.active_version_id AS version, row_number() OVER (ORDER BY player.id) AS i "
        "FROM tournaments_player player JOIN bots_bot bot ON bot.id = player.bot_id WHERE NOT EXISTS "
        "(SELECT 1 FROM tournaments_entry taken WHERE taken.player_id = player.id "
        f"AND taken.tournament_id IN ({league.finished.pk}, {league.open.pk})) ORDER BY player.id LIMIT {rows}) AS free"
    )
    with quickly():
        made = copies(like, free, player_id="player", bot_version_id="version", seed=f"{have} + i")
        copies(there, made.numbers, entry_id=made.key, seed=f"{have} + i")
        copies(place, made.numbers, entry_id=made.key, rank=f"{have} + i", row=f"{have} + i")
        fresh = f"SELECT player_id AS player, id - {made.before} AS i FROM tournaments_entry WHERE id > {made.before}"
        copies(
            like, f"({fresh}) AS fresh", tournament_id=str(league.open.pk), player_id="player", bot_version_id="NULL"
        )


def matches(league: League, rows: int, state: str, event: Tournament) -> Copies:
    """Matches in one state, each of a deal set of its own, of no round; everybody who is entered has some."""
    stage, like = event.stages.get(), league.match()
    have = Match.objects.filter(stage=stage, state=state).count()
    over, is_over = so_many(rows - have), state == "confirmed"
    last = Match.objects.aggregate(last=Max("priority"))["last"] or 0
    when = f"now() - interval '1 second' * ({rows - have} - i)"
    times = {"queued_at": when, "finished_at": when if is_over else "NULL", "priority": f"{last} + i"}
    places = {"stage_id": str(stage.pk), "round_id": "NULL", "table_no": "NULL", "state": f"'{state}'"}
    assert like.deal_set is not None
    with quickly():
        sets = copies(like.deal_set, over, stage_id=str(stage.pk), **({} if is_over else {"revealed_at": "NULL"}))
        made = copies(like, over, deal_set_id=sets.key, lease_id="NULL", **places, **times)
        for at, seat in enumerate(like.seats.order_by("index")):
            result = {} if is_over else {"outcome": "'open'", "points": "NULL", "place": "NULL"}
            copies(seat, _seated(made, event, at), match_id=made.key, entry_id="entry", **result)
        if is_over:
            copies(like.reports.get(state="confirmed"), over, match_id=made.key)
    return made


def _seated(made: Copies, event: Tournament, at: int) -> str:
    """Return in SQL who sits there at match `i`: everybody in turn."""
    field = event.entries.count()
    return (
        f"(SELECT i, one.id AS entry FROM {made.numbers} JOIN "
        "(SELECT id, row_number() OVER (ORDER BY id) - 1 AS place FROM tournaments_entry "
        f"WHERE tournament_id = {event.pk}) AS one ON one.place = (2 * i + {at}) % {field}) AS seated"
    )


def failures(played: Copies) -> None:
    """Let the second seat of every other one of these matches have been forfeited."""
    fault = '{"code": "timeout.cpu", "deal": 1, "move": 3}'
    first, last = played.before + 1, played.before + played.n
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tournaments_seat SET fault = %s::jsonb, outcome = 'forfeit' "
            'WHERE match_id BETWEEN %s AND %s AND match_id %% 2 = 0 AND "index" = 1',
            (fault, first, last),
        )


def acts(league: League, rows: int) -> None:
    """Copy lines of the log of the finished event."""
    of_event = AuditEvent.objects.filter(channel=league.finished.channel).order_by("id")
    copies(of_event[0], so_many(rows - of_event.count()))


def ratings(rows: int) -> None:
    """Ratings of the first public pool."""
    pool = RatingPool.objects.filter(stage=None).order_by("id")[0]
    like = Rating.objects.filter(pool=pool).order_by("id")[0]
    over = (
        "(SELECT version.id AS version, version.bot_id AS bot, version.n AS number, "
        "row_number() OVER (ORDER BY version.id) AS i "
        "FROM bots_botversion version WHERE version.state = 'ready' AND NOT EXISTS (SELECT 1 FROM tournaments_rating "
        f"known WHERE known.pool_id = {pool.pk} AND known.line = version.bot_id AND known.n = version.n) "
        f"ORDER BY version.id LIMIT {rows}) AS unrated"
    )
    lower = {name: f"its.{name} - bot / 1000.0" for name in ("value", "mu", "settled_mu")}
    copies(like, over, version_id="version", line="bot", n="number", **lower)


def rated(league: League, rows: int) -> None:
    """Copy the effects of that many deal sets on the rating of the league's bot: those of the newest matches that
    are over.
    """
    pool = RatingPool.objects.filter(stage=None).order_by("id")[0]
    like = RatingEvent.objects.filter(pool=pool, line=league.bot.pk).order_by("-nth")[0]
    fresh = (
        "(SELECT deal_set_id AS dealt, row_number() OVER (ORDER BY deal_set_id) AS i FROM tournaments_match "
        f"WHERE state = 'confirmed' AND leg = 1 AND deal_set_id > {like.deal_set} "
        f"AND stage_id = {league.finished.stages.get().pk} ORDER BY deal_set_id LIMIT {rows}) AS fresh"
    )
    made = copies(
        like, fresh, deal_set="dealt", seq=f"{pool.seq} + i", nth="its.nth + i", mu_after="its.mu_after + sin(i)"
    )
    RatingPool.objects.filter(pk=pool.pk).update(seq=F("seq") + made.n)
    Rating.objects.filter(pool=pool, line=league.bot.pk, n=like.n).update(events=F("events") + made.n)


def comparisons(rows: int) -> None:
    """Comparisons of bots of two owners, each with its event; none if nobody has begun one."""
    like = Challenge.objects.select_related("stage__tournament").order_by("id").first()
    if like is None:
        return
    over = so_many(rows - Challenge.objects.count())
    made = copies(like.stage.tournament, over, slug=f"'compared-' || {last_key(Tournament)} + i", state="'finished'")
    stages = copies(like.stage, over, tournament_id=made.key)
    done = {"state": "'inconclusive'", "reason": "'stopped'", "decided_at": "now()"}
    copies(like, over, stage_id=stages.key, **done)


def news(league: League, rows: int) -> None:
    """Copy what the organiser is told and follows, and what their hook was told."""
    reader, now = league.organiser, timezone.now()
    fields = {"kind": "event", "what": "started", "via": "event", "tournament": league.finished, "at": now}
    notice, _made = Notice.objects.get_or_create(reader=reader, source="crowd", defaults=fields)
    source = f"'crowd@' || {last_key(Notice)} + i"
    copies(notice, so_many(rows - Notice.objects.filter(reader=reader).count()), source=source)
    User.objects.filter(pk=reader.pk).update(unread_news=Notice.objects.filter(reader=reader, read_at=None).count())
    follow, _made = Follow.objects.get_or_create(user=reader, bot=league.bot)
    others = (
        "(SELECT id AS bot, row_number() OVER (ORDER BY id) AS i FROM bots_bot WHERE NOT EXISTS "
        f"(SELECT 1 FROM tournaments_follow known WHERE known.user_id = {reader.pk} AND known.bot_id = bots_bot.id)) "
        "AS others"
    )
    copies(follow, others, bot_id="bot")
    of_reader = Delivery.objects.filter(hook__user=reader).order_by("id")
    source, more = f"'crowd@' || {last_key(Delivery)} + i", so_many(rows - of_reader.count())
    copies(of_reader[0], more, source=source, state="'delivered'")
