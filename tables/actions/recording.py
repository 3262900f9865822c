"""From a finished table to a match with a record like any other, confirmed and provable.

The match is the only one of an event that no list names (`core.formats.ladder.stage.TableOfTheSite`). Written once: the
table's row names it. A process that dies before leaves a table that the sweep records.

A table of an event has a match already: it begins with the deal, and the record confirms it. Results lock the event
before anything else, so both are done after the transaction that has locked the table.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import QuerySet

from activity import wake_ups
from activity.journal import publish
from bots.models import Blob
from engine.deck import commitment
from engine.game import Json
from engine.record import canonical, verify, write
from tables.actions.folding import dealt, rules_of, seed_of
from tables.domain_events import TableChanged
from tables.models import Answer, LiveSeat, LiveTable
from tables.play.fold import Fold
from tournaments.domain_events.matches import MatchConfirmed
from tournaments.entries.bots import player_of
from tournaments.lifecycle.locks import lock_standings
from tournaments.matches.records.results import body_of, fill_seats, spec_for
from tournaments.models import DealSet, Entry, Match, Player, ResultReport, Ruleset, Seat, Stage, Tournament
from tournaments.ratings import pools
from tournaments.scores.actions import fold as update_standings
from tournaments.scores.on_site import begin_on_site, confirm_on_site

KIND: Final = "site_table"
NAME: Final = "Table on the site"
log = structlog.get_logger(__name__)


class WrongRecord(RuntimeError):
    """The record of a table does not verify: a defect of ours. The table stays unrecorded, and its rows stay."""


def begin_soon(table: LiveTable) -> None:
    """Note at the match of a table of an event that its cards are dealt, once the transaction is committed."""
    if table.stage_id is not None:
        transaction.on_commit(partial(_begin, table.uuid), robust=True)


def _begin(uuid: UUID) -> None:
    if (match := _match_of_event(uuid)) is not None:
        begin_on_site(match)


def _match_of_event(uuid: UUID) -> Match | None:
    return Match.objects.select_related("stage__tournament").filter(uuid=uuid).first()


def record_soon(table: LiveTable) -> None:
    """Record a table once the present transaction is committed; where that fails, the sweep tries again."""
    # Robust: the answer that ended the match is committed, and its sender is not told of a defect of ours.
    transaction.on_commit(partial(record_table, table.uuid), robust=True)


def record_table(uuid: UUID) -> Match | None:
    """Write the match of a finished table; the one that was written before if there is one. None: it has not ended.

    Raises WrongRecord.
    """
    if LiveTable.objects.filter(uuid=uuid, stage__isnull=False).exists():
        return _record_for_event(uuid)
    with transaction.atomic():
        table = LiveTable.objects.select_for_update(no_key=True, of=("self",)).get(uuid=uuid)
        if table.state != LiveTable.State.FINISHED or table.match_id is not None:
            return table.match
        seats, document = _document(table)
        match = _write(table, seats, document)
        table.match = match
        table.save(update_fields=["match"])
        confirmed = MatchConfirmed(
            match.channel,
            match=str(match.uuid),
            state=match.state,
            score=document["record"]["result"]["score"],
            forfeits=document["record"]["forfeits"],
        )
        if table.rated and is_of_programs(seats):
            pools.mark_programs(match.stage, match.seats_n)
            wake_ups.notify_on_commit("derive")
        elif match.stage.tournament.rated:
            pools.mark(match.stage.tournament)
            wake_ups.notify_on_commit("derive")
        publish(confirmed, TableChanged(table.channel, state=table.state))
    return match


def _record_for_event(uuid: UUID) -> Match | None:
    """Let the record of a finished table confirm its match; None if somebody has decided it otherwise meanwhile.

    Then the table counts as called off. Raises WrongRecord.
    """
    match = _match_of_event(uuid)
    with transaction.atomic():
        if match is not None:
            lock_standings(match.stage.tournament)
        table = LiveTable.objects.select_for_update(no_key=True, of=("self",)).get(uuid=uuid)
        if table.state != LiveTable.State.FINISHED or table.match_id is not None:
            return table.match
        is_counted = match is not None and confirm_on_site(match, _document(table)[1])
        if is_counted:
            table.match = match
        else:
            table.state, table.reason, table.events = LiveTable.State.ABORTED, "decided", table.events + 1
        table.save(update_fields=["match", "state", "reason", "events"])
        publish(TableChanged(table.channel, state=table.state))
    if not is_counted or match is None:
        return None
    # Standings and rounds follow at once; where that fails, the result is stored and a worker does it.
    update_standings(match)
    return match


def _document(table: LiveTable) -> tuple[list[LiveSeat], dict[str, Any]]:
    """Return the seats and the record document of a table that is over. Raises WrongRecord."""
    seats = list(LiveSeat.objects.filter(table=table).select_related("bot_version__bot").order_by("index"))
    fold = dealt(table, seats)
    fold.take(Answer.objects.filter(table=table).order_by("n"))
    return seats, document_of(table, seats, fold)


def unrecorded() -> QuerySet[LiveTable, UUID]:
    """Return the ids of finished tables that are not recorded yet, the oldest first."""
    waiting = LiveTable.objects.filter(state=LiveTable.State.FINISHED, match__isnull=True).order_by("pk")
    return waiting.values_list("uuid", flat=True)


def _write(table: LiveTable, seats: list[LiveSeat], document: dict[str, Any]) -> Match:
    stage = _stage(table, _who_of(seats))
    deal_set = DealSet.objects.create(
        uuid=table.deal_set, stage=stage, commit=document["record"]["fair"]["commit"], revealed_at=table.finished_at
    )
    match = Match.objects.create(
        uuid=table.uuid,
        stage=stage,
        deal_set=deal_set,
        seats_n=table.seats_n,
        state=Match.State.CONFIRMED,
        finished_at=table.finished_at,
    )
    rows = _seats(table, match, seats, document["record"]["seats"])
    body = body_of(document["record"])
    Seat.objects.bulk_create(fill_seats(match, rows, body, spec_for(stage)))
    ResultReport.objects.create(
        match=match,
        source=ResultReport.Source.RECORD,
        state=ResultReport.State.CONFIRMED,
        body=body,
        hash=document["hash"],
        record=Blob.objects.put(canonical(document)),
    )
    return match


def document_of(table: LiveTable, seats: list[LiveSeat], fold: Fold) -> dict[str, Any]:
    """Return the record document of a table that is over. Raises WrongRecord if it does not verify."""
    seed = seed_of(table, seats)
    document: dict[str, Any] = write(
        fold.match, match_id=str(table.uuid), fair=fair_of(table, seats, seed), bots=_hashes(seats), preset=table.preset
    )
    document["view"]["wall"] = fold.took_ms
    verdict = verify(document, seed=seed)
    if not verdict.ok:
        raise WrongRecord(f"table {table.uuid}: {verdict.code} at {verdict.where}: {verdict.message}")
    return document


def fair_of(table: LiveTable, seats: list[LiveSeat], seed: bytes) -> Json:
    """Return what was committed to before the deal, and the nonce of every seat (`engine.record_fair`)."""
    return {
        "stage": table.commitment,
        "commit": commitment(seed),
        "deal_set": str(table.deal_set),
        "leg": 1,
        "secret": bytes(table.secret).hex(),
        "nonces": [
            {"seat": f"p{seat.index}", "hash": seat.nonce_hash, "nonce": seat.nonce, "by": seat.drawn_by}
            for seat in seats
        ],
    }


def _hashes(seats: list[LiveSeat]) -> list[str | None]:
    """Return the version at each seat; a remote program is nobody's upload and stands like a person."""
    return [
        f"sha256:{seat.bot_version.hash}" if seat.bot_version is not None and seat.kind == LiveSeat.Kind.BOT else None
        for seat in seats
    ]


