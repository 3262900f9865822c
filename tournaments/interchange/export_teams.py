"""Teams as their part of an event's document: who is in one, and the draws that made partners."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from uuid import UUID

import msgspec

from core.interchange import event_teams as told
from tournaments.models import Member, PartnerDraw, Tournament
from tournaments.pairing.lineups_query import Slot, slot_of

GOING_ON: Final = (Tournament.State.RUNNING, Tournament.State.PAUSED)


def members_of(tournament: Tournament) -> Iterator[told.Member]:
    """Everybody who is or was in a team. Line-ups of rounds that are not drawn yet stay here."""
    rows = Member.objects.filter(team__tournament=tournament).select_related("team", "person")
    slot = slot_of(tournament) if tournament.boards and tournament.state in GOING_ON else None
    for row in rows.order_by("pk"):
        if slot is not None and not _is_told(row, slot):
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


def _is_told(row: Member, slot: Slot) -> bool:
    """Whether a row began before the round that is open; its end, if that lies ahead, is not told. Saves nothing."""
    ahead = (slot.stage.order, slot.number)
    if ahead > (1, 1) and (row.from_stage, row.from_round) >= ahead:
        return False
    if row.until_round is not None and (row.until_stage or 0, row.until_round) >= ahead:
        row.until_stage = row.until_round = None
    return True


def draws_of(tournament: Tournament) -> Iterator[told.PartnerDraw]:
    """The draws; the seed of one that is not drawn yet stays here."""
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
        )
