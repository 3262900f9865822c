"""Matches and teams as their part of an event's document: seats, reports once they are over, members."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final
from uuid import UUID

import msgspec

from core.interchange.documents import event as doc
from core.interchange.documents import teams as told
from core.interchange.documents.proof import record_from
from tournaments import models
from tournaments.models import Match, Member, PartnerDraw, ResultReport, Seat, Tournament
from tournaments.pairing.lineups_query import Slot, slot_of

OVER: Final = (Match.State.CONFIRMED, Match.State.VOID)
PlaceOf = Callable[[models.Player], int]


def match_with(place_of: PlaceOf, *, records: bool) -> Callable[[Match], doc.Match]:
    """Return how a match is exported.

    place_of: the place of a player in the document; records: true if they are wanted.
    """
    return partial(_match, place_of=place_of, records=records)


def _match(row: Match, place_of: PlaceOf, records: bool) -> doc.Match:
    """Export the match, its seats and reports prefetched."""
    reports = row.reports.all() if row.state in OVER else ()
    return doc.Match(
        uuid=row.uuid,
        round=row.round.number if row.round else None,
        deal_set=row.deal_set.uuid if row.deal_set else None,
        leg=row.leg,
        table=row.table_no,
        station=row.station,
        seats_n=row.seats_n,
        state=row.state,  # type: ignore[arg-type]  # a test holds the words of both together
        attempt=row.attempt,
        why=row.why,
        queued_at=row.queued_at,
        claimed_at=row.claimed_at,
        finished_at=row.finished_at,
        seats=[_seat(seat, place_of) for seat in row.seats.all()],
        reports=[_report(report, records) for report in reports],
        extra=row.extra,
    )


def _seat(row: Seat, place_of: PlaceOf) -> doc.Seat:
    feed = None
    if row.feed_match is not None and row.feed_place is not None:
        feed = doc.Feed(match=row.feed_match.uuid, place=row.feed_place)
    return doc.Seat(
        index=row.index,
        side=row.side,
        entry=row.entry.uuid if row.entry else None,
        feed=feed,
        player=place_of(row.player) if row.player else None,
        points=row.points,
        victories=row.victories,
        raw_points=row.raw_points,
        raw_victories=row.raw_victories,
        place=row.place,
        outcome=row.outcome,  # type: ignore[arg-type]  # words of a choice, held equal by a test
        fault={key: row.fault.get(key) for key in ("code", "deal", "move")} if row.fault else None,
        cpu_ms=row.cpu_ms,
        version=_version(row),
        board=row.board,
    )


def _version(row: Seat) -> doc.Version | None:
    """Return the version that plays in a ladder; where it is not here its hash is put back with what a copy carries."""
    if row.version_n is None:
        return None
    return doc.Version(n=row.version_n, hash=row.bot_version.hash if row.bot_version else "")


def _report(row: ResultReport, records: bool) -> doc.Report:
    return doc.Report(
        version=row.version,
        attempt=row.attempt,
        source=row.source,  # type: ignore[arg-type]  # words of a choice, held equal by a test
        state=row.state,  # type: ignore[arg-type]  # words of a choice, held equal by a test
        body={name: value for name, value in row.body.items() if name != "key"},  # of a phone that sent it twice
        hash=row.hash,
        record=record_from(json.loads(row.record.data())) if records and row.record else None,
        by=row.by.shown_name if row.by else None,
        reason=row.reason,
        created_at=row.created_at,
    )


GOING_ON: Final = (Tournament.State.RUNNING, Tournament.State.PAUSED)


def members_of(tournament: Tournament) -> Iterator[told.Member]:
    """Yield everybody who is or was in a team. Line-ups of rounds that are not drawn yet stay here."""
    rows = Member.objects.filter(team__tournament=tournament).select_related("team", "person")
    slot = slot_of(tournament) if tournament.boards and tournament.state in GOING_ON else None
    for row in rows.order_by("pk"):
        if slot is not None and not _is_published(row, slot):
            continue
        yield told.Member(
            team=row.team.uuid,
            person=row.person.uuid,
            number=row.number,
            from_stage=row.from_stage,
            from_round=row.from_round,
            until_stage=row.until_stage,
            until_round=row.until_round,
        )


def _is_published(row: Member, slot: Slot) -> bool:
    """Return whether a row began before the round that is open; an end that lies ahead is removed. Saves nothing."""
    ahead = (slot.stage.order, slot.number)
    if ahead > (1, 1) and (row.from_stage, row.from_round) >= ahead:
        return False
    # Changed in memory only: a line-up that is to come must not be read off the end of the one before.
    if row.until_round is not None and (row.until_stage or 0, row.until_round) >= ahead:
        row.until_stage = row.until_round = None
    return True


def draws_of(tournament: Tournament) -> Iterator[told.PartnerDraw]:
    """Yield the draws; the seed of one that is not drawn yet stays here."""
    rows = PartnerDraw.objects.filter(tournament=tournament).select_related("drawn_by", "undone_by")
    for row in rows.order_by("number"):
        yield told.PartnerDraw(
            number=row.number,
            commitment=row.commitment,
            seed=bytes(row.secret).hex() if row.drawn_at is not None else None,
            rule=row.rule,  # type: ignore[arg-type]  # words of a choice, held equal by a test
            size=row.size,
            listed=msgspec.convert(row.listed, list[told.Listed]),
            teams=msgspec.convert(row.teams, list[list[UUID]]),
            left=msgspec.convert(row.left, list[UUID]),
            created_at=row.created_at,
            drawn_at=row.drawn_at,
            drawn_by=row.drawn_by.shown_name if row.drawn_by else None,
            undone_at=row.undone_at,
            undone_by=row.undone_by.shown_name if row.undone_by else None,
            reason=row.reason,
            age_gap=row.age_gap,
            too_close=row.too_close,
        )
