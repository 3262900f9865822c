"""The rows of an imported event's teams and of the draws that made partners."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import UUID

import msgspec

from accounts.models import User
from core.interchange import event as doc
from core.interchange import event_teams as told
from tournaments.models import Entry, Member, PartnerDraw, Tournament


def write(row: Tournament, event: doc.Event, entries: Mapping[UUID, Entry], *, by: User) -> None:
    """entries: the copy's, by their ids. by: who stands in for those who did it."""
    Member.objects.bulk_create(
        Member(
            team=entries[each.team],
            person=entries[each.person],
            number=each.number,
            from_stage=each.from_stage,
            from_round=each.from_round,
            until_stage=each.until_stage,
            until_round=each.until_round,
        )
        for each in event.members
    )
    PartnerDraw.objects.bulk_create(_draw(row, each, by) for each in event.draws)


def _draw(row: Tournament, said: told.PartnerDraw, by: User) -> PartnerDraw:
    return PartnerDraw(
        tournament=row,
        number=said.number,
        commitment=said.commitment,
        secret=bytes.fromhex(said.seed or ""),
        rule=said.rule,
        size=said.size,
        listed=msgspec.to_builtins(said.listed),
        teams=msgspec.to_builtins(said.teams),
        left=msgspec.to_builtins(said.left),
        drawn_at=said.drawn_at,
        drawn_by=by if said.drawn_by is not None else None,
        undone_at=said.undone_at,
        undone_by=by if said.undone_by is not None else None,
        reason=said.reason,
    )