def is_of_programs(seats: list[LiveSeat]) -> bool:
    """Return whether only remote programs sit there, who are rated among themselves."""
    return all(seat.kind == LiveSeat.Kind.PROGRAM for seat in seats)


def _is_of_people(seats: list[LiveSeat]) -> bool:
    """Return whether everybody there is a person with an account."""
    return all(seat.kind == LiveSeat.Kind.PERSON and seat.user_id is not None for seat in seats)


def _who_of(seats: list[LiveSeat]) -> Tournament.Who:
    if is_of_programs(seats):
        return Tournament.Who.BOTS
    return Tournament.Who.PEOPLE if _is_of_people(seats) else Tournament.Who.BOTH


def _stage(table: LiveTable, who: Tournament.Who) -> Stage:
    """Write the event that holds the match: over from the beginning, and in no list.

    who: programs or people alone are rated among themselves (`tournaments.ratings.inputs`).
    """
    found = rules_of(table)
    rules, _made = Ruleset.objects.get_or_create(
        sha256=found.hash.removeprefix("sha256:"), defaults={"game": found.game, "canonical": found.canonical()}
    )
    event = Tournament.objects.create(
        slug=f"table-{table.uuid}",
        name=NAME,
        state=Tournament.State.FINISHED,
        visibility=Tournament.Visibility.UNLISTED,
        who=who,
        rated=table.rated and who != Tournament.Who.BOTH,
        is_challenge=True,
        created_by=table.created_by,
        started_at=table.dealt_at,
        finished_at=table.finished_at,
    )
    return Stage.objects.create(
        tournament=event,
        kind=KIND,
        state=Stage.State.CLOSED,
        ruleset=rules,
        preset=table.preset,
        seats_min=table.seats_n,
        seats_pref=table.seats_n,
        seats_max=table.seats_n,
        scoring=Stage.Scoring.PLACE,
        secret=bytes(table.secret),
        commitment=table.commitment,
        mix=bytes(table.mix or b""),
        revealed_at=table.finished_at,
    )


def _seats(table: LiveTable, match: Match, seats: list[LiveSeat], recorded: list[dict[str, Any]]) -> list[Seat]:
    rows, copies = [], dict[int, int]()
    for seat, of_record in zip(seats, recorded, strict=True):
        player = _player(seat)
        # One bot may sit at several seats: its entries are told apart by their number.
        copy = copies[player.pk] = copies.get(player.pk, -1) + 1
        entry = Entry.objects.create(
            tournament=match.stage.tournament,
            player=player,
            bot_version=seat.bot_version,
            state=Entry.State.ACTIVE,
            nonce=seat.nonce[:64],
            copy=copy,
            entered_by=table.created_by,
        )
        rows.append(
            Seat(match=match, index=seat.index, side=of_record["side"], entry=entry, bot_version=seat.bot_version)
        )
    return rows


def _player(seat: LiveSeat) -> Player:
    if seat.bot_version is not None:
        return player_of(seat.bot_version.bot)
    return Player.objects.create(user=seat.user, name=seat.name, kind=Player.Kind.HUMAN)
